//! Taking the names of deleted players out of their games.
//!
//! Events, lists and records contain the names that players had. Deleting an identity changes its own
//! row at once; the games follow in the background, and after a restart if need be.

use noughts_api::IdentityKind;
use noughts_rules::{Action, Game, Player};
use noughts_store::{GameQuery, Identity, ListedGame, StoreError, StoredText};
use serde_json::Value;

use crate::clock;
use crate::storage::Storage;

/// Games, or events of a game, that are read at once.
const PAGE_SIZE: u32 = 500;

/// Takes the names of all deleted players out of their games.
pub(crate) async fn erase_deleted(storage: &Storage) -> Result<(), StoreError> {
    for identity in storage.store.identities_to_erase().await? {
        erase(storage, &identity).await?;
        storage.store.mark_erased(identity.id, clock::now()).await?;
    }
    Ok(())
}

async fn erase(storage: &Storage, identity: &Identity) -> Result<(), StoreError> {
    let mut query = GameQuery {
        phase: None,
        player: Some(identity.id),
        public_only: false,
        rules: None,
        before: None,
        limit: PAGE_SIZE,
    };
    loop {
        let page = storage.log.games(&query).await?;
        for game in &page {
            erase_from_game(storage, identity, game).await?;
        }
        query.before = page.last().map(|game| game.game);
        if page.len() < PAGE_SIZE as usize {
            return Ok(());
        }
    }
}

async fn erase_from_game(
    storage: &Storage,
    identity: &Identity,
    game: &ListedGame,
) -> Result<(), StoreError> {
    let mut since = 0;
    loop {
        let events = storage.log.events(game.game, since, PAGE_SIZE).await?;
        let texts: Vec<_> = events
            .iter()
            .filter_map(|event| {
                let erased = erase_from_event(&event.body, identity)?;
                Some((StoredText::Event(event.sequence), event.body.clone(), erased))
            })
            .collect();
        if !texts.is_empty() {
            storage.store.replace_texts(game.game, &texts).await?;
        }
        match events.last() {
            Some(last) if events.len() == PAGE_SIZE as usize => since = last.sequence,
            _ => break,
        }
    }
    let mut texts = Vec::new();
    let listing = &game.listing;
    let seats: Vec<usize> =
        (0..listing.seats.len()).filter(|seat| listing.seats[*seat] == Some(identity.id)).collect();
    if let Some(erased) = erase_from_listing(&listing.detail, &seats, &identity.name) {
        texts.push((StoredText::ListingDetail, listing.detail.clone(), erased));
    }
    if let Some(record) = storage.store.online_record(game.game).await?
        && let Some(erased) = erase_from_record(&record, &seats, &identity.name)
    {
        texts.push((StoredText::Record, record, erased));
    }
    if !texts.is_empty() {
        storage.store.replace_texts(game.game, &texts).await?;
    }
    Ok(())
}

/// The body of an event with the identity's new name, if the event contains the identity.
fn erase_from_event(body: &str, identity: &Identity) -> Option<String> {
    let mut value: Value = serde_json::from_str(body).ok()?;
    rename(&mut value, identity).then(|| value.to_string())
}

/// Renames the identity wherever an object names it, and returns whether one does.
fn rename(value: &mut Value, identity: &Identity) -> bool {
    let fields: Vec<&mut Value> = match value {
        Value::Object(fields) => {
            let is_player = fields.get("identity").and_then(Value::as_i64) == Some(identity.id.0);
            if is_player && let Some(name) = fields.get_mut("name") {
                *name = identity.name.clone().into();
                if let Some(kind) = fields.get_mut("kind")
                    && *kind == serde_json::json!(IdentityKind::Account)
                {
                    *kind = serde_json::json!(IdentityKind::Guest);
                }
                return true;
            }
            fields.values_mut().collect()
        }
        Value::Array(items) => items.iter_mut().collect(),
        _ => return false,
    };
    let mut found = false;
    for field in fields {
        found |= rename(field, identity);
    }
    found
}

/// What lists show of a game, with the new name in some seats.
fn erase_from_listing(detail: &str, seats: &[usize], name: &str) -> Option<String> {
    let mut value: Value = serde_json::from_str(detail).ok()?;
    for seat in seats {
        let player = value.get_mut("players")?.get_mut(*seat)?;
        for field in ["name", "invited"] {
            if let Some(text) = player.get_mut(field).filter(|text| text.is_string()) {
                *text = name.into();
            }
        }
    }
    Some(value.to_string())
}

/// A record in text form with the new name in some seats.
fn erase_from_record(record: &str, seats: &[usize], name: &str) -> Option<String> {
    let game: Game = record.parse().ok()?;
    let players = game.players().iter().enumerate().map(|(seat, player)| {
        let name = if seats.contains(&seat) { name } else { player.name() };
        Player::new(name, player.symbol().clone())
    });
    let players: Vec<Player> = players.collect::<Result<_, _>>().ok()?;
    let mut erased = Game::new(game.rules(), players).ok()?;
    for action in game.history() {
        match action {
            Action::Move { seat, mv } => drop(erased.play(seat, mv).ok()?),
            Action::Resign { seat } => drop(erased.resign(seat).ok()?),
        }
    }
    Some(erased.to_string())
}

#[cfg(test)]
mod tests {
    use noughts_api::IdentityId;
    use noughts_rules::Move;
    use serde_json::json;

    use super::*;

    fn deleted() -> Identity {
        Identity {
            id: IdentityId(7),
            kind: noughts_store::IdentityKind::Guest,
            name: "Deleted player 7".into(),
            created_at: 0,
        }
    }

    #[test]
    fn events_lose_the_name() {
        let seat = |identity: i64, name: &str| json!({"holder": {"taken": {"identity": identity, "name": name, "kind": "account"}}});
        let body = json!({"type": "created", "seats": [seat(7, "Ann"), seat(8, "Ann")]});
        let erased = erase_from_event(&body.to_string(), &deleted()).unwrap();
        let erased: Value = serde_json::from_str(&erased).unwrap();
        let players = [0, 1].map(|seat| erased["seats"][seat]["holder"]["taken"].clone());
        assert_eq!(
            players,
            [
                json!({"identity": 7, "name": "Deleted player 7", "kind": "guest"}),
                json!({"identity": 8, "name": "Ann", "kind": "account"}),
            ]
        );
        let other = json!({"type": "left", "seat": 7, "identity": 8});
        assert_eq!(erase_from_event(&other.to_string(), &deleted()), None);
    }

    #[test]
    fn records_lose_the_name() {
        let players = [("Ann", "X"), ("Bob", "O")]
            .map(|(name, symbol)| Player::new(name, symbol.parse().unwrap()).unwrap());
        let mut game = Game::new(&"3x3".parse().unwrap(), players.to_vec()).unwrap();
        let centre: Move = "B2".parse().unwrap();
        game.play(game.turn().unwrap(), centre).unwrap();
        game.resign(game.turn().unwrap()).unwrap();
        let erased = erase_from_record(&game.to_string(), &[1], "Deleted player 7").unwrap();
        assert_eq!(erased, game.to_string().replace("Bob", "Deleted player 7"));
        assert_eq!(erase_from_record("rubbish", &[1], "Deleted player 7"), None);
    }
}

//! Queries on the log.

use std::collections::HashMap;

use noughts_api::{GamePhase, IdempotencyKey};

use super::folding;
use super::listing::parse_seats;
use super::{CommandKey, DueGame, GameId, GameQuery, ListedGame, Listing, LoggedEvent};
use crate::database::{Database, read};
use crate::{IdentityId, Store, StoreError};

pub(super) async fn events(
    store: &Store,
    game: GameId,
    since: u64,
    limit: u32,
) -> Result<Vec<LoggedEvent>, StoreError> {
    type Row = (i64, i64, i64, String, String, Option<Vec<u8>>);
    let Ok(since) = i64::try_from(since) else { return Ok(Vec::new()) };
    let rows: Vec<Row> = read!(&*store.database, executor => sqlx::query_as(
        "SELECT sequence, at, sender_id, idempotency_key, body, earlier FROM events
         WHERE game_number = (SELECT number FROM games WHERE id = $1) AND sequence > $2
         ORDER BY sequence LIMIT $3",
    )
    .bind(&game.as_bytes()[..])
    .bind(since)
    .bind(i64::from(limit))
    .fetch_all(executor)
    .await)?;
    let mut events = Vec::with_capacity(rows.len());
    for (sequence, at, sender, key, body, earlier) in rows {
        if let Some(folded) = earlier {
            let unfolded = folding::unfold(&folded).ok_or_else(|| store.damaged())?;
            let missing = (1..).zip(unfolded).skip(since as usize);
            events.extend(missing.map(|(sequence, event)| LoggedEvent {
                sequence,
                at: event.at,
                key: None,
                body: event.body,
            }));
        }
        let key = match key.as_str() {
            "" => None,
            text => {
                let key = IdempotencyKey::new(text).ok_or_else(|| store.damaged())?;
                Some(CommandKey { sender: IdentityId(sender), key })
            }
        };
        events.push(LoggedEvent { sequence: sequence as u64, at, key, body });
    }
    events.truncate(limit as usize);
    Ok(events)
}

pub(super) async fn sequences(
    database: &Database,
    games: &[GameId],
) -> Result<HashMap<GameId, u64>, StoreError> {
    let rows: Vec<(Vec<u8>, Option<i64>)> = match database {
        Database::Sqlite(file) => {
            let ids: Vec<String> = games.iter().map(|game| hex::encode(game.as_bytes())).collect();
            sqlx::query_as(
                "SELECT games.id, (SELECT max(sequence) FROM events WHERE game_number = number)
                 FROM json_each(?) JOIN games ON games.id = unhex(value)",
            )
            .bind(serde_json::json!(ids).to_string())
            .fetch_all(file.readers())
            .await?
        }
        #[cfg(feature = "postgres")]
        Database::Postgres(database) => {
            sqlx::query_as(
                "SELECT games.id, (SELECT max(sequence) FROM events WHERE game_number = number)
                 FROM games WHERE id = ANY ($1)",
            )
            .bind(games.iter().map(|game| &game.as_bytes()[..]).collect::<Vec<_>>())
            .fetch_all(database.pool())
            .await?
        }
    };
    let found =
        |(id, sequence): (Vec<u8>, Option<i64>)| Some((parse_game_id(id)?, sequence? as u64));
    Ok(rows.into_iter().filter_map(found).collect())
}

/// Selects games `g` with their last events, for [`listed_game`].
macro_rules! select_games {
    ($from:literal) => {
        concat!(
            "SELECT g.id, g.phase, g.public, g.rules, g.league, g.rated, g.seats, g.detail, g.aborted,
                 e.sequence, e.at, e.due_at
             FROM ",
            $from,
            " JOIN events e ON e.game_number = g.number
                 AND e.sequence = (SELECT max(sequence) FROM events WHERE game_number = g.number) "
        )
    };
}

type GameRow =
    (Vec<u8>, String, i64, String, Option<String>, i64, String, String, i64, i64, i64, Option<i64>);

pub(super) async fn game(store: &Store, game: GameId) -> Result<Option<ListedGame>, StoreError> {
    let row: Option<GameRow> = read!(&*store.database, executor => sqlx::query_as(
        concat!(select_games!("games g"), "WHERE g.id = $1"),
    )
    .bind(&game.as_bytes()[..])
    .fetch_optional(executor)
    .await)?;
    row.map(|row| listed_game(row).ok_or_else(|| store.damaged())).transpose()
}

pub(super) async fn games(store: &Store, query: &GameQuery) -> Result<Vec<ListedGame>, StoreError> {
    // All of them mention the same parameters, so that they are bound alike.
    let sql = match (query.player, query.phase) {
        (Some(_), _) => concat!(
            select_games!("game_players p JOIN games g ON g.id = p.game_id"),
            "WHERE p.game_id < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3) AND p.identity_id = $6
                 AND (CAST($5 AS TEXT) IS NULL OR g.phase = $5)
                 AND replace(replace(g.seats, '[', ','), ']', ',')
                     LIKE '%,' || CAST($6 AS TEXT) || ',%'
             ORDER BY p.game_id DESC LIMIT $4"
        ),
        (None, Some(_)) => concat!(
            select_games!("games g"),
            "WHERE g.id < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3) AND g.phase = $5
                 AND CAST($6 AS BIGINT) IS NULL
             ORDER BY g.id DESC LIMIT $4"
        ),
        (None, None) => concat!(
            select_games!("games g"),
            "WHERE g.id < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3)
                 AND CAST($5 AS TEXT) IS NULL AND CAST($6 AS BIGINT) IS NULL
             ORDER BY g.id DESC LIMIT $4"
        ),
    };
    let before = query.before.unwrap_or(GameId::from_bytes([u8::MAX; 16]));
    let rows: Vec<GameRow> = read!(&*store.database, executor => sqlx::query_as(sql)
        .bind(&before.as_bytes()[..])
        .bind(i64::from(query.public_only))
        .bind(&query.rules)
        .bind(i64::from(query.limit))
        .bind(query.phase.map(GamePhase::as_str))
        .bind(query.player.map(|player| player.0))
        .fetch_all(executor)
        .await)?;
    rows.into_iter().map(|row| listed_game(row).ok_or_else(|| store.damaged())).collect()
}

pub(super) async fn due(
    store: &Store,
    until: i64,
    after: Option<DueGame>,
    limit: u32,
) -> Result<Vec<DueGame>, StoreError> {
    let first = DueGame { game: GameId::from_bytes([0; 16]), due: i64::MIN };
    let after = after.unwrap_or(first);
    let rows: Vec<(Vec<u8>, i64)> = read!(&*store.database, executor => sqlx::query_as(
        "SELECT g.id, e.due_at FROM games g JOIN events e ON e.game_number = g.number
             AND e.sequence = (SELECT max(sequence) FROM events WHERE game_number = g.number)
         WHERE g.phase IN ('open', 'live') AND e.due_at <= $1 AND (e.due_at, g.id) > ($2, $3)
         ORDER BY e.due_at, g.id LIMIT $4",
    )
    .bind(until)
    .bind(after.due)
    .bind(&after.game.as_bytes()[..])
    .bind(i64::from(limit))
    .fetch_all(executor)
    .await)?;
    let due = |(id, due): (Vec<u8>, i64)| Some(DueGame { game: parse_game_id(id)?, due });
    rows.into_iter().map(|row| due(row).ok_or_else(|| store.damaged())).collect()
}

/// Finished games with a result that are not folded, and whose last event is older than `before`.
pub(super) async fn games_to_fold(
    store: &Store,
    before: i64,
    after: GameId,
    limit: u32,
) -> Result<Vec<GameId>, StoreError> {
    let rows: Vec<Vec<u8>> = read!(&*store.database, executor => sqlx::query_scalar(
        "SELECT g.id FROM games g
         WHERE g.phase = 'finished' AND g.aborted = 0 AND g.folded = 0 AND g.id > $1 AND g.id < $2
             AND (SELECT at FROM events WHERE game_number = g.number
                 ORDER BY sequence DESC LIMIT 1) < $3
         ORDER BY g.id LIMIT $4",
    )
    .bind(&after.as_bytes()[..])
    // Created earlier, too.
    .bind(&GameId::new(before, [0; 10]).as_bytes()[..])
    .bind(before)
    .bind(i64::from(limit))
    .fetch_all(executor)
    .await)?;
    rows.into_iter().map(|id| parse_game_id(id).ok_or_else(|| store.damaged())).collect()
}

fn listed_game(row: GameRow) -> Option<ListedGame> {
    let (id, phase, public, rules, league, rated, seats, detail, aborted, sequence, at, due) = row;
    let listing = Listing {
        phase: GamePhase::ALL.into_iter().find(|known| known.as_str() == phase)?,
        public: public != 0,
        rules,
        league,
        rated: rated != 0,
        seats: parse_seats(&seats)?,
        aborted: aborted != 0,
        detail,
    };
    Some(ListedGame { game: parse_game_id(id)?, listing, sequence: sequence as u64, at, due })
}

fn parse_game_id(id: Vec<u8>) -> Option<GameId> {
    Some(GameId::from_bytes(id.try_into().ok()?))
}

impl Store {
    /// The game that a command created, unless it was removed or folded since.
    pub async fn game_created_by(
        &self,
        command: &CommandKey,
    ) -> Result<Option<GameId>, StoreError> {
        let row: Option<(Vec<u8>,)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id FROM creation_keys JOIN games ON number = game_number
             WHERE sender_id = $1 AND idempotency_key = $2",
        )
        .bind(command.sender.0)
        .bind(command.key.as_str())
        .fetch_optional(executor)
        .await)?;
        row.map(|(id,)| parse_game_id(id).ok_or_else(|| self.damaged())).transpose()
    }
}

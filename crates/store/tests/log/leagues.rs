//! Results are written with the events that end a game.

use noughts_scores::{Outcome, System};
use noughts_store::{
    Append, AppendError, IdentityId, IdentityKind, LeagueChoice, LeagueResult, ResultPlayer, State,
    UniqueName, Writer,
};

use crate::places::Place;
use crate::{after, append, bodies, game, listing, on_every_log};

on_every_log!(
    a_result_counts_with_the_event_that_ends_the_game,
    what_cannot_count_is_refused_with_its_events,
    ratings_follow_an_identity_to_its_account,
);

const RECORD: &str = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins";

pub(crate) fn online() -> LeagueChoice {
    LeagueChoice { name: "online".into(), system: System::Elo }
}

pub(crate) fn over(number: u8, expected: u64, players: &[(IdentityId, &str)]) -> Append {
    let player =
        |&(identity, name): &(IdentityId, &str)| ResultPlayer { identity, name: name.into() };
    Append {
        listing: Some(listing(State::Finished, &[Some(1), Some(2)])),
        result: Some(LeagueResult {
            league: online(),
            players: players.iter().map(player).collect(),
            outcome: Outcome::Won { seat: 0 },
            record: RECORD.into(),
        }),
        ..after(game(number), expected, &["A3", "over"])
    }
}

pub(crate) async fn guest(place: &Place, name: &str) -> IdentityId {
    let name = UniqueName { name: name.into(), skeleton: name.to_lowercase() };
    place.store.create_identity(IdentityKind::Guest, &name, None, 0).await.unwrap().id
}

async fn table(place: &Place) -> Vec<(usize, String, i64)> {
    let league = place.store.league("online").await.unwrap().unwrap();
    league.top(10).map(|s| (s.rank, s.name.to_string(), s.rating.shown)).collect()
}

fn rows(rows: &[(usize, &str, i64)]) -> Vec<(usize, String, i64)> {
    rows.iter().map(|&(rank, name, rating)| (rank, name.to_string(), rating)).collect()
}

async fn a_result_counts_with_the_event_that_ends_the_game(place: Place) {
    let (ann, bob) = (guest(&place, "Ann").await, guest(&place, "Bob").await);
    let writer = Writer::start(place.log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    let ended = over(1, 1, &[(ann, "Ann"), (bob, "Bob")]);
    writer.append(ended.clone()).await.unwrap();
    assert_eq!(table(&place).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));
    // A refused end does not count.
    assert!(matches!(writer.append(ended).await, Err(AppendError::Conflict { sequence: 3 })));
    assert_eq!(table(&place).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));

    let stored = place.store.games(Some("online"), 9).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].game.to_string(), RECORD);
    let result = stored[0].result.clone().unwrap();
    place.store.retract(result.id, 5).await.unwrap();
    assert_eq!(table(&place).await, []);
}

async fn what_cannot_count_is_refused_with_its_events(place: Place) {
    let (ann, bob) = (guest(&place, "Ann").await, guest(&place, "Bob").await);
    let log = &*place.log;
    place.store.create_league(&LeagueChoice::default()).await.unwrap();
    append(log, after(game(1), 0, &["created"])).await.unwrap();
    let refuse = async |ended: Append, sentence: &str| {
        let refused = append(log, ended).await.unwrap_err();
        assert_eq!(refused.to_string(), format!("the game can't count: {sentence}"));
    };
    let local = LeagueResult {
        league: LeagueChoice::default(),
        ..over(1, 1, &[(ann, "Ann"), (bob, "Bob")]).result.unwrap()
    };
    refuse(
        Append { result: Some(local), ..after(game(1), 1, &["over"]) },
        "the league local is for games at the terminal: online games don't count in it",
    )
    .await;
    refuse(over(1, 1, &[(ann, "Ann"), (ann, "Ann")]), "\"1\" has both seat 0 and seat 1").await;
    refuse(
        over(1, 1, &[(ann, "Ann"), (bob, "Bob"), (IdentityId(3), "Cy")]),
        "elo rates games of 2 players, this one had 3; try weng-lin",
    )
    .await;
    assert_eq!(bodies(&place, game(1)).await, ["created"]);
    assert_eq!(log.game(game(1)).await.unwrap().unwrap().listing.state, State::Live);
}

async fn ratings_follow_an_identity_to_its_account(place: Place) {
    let (guest_id, bob) = (guest(&place, "Guest 7Q2M").await, guest(&place, "Bob").await);
    append(&*place.log, over(1, 0, &[(guest_id, "Guest 7Q2M"), (bob, "Bob")])).await.unwrap();
    let name = UniqueName { name: "Zoë".into(), skeleton: "zoe".into() };
    place.store.upgrade_guest(guest_id, &name, "hash").await.unwrap();
    append(&*place.log, over(2, 0, &[(guest_id, "Zoë"), (bob, "Bob")])).await.unwrap();
    assert_eq!(table(&place).await, rows(&[(1, "Zoë", 1531), (2, "Bob", 1469)]));
}

//! How much results count, and who is listed.

use noughts_scores::ResultId;
use noughts_store::{
    Append, IdentityId, Notice, Notices, Origin, Standings, Token, TokenHash, TokenKind,
    UniqueName, Writer,
};

use crate::leagues::{account, guest, over};
use crate::test_database::TestDatabase;
use crate::{append_all, on_every_database};

on_every_database!(
    frequent_opponents_count_less,
    one_address_counts_as_one_player,
    guests_are_worth_nothing_and_not_listed,
);

const DAY_MS: i64 = 24 * 3600 * 1000;

/// What each result counts for its players, in the order of the results.
async fn weights(database: &TestDatabase) -> Vec<Vec<u8>> {
    let standings = Standings::load(&database.store).await.unwrap();
    let weights = |id: u64| {
        let changes = |league: &noughts_scores::League<IdentityId>| {
            league.changes(ResultId(id)).map(|change| change.weight.percent()).collect::<Vec<_>>()
        };
        standings.read("classic", changes).unwrap_or_default()
    };
    (1..).map(weights).take_while(|weights| !weights.is_empty()).collect()
}

async fn frequent_opponents_count_less(database: TestDatabase) {
    let (ann, bob) = (account(&database, "Ann").await, account(&database, "Bob").await);
    let players = [(ann, "Ann"), (bob, "Bob")];
    // Some alone, others together in a batch, and the seats take turns.
    for number in 1..=4 {
        append_all(&*database.log, [over(number, 0, &players)]).await;
    }
    let swapped = [players[1], players[0]];
    append_all(&*database.log, (5..=12).map(|number| over(number, 0, &swapped))).await;
    let tomorrow = Append { at: DAY_MS, ..over(13, 0, &players) };
    append_all(&*database.log, [tomorrow]).await;
    let expected = [100, 100, 100, 50, 50, 50, 10, 10, 10, 10, 0, 0, 100];
    assert_eq!(weights(&database).await, expected.map(|weight| vec![weight; 2]));
    // Past days are forgotten, and the weights stay.
    database.store.forget_daily_games(3 * DAY_MS).await.unwrap();
    assert_eq!(weights(&database).await.len(), 13);
}

/// Signs in from an address.
async fn sign_in(database: &TestDatabase, identity: IdentityId, address: &str) {
    let token = Token {
        hash: TokenHash([identity.0 as u8; 32]),
        identity,
        kind: TokenKind::Session,
        label: "session".into(),
        created_at: 0,
        last_used_at: 0,
        origin: Origin { device: None, address: Some(address.into()) },
    };
    database.store.insert_token(token).await.unwrap();
}

async fn one_address_counts_as_one_player(database: TestDatabase) {
    let ann = account(&database, "Ann").await;
    sign_in(&database, ann, "192.0.2.1").await;
    for (number, name) in (1..).zip(["Bob", "Cy", "Dan", "Eve", "Fay"]) {
        let other = account(&database, name).await;
        let address = if name == "Fay" { "198.51.100.1" } else { "192.0.2.2" };
        sign_in(&database, other, address).await;
        append_all(&*database.log, [over(number, 0, &[(ann, "Ann"), (other, name)])]).await;
    }
    let expected = [100, 100, 100, 50, 100];
    assert_eq!(weights(&database).await, expected.map(|weight| vec![weight; 2]));
}

async fn guests_are_worth_nothing_and_not_listed(database: TestDatabase) {
    let (ann, eve) = (account(&database, "Ann").await, guest(&database, "Eve").await);
    let mut ended = over(1, 0, &[(ann, "Ann"), (eve, "Eve")]);
    ended.result.as_mut().unwrap().players[1].is_provisional = true;
    append_all(&*database.log, [ended]).await;
    assert_eq!(weights(&database).await, [vec![0, 100]]);

    let standings = Standings::load(&database.store).await.unwrap();
    let seen = |standings: &Standings, id: IdentityId| {
        let seen = standings.read("classic", |league| {
            (league.rank(&id), league.rating(&id).unwrap().shown, league.record(&id).games())
        });
        seen.unwrap()
    };
    assert_eq!(seen(&standings, ann), (None, 1500, 0));
    assert_eq!(seen(&standings, eve), (None, 1484, 1));
    let league = database.store.league("classic").await.unwrap().unwrap();
    assert_eq!(league.len(), 0);

    // Listed as soon as the server hears that the guest has signed up.
    let notices = Notices::local();
    let name = UniqueName {
        name: "Eve".into(),
        case_skeleton: "eve".into(),
        written_skeleton: "eve".into(),
    };
    database.store.upgrade_guest(eve, &name, "hash", 0).await.unwrap();
    let subscription = notices.subscribe();
    notices.publish(Notice::Identity { identity: eve });
    drop(notices);
    standings.follow(subscription).await;
    assert_eq!(seen(&standings, eve), (Some(1), 1484, 1));
    assert_eq!(database.store.league("classic").await.unwrap().unwrap().len(), 1);
    // And results that follow are read under the same lock.
    let writer = Writer::start(database.log.clone());
    writer.append(over(2, 0, &[(ann, "Ann"), (eve, "Eve")])).await.unwrap();
    standings.refresh("classic").await.unwrap();
    assert_eq!(seen(&standings, ann).0, Some(1));
}

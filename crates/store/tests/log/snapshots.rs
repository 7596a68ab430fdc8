//! Snapshots of ratings: leagues load the same with them as without.

use std::time::Instant;

use noughts_scores::{GameResult, Outcome, ResultId, Segment, System};
use noughts_store::{IdentityId, LeagueChoice, Standings, Store};

use crate::leagues::{account, guest, over};
use crate::test_database::TestDatabase;
use crate::{append, on_every_database};

on_every_database!(
    snapshots_load_the_same_league,
    changed_results_remove_snapshots,
    wrong_snapshots_are_replaced,
    snapshots_are_right_while_results_change,
    large_leagues_load,
);

const LEAGUE: &str = "classic";

/// Ends games of five players, one of them a guest.
async fn play(database: &TestDatabase, games: std::ops::Range<u8>) {
    let players = match database.store.identity(IdentityId(5)).await.unwrap() {
        Some(_) => (1..=5).map(IdentityId).collect(),
        None => {
            let mut players = vec![guest(database, "Guest 7Q2M").await];
            for name in ["Ann", "Bob", "Cy", "Dan"] {
                players.push(account(database, name).await);
            }
            players
        }
    };
    for number in games {
        let (winner, loser) = (usize::from(number) % 5, (usize::from(number / 3) + 1) % 5);
        let loser = if winner == loser { (loser + 1) % 5 } else { loser };
        append(&*database.log, over(number, 0, &[(players[winner], "W"), (players[loser], "L")]))
            .await
            .unwrap();
    }
}

/// All results of the league with the ratings after each of them, bit for bit.
fn everything(standings: &Standings) -> Vec<Segment<IdentityId>> {
    let read = standings.read(LEAGUE, |league| {
        let results = (1..).map_while(|n| league.segment(None, n)).last();
        let listed = league.top(100).map(|standing| *standing.player).collect::<Vec<_>>();
        (results, listed)
    });
    let (results, listed) = read.unwrap();
    let table = Segment { players: listed, results: 0, last: ResultId(0), body: Vec::new() };
    results.into_iter().chain([table]).collect()
}

async fn loaded(store: &Store) -> Vec<Segment<IdentityId>> {
    everything(&Standings::load(store).await.unwrap())
}

/// What loading gives without snapshots.
async fn computed(database: &TestDatabase) -> Vec<Segment<IdentityId>> {
    database.execute("DELETE FROM rating_snapshots").await;
    loaded(&database.store).await
}

async fn snapshots(database: &TestDatabase) -> i64 {
    database.number("SELECT count(*) FROM rating_snapshots").await
}

async fn snapshots_load_the_same_league(database: TestDatabase) {
    play(&database, 0..30).await;
    database.store.retract(ResultId(4), 9).await.unwrap();
    let standings = Standings::load(&database.store).await.unwrap();
    standings.store_snapshots(7).await.unwrap();
    assert_eq!(snapshots(&database).await, 4);
    play(&database, 30..40).await;
    database.execute("UPDATE result_players SET name = 'Zoë' WHERE result_id < 20").await;
    assert_eq!(snapshots(&database).await, 4, "names are no part of them");
    assert!(database.store.check_snapshots(LEAGUE).await.unwrap());
    let with_snapshots = loaded(&database.store).await;
    assert_eq!(with_snapshots[0].results, 39);
    standings.refresh(LEAGUE).await.unwrap();
    assert_eq!(everything(&standings), with_snapshots);
    let table = database.store.league(LEAGUE).await.unwrap().unwrap();
    assert_eq!(computed(&database).await, with_snapshots);
    let without = database.store.league(LEAGUE).await.unwrap().unwrap();
    assert!(table.top(9).eq(without.top(9)));
    assert_eq!(table.top(9).count(), 4, "the guest is not listed");
}

async fn changed_results_remove_snapshots(database: TestDatabase) {
    play(&database, 0..30).await;
    let standings = Standings::load(&database.store).await.unwrap();
    let other = database.connect_again().await;
    standings.store_snapshots(5).await.unwrap();
    assert_eq!(snapshots(&database).await, 6);

    other.retract(ResultId(23), 9).await.unwrap();
    assert_eq!(snapshots(&database).await, 4);
    // A server that has not noticed yet stores none.
    standings.store_snapshots(5).await.unwrap();
    assert_eq!(snapshots(&database).await, 4);
    standings.refresh(LEAGUE).await.unwrap();
    standings.store_snapshots(5).await.unwrap();
    assert_eq!(snapshots(&database).await, 5);
    assert_eq!(loaded(&other).await, everything(&standings));

    let before = everything(&standings);
    let draw = GameResult::from_names(["W", "L"], Outcome::Draw).unwrap();
    other.correct_result(ResultId(12), &draw).await.unwrap();
    assert_eq!(snapshots(&database).await, 2);
    standings.refresh(LEAGUE).await.unwrap();
    assert_ne!(everything(&standings), before, "a running server notices corrections");
    assert_eq!(everything(&standings), loaded(&other).await);

    database.execute("UPDATE result_players SET weight = 50 WHERE result_id = 1").await;
    assert_eq!(snapshots(&database).await, 0);
    standings.refresh(LEAGUE).await.unwrap();
    assert_eq!(everything(&standings), computed(&database).await);
    database.execute("DELETE FROM result_players WHERE result_id = 30").await;
    database.execute("DELETE FROM results WHERE id = 30").await;
    standings.refresh(LEAGUE).await.unwrap();
    assert_eq!(everything(&standings), computed(&database).await);
}

async fn wrong_snapshots_are_replaced(database: TestDatabase) {
    play(&database, 0..30).await;
    let standings = Standings::load(&database.store).await.unwrap();
    let expected = everything(&standings);
    let disabled_trigger = match database.store.path() {
        Some(_) => "DROP TRIGGER results_changed",
        None => "DROP TRIGGER results_changed ON results",
    };
    database.execute(disabled_trigger).await;
    let damages = [
        "UPDATE rating_snapshots SET checksum = checksum + 1 WHERE last_result_id = 10",
        "UPDATE rating_snapshots SET version = 9 WHERE last_result_id = 5",
        "DELETE FROM rating_snapshots WHERE last_result_id = 15",
        "UPDATE results SET ended_at = ended_at + 1 WHERE id = 29",
    ];
    for damage in damages {
        standings.store_snapshots(5).await.unwrap();
        assert_eq!(snapshots(&database).await, 6);
        database.execute(damage).await;
        assert!(!database.store.check_snapshots(LEAGUE).await.unwrap(), "{damage}");
        if damage.contains("ended_at") {
            assert_ne!(loaded(&database.store).await, expected);
            database.execute("UPDATE results SET ended_at = ended_at - 1 WHERE id = 29").await;
        }
        assert_eq!(loaded(&database.store).await, expected, "{damage}");
        assert_eq!(snapshots(&database).await, 0, "{damage}");
    }
}

/// Two servers end games, retract results, store snapshots and load the league at the same time.
async fn snapshots_are_right_while_results_change(database: TestDatabase) {
    play(&database, 0..40).await;
    let other = database.connect_again().await;
    let work = |store: Store, seed: u64| async move {
        let standings = Standings::load(&store).await.unwrap();
        for step in 0..20_u64 {
            let id = ResultId(1 + (step * 13 + seed * 7) % 40);
            if step % 3 == 0 {
                let _ = store.retract(id, 9).await;
            }
            standings.refresh(LEAGUE).await.unwrap();
            standings.store_snapshots(4).await.unwrap();
            let fresh = Standings::load(&store).await.unwrap();
            fresh.store_snapshots(4).await.unwrap();
        }
        standings
    };
    let (first, second, ()) = tokio::join!(
        tokio::spawn(work(database.store.clone(), 1)),
        tokio::spawn(work(other.clone(), 2)),
        play(&database, 40..60),
    );
    let (first, second) = (first.unwrap(), second.unwrap());
    first.refresh(LEAGUE).await.unwrap();
    second.refresh(LEAGUE).await.unwrap();
    first.store_snapshots(4).await.unwrap();
    assert!(snapshots(&database).await > 5);
    let with_snapshots = loaded(&other).await;
    assert_eq!(everything(&first), with_snapshots);
    assert_eq!(everything(&second), with_snapshots);
    assert!(database.store.check_snapshots(LEAGUE).await.unwrap());
    assert_eq!(computed(&database).await, with_snapshots);
}

/// Stores results of random games.
async fn fill(database: &TestDatabase, players: i64, results: i64) {
    let numbers = |n: i64| {
        format!(
            "WITH RECURSIVE numbers (n) AS (
                 SELECT CAST(1 AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {n})"
        )
    };
    let league = LeagueChoice { name: LEAGUE.into(), system: System::Glicko2 };
    database.store.reserve_online_league(&league, true).await.unwrap();
    let (players_up_to, results_up_to) = (numbers(players), numbers(results));
    let others = players - 1;
    for statement in [
        format!(
            "INSERT INTO identities (kind, name, case_skeleton, written_skeleton, created_at)
             {players_up_to} SELECT 'account', 'P' || n, 'p' || n, 'P' || n, 0 FROM numbers"
        ),
        "INSERT INTO records (stored_at, notation) VALUES (0, '')".into(),
        format!(
            "INSERT INTO results (league_id, record_id, ended_at, winner_seat)
             {results_up_to} SELECT (SELECT id FROM leagues), (SELECT id FROM records), n,
                 CASE WHEN n * 7919 % 10 < 5 THEN 0 WHEN n * 7919 % 10 < 9 THEN 1 END FROM numbers"
        ),
        format!(
            "INSERT INTO result_players (result_id, seat, name, identity_id)
             SELECT id, 0, '', 1 + id * 7919 % {players} FROM results UNION ALL
             SELECT id, 1, '', 1 + (id * 7919 + 1 + id * 31 % {others}) % {players} FROM results"
        ),
    ] {
        database.execute(&statement).await;
    }
}

/// Prints how long a league takes to load. `NOUGHTS_RESULTS=1000000` makes it large.
async fn large_leagues_load(database: TestDatabase) {
    let results: i64 =
        std::env::var("NOUGHTS_RESULTS").map_or(2_000, |text| text.parse().expect("a number"));
    let players = 10 + results / 20;
    fill(&database, players, results).await;
    let start = Instant::now();
    let computed = Standings::load(&database.store).await.unwrap();
    println!("{results} results of {players} players: computed in {:?}", start.elapsed());
    let start = Instant::now();
    computed.store_snapshots((results / 100) as usize).await.unwrap();
    println!("100 snapshots: stored in {:?}", start.elapsed());
    assert_eq!(snapshots(&database).await, 100);
    let start = Instant::now();
    let loaded = Standings::load(&database.store).await.unwrap();
    println!("loaded in {:?}", start.elapsed());
    let start = Instant::now();
    let table = database.store.league(LEAGUE).await.unwrap().unwrap();
    println!("loaded with names in {:?}", start.elapsed());
    let all = |standings: &Standings| {
        standings.read(LEAGUE, |league| league.segment(None, results as usize)).unwrap()
    };
    assert!(all(&computed) == all(&loaded), "the same bits");
    assert_eq!(Some(table.len()), loaded.read(LEAGUE, noughts_scores::League::len));
}

//! The checker notices faults that were planted.

use noughts_server::{Config, serve_log};
use noughts_testing::{Fault, FaultyLog};
use sqlx::Connection;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::checker::check;
use crate::player::{Habits, play};
use crate::race::race;
use crate::record::Record;
use crate::server::{Agent, Place, Seats};

/// Serves from a log that tells lies when told to, in this process.
async fn play_with_lies(place: &Place, lies: usize) -> (Record, Vec<Seats>) {
    let store = place.store().await;
    let log = FaultyLog::new(store.log());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let shutdown = CancellationToken::new();
    let config = Config { commands_per_second: Some(10_000), ..Config::default() };
    let serving = tokio::spawn(serve_log(listener, store, log.clone(), config, shutdown.clone()));
    let agent = Agent::of(&address);
    let games = tokio::task::spawn_blocking(move || agent.games(["Ann", "Bob"], "3x3", 1));
    let games = games.await.unwrap();
    let (record, habits) = (Record::default(), Habits::default());
    // Four moves are stored. The game ends with the fifth or later.
    log.plan([None, None, None, None].into_iter().chain(vec![Some(Fault::FalseSuccess); lies]));
    play(&[address], &games, &habits, &record).await;
    shutdown.cancel();
    serving.await.unwrap().unwrap();
    (record, games)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_fault_nothing_is_wrong() {
    let place = Place::sqlite();
    let (record, _) = play_with_lies(&place, 0).await;
    assert_eq!(check(&place, &record, None).await, [""; 0]);
}

/// An acknowledgement before the commit, which then never comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_acknowledgement_without_a_commit_is_noticed() {
    let place = Place::sqlite();
    let (record, _) = play_with_lies(&place, 100).await;
    let wrong = check(&place, &record, None).await;
    assert!(wrong.iter().any(|text| text.contains("is in the log 0 times")), "{wrong:#?}");
    assert!(wrong.iter().any(|text| text.contains("was sent, the log has []")), "{wrong:#?}");
}

/// Without the key of the log, two servers store different events in the same place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_without_its_key_is_noticed() {
    let Some(place) = Place::postgres().await else { return };
    let Place::Postgres(_, url) = &place else { return };
    // The tables are made by the first who comes.
    place.store().await.close().await;
    let mut database = sqlx::PgConnection::connect(url).await.unwrap();
    let drop_key = "ALTER TABLE events DROP CONSTRAINT events_pkey";
    sqlx::query(drop_key).execute(&mut database).await.unwrap();
    let (record, _servers) = race(&place, 1, 0).await;
    let key = record.games().into_keys().next().unwrap();
    let game: noughts_store::GameId = key.parse().unwrap();
    // What a race does now and then is done here for certain.
    let twice = "INSERT INTO events SELECT events.* FROM events JOIN online_games ON number = game
        WHERE id = $1 AND sequence = 4";
    sqlx::query(twice).bind(&game.as_bytes()[..]).execute(&mut database).await.unwrap();
    let wrong = check(&place, &record, None).await;
    assert!(wrong.iter().any(|text| text.contains("the log has the sequence")), "{wrong:#?}");
    assert!(wrong.iter().any(|text| text.contains("is in the log 2 times")), "{wrong:#?}");
}

/// Ratings that do not follow from the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_result_of_the_wrong_winner_is_noticed() {
    let place = Place::sqlite();
    let (record, _) = play_with_lies(&place, 0).await;
    let Place::Sqlite(folder) = &place else { return };
    let url = format!("sqlite:{}", folder.path().join("noughts.db").display());
    let mut database = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let other = "UPDATE results SET winner = CASE winner WHEN 0 THEN 1 ELSE 0 END";
    assert_eq!(sqlx::query(other).execute(&mut database).await.unwrap().rows_affected(), 1);
    let wrong = check(&place, &record, None).await;
    assert!(wrong.iter().any(|text| text.contains("recomputed")), "{wrong:#?}");
}

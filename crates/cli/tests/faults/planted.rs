//! The checker detects planted faults.

use noughts_server::{Config, serve_log};
use noughts_testing::{Fault, FaultyLog};
use sqlx::Connection;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::checker::violations;
use crate::player::{Behaviour, play};
use crate::race::race;
use crate::server::{Agent, Database, Seats};
use noughts_checker::Record;

/// Serves from a log whose last appends report success without storing anything.
async fn play_with_false_success(
    database: &Database,
    false_successes: usize,
) -> (Record, Vec<Seats>) {
    let store = database.store().await;
    let log = FaultyLog::new(store.log());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let shutdown = CancellationToken::new();
    let config = Config { commands_per_second: Some(10_000), ..Config::default() };
    let serving = tokio::spawn(serve_log(listener, store, log.clone(), config, shutdown.clone()));
    let agent = Agent::of(&address);
    let games = tokio::task::spawn_blocking(move || agent.games(["Ann", "Bob"], "3x3", 1));
    let games = games.await.unwrap();
    let (record, behaviour) = (Record::default(), Behaviour::default());
    // Four moves are stored; the game ends with the fifth or later.
    log.plan(
        [None, None, None, None]
            .into_iter()
            .chain(vec![Some(Fault::FalseSuccess); false_successes]),
    );
    play(&[address], &games, &behaviour, &record).await;
    shutdown.cancel();
    serving.await.unwrap().unwrap();
    (record, games)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn correct_log_has_no_violations() {
    let database = Database::sqlite();
    let (record, _) = play_with_false_success(&database, 0).await;
    assert_eq!(violations(&database, &record, None).await, [""; 0]);
}

/// Moves are acknowledged but never committed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledgement_without_commit_is_detected() {
    let database = Database::sqlite();
    let (record, _) = play_with_false_success(&database, 100).await;
    let found = violations(&database, &record, None).await;
    assert!(found.iter().any(|text| text.contains("is in the log 0 times")), "{found:#?}");
    assert!(found.iter().any(|text| text.contains("the log has []")), "{found:#?}");
}

/// Without the log's primary key, two servers store different events with the same sequence number.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_without_key_is_detected() {
    let Some(database) = Database::postgres().await else { return };
    let Database::Postgres(_, url) = &database else { return };
    // The first connection creates the tables.
    database.store().await.close().await;
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    let drop_key = "ALTER TABLE events DROP CONSTRAINT events_pkey";
    sqlx::query(drop_key).execute(&mut connection).await.unwrap();
    let (record, _servers) = race(&database, 1, 0).await;
    let game = record.games().into_keys().next().unwrap();
    // Duplicates an event, as a race might.
    let twice = "INSERT INTO events SELECT events.* FROM events JOIN games ON number = game_number
        WHERE id = $1 AND sequence = 4";
    sqlx::query(twice).bind(&game.as_bytes()[..]).execute(&mut connection).await.unwrap();
    let found = violations(&database, &record, None).await;
    assert!(found.iter().any(|text| text.contains("the log has the sequence")), "{found:#?}");
    assert!(found.iter().any(|text| text.contains("is in the log 2 times")), "{found:#?}");
}

/// The stored ratings do not follow from the log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_winner_is_detected() {
    let database = Database::sqlite();
    let (record, _) = play_with_false_success(&database, 0).await;
    let Database::Sqlite(folder) = &database else { return };
    let url = format!("sqlite:{}", folder.path().join("noughts.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let other = "UPDATE results SET winner_seat = CASE winner_seat WHEN 0 THEN 1 ELSE 0 END";
    assert_eq!(sqlx::query(other).execute(&mut connection).await.unwrap().rows_affected(), 1);
    let found = violations(&database, &record, None).await;
    assert!(found.iter().any(|text| text.contains("recomputed")), "{found:#?}");
}

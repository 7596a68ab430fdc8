//! The log of online games: one suite for both databases, a log that fails on demand, and one in memory.

mod appending;
mod faults;
mod leagues;
mod listing;
mod races;
mod retention;
mod snapshots;
mod test_database;
mod weights;

use noughts_store::{
    Append, AppendError, Appended, Batch, CommandKey, GameId, GamePhase, IdempotencyKey,
    IdentityId, Listing, Log,
};
use test_database::TestDatabase;

/// Runs each test on every kind of log that is in a database.
macro_rules! on_every_database {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(crate::test_database::sqlite().await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                if let Some(database) = crate::test_database::postgres().await {
                    super::$test(database).await;
                }
            })*
        }
        mod faulty {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(crate::test_database::faulty().await).await;
            })*
        }
    };
}
pub(crate) use on_every_database;

/// Runs each test on every kind of log.
macro_rules! on_every_log {
    ($($test:ident),* $(,)?) => {
        crate::on_every_database!($($test),*);
        mod memory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(crate::test_database::memory().await).await;
            })*
        }
    };
}
pub(crate) use on_every_log;

/// The game with this number. Higher numbers are younger.
fn game(number: u8) -> GameId {
    GameId::new(1_700_000_000_000 + i64::from(number), [number; 10])
}

fn listing(phase: GamePhase, seats: &[Option<i64>]) -> Listing {
    Listing {
        phase,
        public: true,
        rules: "3x3".into(),
        league: None,
        rated: false,
        aborted: false,
        seats: seats.iter().map(|seat| seat.map(IdentityId)).collect(),
        detail: String::new(),
    }
}

/// An append to a game that has `expected` events.
fn after(game: GameId, expected: u64, events: &[&str]) -> Append {
    Append {
        game,
        expected,
        events: events.iter().map(ToString::to_string).collect(),
        at: 1000 + expected as i64,
        due: None,
        key: None,
        key_is_fresh: false,
        listing: (expected == 0).then(|| Box::new(listing(GamePhase::Live, &[Some(1), Some(2)]))),
        result: None,
    }
}

fn with_key(append: Append, sender: i64, key: &str) -> Append {
    Append {
        key: Some(CommandKey {
            sender: IdentityId(sender),
            key: IdempotencyKey::new(key).unwrap(),
        }),
        ..append
    }
}

async fn append_all(
    log: &dyn Log,
    appends: impl IntoIterator<Item = Append>,
) -> Vec<Result<Appended, AppendError>> {
    let mut batch = Batch::default();
    for append in appends {
        batch.push(append).unwrap();
    }
    log.append(&batch).await.unwrap()
}

async fn append(log: &dyn Log, append: Append) -> Result<Appended, AppendError> {
    append_all(log, [append]).await.remove(0)
}

fn at(first: u64, last: u64) -> Appended {
    Appended { first, last, repeated: false }
}

async fn bodies(database: &TestDatabase, game: GameId) -> Vec<String> {
    let events = database.log.events(game, 0, 10_000).await.unwrap();
    let numbers: Vec<u64> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>(), "no gaps");
    events.into_iter().map(|event| event.body).collect()
}

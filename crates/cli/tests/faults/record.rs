//! What clients were told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;
use tokio::sync::Notify;

/// What all clients of a test were told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    told: Mutex<Told>,
    more: Notify,
}

#[derive(Debug, Default)]
struct Told {
    games: BTreeMap<String, GameRecord>,
    unavailable: usize,
}

/// What the clients of a game were told.
#[derive(Debug, Clone, Default)]
pub(crate) struct GameRecord {
    /// Events, as often as they were told.
    pub(crate) events: Vec<Value>,
    /// Commands that were acknowledged.
    pub(crate) done: Vec<Done>,
}

/// A move that was acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) key: String,
    pub(crate) cell: String,
    /// The sequence number that the server gave it.
    pub(crate) seq: u64,
}

impl Record {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.told.lock().unwrap()
    }

    pub(crate) fn event(&self, game: &str, event: Value) {
        self.told().games.entry(game.into()).or_default().events.push(event);
    }

    pub(crate) fn done(&self, game: &str, done: Done) {
        self.told().games.entry(game.into()).or_default().done.push(done);
        self.0.more.notify_waiters();
    }

    /// Somebody was told that the game can't be reached.
    pub(crate) fn unavailable(&self) {
        self.told().unavailable += 1;
        self.0.more.notify_waiters();
    }

    pub(crate) fn games(&self) -> BTreeMap<String, GameRecord> {
        self.told().games.clone()
    }

    /// How many moves were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> usize {
        self.told().games.values().map(|game| game.done.len()).sum()
    }

    /// Waits until so many moves were acknowledged.
    pub(crate) async fn until_acknowledged(&self, moves: usize) {
        self.until(|record| record.acknowledged() >= moves).await;
    }

    /// Waits until somebody was told so often that a game can't be reached.
    pub(crate) async fn until_unavailable(&self, times: usize) {
        self.until(|record| record.told().unavailable >= times).await;
    }

    async fn until(&self, enough: impl Fn(&Record) -> bool) {
        loop {
            let more = self.0.more.notified();
            tokio::pin!(more);
            more.as_mut().enable();
            if enough(self) {
                return;
            }
            more.await;
        }
    }
}

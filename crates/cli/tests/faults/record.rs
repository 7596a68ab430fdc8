//! What clients were told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// What all clients of a test were told, by game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record(Arc<Mutex<BTreeMap<String, GameRecord>>>);

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
    pub(crate) fn event(&self, game: &str, event: Value) {
        self.0.lock().unwrap().entry(game.into()).or_default().events.push(event);
    }

    pub(crate) fn done(&self, game: &str, done: Done) {
        self.0.lock().unwrap().entry(game.into()).or_default().done.push(done);
    }

    pub(crate) fn games(&self) -> BTreeMap<String, GameRecord> {
        self.0.lock().unwrap().clone()
    }

    /// How many moves were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> usize {
        self.0.lock().unwrap().values().map(|game| game.done.len()).sum()
    }
}

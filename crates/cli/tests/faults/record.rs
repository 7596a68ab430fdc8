//! What clients have received.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use noughts_api::{GameUpdate, IdempotencyKey};
use noughts_rules::Cell;
use tokio::sync::Notify;

/// What all clients of a test have received.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Received>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Received {
    games: BTreeMap<String, GameRecord>,
    unavailable: usize,
}

/// What the clients of a game have received.
#[derive(Debug, Clone, Default)]
pub(crate) struct GameRecord {
    /// Updates, as often as they came.
    pub(crate) updates: Vec<GameUpdate>,
    pub(crate) accepted: Vec<AcceptedMove>,
}

/// A move the server has accepted.
#[derive(Debug, Clone)]
pub(crate) struct AcceptedMove {
    pub(crate) key: IdempotencyKey,
    pub(crate) cell: Cell,
    /// The sequence number of the acknowledgement.
    pub(crate) seq: u32,
}

impl Record {
    fn received(&self) -> MutexGuard<'_, Received> {
        self.0.received.lock().unwrap()
    }

    pub(crate) fn update(&self, game: &str, update: GameUpdate) {
        self.received().games.entry(game.into()).or_default().updates.push(update);
    }

    pub(crate) fn accept(&self, game: &str, accepted: AcceptedMove) {
        self.received().games.entry(game.into()).or_default().accepted.push(accepted);
        self.0.changed.notify_waiters();
    }

    /// A client got the error `unavailable`.
    pub(crate) fn unavailable(&self) {
        self.received().unavailable += 1;
        self.0.changed.notify_waiters();
    }

    pub(crate) fn games(&self) -> BTreeMap<String, GameRecord> {
        self.received().games.clone()
    }

    /// How many moves were accepted so far.
    pub(crate) fn acknowledged(&self) -> usize {
        self.received().games.values().map(|game| game.accepted.len()).sum()
    }

    /// Waits until this many moves were accepted.
    pub(crate) async fn until_acknowledged(&self, moves: usize) {
        self.until(|record| record.acknowledged() >= moves).await;
    }

    /// Waits until clients got this many errors `unavailable`.
    pub(crate) async fn until_unavailable(&self, times: usize) {
        self.until(|record| record.received().unavailable >= times).await;
    }

    async fn until(&self, is_enough: impl Fn(&Record) -> bool) {
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if is_enough(self) {
                return;
            }
            changed.await;
        }
    }
}

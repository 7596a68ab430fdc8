//! What the server told the clients of a test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use noughts_api::{CommandRequest, GameId, GameUpdate};
use tokio::sync::Notify;

/// What the server told all clients of a test.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Received>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Received {
    games: BTreeMap<GameId, GameRecord>,
    unavailable: usize,
}

/// What the clients of one game received.
#[derive(Debug, Clone, Default)]
pub(crate) struct GameRecord {
    /// Updates, as often as they were received.
    pub(crate) updates: Vec<GameUpdate>,
    pub(crate) acknowledged: Vec<Acknowledged>,
}

/// An acknowledged command.
#[derive(Debug, Clone)]
pub(crate) struct Acknowledged {
    pub(crate) request: CommandRequest,
    /// The sequence number right after the command.
    pub(crate) seq: u32,
}

impl Record {
    fn received(&self) -> MutexGuard<'_, Received> {
        self.0.received.lock().unwrap()
    }

    pub(crate) fn update(&self, game: GameId, update: GameUpdate) {
        self.received().games.entry(game).or_default().updates.push(update);
    }

    pub(crate) fn acknowledged(&self, game: GameId, acknowledged: Acknowledged) {
        self.received().games.entry(game).or_default().acknowledged.push(acknowledged);
        self.0.changed.notify_waiters();
    }

    /// Counts a reply that the game is unavailable.
    pub(crate) fn unavailable(&self) {
        self.received().unavailable += 1;
        self.0.changed.notify_waiters();
    }

    pub(crate) fn games(&self) -> BTreeMap<GameId, GameRecord> {
        self.received().games.clone()
    }

    /// The number of acknowledged moves.
    pub(crate) fn moves(&self) -> usize {
        self.received().games.values().map(|game| game.acknowledged.len()).sum()
    }

    pub(crate) async fn until_moves(&self, moves: usize) {
        self.until(|record| record.moves() >= moves).await;
    }

    pub(crate) async fn until_unavailable(&self, times: usize) {
        self.until(|record| record.received().unavailable >= times).await;
    }

    async fn until(&self, condition: impl Fn(&Record) -> bool) {
        loop {
            let changed = self.0.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if condition(self) {
                return;
            }
            changed.await;
        }
    }
}

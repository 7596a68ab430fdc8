//! What servers told the clients of a test.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noughts_api::{CommandRequest, GameId, GameUpdate};
use tokio::sync::Notify;

/// What servers told all clients of a test. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Record(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    received: Mutex<Received>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Received {
    games: BTreeMap<GameId, GameRecord>,
    /// When each command was acknowledged.
    acknowledged_at: Vec<Instant>,
    unavailable: usize,
}

/// What the clients of one game received.
#[derive(Debug, Clone, Default)]
pub struct GameRecord {
    /// Updates, as often as they were received.
    pub updates: Vec<GameUpdate>,
    /// Acknowledgements, as often as they were received.
    pub acknowledged: Vec<Acknowledged>,
}

/// An acknowledged command.
#[derive(Debug, Clone)]
pub struct Acknowledged {
    /// The command.
    pub request: CommandRequest,
    /// The sequence number right after the command.
    pub seq: u32,
}

impl Record {
    fn received(&self) -> MutexGuard<'_, Received> {
        self.0.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that a game exists, so that it is checked even if no update of it ever arrives.
    pub fn game(&self, game: GameId) {
        self.received().games.entry(game).or_default();
    }

    /// Notes an update.
    pub fn update(&self, game: GameId, update: GameUpdate) {
        self.received().games.entry(game).or_default().updates.push(update);
    }

    /// Notes an acknowledgement.
    pub fn acknowledged(&self, game: GameId, acknowledged: Acknowledged) {
        let mut received = self.received();
        received.games.entry(game).or_default().acknowledged.push(acknowledged);
        received.acknowledged_at.push(Instant::now());
        drop(received);
        self.0.changed.notify_waiters();
    }

    /// Counts a reply that the game is unavailable.
    pub fn unavailable(&self) {
        self.received().unavailable += 1;
        self.0.changed.notify_waiters();
    }

    /// What was received, by game.
    #[must_use]
    pub fn games(&self) -> BTreeMap<GameId, GameRecord> {
        self.received().games.clone()
    }

    /// The number of acknowledged commands.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.received().games.values().map(|game| game.acknowledged.len()).sum()
    }

    /// The longest time without an acknowledgement, from the given number of moves on.
    #[must_use]
    pub fn longest_gap(&self, moves: usize) -> Duration {
        let received = self.received();
        let since = received.acknowledged_at.get(moves..).unwrap_or_default();
        since.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }

    /// Waits until this many commands were acknowledged.
    pub async fn until_moves(&self, moves: usize) {
        self.until(|record| record.moves() >= moves).await;
    }

    /// Waits until this many commands were answered as unavailable.
    pub async fn until_unavailable(&self, times: usize) {
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

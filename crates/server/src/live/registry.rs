//! Which games have a running task, and how messages reach them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_api::GameId;
use tokio::sync::mpsc;

use super::message::GameMessage;

/// Messages that wait for a game's task. Senders wait for room.
const INBOX_CAPACITY: usize = 32;

/// Shards keep games from waiting for each other's lock.
const SHARDS: usize = 16;

/// The inboxes of all running tasks.
#[derive(Default)]
pub(super) struct Registry {
    shards: [Mutex<HashMap<GameId, mpsc::Sender<GameMessage>>>; SHARDS],
}

impl Registry {
    fn shard(&self, game: GameId) -> MutexGuard<'_, HashMap<GameId, mpsc::Sender<GameMessage>>> {
        // The last bytes of an id are random.
        let shard = &self.shards[usize::from(game.as_bytes()[15]) % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The inbox of a game. Also returns its receiving end if the game has no running task: the
    /// caller starts one.
    pub(super) fn inbox(
        &self,
        game: GameId,
    ) -> (mpsc::Sender<GameMessage>, Option<mpsc::Receiver<GameMessage>>) {
        match self.shard(game).entry(game) {
            Entry::Occupied(entry) if !entry.get().is_closed() => (entry.get().clone(), None),
            entry => {
                let (sender, receiver) = mpsc::channel(INBOX_CAPACITY);
                entry.insert_entry(sender.clone());
                (sender, Some(receiver))
            }
        }
    }

    /// The inbox of a game that has a running task.
    pub(super) fn running(&self, game: GameId) -> Option<mpsc::Sender<GameMessage>> {
        self.shard(game).get(&game).filter(|inbox| !inbox.is_closed()).cloned()
    }

    /// Closes the inbox of a task that ends. The next message starts another task.
    pub(super) fn close(&self, game: GameId, inbox: &mut mpsc::Receiver<GameMessage>) {
        let mut shard = self.shard(game);
        inbox.close();
        if shard.get(&game).is_some_and(mpsc::Sender::is_closed) {
            shard.remove(&game);
        }
    }

    /// The games with a running task, in order.
    pub(super) fn games(&self) -> Vec<GameId> {
        let games = |shard: &Mutex<HashMap<GameId, _>>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.keys().copied().collect::<Vec<_>>()
        };
        let mut games: Vec<GameId> = self.shards.iter().flat_map(games).collect();
        games.sort_unstable();
        games
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> GameId {
        GameId::from_bytes([7; 16])
    }

    #[tokio::test]
    async fn one_task_reads_an_inbox() {
        let registry = Registry::default();
        assert!(registry.running(game()).is_none());
        let (inbox, receiver) = registry.inbox(game());
        let mut receiver = receiver.expect("no task is running");
        assert!(registry.inbox(game()).1.is_none());
        assert_eq!(registry.games(), [game()]);
        inbox.send(GameMessage::Tick).await.unwrap_or_else(|_| panic!("the inbox is open"));
        registry.close(game(), &mut receiver);
        assert!(matches!(receiver.recv().await, Some(GameMessage::Tick)));
        assert!(receiver.recv().await.is_none());
        assert!(inbox.send(GameMessage::Tick).await.is_err());
    }

    #[tokio::test]
    async fn ending_task_leaves_its_successor_alone() {
        let registry = Registry::default();
        let (_, first) = registry.inbox(game());
        let mut first = first.expect("no task is running");
        first.close();
        let (_, second) = registry.inbox(game());
        let _second = second.expect("the first task is ending");
        registry.close(game(), &mut first);
        assert!(registry.running(game()).is_some());
    }

    #[tokio::test]
    async fn dropped_inbox_is_replaced() {
        let registry = Registry::default();
        drop(registry.inbox(game()));
        assert!(registry.running(game()).is_none());
        assert!(registry.inbox(game()).1.is_some());
    }
}

//! Which games or tournaments have a running task, and how messages reach them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc;

/// Messages that wait for a task. Senders wait for room.
const INBOX_CAPACITY: usize = 32;

/// Shards keep tasks from waiting for each other's lock.
const SHARDS: usize = 16;

type Shard<K, M> = HashMap<K, mpsc::Sender<M>>;

/// The inboxes of all running tasks, by what they own.
pub(crate) struct Registry<K, M> {
    shards: [Mutex<Shard<K, M>>; SHARDS],
}

impl<K, M> Default for Registry<K, M> {
    fn default() -> Registry<K, M> {
        Registry { shards: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl<K: Copy + Ord + Hash, M> Registry<K, M> {
    fn shard(&self, key: K) -> MutexGuard<'_, Shard<K, M>> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        let shard = &self.shards[hasher.finish() as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The inbox of a task. Also returns its receiving end if no such task is running: the caller
    /// starts one.
    pub(crate) fn inbox(&self, key: K) -> (mpsc::Sender<M>, Option<mpsc::Receiver<M>>) {
        match self.shard(key).entry(key) {
            Entry::Occupied(entry) if !entry.get().is_closed() => (entry.get().clone(), None),
            entry => {
                let (sender, receiver) = mpsc::channel(INBOX_CAPACITY);
                entry.insert_entry(sender.clone());
                (sender, Some(receiver))
            }
        }
    }

    /// The inbox of a running task.
    pub(crate) fn running(&self, key: K) -> Option<mpsc::Sender<M>> {
        self.shard(key).get(&key).filter(|inbox| !inbox.is_closed()).cloned()
    }

    /// Closes the inbox of a task that ends. The next message starts another task.
    pub(crate) fn close(&self, key: K, inbox: &mut mpsc::Receiver<M>) {
        let mut shard = self.shard(key);
        inbox.close();
        if shard.get(&key).is_some_and(mpsc::Sender::is_closed) {
            shard.remove(&key);
        }
    }

    /// What has a running task, in order.
    pub(crate) fn keys(&self) -> Vec<K> {
        let keys = |shard: &Mutex<Shard<K, M>>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.keys().copied().collect::<Vec<_>>()
        };
        let mut keys: Vec<K> = self.shards.iter().flat_map(keys).collect();
        keys.sort_unstable();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: u8 = 7;

    #[tokio::test]
    async fn one_task_reads_an_inbox() {
        let registry = Registry::<u8, &str>::default();
        assert!(registry.running(KEY).is_none());
        let (inbox, receiver) = registry.inbox(KEY);
        let mut receiver = receiver.expect("no task is running");
        assert!(registry.inbox(KEY).1.is_none());
        assert_eq!(registry.keys(), [KEY]);
        inbox.send("tick").await.expect("the inbox is open");
        registry.close(KEY, &mut receiver);
        assert_eq!(receiver.recv().await, Some("tick"));
        assert_eq!(receiver.recv().await, None);
        assert!(inbox.send("tick").await.is_err());
    }

    #[tokio::test]
    async fn ending_task_leaves_its_successor_alone() {
        let registry = Registry::<u8, &str>::default();
        let (_, first) = registry.inbox(KEY);
        let mut first = first.expect("no task is running");
        first.close();
        let (_, second) = registry.inbox(KEY);
        let _second = second.expect("the first task is ending");
        registry.close(KEY, &mut first);
        assert!(registry.running(KEY).is_some());
    }

    #[tokio::test]
    async fn dropped_inbox_is_replaced() {
        let registry = Registry::<u8, &str>::default();
        drop(registry.inbox(KEY));
        assert!(registry.running(KEY).is_none());
        assert!(registry.inbox(KEY).1.is_some());
    }
}

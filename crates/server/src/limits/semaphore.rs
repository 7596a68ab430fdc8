//! A counting semaphore for every key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the permits that each key holds.
pub(crate) struct KeyedSemaphore<K> {
    held: Mutex<HashMap<K, usize>>,
}

impl<K> Default for KeyedSemaphore<K> {
    fn default() -> KeyedSemaphore<K> {
        KeyedSemaphore { held: Mutex::default() }
    }
}

impl<K: Copy + Eq + Hash> KeyedSemaphore<K> {
    /// One more permit for a key, unless it holds `max` already.
    pub(crate) fn try_acquire(self: &Arc<Self>, key: K, max: usize) -> Option<Permit<K>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let count = held.entry(key).or_insert(0);
        if *count >= max {
            return None;
        }
        *count += 1;
        Some(Permit { semaphore: self.clone(), key })
    }

    /// The number of permits that a key holds.
    pub(crate) fn held(&self, key: K) -> usize {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.get(&key).copied().unwrap_or(0)
    }
}

/// Counts for its key until it is dropped.
#[must_use = "dropping a permit releases it"]
pub(crate) struct Permit<K: Copy + Eq + Hash> {
    semaphore: Arc<KeyedSemaphore<K>>,
    pub(crate) key: K,
}

impl<K: Copy + Eq + Hash> Drop for Permit<K> {
    fn drop(&mut self) {
        let mut held = self.semaphore.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                held.remove(&self.key);
            }
        }
    }
}

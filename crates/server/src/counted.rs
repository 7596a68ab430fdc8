//! How many of something everybody has at a time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// How many of something are there, by whose they are.
pub(crate) struct Counts<K> {
    there: Mutex<HashMap<K, usize>>,
}

impl<K> Default for Counts<K> {
    fn default() -> Counts<K> {
        Counts { there: Mutex::default() }
    }
}

impl<K: Copy + Eq + Hash> Counts<K> {
    /// One more, unless there are as many as may be.
    pub(crate) fn count(self: &Arc<Self>, whose: K, most: usize) -> Option<Counted<K>> {
        let mut there = self.there.lock().unwrap_or_else(PoisonError::into_inner);
        let count = there.entry(whose).or_insert(0);
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { among: self.clone(), whose })
    }

    /// How many are somebody's.
    pub(crate) fn of(&self, whose: K) -> usize {
        let there = self.there.lock().unwrap_or_else(PoisonError::into_inner);
        there.get(&whose).copied().unwrap_or(0)
    }
}

/// Something that is counted as long as it is there.
#[must_use = "it is not counted any more once it is dropped"]
pub(crate) struct Counted<K: Copy + Eq + Hash> {
    among: Arc<Counts<K>>,
    /// Whose it is.
    pub(crate) whose: K,
}

impl<K: Copy + Eq + Hash> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut there = self.among.there.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = there.get_mut(&self.whose) {
            *count -= 1;
            if *count == 0 {
                there.remove(&self.whose);
            }
        }
    }
}

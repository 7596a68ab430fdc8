//! What was read from the store and is wanted again.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// When so much is known, all is forgotten.
const MOST: usize = 20_000;

/// What was read before, by key. Whoever changes something has it forgotten.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    /// Held for moments only: nobody reads while holding it.
    state: Mutex<State<K, V>>,
}

#[derive(Debug)]
struct State<K, V> {
    known: HashMap<K, V>,
    /// How often something was forgotten: what was read before that may be what was forgotten.
    forgotten: u64,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Cache<K, V> {
        Cache { state: Mutex::new(State { known: HashMap::new(), forgotten: 0 }) }
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    fn state(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a key. Otherwise it is read, and known from then on, unless something was
    /// forgotten in the meantime.
    pub(crate) async fn get<E>(
        &self,
        key: K,
        read: impl Future<Output = Result<Option<V>, E>>,
    ) -> Result<Option<V>, E> {
        let forgotten = {
            let state = self.state();
            if let Some(known) = state.known.get(&key) {
                return Ok(Some(known.clone()));
            }
            state.forgotten
        };
        let found = read.await?;
        if let Some(value) = &found {
            let mut state = self.state();
            if state.forgotten == forgotten {
                if state.known.len() >= MOST {
                    state.known.clear();
                }
                state.known.insert(key, value.clone());
            }
        }
        Ok(found)
    }

    /// Whether a key is known.
    pub(crate) fn contains(&self, key: &K) -> bool {
        self.state().known.contains_key(key)
    }

    /// Forgets what may have changed.
    pub(crate) fn invalidate(&self, may_have_changed: impl Fn(&K, &V) -> bool) {
        let mut state = self.state();
        state.forgotten += 1;
        state.known.retain(|key, value| !may_have_changed(key, value));
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    async fn get(cache: &Cache<usize, u8>, key: usize, value: Option<u8>) -> Option<u8> {
        let read = async { Ok::<_, Infallible>(value) };
        cache.get(key, read).await.unwrap()
    }

    #[tokio::test]
    async fn what_is_known_is_not_read_again_until_it_is_forgotten() {
        let cache = Cache::default();
        assert_eq!(get(&cache, 1, None).await, None);
        assert_eq!(get(&cache, 1, Some(10)).await, Some(10));
        assert_eq!(get(&cache, 1, Some(11)).await, Some(10));
        assert_eq!(get(&cache, 2, Some(20)).await, Some(20));
        cache.invalidate(|key, _| *key == 1);
        assert_eq!((cache.contains(&1), cache.contains(&2)), (false, true));
        assert_eq!(get(&cache, 1, Some(11)).await, Some(11));
        cache.invalidate(|_, _| true);
        assert_eq!((cache.contains(&1), cache.contains(&2)), (false, false));
    }

    #[tokio::test]
    async fn what_was_read_before_the_forgetting_is_not_remembered() {
        let cache = Cache::default();
        let read = async {
            // The store has answered, and before that is remembered it changes.
            cache.invalidate(|key, _| *key == 1);
            Ok::<_, Infallible>(Some(10))
        };
        assert_eq!(cache.get(1, read).await, Ok(Some(10)));
        assert!(!cache.contains(&1));
        assert_eq!(get(&cache, 1, Some(11)).await, Some(11));
    }

    #[tokio::test]
    async fn what_is_known_is_bounded() {
        let cache = Cache::default();
        for key in 0..=MOST {
            get(&cache, key, Some(0)).await;
        }
        assert_eq!(cache.state().known.len(), 1);
    }
}

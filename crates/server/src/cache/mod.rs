//! Bounded caches of rows read from the store and of parsed rules.

use std::convert::Infallible;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_rules::{ParseRulesError, Rules};
use quick_cache::{Weighter, sync, unsync};

const MAX_CACHED_ROWS: usize = 20_000;

/// Rules with their tables take about 100 kB, and more with long lists of lines.
const MAX_CACHED_RULES_BYTES: usize = 32 << 20;

/// How many rules the cache reserves room for.
const EXPECTED_RULES: usize = 256;

/// Caches what was read from the store. Code that changes a row invalidates it.
pub(crate) struct Cache<K, V> {
    /// Never held while reading from the store.
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    entries: unsync::Cache<K, V>,
    /// Counts invalidations: a value read before the latest one may be stale.
    generation: u64,
}

impl<K: Eq + Hash, V> Default for Cache<K, V> {
    fn default() -> Cache<K, V> {
        let entries = unsync::Cache::new(MAX_CACHED_ROWS);
        Cache { state: Mutex::new(State { entries, generation: 0 }) }
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    fn state(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached value, or else the one that `read` finds. That one is cached unless the cache was
    /// invalidated in the meantime.
    pub(crate) async fn get<E>(
        &self,
        key: K,
        read: impl Future<Output = Result<Option<V>, E>>,
    ) -> Result<Option<V>, E> {
        let generation = {
            let state = self.state();
            if let Some(value) = state.entries.get(&key) {
                return Ok(Some(value.clone()));
            }
            state.generation
        };
        let found = read.await?;
        if let Some(value) = &found {
            let mut state = self.state();
            if state.generation == generation {
                state.entries.insert(key, value.clone());
            }
        }
        Ok(found)
    }

    /// The cached value.
    pub(crate) fn peek(&self, key: &K) -> Option<V> {
        self.state().entries.get(key).cloned()
    }

    pub(crate) fn contains(&self, key: &K) -> bool {
        self.state().entries.contains_key(key)
    }

    /// Changes a cached value, if there is one.
    pub(crate) fn update(&self, key: &K, change: impl FnOnce(&mut V)) {
        if let Some(mut value) = self.state().entries.get_mut(key) {
            change(&mut value);
        }
    }

    pub(crate) fn invalidate(&self, is_stale: impl Fn(&K, &V) -> bool) {
        let mut state = self.state();
        state.generation += 1;
        state.entries.retain(|key, value| !is_stale(key, value));
    }
}

/// Shares one value, whose tables are large, among all games with the same rules.
pub(crate) struct RulesCache(sync::Cache<String, Rules, RulesWeighter>);

/// Weighs entries in bytes.
#[derive(Clone)]
struct RulesWeighter;

impl Weighter<String, Rules> for RulesWeighter {
    fn weight(&self, text: &String, rules: &Rules) -> u64 {
        (text.len() + rules.memory_bytes()) as u64
    }
}

impl Default for RulesCache {
    fn default() -> RulesCache {
        let capacity = MAX_CACHED_RULES_BYTES as u64;
        RulesCache(sync::Cache::with_weighter(EXPECTED_RULES, capacity, RulesWeighter))
    }
}

impl RulesCache {
    /// Parses rules, or finds the ones parsed before.
    pub(crate) fn get(&self, text: &str) -> Result<Rules, ParseRulesError> {
        if let Some(rules) = self.0.get(text) {
            return Ok(rules);
        }
        let rules: Rules = text.parse()?;
        let canonical = rules.to_string();
        let Ok(shared) = self.0.get_or_insert_with(&canonical, || Ok::<_, Infallible>(rules));
        Ok(shared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(cache: &Cache<usize, u8>, key: usize, value: Option<u8>) -> Option<u8> {
        let read = async { Ok::<_, Infallible>(value) };
        cache.get(key, read).await.unwrap()
    }

    #[tokio::test]
    async fn cached_until_invalidated() {
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
    async fn read_overtaken_by_invalidation_is_not_cached() {
        let cache = Cache::default();
        let read = async {
            cache.invalidate(|key, _| *key == 1);
            Ok::<_, Infallible>(Some(10))
        };
        assert_eq!(cache.get(1, read).await, Ok(Some(10)));
        assert!(!cache.contains(&1));
        assert_eq!(get(&cache, 1, Some(11)).await, Some(11));
    }

    #[tokio::test]
    async fn full_cache_evicts_single_entries() {
        let cache = Cache::default();
        for key in 0..=MAX_CACHED_ROWS {
            get(&cache, key, Some(0)).await;
        }
        let len = cache.state().entries.len();
        assert!((MAX_CACHED_ROWS / 2..=MAX_CACHED_ROWS).contains(&len), "{len}");
    }

    #[test]
    fn rules_are_shared_and_bounded() {
        let cache = RulesCache::default();
        for text in ["3x3", "classic", "3x3:3", "3X3"] {
            assert_eq!(cache.get(text).unwrap().to_string(), "3x3");
        }
        assert_eq!(cache.0.len(), 1);
        assert!(cache.get("rubbish").is_err());
        for rows in 1..=26 {
            for cols in 1..=26 {
                cache.get(&format!("{rows}x{cols}")).unwrap();
            }
        }
        assert!((64..676).contains(&cache.0.len()), "{}", cache.0.len());
        assert!(cache.0.weight() <= MAX_CACHED_RULES_BYTES as u64);
    }
}

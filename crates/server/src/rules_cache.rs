//! One value for all games of the same rules, because the tables in it are large.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use noughts_rules::{ParseRulesError, Rules};

/// When so many rules are known, all are forgotten: games keep the ones they use.
const MOST: usize = 512;

/// Rules by their text.
#[derive(Debug, Default)]
pub(crate) struct RulesCache {
    known: Mutex<HashMap<String, Rules>>,
}

impl RulesCache {
    /// The rules that a text stands for.
    pub(crate) fn get(&self, text: &str) -> Result<Rules, ParseRulesError> {
        let known = |cache: &RulesCache| {
            cache.known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
        };
        if let Some(rules) = known(self) {
            return Ok(rules);
        }
        let rules: Rules = text.parse()?;
        let canonical = rules.to_string();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        Ok(known.entry(canonical).or_insert(rules).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_texts_of_one_game_share_its_rules() {
        let cache = RulesCache::default();
        for text in ["3x3", "classic", "3x3:3", "3X3"] {
            assert_eq!(cache.get(text).unwrap().to_string(), "3x3");
        }
        assert_eq!(cache.known.lock().unwrap().len(), 1);
        assert!(cache.get("rubbish").is_err());
        for rows in 1..=26 {
            for cols in 1..=26 {
                cache.get(&format!("{rows}x{cols}")).unwrap();
            }
        }
        assert!(cache.known.lock().unwrap().len() <= MOST);
    }
}

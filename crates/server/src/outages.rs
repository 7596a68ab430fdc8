//! When no server was there: that time is nobody's.

use std::sync::{Mutex, PoisonError};

use crate::game::Millis;

/// The outages that matter to games which may still be played.
#[derive(Debug, Default)]
pub(crate) struct Outages {
    /// From when until when.
    known: Mutex<Vec<(Millis, Millis)>>,
}

impl Outages {
    /// How long no server was there after a time at which one was.
    pub(crate) fn since(&self, at: Millis) -> i64 {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|(from, to)| (to - (*from).max(at)).max(0)).sum()
    }

    pub(crate) fn learn(&self, outages: Vec<(Millis, Millis)>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = outages;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_count_from_when_a_game_was_last_touched() {
        let outages = Outages::default();
        assert_eq!(outages.since(0), 0);
        outages.learn(vec![(100, 200), (500, 510)]);
        let since = [0, 100, 199, 300, 510].map(|at| outages.since(at));
        assert_eq!(since, [110, 110, 11, 10, 0]);
    }
}

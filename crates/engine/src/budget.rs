//! How much a search may spend, and counting it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a strategy may spend on one move. What is not limited is unlimited.
///
/// A budget of nodes alone makes a seeded strategy repeatable; time and the stop flag depend on
/// the machine and on others.
///
/// ```
/// use std::time::Duration;
/// use noughts_engine::Budget;
///
/// let budget = Budget::unlimited().with_time(Duration::from_millis(500)).with_nodes(1_000_000);
/// assert_eq!(budget.nodes(), Some(1_000_000));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Budget {
    time: Option<Duration>,
    nodes: Option<u64>,
    stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// No limit at all.
    #[must_use]
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// So many positions at most.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..self }
    }

    /// So much time at most, counted from when the search begins.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Budget {
        Budget { time: Some(time), ..self }
    }

    /// The search ends soon after someone sets the flag.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Budget {
        Budget { stop: Some(stop), ..self }
    }

    /// The most positions that may be visited.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The longest that the search may take.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }
}

/// The budget ran out before the answer was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out before the answer was known")]
pub struct OutOfBudget;

/// Counts what a search spends of its budget.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    nodes: u64,
    most_nodes: u64,
    /// The clock is read and the flag looked at when the count gets here: they cost more than
    /// a node does.
    next_look: u64,
    deadline: Option<Instant>,
    stop: Option<Arc<AtomicBool>>,
}

const NODES_BETWEEN_LOOKS: u64 = 1 << 10;

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Meter {
        let most_nodes = budget.nodes.unwrap_or(u64::MAX);
        Meter {
            nodes: 0,
            most_nodes,
            next_look: 0,
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
            stop: budget.stop.clone(),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many nodes are left, if that is limited.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.most_nodes - self.nodes
    }

    /// Visits a node, or refuses to.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), OutOfBudget> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn look(&mut self) -> Result<(), OutOfBudget> {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late || self.nodes >= self.most_nodes {
            return Err(OutOfBudget);
        }
        self.next_look = self.most_nodes.min(self.nodes + NODES_BETWEEN_LOOKS);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(budget: &Budget) -> u64 {
        let mut meter = Meter::new(budget);
        (0..10_000).take_while(|_| meter.spend().is_ok()).count() as u64
    }

    #[test]
    fn nodes_are_kept_exactly() {
        for nodes in [0, 1, 1023, 1024, 1025, 5000] {
            assert_eq!(spent(&Budget::unlimited().with_nodes(nodes)), nodes);
        }
    }

    #[test]
    fn no_time_and_a_set_flag_stop_at_once() {
        assert_eq!(spent(&Budget::unlimited().with_time(Duration::ZERO)), 0);
        let set = Arc::new(AtomicBool::new(true));
        assert_eq!(spent(&Budget::unlimited().with_stop(set)), 0);
        assert_eq!(spent(&Budget::unlimited()), 10_000);
    }
}

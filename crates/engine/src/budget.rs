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
    /// Those beside the one that asks.
    helpers: usize,
    memory: Option<u64>,
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

    /// No more time than one move may take of a clock that has so much left, to which a move adds so
    /// much: a part of what is left, so that there is some for many more moves, and most of what the
    /// move brings.
    ///
    /// ```
    /// use std::time::Duration;
    /// use noughts_engine::Budget;
    ///
    /// let minute = Duration::from_secs(60);
    /// let budget = Budget::unlimited().with_clock(minute, Duration::from_secs(2));
    /// assert_eq!(budget.time(), Some(Duration::from_millis(3_900)));
    /// let hasty = Budget::unlimited().with_clock(Duration::from_secs(1), minute);
    /// assert_eq!(hasty.time(), Some(Duration::from_millis(250)));
    /// ```
    #[must_use]
    pub fn with_clock(self, left: Duration, increment: Duration) -> Budget {
        let most = (left / 25 + increment * 3 / 4).min(left / 4);
        let time = self.time.map_or(most, |time| time.min(most));
        self.with_time(time)
    }

    /// The search ends soon after someone sets the flag.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Budget {
        Budget { stop: Some(stop), ..self }
    }

    /// So many threads at once, at least one, where a search knows how to share its work. They
    /// share the nodes too. With more than one thread nothing is repeatable.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Budget {
        Budget { helpers: threads.saturating_sub(1), ..self }
    }

    /// How many threads may search at once.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.helpers + 1
    }

    /// About so many bytes at most for what a search remembers.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Budget {
        Budget { memory: Some(bytes), ..self }
    }

    /// The most places of a table, each of so many bytes, that the budget has room for, of no more
    /// than asked for; a power of two. Half of the memory is left to everything else.
    pub(crate) fn places(&self, most: u64, bytes: u64) -> u64 {
        let room = self.memory.map_or(most, |memory| (memory / 2 / bytes).clamp(1, most));
        1 << room.ilog2()
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

    /// Whether someone has set the stop flag.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// What is left of the budget after so many nodes since a moment.
    pub(crate) fn left(&self, since: Instant, nodes: u64) -> Budget {
        Budget {
            time: self.time.map(|time| time.saturating_sub(since.elapsed())),
            nodes: self.nodes.map(|all| all.saturating_sub(nodes)),
            ..self.clone()
        }
    }

    /// A budget with a part, from 0 to 1, of the limits of this one.
    pub(crate) fn share(&self, part: f64) -> Budget {
        Budget {
            time: self.time.map(|time| time.mul_f64(part)),
            nodes: self.nodes.map(|nodes| (nodes as f64 * part) as u64),
            ..self.clone()
        }
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
    /// The clock is read and the flag looked at when the count gets here: they cost more than
    /// a node does.
    next_look: u64,
    limits: Limits,
    stop: Option<Arc<AtomicBool>>,
}

#[derive(Debug, Clone, Copy)]
struct Limits {
    nodes: u64,
    deadline: Option<Instant>,
}

const NODES_BETWEEN_LOOKS: u64 = 1 << 10;

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Meter {
        let limits = Limits {
            nodes: budget.nodes.unwrap_or(u64::MAX),
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
        };
        Meter { nodes: 0, next_look: 0, limits, stop: budget.stop.clone() }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Leaves only one of so many equal parts of what is left. Answers with what brings back the
    /// whole.
    pub(crate) fn begin_part(&mut self, parts: usize) -> Part {
        let parts = parts.max(1);
        let whole = self.limits;
        if whole.nodes < u64::MAX {
            self.limits.nodes = self.nodes + self.nodes_left() / parts as u64;
        }
        let now = Instant::now();
        self.limits.deadline = whole.deadline.map(|deadline| {
            now + deadline.saturating_duration_since(now) / u32::try_from(parts).unwrap_or(u32::MAX)
        });
        self.next_look = self.nodes;
        Part { whole }
    }

    pub(crate) fn end_part(&mut self, part: Part) {
        self.limits = part.whole;
        self.next_look = self.nodes;
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

    /// How many nodes may still be visited.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.nodes)
    }

    /// Counts nodes that were visited elsewhere, be they too many.
    #[inline]
    pub(crate) fn charge(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    #[cold]
    fn look(&mut self) -> Result<(), OutOfBudget> {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late || self.nodes >= self.limits.nodes {
            return Err(OutOfBudget);
        }
        self.next_look = self.limits.nodes.min(self.nodes + NODES_BETWEEN_LOOKS);
        Ok(())
    }
}

/// The limits from before a part was begun.
#[derive(Debug)]
#[must_use]
pub(crate) struct Part {
    whole: Limits,
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
    fn tables_fit_into_half_of_the_memory() {
        let places = |budget: Budget| budget.places(1 << 20, 16);
        assert_eq!(places(Budget::unlimited()), 1 << 20);
        assert_eq!(places(Budget::unlimited().with_memory(1 << 20)), 1 << 15);
        assert_eq!(places(Budget::unlimited().with_memory(3 << 20)), 1 << 16);
        assert_eq!(places(Budget::unlimited().with_memory(0)), 1);
    }

    #[test]
    fn a_part_is_a_share_of_what_is_left() {
        let mut meter = Meter::new(&Budget::unlimited().with_nodes(100));
        let mut spend_part = |parts| {
            let part = meter.begin_part(parts);
            let before = meter.nodes();
            while meter.spend().is_ok() {}
            meter.end_part(part);
            meter.nodes() - before
        };
        assert_eq!([spend_part(4), spend_part(3), spend_part(1), spend_part(1)], [25, 25, 50, 0]);
    }

    #[test]
    fn what_was_spent_elsewhere_counts() {
        let mut meter = Meter::new(&Budget::unlimited().with_nodes(100));
        meter.charge(150);
        assert_eq!(meter.nodes_left(), 0);
        let part = meter.begin_part(4);
        assert!(meter.spend().is_err());
        meter.end_part(part);
        assert!(meter.spend().is_err());
    }

    #[test]
    fn no_time_and_a_set_flag_stop_at_once() {
        assert_eq!(spent(&Budget::unlimited().with_time(Duration::ZERO)), 0);
        let set = Arc::new(AtomicBool::new(true));
        assert_eq!(spent(&Budget::unlimited().with_stop(set)), 0);
        assert_eq!(spent(&Budget::unlimited()), 10_000);
    }
}

//! Search budgets and their accounting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limits of one search. Anything not limited is unlimited.
///
/// With a node limit alone, a seeded strategy is deterministic; time and the stop flag are not.
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
    /// Threads beside the caller's.
    helpers: usize,
    memory: Option<u64>,
    clock: Option<ClockLimit>,
    counter: Option<Arc<AtomicU64>>,
}

/// The limits of a move on a clock.
#[derive(Debug, Clone, Copy)]
struct ClockLimit {
    left: Duration,
    /// The limit of the move without the clock.
    turn: Option<Duration>,
}

impl Budget {
    /// No limits.
    #[must_use]
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// Limits the number of positions visited.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..self }
    }

    /// Limits the time, counted from the start of the search.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Budget {
        Budget { time: Some(time), ..self }
    }

    /// Limits the time to a sensible share of a chess clock: a fraction of the time left plus most
    /// of the increment.
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
        let share = (left / 25 + increment * 3 / 4).min(left / 4);
        let time = self.time.map_or(share, |time| time.min(share));
        let clock = Some(ClockLimit { left, turn: self.time });
        Budget { clock, ..self.with_time(time) }
    }

    /// Adds the nodes of every search with this budget to a counter, when the search ends.
    #[must_use]
    pub fn with_node_counter(self, counter: Arc<AtomicU64>) -> Budget {
        Budget { counter: Some(counter), ..self }
    }

    /// Ends the search soon after the flag is set.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Budget {
        Budget { stop: Some(stop), ..self }
    }

    /// Lets searches that support it run on this many threads, at least one, which share the node
    /// limit. More than one thread makes a search nondeterministic.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Budget {
        Budget { helpers: threads.saturating_sub(1), ..self }
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.helpers + 1
    }

    /// Limits the approximate size of the search's tables, in bytes.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Budget {
        Budget { memory: Some(bytes), ..self }
    }

    /// The number of slots for a table, a power of two: at most `max_slots`, and within half of
    /// the memory limit.
    pub(crate) fn table_slots(&self, max_slots: u64, slot_bytes: u64) -> u64 {
        let slots =
            self.memory.map_or(max_slots, |memory| (memory / 2 / slot_bytes).clamp(1, max_slots));
        1 << slots.ilog2()
    }

    /// The node limit.
    #[must_use]
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The time limit.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The time left on the clock, if there is one.
    #[must_use]
    pub fn clock_left(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.left)
    }

    /// The time after which a move is late. On a clock it is longer than [`time`](Budget::time): a
    /// player may divide its time in another way.
    ///
    /// ```
    /// use std::time::Duration;
    /// use noughts_engine::Budget;
    ///
    /// let minute = Duration::from_secs(60);
    /// let budget = Budget::unlimited().with_clock(minute, Duration::ZERO);
    /// assert_eq!(budget.move_limit(), Some(minute));
    /// let second = Duration::from_secs(1);
    /// let budget = Budget::unlimited().with_time(second).with_clock(minute, Duration::ZERO);
    /// assert_eq!(budget.move_limit(), Some(second));
    /// ```
    #[must_use]
    pub fn move_limit(&self) -> Option<Duration> {
        match self.clock {
            Some(ClockLimit { left, turn }) => Some(turn.map_or(left, |turn| turn.min(left))),
            None => self.time,
        }
    }

    /// The node counter, which also takes the nodes that an external engine reports.
    pub(crate) fn count_nodes(&self, nodes: u64) {
        if let Some(counter) = &self.counter {
            counter.fetch_add(nodes, Ordering::Relaxed);
        }
    }

    /// Whether the stop flag is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// This budget, limited to this many nodes if neither nodes nor time are limited.
    pub(crate) fn or_nodes(self, nodes: u64) -> Budget {
        if self.nodes.is_some() || self.time.is_some() { self } else { self.with_nodes(nodes) }
    }

    /// What remains after a search that began at `start` and visited `nodes`.
    pub(crate) fn remaining(&self, start: Instant, nodes: u64) -> Budget {
        Budget {
            time: self.time.map(|time| time.saturating_sub(start.elapsed())),
            nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)),
            ..self.clone()
        }
    }

    /// A fraction, from 0 to 1, of this budget.
    pub(crate) fn share(&self, fraction: f64) -> Budget {
        Budget {
            time: self.time.map(|time| time.mul_f64(fraction)),
            nodes: self.nodes.map(|nodes| (nodes as f64 * fraction) as u64),
            ..self.clone()
        }
    }
}

/// The budget ran out before the answer was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the budget ran out before the answer was known")]
pub struct OutOfBudget;

/// Counts the nodes of a search and enforces its budget.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    nodes: u64,
    /// The node count at which the clock and the stop flag are checked next; a check costs more
    /// than a node.
    next_check: u64,
    check_interval: u64,
    limits: MeterLimits,
    stop: Option<Arc<AtomicBool>>,
    counter: Counter,
}

/// Where a meter reports its nodes when it is dropped. A copy of a meter reports nothing, because its
/// nodes are those of the original.
#[derive(Debug)]
struct Counter(Option<Arc<AtomicU64>>);

impl Clone for Counter {
    fn clone(&self) -> Counter {
        Counter(None)
    }
}

#[derive(Debug, Clone, Copy)]
struct MeterLimits {
    nodes: u64,
    deadline: Option<Instant>,
}

const CHECK_INTERVAL_NODES: u64 = 1 << 10;

impl Meter {
    pub(crate) fn new(budget: &Budget) -> Meter {
        let limits = MeterLimits {
            nodes: budget.nodes.unwrap_or(u64::MAX),
            deadline: budget.time.and_then(|time| Instant::now().checked_add(time)),
        };
        Meter {
            nodes: 0,
            next_check: 0,
            check_interval: CHECK_INTERVAL_NODES,
            limits,
            stop: budget.stop.clone(),
            counter: Counter(budget.counter.clone()),
        }
    }

    /// Checks the clock and the stop flag more or less often.
    pub(crate) fn checking_every(mut self, nodes: u64) -> Meter {
        self.check_interval = nodes;
        self
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Restricts the meter to one of `parts` equal parts of the remaining budget, until
    /// [`end_part`](Meter::end_part).
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
        self.next_check = self.nodes;
        Part { whole }
    }

    pub(crate) fn end_part(&mut self, part: Part) {
        self.limits = part.whole;
        self.next_check = self.nodes;
    }

    /// Counts a node, or fails if the budget is used up.
    #[inline]
    pub(crate) fn spend(&mut self) -> Result<(), OutOfBudget> {
        if self.nodes >= self.next_check {
            self.check()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// The nodes left in the budget.
    pub(crate) fn nodes_left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.nodes)
    }

    /// Adds nodes searched elsewhere, even past the limit.
    #[inline]
    pub(crate) fn charge(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    #[cold]
    fn check(&mut self) -> Result<(), OutOfBudget> {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if stopped || late || self.nodes >= self.limits.nodes {
            return Err(OutOfBudget);
        }
        self.next_check = self.limits.nodes.min(self.nodes + self.check_interval);
        Ok(())
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Counter(Some(counter)) = &self.counter {
            counter.fetch_add(self.nodes, Ordering::Relaxed);
        }
    }
}

/// The limits to restore at the end of a part.
#[derive(Debug)]
#[must_use]
pub(crate) struct Part {
    whole: MeterLimits,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(budget: &Budget) -> u64 {
        let mut meter = Meter::new(budget);
        (0..10_000).take_while(|_| meter.spend().is_ok()).count() as u64
    }

    #[test]
    fn node_limit_is_exact() {
        for nodes in [0, 1, 1023, 1024, 1025, 5000] {
            assert_eq!(spent(&Budget::unlimited().with_nodes(nodes)), nodes);
        }
    }

    #[test]
    fn tables_use_half_the_memory() {
        let slots = |budget: Budget| budget.table_slots(1 << 20, 16);
        assert_eq!(slots(Budget::unlimited()), 1 << 20);
        assert_eq!(slots(Budget::unlimited().with_memory(1 << 20)), 1 << 15);
        assert_eq!(slots(Budget::unlimited().with_memory(3 << 20)), 1 << 16);
        assert_eq!(slots(Budget::unlimited().with_memory(0)), 1);
    }

    #[test]
    fn parts_divide_the_remaining_budget() {
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
    fn meters_report_their_nodes_once() {
        let counter = Arc::new(AtomicU64::new(0));
        let budget = Budget::unlimited().with_nodes(30).with_node_counter(Arc::clone(&counter));
        assert_eq!((spent(&budget), spent(&budget)), (30, 30));
        let mut meter = Meter::new(&budget);
        meter.charge(5);
        drop(meter.clone());
        drop(meter);
        assert_eq!(counter.load(Ordering::Relaxed), 65);
    }

    #[test]
    fn charged_nodes_count() {
        let mut meter = Meter::new(&Budget::unlimited().with_nodes(100));
        meter.charge(150);
        assert_eq!(meter.nodes_left(), 0);
        let part = meter.begin_part(4);
        assert!(meter.spend().is_err());
        meter.end_part(part);
        assert!(meter.spend().is_err());
    }

    #[test]
    fn expired_budget_stops_at_once() {
        assert_eq!(spent(&Budget::unlimited().with_time(Duration::ZERO)), 0);
        let set = Arc::new(AtomicBool::new(true));
        assert_eq!(spent(&Budget::unlimited().with_stop(set)), 0);
        assert_eq!(spent(&Budget::unlimited()), 10_000);
    }
}

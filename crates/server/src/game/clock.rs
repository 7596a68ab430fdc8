//! Clocks: computed from the times of events, so that whoever reads the log reads the clocks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Millis;

/// How much time players have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClockRule {
    /// Milliseconds for the whole game: 1 second to 7 days.
    #[schema(minimum = 1000, maximum = 604_800_000)]
    pub initial_ms: u32,
    /// Milliseconds that each move adds: at most 1 hour.
    #[schema(maximum = 3_600_000)]
    #[serde(default)]
    pub increment_ms: u32,
}

impl ClockRule {
    /// Whether the times are ones that a game can have.
    #[must_use]
    pub fn is_sensible(self) -> bool {
        (1_000..=604_800_000).contains(&self.initial_ms) && self.increment_ms <= 3_600_000
    }
}

/// What is left of everyone's time. Only the clock of the seat to move runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clocks {
    rule: ClockRule,
    /// In seat order, as of the time when the turn began.
    left: Box<[i64]>,
    /// Since when the clock of the seat to move runs; `None` while the game stands.
    since: Option<Millis>,
}

impl Clocks {
    pub(super) fn new(rule: ClockRule, seats: usize) -> Clocks {
        Clocks { rule, left: vec![i64::from(rule.initial_ms); seats].into(), since: None }
    }

    /// The rule by which they run.
    #[must_use]
    pub fn rule(&self) -> ClockRule {
        self.rule
    }

    /// What a seat has left at a time, if it is `turn`'s turn.
    #[must_use]
    pub fn left(&self, seat: usize, turn: Option<usize>, now: Millis) -> i64 {
        let spent = match self.since {
            Some(since) if turn == Some(seat) => (now - since).max(0),
            _ => 0,
        };
        self.left.get(seat).map_or(0, |left| left - spent)
    }

    /// When the seat to move runs out of time.
    #[must_use]
    pub fn deadline(&self, turn: usize) -> Option<Millis> {
        Some(self.since? + self.left.get(turn)?)
    }

    pub(super) fn start(&mut self, at: Millis) {
        self.since = Some(at);
    }

    /// Someone's turn ended: what it took is gone, and a move brings the increment.
    pub(super) fn switch(&mut self, seat: usize, moved: bool, at: Millis) {
        let spent = self.since.map_or(0, |since| (at - since).max(0));
        if let Some(left) = self.left.get_mut(seat) {
            *left = (*left - spent).max(0);
            if moved {
                *left += i64::from(self.rule.increment_ms);
            }
        }
        self.since = Some(at);
    }

    /// A move that is taken back brings nothing. What the seat has spent of that meanwhile it need not
    /// give back: it keeps a moment to move again.
    pub(super) fn take_increment_back(&mut self, seat: usize) {
        const MOMENT: i64 = 1_000;
        if let Some(left) = self.left.get_mut(seat) {
            *left = (*left - i64::from(self.rule.increment_ms)).max(MOMENT.min(*left));
        }
    }

    /// The time of an outage is nobody's.
    pub(super) fn hold(&mut self, millis: i64) {
        if let Some(since) = &mut self.since {
            *since += millis.max(0);
        }
    }

    pub(super) fn stop(&mut self) {
        self.since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_seat_to_move_spends_time_and_a_move_brings_the_increment() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 60_000, increment_ms: 2_000 }, 2);
        assert_eq!(clocks.deadline(0), None);
        clocks.start(1_000);
        assert_eq!(clocks.left(0, Some(0), 11_000), 50_000);
        assert_eq!(clocks.left(1, Some(0), 11_000), 60_000);
        clocks.switch(0, true, 11_000);
        assert_eq!(clocks.left(0, Some(1), 20_000), 52_000);
        assert_eq!(clocks.deadline(1), Some(71_000));
        clocks.hold(5_000);
        assert_eq!(clocks.deadline(1), Some(76_000));
        clocks.stop();
        assert_eq!(clocks.left(1, None, 99_000), 60_000);
    }

    #[test]
    fn a_move_that_is_taken_back_brings_no_increment() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 60_000, increment_ms: 10_000 }, 2);
        clocks.start(0);
        clocks.switch(0, true, 1_000);
        assert_eq!(clocks.left(0, Some(1), 1_000), 69_000);
        clocks.take_increment_back(0);
        assert_eq!(clocks.left(0, Some(1), 1_000), 59_000);
        for (left, expected) in [(10_500, 1_000), (300, 300), (20_000, 10_000)] {
            clocks.left[0] = left;
            clocks.take_increment_back(0);
            assert_eq!(clocks.left(0, Some(1), 1_000), expected);
        }
    }

    #[test]
    fn a_clock_that_goes_back_costs_nobody_time() {
        let mut clocks = Clocks::new(ClockRule { initial_ms: 1_000, increment_ms: 0 }, 2);
        clocks.start(10_000);
        assert_eq!(clocks.left(0, Some(0), 9_000), 1_000);
        clocks.switch(0, true, 9_000);
        assert_eq!(clocks.left(0, Some(1), 9_500), 1_000);
    }
}

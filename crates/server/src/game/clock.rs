//! Clocks, computed from the times of events: replaying a log gives the same clocks.

use noughts_api::{Millis, TimeControl};

/// A player whose turn is taken back keeps at least this much of the time it had.
const MIN_TIME_AFTER_UNDO_MS: Millis = 1_000;

/// The remaining time of every seat. Only the clock of the seat to move runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    /// Milliseconds in seat order, as of the start of the turn.
    remaining: Box<[Millis]>,
    /// When the running clock was started; `None` if none runs.
    since: Option<Millis>,
}

impl Clocks {
    pub(super) fn new(control: TimeControl, seats: usize) -> Clocks {
        let remaining = vec![Millis::from(control.initial_ms); seats].into();
        Clocks { control, remaining, since: None }
    }

    /// The time control.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Milliseconds a seat has left at a time, given whose turn it is.
    #[must_use]
    pub fn remaining(&self, seat: usize, turn: Option<usize>, now: Millis) -> Millis {
        let spent = match self.since {
            Some(since) if turn == Some(seat) => (now - since).max(0),
            _ => 0,
        };
        self.remaining.get(seat).map_or(0, |remaining| remaining - spent)
    }

    /// When the seat to move runs out of time.
    #[must_use]
    pub fn deadline(&self, turn: usize) -> Option<Millis> {
        Some(self.since? + self.remaining.get(turn)?)
    }

    /// When the running clock was started: at the beginning of the turn, or at the last undo.
    pub(super) fn turn_began(&self) -> Option<Millis> {
        self.since
    }

    pub(super) fn start(&mut self, at: Millis) {
        self.since = Some(at);
    }

    /// Ends a seat's turn: deducts the time it took, and adds the increment if the seat moved.
    pub(super) fn switch(&mut self, seat: usize, moved: bool, at: Millis) {
        let spent = self.since.map_or(0, |since| (at - since).max(0));
        if let Some(remaining) = self.remaining.get_mut(seat) {
            *remaining = (*remaining - spent).max(0);
            if moved {
                *remaining += Millis::from(self.control.increment_ms);
            }
        }
        self.since = Some(at);
    }

    /// Takes back the increment of an undone turn. Time already spent out of it is not owed.
    pub(super) fn revoke_increment(&mut self, seat: usize) {
        if let Some(remaining) = self.remaining.get_mut(seat) {
            let floor = MIN_TIME_AFTER_UNDO_MS.min(*remaining);
            *remaining = (*remaining - Millis::from(self.control.increment_ms)).max(floor);
        }
    }

    /// Excludes an outage from the running clock.
    pub(super) fn hold(&mut self, ms: Millis) {
        if let Some(since) = &mut self.since {
            *since += ms.max(0);
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
    fn clock_of_the_turn_runs_and_moves_increment() {
        let mut clocks = Clocks::new(TimeControl { initial_ms: 60_000, increment_ms: 2_000 }, 2);
        assert_eq!(clocks.deadline(0), None);
        clocks.start(1_000);
        assert_eq!(clocks.remaining(0, Some(0), 11_000), 50_000);
        assert_eq!(clocks.remaining(1, Some(0), 11_000), 60_000);
        clocks.switch(0, true, 11_000);
        assert_eq!(clocks.remaining(0, Some(1), 20_000), 52_000);
        assert_eq!(clocks.deadline(1), Some(71_000));
        clocks.hold(5_000);
        assert_eq!(clocks.deadline(1), Some(76_000));
        clocks.stop();
        assert_eq!(clocks.remaining(1, None, 99_000), 60_000);
    }

    #[test]
    fn undone_moves_lose_their_increment() {
        let mut clocks = Clocks::new(TimeControl { initial_ms: 60_000, increment_ms: 10_000 }, 2);
        clocks.start(0);
        clocks.switch(0, true, 1_000);
        assert_eq!(clocks.remaining(0, Some(1), 1_000), 69_000);
        clocks.revoke_increment(0);
        assert_eq!(clocks.remaining(0, Some(1), 1_000), 59_000);
        for (before, expected) in [(10_500, 1_000), (300, 300), (20_000, 10_000)] {
            clocks.remaining[0] = before;
            clocks.revoke_increment(0);
            assert_eq!(clocks.remaining(0, Some(1), 1_000), expected);
        }
    }

    #[test]
    fn backward_time_is_not_charged() {
        let mut clocks = Clocks::new(TimeControl { initial_ms: 1_000, increment_ms: 0 }, 2);
        clocks.start(10_000);
        assert_eq!(clocks.remaining(0, Some(0), 9_000), 1_000);
        clocks.switch(0, true, 9_000);
        assert_eq!(clocks.remaining(0, Some(1), 9_500), 1_000);
    }
}

//! Game clocks.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use noughts_rules::Seat;

use crate::duration::{duration, short_duration};

/// Time per player for a game, and the increment per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for the whole game.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
}

impl fmt::Display for TimeControl {
    /// The text that parses back: `5m+3s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&short_duration(self.time))?;
        match self.increment.is_zero() {
            true => Ok(()),
            false => write!(f, "+{}", short_duration(self.increment)),
        }
    }
}

impl FromStr for TimeControl {
    type Err = String;

    /// Parses `5m` or `5m+3s`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let expected = |_| "expected the time of each player, such as 5m or 5m+3s".to_string();
        let (time, increment) = match text.split_once('+') {
            Some((time, increment)) => (time, duration(increment).map_err(expected)?),
            None => (text, Duration::ZERO),
        };
        let day = Duration::from_secs(24 * 60 * 60);
        let control = TimeControl { time: duration(time).map_err(expected)?, increment };
        if control.time > day || control.increment > day {
            return Err("expected at most a day".to_string());
        }
        Ok(control)
    }
}

/// One clock per seat; at most one of them runs.
#[derive(Debug, Clone)]
pub struct Clock {
    control: TimeControl,
    left: Vec<Duration>,
    running: Option<(Seat, Instant)>,
}

impl Clock {
    /// Full clocks, all stopped.
    #[must_use]
    pub fn new(control: TimeControl, seats: usize) -> Clock {
        Clock { control, left: vec![control.time; seats], running: None }
    }

    /// A copy of another clock, on which this seat's time runs.
    #[must_use]
    pub fn copied(left: Vec<Duration>, running: Option<Seat>, now: Instant) -> Clock {
        let control = TimeControl { time: Duration::ZERO, increment: Duration::ZERO };
        Clock { control, left, running: running.map(|seat| (seat, now)) }
    }

    /// The increment per move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Initial time and increment.
    #[must_use]
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The times left for all seats.
    #[must_use]
    pub fn all_left(&self, now: Instant) -> Vec<Duration> {
        let seats = (0..self.left.len() as u8).filter_map(Seat::new);
        seats.map(|seat| self.left(seat, now)).collect()
    }

    /// Sets the times left and stops the clock. Seats without a time keep theirs.
    pub fn set_left(&mut self, left: &[Duration]) {
        self.left.iter_mut().zip(left).for_each(|(own, left)| *own = *left);
        self.running = None;
    }

    /// Starts the clock of this seat, or none, and adds the increment of the player who moved.
    pub fn run(&mut self, seat: Option<Seat>, moved: Option<Seat>, now: Instant) {
        if let Some((running, _)) = self.running {
            self.left[running.index()] = self.left(running, now);
        }
        if let Some(moved) = moved {
            self.left[moved.index()] += self.control.increment;
        }
        self.running = seat.map(|seat| (seat, now));
    }

    /// Whether a seat's time runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The time left for a seat.
    pub fn left(&self, seat: Seat, now: Instant) -> Duration {
        let left = self.left[seat.index()];
        match self.running {
            Some((running, since)) if running == seat => {
                left.saturating_sub(now.saturating_duration_since(since))
            }
            _ => left,
        }
    }

    /// The seat whose time is up.
    pub fn fallen(&self, now: Instant) -> Option<Seat> {
        let (seat, _) = self.running?;
        self.left(seat, now).is_zero().then_some(seat)
    }

    /// How long until the display changes.
    pub fn next_change(&self, now: Instant) -> Option<Duration> {
        let (seat, _) = self.running?;
        let left = self.left(seat, now);
        // Until the displayed number changes: seconds, or tenths near the end.
        let step = if left > TENTHS { 1_000_000_000 } else { 100_000_000 };
        let over = (left.as_nanos() % step) as u64;
        Some(if over == 0 {
            Duration::from_nanos(step as u64).min(left)
        } else {
            Duration::from_nanos(over)
        })
    }
}

/// From here on tenths of seconds are displayed.
const TENTHS: Duration = Duration::from_secs(10);

/// Formats a time as clocks show it.
pub struct ClockDisplay(pub Duration);

impl fmt::Display for ClockDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 <= TENTHS {
            // Rounded up, so that zero means that the time is up.
            let tenths = self.0.as_millis().div_ceil(100);
            return write!(f, "0:{:02}.{}", tenths / 10, tenths % 10);
        }
        let seconds = self.0.as_millis().div_ceil(1000);
        match seconds / 3600 {
            0 => write!(f, "{}:{:02}", seconds / 60, seconds % 60),
            hours => write!(f, "{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_controls_parse() {
        let read = |text: &str| {
            text.parse::<TimeControl>().ok().map(|c| (c.time.as_secs(), c.increment.as_secs()))
        };
        assert_eq!(read("5m"), Some((300, 0)));
        assert_eq!(read("5m+3s"), Some((300, 3)));
        assert_eq!(read("90+1"), Some((90, 1)));
        for text in ["5m", "5m+3s", "90s+1s", "1500ms"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        for text in ["", "+", "5m+", "soon", "0s", "1e9h", "5m+3s+1s"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn only_one_clock_runs() {
        let (start, second) = (Instant::now(), Seat::new(1).unwrap());
        let control = TimeControl { time: 10 * SECOND, increment: 2 * SECOND };
        let mut clock = Clock::new(control, 2);
        clock.run(Some(Seat::FIRST), None, start);
        assert_eq!(clock.left(Seat::FIRST, start + 3 * SECOND), 7 * SECOND);
        clock.run(Some(second), Some(Seat::FIRST), start + 3 * SECOND);
        assert_eq!(clock.left(Seat::FIRST, start + 9 * SECOND), 9 * SECOND);
        assert_eq!(clock.fallen(start + 12 * SECOND), None);
        assert_eq!(clock.fallen(start + 13 * SECOND), Some(second));
        clock.run(None, None, start + 13 * SECOND);
        assert_eq!(clock.fallen(start + 20 * SECOND), None);
        assert_eq!(clock.next_change(start + 20 * SECOND), None);
    }

    #[test]
    fn next_change_is_next_digit() {
        let start = Instant::now();
        let control = TimeControl { time: 61 * SECOND, increment: Duration::ZERO };
        let mut clock = Clock::new(control, 2);
        clock.run(Some(Seat::FIRST), None, start);
        let later = start + Duration::from_millis(300);
        assert_eq!(clock.next_change(later), Some(Duration::from_millis(700)));
        let late = start + 52 * SECOND + Duration::from_millis(50);
        assert_eq!(clock.next_change(late), Some(Duration::from_millis(50)));
    }

    #[test]
    fn times_format_like_clocks() {
        for (milliseconds, shown) in [
            (0, "0:00.0"),
            (1, "0:00.1"),
            (9_950, "0:10.0"),
            (10_001, "0:11"),
            (65_000, "1:05"),
            (3_600_000, "1:00:00"),
        ] {
            assert_eq!(ClockDisplay(Duration::from_millis(milliseconds)).to_string(), shown);
        }
    }
}

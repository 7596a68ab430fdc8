//! A key that was meant for what was seen a moment ago must not do something else.

use std::time::{Duration, Instant};

/// How long something has to be seen before Enter is meant for it.
pub(crate) const MOMENT: Duration = Duration::from_millis(500);

/// Since when what Enter would do has been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// It has not been drawn yet.
    Unseen,
    Seen(Instant),
    /// Another key shows that it was seen.
    Lifted,
}

impl Guard {
    /// It is being drawn.
    pub(crate) fn see(&mut self, now: Instant) {
        if *self == Guard::Unseen {
            *self = Guard::Seen(now);
        }
    }

    /// Whoever moves the frame has seen where it is.
    pub(crate) fn lift(&mut self) {
        if *self != Guard::Unseen {
            *self = Guard::Lifted;
        }
    }

    /// Whether Enter is meant for what is seen. One that is not begins the moment anew: a key that
    /// is held down is never meant.
    pub(crate) fn admits(&mut self, now: Instant) -> bool {
        let admits = !self.holds(now);
        if let (false, Guard::Seen(since)) = (admits, &mut *self) {
            *since = now;
        }
        admits
    }

    pub(crate) fn holds(&self, now: Instant) -> bool {
        *self == Guard::Unseen || self.left(now).is_some()
    }

    /// How much of the moment is left.
    pub(crate) fn left(&self, now: Instant) -> Option<Duration> {
        let Guard::Seen(since) = self else { return None };
        let left = MOMENT.saturating_sub(now.saturating_duration_since(*since));
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_is_meant_for_what_has_been_seen_for_a_moment() {
        let start = Instant::now();
        let mut guard = Guard::Unseen;
        assert!(!guard.admits(start + 9 * MOMENT));
        guard.see(start);
        assert!(!guard.admits(start + MOMENT / 2));
        assert!(!guard.admits(start + MOMENT));
        assert_eq!(guard.left(start + MOMENT), Some(MOMENT));
        assert!(guard.admits(start + 2 * MOMENT));
        let mut guard = Guard::Unseen;
        guard.lift();
        assert_eq!(guard, Guard::Unseen);
        guard.see(start);
        guard.lift();
        assert!(guard.admits(start));
    }
}

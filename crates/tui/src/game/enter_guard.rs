//! A key that was meant for what was seen a moment ago must not do something else.

use std::time::{Duration, Instant};

/// How long something has to be seen before Enter is meant for it.
pub(crate) const ENTER_DELAY: Duration = Duration::from_millis(500);

/// Since when what Enter would do has been seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnterGuard {
    /// It has not been drawn yet.
    Unseen,
    Seen(Instant),
    /// Another key shows that it was seen.
    Lifted,
}

impl EnterGuard {
    /// It is being drawn.
    pub(crate) fn see(&mut self, now: Instant) {
        if *self == EnterGuard::Unseen {
            *self = EnterGuard::Seen(now);
        }
    }

    /// Whoever moves the frame has seen where it is.
    pub(crate) fn lift(&mut self) {
        if *self != EnterGuard::Unseen {
            *self = EnterGuard::Lifted;
        }
    }

    /// Whether Enter is meant for what is seen. One that is not begins the moment anew: a key that
    /// is held down is never meant.
    pub(crate) fn admits(&mut self, now: Instant) -> bool {
        let admits = !self.holds(now);
        if let (false, EnterGuard::Seen(since)) = (admits, &mut *self) {
            *since = now;
        }
        admits
    }

    pub(crate) fn holds(&self, now: Instant) -> bool {
        *self == EnterGuard::Unseen || self.left(now).is_some()
    }

    /// How much of the moment is left.
    pub(crate) fn left(&self, now: Instant) -> Option<Duration> {
        let EnterGuard::Seen(since) = self else { return None };
        let left = ENTER_DELAY.saturating_sub(now.saturating_duration_since(*since));
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_is_meant_for_what_has_been_seen_for_a_moment() {
        let start = Instant::now();
        let mut guard = EnterGuard::Unseen;
        assert!(!guard.admits(start + 9 * ENTER_DELAY));
        guard.see(start);
        assert!(!guard.admits(start + ENTER_DELAY / 2));
        assert!(!guard.admits(start + ENTER_DELAY));
        assert_eq!(guard.left(start + ENTER_DELAY), Some(ENTER_DELAY));
        assert!(guard.admits(start + 2 * ENTER_DELAY));
        let mut guard = EnterGuard::Unseen;
        guard.lift();
        assert_eq!(guard, EnterGuard::Unseen);
        guard.see(start);
        guard.lift();
        assert!(guard.admits(start));
    }
}

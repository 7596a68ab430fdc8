//! Ignores Enter until the user has had time to see what it would do.

use std::time::{Duration, Instant};

/// How long the screen must be visible before Enter counts.
pub(crate) const ENTER_DELAY: Duration = Duration::from_millis(500);

/// Since when the effect of Enter has been visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EnterGuard {
    /// Not drawn yet.
    Unseen,
    Seen(Instant),
    /// Another key has shown that the user saw the screen.
    Lifted,
}

impl EnterGuard {
    /// Notes that the screen was drawn.
    pub(crate) fn see(&mut self, now: Instant) {
        if *self == EnterGuard::Unseen {
            *self = EnterGuard::Seen(now);
        }
    }

    /// Notes that the user moved the cursor, and so has seen it.
    pub(crate) fn lift(&mut self) {
        if *self != EnterGuard::Unseen {
            *self = EnterGuard::Lifted;
        }
    }

    /// Whether Enter counts. If not, the delay starts again: a key that is held down never counts.
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

    /// The rest of the delay.
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
    fn enter_counts_after_the_delay() {
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

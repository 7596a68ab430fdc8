//! Logging of failures that recur with every request.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Lets a failure that recurs be logged once in ten seconds.
#[derive(Debug, Default)]
pub struct LogThrottle(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    logged_at: Option<Instant>,
    failures: u64,
}

impl LogThrottle {
    /// A throttle that has seen no failure.
    #[must_use]
    pub const fn new() -> LogThrottle {
        LogThrottle(Mutex::new(State { logged_at: None, failures: 0 }))
    }

    /// Counts a failure. If it should be logged, returns the number of failures since the last one
    /// that was, this one included.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.failures += 1;
        if state.logged_at.is_some_and(|at| at.elapsed() < LOG_INTERVAL) {
            return None;
        }
        state.logged_at = Some(Instant::now());
        Some(std::mem::take(&mut state.failures))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn failures_are_logged_every_ten_seconds() {
        let throttle = LogThrottle::new();
        assert_eq!([throttle.count(), throttle.count(), throttle.count()], [Some(1), None, None]);
        tokio::time::advance(LOG_INTERVAL).await;
        assert_eq!([throttle.count(), throttle.count()], [Some(3), None]);
    }
}

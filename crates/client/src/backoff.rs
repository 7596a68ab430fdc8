//! Exponential backoff with jitter.

use std::time::Duration;

use crate::random::random_fraction;

const FIRST_DELAY: Duration = Duration::from_millis(200);
const MAX_DELAY: Duration = Duration::from_secs(10);

/// The delays between attempts: doubled each time, and randomised so that clients which lost the
/// same server do not return at the same moment.
#[derive(Debug)]
pub(crate) struct Backoff {
    delay: Duration,
}

impl Backoff {
    pub(crate) fn new() -> Backoff {
        Backoff { delay: FIRST_DELAY }
    }

    /// How long to wait before the next attempt: between half the delay and all of it.
    pub(crate) fn next_delay(&mut self) -> Duration {
        let delay = self.delay;
        self.delay = (delay * 2).min(MAX_DELAY);
        delay.mul_f64(0.5 + random_fraction() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_the_maximum() {
        let mut backoff = Backoff::new();
        for full in [200, 400, 800, 1600, 3200, 6400, 10_000, 10_000] {
            let full = Duration::from_millis(full);
            let delay = backoff.next_delay();
            assert!((full / 2..=full).contains(&delay), "{delay:?} of {full:?}");
        }
    }
}

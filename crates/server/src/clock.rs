//! The wall clock, and the clock by which games are decided.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use noughts_api::Millis;
use tokio::time::Instant;

/// The current time, in milliseconds since 1970.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// How far the clock may be off before it counts as a jump, in milliseconds.
const JUMP_THRESHOLD_MS: Millis = 2_000;

/// The clock of games: it reads the wall clock once, and then advances with monotonic time, so that
/// setting the wall clock changes no game. Servers that share a database follow its clock.
#[derive(Debug)]
pub(crate) struct ServerClock {
    started: Instant,
    /// The time when the clock was started.
    base: AtomicI64,
    /// The latest time that was read: a correction never moves the clock back.
    latest: AtomicI64,
}

impl ServerClock {
    /// A clock that shows this time now.
    pub(crate) fn starting_at(now: Millis) -> ServerClock {
        let (base, latest) = (AtomicI64::new(now), AtomicI64::new(now));
        ServerClock { started: Instant::now(), base, latest }
    }

    /// The time, in milliseconds since 1970. It never goes back.
    pub(crate) fn now(&self) -> Millis {
        let now = self.base.load(Ordering::Acquire) + self.elapsed();
        now.max(self.latest.fetch_max(now, Ordering::AcqRel))
    }

    /// Follows the database's clock. A jump back is ignored: games would stand still until the clock
    /// has caught up.
    pub(crate) fn follow(&self, reference: Millis) {
        let ahead = self.now() - reference;
        if ahead > JUMP_THRESHOLD_MS {
            tracing::warn!(ahead, "ignored that the database's clock was set back");
        } else {
            self.base.store(reference - self.elapsed(), Ordering::Release);
        }
    }

    fn elapsed(&self) -> Millis {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn clock_follows_its_reference() {
        let clock = ServerClock::starting_at(50_000);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(clock.now(), 51_000);
        clock.follow(60_000);
        assert_eq!(clock.now(), 60_000);
        clock.follow(10_000);
        assert_eq!(clock.now(), 60_000, "a jump back");
        clock.follow(59_000);
        assert_eq!(clock.now(), 60_000, "the clock never goes back");
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(clock.now(), 61_000, "a small correction");
    }
}

//! The wall clock, and the clock by which games are decided.

use std::sync::{Mutex, MutexGuard, PoisonError};
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
/// setting the wall clock changes no game. Servers that share a database follow its clock, so that
/// theirs agree: one that ran ahead would end the games of the others.
#[derive(Debug)]
pub(crate) struct ServerClock {
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The time when the clock was started.
    base: Millis,
    /// The latest time that was read: a small correction never moves the clock back.
    latest: Millis,
    /// How far the clock was set back in all.
    set_back: Millis,
}

impl ServerClock {
    /// A clock that shows this time now.
    pub(crate) fn starting_at(now: Millis) -> ServerClock {
        let state = Mutex::new(State { base: now, latest: now, set_back: 0 });
        ServerClock { started: Instant::now(), state }
    }

    /// The time, in milliseconds since 1970. It goes back only if the database's clock was set back.
    pub(crate) fn now(&self) -> Millis {
        self.read().latest
    }

    /// Advances like the clock, and never goes back: it counts on when the clock is set back.
    pub(crate) fn steady(&self) -> Millis {
        let state = self.read();
        state.latest + state.set_back
    }

    /// How far the clock was set back in all.
    pub(crate) fn set_back(&self) -> Millis {
        self.read().set_back
    }

    /// Whether the clock has to be set back to agree with the database's.
    pub(crate) fn is_ahead_of(&self, reference: Millis) -> bool {
        self.now() - reference > JUMP_THRESHOLD_MS
    }

    /// Follows the database's clock. Returns whether that was set back.
    pub(crate) fn follow(&self, reference: Millis) -> bool {
        let mut state = self.read();
        let ahead = state.latest - reference;
        state.base = reference - self.elapsed();
        let was_set_back = ahead > JUMP_THRESHOLD_MS;
        if was_set_back {
            tracing::warn!(ahead, "the database's clock was set back");
            state.set_back += ahead;
            state.latest = reference;
        }
        was_set_back
    }

    /// The state, up to date.
    fn read(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.latest = state.latest.max(state.base + self.elapsed());
        state
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
        assert!(!clock.follow(60_000));
        assert_eq!(clock.now(), 60_000);
        assert!(!clock.follow(59_000));
        assert_eq!(clock.now(), 60_000, "a small correction never sets the clock back");
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!((clock.now(), clock.steady()), (61_000, 61_000));
        assert!(clock.follow(10_000));
        assert_eq!((clock.now(), clock.steady()), (10_000, 61_000), "the clock was set back");
    }
}

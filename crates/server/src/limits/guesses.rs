//! Limits on guessing passwords: for a name from one address, and for a name from everywhere.
//!
//! They work alike for names that exist and names that don't, so they reveal nothing. They can't lock
//! the owner out for good: addresses from which the account was used before have no part in the budget
//! of its name, what one address spoils concerns only that address, and waiting times are bounded.
//! Each server counts for itself.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quick_cache::unsync::Cache;

use super::{ClientAddress, LimitError, count_refusal};

/// Wrong guesses of a name from one address before there is a wait.
const FREE_GUESSES: u32 = 5;

/// The wait after the first guess that is not free. It doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(1);

const MAX_WAIT: Duration = Duration::from_secs(15 * 60);

/// Wrong guesses of an address are forgotten after this long without another.
const MEMORY: Duration = Duration::from_secs(3600);

/// Wrong guesses of a name from all addresses together, at once.
const NAME_BUDGET: f64 = 20.0;

/// The time in which the budget of a name grows by one guess: 288 a day.
const BUDGET_INTERVAL: Duration = Duration::from_secs(300);

/// Names, and pairs of a name and an address, that are remembered. Those seen once go first.
const MAX_REMEMBERED: usize = 50_000;

pub(crate) struct Guesses {
    keys: RandomState,
    state: Mutex<State>,
}

struct State {
    pairs: Cache<u64, Failures>,
    names: Cache<u64, Budget>,
}

/// Wrong guesses of a name from one address.
#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: Instant,
    blocked_until: Instant,
}

/// How many wrong guesses a name still has.
#[derive(Clone, Copy)]
struct Budget {
    left: f64,
    at: Instant,
}

/// A guess that counts as wrong until it succeeds.
#[must_use = "a right guess must be taken back with `succeed`"]
pub(crate) struct Guess<'a> {
    guesses: &'a Guesses,
    pair: u64,
    /// The name whose budget the guess took from.
    name: Option<u64>,
}

impl Default for Guesses {
    fn default() -> Guesses {
        let state = State { pairs: Cache::new(MAX_REMEMBERED), names: Cache::new(MAX_REMEMBERED) };
        Guesses { keys: RandomState::new(), state: Mutex::new(state) }
    }
}

impl Guesses {
    /// Counts a guess at the password of a name, given by its skeleton. `is_known` says that the
    /// account was used from this address before.
    pub(crate) fn begin(
        &self,
        name: &str,
        client: ClientAddress,
        is_known: bool,
    ) -> Result<Guess<'_>, LimitError> {
        self.begin_at(name, client, is_known, Instant::now())
    }

    fn begin_at(
        &self,
        name: &str,
        client: ClientAddress,
        is_known: bool,
        now: Instant,
    ) -> Result<Guess<'_>, LimitError> {
        let pair = self.keys.hash_one((name, client.0));
        let name = self.keys.hash_one(name);
        let mut state = self.state();
        let mut failures = state.pairs.get(&pair).copied().filter(|past| now < past.last + MEMORY);
        let failures = failures.get_or_insert(Failures { count: 0, last: now, blocked_until: now });
        if now < failures.blocked_until {
            return Err(too_fast(failures.blocked_until - now));
        }
        if !is_known {
            let full = Budget { left: NAME_BUDGET, at: now };
            let mut budget = state.names.get(&name).copied().unwrap_or(full);
            budget.refill(now);
            if budget.left < 1.0 {
                return Err(too_fast(BUDGET_INTERVAL.mul_f64(1.0 - budget.left)));
            }
            budget.left -= 1.0;
            state.names.insert(name, budget);
        }
        failures.count += 1;
        failures.last = now;
        if failures.count >= FREE_GUESSES {
            let doublings = (failures.count - FREE_GUESSES).min(16);
            failures.blocked_until = now + MAX_WAIT.min(FIRST_WAIT * 2_u32.pow(doublings));
        }
        let failures = *failures;
        state.pairs.insert(pair, failures);
        Ok(Guess { guesses: self, pair, name: (!is_known).then_some(name) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guess<'_> {
    /// Takes the guess back: it was right.
    pub(crate) fn succeed(self) {
        let mut state = self.guesses.state();
        state.pairs.remove(&self.pair);
        if let Some(name) = self.name
            && let Some(mut budget) = state.names.get_mut(&name)
        {
            budget.left += 1.0;
        }
    }
}

impl Budget {
    fn refill(&mut self, now: Instant) {
        let elapsed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = NAME_BUDGET.min(self.left + elapsed / BUDGET_INTERVAL.as_secs_f64());
        self.at = now;
    }
}

fn too_fast(wait: Duration) -> LimitError {
    count_refusal();
    LimitError::TooFast(wait.as_secs() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(number: u8) -> ClientAddress {
        ClientAddress(std::net::IpAddr::from([10, 0, 0, number]))
    }

    /// Guesses until a limit refuses, and returns how many were let through and the wait.
    fn exhaust(
        guesses: &Guesses,
        client: impl Fn(usize) -> ClientAddress,
        known: bool,
        now: Instant,
    ) -> (usize, u64) {
        for number in 0..1_000 {
            match guesses.begin_at("ann", client(number), known, now) {
                Ok(_wrong) => {}
                Err(LimitError::TooFast(seconds)) => return (number, seconds),
                Err(_) => panic!("another limit"),
            }
        }
        panic!("no limit");
    }

    #[test]
    fn waits_of_an_address_double() {
        let guesses = Guesses::default();
        let mut now = Instant::now();
        assert_eq!(exhaust(&guesses, |_| from(1), true, now), (5, 2));
        for wait in [2, 4, 8] {
            now += Duration::from_secs(wait);
            assert_eq!(exhaust(&guesses, |_| from(1), true, now), (1, wait + 1));
        }
        for _ in 0..20 {
            now += MAX_WAIT;
            let (tried, wait) = exhaust(&guesses, |_| from(1), true, now);
            assert!(tried == 1 && wait <= MAX_WAIT.as_secs() + 1);
        }
        // Other addresses don't wait, and in the end it is forgotten.
        assert_eq!(exhaust(&guesses, |_| from(2), true, now), (5, 2));
        assert_eq!(exhaust(&guesses, |_| from(1), true, now + MEMORY).0, 5);
    }

    #[test]
    fn many_addresses_share_the_budget_of_a_name() {
        let guesses = Guesses::default();
        let now = Instant::now();
        let (tried, wait) = exhaust(&guesses, |number| from(number as u8), false, now);
        assert_eq!((tried, wait), (20, 301));
        // From where the owner has been before, they still get in.
        assert!(guesses.begin_at("ann", from(200), true, now).is_ok());
        assert!(guesses.begin_at("bob", from(201), false, now).is_ok());
        let later = now + BUDGET_INTERVAL;
        assert_eq!(exhaust(&guesses, |_| from(202), false, later).0, 1);
    }

    #[test]
    fn right_guesses_do_not_count() {
        let guesses = Guesses::default();
        let now = Instant::now();
        for _ in 0..100 {
            guesses.begin_at("ann", from(1), false, now).ok().unwrap().succeed();
        }
        assert_eq!(exhaust(&guesses, |_| from(1), false, now).0, 5);
    }
}

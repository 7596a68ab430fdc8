//! Limits for a day. What a client may do in a second would, kept up, fill the disk.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use noughts_store::IdentityId;

use super::{LimitError, count_refusal};
use crate::config::Config;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// This many given moves take about as much room as a move that is played.
const GIVEN_MOVES_PER_COMMAND: usize = 16;

/// What addresses and identities do in a day.
pub(super) struct DailyLimits {
    commands: DefaultKeyedRateLimiter<IdentityId>,
    commands_of_address: DefaultKeyedRateLimiter<IpAddr>,
    games: DefaultKeyedRateLimiter<IdentityId>,
    games_of_address: DefaultKeyedRateLimiter<IpAddr>,
    sign_ins_of_address: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

/// A limiter that allows all of a day at once, and then as much as a day has passed.
fn daily<K: Hash + Eq + Clone>(number: u32) -> DefaultKeyedRateLimiter<K> {
    let number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    let quota = Quota::with_period(DAY / number.get()).unwrap_or(Quota::per_second(number));
    RateLimiter::keyed(quota.allow_burst(number))
}

impl DailyLimits {
    pub(super) fn new(config: &Config) -> DailyLimits {
        DailyLimits {
            commands: daily(config.commands_per_day()),
            commands_of_address: daily(config.commands_per_address_per_day()),
            games: daily(config.games_per_day()),
            games_of_address: daily(config.games_per_address_per_day()),
            sign_ins_of_address: daily(config.sign_ins_per_day()),
            clock: DefaultClock::default(),
        }
    }

    pub(super) fn check_sign_in(&self, address: IpAddr) -> Result<(), LimitError> {
        self.check(&self.sign_ins_of_address, &address, 1, "sign-ins and new guests")
    }

    pub(super) fn check_command(
        &self,
        identity: IdentityId,
        address: IpAddr,
    ) -> Result<(), LimitError> {
        self.check_commands(identity, address, 1)
    }

    pub(super) fn check_new_game(
        &self,
        identity: IdentityId,
        address: IpAddr,
        given_moves: usize,
    ) -> Result<(), LimitError> {
        self.check(&self.games, &identity, 1, "games")?;
        self.check(&self.games_of_address, &address, 1, "games")?;
        self.check_commands(identity, address, 1 + given_moves / GIVEN_MOVES_PER_COMMAND)
    }

    fn check_commands(
        &self,
        identity: IdentityId,
        address: IpAddr,
        number: usize,
    ) -> Result<(), LimitError> {
        self.check(&self.commands, &identity, number, "moves")?;
        self.check(&self.commands_of_address, &address, number, "moves")
    }

    fn check<K: Hash + Eq + Clone>(
        &self,
        limiter: &DefaultKeyedRateLimiter<K>,
        key: &K,
        number: usize,
        what: &'static str,
    ) -> Result<(), LimitError> {
        let number =
            u32::try_from(number).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX);
        let wait = match limiter.check_key_n(key, number) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(until)) => until.wait_time_from(self.clock.now()),
            // More than a day has.
            Err(_) => DAY,
        };
        count_refusal();
        Err(LimitError::DayUsedUp { what, seconds: wait.as_secs() + 1 })
    }

    /// Drops the state of clients that have not done much lately.
    pub(super) fn evict_idle(&self) {
        self.commands.retain_recent();
        self.commands_of_address.retain_recent();
        self.games.retain_recent();
        self.games_of_address.retain_recent();
        self.sign_ins_of_address.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> DailyLimits {
        DailyLimits::new(&Config {
            games_per_day: Some(2),
            games_per_address_per_day: Some(3),
            commands_per_day: Some(60),
            commands_per_address_per_day: Some(100),
            sign_ins_per_day: Some(1),
            ..Config::default()
        })
    }

    fn used_up(outcome: Result<(), LimitError>) -> Option<(&'static str, u64)> {
        match outcome {
            Err(LimitError::DayUsedUp { what, seconds }) => Some((what, seconds)),
            _ => None,
        }
    }

    #[test]
    fn games_count_for_player_and_address() {
        let (limits, address) = (limits(), "1.1.1.1".parse().unwrap());
        let [ann, bob] = [1, 2].map(IdentityId);
        let new_game = |player| used_up(limits.check_new_game(player, address, 0));
        assert_eq!((new_game(ann), new_game(ann)), (None, None));
        let (what, seconds) = new_game(ann).unwrap();
        assert_eq!(what, "games");
        assert!((12 * 3600 - 60..=12 * 3600 + 1).contains(&seconds), "{seconds}");
        assert_eq!(new_game(bob), None);
        assert!(new_game(bob).is_some(), "the address has used up its games");
        limits.evict_idle();
        assert!(new_game(ann).is_some(), "limits in use are kept");
        let other = "2.2.2.2".parse().unwrap();
        assert!(limits.check_new_game(IdentityId(3), other, 0).is_ok());
    }

    #[test]
    fn given_moves_count_as_moves() {
        let (limits, address) = (limits(), "1.1.1.1".parse().unwrap());
        assert!(limits.check_new_game(IdentityId(1), address, 16 * 40).is_ok());
        for _ in 0..19 {
            assert!(limits.check_command(IdentityId(1), address).is_ok());
        }
        assert_eq!(used_up(limits.check_command(IdentityId(1), address)).unwrap().0, "moves");
        // More than a whole day has.
        let refused = limits.check_new_game(IdentityId(2), address, 16 * 60);
        assert_eq!(used_up(refused), Some(("moves", 24 * 3600 + 1)));
        assert!(limits.check_sign_in(address).is_ok());
        assert!(used_up(limits.check_sign_in(address)).is_some());
    }
}

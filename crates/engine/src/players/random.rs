//! Uniformly random play.

use noughts_rules::State;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::{Budget, Choice, Strategy, StrategyError};

/// Plays a uniformly random legal move, in any game.
#[derive(Debug)]
pub struct Random {
    rng: SmallRng,
}

impl Random {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random { rng: SmallRng::seed_from_u64(seed) }
    }
}

impl<S: State> Strategy<S> for Random {
    fn choose(&mut self, state: &S, _: &Budget) -> Result<Choice<S::Move>, StrategyError> {
        let count = state.move_count();
        if count == 0 {
            return Err(StrategyError::GameOver);
        }
        let mv = state.nth_move(self.rng.random_range(0..count));
        mv.map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

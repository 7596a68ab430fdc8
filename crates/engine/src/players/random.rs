//! Uniformly random play.

use noughts_rules::Position;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IteratorRandom;

use crate::{Budget, Choice, Strategy, StrategyError};

/// Plays a uniformly random legal move.
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

impl Strategy for Random {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let cell = position.legal_moves().choose(&mut self.rng);
        cell.map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

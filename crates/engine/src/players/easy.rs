//! Plays like a beginner.

use noughts_rules::{Move, Position};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::tactics::Tactics;
use crate::{Budget, Choice, Strategy, StrategyError};

/// Makes a beginner's mistakes: it takes a win, but overlooks some threats, and otherwise prefers the
/// centre and cells next to other stones.
#[derive(Debug)]
pub struct Easy {
    rng: SmallRng,
}

const THREAT_SEEN_PROBABILITY: f64 = 0.65;

impl Easy {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Easy {
        Easy { rng: SmallRng::seed_from_u64(seed) }
    }

    /// The weight of a cell in the random choice.
    fn weight(board: &Board, cell: usize) -> u32 {
        let tables = board.tables();
        let neighbours = tables.neighbourhood(cell).filter(|&near| !board.is_empty(near)).count();
        let central = tables.off_centre(0) - tables.off_centre(cell);
        1 + 8 * neighbours as u32 + central as u32
    }
}

impl Strategy for Easy {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let sees_threat = self.rng.random_bool(THREAT_SEEN_PROBABILITY);
        let Tactics { sound, wins, blocks, safe } = Tactics::new(position)?;
        let moves = match sees_threat {
            _ if !wins.is_empty() => wins,
            true if !blocks.is_empty() => blocks,
            true => safe,
            false => sound,
        };
        let board = Board::counting(position);
        let weight = |mv: &Move| match (&board, mv.cell()) {
            (Some(board), Some(cell)) => Easy::weight(board, board.tables().index(cell)),
            _ => 1,
        };
        let mv = moves.choose_weighted(&mut self.rng, weight);
        mv.map(|&mv| Choice::without_verdict(mv)).map_err(|_| StrategyError::GameOver)
    }
}

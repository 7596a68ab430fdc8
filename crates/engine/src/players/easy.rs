//! Plays like someone new to the game.

use noughts_rules::Position;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::sight::Sight;
use crate::{Budget, Choice, Strategy, StrategyError};

/// Makes the mistakes that people make: it nearly always sees its own line, now and then
/// overlooks what the others threaten, and otherwise likes the middle and the company of other
/// stones.
#[derive(Debug)]
pub struct Easy {
    rng: SmallRng,
}

const SEES_OWN_WIN: f64 = 0.9;
const SEES_THREAT: f64 = 0.65;

impl Easy {
    /// A player that plays the same moves whenever it has the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Easy {
        Easy { rng: SmallRng::seed_from_u64(seed) }
    }

    /// How much a beginner is drawn to the cell.
    fn appeal(board: &Board, cell: usize) -> u32 {
        let geometry = board.geometry();
        let neighbours = geometry.around(cell, 1).filter(|&near| !board.is_empty(near)).count();
        let central = geometry.farthest_off_centre() - geometry.off_centre(cell);
        1 + 8 * neighbours as u32 + central as u32
    }
}

impl Strategy for Easy {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_game(position)?;
        let sight = Sight::new(&board);
        let sees_win = self.rng.random_bool(SEES_OWN_WIN);
        let sees_threat = self.rng.random_bool(SEES_THREAT);
        let moves = if sees_win && !sight.wins().is_empty() {
            sight.wins()
        } else if sees_threat && !sight.blocks().is_empty() {
            sight.blocks()
        } else if sees_win {
            sight.bearable()
        } else {
            sight.legal()
        };
        let weight = |cell: &usize| Easy::appeal(&board, *cell);
        let cell =
            moves.choose_weighted(&mut self.rng, weight).map_err(|_| StrategyError::GameOver)?;
        Ok(Choice::unjudged(board.cell(*cell)))
    }
}

//! Plays like someone who knows the game but does not calculate.

use noughts_rules::Position;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::sight::{Sight, opening_move};
use crate::threats::{forks, urgency};
use crate::{Budget, Choice, Strategy, StrategyError};

/// Takes wins, blocks lines, likes cells where much is at stake, and often but not always sees a
/// double threat coming.
#[derive(Debug)]
pub struct Medium {
    rng: SmallRng,
}

const SEES_FORK: f64 = 0.4;

impl Medium {
    /// A player that plays the same moves whenever it has the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Medium {
        Medium { rng: SmallRng::seed_from_u64(seed) }
    }

    /// The moves that it would think about.
    fn considered(&mut self, board: &Board) -> Vec<usize> {
        let sight = Sight::new(board);
        for moves in [sight.wins(), sight.blocks()] {
            if !moves.is_empty() {
                return moves.to_vec();
            }
        }
        let geometry = board.geometry();
        let free = !geometry.misere && !geometry.gravity && board.order().len() == 2;
        if free && self.rng.random_bool(SEES_FORK) {
            if let Some(fork) = forks(board, board.turn()).next() {
                return vec![fork.cell];
            }
            let threats: Vec<_> = forks(board, board.opponent()).collect();
            let meets = |&cell: &usize| threats.iter().all(|fork| fork.is_met_by(cell));
            let answers: Vec<usize> = sight.legal().iter().copied().filter(meets).collect();
            if !answers.is_empty() {
                return answers;
            }
        }
        sight.bearable().to_vec()
    }
}

impl Strategy for Medium {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_game(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice::unjudged(board.cell(cell)));
        }
        let misere = board.geometry().misere;
        let moves = self.considered(&board);
        // Squared, so that on a large board the many cells where nothing is at stake do not add up
        // to more than the few that matter.
        let appeal = |cell: &usize| {
            let stakes = f64::from(urgency(&board, *cell) + 1).powi(2);
            if misere { stakes.recip() } else { stakes }
        };
        let cell = moves.choose_weighted(&mut self.rng, appeal);
        let cell = cell.map_err(|_| StrategyError::GameOver)?;
        Ok(Choice::unjudged(board.cell(*cell)))
    }
}

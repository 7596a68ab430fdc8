//! Knows the tactics but does not search.

use noughts_rules::Position;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::tactics::{Tactics, opening_move};
use crate::threats::{forks, threats_apply, urgency};
use crate::{Budget, Choice, Strategy, StrategyError};

/// Takes wins, blocks lines, prefers cells on promising lines, and sees some forks.
#[derive(Debug)]
pub struct Medium {
    rng: SmallRng,
}

const FORK_SEEN_PROBABILITY: f64 = 0.4;

impl Medium {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Medium {
        Medium { rng: SmallRng::seed_from_u64(seed) }
    }

    /// The moves to choose from.
    fn candidates(&mut self, board: &Board) -> Vec<usize> {
        let Tactics { legal, wins, blocks, safe } = Tactics::new(board);
        for moves in [wins, blocks] {
            if !moves.is_empty() {
                return moves;
            }
        }
        if threats_apply(board) && self.rng.random_bool(FORK_SEEN_PROBABILITY) {
            if let Some(fork) = forks(board, board.turn()).next() {
                return vec![fork.cell];
            }
            let threats: Vec<_> = forks(board, board.opponent()).collect();
            let meets_all = |&cell: &usize| threats.iter().all(|fork| fork.is_met_by(cell));
            let answers: Vec<usize> = legal.into_iter().filter(meets_all).collect();
            if !answers.is_empty() {
                return answers;
            }
        }
        safe
    }
}

impl Strategy for Medium {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_ongoing(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice::without_verdict(board.cell(cell)));
        }
        let misere = board.tables().misere;
        let moves = self.candidates(&board);
        // Squared, so that the many unimportant cells of a large board do not outweigh the few
        // important ones.
        let weight = |cell: &usize| {
            let urgency = (f64::from(urgency(&board, *cell)) + 1.0).powi(2);
            if misere { urgency.recip() } else { urgency }
        };
        let cell = moves.choose_weighted(&mut self.rng, weight);
        let cell = cell.map_err(|_| StrategyError::GameOver)?;
        Ok(Choice::without_verdict(board.cell(*cell)))
    }
}

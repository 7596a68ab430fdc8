//! Solves the position where it can, and searches as well as it can where not.

use noughts_rules::Position;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::board::Board;
use crate::search::{Effort, Search};
use crate::sight::opening_move;
use crate::solve::{Prover, SOLVABLE_CELLS};
use crate::{Budget, Choice, Strategy, StrategyError, Verdict};

/// Never loses a game that it need not lose, wins as fast as possible and loses as late as
/// possible, wherever it can prove that within its budget. Elsewhere it plays the strongest move
/// it finds, and its verdict is an estimate.
///
/// A budget without limits is taken at its word on boards of up to 64 cells. Larger ones are
/// rarely solved, so there it spends a few million nodes a move.
#[derive(Debug)]
pub struct Perfect {
    rng: SmallRng,
}

const MOST_NODES_ON_LARGE_BOARDS: u64 = 2_000_000;

impl Perfect {
    /// A player that plays the same moves whenever it has the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Perfect {
        Perfect { rng: SmallRng::seed_from_u64(seed) }
    }

    fn proven_choice(&mut self, position: &Position, budget: &Budget) -> Option<Choice> {
        let mut prover = Prover::new(position, budget).ok()?;
        let value = prover.value().ok()?;
        let moves = prover.most_testing_moves(value);
        let cell = *moves.choose(&mut self.rng)?;
        Some(Choice { cell, verdict: Some(Verdict::Proven(value)) })
    }
}

impl Strategy for Perfect {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_game(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice { cell: board.cell(cell), verdict: Some(Verdict::Estimate(0)) });
        }
        let solvable = board.geometry().cells <= SOLVABLE_CELLS;
        let limited = budget.nodes().is_some() || budget.time().is_some();
        let budget = match budget {
            budget if solvable || limited => budget.clone(),
            budget => budget.clone().with_nodes(MOST_NODES_ON_LARGE_BOARDS),
        };
        // Of a board that will hardly be solved, only short wins are worth looking for, and those
        // by threats the search finds itself.
        let share = match () {
            () if solvable => 0.6,
            () if Search::knows_patterns(position.rules()) => 0.0,
            () => 0.1,
        };
        if share > 0.0
            && let Some(choice) = self.proven_choice(position, &budget.share(share))
        {
            return Ok(choice);
        }
        let found = Search::new(position, &budget.share(1.0 - share), Effort::FULL).best_move();
        let found = found.ok_or(StrategyError::GameOver)?;
        Ok(Choice { cell: board.cell(found.cell), verdict: Some(found.verdict) })
    }
}

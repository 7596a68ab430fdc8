//! Solves the position if it can, and searches otherwise.

use noughts_rules::Position;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::board::Board;
use crate::search::{Search, SearchLimits};
use crate::solve::{MAX_SOLVABLE_CELLS, Prover};
use crate::tactics::opening_move;
use crate::{Budget, Choice, Strategy, StrategyError, Verdict};

/// Plays perfectly where it can prove the value within its budget: it wins as fast and loses as late
/// as possible. Elsewhere it plays the strongest move it finds, with an estimate as its verdict.
///
/// An unlimited budget really is unlimited on boards of up to 64 cells. Larger boards are rarely
/// solved, so there it stops after two million nodes.
#[derive(Debug)]
pub struct Perfect {
    rng: SmallRng,
}

const MAX_LARGE_BOARD_NODES: u64 = 2_000_000;

/// The share of the budget for a proof; the search takes the rest.
const SOLVABLE_PROOF_SHARE: f64 = 0.6;
const LARGE_BOARD_PROOF_SHARE: f64 = 0.1;

impl Perfect {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Perfect {
        Perfect { rng: SmallRng::seed_from_u64(seed) }
    }

    fn proven_choice(&mut self, position: &Position, budget: &Budget) -> Option<Choice> {
        let mut prover = Prover::new(position, budget).ok()?;
        let value = prover.value().ok()?;
        let moves = prover.most_testing_moves(value);
        let cell = *moves.choose(&mut self.rng)?;
        Some(Choice { mv: cell.into(), verdict: Some(Verdict::Proven(value)) })
    }
}

impl Strategy for Perfect {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_ongoing(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice { mv: board.cell(cell).into(), verdict: Some(Verdict::Estimate(0)) });
        }
        let solvable = board.tables().cell_count <= MAX_SOLVABLE_CELLS;
        let budget = budget.clone();
        let budget = if solvable { budget } else { budget.or_nodes(MAX_LARGE_BOARD_NODES) };
        // On a larger board the solver only finds short wins, as the pattern search does by itself.
        let share = if solvable {
            SOLVABLE_PROOF_SHARE
        } else if Search::supports_patterns(position.rules()) {
            0.0
        } else {
            LARGE_BOARD_PROOF_SHARE
        };
        if share > 0.0
            && let Some(choice) = self.proven_choice(position, &budget.share(share))
        {
            return Ok(choice);
        }
        let best =
            Search::new(position, &budget.share(1.0 - share), SearchLimits::FULL).best_move();
        let best = best.ok_or(StrategyError::GameOver)?;
        Ok(Choice { mv: board.cell(best.cell).into(), verdict: Some(best.verdict) })
    }
}

//! Searches a few plies and sometimes slips.

use noughts_rules::Position;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::search::{Search, SearchLimits};
use crate::tactics::{Tactics, opening_move};
use crate::threats::urgency;
use crate::{Budget, Choice, Strategy, StrategyError};

/// Searches a few plies on any board and for any number of seats. Sometimes it plays an obvious
/// move without searching, so it can be beaten.
#[derive(Debug)]
pub struct Hard {
    rng: SmallRng,
}

const MAX_NODES: u64 = 20_000;

const LIMITS: SearchLimits = SearchLimits { max_depth: 6, root_width: 24, width: 12 };

/// The probability of a slip in each move, higher on small boards, where games are short.
const SLIP_PROBABILITY: f64 = 0.15;
const SMALL_BOARD_SLIP_PROBABILITY: f64 = 0.3;
const SMALL_BOARD_CELLS: usize = 25;

/// A slip picks one of this many most urgent moves.
const SLIP_CANDIDATES: usize = 8;

impl Hard {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Hard {
        Hard { rng: SmallRng::seed_from_u64(seed) }
    }

    /// A move that looks good without search; `None` if there is a win or a threat to see.
    fn obvious_move(&mut self, board: &Board) -> Option<usize> {
        let Tactics { wins, blocks, safe: mut moves, .. } = Tactics::new(board);
        if !wins.is_empty() || !blocks.is_empty() || board.tables().misere {
            return None;
        }
        moves.sort_by_key(|&cell| std::cmp::Reverse(urgency(board, cell)));
        let choice = self.rng.random_range(0..moves.len().min(SLIP_CANDIDATES));
        moves.get(choice).copied()
    }
}

impl Strategy for Hard {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_ongoing(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice::without_verdict(board.cell(cell)));
        }
        let small = board.tables().cell_count <= SMALL_BOARD_CELLS;
        let slip = if small { SMALL_BOARD_SLIP_PROBABILITY } else { SLIP_PROBABILITY };
        if self.rng.random_bool(slip)
            && let Some(cell) = self.obvious_move(&board)
        {
            return Ok(Choice::without_verdict(board.cell(cell)));
        }
        let nodes = budget.nodes().map_or(MAX_NODES, |nodes| nodes.min(MAX_NODES));
        let budget = budget.clone().with_nodes(nodes);
        let best = Search::new(position, &budget, LIMITS).best_move();
        let best = best.ok_or(StrategyError::GameOver)?;
        Ok(Choice { mv: board.cell(best.cell).into(), verdict: Some(best.verdict) })
    }
}

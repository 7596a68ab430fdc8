//! Searches a few plies and sometimes slips.

use noughts_rules::{Move, Position};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::best_line::search_best_line;
use crate::board::Board;
use crate::method::Method;
use crate::search::SearchLimits;
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

/// The node limit in games without a search of their own.
const MAX_ANY_GAME_NODES: u64 = 20_000;

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
    fn obvious_move(&mut self, position: &Position, board: &Board) -> Option<Move> {
        let Tactics { wins, blocks, safe: mut moves, .. } = Tactics::new(position).ok()?;
        if !wins.is_empty() || !blocks.is_empty() || board.tables().misere {
            return None;
        }
        let index = |mv: &Move| mv.cell().map_or(0, |cell| board.tables().index(cell));
        moves.sort_by_key(|mv| std::cmp::Reverse(urgency(board, index(mv))));
        let choice = self.rng.random_range(0..moves.len().min(SLIP_CANDIDATES));
        moves.get(choice).copied()
    }
}

impl Strategy for Hard {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        let method = Method::of(position);
        if matches!(method, Method::Lines | Method::Renju) {
            let board = Board::new(position);
            let small = board.tables().cell_count <= SMALL_BOARD_CELLS;
            let slip = if small { SMALL_BOARD_SLIP_PROBABILITY } else { SLIP_PROBABILITY };
            if opening_move(&board).is_none()
                && self.rng.random_bool(slip)
                && let Some(mv) = self.obvious_move(position, &board)
            {
                return Ok(Choice::without_verdict(mv));
            }
        }
        let most = if method == Method::AnyGame { MAX_ANY_GAME_NODES } else { MAX_NODES };
        let nodes = budget.nodes().map_or(most, |nodes| nodes.min(most));
        let budget = budget.clone().with_nodes(nodes);
        let best = search_best_line(position, &budget, LIMITS, self.rng.random())?;
        Ok(Choice { mv: best.mv, verdict: Some(best.verdict) })
    }
}

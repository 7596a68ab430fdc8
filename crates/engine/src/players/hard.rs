//! Calculates, but not for long, and slips now and then.

use noughts_rules::Position;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::search::{Effort, Search};
use crate::sight::{Sight, opening_move};
use crate::threats::urgency;
use crate::{Budget, Choice, Strategy, StrategyError};

/// Searches a few moves deep on any board and for any number of seats. Once in a while it takes
/// the obvious move for the right one, which is how it can be beaten.
#[derive(Debug)]
pub struct Hard {
    rng: SmallRng,
}

/// More of the budget than this it does not use.
const MOST_NODES: u64 = 20_000;

const EFFORT: Effort = Effort { most_plies: 6, root_width: 24, width: 12 };

/// How often it slips. Where games are short there is less time for it.
const SLIPS: f64 = 0.15;
const SLIPS_ON_SMALL_BOARDS: f64 = 0.3;
const SMALL_BOARD: usize = 25;

/// Among so many of the most urgent moves it does not see the difference when it slips.
const OBVIOUS_MOVES: usize = 8;

impl Hard {
    /// A player that plays the same moves whenever it has the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Hard {
        Hard { rng: SmallRng::seed_from_u64(seed) }
    }

    /// A move that looks good at first sight, if nothing asks for more than that.
    fn obvious_move(&mut self, board: &Board) -> Option<usize> {
        let sight = Sight::new(board);
        if !sight.wins().is_empty() || !sight.blocks().is_empty() || board.geometry().misere {
            return None;
        }
        let mut moves = sight.bearable().to_vec();
        moves.sort_by_key(|&cell| std::cmp::Reverse(urgency(board, cell)));
        let choice = self.rng.random_range(0..moves.len().min(OBVIOUS_MOVES));
        moves.get(choice).copied()
    }
}

impl Strategy for Hard {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        let board = Board::of_game(position)?;
        if let Some(cell) = opening_move(&board) {
            return Ok(Choice::unjudged(board.cell(cell)));
        }
        let small = board.geometry().cells <= SMALL_BOARD;
        if self.rng.random_bool(if small { SLIPS_ON_SMALL_BOARDS } else { SLIPS })
            && let Some(cell) = self.obvious_move(&board)
        {
            return Ok(Choice::unjudged(board.cell(cell)));
        }
        let nodes = budget.nodes().map_or(MOST_NODES, |nodes| nodes.min(MOST_NODES));
        let budget = budget.clone().with_nodes(nodes);
        let found = Search::new(position, &budget, EFFORT).best_move();
        let found = found.ok_or(StrategyError::GameOver)?;
        Ok(Choice { cell: board.cell(found.cell), verdict: Some(found.verdict) })
    }
}

//! Static evaluation by open lines.

use crate::board::Board;
use crate::search::MATE;

/// The score of a line that lacks one stone.
const ONE_STONE_SHORT: i32 = 1000;

/// The score of an open line by its number of stones.
#[derive(Debug)]
pub(super) struct LineEval {
    by_stones: Vec<i32>,
    misere: bool,
}

/// The score of an open line with one stone: the unit of small advantages on this board.
pub(crate) fn single_stone_value(board: &Board) -> i32 {
    LineEval::new(board).by_stones.get(1).copied().unwrap_or(1)
}

impl LineEval {
    pub(super) fn new(board: &Board) -> LineEval {
        let k = board.tables().k as u32;
        let weight = |stones: u32| ONE_STONE_SHORT / 5i32.saturating_pow(k - 1 - stones);
        let by_stones = (0..k).map(|stones| weight(stones).max(i32::from(stones > 0))).collect();
        LineEval { by_stones, misere: board.tables().misere }
    }

    /// The score for a seat: its lines against those of its strongest opponent.
    pub(super) fn score(&self, board: &Board, seat: usize) -> i32 {
        let others = board.active_seats().iter().map(|&other| usize::from(other));
        let strongest = others.filter(|&other| other != seat).map(|other| self.lines(board, other));
        let score = self.lines(board, seat) - strongest.max().unwrap_or(0);
        let score = score.clamp(1 - MATE / 2, MATE / 2 - 1);
        if self.misere { -score } else { score }
    }

    fn lines(&self, board: &Board, seat: usize) -> i32 {
        let weights = self.by_stones.iter().enumerate();
        let sum: i32 = weights
            .map(|(stones, weight)| weight * board.open_lines_with(seat, stones) as i32)
            .sum();
        // Bonus for the seat to move.
        if board.turn() == seat { sum + sum / 4 } else { sum }
    }
}

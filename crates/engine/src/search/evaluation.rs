//! What a position looks like, from its open lines.

use super::MATE;
use crate::board::Board;

/// A line that lacks one stone.
const NEARLY_FULL: i32 = 1000;

/// What an open line is worth by its stones.
#[derive(Debug)]
pub(super) struct Weights {
    by_stones: Vec<i32>,
    misere: bool,
}

impl Weights {
    pub(super) fn new(board: &Board) -> Weights {
        let k = board.geometry().k as u32;
        let weight = |stones: u32| NEARLY_FULL / 5i32.saturating_pow(k - 1 - stones);
        let by_stones = (0..k).map(|stones| weight(stones).max(i32::from(stones > 0))).collect();
        Weights { by_stones, misere: board.geometry().misere }
    }

    /// How good the position looks for the seat: its lines against those of the strongest other.
    pub(super) fn estimate(&self, board: &Board, seat: usize) -> i32 {
        let others = board.order().iter().map(|&other| usize::from(other));
        let strongest = others.filter(|&other| other != seat).map(|other| self.lines(board, other));
        let score = self.lines(board, seat) - strongest.max().unwrap_or(0);
        let score = score.clamp(1 - MATE / 2, MATE / 2 - 1);
        if self.misere { -score } else { score }
    }

    fn lines(&self, board: &Board, seat: usize) -> i32 {
        let worth = self.by_stones.iter().enumerate();
        let sum: i32 =
            worth.map(|(stones, weight)| weight * board.open_with(seat, stones) as i32).sum();
        // Who is to move makes more of its lines.
        if board.turn() == seat { sum + sum / 4 } else { sum }
    }
}

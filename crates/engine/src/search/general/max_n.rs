//! Max-n search for more than two seats: each seat plays for itself.

use std::cmp::Reverse;

use super::GeneralSearch;
use crate::budget::OutOfBudget;
use crate::line_counts::MAX_SEATS;
use crate::search::MATE;
use crate::threats::{playable_wins, stones_to_win, urgency};

/// The score of each seat.
type Scores = [i32; MAX_SEATS];

/// Deeper searches take every seat for a perfect one, see no chances, and win less.
pub(super) const MAX_DEPTH_OF_MAX_N: u32 = 2;

/// The most moves to try in each position.
const MAX_WIDTH: usize = 8;

impl GeneralSearch {
    /// The scores after best play of every seat for itself.
    pub(super) fn max_n(&mut self, depth: u32, ply: u32) -> Result<Scores, OutOfBudget> {
        self.meter.spend()?;
        let (mover, next) = (self.board.turn(), self.board.next_turn());
        if let Some(stones) = stones_to_win(&self.board) {
            return Ok(decided(mover, ply + stones as u32));
        }
        if self.board.empty_count() == 0 {
            return Ok([0; MAX_SEATS]);
        }
        let mut moves = Vec::new();
        if self.board.tables().stones_per_turn == 1 {
            // The next seat wins unless the mover stops it.
            moves.extend(playable_wins(&self.board, next).take(2));
            if moves.len() > 1 {
                return Ok(decided(next, ply + 2));
            }
        }
        let is_forced = !moves.is_empty();
        if depth == 0 && !is_forced {
            let mut scores = [0; MAX_SEATS];
            for &seat in self.board.active_seats() {
                scores[usize::from(seat)] = self.eval.score(&self.board, seat.into());
            }
            return Ok(scores);
        }
        if !is_forced {
            moves.extend(self.board.legal_moves());
            let board = &self.board;
            moves.sort_by_key(|&cell| (Reverse(urgency(board, cell)), cell));
            moves.truncate(MAX_WIDTH.min(self.limits.width));
        }
        let mut best = [-MATE; MAX_SEATS];
        for cell in moves {
            self.clear_pv(ply + 1);
            self.board.play(cell);
            let scores = self.max_n(if is_forced { depth } else { depth - 1 }, ply + 1);
            self.board.undo();
            let scores = scores?;
            if scores[mover] > best[mover] {
                best = scores;
                self.update_pv(cell, ply);
            }
        }
        Ok(best)
    }
}

/// A win of this seat, at this many plies from the root.
fn decided(winner: usize, ply: u32) -> Scores {
    let mate = MATE - ply as i32;
    let mut scores = [-mate; MAX_SEATS];
    scores[winner] = mate;
    scores
}

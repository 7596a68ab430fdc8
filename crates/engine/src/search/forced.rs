//! Wins by continuous threats at the root of a search: one's own, and those that must be met.

use super::general::GeneralSearch;
use super::{Found, fours, threes};
use crate::verdict::{Value, Verdict};

/// One of so many parts of what is left of the budget goes into continuous threes.
const PARTS: usize = 6;

impl GeneralSearch {
    /// A proven win by fours alone, or by threes and fours.
    pub(super) fn forced_win(&mut self) -> Option<Found> {
        if self.fours_count()
            && let Some(line) = self.fours()
        {
            return Some(proven(*line.first()?, 2 * line.len() as u16 - 1));
        }
        if !self.forks_count() {
            return None;
        }
        self.threes().map(|win| proven(win.cell, win.plies))
    }

    /// Drops the moves after which the other seat wins by continuous fours, unless all are such.
    pub(super) fn keep_moves_against_fours(&mut self, moves: &mut Vec<usize>) {
        if !self.fours_count() || moves.len() < 2 {
            return;
        }
        self.board.pass();
        let threatened = self.fours().is_some();
        self.board.pass();
        if !threatened {
            return;
        }
        let mut holds = |&cell: &usize| {
            let completed = self.board.play(cell);
            let holds = completed || self.fours().is_none();
            self.board.undo();
            holds
        };
        let kept: Vec<usize> = moves.iter().copied().filter(|cell| holds(cell)).collect();
        if !kept.is_empty() {
            *moves = kept;
        }
    }

    fn fours(&mut self) -> Option<Vec<usize>> {
        fours::find_win(&mut self.board, &mut self.meter, fours::MOST_NODES)
    }

    fn threes(&mut self) -> Option<threes::Win> {
        let part = self.meter.begin_part(PARTS);
        let win = threes::find_win(&mut self.board, &mut self.meter);
        self.meter.end_part(part);
        win
    }

    /// Whether continuous fours are worth looking for.
    fn fours_count(&self) -> bool {
        let geometry = self.board.geometry();
        !geometry.misere && !geometry.gravity && self.board.order().len() == 2
    }
}

fn proven(cell: usize, plies: u16) -> Found {
    Found { cell, verdict: Verdict::Proven(Value::Win { plies }) }
}

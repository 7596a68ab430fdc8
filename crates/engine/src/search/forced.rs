//! Wins by continuous threats at the root of a search: one's own, and those that must be met.

use super::{Found, Search, fours, threes};
use crate::verdict::{Value, Verdict};

/// One of so many parts of what is left of the budget goes into continuous threes, each time.
const PARTS: usize = 6;

impl Search {
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
        self.threes(PARTS).map(|win| proven(win.cell, win.plies))
    }

    /// Drops the moves after which the other seat wins by continuous threats, unless all are
    /// such.
    pub(super) fn keep_moves_against_threats(&mut self, moves: &mut Vec<usize>) {
        if self.fours_count() {
            self.keep_moves(moves, |search, _| search.fours().is_none());
        }
        if self.forks_count() {
            self.keep_moves(moves, |search, parts| search.threes(parts).is_none());
        }
    }

    /// Keeps the moves after which the other seat does not win as the caller says, given how
    /// small a part of the budget is for each.
    fn keep_moves(&mut self, moves: &mut Vec<usize>, holds: impl Fn(&mut Search, usize) -> bool) {
        if moves.len() < 2 {
            return;
        }
        self.board.pass();
        let threatened = !holds(self, PARTS);
        self.board.pass();
        if !threatened {
            return;
        }
        let parts = 2 * moves.len();
        let mut holds_after = |&cell: &usize| {
            let completed = self.board.play(cell);
            let holds = completed || holds(self, parts);
            self.board.undo();
            holds
        };
        let kept: Vec<usize> = moves.iter().copied().filter(|cell| holds_after(cell)).collect();
        if !kept.is_empty() {
            *moves = kept;
        }
    }

    fn fours(&mut self) -> Option<Vec<usize>> {
        fours::find_win(&mut self.board, &mut self.meter, fours::MOST_NODES)
    }

    fn threes(&mut self, parts: usize) -> Option<threes::Win> {
        let part = self.meter.begin_part(parts);
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

//! Move ordering: the hash move, shapes, killer moves and the history heuristic.

use super::board::PatternBoard;
use super::threat::Threat;
use crate::search::threat_search::{CellIndex, ThreatBoard};

const KILLER_BONUS: i32 = 60;

/// The history bonus is a quarter of the count, up to a quarter of this.
const MAX_USED_HISTORY: i32 = 400;
const MAX_HISTORY: i32 = 1 << 20;

#[derive(Clone)]
pub(super) struct MoveOrdering {
    /// Two killer moves for each ply.
    killers: Vec<[CellIndex; 2]>,
    /// The history heuristic, by seat and cell.
    history: [Vec<i32>; 2],
}

impl MoveOrdering {
    pub(super) fn new(max_ply: u32, padded_count: usize) -> MoveOrdering {
        MoveOrdering {
            killers: vec![[0; 2]; max_ply as usize + 1],
            history: [vec![0; padded_count], vec![0; padded_count]],
        }
    }

    /// Pushes at most `width` moves with their scores, the most promising first.
    pub(super) fn push_moves(
        &self,
        board: &PatternBoard,
        moves: &mut Vec<(i32, CellIndex)>,
        hash_move: Option<CellIndex>,
        ply: u32,
        width: usize,
    ) {
        let (me, other) = (board.turn(), board.opponent());
        // In renju a move elsewhere can make a double four forbidden.
        let threatened = board.count(other, Threat::DoubleFour) > 0 && !board.is_renju();
        let killers = self.killers[ply as usize];
        let first = moves.len();
        let urgency =
            |cell| 2 * i32::from(board.urgency(me, cell)) + i32::from(board.urgency(other, cell));
        let is_restricted = board.is_restricted(me);
        for cell in board.empty_cells() {
            // Only a move that makes or prevents a four stops a double four.
            if threatened && board.threat(me, cell).max(board.threat(other, cell)) < Threat::Four {
                continue;
            }
            let urgency = urgency(cell);
            if urgency == 0 || (is_restricted && !board.may_play(cell)) {
                continue;
            }
            let history = self.history[me][usize::from(cell)].min(MAX_USED_HISTORY) / 4;
            let killer = if killers.contains(&cell) { KILLER_BONUS } else { 0 };
            let score =
                if hash_move == Some(cell) { i32::MAX } else { urgency * 4 + history + killer };
            moves.push((score, cell));
        }
        if moves.len() == first {
            // An empty board, no line left to complete, or no defence.
            let playable = board.empty_cells().filter(|&cell| board.may_play(cell));
            moves.extend(playable.map(|cell| (urgency(cell), cell)));
        }
        moves[first..].sort_unstable_by(|a, b| b.cmp(a));
        moves.truncate(first + width);
    }

    /// Updates killer moves and history after a beta cutoff.
    pub(super) fn record_cutoff(&mut self, seat: usize, cell: CellIndex, depth: i32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let count = &mut self.history[seat][usize::from(cell)];
        *count = (*count + depth.max(0) * depth.max(0)).min(MAX_HISTORY);
    }

    /// Halves the history between two iterations of deepening.
    pub(super) fn age_history(&mut self) {
        self.history.iter_mut().flatten().for_each(|count| *count /= 2);
    }
}

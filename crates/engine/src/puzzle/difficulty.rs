//! How hard a puzzle is.

use std::cmp::Reverse;

use noughts_rules::{Move, Position};

use super::proof::Proof;
use super::{DIFFICULTIES, own_moves};
use crate::board::Board;
use crate::generic::{Evaluate, PositionEvaluation};
use crate::tactics::Tactics;
use crate::threats::{makes_threat, urgency};

/// See [`Puzzle::difficulty`](super::Puzzle::difficulty).
pub(super) fn difficulty(position: &Position, proof: &Proof) -> u8 {
    let Some(&right) = proof.solution.first() else { return *DIFFICULTIES.start() };
    let tempting = tempting_moves(position, right).len();
    let own_moves = own_moves(position, &proof.solution);
    let points = own_moves.saturating_sub(2)
        + usize::from(tempting >= 2)
        + usize::from(tempting >= 5)
        + usize::from(!threatens(position, right));
    let points = points.min(usize::from(DIFFICULTIES.end() - DIFFICULTIES.start()));
    DIFFICULTIES.start() + points as u8
}

/// The moves other than the right one that threaten to win at once, or that win, block or promise at
/// least as much at first sight; the most tempting first.
pub(super) fn tempting_moves(position: &Position, right: Move) -> Vec<Move> {
    let Ok(tactics) = Tactics::new(position) else { return Vec::new() };
    let Tactics { sound, wins, blocks, safe } = tactics;
    let considered = [wins, blocks, safe].into_iter().find(|moves| !moves.is_empty());
    let considered = considered.unwrap_or(sound);
    let promise = Promise::of(position);
    let promise_of = |mv: Move| considered.contains(&mv).then(|| promise.of_move(mv));
    let least = promise_of(right).unwrap_or(i64::MIN);
    let mut tempting: Vec<(i64, Move)> = Vec::new();
    for mv in position.legal_moves().filter(|&mv| mv != right) {
        let promise = promise_of(mv);
        if promise.is_some_and(|promise| promise >= least) || threatens(position, mv) {
            tempting.push((promise.unwrap_or(i64::MIN), mv));
        }
    }
    // Stable, so that equal moves keep the order of the cells.
    tempting.sort_by_key(|&(promise, _)| Reverse(promise));
    tempting.into_iter().map(|(_, mv)| mv).collect()
}

/// How good moves look at first sight.
struct Promise<'a> {
    position: &'a Position,
    /// For games in which lines count.
    board: Option<Board>,
    evaluation: PositionEvaluation,
}

impl Promise<'_> {
    fn of(position: &Position) -> Promise<'_> {
        let evaluation = PositionEvaluation::new(position.rules());
        Promise { position, board: Board::counting(position), evaluation }
    }

    /// By the open lines through the cell, or else by the evaluation after the move.
    fn of_move(&self, mv: Move) -> i64 {
        if let Some(board) = &self.board {
            let Some(cell) = mv.cell() else { return 0 };
            let urgency = i64::from(urgency(board, board.tables().index(cell)));
            return if board.tables().misere { -urgency } else { urgency };
        }
        let mut after = self.position.clone();
        match after.play(mv) {
            Ok(None) if after.turn() == self.position.turn() => {
                self.evaluation.evaluate(&after).into()
            }
            Ok(None) => -i64::from(self.evaluation.evaluate(&after)),
            _ => 0,
        }
    }
}

/// Whether a move makes a line that one more move completes, where that is known.
fn threatens(position: &Position, mv: Move) -> bool {
    let (Some(cell), true) = (mv.cell(), Board::supports(position)) else { return false };
    let board = Board::new(position);
    !board.tables().misere && makes_threat(&board, board.turn(), board.tables().index(cell))
}

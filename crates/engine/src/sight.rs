//! What a player sees without thinking ahead: wins, threats, and moves that throw the game away.

use std::cmp::Reverse;

use crate::board::Board;
use crate::solve::SOLVABLE_CELLS;
use crate::threats::urgency;

/// The move that begins a game on a board too large to be solved: most lines lead through the
/// middle. `None` later in the game, on smaller boards, and where lines are to be avoided.
pub(crate) fn opening_move(board: &Board) -> Option<usize> {
    let geometry = board.geometry();
    let begins = board.empty() == geometry.cells && geometry.cells > SOLVABLE_CELLS;
    let worth = |&cell: &usize| (urgency(board, cell), Reverse(geometry.off_centre(cell)));
    board.legal_moves().filter(|_| begins && !geometry.misere).max_by_key(worth)
}

/// The legal moves of a position, and which of them stand out.
#[derive(Debug)]
pub(crate) struct Sight {
    legal: Vec<usize>,
    wins: Vec<usize>,
    blocks: Vec<usize>,
    bearable: Vec<usize>,
}

impl Sight {
    pub(crate) fn new(board: &Board) -> Sight {
        let geometry = board.geometry();
        let (mover, misere) = (board.turn(), geometry.misere);
        let others: Vec<usize> =
            board.order().iter().map(|&s| s.into()).filter(|&s: &usize| s != mover).collect();
        let others_complete = |cell: usize| others.iter().any(|&seat| board.completes(seat, cell));
        // With gravity, what rests on a move is within the others' reach.
        let hands_over =
            |cell: usize| geometry.gravity && geometry.above(cell).is_some_and(others_complete);
        let legal: Vec<usize> = board.legal_moves().collect();
        let those = |wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            legal.iter().copied().filter(|&cell| wanted(cell)).collect()
        };
        let mut bearable =
            those(&|cell| if misere { !board.completes(mover, cell) } else { !hands_over(cell) });
        if bearable.is_empty() {
            bearable.clone_from(&legal);
        }
        Sight {
            wins: those(&|cell| !misere && board.completes(mover, cell)),
            blocks: those(&|cell| !misere && others_complete(cell)),
            bearable,
            legal,
        }
    }

    /// All legal moves.
    pub(crate) fn legal(&self) -> &[usize] {
        &self.legal
    }

    /// Moves that win at once.
    pub(crate) fn wins(&self) -> &[usize] {
        &self.wins
    }

    /// Moves into cells in which another seat would win.
    pub(crate) fn blocks(&self) -> &[usize] {
        &self.blocks
    }

    /// Moves that do not lose by the next move (or, in misère games, at once); all, if none is
    /// such.
    pub(crate) fn bearable(&self) -> &[usize] {
        &self.bearable
    }
}

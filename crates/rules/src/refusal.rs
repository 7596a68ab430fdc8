//! Refusals: why an action is not possible.

use crate::renju::Forbidden;
use crate::{Cell, Seat, Zone};

/// Why an action is not possible. A refused action changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The cell is off the board.
    #[error("{cell} is not on the board: rows go from A to {last_row}, columns from 1 to {cols}{levels}",
        last_row = char::from(b'A' + rows - 1),
        levels = if *levels > 1 { format!(", levels from 1 to {levels}") } else { String::new() })]
    OffBoard {
        /// The refused cell.
        cell: Cell,
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
        /// Levels of the board, or boards side by side.
        levels: u8,
    },
    /// The cell is taken.
    #[error("{cell} is taken, choose an empty box")]
    Taken {
        /// The refused cell.
        cell: Cell,
    },
    /// With gravity: the cell below is empty.
    #[error("{cell} has nothing below it: the lowest empty box in that column is {lowest}")]
    Floating {
        /// The refused cell.
        cell: Cell,
        /// The lowest empty cell of that column.
        lowest: Cell,
    },
    /// The sub-board of the cell is won or full.
    #[error("{cell} is in a closed board: choose a box in an open one")]
    ClosedBoard {
        /// The refused cell.
        cell: Cell,
        /// Its board.
        board: Zone,
    },
    /// The last move sent the player to another sub-board.
    #[error(
        "{cell} is in another board: you must move where the last move sends you, from {first} to {last}"
    )]
    OtherBoard {
        /// The refused cell.
        cell: Cell,
        /// The board to play.
        board: Zone,
        /// Its first cell.
        first: Cell,
        /// Its last cell.
        last: Cell,
    },
    /// The mover chooses a mark, and the move names none.
    #[error("choose a mark too: {cell}=x or {cell}=o")]
    WhichMark {
        /// The refused cell.
        cell: Cell,
    },
    /// The move names a mark, and the mover has no choice.
    #[error("the mark is not yours to choose: write {cell} alone")]
    NoChoiceOfMark {
        /// The refused cell.
        cell: Cell,
    },
    /// The renju rules forbid the move.
    #[error("{cell} is forbidden: it makes {why}")]
    Forbidden {
        /// The refused cell.
        cell: Cell,
        /// What it would make.
        why: Forbidden,
    },
    /// An opening choice is due.
    #[error("first choose: swap marks or keep them{}", if *more { ", or place two more stones (more)" } else { "" })]
    ChoiceDue {
        /// Whether two more stones are a choice.
        more: bool,
    },
    /// There is nothing to choose now.
    #[error("swap, keep and more are only possible in the opening")]
    NoChoiceDue,
    /// It is another seat's turn.
    #[error("it is player {turn}'s turn, not player {seat}'s")]
    NotYourTurn {
        /// The seat that tried to move.
        seat: Seat,
        /// The seat to move.
        turn: Seat,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// There is nothing to undo.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// There is nothing to redo.
    #[error("there is no move to make again")]
    NothingToRedo,
    /// The game has no such seat, or it has resigned.
    #[error("player {seat} is not in this game")]
    NotPlaying {
        /// The seat that tried to resign.
        seat: Seat,
    },
}

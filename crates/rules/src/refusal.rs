//! Refusals: why an action is not possible.

use crate::{Cell, Seat};

/// Why an action is not possible. A refused action changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The cell is off the board.
    #[error("{cell} is not on the board: rows go from A to {last_row}, columns from 1 to {cols}",
        last_row = char::from(b'A' + rows - 1))]
    OffBoard {
        /// The refused cell.
        cell: Cell,
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
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
    /// The game has no such seat, or it has resigned.
    #[error("player {seat} is not in this game")]
    NotPlaying {
        /// The seat that tried to resign.
        seat: Seat,
    },
}

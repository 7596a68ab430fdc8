//! Why something can't be done in a game.

use crate::{Cell, Seat};

/// Why something can't be done. What was refused changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The cell is off the board.
    #[error("{cell} is not on the board: rows go from A to {last_row}, columns from 1 to {cols}",
        last_row = char::from(b'A' + rows - 1))]
    OffBoard {
        /// The cell asked for.
        cell: Cell,
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
    },
    /// The cell is taken.
    #[error("{cell} is taken, choose an empty box")]
    Taken {
        /// The cell asked for.
        cell: Cell,
    },
    /// With gravity: nothing is below the cell.
    #[error("{cell} hangs in the air: the lowest empty box of that column is {lowest}")]
    Floating {
        /// The cell asked for.
        cell: Cell,
        /// Where a move in that column comes to rest.
        lowest: Cell,
    },
    /// It is another seat's turn.
    #[error("it is player {turn}'s turn, not player {seat}'s")]
    NotYourTurn {
        /// Who tried.
        seat: Seat,
        /// Whose turn it is.
        turn: Seat,
    },
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// There is nothing to take back.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// The seat is not one of this game, or resigned before.
    #[error("player {seat} is not in this game")]
    NotPlaying {
        /// Who tried.
        seat: Seat,
    },
}

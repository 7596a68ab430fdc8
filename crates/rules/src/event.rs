//! Events: what a change of a game did.

use crate::{Cell, Mark, Move, Seat, Status, Zone};

/// A change of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Event {
    /// A seat moved.
    Moved {
        /// The seat that moved.
        seat: Seat,
        /// The move.
        mv: Move,
        /// The mark that it placed; `None` for an opening choice.
        mark: Option<Mark>,
    },
    /// The oldest mark of a seat disappeared.
    Faded {
        /// The cell, which is empty again.
        cell: Cell,
        /// The mark that stood there.
        mark: Mark,
    },
    /// A sub-board is closed.
    BoardClosed {
        /// The sub-board.
        board: Zone,
        /// The mark with a line there; `None` if the board is full.
        by: Option<Mark>,
    },
    /// A move was undone.
    MoveUndone {
        /// The seat that had moved.
        seat: Seat,
        /// The move.
        mv: Move,
    },
    /// A seat left the game.
    Resigned {
        /// The seat that resigned.
        seat: Seat,
    },
    /// A resignation was undone.
    ResignationUndone {
        /// The seat that is back in the game.
        seat: Seat,
    },
    /// The next move is due.
    Turn {
        /// The seat to move.
        seat: Seat,
        /// How many stones the seat may still place in this turn.
        stones: u8,
        /// The sub-board in which it must move.
        board: Option<Zone>,
    },
    /// The game ended.
    Finished {
        /// How it ended.
        status: Status,
    },
}

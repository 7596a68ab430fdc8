//! Events: what a change of a game did.

use crate::{Cell, Seat, Status};

/// A change of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A seat took a cell.
    Moved {
        /// The seat that moved.
        seat: Seat,
        /// The cell it took.
        cell: Cell,
    },
    /// A move was undone: its cell is empty again.
    MoveUndone {
        /// The seat that had moved.
        seat: Seat,
        /// The cell it had taken.
        cell: Cell,
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
    /// The next turn began.
    Turn {
        /// The seat to move.
        seat: Seat,
    },
    /// The game ended.
    Finished {
        /// How it ended.
        status: Status,
    },
}

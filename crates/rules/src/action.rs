//! Actions, and how a position stores them for undo.

use crate::{Cell, Seat};

/// A move or a resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The seat took a cell.
    Move {
        /// The seat that moved.
        seat: Seat,
        /// The cell it took.
        cell: Cell,
    },
    /// The seat left the game; its cells stay.
    Resign {
        /// The seat that resigned.
        seat: Seat,
    },
}

impl Action {
    /// The seat that acted.
    #[must_use]
    pub fn seat(self) -> Seat {
        match self {
            Action::Move { seat, .. } | Action::Resign { seat } => seat,
        }
    }
}

/// An action in two bytes, with all that undo needs. From the lowest bit: ten bits for the key of
/// the cell or, for a resignation, the seat that was to move; three for the seat; one that marks
/// resignations.
#[derive(Clone, Copy, Default)]
pub(crate) struct UndoEntry(u16);

impl UndoEntry {
    const SEAT: u32 = 10;
    const RESIGNED: u16 = 1 << 13;

    #[inline]
    pub(crate) fn played(seat: Seat, cell: Cell) -> UndoEntry {
        UndoEntry(cell.key() as u16 | (seat.index() as u16) << UndoEntry::SEAT)
    }

    pub(crate) fn resigned(seat: Seat, turn: Seat) -> UndoEntry {
        UndoEntry(
            turn.index() as u16 | (seat.index() as u16) << UndoEntry::SEAT | UndoEntry::RESIGNED,
        )
    }

    /// The seat that was to move when this seat resigned.
    pub(crate) fn turn_before(self) -> Seat {
        Seat::from_index((self.0 & 7) as u8)
    }

    #[inline]
    pub(crate) fn action(self) -> Action {
        let seat = Seat::from_index((self.0 >> UndoEntry::SEAT & 7) as u8);
        if self.0 & UndoEntry::RESIGNED != 0 {
            Action::Resign { seat }
        } else {
            Action::Move { seat, cell: Cell::from_key(self.0 & ((1 << UndoEntry::SEAT) - 1)) }
        }
    }
}

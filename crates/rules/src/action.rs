//! What seats do, and how a position remembers it.

use crate::{Cell, Seat};

/// Something a seat did on its way to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// The seat took a cell.
    Move {
        /// Who moved.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// The seat left the game; its cells stay.
    Resign {
        /// Who resigned.
        seat: Seat,
    },
}

impl Action {
    /// Who did it.
    #[must_use]
    pub fn seat(self) -> Seat {
        match self {
            Action::Move { seat, .. } | Action::Resign { seat } => seat,
        }
    }
}

/// An action in two bytes, with what undoing it needs. From the lowest bit: ten bits for the key
/// of the cell, or for whose turn it was when a seat resigned; three for the seat; one that is set
/// for resignations.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step(u16);

impl Step {
    const SEAT: u32 = 10;
    const RESIGNED: u16 = 1 << 13;

    #[inline]
    pub(crate) fn played(seat: Seat, cell: Cell) -> Step {
        Step(cell.key() as u16 | (seat.index() as u16) << Step::SEAT)
    }

    pub(crate) fn resigned(seat: Seat, turn: Seat) -> Step {
        Step(turn.index() as u16 | (seat.index() as u16) << Step::SEAT | Step::RESIGNED)
    }

    /// Whose turn it was when the seat resigned.
    pub(crate) fn turn_before(self) -> Seat {
        Seat::of_game((self.0 & 7) as u8)
    }

    #[inline]
    pub(crate) fn action(self) -> Action {
        let seat = Seat::of_game((self.0 >> Step::SEAT & 7) as u8);
        if self.0 & Step::RESIGNED != 0 {
            Action::Resign { seat }
        } else {
            Action::Move { seat, cell: Cell::from_key(self.0 & ((1 << Step::SEAT) - 1)) }
        }
    }
}

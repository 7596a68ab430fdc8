//! What seats do, and how a position remembers it.

use crate::{Cell, Rules, Seat};

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

/// An action in two bytes, with what undoing it needs. From the lowest bit: ten bits for the
/// number of the cell, or for whose turn it was when a seat resigned; three for the seat; one that
/// is set for resignations.
#[derive(Clone, Copy)]
pub(crate) struct Step(u16);

impl Step {
    const SEAT: u32 = 10;
    const RESIGNED: u16 = 1 << 13;

    #[inline]
    pub(crate) fn played(seat: u8, index: usize) -> Step {
        Step(index as u16 | u16::from(seat) << Step::SEAT)
    }

    pub(crate) fn resigned(seat: u8, turn: u8) -> Step {
        Step(u16::from(turn) | u16::from(seat) << Step::SEAT | Step::RESIGNED)
    }

    #[inline]
    pub(crate) fn is_resignation(self) -> bool {
        self.0 & Step::RESIGNED != 0
    }

    #[inline]
    pub(crate) fn seat(self) -> u8 {
        (self.0 >> Step::SEAT & 7) as u8
    }

    /// The number of the cell that was taken.
    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & ((1 << Step::SEAT) - 1))
    }

    /// Whose turn it was when the seat resigned.
    pub(crate) fn turn_before(self) -> u8 {
        (self.0 & 7) as u8
    }

    #[inline]
    pub(crate) fn action(self, rules: &Rules) -> Action {
        let seat = Seat::of_game(self.seat());
        if self.is_resignation() {
            Action::Resign { seat }
        } else {
            let (row, col) = (
                self.index() / usize::from(rules.cols()),
                self.index() % usize::from(rules.cols()),
            );
            Action::Move { seat, cell: Cell::on_board(row as u8, col as u8) }
        }
    }
}

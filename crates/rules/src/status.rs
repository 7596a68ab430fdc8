//! How a game stands.

use crate::{Cell, Seat};

/// How a finished game ended, in the least that a search needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat won.
    Win(Seat),
    /// The board is full and nobody won.
    Draw,
}

/// How a game stands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game goes on.
    InProgress {
        /// Whose turn it is.
        turn: Seat,
    },
    /// The game is over and a seat has won.
    Won {
        /// Who won.
        seat: Seat,
        /// Every cell of every completed line, row by row; in misère games these are the
        /// loser's. None where the others resigned.
        cells: Vec<Cell>,
    },
    /// The board is full and nobody won.
    Draw,
}

impl Status {
    /// How the game ended, if it did.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Status::InProgress { .. } => None,
            Status::Won { seat, .. } => Some(Outcome::Win(*seat)),
            Status::Draw => Some(Outcome::Draw),
        }
    }
}

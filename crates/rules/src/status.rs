//! The state of a game: in progress, won or drawn.

use crate::{Cell, Seat};

/// The outcome of a finished game: what a search needs of [`Status`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat won.
    Win(Seat),
    /// The board is full and nobody won.
    Draw,
}

/// The state of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Status {
    /// The game is not over.
    InProgress {
        /// The seat to move.
        turn: Seat,
    },
    /// A seat won.
    Won {
        /// The winner.
        seat: Seat,
        /// The cells of all completed lines, row by row; the loser's in misère games, none if the
        /// others resigned.
        cells: Vec<Cell>,
    },
    /// The board is full and nobody won.
    Draw,
}

impl Status {
    /// The outcome, or `None` if the game is not over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Status::InProgress { .. } => None,
            Status::Won { seat, .. } => Some(Outcome::Win(*seat)),
            Status::Draw => Some(Outcome::Draw),
        }
    }
}

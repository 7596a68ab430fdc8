//! The state of a game: in progress, won or drawn.

use crate::{Cell, Seat};

/// The outcome of a finished game: what a search needs of [`Status`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This seat won.
    Win(Seat),
    /// Nobody won.
    Draw,
}

/// Why a game is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum DrawReason {
    /// No move is left.
    Full,
    /// The position occurred for the third time.
    Repetition,
    /// The game reached [`MAX_MOVES`](crate::MAX_MOVES).
    Length,
}

/// The state of a game.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
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
        /// The cells of all completed lines in the order of the board; the loser's in misère games.
        /// None if the others resigned, or a full board wins.
        cells: Vec<Cell>,
    },
    /// Nobody won.
    Draw {
        /// Why.
        reason: DrawReason,
    },
}

impl Status {
    /// The outcome, or `None` if the game is not over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Status::InProgress { .. } => None,
            Status::Won { seat, .. } => Some(Outcome::Win(*seat)),
            Status::Draw { .. } => Some(Outcome::Draw),
        }
    }
}

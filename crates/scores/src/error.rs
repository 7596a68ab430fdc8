//! Errors. A refused operation changes nothing.

use thiserror::Error;

use crate::{MAX_NAME_BYTES, MAX_PLAYERS, ResultId, System};

/// An invalid player name.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// The name is empty.
    #[error("a name needs at least one character")]
    Empty,
    /// The name is longer than [`MAX_NAME_BYTES`].
    #[error("a name has at most {MAX_NAME_BYTES} bytes, this one has {bytes}")]
    TooLong {
        /// The length in bytes.
        bytes: usize,
    },
}

/// Players and an outcome that make no valid result.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ResultError {
    /// One of the names is invalid.
    #[error("seat {seat}: {reason}")]
    Name {
        /// The seat of the name.
        seat: usize,
        /// What is wrong with it.
        reason: NameError,
    },
    /// Too few or too many players.
    #[error("a result has 2 to {MAX_PLAYERS} players, this one has {players}")]
    PlayerCount {
        /// The number of players.
        players: usize,
    },
    /// One player in two seats.
    #[error("{player:?} has both seat {first} and seat {second}")]
    SamePlayer {
        /// The player's key in the second of the two seats, as text.
        player: String,
        /// The lower seat.
        first: usize,
        /// The higher seat.
        second: usize,
    },
    /// The winner's seat does not exist.
    #[error("seat {seat} cannot have won: the seats are 0 to {}", players - 1)]
    NoSuchSeat {
        /// The winner's seat.
        seat: u8,
        /// The number of players.
        players: usize,
    },
}

/// A result that a league can't rate.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ReportError {
    /// The rating system compares fewer players.
    #[error(
        "{system} rates games of {max} players, this one had {players}; try {}",
        System::WengLin
    )]
    TooManyPlayers {
        /// The league's system.
        system: System,
        /// The most players that the system compares.
        max: usize,
        /// The number of players.
        players: usize,
    },
    /// A result with this id was reported before, retracted or not.
    #[error("result {0} was reported before")]
    DuplicateId(ResultId),
    /// The id is lower than that of an earlier report.
    #[error("result {id} comes after result {newest}; ids must increase")]
    IdOutOfOrder {
        /// The refused id.
        id: ResultId,
        /// The highest id so far.
        newest: ResultId,
    },
    /// The league holds as many results as it can number.
    #[error("the league is full")]
    Full,
}

/// A result that can't be retracted.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum RetractError {
    /// No result has this id.
    #[error("there is no result {0}")]
    Unknown(ResultId),
    /// The result was retracted before.
    #[error("result {0} is already retracted")]
    AlreadyRetracted(ResultId),
}

/// An unknown rating system.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{found:?} is not a rating system; expected one of {}", System::ALL.map(System::as_str).join(", "))]
pub struct ParseSystemError {
    /// The text.
    pub found: String,
}

/// A segment whose bytes were not written by [`League::segment`](crate::League::segment) of a league with
/// the same system.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("the segment of results is damaged")]
pub struct SegmentError;

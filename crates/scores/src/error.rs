//! Everything that can be refused, and why. A refusal changes nothing.

use thiserror::Error;

use crate::{MAX_NAME_BYTES, MAX_PLAYERS, ResultId, System};

/// A text that cannot be the name of a player.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// The text has no characters.
    #[error("a name needs at least one character")]
    Empty,
    /// The text is longer than [`MAX_NAME_BYTES`].
    #[error("a name has at most {MAX_NAME_BYTES} bytes, this one has {bytes}")]
    TooLong {
        /// The length of the text in bytes.
        bytes: usize,
    },
}

/// Players and an outcome that do not make a result.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ResultError {
    /// One of the names is not a name.
    #[error("seat {seat}: {reason}")]
    Name {
        /// The seat whose name was refused.
        seat: usize,
        /// What is wrong with it.
        reason: NameError,
    },
    /// Too few or too many players.
    #[error("a result has 2 to {MAX_PLAYERS} players, this one has {players}")]
    PlayerCount {
        /// How many players were given.
        players: usize,
    },
    /// One person in two seats, perhaps spelled in two ways.
    #[error("{name:?} has both seat {first} and seat {second}")]
    SamePlayer {
        /// The name as written for the second of the two seats.
        name: String,
        /// The lower seat.
        first: usize,
        /// The higher seat.
        second: usize,
    },
    /// The winner's seat is not a seat of this game.
    #[error("seat {seat} cannot have won: the seats are 0 to {}", players - 1)]
    NoSuchSeat {
        /// The seat that was said to have won.
        seat: u8,
        /// How many players the game had.
        players: usize,
    },
}

/// A result that a league does not take.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum ReportError {
    /// The league's rating system compares two players only.
    #[error(
        "{system} rates games of {most} players, this one had {players}; try {}",
        System::WengLin
    )]
    TooManyPlayers {
        /// The league's system.
        system: System,
        /// How many players that system can compare.
        most: usize,
        /// How many players the game had.
        players: usize,
    },
    /// The id belongs to a result that was reported before, retracted or not.
    #[error("result {0} was reported before")]
    DuplicateId(ResultId),
    /// Results come in the order of their ids, and this one comes too late.
    #[error("result {id} comes after result {newest}; ids must increase")]
    IdOutOfOrder {
        /// The id that was refused.
        id: ResultId,
        /// The highest id so far.
        newest: ResultId,
    },
    /// The league holds as many results or names as it can number.
    #[error("the league is full")]
    Full,
}

/// A result that cannot be taken back.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum RetractError {
    /// No result with this id was ever reported.
    #[error("there is no result {0}")]
    Unknown(ResultId),
    /// The result was taken back before.
    #[error("result {0} is already retracted")]
    AlreadyRetracted(ResultId),
}

/// A text that names no rating system.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{found:?} is not a rating system; expected one of {}", System::ALL.map(System::as_str).join(", "))]
pub struct ParseSystemError {
    /// The text as it was given.
    pub found: String,
}

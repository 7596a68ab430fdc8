//! Why something is refused in an online game.

use noughts_api::ErrorCode;
use noughts_rules::{NameError, ParseSymbolError};

/// Why something is refused. What was refused changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rules say no.
    #[error("{0}")]
    Rules(#[from] noughts_rules::Refusal),
    /// The sender has not seen what happened last.
    #[error("the game is at sequence {seq}, not {seen}: look again")]
    Stale {
        /// Where the game is.
        seq: u32,
        /// What the sender said it saw.
        seen: u32,
    },
    /// The sender has no seat.
    #[error("you have no seat in this game")]
    NotAPlayer,
    /// The sender has another seat.
    #[error("that seat is not yours")]
    NotYourSeat,
    /// Some seats are still free.
    #[error("the game has not begun: it waits for players")]
    NotStarted,
    /// The game can't be aborted any more.
    #[error("a game can be aborted before the second move only: resign instead")]
    TooLateToAbort,
    /// The game is over, so nobody can do that.
    #[error("the game is over")]
    GameOver,
    /// The game is not over, so nobody can do that yet.
    #[error("the game is not over")]
    NotOver,
    /// A rated game that is over stays as it is.
    #[error("a rated game that is over can't be taken back")]
    RatedIsFinal,
    /// Nobody could refuse to let a rated game's move be taken back.
    #[error("in a rated game a move is taken back only if others agree, and computers do not")]
    NobodyToAsk,
    /// There is no move of the sender's to take back.
    #[error("you have no move to take back")]
    NothingToUndo,
    /// So much has happened in the game that no more moves are taken back.
    #[error("too much was taken back in this game: play on")]
    TooManyUndos,
    /// An undo is being asked for already.
    #[error("someone is asking to take back a move already")]
    UndoPending,
    /// Nobody asks for an undo, or the sender was not asked.
    #[error("nobody asks you to take back a move")]
    NoUndoAsked,
    /// There is no free seat for the sender.
    #[error("there is no free seat for you")]
    NoFreeSeat,
    /// The sender has a seat.
    #[error("you have a seat in this game already")]
    AlreadySeated,
    /// Nobody is away, or not for long enough.
    #[error("a claim is possible when a player has been away for long enough; {0}")]
    NotAway(Away),
    /// The rematch is agreed already.
    #[error("you have asked for a rematch already")]
    RematchAsked,
    /// The same person twice in a rated game.
    #[error("a rated game needs different players")]
    RatedAgainstOneself,
    /// The same person is to come to two seats, and could to one only.
    #[error("a player can be invited to one seat only")]
    InvitedTwice,
    /// There is no such computer player.
    #[error("`{0}` is not a computer player: expected random, easy, medium, hard or perfect")]
    UnknownLevel(String),
    /// The rules are for another number of seats.
    #[error("expected {expected} seats, got {got}")]
    SeatCount {
        /// How many the rules ask for.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// The times of the clock can't be.
    #[error("expected a clock of 1 second to 7 days with an increment of at most 1 hour")]
    ClockRule,
    /// A symbol is none.
    #[error("{0}")]
    Symbol(ParseSymbolError),
    /// A name is none.
    #[error("{0}")]
    Name(NameError),
    /// Two players with one symbol.
    #[error("players {first} and {second} have the same symbol, each needs one of their own")]
    SameSymbol {
        /// The first of the two, from 1.
        first: usize,
        /// The second of the two, from 1.
        second: usize,
    },
}

/// How far away a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// Everyone is here.
    Nobody,
    /// Someone is away, but not for long enough.
    For {
        /// Milliseconds until the claim is possible.
        left_ms: i64,
    },
}

impl std::fmt::Display for Away {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Away::Nobody => f.write_str("nobody is away"),
            // Rounded up: after so many seconds the claim is possible.
            Away::For { left_ms } => match left_ms.unsigned_abs().div_ceil(1000) {
                0 | 1 => f.write_str("wait 1 second more"),
                seconds => write!(f, "wait {seconds} seconds more"),
            },
        }
    }
}

impl Refusal {
    /// The stable code by which programs know the refusal.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        use noughts_rules::Refusal as R;
        match self {
            Refusal::Rules(R::OffBoard { .. }) => ErrorCode::OffBoard,
            Refusal::Rules(R::Taken { .. }) => ErrorCode::Taken,
            Refusal::Rules(R::Floating { .. }) => ErrorCode::Floating,
            Refusal::Rules(R::NotYourTurn { .. }) => ErrorCode::NotYourTurn,
            Refusal::Rules(R::GameOver) | Refusal::GameOver => ErrorCode::GameOver,
            Refusal::Rules(R::NothingToUndo) | Refusal::NothingToUndo => ErrorCode::NothingToUndo,
            Refusal::Rules(R::NotPlaying { .. }) => ErrorCode::NotPlaying,
            Refusal::Stale { .. } => ErrorCode::Stale,
            Refusal::NotAPlayer => ErrorCode::NotAPlayer,
            Refusal::NotYourSeat => ErrorCode::NotYourSeat,
            Refusal::NotStarted => ErrorCode::NotStarted,
            Refusal::TooLateToAbort => ErrorCode::TooLateToAbort,
            Refusal::NotOver => ErrorCode::NotOver,
            Refusal::RatedIsFinal => ErrorCode::RatedIsFinal,
            Refusal::NobodyToAsk => ErrorCode::NobodyToAsk,
            Refusal::TooManyUndos => ErrorCode::TooManyUndos,
            Refusal::UndoPending => ErrorCode::UndoPending,
            Refusal::NoUndoAsked => ErrorCode::NoUndoRequest,
            Refusal::NoFreeSeat => ErrorCode::NoFreeSeat,
            Refusal::AlreadySeated => ErrorCode::AlreadySeated,
            Refusal::NotAway(_) => ErrorCode::NotAway,
            Refusal::RematchAsked => ErrorCode::RematchOffered,
            Refusal::RatedAgainstOneself => ErrorCode::RatedAgainstOneself,
            Refusal::InvitedTwice => ErrorCode::InvitedTwice,
            Refusal::UnknownLevel(_) => ErrorCode::Invalid,
            Refusal::SeatCount { .. } => ErrorCode::SeatCount,
            Refusal::ClockRule => ErrorCode::TimeControl,
            Refusal::Symbol(_) => ErrorCode::Symbol,
            Refusal::Name(_) => ErrorCode::Name,
            Refusal::SameSymbol { .. } => ErrorCode::SameSymbol,
        }
    }

    /// Whether the command could be accepted in another state of the game, which the sender may not
    /// have seen.
    #[must_use]
    pub fn depends_on_state(&self) -> bool {
        !matches!(
            self.code(),
            ErrorCode::NotAPlayer
                | ErrorCode::NotYourSeat
                | ErrorCode::OffBoard
                | ErrorCode::RatedAgainstOneself
                | ErrorCode::InvitedTwice
                | ErrorCode::Invalid
                | ErrorCode::SeatCount
                | ErrorCode::TimeControl
                | ErrorCode::Symbol
                | ErrorCode::Name
                | ErrorCode::SameSymbol
        )
    }
}

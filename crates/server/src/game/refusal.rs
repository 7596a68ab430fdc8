//! Why a command is refused.

use noughts_api::ErrorCode;
use noughts_rules::{NameError, ParseSymbolError};

/// Why a command is refused. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The rules forbid it.
    #[error("{0}")]
    Rules(#[from] noughts_rules::Refusal),
    /// The game has moved on since the sender looked.
    #[error("the game is at sequence number {seq}, not {seen}: load it again")]
    Stale {
        /// The sequence number of the game.
        seq: u32,
        /// The one the sender has seen.
        seen: u32,
    },
    /// The sender has no seat.
    #[error("you have no seat in this game")]
    NotAPlayer,
    /// The sender holds another seat.
    #[error("this seat is not yours")]
    NotYourSeat,
    /// Some seats are still free.
    #[error("the game has not started: it is waiting for players")]
    NotStarted,
    /// Two players have moved.
    #[error("a game can only be aborted until the second player has moved: resign instead")]
    TooLateToAbort,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// The game is not over yet.
    #[error("the game is not over")]
    NotOver,
    /// Finished rated games stay as they are.
    #[error("moves of a finished rated game can't be taken back")]
    RatedIsFinal,
    /// Its result counts in a tournament, once.
    #[error("a game of a tournament can't be aborted, taken back once it is over, or played again")]
    TournamentGame,
    /// In rated games computers don't agree to an undo, and there is nobody else.
    #[error("in a rated game other people have to agree to an undo, and there are none")]
    NobodyToAsk,
    /// The sender has no move to take back.
    #[error("you have no move to take back")]
    NothingToUndo,
    /// The game has too many events.
    #[error("too many moves of this game were taken back")]
    TooManyUndos,
    /// An undo request is pending.
    #[error("an undo request is pending already")]
    UndoPending,
    /// There is no undo request for the sender to answer.
    #[error("there is no undo request for you to answer")]
    NoUndoRequest,
    /// There is no free seat for the sender.
    #[error("there is no free seat for you")]
    NoFreeSeat,
    /// The sender has a seat.
    #[error("you already have a seat in this game")]
    AlreadySeated,
    /// Nobody is away, or not for long enough.
    #[error("you can claim the game when a player has been away for long enough; {0}")]
    NotAway(Away),
    /// The sender offered a rematch before, or it has started.
    #[error("you already offered a rematch")]
    RematchOffered,
    /// The same player twice in a rated game.
    #[error("a rated game needs different players")]
    RatedAgainstOneself,
    /// The same player is invited twice, but could only take one seat.
    #[error("a player can be invited to one seat only")]
    InvitedTwice,
    /// The rules are for another number of players.
    #[error("expected {expected} seats, got {got}")]
    SeatCount {
        /// The number of players.
        expected: usize,
        /// The number of seats.
        got: usize,
    },
    /// The time control is out of range.
    #[error("expected a clock of 1 second to 7 days with an increment of at most 1 hour")]
    TimeControl,
    /// A symbol is invalid.
    #[error("{0}")]
    Symbol(ParseSymbolError),
    /// A name is invalid.
    #[error("{0}")]
    Name(NameError),
    /// Two players have the same symbol.
    #[error("players {first} and {second} have the same symbol: each needs its own")]
    SameSymbol {
        /// The first player, from 1.
        first: usize,
        /// The second player, from 1.
        second: usize,
    },
}

/// When a claim is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Away {
    /// Nobody is away.
    Nobody,
    /// Somebody is away, but not for long enough.
    For {
        /// Milliseconds until a claim is possible.
        left_ms: i64,
    },
}

impl std::fmt::Display for Away {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Away::Nobody => f.write_str("nobody is away"),
            // Rounded up: the claim is possible after this many seconds.
            Away::For { left_ms } => match left_ms.unsigned_abs().div_ceil(1000) {
                0 | 1 => f.write_str("wait 1 second"),
                seconds => write!(f, "wait {seconds} seconds"),
            },
        }
    }
}

impl Refusal {
    /// The stable code for programs.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Refusal::Rules(refusal) => rules_code(refusal),
            Refusal::GameOver => ErrorCode::GameOver,
            Refusal::NothingToUndo => ErrorCode::NothingToUndo,
            Refusal::Stale { .. } => ErrorCode::Stale,
            Refusal::NotAPlayer => ErrorCode::NotAPlayer,
            Refusal::NotYourSeat => ErrorCode::NotYourSeat,
            Refusal::NotStarted => ErrorCode::NotStarted,
            Refusal::TooLateToAbort => ErrorCode::TooLateToAbort,
            Refusal::NotOver => ErrorCode::NotOver,
            Refusal::RatedIsFinal => ErrorCode::RatedIsFinal,
            Refusal::TournamentGame => ErrorCode::TournamentGame,
            Refusal::NobodyToAsk => ErrorCode::NobodyToAsk,
            Refusal::TooManyUndos => ErrorCode::TooManyUndos,
            Refusal::UndoPending => ErrorCode::UndoPending,
            Refusal::NoUndoRequest => ErrorCode::NoUndoRequest,
            Refusal::NoFreeSeat => ErrorCode::NoFreeSeat,
            Refusal::AlreadySeated => ErrorCode::AlreadySeated,
            Refusal::NotAway(_) => ErrorCode::NotAway,
            Refusal::RematchOffered => ErrorCode::RematchOffered,
            Refusal::RatedAgainstOneself => ErrorCode::RatedAgainstOneself,
            Refusal::InvitedTwice => ErrorCode::InvitedTwice,
            Refusal::SeatCount { .. } => ErrorCode::SeatCount,
            Refusal::TimeControl => ErrorCode::TimeControl,
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
                | ErrorCode::WhichMark
                | ErrorCode::NoChoiceOfMark
                | ErrorCode::RatedAgainstOneself
                | ErrorCode::InvitedTwice
                | ErrorCode::SeatCount
                | ErrorCode::TimeControl
                | ErrorCode::Symbol
                | ErrorCode::Name
                | ErrorCode::SameSymbol
        )
    }
}

/// The code of a refusal of the rules.
fn rules_code(refusal: &noughts_rules::Refusal) -> ErrorCode {
    use noughts_rules::Refusal as R;
    match refusal {
        R::OffBoard { .. } => ErrorCode::OffBoard,
        R::Taken { .. } => ErrorCode::Taken,
        R::Floating { .. } => ErrorCode::Floating,
        R::ClosedBoard { .. } => ErrorCode::ClosedBoard,
        R::OtherBoard { .. } => ErrorCode::OtherBoard,
        R::WhichMark { .. } => ErrorCode::WhichMark,
        R::NoChoiceOfMark { .. } => ErrorCode::NoChoiceOfMark,
        R::Forbidden { .. } => ErrorCode::Forbidden,
        R::ChoiceDue { .. } => ErrorCode::ChoiceDue,
        R::NoChoiceDue => ErrorCode::NoChoiceDue,
        R::NotYourTurn { .. } => ErrorCode::NotYourTurn,
        R::GameOver => ErrorCode::GameOver,
        R::NothingToUndo => ErrorCode::NothingToUndo,
        R::NotPlaying { .. } => ErrorCode::NotPlaying,
        _ => ErrorCode::Invalid,
    }
}

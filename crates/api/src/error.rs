//! Errors of the API.

use std::fmt;

use noughts_rules::is_unprintable;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::GameView;

/// The body of every error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ErrorBody {
    /// A stable code for programs.
    pub code: ErrorCode,
    /// A sentence for people.
    pub message: String,
    /// The game as it is, if you did not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Box<GameView>>,
}

impl ErrorBody {
    /// The body for an error. Its text becomes a printable sentence: `it is O's turn` is sent as
    /// `It is O's turn.`
    #[must_use]
    pub fn new(code: ErrorCode, error: &impl fmt::Display) -> ErrorBody {
        // Errors quote what the client sent.
        let printable = error.to_string().replace(is_unprintable, "\u{fffd}");
        ErrorBody { code, message: sentence(&printable), game: None }
    }
}

/// A text with a capital letter and a full stop. Names of fields and code keep their case.
fn sentence(text: &str) -> String {
    let first_word = text.split_whitespace().next().unwrap_or_default();
    let mut rest = text.chars();
    let mut sentence = String::new();
    if first_word.chars().all(|c| c.is_alphanumeric() || matches!(c, ',' | '\'')) {
        sentence.extend(rest.next().into_iter().flat_map(char::to_uppercase));
    }
    sentence.push_str(rest.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// Why a request was refused. The codes are stable; later versions may add some.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    // The rules.
    /// The cell is not on the board.
    OffBoard,
    /// The cell is taken.
    Taken,
    /// With gravity, the cell rests on nothing.
    Floating,
    /// The sub-board is won or full.
    ClosedBoard,
    /// The last move sends the player to another sub-board.
    OtherBoard,
    /// The move must name a mark.
    WhichMark,
    /// The move must not name a mark.
    NoChoiceOfMark,
    /// The rules of renju forbid the move.
    Forbidden,
    /// An opening choice is due.
    ChoiceDue,
    /// Opening choices are not possible now.
    NoChoiceDue,
    /// It is another seat's turn.
    NotYourTurn,
    /// The game is over.
    GameOver,
    /// There is no move to take back.
    NothingToUndo,
    /// The seat is out of the game.
    NotPlaying,
    // The online game.
    /// The game has moved on since `seq`.
    Stale,
    /// You have no seat in the game.
    NotAPlayer,
    /// The seat is somebody else's.
    NotYourSeat,
    /// The game waits for players.
    NotStarted,
    /// Two players have moved: the game can't be aborted any more.
    TooLateToAbort,
    /// The game is not over yet.
    NotOver,
    /// Finished rated games can't be changed.
    RatedIsFinal,
    /// Computers don't agree to undo in rated games.
    NobodyToAsk,
    /// Too many moves of this game were taken back.
    TooManyUndos,
    /// An undo request is pending.
    UndoPending,
    /// There is no undo request for you to answer.
    NoUndoRequest,
    /// No seat is free for you.
    NoFreeSeat,
    /// You already have a seat.
    AlreadySeated,
    /// Nobody has been away for long enough.
    NotAway,
    /// You already offered a rematch.
    RematchOffered,
    /// The same player twice in a rated game.
    RatedAgainstOneself,
    /// The same player is invited to two seats.
    InvitedTwice,
    /// The number of seats does not fit the rules.
    SeatCount,
    /// The time control is out of range.
    TimeControl,
    /// The symbol is invalid.
    Symbol,
    /// Two players have the same symbol.
    SameSymbol,
    /// The name is invalid.
    Name,
    // The server.
    /// There is no such game.
    NoGame,
    /// There is no such player.
    NoPlayer,
    /// There is no such league.
    NoLeague,
    /// There is no such puzzle.
    NoPuzzle,
    /// There is no such token.
    NoToken,
    /// There is nothing at this address.
    NoRoute,
    /// The address does not take this method.
    NoMethod,
    /// A token is needed.
    SignInNeeded,
    /// The token is invalid or revoked.
    BadToken,
    /// The name or the password is wrong.
    WrongPassword,
    /// The name or the recovery code is wrong.
    WrongCode,
    /// The name is taken.
    NameTaken,
    /// You already have an account.
    AlreadyNamed,
    /// An account is needed.
    AccountNeeded,
    /// Bots may not do that.
    NotForBots,
    /// The password is too short, too long or too easy to guess.
    Password,
    /// The request can't be read.
    Malformed,
    /// The address is for WebSockets.
    NotAWebsocket,
    /// The request is too large.
    TooLarge,
    /// The request was not sent in time.
    TooSlow,
    /// The body is not JSON.
    NotJson,
    /// A value in the request is invalid.
    Invalid,
    /// The request comes from another site's page.
    CrossSite,
    /// Too many requests in a short time.
    TooFast,
    /// A day's worth of games, moves or sign-ins is used up.
    DailyLimit,
    /// One of you has blocked the other.
    Blocked,
    /// Too many at once, of games, connections or spectators.
    TooMany,
    /// The server is busy.
    Busy,
    /// The database can't be reached.
    Unavailable,
    /// The game does not have the event `seq` yet.
    Behind,
    /// The game can't be written in that format.
    CantExport,
    /// Rated games, and games between people, are not analysed while they are played.
    StillPlayed,
    // Tournaments.
    /// There is no such tournament.
    NoTournament,
    /// A game of a tournament can't be aborted, taken back once it is over, or played again.
    TournamentGame,
    /// The tournament has begun, or is over.
    TournamentClosed,
    /// The tournament has all the players it can have.
    TournamentFull,
    /// The tournament needs at least two players.
    TooFewPlayers,
    /// Only its creator may do that.
    NotYours,
    /// A code of a later version.
    #[serde(other)]
    Unknown,
}

impl ErrorCode {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_temporary(self) -> bool {
        matches!(
            self,
            ErrorCode::TooFast | ErrorCode::Busy | ErrorCode::Unavailable | ErrorCode::Behind
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_printable_sentences() {
        for (error, message) in [
            ("it is O's turn", "It is O's turn."),
            ("B2 is taken", "B2 is taken."),
            ("`cell` is missing", "`cell` is missing."),
            ("seats[0]: unknown field", "seats[0]: unknown field."),
            ("Is the network there?", "Is the network there?"),
            ("unknown cell `\u{202e}\u{7}`", "Unknown cell `\u{fffd}\u{fffd}`."),
        ] {
            assert_eq!(ErrorBody::new(ErrorCode::Taken, &error).message, message);
        }
    }
}

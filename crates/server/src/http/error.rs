//! Every error of the API, and how it becomes an HTTP response.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::{ErrorBody, ErrorCode, GameView};
use noughts_store::{LogThrottle, StoreError};

use crate::accounts::ChangeError;
use crate::accounts::passwords::PasswordError;
use crate::compute::Busy;
use crate::director::TournamentFailure;
use crate::game::Refusal;
use crate::limits::LimitError;
use crate::live::Failure;
use crate::tournament::TournamentRefusal;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// A game refuses a command. The view is for senders who did not know the game's state.
    #[error("{0}")]
    Refused(Refusal, Option<Box<GameView>>),
    #[error("there is no such game")]
    NoGame,
    #[error("there is no such tournament")]
    NoTournament,
    /// A tournament refuses a request.
    #[error("{0}")]
    Tournament(TournamentRefusal),
    #[error("there is no such player")]
    NoPlayer,
    #[error("there is no such league")]
    NoLeague,
    #[error("there is no such puzzle")]
    NoPuzzle,
    #[error("there is no such token")]
    NoToken,
    #[error("there is nothing at this address: see /api/v1/docs")]
    NoRoute,
    #[error("this address does not take that method: see /api/v1/docs")]
    NoMethod,
    #[error("sign in first, or create a guest with POST /api/v1/guests")]
    SignInNeeded,
    #[error("the token is invalid or revoked")]
    BadToken,
    #[error("the name or the password is wrong")]
    WrongPassword,
    #[error("the current password is wrong")]
    WrongCurrentPassword,
    #[error("the name or the recovery code is wrong")]
    WrongCode,
    #[error("{0}")]
    BadName(String),
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    #[error("you already have an account")]
    AlreadyNamed,
    #[error("create an account first with POST /api/v1/names")]
    AccountNeeded,
    #[error("bots may not do that: sign in yourself")]
    NotForBots,
    #[error(transparent)]
    BadPassword(#[from] PasswordError),
    #[error("{0}")]
    Malformed(String),
    #[error("this address is for WebSockets")]
    NotAWebSocket,
    #[error("the request is larger than 16 kB")]
    TooLarge,
    #[error("the request was not sent in time")]
    TooSlow,
    #[error("expected the header Content-Type: application/json")]
    NotJson,
    #[error("{0}")]
    Invalid(String),
    #[error("pages of other sites may not do that")]
    CrossSite,
    /// With the seconds to wait.
    #[error("too many requests: wait {}", seconds(*.0))]
    TooFast(u64),
    /// With the seconds to wait.
    #[error("too many {what} in a day: wait {}", long_time(*.seconds))]
    DayUsedUp { what: &'static str, seconds: u64 },
    #[error("{0}")]
    TooMany(&'static str),
    #[error("the server is busy: try again in a moment")]
    Busy,
    #[error("the server can't reach its database: try again in a moment")]
    Unavailable,
    #[error("the game is at event {at}, not yet at {seq}: try again in a moment")]
    Behind { at: u64, seq: u32 },
    #[error("{0}")]
    CantExport(String),
    #[error("one of you has blocked the other")]
    Blocked,
    #[error("a rated game, or one between people, can't be analysed while it is played")]
    StillPlayed,
}

fn seconds(seconds: u64) -> String {
    format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
}

/// A time in the largest unit of which it has at least two.
fn long_time(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7_200 => format!("{} minutes", seconds / 60),
        _ => format!("{} hours", seconds / 3_600),
    }
}

impl ApiError {
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            ApiError::Refused(refusal, _) => refusal.code(),
            ApiError::NoGame => ErrorCode::NoGame,
            ApiError::NoTournament => ErrorCode::NoTournament,
            ApiError::Tournament(refusal) => refusal.code(),
            ApiError::NoPlayer => ErrorCode::NoPlayer,
            ApiError::NoLeague => ErrorCode::NoLeague,
            ApiError::NoPuzzle => ErrorCode::NoPuzzle,
            ApiError::NoToken => ErrorCode::NoToken,
            ApiError::NoRoute => ErrorCode::NoRoute,
            ApiError::NoMethod => ErrorCode::NoMethod,
            ApiError::SignInNeeded => ErrorCode::SignInNeeded,
            ApiError::BadToken => ErrorCode::BadToken,
            ApiError::WrongPassword | ApiError::WrongCurrentPassword => ErrorCode::WrongPassword,
            ApiError::WrongCode => ErrorCode::WrongCode,
            ApiError::BadName(_) => ErrorCode::Name,
            ApiError::NameTaken => ErrorCode::NameTaken,
            ApiError::AlreadyNamed => ErrorCode::AlreadyNamed,
            ApiError::AccountNeeded => ErrorCode::AccountNeeded,
            ApiError::NotForBots => ErrorCode::NotForBots,
            ApiError::BadPassword(_) => ErrorCode::Password,
            ApiError::Malformed(_) => ErrorCode::Malformed,
            ApiError::NotAWebSocket => ErrorCode::NotAWebsocket,
            ApiError::TooLarge => ErrorCode::TooLarge,
            ApiError::TooSlow => ErrorCode::TooSlow,
            ApiError::NotJson => ErrorCode::NotJson,
            ApiError::Invalid(_) => ErrorCode::Invalid,
            ApiError::CrossSite => ErrorCode::CrossSite,
            ApiError::TooFast(_) => ErrorCode::TooFast,
            ApiError::DayUsedUp { .. } => ErrorCode::DailyLimit,
            ApiError::TooMany(_) => ErrorCode::TooMany,
            ApiError::Busy => ErrorCode::Busy,
            ApiError::Unavailable => ErrorCode::Unavailable,
            ApiError::Behind { .. } => ErrorCode::Behind,
            ApiError::CantExport(_) => ErrorCode::CantExport,
            ApiError::StillPlayed => ErrorCode::StillPlayed,
            ApiError::Blocked => ErrorCode::Blocked,
        }
    }

    pub(crate) fn into_body(self) -> ErrorBody {
        let mut body = ErrorBody::new(self.code(), &self);
        if let ApiError::Refused(_, game) = self {
            body.game = game;
        }
        body
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            ApiError::TooFast(seconds) | ApiError::DayUsedUp { seconds, .. } => Some(*seconds),
            ApiError::Busy | ApiError::Unavailable | ApiError::Behind { .. } => Some(1),
            _ => None,
        }
    }
}

/// The HTTP status for an error code.
fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::NoGame
        | ErrorCode::NoPlayer
        | ErrorCode::NoLeague
        | ErrorCode::NoPuzzle
        | ErrorCode::NoToken
        | ErrorCode::NoTournament
        | ErrorCode::NoRoute => StatusCode::NOT_FOUND,
        ErrorCode::NoMethod => StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::SignInNeeded
        | ErrorCode::BadToken
        | ErrorCode::WrongPassword
        | ErrorCode::WrongCode => StatusCode::UNAUTHORIZED,
        ErrorCode::NotAPlayer
        | ErrorCode::NotYourSeat
        | ErrorCode::AccountNeeded
        | ErrorCode::NotForBots
        | ErrorCode::NotYours
        | ErrorCode::Blocked
        | ErrorCode::CrossSite => StatusCode::FORBIDDEN,
        ErrorCode::Malformed => StatusCode::BAD_REQUEST,
        ErrorCode::NotAWebsocket => StatusCode::UPGRADE_REQUIRED,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
        ErrorCode::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorCode::OffBoard
        | ErrorCode::WhichMark
        | ErrorCode::NoChoiceOfMark
        | ErrorCode::RatedAgainstOneself
        | ErrorCode::InvitedTwice
        | ErrorCode::SeatCount
        | ErrorCode::TimeControl
        | ErrorCode::Symbol
        | ErrorCode::SameSymbol
        | ErrorCode::Name
        | ErrorCode::Password
        | ErrorCode::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::TooFast | ErrorCode::DailyLimit | ErrorCode::TooMany => {
            StatusCode::TOO_MANY_REQUESTS
        }
        ErrorCode::Busy | ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::Behind
        | ErrorCode::Taken
        | ErrorCode::Floating
        | ErrorCode::ClosedBoard
        | ErrorCode::OtherBoard
        | ErrorCode::Forbidden
        | ErrorCode::ChoiceDue
        | ErrorCode::NoChoiceDue
        | ErrorCode::NotYourTurn
        | ErrorCode::GameOver
        | ErrorCode::NothingToUndo
        | ErrorCode::NotPlaying
        | ErrorCode::Stale
        | ErrorCode::NotStarted
        | ErrorCode::TooLateToAbort
        | ErrorCode::NotOver
        | ErrorCode::RatedIsFinal
        | ErrorCode::TournamentGame
        | ErrorCode::TournamentClosed
        | ErrorCode::TournamentFull
        | ErrorCode::TooFewPlayers
        | ErrorCode::NobodyToAsk
        | ErrorCode::TooManyUndos
        | ErrorCode::UndoPending
        | ErrorCode::NoUndoRequest
        | ErrorCode::NoFreeSeat
        | ErrorCode::AlreadySeated
        | ErrorCode::NotAway
        | ErrorCode::RematchOffered
        | ErrorCode::NameTaken
        | ErrorCode::AlreadyNamed
        | ErrorCode::CantExport
        | ErrorCode::StillPlayed => StatusCode::CONFLICT,
        ErrorCode::Unknown => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, retry_after) = (status(self.code()), self.retry_after());
        let mut response = (status, Json(self.into_body())).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> ApiError {
        match failure {
            Failure::Refused(refusal, game) => ApiError::Refused(refusal, game),
            Failure::NoGame => ApiError::NoGame,
            Failure::TooManySpectators => ApiError::TooMany("the game has too many spectators"),
            Failure::Unavailable => ApiError::Unavailable,
            Failure::Behind { at, seq } => ApiError::Behind { at, seq },
        }
    }
}

impl From<TournamentFailure> for ApiError {
    fn from(failure: TournamentFailure) -> ApiError {
        match failure {
            TournamentFailure::Refused(refusal) => ApiError::Tournament(refusal),
            TournamentFailure::NoTournament => ApiError::NoTournament,
            TournamentFailure::Unavailable => ApiError::Unavailable,
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        ApiError::Refused(refusal, None)
    }
}

/// Details of database errors go to the log, not to clients.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        static FAILURES: LogThrottle = LogThrottle::new();
        if let Some(failures) = FAILURES.count() {
            tracing::error!(%error, failures, "the store failed");
        }
        ApiError::Unavailable
    }
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> ApiError {
        match error {
            ChangeError::Store(StoreError::NameTaken { .. }) => ApiError::NameTaken,
            ChangeError::Store(StoreError::RenamedTooOften) => {
                ApiError::TooMany("you have changed your name too often: wait some weeks")
            }
            ChangeError::Store(StoreError::NotAGuest) => ApiError::AlreadyNamed,
            ChangeError::Store(StoreError::NotAnAccount) => ApiError::AccountNeeded,
            ChangeError::Store(StoreError::WrongCode) => ApiError::WrongCode,
            ChangeError::Store(error) => error.into(),
            ChangeError::Interrupted(error) => {
                tracing::error!(%error, "could not change an identity");
                ApiError::Unavailable
            }
        }
    }
}

impl From<LimitError> for ApiError {
    fn from(error: LimitError) -> ApiError {
        match error {
            LimitError::TooFast(seconds) => ApiError::TooFast(seconds),
            LimitError::DayUsedUp { what, seconds } => ApiError::DayUsedUp { what, seconds },
            LimitError::TooMany(message) => ApiError::TooMany(message),
            LimitError::Store(error) => error.into(),
        }
    }
}

impl From<Busy> for ApiError {
    fn from(Busy: Busy) -> ApiError {
        ApiError::Busy
    }
}

//! Every refusal of the API, and how it becomes HTTP.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::game::{GameView, Refusal};
use crate::limits::LimitError;
use crate::live::Failure;
use crate::pool::Busy;

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// A game refuses it.
    #[error("{0}")]
    Refused(Refusal, Option<Box<GameView>>),
    #[error("there is no such game")]
    NoGame,
    #[error("there is no such player")]
    NoPlayer,
    #[error("there is no such league")]
    NoLeague,
    #[error("there is no such token")]
    NoToken,
    #[error("there is nothing at this address: see /api/v1/docs")]
    NoRoute,
    #[error("this address does not take that method: see /api/v1/docs")]
    NoMethod,
    #[error("say who you are: POST /api/v1/guests gives you a token")]
    SignInNeeded,
    #[error("the token is not valid, or not any more")]
    BadToken,
    #[error("the name and the password do not belong together")]
    WrongPassword,
    #[error("that is not the password until now")]
    WrongOldPassword,
    #[error("{0}")]
    BadName(String),
    #[error("that name, or one that looks like it, is taken")]
    NameTaken,
    #[error("you have a name already")]
    Named,
    #[error("choose a name first: POST /api/v1/names")]
    NameNeeded,
    #[error("a program can't do that: sign in yourself")]
    NotForBots,
    #[error("expected a password of 8 to 256 characters")]
    BadPassword,
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
    #[error("too many requests: wait {0} seconds")]
    TooFast(u64),
    #[error("{0}")]
    TooMany(&'static str),
    #[error("the server is busy: try again in a moment")]
    Busy,
    #[error("the server can't reach its database for a moment: try again")]
    Unavailable,
    #[error("{0}")]
    CantExport(String),
    #[error("a rated game is not analysed while it is played")]
    StillPlayed,
}

/// The body of every refusal.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// A stable word for programs.
    ///
    /// What a game says: `off_board`, `taken`, `floating`, `not_your_turn`, `game_over`,
    /// `nothing_to_undo`, `not_playing`, `stale`, `not_a_player`, `not_your_seat`, `not_started`,
    /// `too_late_to_abort`, `not_over`, `rated_is_final`, `nobody_to_ask`, `too_many_undos`, `undo_pending`,
    /// `no_undo_asked`, `no_free_seat`, `already_seated`, `not_away`, `rematch_asked`,
    /// `rated_against_oneself`, `invited_twice`, `unknown_level`, `seat_count`, `clock_rule`, `symbol`, `name`,
    /// `same_symbol`.
    ///
    /// What the server says: `no_game`, `no_player`, `no_league`, `no_token`, `no_route`,
    /// `no_method`, `sign_in_needed`, `bad_token`, `wrong_password`, `name`, `name_taken`,
    /// `named`, `name_needed`, `not_for_bots`, `password`, `malformed`, `not_a_websocket`,
    /// `too_large`, `too_slow`, `not_json`, `invalid`, `cross_site`, `too_fast`, `too_many`,
    /// `busy`, `unavailable`, `cant_export`, `still_played`.
    #[schema(example = "not_your_turn")]
    code: &'static str,
    /// A sentence for people.
    message: String,
    /// The game as it is, where the sender did not know that.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Box<GameView>>,
}

impl ApiError {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            ApiError::Refused(refusal, _) => refusal.code(),
            ApiError::NoGame => "no_game",
            ApiError::NoPlayer => "no_player",
            ApiError::NoLeague => "no_league",
            ApiError::NoToken => "no_token",
            ApiError::NoRoute => "no_route",
            ApiError::NoMethod => "no_method",
            ApiError::SignInNeeded => "sign_in_needed",
            ApiError::BadToken => "bad_token",
            ApiError::WrongPassword | ApiError::WrongOldPassword => "wrong_password",
            ApiError::BadName(_) => "name",
            ApiError::NameTaken => "name_taken",
            ApiError::Named => "named",
            ApiError::NameNeeded => "name_needed",
            ApiError::NotForBots => "not_for_bots",
            ApiError::BadPassword => "password",
            ApiError::Malformed(_) => "malformed",
            ApiError::NotAWebSocket => "not_a_websocket",
            ApiError::TooLarge => "too_large",
            ApiError::TooSlow => "too_slow",
            ApiError::NotJson => "not_json",
            ApiError::Invalid(_) => "invalid",
            ApiError::CrossSite => "cross_site",
            ApiError::TooFast(_) => "too_fast",
            ApiError::TooMany(_) => "too_many",
            ApiError::Busy => "busy",
            ApiError::Unavailable => "unavailable",
            ApiError::CantExport(_) => "cant_export",
            ApiError::StillPlayed => "still_played",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::Refused(refusal, _) => {
                StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::CONFLICT)
            }
            ApiError::NoGame
            | ApiError::NoPlayer
            | ApiError::NoLeague
            | ApiError::NoToken
            | ApiError::NoRoute => StatusCode::NOT_FOUND,
            ApiError::NoMethod => StatusCode::METHOD_NOT_ALLOWED,
            ApiError::SignInNeeded
            | ApiError::BadToken
            | ApiError::WrongPassword
            | ApiError::WrongOldPassword => StatusCode::UNAUTHORIZED,
            ApiError::NameNeeded | ApiError::NotForBots | ApiError::CrossSite => {
                StatusCode::FORBIDDEN
            }
            ApiError::NameTaken
            | ApiError::Named
            | ApiError::CantExport(_)
            | ApiError::StillPlayed => StatusCode::CONFLICT,
            ApiError::Malformed(_) => StatusCode::BAD_REQUEST,
            ApiError::NotAWebSocket => StatusCode::UPGRADE_REQUIRED,
            ApiError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ApiError::BadName(_) | ApiError::BadPassword | ApiError::Invalid(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            ApiError::TooFast(_) | ApiError::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Busy | ApiError::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            ApiError::TooFast(seconds) => Some(*seconds),
            ApiError::Busy | ApiError::Unavailable => Some(1),
            _ => None,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, message) = (self.status(), self.code(), self.to_string());
        let retry_after = self.retry_after();
        let game = match self {
            ApiError::Refused(_, game) => game,
            _ => None,
        };
        let mut response = (status, Json(ErrorBody { code, message, game })).into_response();
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
            Failure::Unavailable => ApiError::Unavailable,
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> ApiError {
        ApiError::Refused(refusal, None)
    }
}

/// The database's own words are for the log, not for clients.
impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        tracing::error!(%error, "the store failed");
        ApiError::Unavailable
    }
}

impl From<LimitError> for ApiError {
    fn from(error: LimitError) -> ApiError {
        match error {
            LimitError::TooFast(seconds) => ApiError::TooFast(seconds),
            LimitError::TooMany(what) => ApiError::TooMany(what),
            LimitError::Store(error) => error.into(),
        }
    }
}

impl From<Busy> for ApiError {
    fn from(Busy: Busy) -> ApiError {
        ApiError::Busy
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::ErrorBody;

    /// Programs go by the codes, so the description has all of them.
    #[test]
    fn every_code_is_described() {
        let described = serde_json::to_string(&ErrorBody::schema()).unwrap();
        let sources = [include_str!("error.rs"), include_str!("../game/refusal.rs")];
        let codes = sources.iter().flat_map(|source| {
            let arms = source.split("=> \"").skip(1);
            arms.filter_map(|arm| arm.split_once('"')).map(|(code, _)| code)
        });
        let missing: Vec<&str> =
            codes.filter(|code| !described.contains(&format!("`{code}`"))).collect();
        assert_eq!(missing, [""; 0]);
    }
}

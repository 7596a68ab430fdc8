//! Extractors that read requests strictly and answer with errors of the API.

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::body::{HttpBody, to_bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use noughts_api::TournamentId;
use noughts_store::GameId;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::error::Category;
use tokio::time::timeout;
use utoipa::IntoParams;

use super::error::ApiError;
use crate::app::App;
use crate::limits::ClientAddress;

/// The largest body of a request.
const MAX_BODY_BYTES: usize = 16 << 10;

/// Reads the whole body of a request before anything else, within limits of time and size. Otherwise
/// an error response could leave a part of it unread, which breaks a connection that is kept alive.
pub(crate) async fn read(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let refusal = match timeout(app.config.request_time(), to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, bytes.into())).await,
        Ok(Err(error)) if is_broken(&error) => {
            ApiError::Malformed("the body is broken, or was not sent to its end".into())
        }
        Ok(Err(_)) => ApiError::TooLarge,
        Err(_) => ApiError::TooSlow,
    };
    ([(header::CONNECTION, "close")], refusal).into_response()
}

/// Counts a request against the rate limit of its client address, and adds to the request what is known
/// of the client.
pub(crate) async fn limit(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
    let client = app.limits.client_address(peer, request.headers());
    let is_https = app.limits.is_https(peer, request.headers());
    if let Err(error) = app.limits.check_request(client) {
        return ApiError::from(error).into_response();
    }
    request.extensions_mut().insert(client);
    request.extensions_mut().insert(Https(is_https));
    next.run(request).await
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // Added by `limit`.
        parts.extensions.get().copied().ok_or(ApiError::Unavailable)
    }
}

/// Whether the client uses HTTPS.
#[derive(Debug, Clone, Copy)]
pub(super) struct Https(pub(super) bool);

/// Whether a body could not be read; otherwise it was too large.
fn is_broken(error: &axum::Error) -> bool {
    std::iter::successors(error.source(), |&error| error.source())
        .any(|error| error.is::<hyper::Error>())
}

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(Object(body))) => Ok(JsonBody(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::NotJson),
            Err(JsonRejection::JsonDataError(error)) => {
                Err(invalid_json(&without_preface(&error.body_text())))
            }
            Err(rejection) => {
                let reason = without_preface(&rejection.body_text());
                Err(ApiError::Malformed(format!("expected JSON: {reason}")))
            }
        }
    }
}

/// The error for JSON that does not come in a body.
pub(crate) fn json_error(error: &serde_json::Error) -> ApiError {
    match error.classify() {
        Category::Data => invalid_json(&error.to_string()),
        _ => ApiError::Malformed(format!("expected JSON: {error}")),
    }
}

/// The error for JSON with wrong values. The reason names the field, so its position is left out.
fn invalid_json(reason: &str) -> ApiError {
    ApiError::Invalid(reason.rsplit_once(" at line ").map_or(reason, |(field, _)| field).into())
}

/// A message of axum without its preface.
fn without_preface(text: &str) -> String {
    text.split_once(": ").map_or(text, |(_, reason)| reason).to_string()
}

/// A JSON object. By itself, Serde would accept an array of the values as well.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
            }
        }

        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// The query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(params)) => Ok(QueryParams(params)),
            Err(rejection) => Err(ApiError::Malformed(without_preface(&rejection.body_text()))),
        }
    }
}

/// The number of rows on a page of a list.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "u32")]
pub(crate) struct PageSize(pub(crate) u32);

impl Default for PageSize {
    fn default() -> Self {
        PageSize(20)
    }
}

impl TryFrom<u32> for PageSize {
    type Error = &'static str;

    fn try_from(rows: u32) -> Result<Self, Self::Error> {
        if (1..=100).contains(&rows) { Ok(PageSize(rows)) } else { Err("expected 1 to 100") }
    }
}

/// The game in the path.
pub(crate) struct PathGameId(pub(crate) GameId);

impl<S: Send + Sync> FromRequestParts<S> for PathGameId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(text) = path.map_err(|_| ApiError::NoGame)?;
        text.parse().map(PathGameId).map_err(|_| ApiError::NoGame)
    }
}

/// The tournament in the path.
pub(crate) struct PathTournamentId(pub(crate) TournamentId);

impl<S: Send + Sync> FromRequestParts<S> for PathTournamentId {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(text) = path.map_err(|_| ApiError::NoTournament)?;
        text.parse().map(PathTournamentId).map_err(|_| ApiError::NoTournament)
    }
}

/// What the client has seen of a game or a tournament.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seen {
    /// The answer includes this event, such as that of your last command.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    pub(crate) seq: u32,
}

/// The parameters of the path.
pub(crate) struct PathParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(parts)) => Ok(PathParams(parts)),
            Err(rejection) => Err(ApiError::Malformed(without_preface(&rejection.body_text()))),
        }
    }
}

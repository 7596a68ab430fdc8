//! What comes in, read strictly: bodies, queries and paths with errors in our own words.

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
use noughts_store::GameId;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use tokio::time::timeout;

use super::error::ApiError;
use crate::app::App;
use crate::limits::ClientAddress;

/// The largest body that a request may have.
const LARGEST_BODY: usize = 16 << 10;

/// Reads a request's body before anything else is done with it, in time and up to its limit.
/// Otherwise a refusal could leave a part of it unread, and the connection would have to end
/// although its client has been told nothing of that.
pub(crate) async fn read(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let refusal = match timeout(app.config.request_time(), to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => return next.run(Request::from_parts(parts, bytes.into())).await,
        Ok(Err(error)) if is_broken(&error) => {
            ApiError::Malformed("the body is broken, or was not sent to its end".into())
        }
        Ok(Err(_)) => ApiError::TooLarge,
        Err(_) => ApiError::TooSlow,
    };
    ([(header::CONNECTION, "close")], refusal).into_response()
}

/// Counts a request for its client address, and adds that to the request.
pub(crate) async fn limit(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.0.ip());
    let client = app.limits.client_address(peer, request.headers());
    if let Err(error) = app.limits.check_request(client) {
        return ApiError::from(error).into_response();
    }
    request.extensions_mut().insert(client);
    next.run(request).await
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // Added by `limit`.
        parts.extensions.get().copied().ok_or(ApiError::Unavailable)
    }
}

/// Whether a body could not be read. Otherwise there was too much of it.
fn is_broken(error: &axum::Error) -> bool {
    std::iter::successors(error.source(), |&error| error.source())
        .any(|error| error.is::<hyper::Error>())
}

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(Object(body))) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::NotJson),
            Err(JsonRejection::JsonDataError(error)) => {
                // The field is named, which says more than where it is.
                let wrong = what_is_wrong(&error.body_text());
                let field = wrong.rsplit_once(" at line ").map_or(&*wrong, |(field, _)| field);
                Err(ApiError::Invalid(field.into()))
            }
            Err(rejection) => {
                let wrong = what_is_wrong(&rejection.body_text());
                Err(ApiError::Malformed(format!("expected JSON: {wrong}")))
            }
        }
    }
}

/// What the library says, without its preface.
fn what_is_wrong(text: &str) -> String {
    text.split_once(": ").map_or(text, |(_, wrong)| wrong).to_string()
}

/// A JSON object. By itself the library would take an array of the values as well.
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

/// What stands after the `?`.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(rejection) => Err(ApiError::Malformed(what_is_wrong(&rejection.body_text()))),
        }
    }
}

/// How many rows of a list somebody wants at once.
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

/// The game that a path names.
pub(crate) struct OfGame(pub(crate) GameId);

impl<S: Send + Sync> FromRequestParts<S> for OfGame {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(text) = path.map_err(|_| ApiError::NoGame)?;
        text.parse().map(OfGame).map_err(|_| ApiError::NoGame)
    }
}

/// The parts of a path.
pub(crate) struct InPath<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::<T>::from_request_parts(parts, state).await {
            Ok(Path(parts)) => Ok(InPath(parts)),
            Err(rejection) => Err(ApiError::Malformed(what_is_wrong(&rejection.body_text()))),
        }
    }
}

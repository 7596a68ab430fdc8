//! What comes in, read strictly: bodies, queries and paths with errors in our own words.

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use noughts_store::GameKey;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::error::ApiError;
use crate::backend::Backend;

/// A JSON body, which has to come in time.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Backend>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, backend: &Arc<Backend>) -> Result<Self, ApiError> {
        let read = axum::Json::from_request(request, backend);
        let patience = backend.config.request_time();
        match timeout(patience, read).await.map_err(|_| ApiError::TooSlow)? {
            Ok(axum::Json(body)) => Ok(Body(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(ApiError::NotJson),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                Err(ApiError::TooLarge)
            }
            Err(JsonRejection::JsonDataError(error)) => Err(ApiError::Invalid(error.body_text())),
            Err(rejection) => Err(ApiError::Malformed(rejection.body_text())),
        }
    }
}

/// What stands after the `?`.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(QueryRejection::FailedToDeserializeQueryString(error)) => {
                Err(ApiError::Malformed(error.body_text()))
            }
            Err(rejection) => Err(ApiError::Malformed(rejection.body_text())),
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
pub(crate) struct OfGame(pub(crate) GameKey);

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
            Err(rejection) => Err(ApiError::Malformed(rejection.body_text())),
        }
    }
}

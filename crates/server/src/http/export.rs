//! A game's events, and the game as a file.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use noughts_api::{ErrorBody, GameUpdate, GameView};
use noughts_rules::notation::{NotGomoku, psq, sgf};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::AnyCaller;
use super::error::ApiError;
use super::input::{PathGameId, QueryParams};
use crate::app::App;
use crate::live::LoadError;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(events)).routes(routes!(export))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct EventsQuery {
    /// Only events after this sequence number.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    since: u32,
    /// The answer includes this event, unless there are too many before it.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    seq: u32,
}

/// The most events of one response.
const MAX_EVENTS: usize = 1_000;

/// List the events of a game
///
/// The same updates that subscribers receive over the WebSocket, at most 1,000. If there are as many,
/// ask for those after the last one.
#[utoipa::path(get, path = "/games/{id}/events", tag = "games",
    params(("id" = String, Path, description = "The id of the game"), EventsQuery),
    responses((status = 200, body = [GameUpdate]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn events(
    State(app): State<Arc<App>>,
    PathGameId(game): PathGameId,
    QueryParams(EventsQuery { since, seq }): QueryParams<EventsQuery>,
) -> Result<Json<Vec<GameUpdate>>, ApiError> {
    if seq > since {
        app.games.await_event(game, seq).await?;
    }
    let updates = app.games.updates_since(game, since, MAX_EVENTS).await;
    updates.map(Json).map_err(|error| match error {
        LoadError::NoGame => ApiError::NoGame,
        error => {
            tracing::error!(%error, %game, "could not read a game");
            ApiError::Unavailable
        }
    })
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The file format.
    #[serde(default)]
    #[param(inline)]
    format: Format,
    /// The file includes this event.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    seq: u32,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// The text form of Noughts.
    #[default]
    Text,
    /// The game as the API shows it.
    Json,
    /// Piskvork, for gomoku.
    Psq,
    /// SGF, for gomoku.
    Sgf,
}

/// Export a game
#[utoipa::path(get, path = "/games/{id}/export", tag = "games",
    params(("id" = String, Path, description = "The id of the game"), ExportQuery),
    responses((status = 200, description = "the game", content((String = "text/plain"),
            (GameView = "application/json"), (String = "application/x-go-sgf"))),
        (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn export(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathGameId(id): PathGameId,
    QueryParams(ExportQuery { format, seq }): QueryParams<ExportQuery>,
) -> Result<Response, ApiError> {
    let online = app.games.snapshot_after(id, None, seq).await?.game;
    let game = online.game().ok_or_else(|| {
        ApiError::CantExport("the game has not started: there is nothing to export".into())
    })?;
    let not_gomoku = |error: NotGomoku| ApiError::CantExport(error.to_string());
    let (text, extension, content_type) = match format {
        Format::Text => (format!("{game}\n"), "txt", "text/plain; charset=utf-8"),
        Format::Json => {
            let view = app.games.view_for(&online, caller.id());
            let json = serde_json::to_string_pretty(&view).unwrap_or_default();
            (json, "json", "application/json")
        }
        Format::Psq => (psq::write(game).map_err(not_gomoku)?, "psq", "text/plain; charset=utf-8"),
        Format::Sgf => {
            (sgf::write(game).map_err(not_gomoku)?, "sgf", "application/x-go-sgf; charset=utf-8")
        }
    };
    let disposition = format!("attachment; filename=\"noughts-{id}.{extension}\"");
    let headers = [
        (header::CONTENT_TYPE, content_type.to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, text).into_response())
}

//! What players say to each other during a game.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use noughts_api::{EmoteRequest, ErrorBody};
use noughts_store::Notice;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::error::ApiError;
use super::input::{JsonBody, PathGameId};
use crate::app::App;
use crate::game::Refusal;
use crate::limits::ClientAddress;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(send))
}

/// Send an emote
///
/// Everyone at the game receives it as a message (`emote`). It is not kept. Players may send a few in
/// a row, then one every three seconds; not to somebody who has blocked them.
#[utoipa::path(post, path = "/games/{id}/emotes", tag = "people", request_body = EmoteRequest,
    params(("id" = String, Path, description = "The game")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn send(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathGameId(game): PathGameId,
    JsonBody(request): JsonBody<EmoteRequest>,
) -> Result<StatusCode, ApiError> {
    app.limits.check_command(client, caller.id())?;
    let snapshot = app.games.snapshot(game, Some(caller.id())).await?.game;
    let mut seats = snapshot.seats_of(caller.id());
    let seat = match request.seat {
        Some(seat) => seats.find(|own| *own == seat).ok_or(Refusal::NotYourSeat)?,
        None => seats.next().ok_or(Refusal::NotAPlayer)?,
    };
    let blocked = app.storage.store.blocked_either_way(caller.id()).await?;
    let mut players = snapshot.seats().iter().filter_map(|seat| seat.holder.identity());
    if players.any(|player| blocked.contains(&player)) {
        return Err(ApiError::Blocked);
    }
    app.limits.check_emote(caller.id())?;
    app.storage.notices.publish(Notice::Emote { game, seat, emote: request.emote });
    Ok(StatusCode::NO_CONTENT)
}

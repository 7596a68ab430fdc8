//! Other players: who is there, whom one follows, and whom one has blocked.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use noughts_api::{
    CommandRequest, ErrorBody, GamePhase, IdempotencyKey, PersonView, PlayerCommand, PlayerList,
    SeatHolder,
};
use noughts_store::{GameQuery, Identity, IdentityId, IdentityKind, Relation, StoreError};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller, Person};
use super::error::ApiError;
use super::input::{PageSize, PathParams, QueryParams};
use super::leagues::find_player;
use crate::accounts::{names, player_kind};
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

/// How many connected players are looked up at once.
const MAX_LISTED: usize = 1_000;

/// Open games that are searched for challenges of a player who was blocked.
const MAX_OPEN_GAMES: u32 = 200;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(following))
        .routes(routes!(follow, unfollow))
        .routes(routes!(blocked))
        .routes(routes!(block, unblock))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct PlayersQuery {
    /// Players whose names begin with this text, whether they are connected or not. Without it, those
    /// who are connected.
    search: Option<String>,
    /// The number of players, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
}

/// List players
///
/// Who is connected, to any of the servers, or whose name begins with a text.
#[utoipa::path(get, path = "/players", tag = "people", params(PlayersQuery),
    responses((status = 200, body = PlayerList), (status = 400, body = ErrorBody)))]
async fn list(
    State(app): State<Arc<App>>,
    AnyCaller(caller): AnyCaller,
    QueryParams(query): QueryParams<PlayersQuery>,
) -> Result<Json<PlayerList>, ApiError> {
    let PageSize(limit) = query.limit;
    let online = app.online.all();
    let found = match &query.search {
        Some(text) if text.trim().is_empty() => Vec::new(),
        Some(text) => {
            let prefix = names::case_skeleton(text.trim());
            app.storage.store.search_identities(&prefix, limit * 2).await?
        }
        None => {
            let ids: Vec<IdentityId> = online.keys().copied().take(MAX_LISTED).collect();
            app.storage.store.identities(&ids).await?
        }
    };
    let (mut followed, mut hidden) = (HashSet::new(), HashSet::new());
    if let Some(caller) = &caller {
        followed = ids_of(&app, caller.id(), Relation::Follow).await?;
        hidden.extend(app.storage.store.blocked_either_way(caller.id()).await?);
        hidden.insert(caller.id());
    }
    let is_shown = |identity: &Identity| {
        identity.kind != IdentityKind::Computer && !hidden.contains(&identity.id)
    };
    let mut players: Vec<PersonView> = found
        .into_iter()
        .filter(is_shown)
        .map(|identity| person(&app, &identity, followed.contains(&identity.id)))
        .collect();
    players.sort_by_cached_key(|player| (!player.following, player.name.to_lowercase()));
    players.truncate(limit as usize);
    Ok(Json(PlayerList { online: online.len(), players }))
}

async fn ids_of(
    app: &App,
    identity: IdentityId,
    relation: Relation,
) -> Result<HashSet<IdentityId>, StoreError> {
    let related = app.storage.store.related(identity, relation).await?;
    Ok(related.into_iter().map(|identity| identity.id).collect())
}

/// A player as another one sees them.
fn person(app: &App, identity: &Identity, following: bool) -> PersonView {
    let connected = app.online.is_bot(identity.id);
    let kind = match connected {
        Some(true) => noughts_api::IdentityKind::Bot,
        _ => player_kind(identity.kind),
    };
    PersonView { name: identity.name.clone(), kind, online: connected.is_some(), following }
}

/// List whom you follow
#[utoipa::path(get, path = "/me/following", tag = "people",
    responses((status = 200, body = [PersonView]), (status = 401, body = ErrorBody)))]
async fn following(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<Vec<PersonView>>, ApiError> {
    let followed = app.storage.store.related(caller.id(), Relation::Follow).await?;
    Ok(Json(followed.iter().map(|identity| person(&app, identity, true)).collect()))
}

/// Follow a player
///
/// They come first in lists of players. They are not told.
#[utoipa::path(put, path = "/me/following/{name}", tag = "people",
    params(("name" = String, Path, description = "The player")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn follow(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathParams(name): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    let other = relate(&app, client, &caller, &name, Relation::Follow).await?;
    if other.is_some() { Ok(StatusCode::NO_CONTENT) } else { Err(ApiError::Blocked) }
}

/// Stop following a player
#[utoipa::path(delete, path = "/me/following/{name}", tag = "people",
    params(("name" = String, Path, description = "The player")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn unfollow(
    State(app): State<Arc<App>>,
    caller: Caller,
    PathParams(name): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    let other = find_player(&app, &name).await?;
    app.storage.store.remove_relation(caller.id(), other.id, Relation::Follow).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List whom you have blocked
#[utoipa::path(get, path = "/me/blocked", tag = "people",
    responses((status = 200, body = [PersonView]), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody)))]
async fn blocked(
    State(app): State<Arc<App>>,
    Person(caller): Person,
) -> Result<Json<Vec<PersonView>>, ApiError> {
    let blocked = app.storage.store.related(caller.id(), Relation::Block).await?;
    Ok(Json(blocked.iter().map(|identity| person(&app, identity, false)).collect()))
}

/// Block a player
///
/// They can't challenge you or send you emotes, and you are not paired with each other. Challenges
/// between you end. They are not told.
#[utoipa::path(put, path = "/me/blocked/{name}", tag = "people",
    params(("name" = String, Path, description = "The player")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn block(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Person(caller): Person,
    PathParams(name): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    if let Some(other) = relate(&app, client, &caller, &name, Relation::Block).await? {
        end_challenges(&app, &caller, other).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Unblock a player
#[utoipa::path(delete, path = "/me/blocked/{name}", tag = "people",
    params(("name" = String, Path, description = "The player")),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn unblock(
    State(app): State<Arc<App>>,
    Person(caller): Person,
    PathParams(name): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    let other = find_player(&app, &name).await?;
    app.storage.store.remove_relation(caller.id(), other.id, Relation::Block).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a choice about another player. None if they don't want to be followed by the caller.
async fn relate(
    app: &App,
    client: ClientAddress,
    caller: &Caller,
    name: &str,
    relation: Relation,
) -> Result<Option<IdentityId>, ApiError> {
    app.limits.check_command(client, caller.id())?;
    let other = find_player(app, name).await?;
    if other.id == caller.id() || other.kind == IdentityKind::Computer {
        return Err(ApiError::Invalid("name: expected another person or bot".into()));
    }
    let store = &app.storage.store;
    if relation == Relation::Follow
        && store.relation(other.id, caller.id()).await? == Some(Relation::Block)
    {
        return Ok(None);
    }
    match store.set_relation(caller.id(), other.id, relation, clock::now()).await {
        Ok(()) => Ok(Some(other.id)),
        Err(StoreError::TooManyRelations) => {
            Err(ApiError::TooMany("you follow and block too many players: remove some first"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Declines and withdraws the challenges between two players.
async fn end_challenges(
    app: &Arc<App>,
    caller: &Caller,
    other: IdentityId,
) -> Result<(), ApiError> {
    let query = GameQuery {
        phase: Some(GamePhase::Open),
        player: Some(caller.id()),
        public_only: false,
        rules: None,
        before: None,
        limit: MAX_OPEN_GAMES,
    };
    let between = [Some(caller.id()), Some(other)];
    for listed in app.storage.log.games(&query).await? {
        if !between.iter().all(|player| listed.listing.seats.contains(player)) {
            continue;
        }
        let game = app.games.snapshot(listed.game, None).await?.game;
        if game.seats().iter().any(|seat| matches!(seat.holder, SeatHolder::Invited { .. })) {
            let key = format!("block {}", game.seq());
            let request = CommandRequest {
                command: PlayerCommand::Abort,
                seq: game.seq(),
                key: IdempotencyKey::new(&key).ok_or(ApiError::Unavailable)?,
                seat: None,
            };
            let player = Arc::new(caller.participant());
            // It may just have begun, and is played then.
            let _ = app.games.command(listed.game, player, request, None).await;
        }
    }
    Ok(())
}

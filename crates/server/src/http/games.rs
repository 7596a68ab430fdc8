//! Creating, listing and showing games, and the commands of players.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::{
    CommandReply, CommandRequest, ErrorBody, GameId, GamePhase, GameSetup, GameSummary, GameView,
    IdempotencyKey, IdentityId, NewGame, PlayerCommand,
};
use noughts_store::{GameQuery, ListedGame};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::create::setup;
use super::error::ApiError;
use super::input::{JsonBody, PageSize, PathGameId, QueryParams, Seen};
use super::leagues;
use super::rules::requested_rules;
use super::statistics::PlayerResult;
use crate::app::App;
use crate::limits::{ClientAddress, GamePermit};
use crate::live;

/// The size of pages of which games are left out.
const MAX_PAGE_SIZE: u32 = 100;

/// Pages searched for games of two players, or with somebody there.
const MAX_SEARCHED_PAGES: usize = 10;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(show))
        .routes(routes!(command))
}

/// Create a game
///
/// A seat is for `me`, for `anyone`, for a `player` with a name, or for a `computer`. The first
/// seat moves first. The game starts when every seat is taken.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<Response, ApiError> {
    app.limits.check_new_game(client, caller.id(), request.moves.len())?;
    let setup = setup(&app, &caller, &request).await?;
    let game = create_from(&app, &caller, setup, request.key.as_ref()).await?;
    Ok(created(game))
}

/// Creates a game and shows it to its creator.
pub(super) async fn create_from(
    app: &Arc<App>,
    caller: &Caller,
    setup: GameSetup,
    key: Option<&IdempotencyKey>,
) -> Result<GameView, ApiError> {
    let _permit = app.quota.acquire_to_create(caller.id(), &setup, key).await?;
    let game = match key {
        Some(key) => app.games.create_once(setup, caller.id(), key).await,
        None => app.games.create(app.games.new_game_id(), setup, None).await,
    };
    let game = game.map_err(|error| {
        tracing::error!(%error, "could not create a game");
        ApiError::Unavailable
    })?;
    view(app, game, Some(caller.id()), 0).await
}

/// A game as a viewer sees it who has seen an event of it.
pub(super) async fn view(
    app: &Arc<App>,
    game: GameId,
    viewer: Option<IdentityId>,
    seq: u32,
) -> Result<GameView, ApiError> {
    let game = app.games.snapshot_after(game, viewer, seq).await?.game;
    if seq > 0
        && game.phase() == GamePhase::Finished
        && let Some(league) = &game.setup().league
    {
        // The ratings include the result.
        app.storage.standings.refresh(league).await?;
    }
    Ok(app.games.view_for(&game, viewer))
}

pub(super) fn created(view: GameView) -> Response {
    let location = format!("/api/v1/games/{}", view.id);
    (StatusCode::CREATED, [(header::LOCATION, location)], Json(view)).into_response()
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only games in this phase.
    phase: Option<GamePhase>,
    /// Only games of the player with this name.
    player: Option<String>,
    /// Only games in which the player with this name has a seat, too.
    opponent: Option<String>,
    /// Only games that ended like this for `player`, without those that don't count.
    #[param(inline)]
    result: Option<PlayerResult>,
    /// Only games with these rules.
    rules: Option<String>,
    /// Only games with somebody there: open ones that anyone can join and in which nobody is away, and
    /// live ones with a player present.
    #[serde(default)]
    #[param(value_type = Option<bool>, default = false)]
    present: bool,
    /// Only games older than this one: the last one of the previous page.
    before: Option<GameId>,
    /// The number of games, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
}

/// List games
///
/// The newest first. Public games, and with yourself as `player` all of your own.
#[utoipa::path(get, path = "/games", tag = "games", params(ListQuery),
    responses((status = 200, body = [GameSummary]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn list(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    QueryParams(query): QueryParams<ListQuery>,
) -> Result<Json<Vec<GameSummary>>, ApiError> {
    let rules = query.rules.map(|text| requested_rules(&app, &text));
    let rules = rules.transpose().map_err(ApiError::Malformed)?;
    let player = identity(&app, query.player).await?;
    let opponent = identity(&app, query.opponent).await?;
    let (PageSize(limit), present, result) = (query.limit, query.present, query.result);
    if result.is_some() && player.is_none() {
        return Err(ApiError::Malformed("result: expected a player, too".into()));
    }
    let mut query = GameQuery {
        phase: query.phase,
        player: player.or(opponent),
        public_only: player.is_none() || player != caller.id(),
        rules: rules.map(|rules| rules.to_string()),
        before: query.before,
        limit: if opponent.is_some() || present || result.is_some() {
            MAX_PAGE_SIZE
        } else {
            limit
        },
    };
    let mut games = Vec::new();
    for _ in 0..MAX_SEARCHED_PAGES {
        let page = app.storage.log.games(&query).await?;
        query.before = page.last().map(|game| game.game);
        let is_full = page.len() >= query.limit as usize;
        let has_opponent =
            |game: &ListedGame| opponent.is_none_or(|id| game.listing.seats.contains(&Some(id)));
        let has_result =
            |game: &ListedGame| result.is_none_or(|result| ended_with(game, player, result));
        for game in page.into_iter().filter(has_opponent).filter(has_result) {
            if !present || app.games.is_attended(game.game).await {
                games.push(game);
            }
        }
        if !is_full || games.len() >= limit as usize {
            break;
        }
    }
    games.truncate(limit as usize);
    Ok(Json(games.into_iter().filter_map(live::summary).collect()))
}

/// Whether a game is over with this result for a player.
fn ended_with(game: &ListedGame, player: Option<IdentityId>, result: PlayerResult) -> bool {
    let details = serde_json::from_str(&game.listing.detail).ok();
    game.listing.phase == GamePhase::Finished
        && details
            .zip(player)
            .and_then(|(details, player)| PlayerResult::of(game, &details, player))
            == Some(result)
}

async fn identity(app: &App, name: Option<String>) -> Result<Option<IdentityId>, ApiError> {
    match name {
        Some(name) => Ok(Some(leagues::find_player(app, &name).await?.id)),
        None => Ok(None),
    }
}

/// Show a game
///
/// Servers that share a database may be a moment behind each other. With `seq`, the answer is never
/// older than what you have seen.
#[utoipa::path(get, path = "/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game"), Seen),
    responses((status = 200, body = GameView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
async fn show(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathGameId(game): PathGameId,
    QueryParams(Seen { seq }): QueryParams<Seen>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(view(&app, game, caller.id(), seq).await?))
}

/// Send a command
///
/// Everything a player does: join, move, ask to take back a move and answer that, resign, abort, claim
/// the game, and play again.
#[utoipa::path(post, path = "/games/{id}/commands", tag = "games", request_body = CommandRequest,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = CommandReply), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn command(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathGameId(game): PathGameId,
    JsonBody(request): JsonBody<CommandRequest>,
) -> Result<Json<CommandReply>, ApiError> {
    app.limits.check_command(client, caller.id())?;
    let permit = game_permit(&app, caller.id(), game, &request).await?;
    let player = Arc::new(caller.participant());
    let accepted = app.games.command(game, player, request, permit).await?;
    let game = app.games.view_for(&accepted.game, Some(caller.id()));
    Ok(Json(CommandReply { seq: accepted.seq, game }))
}

/// Counts the game that a command may start for a player: by joining, or by a rematch. A command that
/// took effect before needs no permit.
pub(super) async fn game_permit(
    app: &Arc<App>,
    player: IdentityId,
    game: GameId,
    request: &CommandRequest,
) -> Result<Option<GamePermit>, ApiError> {
    if !matches!(request.command, PlayerCommand::Join { .. } | PlayerCommand::Rematch) {
        return Ok(None);
    }
    match app.quota.acquire(player).await {
        Ok(permit) => Ok(Some(permit)),
        Err(error) => {
            let snapshot = app.games.snapshot(game, None).await?;
            let is_repeated = snapshot.game.accepted_at(player, &request.key).is_some();
            if is_repeated { Ok(None) } else { Err(error.into()) }
        }
    }
}

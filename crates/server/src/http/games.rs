//! Making games, and everything that players do in them.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_rules::{Cell, Seat};
use noughts_store::{GameId, GamePhase, GameQuery, IdentityId, ListedGame};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::create::{NewGame, setup};
use super::error::{ApiError, ErrorBody};
use super::input::{Asked, Body, OfGame, PageSize};
use super::leagues;
use crate::app::App;
use crate::game::{Actor, Command, CommandKey, GameView, Order, Seen};
use crate::limits::GamePermit;
use crate::live::{self, Summary};

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(show))
        .routes(routes!(join))
        .routes(routes!(make_move))
        .routes(routes!(ask_undo))
        .routes(routes!(answer_undo))
        .routes(routes!(resign))
        .routes(routes!(abort))
        .routes(routes!(claim))
        .routes(routes!(rematch))
}

/// What a command came to.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Answer {
    /// The sequence number right after the command. The same command sent again gets the same.
    seq: u32,
    /// The game as it is.
    game: GameView,
}

/// Create a game
///
/// A seat is for `me`, for `anyone`, for a `player` with a name, or for a `computer`. The first
/// seat moves first. The game begins when nobody is missing.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame,
    responses((status = 201, body = GameView), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(wanted): Body<NewGame>,
) -> Result<Response, ApiError> {
    app.limits.check_command(caller.id())?;
    let setup = setup(&app, &caller, &wanted).await?;
    let made = begin(&app, &caller, setup, wanted.key.as_ref()).await?;
    Ok(created(made))
}

/// Makes a game and answers how it looks.
pub(super) async fn begin(
    app: &Arc<App>,
    caller: &Caller,
    setup: crate::game::Setup,
    key: Option<&CommandKey>,
) -> Result<GameView, ApiError> {
    let _permit = app.quota.acquire_to_create(caller.id(), &setup, key).await?;
    let game = match key {
        Some(key) => live::create_once(app, setup, caller.id(), key).await,
        None => live::create(app, app.new_game_id(), setup, None).await,
    };
    let game = game.map_err(|error| {
        tracing::error!(%error, "could not create a game");
        ApiError::Unavailable
    })?;
    let game = app.rooms.look(app, game).await?;
    live::attend(app, &game, caller.id()).await;
    live::expect_back(app, &game, caller.id());
    Ok(app.view_for(&game, Some(caller.id())))
}

pub(super) fn created(view: GameView) -> Response {
    let address = format!("/api/v1/games/{}", view.id);
    (StatusCode::CREATED, [(header::LOCATION, address)], Json(view)).into_response()
}

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Which {
    /// `open`, `live` or `finished`; all if it is missing.
    state: Option<String>,
    /// Only games of the player with this name.
    player: Option<String>,
    /// Only games in which the player with this name sits too.
    opponent: Option<String>,
    /// Only games with these rules.
    rules: Option<String>,
    /// Only games that are older than this one: the last one of the page before.
    #[param(value_type = Option<String>)]
    before: Option<GameId>,
    /// How many, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
}

/// A game in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GameInList {
    /// The name of the game in addresses.
    #[schema(value_type = String)]
    id: GameId,
    /// `open`, `live` or `finished`.
    state: &'static str,
    /// The rules.
    rules: String,
    /// Whether it counts in a league.
    rated: bool,
    /// In which.
    league: Option<String>,
    /// When something happened last, in milliseconds since 1970.
    last_at: i64,
    #[serde(flatten)]
    summary: Summary,
}

/// List games
///
/// The youngest first. Public games, and with `player` yourself all of your own.
#[utoipa::path(get, path = "/games", tag = "games", params(Which),
    responses((status = 200, body = [GameInList]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn list(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    Asked(which): Asked<Which>,
) -> Result<Json<Vec<GameInList>>, ApiError> {
    let parse = |text: String| GamePhase::ALL.into_iter().find(|phase| phase.as_str() == text);
    let phase = which.state.map(|text| {
        parse(text).ok_or(ApiError::Malformed("state: expected open, live or finished".into()))
    });
    let phase = phase.transpose()?;
    let rules = which.rules.map(|text| app.rules.get(&text));
    let rules = rules.transpose().map_err(|error| ApiError::Malformed(error.to_string()))?;
    let player = player(&app, which.player).await?;
    let opponent = self::player(&app, which.opponent).await?;
    let PageSize(limit) = which.limit;
    let mut query = GameQuery {
        phase,
        player: player.or(opponent),
        public_only: player.is_none() || player != caller.id(),
        rules: rules.map(|rules| rules.to_string()),
        before: which.before,
        limit: if opponent.is_some() { 100 } else { limit },
    };
    let mut games = Vec::new();
    for _ in 0..PAGES {
        let page = app.storage.log.games(&query).await?;
        query.before = page.last().map(|game| game.game);
        let full = page.len() >= query.limit as usize;
        let sits =
            |game: &ListedGame| opponent.is_none_or(|who| game.listing.seats.contains(&Some(who)));
        games.extend(page.into_iter().filter(sits));
        if !full || games.len() >= limit as usize {
            break;
        }
    }
    games.truncate(limit as usize);
    let in_list = games.into_iter().filter_map(|game| {
        Some(GameInList {
            id: game.game,
            state: game.listing.phase.as_str(),
            rules: game.listing.rules,
            rated: game.listing.rated,
            league: game.listing.league,
            last_at: game.at,
            summary: serde_json::from_str(&game.listing.detail).ok()?,
        })
    });
    Ok(Json(in_list.collect()))
}

/// How many pages are looked through for games of two players.
const PAGES: usize = 10;

async fn player(app: &App, name: Option<String>) -> Result<Option<IdentityId>, ApiError> {
    match name {
        Some(name) => Ok(Some(leagues::find(app, &name).await?.id)),
        None => Ok(None),
    }
}

/// Show a game
#[utoipa::path(get, path = "/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = GameView), (status = 404, body = ErrorBody)))]
async fn show(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    OfGame(game): OfGame,
) -> Result<Json<GameView>, ApiError> {
    let game = app.rooms.look(&app, game).await?;
    if let Some(who) = caller.id() {
        live::attend(&app, &game, who).await;
    }
    Ok(Json(app.view_for(&game, caller.id())))
}

/// Counts a game that a command is about to start for a player: by joining, or by a rematch. A
/// command that was done before gets the same answer again and needs no permit.
pub(super) async fn game_permit(
    app: &Arc<App>,
    player: IdentityId,
    game: GameId,
    key: Option<&CommandKey>,
) -> Result<Option<GamePermit>, ApiError> {
    match (app.quota.acquire(player).await, key) {
        (Err(error), Some(key)) => {
            let is_done = app.rooms.look(app, game).await?.done(player, key).is_some();
            if is_done { Ok(None) } else { Err(error.into()) }
        }
        (permit, _) => Ok(Some(permit?)),
    }
}

/// Sends an order and answers what came of it.
pub(super) async fn order(
    app: &Arc<App>,
    caller: &Caller,
    game: GameId,
    seen: Option<Seen>,
    seat: Option<u8>,
    command: Command,
) -> Result<Json<Answer>, ApiError> {
    app.limits.check_command(caller.id())?;
    let seat =
        seat.map(|seat| Seat::new(seat).ok_or(ApiError::Invalid("seats go from 0 to 7".into())));
    let order =
        Order { actor: Actor::Identity(caller.id()), seen, seat: seat.transpose()?, command };
    let done = app.rooms.order(app, game, order).await?;
    Ok(Json(Answer { seq: done.seq, game: app.view_for(&done.game, Some(caller.id())) }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JoinBody {
    /// Which seat; any that is free if it is missing.
    #[schema(maximum = 7)]
    seat: Option<u8>,
    /// What your cells shall show.
    symbol: Option<String>,
    /// Your name for this command: sent again, it gets the same answer.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    key: Option<CommandKey>,
}

/// Join a game
#[utoipa::path(post, path = "/games/{id}/join", tag = "games", request_body = JoinBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn join(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<JoinBody>,
) -> Result<Json<Answer>, ApiError> {
    // Joining does not depend on what was seen of the game.
    let seen = body.key.map(|key| Seen { seq: 0, key });
    let key = seen.as_ref().map(|seen| &seen.key);
    let _permit = game_permit(&app, caller.id(), game, key).await?;
    let command = Command::Join { who: caller.joining(), symbol: body.symbol };
    order(&app, &caller, game, seen, body.seat, command).await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MoveBody {
    /// The box, such as `A1`, or `row,col` from 0.
    #[schema(example = "A1")]
    cell: String,
    /// The sequence number of the last event that you have seen.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    seq: u32,
    /// Your name for this command: sent again, it gets the same answer and is done once.
    #[schema(value_type = String, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    key: CommandKey,
    /// For which of your seats, where you have several.
    #[schema(maximum = 7)]
    seat: Option<u8>,
}

/// Make a move
#[utoipa::path(post, path = "/games/{id}/moves", tag = "games", request_body = MoveBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
async fn make_move(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<MoveBody>,
) -> Result<Json<Answer>, ApiError> {
    let cell: Cell =
        body.cell.parse().map_err(|error| ApiError::Invalid(format!("cell: {error}")))?;
    let seen = Some(Seen { seq: body.seq, key: body.key });
    order(&app, &caller, game, seen, body.seat, Command::Move { cell }).await
}

/// What every command carries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CommandBody {
    /// The sequence number of the last event that you have seen.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    seq: u32,
    /// Your name for this command: sent again, it gets the same answer and is done once.
    #[schema(value_type = String, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    key: CommandKey,
    /// For which of your seats, where you have several.
    #[schema(maximum = 7)]
    seat: Option<u8>,
}

impl CommandBody {
    async fn order(
        self,
        app: &Arc<App>,
        caller: &Caller,
        game: GameId,
        command: Command,
    ) -> Result<Json<Answer>, ApiError> {
        let seen = Some(Seen { seq: self.seq, key: self.key });
        order(app, caller, game, seen, self.seat, command).await
    }
}

/// Ask to take back your last move
///
/// The other players are asked. Computers agree at once.
#[utoipa::path(post, path = "/games/{id}/undo", tag = "games", request_body = CommandBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn ask_undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<CommandBody>,
) -> Result<Json<Answer>, ApiError> {
    body.order(&app, &caller, game, Command::AskUndo).await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoAnswerBody {
    /// Whether the other player may take the move back.
    agree: bool,
    /// The sequence number of the last event that you have seen.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    seq: u32,
    /// Your name for this command: sent again, it gets the same answer and is done once.
    #[schema(value_type = String, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    key: CommandKey,
    /// For which of your seats, where you have several.
    #[schema(maximum = 7)]
    seat: Option<u8>,
}

/// Let another player take back a move, or not
#[utoipa::path(post, path = "/games/{id}/undo/answer", tag = "games", request_body = UndoAnswerBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn answer_undo(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<UndoAnswerBody>,
) -> Result<Json<Answer>, ApiError> {
    let seen = Some(Seen { seq: body.seq, key: body.key });
    let command = Command::AnswerUndo { agree: body.agree };
    order(&app, &caller, game, seen, body.seat, command).await
}

/// Give up
#[utoipa::path(post, path = "/games/{id}/resign", tag = "games", request_body = CommandBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn resign(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<CommandBody>,
) -> Result<Json<Answer>, ApiError> {
    body.order(&app, &caller, game, Command::Resign).await
}

/// Call the game off
///
/// Before the second move only. The game does not count. Whoever is invited declines by this.
#[utoipa::path(post, path = "/games/{id}/abort", tag = "games", request_body = CommandBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn abort(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<CommandBody>,
) -> Result<Json<Answer>, ApiError> {
    body.order(&app, &caller, game, Command::Abort).await
}

/// Claim the game
///
/// Against players who have been away for longer than the game allows. Who has a WebSocket open, or
/// asked for the game or did something in it a moment ago, is there.
#[utoipa::path(post, path = "/games/{id}/claim", tag = "games", request_body = CommandBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn claim(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<CommandBody>,
) -> Result<Json<Answer>, ApiError> {
    body.order(&app, &caller, game, Command::Claim).await
}

/// Play again
///
/// When everyone wants it, `next` is the key of the next game; who moved second begins.
#[utoipa::path(post, path = "/games/{id}/rematch", tag = "games", request_body = CommandBody,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Answer), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn rematch(
    State(app): State<Arc<App>>,
    caller: Caller,
    OfGame(game): OfGame,
    Body(body): Body<CommandBody>,
) -> Result<Json<Answer>, ApiError> {
    let _permit = game_permit(&app, caller.id(), game, Some(&body.key)).await?;
    let next = app.new_game_id();
    body.order(&app, &caller, game, Command::Rematch { next }).await
}

//! Creating, listing, joining and following tournaments.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noughts_api::{
    ErrorBody, IdentityKind, Millis, NewTournament, TimeControl, TournamentFormat, TournamentGame,
    TournamentId, TournamentPhase, TournamentSettings, TournamentState, TournamentSummary,
};
use noughts_rules::is_unprintable;
use noughts_store::{ListedTournament, TournamentFilter};
use serde::Deserialize;
use tokio::time::{Duration, sleep, timeout};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::create::rated_league;
use super::error::ApiError;
use super::input::{JsonBody, PageSize, PathTournamentId, QueryParams, Seen};
use super::rules::requested_rules;
use super::stream::{KEEP_ALIVE_INTERVAL, Lines, respond};
use crate::app::App;
use crate::director::{Snapshot, TournamentDetail, TournamentRequest, game_view};
use crate::game::Refusal;
use crate::limits::ClientAddress;

/// Tournaments that a player can create in a day.
const MAX_CREATED_PER_DAY: u64 = 20;

/// Tournaments of a player that are not over.
const MAX_UNFINISHED: u64 = 10;

const DAY: Millis = 24 * 3600 * 1000;

/// How far ahead a tournament can be announced.
const MAX_ANNOUNCED: Millis = 30 * DAY;

/// A game of an arena can't last longer.
const MAX_ARENA_CLOCK_MS: u32 = 30 * 60 * 1000;

/// The most games of one answer.
const MAX_GAMES: usize = 1_000;

/// Changes within this time are sent together.
const COALESCE_INTERVAL: Duration = Duration::from_millis(250);

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(create, list))
        .routes(routes!(show))
        .routes(routes!(join))
        .routes(routes!(leave))
        .routes(routes!(start))
        .routes(routes!(cancel))
        .routes(routes!(games))
        .routes(routes!(follow))
}

/// Create a tournament
///
/// Anyone with its address can join. You need not play in it yourself.
#[utoipa::path(post, path = "/tournaments", tag = "tournaments", request_body = NewTournament,
    responses((status = 201, body = TournamentState), (status = 401, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn create(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    JsonBody(request): JsonBody<NewTournament>,
) -> Result<Response, ApiError> {
    app.limits.check_new_game(client, caller.id(), 0)?;
    let key = request.key.clone();
    let settings = settings(&app, request)?;
    let since = app.games.now() - DAY;
    let (recent, unfinished) = app.storage.store.tournaments_created(caller.id(), since).await?;
    if recent >= MAX_CREATED_PER_DAY {
        return Err(ApiError::TooMany("you have created many tournaments today: wait a day"));
    }
    if unfinished >= MAX_UNFINISHED {
        return Err(ApiError::TooMany("you have 10 tournaments that are not over: end one first"));
    }
    let id = app.directors.create(settings, caller.id(), key).await?;
    let snapshot = app.directors.snapshot(id, 0).await?;
    let location = format!("/api/v1/tournaments/{id}");
    let state = Json(state(&app, &snapshot, Some(&caller)));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], state).into_response())
}

/// What a requested tournament is created with.
fn settings(app: &App, request: NewTournament) -> Result<TournamentSettings, ApiError> {
    let invalid = |expected: &str| ApiError::Invalid(expected.into());
    let name = request.name.trim();
    if !(2..=60).contains(&name.chars().count()) || name.contains(is_unprintable) {
        return Err(invalid("name: expected 2 to 60 printable characters"));
    }
    let is_arena = match request.format {
        TournamentFormat::Arena { minutes: 1..=240 } => true,
        TournamentFormat::RoundRobin { cycles: 1..=2 }
        | TournamentFormat::Swiss { rounds: 1..=30 } => false,
        TournamentFormat::Arena { .. } => return Err(invalid("minutes: expected 1 to 240")),
        TournamentFormat::RoundRobin { .. } => return Err(invalid("cycles: expected 1 or 2")),
        TournamentFormat::Swiss { .. } => return Err(invalid("rounds: expected 1 to 30")),
    };
    let rules = requested_rules(app, &request.rules).map_err(ApiError::Invalid)?;
    if rules.players() != 2 {
        return Err(invalid("rules: expected a game for two players"));
    }
    if !request.clock.is_valid() {
        return Err(Refusal::TimeControl.into());
    }
    let TimeControl { initial_ms, .. } = request.clock;
    if is_arena && initial_ms > MAX_ARENA_CLOCK_MS {
        return Err(invalid("clock: expected at most 30 minutes in an arena"));
    }
    let now = app.games.now();
    if request.starts_at.is_some_and(|at| !(now..=now + MAX_ANNOUNCED).contains(&at)) {
        return Err(invalid("starts_at: expected a time within the next 30 days"));
    }
    Ok(TournamentSettings {
        name: name.into(),
        format: request.format,
        rules: rules.to_string(),
        clock: request.clock,
        league: rated_league(app, request.rated, None, &rules)?,
        bots: request.bots,
        public: request.public,
        starts_at: request.starts_at,
    })
}

/// A tournament with the caller's part in it.
fn state(app: &App, snapshot: &Snapshot, caller: Option<&Caller>) -> TournamentState {
    TournamentState {
        tournament: snapshot.view.clone(),
        at: app.games.now(),
        you: caller.map(|caller| snapshot.you(caller.id())),
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ListQuery {
    /// Only tournaments in this phase; without it, those that wait or run.
    phase: Option<TournamentPhase>,
    /// Your own instead of public ones: those that you have joined or created.
    #[serde(default)]
    #[param(value_type = Option<bool>, default = false)]
    mine: bool,
    /// Only tournaments older than this one: the last one of the previous page.
    before: Option<TournamentId>,
    /// The number of tournaments, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
}

/// List tournaments
///
/// Public ones, or your own. The newest first.
#[utoipa::path(get, path = "/tournaments", tag = "tournaments", params(ListQuery),
    responses((status = 200, body = [TournamentSummary]), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody)))]
async fn list(
    State(app): State<Arc<App>>,
    AnyCaller(caller): AnyCaller,
    QueryParams(query): QueryParams<ListQuery>,
) -> Result<Json<Vec<TournamentSummary>>, ApiError> {
    let ListQuery { phase, mine, before, limit: PageSize(limit) } = query;
    let filters = if mine {
        let identity = caller.ok_or(ApiError::SignInNeeded)?.id();
        vec![TournamentFilter::Player(identity), TournamentFilter::Creator(identity)]
    } else if let Some(phase) = phase {
        vec![TournamentFilter::Public(phase)]
    } else {
        let phases = [TournamentPhase::Waiting, TournamentPhase::Running];
        phases.map(TournamentFilter::Public).into()
    };
    let mut found: Vec<ListedTournament> = Vec::new();
    for filter in filters {
        found.extend(app.storage.store.tournaments(filter, before, limit).await?);
    }
    found.sort_unstable_by_key(|listed| std::cmp::Reverse(listed.tournament));
    found.dedup_by_key(|listed| listed.tournament);
    found.truncate(limit as usize);
    found.retain(|listed| phase.is_none_or(|phase| phase == listed.phase));
    Ok(Json(found.into_iter().filter_map(TournamentDetail::summary).collect()))
}

/// Show a tournament
///
/// With `seq`, the answer is never older than what you have seen.
#[utoipa::path(get, path = "/tournaments/{id}", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament"), Seen),
    responses((status = 200, body = TournamentState), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn show(
    State(app): State<Arc<App>>,
    AnyCaller(caller): AnyCaller,
    PathTournamentId(id): PathTournamentId,
    QueryParams(Seen { seq }): QueryParams<Seen>,
) -> Result<Json<TournamentState>, ApiError> {
    let snapshot = app.directors.snapshot(id, seq).await?;
    Ok(Json(state(&app, &snapshot, caller.as_ref())))
}

/// Join a tournament
///
/// Also to be paired again after leaving, or after not coming to a game. Your games begin by themselves:
/// follow `GET /api/v1/stream`, or the tournament.
#[utoipa::path(post, path = "/tournaments/{id}/join", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament")),
    responses((status = 200, body = TournamentState), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn join(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathTournamentId(id): PathTournamentId,
) -> Result<Json<TournamentState>, ApiError> {
    let (player, bot) = (caller.id(), caller.kind() == IdentityKind::Bot);
    request(&app, client, &caller, id, TournamentRequest::Join { player, bot }).await
}

/// Leave a tournament
///
/// You are not paired any more. A game that you are playing goes on. You keep your points.
#[utoipa::path(post, path = "/tournaments/{id}/leave", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament")),
    responses((status = 200, body = TournamentState), (status = 401, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 429, body = ErrorBody)))]
async fn leave(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathTournamentId(id): PathTournamentId,
) -> Result<Json<TournamentState>, ApiError> {
    let player = caller.id();
    request(&app, client, &caller, id, TournamentRequest::Leave { player }).await
}

/// Start a tournament
///
/// Only the player who created it can do that, also before its time.
#[utoipa::path(post, path = "/tournaments/{id}/start", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament")),
    responses((status = 200, body = TournamentState), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn start(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathTournamentId(id): PathTournamentId,
) -> Result<Json<TournamentState>, ApiError> {
    let by = caller.id();
    request(&app, client, &caller, id, TournamentRequest::Start { by }).await
}

/// Cancel a tournament
///
/// Only the player who created it can do that, before it starts.
#[utoipa::path(post, path = "/tournaments/{id}/cancel", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament")),
    responses((status = 200, body = TournamentState), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn cancel(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    PathTournamentId(id): PathTournamentId,
) -> Result<Json<TournamentState>, ApiError> {
    let by = caller.id();
    request(&app, client, &caller, id, TournamentRequest::Cancel { by }).await
}

async fn request(
    app: &Arc<App>,
    client: ClientAddress,
    caller: &Caller,
    id: TournamentId,
    request: TournamentRequest,
) -> Result<Json<TournamentState>, ApiError> {
    app.limits.check_command(client, caller.id())?;
    let snapshot = app.directors.request(id, request).await?;
    Ok(Json(state(app, &snapshot, Some(caller))))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct GamesQuery {
    /// Without this many games from the first on.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    after: u32,
}

/// List the games of a tournament
///
/// In the order in which they were paired, at most 1,000. If there are as many, ask for those after them.
#[utoipa::path(get, path = "/tournaments/{id}/games", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament"), GamesQuery),
    responses((status = 200, body = [TournamentGame]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn games(
    State(app): State<Arc<App>>,
    PathTournamentId(id): PathTournamentId,
    QueryParams(GamesQuery { after }): QueryParams<GamesQuery>,
) -> Result<Json<Vec<TournamentGame>>, ApiError> {
    let snapshot = app.directors.snapshot(id, 0).await?;
    let games = snapshot.tournament.games().iter().skip(after as usize).take(MAX_GAMES);
    Ok(Json(games.map(game_view).collect()))
}

/// Follow a tournament
///
/// Lines of JSON: the tournament as it is, and again whenever it has changed. An empty line every few
/// seconds shows that the connection is alive.
#[utoipa::path(get, path = "/tournaments/{id}/stream", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament")),
    responses((status = 200, body = TournamentState, content_type = "application/x-ndjson"),
        (status = 404, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn follow(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    AnyCaller(caller): AnyCaller,
    PathTournamentId(id): PathTournamentId,
) -> Result<Response, ApiError> {
    let mut changes = app.directors.follow(id).await?;
    let viewer = caller.as_ref().map(Caller::id);
    respond(&app.clone(), client, caller.as_ref(), async move |lines: Lines| {
        loop {
            // One that can't be read now is sent with its next change.
            let seq = *changes.borrow_and_update();
            if let Ok(snapshot) = app.directors.snapshot(id, seq).await {
                let you = viewer.map(|viewer| snapshot.you(viewer));
                let you = serde_json::to_string(&you).expect("a struct");
                let (text, at) = (&snapshot.text, app.games.now());
                lines.send(&format!(r#"{{"tournament":{text},"at":{at},"you":{you}}}"#)).await?;
            }
            sleep(COALESCE_INTERVAL).await;
            loop {
                match timeout(KEEP_ALIVE_INTERVAL, changes.changed()).await {
                    Ok(Ok(())) => break,
                    // The task failed: clients connect again.
                    Ok(Err(_)) => return None,
                    Err(_) => lines.send("").await?,
                }
            }
        }
    })
}

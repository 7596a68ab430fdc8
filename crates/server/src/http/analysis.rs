//! Analysis of games and positions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_api::{
    AnalysisRequest, AnalysisView, ErrorBody, GamePhase, LosingMove, MoveValue, ValueKind,
};
use noughts_engine::{
    Analysis, Budget, LosingMoveError, StrategyError, Value, Verdict, analyse, losing_move,
};
use noughts_rules::{Move, Position, Seat};
use noughts_store::GameId;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::input::{JsonBody, PathGameId, QueryParams, Seen};
use super::rules::requested_rules;
use crate::app::App;
use crate::game::{OnlineGame, Refusal};
use crate::limits::ClientAddress;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(analyse_game))
        .routes(routes!(find_losing_move))
        .routes(routes!(analyse_position))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct AnalysisQuery {
    /// The number of actions played before the position; all of them by default.
    ply: Option<usize>,
    /// The analysed game includes this event.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    seq: u32,
}

/// Analyse a position of a game
///
/// Rated games, and games between people, can't be analysed while they are played.
#[utoipa::path(get, path = "/games/{id}/analysis", tag = "analysis",
    params(("id" = String, Path, description = "The id of the game"), AnalysisQuery),
    responses((status = 200, body = AnalysisView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn analyse_game(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    PathGameId(id): PathGameId,
    QueryParams(AnalysisQuery { ply, seq }): QueryParams<AnalysisQuery>,
) -> Result<Json<AnalysisView>, ApiError> {
    let mut position = current_position(&*analysable_game(&app, id, seq).await?);
    let played = position.history().len();
    let ply = ply.unwrap_or(played);
    if ply > played {
        return Err(ApiError::Invalid(format!("ply: the game has {played} actions")));
    }
    while position.history().len() > ply {
        position.undo().map_err(|error| ApiError::Invalid(error.to_string()))?;
    }
    run_analysis(&app, client, position).await
}

/// Analyse any position
#[utoipa::path(post, path = "/analysis", tag = "analysis", request_body = AnalysisRequest,
    responses((status = 200, body = AnalysisView), (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn analyse_position(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    JsonBody(request): JsonBody<AnalysisRequest>,
) -> Result<Json<AnalysisView>, ApiError> {
    let position = requested_position(&app, request).map_err(ApiError::Invalid)?;
    run_analysis(&app, client, position).await
}

fn requested_position(app: &App, request: AnalysisRequest) -> Result<Position, String> {
    match request {
        AnalysisRequest { position: Some(text), rules: None, moves: None } => {
            text.parse().map_err(|error: noughts_rules::ParsePositionError| error.to_string())
        }
        AnalysisRequest { position: None, rules: Some(rules), moves } => {
            let rules = requested_rules(app, &rules)?;
            let mut position = Position::new(&rules);
            for text in moves.iter().flatten() {
                let mv: Move = text.parse().map_err(|error| format!("moves: {error}"))?;
                position.play(mv).map_err(|error| format!("moves: {error}"))?;
            }
            Ok(position)
        }
        _ => Err("expected either `position`, or `rules` and `moves`".into()),
    }
}

/// Runs a job on the analysis threads. It counts for its address until it is done, even if the
/// client disconnects: it occupies the queue until then.
pub(super) async fn compute<T: Send + 'static>(
    app: &App,
    client: ClientAddress,
    job: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let permit = app.limits.start_analysis(client)?;
    let job = move || {
        let _permit = permit;
        job()
    };
    Ok(app.compute.analysts.run(job).await?)
}

async fn run_analysis(
    app: &App,
    client: ClientAddress,
    position: Position,
) -> Result<Json<AnalysisView>, ApiError> {
    let budget = Budget::unlimited().with_time(app.config.analysis_time());
    let (text, turn) = (position.to_string(), position.turn());
    match compute(app, client, move || analyse(&position, &budget)).await? {
        Ok(analysis) => Ok(Json(analysis_view(text, turn, &analysis))),
        Err(StrategyError::GameOver) => {
            Err(ApiError::Invalid("the game is over: there is nothing to analyse".into()))
        }
        Err(error) => Err(ApiError::Invalid(error.to_string())),
    }
}

fn analysis_view(position: String, turn: Option<Seat>, analysis: &Analysis) -> AnalysisView {
    let moves = analysis.moves.iter().map(|analysed| {
        let (kind, plies, score) = match analysed.verdict {
            Verdict::Proven(value) => (value_kind(value), value.plies(), None),
            Verdict::Estimate(score) => (ValueKind::Estimate, None, Some(score)),
        };
        MoveValue { mv: analysed.mv, kind, plies, score }
    });
    let moves = moves.collect();
    AnalysisView { position, turn, best: analysis.best, line: analysis.pv.clone(), moves }
}

pub(super) fn value_kind(value: Value) -> ValueKind {
    match value {
        Value::Win { .. } => ValueKind::Win,
        Value::Draw => ValueKind::Draw,
        Value::Loss { .. } => ValueKind::Loss,
    }
}

/// Find the losing move of a game
///
/// `null` if no single move lost it, or if more than two play.
#[utoipa::path(get, path = "/games/{id}/losing-move", tag = "analysis",
    params(("id" = String, Path, description = "The id of the game"), Seen),
    responses((status = 200, body = Option<LosingMove>), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 429, body = ErrorBody), (status = 503, body = ErrorBody)))]
async fn find_losing_move(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    PathGameId(id): PathGameId,
    QueryParams(Seen { seq }): QueryParams<Seen>,
) -> Result<Json<Option<LosingMove>>, ApiError> {
    let online = analysable_game(&app, id, seq).await?;
    let position = current_position(&online);
    if online.phase() == GamePhase::Finished && position.outcome().is_none() {
        // Aborted or abandoned: nobody lost.
        return Ok(Json(None));
    }
    let budget = Budget::unlimited().with_time(app.config.analysis_time());
    match compute(&app, client, move || losing_move(&position, &budget)).await? {
        Ok(found) => Ok(Json(found.map(|found| LosingMove {
            ply: found.ply,
            seat: found.seat,
            mv: found.mv,
            better: found.better,
            missed: found.missed.proven().map_or(ValueKind::Estimate, value_kind),
        }))),
        Err(LosingMoveError::NotOver) => Err(Refusal::NotOver.into()),
        Err(_) => Ok(Json(None)),
    }
}

/// A game that may be analysed: analysis would help the players of a rated one, and one of several
/// people behind the others' back.
async fn analysable_game(
    app: &Arc<App>,
    id: GameId,
    seq: u32,
) -> Result<Box<OnlineGame>, ApiError> {
    let online = app.games.snapshot_after(id, None, seq).await?.game;
    let is_contest = online.setup().league.is_some() || has_several_people(&online);
    if online.phase() == GamePhase::Live && is_contest {
        return Err(ApiError::StillPlayed);
    }
    Ok(online)
}

fn has_several_people(online: &OnlineGame) -> bool {
    let mut people = online.seats().iter().filter_map(|seat| seat.holder.identity());
    let first = people.next();
    people.any(|person| Some(person) != first)
}

fn current_position(online: &OnlineGame) -> Position {
    match online.game() {
        Some(game) => game.position().clone(),
        None => Position::new(online.rules()),
    }
}

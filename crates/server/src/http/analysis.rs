//! Looking at games: what happened, exports, analysis.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use noughts_api::{ErrorBody, GamePhase, GameUpdate, GameView};
use noughts_engine::{
    Analysis, Budget, LosingMoveError, SolveError, StrategyError, Value, Verdict, analyse,
    losing_move, solve,
};
use noughts_rules::notation::{psq, sgf};
use noughts_rules::{Position, Rules};
use noughts_store::GameId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::AnyCaller;
use super::error::ApiError;
use super::input::{Asked, Body, OfGame};
use super::published::published;
use crate::app::App;
use crate::game::OnlineGame;
use crate::limits::ClientAddress;
use crate::live::LoadError;

/// Rules are judged quickly or not at all.
const RULES_TIME: std::time::Duration = std::time::Duration::from_millis(200);

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(events))
        .routes(routes!(export))
        .routes(routes!(analyse_game))
        .routes(routes!(find_losing_move))
        .routes(routes!(analyse_position))
        .routes(routes!(judge_rules))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Since {
    /// Only events after this sequence number.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    since: u32,
}

/// What happened in a game
///
/// The same updates that subscribers receive over the WebSocket.
#[utoipa::path(get, path = "/games/{id}/events", tag = "study",
    params(("id" = String, Path, description = "The game"), Since),
    responses((status = 200, body = [GameUpdate]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn events(
    State(app): State<Arc<App>>,
    OfGame(game): OfGame,
    Asked(Since { since }): Asked<Since>,
) -> Result<Json<Vec<GameUpdate>>, ApiError> {
    let (_, updates) = app.games.load_since(game, since).await.map_err(|error| match error {
        LoadError::NoGame => ApiError::NoGame,
        error => {
            tracing::error!(%error, %game, "could not read a game");
            ApiError::Unavailable
        }
    })?;
    Ok(Json(updates))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ExportFormat {
    /// The form that the game shall have.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    /// Our own text.
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
#[utoipa::path(get, path = "/games/{id}/export", tag = "study",
    params(("id" = String, Path, description = "The game"), ExportFormat),
    responses((status = 200, description = "the game", content((String = "text/plain"),
            (GameView = "application/json"), (String = "application/x-go-sgf"))),
        (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody)))]
async fn export(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    OfGame(key): OfGame,
    Asked(ExportFormat { format }): Asked<ExportFormat>,
) -> Result<Response, ApiError> {
    let online = app.games.snapshot(key, None).await?.game;
    let game = online.game().ok_or_else(|| {
        ApiError::CantExport("the game has not begun: there is nothing to export".into())
    })?;
    let not_gomoku =
        |error: noughts_rules::notation::NotGomoku| ApiError::CantExport(error.to_string());
    let (text, ending, kind) = match format {
        Format::Text => (format!("{game}\n"), "txt", "text/plain; charset=utf-8"),
        Format::Json => {
            let view = app.view_for(&online, caller.id());
            let json = serde_json::to_string_pretty(&view).unwrap_or_default();
            (json, "json", "application/json")
        }
        Format::Psq => (psq::write(game).map_err(not_gomoku)?, "psq", "text/plain; charset=utf-8"),
        Format::Sgf => {
            (sgf::write(game).map_err(not_gomoku)?, "sgf", "application/x-go-sgf; charset=utf-8")
        }
    };
    let disposition = format!("attachment; filename=\"noughts-{key}.{ending}\"");
    let headers =
        [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, text).into_response())
}

/// What the moves of a position are worth.
#[derive(Debug, Serialize, ToSchema)]
struct AnalysisView {
    /// The position.
    position: String,
    /// Whose turn it is.
    turn: Option<u8>,
    /// The best cell.
    best: String,
    /// Best play from here on, as far as it was found.
    line: Vec<String>,
    /// Every legal cell.
    cells: Vec<CellView>,
}

/// What a cell is worth for the seat to move.
#[derive(Debug, Serialize, ToSchema)]
struct CellView {
    /// The cell.
    cell: String,
    /// `win`, `draw` and `loss` are proven; an `estimate` is not.
    kind: &'static str,
    /// Moves of all players until the win or loss.
    plies: Option<u16>,
    /// How good an estimate is: the more above 0, the better.
    score: Option<i32>,
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct AtPly {
    /// After how many actions; all of them if it is missing.
    ply: Option<usize>,
}

/// Analyse a position of a game
///
/// Not while a rated game is played.
#[utoipa::path(get, path = "/games/{id}/analysis", tag = "study",
    params(("id" = String, Path, description = "The game"), AtPly),
    responses((status = 200, body = AnalysisView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn analyse_game(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    OfGame(key): OfGame,
    Asked(AtPly { ply }): Asked<AtPly>,
) -> Result<Json<AnalysisView>, ApiError> {
    let online = studied(&app, key).await?;
    let mut position = position_of(&online)?;
    let made = position.history().len();
    let ply = ply.unwrap_or(made);
    if ply > made {
        return Err(ApiError::Invalid(format!("ply: the game has {made} actions")));
    }
    while position.history().len() > ply {
        position.undo().map_err(|error| ApiError::Invalid(error.to_string()))?;
    }
    run_analysis(&app, client, position).await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AnalysisBody {
    /// The position as text, such as `3x3 x2/1o1/3 x`; or else rules and moves.
    position: Option<String>,
    /// The rules.
    rules: Option<String>,
    /// The moves that lead to the position.
    moves: Option<Vec<String>>,
}

/// Analyse any position
#[utoipa::path(post, path = "/analysis", tag = "study", request_body = AnalysisBody,
    responses((status = 200, body = AnalysisView), (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn analyse_position(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Body(body): Body<AnalysisBody>,
) -> Result<Json<AnalysisView>, ApiError> {
    let invalid = |error: String| ApiError::Invalid(error);
    let position = match (body.position, body.rules) {
        (Some(text), None) if body.moves.is_none() => text
            .parse()
            .map_err(|error: noughts_rules::ParsePositionError| invalid(error.to_string()))?,
        (None, Some(rules)) => {
            let rules = app.rules.get(&rules).map_err(|error| invalid(error.to_string()))?;
            let mut position = Position::new(&rules);
            for text in body.moves.iter().flatten() {
                let cell = text.parse().map_err(|error| invalid(format!("moves: {error}")))?;
                position.play(cell).map_err(|error| invalid(format!("moves: {error}")))?;
            }
            position
        }
        _ => return Err(invalid("expected either `position`, or `rules` and `moves`".into())),
    };
    run_analysis(&app, client, position).await
}

/// Has something computed for an address. It counts until it is done, even if whoever asked goes:
/// its place in the queue is taken until then.
async fn compute<T: Send + 'static>(
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
    let text = position.to_string();
    let turn = position.turn().map(|seat| seat.index() as u8);
    let analysis = compute(app, client, move || analyse(&position, &budget)).await?;
    match analysis {
        Ok(analysis) => Ok(Json(AnalysisView::new(text, turn, &analysis))),
        Err(StrategyError::GameOver) => {
            Err(ApiError::Invalid("the game is over: there is nothing to analyse".into()))
        }
        Err(error) => Err(ApiError::Invalid(error.to_string())),
    }
}

impl AnalysisView {
    fn new(position: String, turn: Option<u8>, analysis: &Analysis) -> AnalysisView {
        let cells = analysis.cells.iter().map(|at| {
            let (kind, plies, score) = match at.verdict {
                Verdict::Proven(value) => (word(value), value.plies(), None),
                Verdict::Estimate(score) => ("estimate", None, Some(score)),
            };
            CellView { cell: at.cell.to_string(), kind, plies, score }
        });
        AnalysisView {
            position,
            turn,
            best: analysis.best.to_string(),
            line: analysis.pv.iter().map(ToString::to_string).collect(),
            cells: cells.collect(),
        }
    }
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Win { .. } => "win",
        Value::Draw => "draw",
        Value::Loss { .. } => "loss",
    }
}

/// The move at which a game was lost.
#[derive(Debug, Serialize, ToSchema)]
struct LosingMoveView {
    /// How many actions were before it.
    ply: usize,
    /// Who made it.
    seat: u8,
    /// The move.
    cell: String,
    /// A move that would have been better.
    better: String,
    /// What it would have kept: `draw` or `win`, or `estimate` where that is not proven, but a
    /// search saw no loss before this move.
    missed: &'static str,
}

/// Where a game was lost
///
/// `null` where no move lost it, or where more than two play.
#[utoipa::path(get, path = "/games/{id}/losing-move", tag = "study",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Option<LosingMoveView>), (status = 404, body = ErrorBody),
        (status = 409, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn find_losing_move(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    OfGame(key): OfGame,
) -> Result<Json<Option<LosingMoveView>>, ApiError> {
    let online = studied(&app, key).await?;
    let position = position_of(&online)?;
    if online.phase() == GamePhase::Finished && position.outcome().is_none() {
        // It was called off, and nobody has lost it.
        return Ok(Json(None));
    }
    let budget = Budget::unlimited().with_time(app.config.analysis_time());
    let found = compute(&app, client, move || losing_move(&position, &budget)).await?;
    match found {
        Ok(found) => Ok(Json(found.map(|lost| LosingMoveView {
            ply: lost.ply,
            seat: lost.seat.index() as u8,
            cell: lost.cell.to_string(),
            better: lost.better.to_string(),
            missed: lost.missed.proven().map_or("estimate", word),
        }))),
        Err(LosingMoveError::NotOver) => Err(crate::game::Refusal::NotOver.into()),
        Err(LosingMoveError::Unsolvable(_) | LosingMoveError::OutOfBudget(_)) => Ok(Json(None)),
    }
}

/// The game, if it may be studied.
async fn studied(app: &Arc<App>, key: GameId) -> Result<Box<OnlineGame>, ApiError> {
    let online = app.games.snapshot(key, None).await?.game;
    if online.phase() == GamePhase::Live && online.setup().league.is_some() {
        return Err(ApiError::StillPlayed);
    }
    Ok(online)
}

/// Where a game is. A resignation that took a seat out stays taken.
fn position_of(online: &OnlineGame) -> Result<Position, ApiError> {
    let position = match online.game() {
        Some(game) => game.position().clone(),
        None => Position::new(online.rules()),
    };
    Ok(position)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct RulesText {
    /// The rules, such as `6x7:4+gravity` or `connect4`.
    rules: String,
}

/// Rules in all their parts.
#[derive(Debug, Serialize, ToSchema)]
struct RulesView {
    /// Their text form.
    rules: String,
    rows: u8,
    cols: u8,
    k: u8,
    players: usize,
    misere: bool,
    gravity: bool,
    wrap: bool,
    exact: bool,
    /// What perfect play comes to for whoever begins, where that is published or proven quickly.
    value: Option<RulesValue>,
}

/// What perfect play comes to.
#[derive(Debug, Serialize, ToSchema)]
struct RulesValue {
    /// `win`, `draw` or `loss` for whoever begins.
    result: &'static str,
    /// Moves of both players until then, where that is known.
    plies: Option<u16>,
    /// Who has published it; nobody where the server found it out itself.
    source: Option<&'static str>,
}

/// What rules mean
///
/// With who wins if everyone plays perfectly, where that is published or found out in a fraction of
/// a second.
#[utoipa::path(get, path = "/rules", tag = "study", params(RulesText),
    responses((status = 200, body = RulesView), (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn judge_rules(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Asked(RulesText { rules }): Asked<RulesText>,
) -> Result<Json<RulesView>, ApiError> {
    let rules = app.rules.get(&rules).map_err(|error| ApiError::Invalid(error.to_string()))?;
    let value = match published(&rules) {
        Some(found) => {
            Some(RulesValue { result: found.value, plies: None, source: Some(found.source) })
        }
        None => solved(&app, client, &rules).await?,
    };
    Ok(Json(RulesView {
        rules: rules.to_string(),
        rows: rules.rows(),
        cols: rules.cols(),
        k: rules.k(),
        players: rules.players(),
        misere: rules.misere(),
        gravity: rules.gravity(),
        wrap: rules.wrap(),
        exact: rules.exact(),
        value,
    }))
}

/// What perfect play comes to, if that is found quickly.
async fn solved(
    app: &App,
    client: ClientAddress,
    rules: &Rules,
) -> Result<Option<RulesValue>, ApiError> {
    let position = Position::new(rules);
    let budget = Budget::unlimited().with_time(RULES_TIME);
    let solution = compute(app, client, move || solve(&position, &budget)).await?;
    let value = match solution {
        Ok(solution) => solution.value,
        Err(SolveError::GameOver | SolveError::ManySeats { .. }) => None,
    };
    Ok(value.map(|value| RulesValue { result: word(value), plies: value.plies(), source: None }))
}

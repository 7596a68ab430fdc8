//! Puzzles: the list, the puzzle of the day, attempts and how far a player has come.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_api::{
    AttemptResult, AttemptView, BoardShape, DailyPuzzle, ErrorBody, PositionView,
    PuzzleAttemptRequest, PuzzleGame, PuzzleGoal, PuzzleHint, PuzzleProgressView, PuzzleSolution,
    PuzzleStep, PuzzleView, WrongBecause,
};
use noughts_engine::{
    AttemptError, Budget, PUZZLE_NODES, Puzzle, PuzzleAttempt, PuzzleFeedback, PuzzleKind, Value,
    day_of,
};
use noughts_rules::{Move, Position, describe};
use noughts_store::{IdentityId, PuzzleEvent, PuzzleResult, PuzzleSolver};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analysis::compute;
use super::caller::{AnyCaller, Caller};
use super::error::ApiError;
use super::input::{JsonBody, PathParams, QueryParams};
use super::rules::requested_rules;
use crate::app::App;
use crate::clock;
use crate::limits::ClientAddress;

/// The most puzzles of a list.
const MAX_LISTED: usize = 100;

/// The streak of a week is shown day by day.
const WEEK_DAYS: u64 = 7;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(daily))
        .routes(routes!(games))
        .routes(routes!(show))
        .routes(routes!(attempt))
        .routes(routes!(hint))
        .routes(routes!(give_up))
        .routes(routes!(progress))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct PuzzleQuery {
    /// Only puzzles of these rules, such as `connect4`.
    rules: Option<String>,
    /// Only puzzles of this difficulty, from 1 to 5.
    #[param(minimum = 1, maximum = 5)]
    difficulty: Option<u8>,
    /// The length of the list.
    #[serde(default = "default_limit")]
    #[param(value_type = usize, minimum = 1, maximum = 100, default = 20)]
    limit: usize,
}

fn default_limit() -> usize {
    20
}

/// List puzzles
///
/// Those you have not tried come first, and of these the nearest to your rating.
#[utoipa::path(get, path = "/puzzles", tag = "puzzles", params(PuzzleQuery),
    responses((status = 200, body = [PuzzleView]), (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody)))]
async fn list(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    QueryParams(PuzzleQuery { rules, difficulty, limit }): QueryParams<PuzzleQuery>,
) -> Result<Json<Vec<PuzzleView>>, ApiError> {
    if !(1..=MAX_LISTED).contains(&limit) {
        return Err(ApiError::Invalid(format!("limit: expected 1 to {MAX_LISTED}")));
    }
    let rules = rules.map(|text| requested_rules(&app, &text)).transpose();
    let rules = rules.map_err(ApiError::Invalid)?;
    let (rating, tried, solved) = match caller.id() {
        Some(id) => {
            let solver = PuzzleSolver::Identity(id);
            let (tried, solved) = app.storage.store.tried_puzzles(solver).await?;
            (app.storage.store.puzzle_progress(solver).await?.rating, tried, solved)
        }
        None => Default::default(),
    };
    let mut puzzles: Vec<&Puzzle> = app
        .puzzles
        .iter()
        .filter(|puzzle| rules.as_ref().is_none_or(|rules| puzzle.rules() == rules))
        .filter(|puzzle| difficulty.is_none_or(|difficulty| puzzle.difficulty() == difficulty))
        .collect();
    puzzles.sort_by_cached_key(|puzzle| {
        let distance = (f64::from(puzzle.rating()) - rating.value).abs() as u64;
        (tried.contains(&puzzle.id().to_string()), distance, puzzle.id())
    });
    puzzles.truncate(limit);
    Ok(Json(puzzles.into_iter().map(|puzzle| view(puzzle, &solved)).collect()))
}

/// Get the puzzle of the day
///
/// The same for everyone, from midnight to midnight UTC.
#[utoipa::path(get, path = "/puzzles/daily", tag = "puzzles",
    responses((status = 200, body = DailyPuzzle)))]
async fn daily(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
) -> Result<Json<DailyPuzzle>, ApiError> {
    let day = today();
    let puzzle = view(app.puzzles.daily(day), &solved_by(&app, caller.id()).await?);
    let solvers = app.storage.store.daily_solvers(day).await?;
    Ok(Json(DailyPuzzle { day, puzzle, solvers }))
}

/// List the games of the puzzles
#[utoipa::path(get, path = "/puzzles/games", tag = "puzzles",
    responses((status = 200, body = [PuzzleGame])))]
async fn games(State(app): State<Arc<App>>) -> Json<Vec<PuzzleGame>> {
    let mut games: Vec<PuzzleGame> = Vec::new();
    for puzzle in app.puzzles.iter() {
        let rules = puzzle.rules().to_string();
        match games.iter_mut().find(|game| game.rules == rules) {
            Some(game) => game.puzzles += 1,
            None => {
                games.push(PuzzleGame { rules, title: describe::title(puzzle.rules()), puzzles: 1 })
            }
        }
    }
    Json(games)
}

/// Get a puzzle
#[utoipa::path(get, path = "/puzzles/{id}", tag = "puzzles",
    params(("id" = String, Path, description = "The id of the puzzle")),
    responses((status = 200, body = PuzzleView), (status = 404, body = ErrorBody)))]
async fn show(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathParams(id): PathParams<String>,
) -> Result<Json<PuzzleView>, ApiError> {
    let puzzle = find(&app, &id)?;
    Ok(Json(view(puzzle, &solved_by(&app, caller.id()).await?)))
}

/// Make a move in a puzzle
///
/// Send all your own moves so far; the server plays the other side. The first move is right or wrong;
/// after it, every move counts that wins as fast. Your first wrong move, or solving the puzzle without
/// one, decides your rating.
#[utoipa::path(post, path = "/puzzles/{id}/attempts", tag = "puzzles",
    request_body = PuzzleAttemptRequest,
    params(("id" = String, Path, description = "The id of the puzzle")),
    responses((status = 200, body = AttemptView), (status = 404, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn attempt(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: AnyCaller,
    PathParams(id): PathParams<String>,
    JsonBody(PuzzleAttemptRequest { moves }): JsonBody<PuzzleAttemptRequest>,
) -> Result<Json<AttemptView>, ApiError> {
    let puzzle = find(&app, &id)?.clone();
    let time = app.config.analysis_time();
    let played = puzzle.clone();
    let mut view = compute(&app, client, move || {
        let budget = Budget::unlimited().with_nodes(PUZZLE_NODES).with_time(time);
        play(&played, &moves, &budget)
    })
    .await??;
    let result = match view.result {
        AttemptResult::Right => None,
        AttemptResult::Solved => Some(PuzzleResult::Solved),
        AttemptResult::Wrong => Some(PuzzleResult::Failed),
    };
    if let Some(result) = result {
        view.progress = record(&app, caller.id(), &puzzle, result).await?;
    }
    Ok(Json(view))
}

/// Get a hint
///
/// Three moves: one of them is right. The puzzle does not count for your rating then.
#[utoipa::path(post, path = "/puzzles/{id}/hint", tag = "puzzles",
    params(("id" = String, Path, description = "The id of the puzzle")),
    responses((status = 200, body = PuzzleHint), (status = 404, body = ErrorBody)))]
async fn hint(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathParams(id): PathParams<String>,
) -> Result<Json<PuzzleHint>, ApiError> {
    let puzzle = find(&app, &id)?;
    record(&app, caller.id(), puzzle, PuzzleResult::Hint).await?;
    Ok(Json(PuzzleHint { moves: puzzle.hint() }))
}

/// Give up a puzzle
///
/// Shows the solution. A puzzle that you have not tried before counts as failed.
#[utoipa::path(post, path = "/puzzles/{id}/solution", tag = "puzzles",
    params(("id" = String, Path, description = "The id of the puzzle")),
    responses((status = 200, body = PuzzleSolution), (status = 404, body = ErrorBody)))]
async fn give_up(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathParams(id): PathParams<String>,
) -> Result<Json<PuzzleSolution>, ApiError> {
    let puzzle = find(&app, &id)?;
    let progress = record(&app, caller.id(), puzzle, PuzzleResult::Failed).await?;
    let mut position = puzzle.position().clone();
    Ok(Json(PuzzleSolution { steps: steps(&mut position, puzzle.solution()), progress }))
}

/// Get your rating and streak
#[utoipa::path(get, path = "/me/puzzles", tag = "puzzles",
    responses((status = 200, body = PuzzleProgressView), (status = 401, body = ErrorBody)))]
async fn progress(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<PuzzleProgressView>, ApiError> {
    Ok(Json(progress_of(&app, caller.id()).await?))
}

pub(super) fn today() -> u64 {
    day_of(clock::now())
}

pub(super) fn find<'a>(app: &'a App, id: &str) -> Result<&'a Puzzle, ApiError> {
    id.parse().ok().and_then(|id| app.puzzles.get(id)).ok_or(ApiError::NoPuzzle)
}

/// The ids of the puzzles that the caller has solved.
async fn solved_by(app: &App, caller: Option<IdentityId>) -> Result<HashSet<String>, ApiError> {
    let Some(id) = caller else { return Ok(HashSet::new()) };
    Ok(app.storage.store.tried_puzzles(PuzzleSolver::Identity(id)).await?.1)
}

fn view(puzzle: &Puzzle, solved: &HashSet<String>) -> PuzzleView {
    let (id, rules) = (puzzle.id().to_string(), puzzle.rules());
    PuzzleView {
        solved: solved.contains(&id),
        id,
        rules: rules.to_string(),
        title: describe::title(rules),
        summary: describe::summary(rules),
        shape: BoardShape::of(rules),
        position: puzzle.position().to_string(),
        view: PositionView::of(puzzle.position()),
        seat: puzzle.seat(),
        kind: match puzzle.kind() {
            PuzzleKind::Win => PuzzleGoal::Win,
            PuzzleKind::Draw => PuzzleGoal::Draw,
        },
        moves: puzzle.own_moves(),
        difficulty: puzzle.difficulty(),
        rating: puzzle.rating(),
    }
}

/// Plays the moves of an attempt, of which only the last may be wrong.
fn play(puzzle: &Puzzle, moves: &[Move], budget: &Budget) -> Result<AttemptView, ApiError> {
    let Some((&last, before)) = moves.split_last() else {
        return Err(ApiError::Invalid("moves: expected at least one".into()));
    };
    let mut attempt = PuzzleAttempt::new(puzzle);
    let refused = |error: AttemptError| match error {
        AttemptError::Refused(refusal) => ApiError::Invalid(format!("moves: {refusal}")),
        _ => ApiError::Busy,
    };
    for &mv in before {
        let feedback = attempt.play(mv, budget).map_err(refused)?;
        if !matches!(feedback, PuzzleFeedback::Right { .. }) {
            return Err(ApiError::Invalid(format!("moves: the attempt ended with {mv}")));
        }
    }
    let mut position = attempt.position().clone();
    let feedback = attempt.play(last, budget).map_err(refused)?;
    let mut played = steps(&mut position, &[last]);
    let (result, replies, continuation, because) = match feedback {
        PuzzleFeedback::Right { replies } => (AttemptResult::Right, replies, Vec::new(), None),
        PuzzleFeedback::Solved { replies, continuation } => {
            (AttemptResult::Solved, replies, continuation, None)
        }
        PuzzleFeedback::Wrong { value, refutation } => {
            let because = match value {
                Some(Value::Loss { .. }) => WrongBecause::Loses,
                Some(Value::Draw) => WrongBecause::Draws,
                _ => WrongBecause::TooSlow,
            };
            (AttemptResult::Wrong, Vec::new(), refutation, Some(because))
        }
    };
    played.extend(steps(&mut position, &replies));
    Ok(AttemptView {
        result,
        steps: played,
        continuation: steps(&mut position, &continuation),
        because,
        moves_left: attempt.own_moves_left(),
        progress: None,
    })
}

/// Plays moves, and shows the position after each.
fn steps(position: &mut Position, moves: &[Move]) -> Vec<PuzzleStep> {
    let step = |&mv: &Move| {
        position.play(mv).ok()?;
        Some(PuzzleStep { mv, view: PositionView::of(position) })
    };
    moves.iter().map_while(step).collect()
}

/// Stores a result of the caller, if there is one.
async fn record(
    app: &App,
    caller: Option<IdentityId>,
    puzzle: &Puzzle,
    result: PuzzleResult,
) -> Result<Option<PuzzleProgressView>, ApiError> {
    let Some(caller) = caller else { return Ok(None) };
    let (id, day) = (puzzle.id().to_string(), today());
    let event = PuzzleEvent {
        puzzle: &id,
        rating: f64::from(puzzle.rating()),
        result,
        at: clock::now(),
        day: (app.puzzles.daily(day).id() == puzzle.id()).then_some(day),
    };
    let solver = PuzzleSolver::Identity(caller);
    let (before, after) = app.storage.store.record_puzzle(solver, event).await?;
    let change = (before != after).then(|| after.shown() - before.shown());
    Ok(Some(PuzzleProgressView { change, ..progress_of(app, caller).await? }))
}

async fn progress_of(app: &App, id: IdentityId) -> Result<PuzzleProgressView, ApiError> {
    let progress = app.storage.store.puzzle_progress(PuzzleSolver::Identity(id)).await?;
    let today = today();
    let is_recent = |&&day: &&u64| day + WEEK_DAYS > today;
    Ok(PuzzleProgressView {
        rating: progress.rating.shown(),
        change: None,
        tried: progress.tried,
        solved: progress.solved,
        streak: progress.streak(today),
        today,
        days: progress.days.iter().filter(is_recent).copied().collect(),
    })
}

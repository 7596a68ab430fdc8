//! Rules in requests, and descriptions of rules.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use noughts_api::{BoardShape, ErrorBody, PresetView, RulesValue, RulesView, ValueKind};
use noughts_engine::{Budget, solve};
use noughts_rules::notation::PRESETS;
use noughts_rules::{Marks, Outcome, Position, Rules, Seat, describe};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analysis::{compute, value_kind};
use super::error::ApiError;
use super::input::QueryParams;
use crate::app::App;
use crate::limits::ClientAddress;

/// The longest text of rules: every view of a game and every entry of a list contains it.
const MAX_RULES_BYTES: usize = 4 << 10;

/// Rules that take longer to solve have no value.
const SOLVE_TIMEOUT: Duration = Duration::from_millis(200);

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(describe_rules)).routes(routes!(list_presets))
}

/// The rules in a request, or what is wrong with them.
pub(super) fn requested_rules(app: &App, text: &str) -> Result<Rules, String> {
    if text.len() > MAX_RULES_BYTES {
        let length = text.len();
        return Err(format!("rules: expected at most {MAX_RULES_BYTES} bytes, got {length}"));
    }
    app.rules.get(text).map_err(|error| format!("rules: {error}"))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct RulesQuery {
    /// The rules, such as `6x7:4+gravity` or `connect4`.
    rules: String,
}

/// Describe rules
///
/// In words, and with the outcome of perfect play, if it is published or quickly proven.
#[utoipa::path(get, path = "/rules", tag = "rules", params(RulesQuery),
    responses((status = 200, body = RulesView), (status = 400, body = ErrorBody),
        (status = 422, body = ErrorBody), (status = 429, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
async fn describe_rules(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    QueryParams(RulesQuery { rules }): QueryParams<RulesQuery>,
) -> Result<Json<RulesView>, ApiError> {
    let rules = requested_rules(&app, &rules).map_err(ApiError::Invalid)?;
    let value = match published(&rules) {
        Some(value) => Some(value),
        None => solved(&app, client, &rules).await?,
    };
    Ok(Json(RulesView {
        rules: rules.to_string(),
        title: describe::title(&rules),
        summary: describe::summary(&rules),
        how_to_play: describe::how_to_play(&rules),
        shape: BoardShape::of(&rules),
        k: rules.k(),
        players: rules.players(),
        gravity: rules.gravity(),
        choice_of_mark: rules.parts().marks == Marks::Any,
        value,
    }))
}

/// List well-known games
#[utoipa::path(get, path = "/presets", tag = "rules",
    responses((status = 200, body = [PresetView])))]
async fn list_presets(State(app): State<Arc<App>>) -> Json<Vec<PresetView>> {
    let view = |(name, text): &(&str, &str)| {
        let rules = app.rules.get(text).ok()?;
        Some(PresetView {
            name: (*name).into(),
            rules: (*text).into(),
            title: describe::title(&rules),
            summary: describe::summary(&rules),
        })
    };
    Json(PRESETS.iter().filter_map(view).collect())
}

/// The published value of rules, which may take too long to solve.
fn published(rules: &Rules) -> Option<RulesValue> {
    let known = describe::published_value(rules)?;
    let result = match known.outcome {
        Outcome::Win(Seat::FIRST) => ValueKind::Win,
        Outcome::Win(_) => ValueKind::Loss,
        Outcome::Draw => ValueKind::Draw,
    };
    Some(RulesValue { result, plies: None, source: Some(known.source.into()) })
}

/// The value of rules, if it is proven in time.
async fn solved(
    app: &App,
    client: ClientAddress,
    rules: &Rules,
) -> Result<Option<RulesValue>, ApiError> {
    let position = Position::new(rules);
    let budget = Budget::unlimited().with_time(SOLVE_TIMEOUT);
    let solution = compute(app, client, move || solve(&position, &budget)).await?;
    // Games of more than two players have no value.
    Ok(solution.ok().and_then(|solution| solution.value).map(|value| RulesValue {
        result: value_kind(value),
        plies: value.plies(),
        source: None,
    }))
}

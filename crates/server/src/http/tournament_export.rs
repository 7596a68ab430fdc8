//! A tournament as a file.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use noughts_api::{ErrorBody, TournamentExport, TournamentStanding};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::ApiError;
use super::input::{PathTournamentId, QueryParams};
use crate::app::App;
use crate::director::game_view;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(export))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The file format.
    #[serde(default)]
    #[param(inline)]
    format: TableFormat,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum TableFormat {
    /// The table, for spreadsheets.
    #[default]
    Csv,
    /// The table and the games.
    Json,
}

/// Export a tournament
///
/// The table as CSV, or with all games as JSON. The games themselves are at `GET /api/v1/games/{id}/export`.
#[utoipa::path(get, path = "/tournaments/{id}/export", tag = "tournaments",
    params(("id" = String, Path, description = "The tournament"), ExportQuery),
    responses((status = 200, description = "the tournament", content((String = "text/csv"),
            (TournamentExport = "application/json"))),
        (status = 400, body = ErrorBody), (status = 404, body = ErrorBody)))]
async fn export(
    State(app): State<Arc<App>>,
    PathTournamentId(id): PathTournamentId,
    QueryParams(ExportQuery { format }): QueryParams<ExportQuery>,
) -> Result<Response, ApiError> {
    let snapshot = app.directors.snapshot(id, 0).await?;
    let (text, extension, content_type) = match format {
        TableFormat::Csv => (table(&snapshot.view.standings), "csv", "text/csv; charset=utf-8"),
        TableFormat::Json => {
            let tournament = snapshot.view.clone();
            let games = snapshot.tournament.games().iter().map(game_view).collect();
            let export = TournamentExport { tournament, games };
            (serde_json::to_string_pretty(&export).unwrap_or_default(), "json", "application/json")
        }
    };
    let disposition = format!("attachment; filename=\"noughts-tournament-{id}.{extension}\"");
    let headers = [
        (header::CONTENT_TYPE, content_type.to_string()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    Ok((headers, text).into_response())
}

fn table(standings: &[TournamentStanding]) -> String {
    let mut table = String::from(
        "rank,name,points,games,wins,draws,losses,byes,buchholz,sonneborn_berger,head_to_head\r\n",
    );
    for player in standings {
        let ties = player.tie_breaks;
        let _ = write!(
            table,
            "{},{},{},{},{},{},{},{},{},{},{}\r\n",
            player.rank,
            csv_field(&player.name),
            player.points,
            player.games,
            player.wins,
            player.draws,
            player.losses,
            player.byes,
            ties.buchholz,
            ties.sonneborn_berger,
            ties.head_to_head
        );
    }
    table
}

/// A text as a field of CSV (RFC 4180). Spreadsheets would compute one that looks like a formula.
fn csv_field(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn names_are_plain_fields() {
        for (name, field) in [
            ("Ann", "\"Ann\""),
            ("Ann, \"the\" Fox", "\"Ann, \"\"the\"\" Fox\""),
            ("=1+1", "\"'=1+1\""),
        ] {
            assert_eq!(csv_field(name), field);
        }
    }
}

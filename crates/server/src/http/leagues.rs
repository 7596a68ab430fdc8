//! Who is better: leagues, profiles, head to head.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_scores::{League, Record, Standing};
use noughts_store::{Identity, IdentityId, IdentityKind, LeagueChoice};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{ApiError, ErrorBody};
use super::input::{Asked, InPath, PageSize};
use crate::accounts::names;
use crate::app::App;
use crate::game::Millis;

/// How many points a rating curve has at most: the newest.
const MOST_POINTS: usize = 1_000;

/// Among how many players with names that begin alike a search looks.
const MOST_FOUND: u32 = 500;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(leagues))
        .routes(routes!(table))
        .routes(routes!(place))
        .routes(routes!(profile))
        .routes(routes!(history))
        .routes(routes!(head_to_head))
}

/// A league.
#[derive(Debug, Serialize, ToSchema)]
struct LeagueView {
    /// The name.
    name: String,
    /// The rating system.
    system: &'static str,
    /// How many players it has.
    players: usize,
}

/// A row of a table.
#[derive(Debug, Serialize, ToSchema)]
struct Row {
    /// From 1; equal ratings share a rank.
    rank: usize,
    /// The player.
    name: String,
    /// `guest`, `account` or `computer`.
    kind: &'static str,
    /// The rating.
    rating: i64,
    /// How unsure the rating is, where the system knows: `glicko2` in points, `weng-lin` on its own
    /// scale, on which 25/3 are worth 200 points.
    deviation: Option<f64>,
    wins: u32,
    losses: u32,
    draws: u32,
}

/// A row before names are known.
struct Entry {
    id: IdentityId,
    rank: usize,
    rating: i64,
    deviation: Option<f64>,
    record: Record,
}

impl Entry {
    fn new(standing: &Standing<'_, IdentityId>) -> Entry {
        Entry {
            id: *standing.player,
            rank: standing.rank,
            rating: standing.rating.shown,
            deviation: standing.rating.deviation,
            record: standing.record,
        }
    }

    async fn named(self, app: &App) -> Result<Row, ApiError> {
        let identity = app.accounts.identity(self.id).await?;
        let (name, kind) = match identity {
            Some(identity) => (identity.name, identity.kind.as_str()),
            None => (format!("#{}", self.id), IdentityKind::Guest.as_str()),
        };
        let Record { wins, losses, draws } = self.record;
        let (rank, rating, deviation) = (self.rank, self.rating, self.deviation);
        Ok(Row { rank, name, kind, rating, deviation, wins, losses, draws })
    }
}

async fn named(app: &App, entries: Vec<Entry>) -> Result<Vec<Row>, ApiError> {
    let mut rows = Vec::with_capacity(entries.len());
    for entry in entries {
        rows.push(entry.named(app).await?);
    }
    Ok(rows)
}

/// Leagues
///
/// Those in which rated games can be played, and those that have results from before.
#[utoipa::path(get, path = "/leagues", tag = "leagues",
    responses((status = 200, body = [LeagueView])))]
async fn leagues(State(app): State<Arc<App>>) -> Json<Vec<LeagueView>> {
    let mut leagues = app.storage.standings.leagues();
    for LeagueChoice { name, system } in app.config.leagues() {
        if leagues.iter().all(|(known, _)| *known != name) {
            leagues.push((name, system));
        }
    }
    let leagues = leagues.into_iter().map(|(name, system)| LeagueView {
        players: app.storage.standings.read(&name, League::len).unwrap_or_default(),
        system: system.as_str(),
        name,
    });
    Json(leagues.collect())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Page {
    /// How many rows to pass over.
    #[serde(default)]
    #[param(default = 0)]
    offset: usize,
    /// How many rows, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
    /// Only players whose names begin like this; then nothing is passed over.
    search: Option<String>,
}

/// A part of a table.
#[derive(Debug, Serialize, ToSchema)]
struct TableView {
    /// The league.
    name: String,
    /// The rating system.
    system: &'static str,
    /// How many players the league has.
    players: usize,
    /// Some of them, the best first.
    rows: Vec<Row>,
}

/// A league's table
#[utoipa::path(get, path = "/leagues/{league}", tag = "leagues",
    params(("league" = String, Path, description = "The league"), Page),
    responses((status = 200, body = TableView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn table(
    State(app): State<Arc<App>>,
    InPath(name): InPath<String>,
    Asked(page): Asked<Page>,
) -> Result<Json<TableView>, ApiError> {
    let limit = page.limit.0 as usize;
    let first = page.offset.saturating_add(1);
    let found = match page.search.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Some(beginning_like(&app, text).await?),
        None => None,
    };
    let read = app.storage.standings.read(&name, |league| {
        let entries: Vec<Entry> = match &found {
            Some(found) => {
                let standing = |id: &IdentityId| league.standing(id).map(|row| Entry::new(&row));
                let mut entries: Vec<Entry> = found.iter().filter_map(standing).collect();
                entries.sort_by_key(|entry| entry.rank);
                entries.truncate(limit);
                entries
            }
            None => league.page(first, limit).map(|row| Entry::new(&row)).collect(),
        };
        (league.system().as_str(), league.len(), entries)
    });
    // A league in which nobody has played yet is one nevertheless.
    let (system, players, entries) = match read {
        Some(read) => read,
        None => {
            let league = app.config.league(&name).ok_or(ApiError::NoLeague)?;
            (league.system.as_str(), 0, Vec::new())
        }
    };
    let rows = named(&app, entries).await?;
    Ok(Json(TableView { name, system, players, rows }))
}

/// Who has a name that begins like a text.
async fn beginning_like(app: &App, text: &str) -> Result<Vec<IdentityId>, ApiError> {
    if text.len() > 1024 {
        return Ok(Vec::new());
    }
    let found =
        app.storage.store.search_identities(&names::case_skeleton(text), MOST_FOUND).await?;
    Ok(found.into_iter().map(|identity| identity.id).collect())
}

/// How many are shown above and below a player at most.
const MOST_NEIGHBOURS: usize = 50;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Around {
    /// How many to show above and below, 0 to 50.
    #[param(maximum = 50)]
    neighbours: Option<usize>,
}

/// A player's place.
#[derive(Debug, Serialize, ToSchema)]
struct PlaceView {
    /// Those above; the last one is the nearest.
    above: Vec<Row>,
    /// The player.
    player: Row,
    /// Those below; the first one is the nearest.
    below: Vec<Row>,
}

/// A player's place in a league
#[utoipa::path(get, path = "/leagues/{league}/players/{name}", tag = "leagues",
    params(("league" = String, Path, description = "The league"),
        ("name" = String, Path, description = "The player"), Around),
    responses((status = 200, body = PlaceView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn place(
    State(app): State<Arc<App>>,
    InPath((league, name)): InPath<(String, String)>,
    Asked(around): Asked<Around>,
) -> Result<Json<PlaceView>, ApiError> {
    let player = find(&app, &name).await?;
    let n = around.neighbours.unwrap_or(0);
    if n > MOST_NEIGHBOURS {
        let expected = format!("neighbours: expected 0 to {MOST_NEIGHBOURS}");
        return Err(ApiError::Malformed(expected));
    }
    let read = app.storage.standings.read(&league, |league| {
        let neighbours = league.neighbours(&player.id, n)?;
        let entries = |rows: &[Standing<'_, IdentityId>]| -> Vec<Entry> {
            rows.iter().map(Entry::new).collect()
        };
        let player = Entry::new(&neighbours.standing);
        Some((entries(&neighbours.above), player, entries(&neighbours.below)))
    });
    if read.is_none() && app.config.league(&league).is_none() {
        return Err(ApiError::NoLeague);
    }
    let (above, player, below) = read.flatten().ok_or(ApiError::NoPlayer)?;
    Ok(Json(PlaceView {
        above: named(&app, above).await?,
        player: player.named(&app).await?,
        below: named(&app, below).await?,
    }))
}

/// A player.
#[derive(Debug, Serialize, ToSchema)]
struct ProfileView {
    /// The name.
    name: String,
    /// `guest`, `account` or `computer`.
    kind: &'static str,
    /// Since when they are here, in milliseconds since 1970.
    created_at: Millis,
    /// Where they stand.
    leagues: Vec<LeagueRow>,
}

/// Where a player stands in a league.
#[derive(Debug, Serialize, ToSchema)]
struct LeagueRow {
    /// The league.
    league: String,
    #[serde(flatten)]
    row: Row,
}

/// A player's profile
#[utoipa::path(get, path = "/players/{name}", tag = "leagues",
    params(("name" = String, Path, description = "The player")),
    responses((status = 200, body = ProfileView), (status = 404, body = ErrorBody)))]
async fn profile(
    State(app): State<Arc<App>>,
    InPath(name): InPath<String>,
) -> Result<Json<ProfileView>, ApiError> {
    let player = find(&app, &name).await?;
    let mut leagues = Vec::new();
    for (league, _) in app.storage.standings.leagues() {
        let entry = app
            .storage
            .standings
            .read(&league, |league| league.standing(&player.id).as_ref().map(Entry::new));
        if let Some(entry) = entry.flatten() {
            leagues.push(LeagueRow { league, row: entry.named(&app).await? });
        }
    }
    let Identity { name, kind, created_at, .. } = player;
    Ok(Json(ProfileView { name, kind: kind.as_str(), created_at, leagues }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct InLeague {
    /// The league.
    league: String,
}

/// A rating at a time.
#[derive(Debug, Serialize, ToSchema)]
struct Point {
    /// When, in milliseconds since 1970.
    at: Millis,
    /// The rating after a game.
    rating: i64,
    /// How unsure it was, where the system knows.
    deviation: Option<f64>,
}

/// A player's rating over time
///
/// The oldest first.
#[utoipa::path(get, path = "/players/{name}/history", tag = "leagues",
    params(("name" = String, Path, description = "The player"), InLeague),
    responses((status = 200, body = [Point]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn history(
    State(app): State<Arc<App>>,
    InPath(name): InPath<String>,
    Asked(InLeague { league }): Asked<InLeague>,
) -> Result<Json<Vec<Point>>, ApiError> {
    let player = find(&app, &name).await?;
    let points = app.storage.standings.read(&league, |league| {
        // The league has the newest first.
        let newest = league.rating_over_time(&player.id).take(MOST_POINTS);
        let mut points: Vec<Point> = newest
            .map(|point| Point {
                at: point.at,
                rating: point.rating.shown,
                deviation: point.rating.deviation,
            })
            .collect();
        points.reverse();
        points
    });
    match points {
        Some(points) => Ok(Json(points)),
        None if app.config.league(&league).is_some() => Ok(Json(Vec::new())),
        None => Err(ApiError::NoLeague),
    }
}

/// How two players did against each other, in all leagues.
#[derive(Debug, Serialize, ToSchema)]
struct HeadToHead {
    /// Games that the first one won.
    wins: u32,
    /// Games that the second one won.
    losses: u32,
    /// Games that nobody won.
    draws: u32,
}

/// Head to head
#[utoipa::path(get, path = "/players/{name}/against/{other}", tag = "leagues",
    params(("name" = String, Path, description = "The player"),
        ("other" = String, Path, description = "The other player")),
    responses((status = 200, body = HeadToHead), (status = 404, body = ErrorBody)))]
async fn head_to_head(
    State(app): State<Arc<App>>,
    InPath((name, other)): InPath<(String, String)>,
) -> Result<Json<HeadToHead>, ApiError> {
    let (player, other) = (find(&app, &name).await?, find(&app, &other).await?);
    let mut total = HeadToHead { wins: 0, losses: 0, draws: 0 };
    for (league, _) in app.storage.standings.leagues() {
        let record = app
            .storage
            .standings
            .read(&league, |league| league.head_to_head(&player.id, &other.id));
        let record = record.unwrap_or_default();
        total.wins += record.wins;
        total.losses += record.losses;
        total.draws += record.draws;
    }
    Ok(Json(total))
}

/// The player with a name.
pub(super) async fn find(app: &App, name: &str) -> Result<Identity, ApiError> {
    if name.len() > 1024 {
        return Err(ApiError::NoPlayer);
    }
    let found = app.storage.store.identity_named(&names::case_skeleton(name)).await?;
    found.map(|(identity, _)| identity).ok_or(ApiError::NoPlayer)
}

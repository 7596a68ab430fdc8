//! Leagues, profiles and head-to-head scores.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use noughts_api::{
    ErrorBody, GameId, HeadToHead, LeagueStanding, LeagueTable, LeagueView, ProfileView, RankView,
    RatingPoint, Relation, StandingView,
};
use noughts_rules::describe::{kind, kind_title};
use noughts_scores::{League, Record, Standing};
use noughts_store::{Identity, IdentityId, LeagueChoice};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::AnyCaller;
use super::error::ApiError;
use super::input::{PageSize, PathParams, QueryParams};
use crate::accounts::{names, player_kind};
use crate::app::App;

/// Points of a rating history: the newest.
const MAX_HISTORY_POINTS: usize = 1_000;

/// Players whose names begin with a search text.
const MAX_SEARCH_MATCHES: u32 = 500;

/// Players shown above, and as many below.
const MAX_NEIGHBOURS: usize = 50;

/// No name is longer. In bytes.
const MAX_SEARCH_LENGTH: usize = 1024;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(leagues))
        .routes(routes!(table))
        .routes(routes!(rank))
        .routes(routes!(profile))
        .routes(routes!(rating_history))
        .routes(routes!(head_to_head))
}

/// A standing whose player's name has not been looked up yet. Reading standings takes a lock, which
/// must not be held while the store is asked for names.
struct UnnamedStanding {
    id: IdentityId,
    rank: Option<usize>,
    rating: i64,
    deviation: Option<f64>,
    record: Record,
}

impl UnnamedStanding {
    fn new(standing: &Standing<'_, IdentityId>) -> UnnamedStanding {
        UnnamedStanding {
            id: *standing.player,
            rank: Some(standing.rank),
            rating: standing.rating.shown,
            deviation: standing.rating.deviation,
            record: standing.record,
        }
    }

    /// A player's standing, in the table or not.
    fn of(league: &League<IdentityId>, id: IdentityId) -> Option<UnnamedStanding> {
        let rating = league.rating(&id)?;
        Some(UnnamedStanding {
            id,
            rank: league.rank(&id),
            rating: rating.shown,
            deviation: rating.deviation,
            record: league.record(&id),
        })
    }

    async fn view(self, app: &App) -> Result<StandingView, ApiError> {
        let (name, kind) = match app.accounts.identity(self.id).await? {
            Some(identity) => (identity.name, player_kind(identity.kind)),
            None => (format!("#{}", self.id), noughts_api::IdentityKind::Guest),
        };
        let Record { wins, losses, draws } = self.record;
        let (rank, rating, deviation) = (self.rank, self.rating, self.deviation);
        Ok(StandingView { rank, name, kind, rating, deviation, wins, losses, draws })
    }
}

async fn views(app: &App, standings: Vec<UnnamedStanding>) -> Result<Vec<StandingView>, ApiError> {
    let mut views = Vec::with_capacity(standings.len());
    for standing in standings {
        views.push(standing.view(app).await?);
    }
    Ok(views)
}

/// List the leagues
///
/// Every kind of game has a league; there are those that the operator has added, and those that no longer
/// take games but still have results.
#[utoipa::path(get, path = "/leagues", tag = "leagues",
    responses((status = 200, body = [LeagueView])))]
async fn leagues(State(app): State<Arc<App>>) -> Json<Vec<LeagueView>> {
    let mut leagues = app.storage.standings.leagues();
    for LeagueChoice { name, system } in app.config.leagues() {
        if leagues.iter().all(|(known, _)| *known != name) {
            leagues.push((name, system));
        }
    }
    let rules = |league: &str| {
        let rated = app.rated_rules.iter().filter(|rules| kind(rules) == league);
        rated.map(ToString::to_string).collect()
    };
    let leagues = leagues.into_iter().map(|(name, system)| LeagueView {
        title: title(&name),
        rules: rules(&name),
        players: app.storage.standings.read(&name, League::len).unwrap_or_default(),
        system: system.to_string(),
        name,
    });
    Json(leagues.collect())
}

/// The name of a league in words.
pub(super) fn title(league: &str) -> String {
    kind_title(league).unwrap_or_else(|| league.into())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct TableQuery {
    /// Rows to skip.
    #[serde(default)]
    #[param(default = 0)]
    offset: usize,
    /// Rows to return, 1 to 100.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: PageSize,
    /// Only players whose names begin with this. Ignores the offset.
    search: Option<String>,
    /// The answer includes the result of this finished game.
    game: Option<GameId>,
}

/// Get a league's table
///
/// Guests are not in it: their ratings are provisional.
#[utoipa::path(get, path = "/leagues/{league}", tag = "leagues",
    params(("league" = String, Path, description = "The league"), TableQuery),
    responses((status = 200, body = LeagueTable), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn table(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
    QueryParams(query): QueryParams<TableQuery>,
) -> Result<Json<LeagueTable>, ApiError> {
    include_result(&app, query.game).await?;
    let limit = query.limit.0 as usize;
    let first = query.offset.saturating_add(1);
    let matches = match query.search.as_deref().map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Some(search(&app, text).await?),
        None => None,
    };
    let read = app.storage.standings.read(&name, |league| {
        let standings: Vec<UnnamedStanding> = match &matches {
            Some(players) => {
                let standing = |id: &IdentityId| Some(UnnamedStanding::new(&league.standing(id)?));
                let mut standings: Vec<_> = players.iter().filter_map(standing).collect();
                standings.sort_by_key(|standing| standing.rank);
                standings.truncate(limit);
                standings
            }
            None => league.page(first, limit).map(|row| UnnamedStanding::new(&row)).collect(),
        };
        (league.system(), league.len(), standings)
    });
    // A configured league may have no results yet.
    let (system, players, standings) = match read {
        Some(read) => read,
        None => (app.config.league(&name).ok_or(ApiError::NoLeague)?.system, 0, Vec::new()),
    };
    let rows = views(&app, standings).await?;
    Ok(Json(LeagueTable { name, system: system.to_string(), players, rows }))
}

/// The players whose names begin with a text.
async fn search(app: &App, text: &str) -> Result<Vec<IdentityId>, ApiError> {
    if text.len() > MAX_SEARCH_LENGTH {
        return Ok(Vec::new());
    }
    let prefix = names::case_skeleton(text);
    let found = app.storage.store.search_identities(&prefix, MAX_SEARCH_MATCHES).await?;
    Ok(found.into_iter().map(|identity| identity.id).collect())
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct RankQuery {
    /// How many players to show above and below, 0 to 50.
    #[param(maximum = 50)]
    neighbours: Option<usize>,
    /// The answer includes the result of this finished game.
    game: Option<GameId>,
}

/// Get a player's rank in a league
#[utoipa::path(get, path = "/leagues/{league}/players/{name}", tag = "leagues",
    params(("league" = String, Path, description = "The league"),
        ("name" = String, Path, description = "The player"), RankQuery),
    responses((status = 200, body = RankView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn rank(
    State(app): State<Arc<App>>,
    PathParams((league, name)): PathParams<(String, String)>,
    QueryParams(query): QueryParams<RankQuery>,
) -> Result<Json<RankView>, ApiError> {
    include_result(&app, query.game).await?;
    let player = find_player(&app, &name).await?;
    let n = query.neighbours.unwrap_or(0);
    if n > MAX_NEIGHBOURS {
        let expected = format!("neighbours: expected 0 to {MAX_NEIGHBOURS}");
        return Err(ApiError::Malformed(expected));
    }
    let read = app.storage.standings.read(&league, |league| {
        let neighbours = league.neighbours(&player.id, n)?;
        let standings = |rows: &[Standing<'_, IdentityId>]| {
            rows.iter().map(UnnamedStanding::new).collect::<Vec<_>>()
        };
        let player = UnnamedStanding::new(&neighbours.standing);
        Some((standings(&neighbours.above), player, standings(&neighbours.below)))
    });
    if read.is_none() && app.config.league(&league).is_none() {
        return Err(ApiError::NoLeague);
    }
    let (above, player, below) = read.flatten().ok_or(ApiError::NoPlayer)?;
    Ok(Json(RankView {
        above: views(&app, above).await?,
        player: player.view(&app).await?,
        below: views(&app, below).await?,
    }))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ResultQuery {
    /// The answer includes the result of this finished game.
    game: Option<GameId>,
}

/// Reads the result of a finished game, which this server may not know yet.
async fn include_result(app: &App, game: Option<GameId>) -> Result<(), ApiError> {
    let Some(game) = game else { return Ok(()) };
    let listed = app.storage.log.game(game).await?.ok_or(ApiError::NoGame)?;
    if let Some(league) = &listed.listing.league {
        app.storage.standings.refresh(league).await?;
    }
    Ok(())
}

/// Get a player's profile
#[utoipa::path(get, path = "/players/{name}", tag = "leagues",
    params(("name" = String, Path, description = "The player"), ResultQuery),
    responses((status = 200, body = ProfileView), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn profile(
    State(app): State<Arc<App>>,
    caller: AnyCaller,
    PathParams(name): PathParams<String>,
    QueryParams(ResultQuery { game }): QueryParams<ResultQuery>,
) -> Result<Json<ProfileView>, ApiError> {
    include_result(&app, game).await?;
    let player = find_player(&app, &name).await?;
    let leagues = standings_of(&app, player.id).await?;
    let online = app.online.is_bot(player.id).is_some();
    let relation = match caller.id() {
        Some(caller) => app.storage.store.relation(caller, player.id).await?,
        None => None,
    };
    let relation = relation.map(|relation| match relation {
        noughts_store::Relation::Follow => Relation::Following,
        noughts_store::Relation::Block => Relation::Blocked,
    });
    let Identity { name, kind, created_at, .. } = player;
    Ok(Json(ProfileView { name, kind: player_kind(kind), created_at, online, relation, leagues }))
}

/// A player's standings in all leagues.
pub(super) async fn standings_of(
    app: &App,
    player: IdentityId,
) -> Result<Vec<LeagueStanding>, ApiError> {
    let mut leagues = Vec::new();
    for (league, _) in app.storage.standings.leagues() {
        let standing =
            app.storage.standings.read(&league, |league| UnnamedStanding::of(league, player));
        if let Some(standing) = standing.flatten() {
            let (title, standing) = (title(&league), standing.view(app).await?);
            leagues.push(LeagueStanding { league, title, standing });
        }
    }
    Ok(leagues)
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// The league.
    league: String,
    /// The answer includes the result of this finished game.
    game: Option<GameId>,
}

/// Get a player's rating history
///
/// Oldest first.
#[utoipa::path(get, path = "/players/{name}/history", tag = "leagues",
    params(("name" = String, Path, description = "The player"), HistoryQuery),
    responses((status = 200, body = [RatingPoint]), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn rating_history(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
    QueryParams(HistoryQuery { league, game }): QueryParams<HistoryQuery>,
) -> Result<Json<Vec<RatingPoint>>, ApiError> {
    include_result(&app, game).await?;
    let player = find_player(&app, &name).await?;
    let points = app.storage.standings.read(&league, |league| {
        // Newest first in the league.
        let newest = league.rating_over_time(&player.id).take(MAX_HISTORY_POINTS);
        let mut points: Vec<RatingPoint> = newest
            .map(|point| RatingPoint {
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

/// Get the head-to-head score of two players
#[utoipa::path(get, path = "/players/{name}/against/{other}", tag = "leagues",
    params(("name" = String, Path, description = "The player"),
        ("other" = String, Path, description = "The other player"), ResultQuery),
    responses((status = 200, body = HeadToHead), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody)))]
async fn head_to_head(
    State(app): State<Arc<App>>,
    PathParams((name, other)): PathParams<(String, String)>,
    QueryParams(ResultQuery { game }): QueryParams<ResultQuery>,
) -> Result<Json<HeadToHead>, ApiError> {
    include_result(&app, game).await?;
    let (player, other) = (find_player(&app, &name).await?, find_player(&app, &other).await?);
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

pub(super) async fn find_player(app: &App, name: &str) -> Result<Identity, ApiError> {
    if name.len() > MAX_SEARCH_LENGTH {
        return Err(ApiError::NoPlayer);
    }
    let found = app.storage.store.identity_named(&names::case_skeleton(name)).await?;
    found.map(|(identity, _)| identity).ok_or(ApiError::NoPlayer)
}

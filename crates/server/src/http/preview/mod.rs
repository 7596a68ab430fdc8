//! What links to the page look like elsewhere: the documents of its screens with titles, descriptions and
//! pictures, and boards that other sites may show in a frame.

mod head;
mod picture;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use noughts_api::GameView;
use noughts_rules::Position;
use noughts_store::GameId;
use quick_cache::sync::Cache;
use serde::Deserialize;

use super::error::ApiError;
use super::headers::Framable;
use super::input::{Https, QueryParams};
use super::page::Page;
use crate::app::App;
use crate::clock;
use crate::compute::Pool;
use crate::game::OnlineGame;
use head::Head;

/// Screens that look the same for everybody. The router of the page shows the screen that belongs to each.
const SCREENS: [&str; 8] = [
    "/",
    "/lobby",
    "/leaderboard",
    "/leaderboard/{league}",
    "/account",
    "/how-to-play",
    "/tournaments",
    "/tournament/{id}",
];

const PUZZLES: [&str; 2] = ["/puzzles", "/puzzles/{id}"];

/// Pictures kept in memory; each takes some 20 kB.
const MAX_CACHED_PICTURES: usize = 500;

/// Pictures that may wait to be drawn.
const PICTURE_QUEUE: usize = 32;

/// How long browsers and crawlers keep a picture. The address names the position.
const CACHE_FOR_A_DAY: &str = "public, max-age=86400";

/// Draws pictures of positions and keeps some.
struct Pictures {
    painters: Pool,
    cache: Cache<(GameId, u32, usize), Bytes>,
}

/// The routes of all screens and of the pictures that stand for them.
pub(super) fn router(page: Arc<Page>) -> Router<Arc<App>> {
    let pictures = Arc::new(Pictures {
        painters: Pool::new("draw", 1, PICTURE_QUEUE),
        cache: Cache::new(MAX_CACHED_PICTURES),
    });
    let document = |page: &Arc<Page>, head: fn() -> Head| {
        let page = page.clone();
        move |site: Site, headers: HeaderMap| async move {
            page.document(&headers, &head().html(&site.0, &site.1))
        }
    };
    let screens = SCREENS.into_iter().fold(Router::new(), |router, path| {
        router.route(path, get(document(&page, Head::general)))
    });
    let screens = PUZZLES
        .into_iter()
        .fold(screens, |router, path| router.route(path, get(document(&page, Head::puzzles))));
    let (for_games, for_players, for_frames) = (page.clone(), page.clone(), page);
    screens
        .route(
            "/game/{id}",
            get(async move |app: State<Arc<App>>, query, site, headers, id| {
                game_document(&for_games, app, query, site, headers, id).await
            }),
        )
        .route(
            "/player/{name}",
            get(async move |name: PathText, site: Site, headers: HeaderMap| {
                let head = name.map_or_else(|_| Head::general(), |Path(name)| Head::player(&name));
                for_players.document(&headers, &head.html(&site.0, &site.1))
            }),
        )
        .route(
            "/embed/{id}",
            get(async move |app: State<Arc<App>>, query, site, headers, id| {
                let document = game_document(&for_frames, app, query, site, headers, id).await;
                (Framable, document).into_response()
            }),
        )
        .route(
            "/picture/{file}",
            get(async move |app: State<Arc<App>>, query, file| {
                picture(&pictures, app, query, file).await
            }),
        )
}

/// A part of the path. The page says so if it is malformed.
type PathText = Result<Path<String>, PathRejection>;

#[derive(Debug, Default, Deserialize)]
struct Ply {
    /// The number of actions shown; all of them by default.
    ply: Option<usize>,
}

/// The address of the site, such as `https://noughts.example`, and the path that was asked for.
struct Site(String, String);

impl FromRequestParts<Arc<App>> for Site {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Site, Infallible> {
        let is_https = parts.extensions.get::<Https>().is_some_and(|https| https.0);
        let scheme = if is_https { "https" } else { "http" };
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let path = parts.uri.path().to_string();
        Ok(Site(format!("{scheme}://{}", host.unwrap_or("localhost")), path))
    }
}

/// The document of a game says who plays and how it stands. If there is no such game, the page says so.
async fn game_document(
    page: &Page,
    State(app): State<Arc<App>>,
    query: Result<QueryParams<Ply>, ApiError>,
    site: Site,
    headers: HeaderMap,
    id: PathText,
) -> Response {
    let id = id.map_or_else(|_| String::new(), |Path(id)| id);
    let ply = query.ok().and_then(|QueryParams(Ply { ply })| ply);
    let head = match shown_game(&app, &id).await {
        Ok((game, view)) => Head::game(&view, &noughts_rules::describe::title(game.rules()), ply),
        Err(_) => Head::general(),
    };
    page.document(&headers, &head.html(&site.0, &site.1))
}

async fn shown_game(app: &Arc<App>, id: &str) -> Result<(Box<OnlineGame>, GameView), ApiError> {
    let id: GameId = id.parse().map_err(|_| ApiError::NoGame)?;
    let game = app.games.snapshot(id, None).await?.game;
    let view = game.view(None, clock::now());
    Ok((game, view))
}

async fn picture(
    pictures: &Pictures,
    State(app): State<Arc<App>>,
    QueryParams(Ply { ply }): QueryParams<Ply>,
    Path(file): Path<String>,
) -> Result<Response, ApiError> {
    let id = file.strip_suffix(".png").ok_or(ApiError::NoRoute)?;
    let (game, view) = shown_game(&app, id).await?;
    let played = view.moves.len();
    let ply = ply.unwrap_or(played).min(played);
    let key = (view.id, view.seq, ply);
    let png = match pictures.cache.get(&key) {
        Some(png) => png,
        None => {
            let position = position_after(&game, ply)?;
            let line =
                view.result.filter(|_| ply == played).map_or_else(Vec::new, |result| result.cells);
            let draw = move || picture::png(&picture::svg(&position, &line));
            let png = Bytes::from(pictures.painters.run(draw).await?.ok_or(ApiError::Busy)?);
            pictures.cache.insert(key, png.clone());
            png
        }
    };
    let headers = [
        (header::CONTENT_TYPE, "image/png"),
        (header::CACHE_CONTROL, CACHE_FOR_A_DAY),
        (super::headers::RESOURCE_POLICY, "cross-origin"),
    ];
    Ok((headers, png).into_response())
}

fn position_after(game: &OnlineGame, ply: usize) -> Result<Position, ApiError> {
    let Some(game) = game.game() else { return Ok(Position::new(game.rules())) };
    let mut position = game.position().clone();
    while position.history().len() > ply {
        position.undo().map_err(|error| ApiError::Invalid(error.to_string()))?;
    }
    Ok(position)
}

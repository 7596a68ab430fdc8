//! What links to the page look like elsewhere: the documents of its screens with titles, descriptions and
//! pictures, and boards that other sites may show in a frame.

mod gallery;
mod head;
mod picture;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use noughts_api::GameView;
use noughts_store::GameId;
use serde::Deserialize;

use super::error::ApiError;
use super::headers::Framable;
use super::input::{Https, QueryParams};
use super::page::Page;
use super::puzzles;
use crate::app::App;
use crate::clock;
use crate::game::OnlineGame;
use head::Head;

/// Screens that look the same for everybody, and the module of each.
const SCREENS: [(&str, &str); 7] = [
    ("/", "js/home.js"),
    ("/lobby", "js/lobby.js"),
    ("/leaderboard", "js/standings.js"),
    ("/leaderboard/{league}", "js/standings.js"),
    ("/account", "js/account.js"),
    ("/how-to-play", "js/how-to-play.js"),
    ("/tournaments", "js/tournaments.js"),
];

/// The routes of all screens and of the pictures that stand for them.
pub(super) fn router(page: Arc<Page>) -> Router<Arc<App>> {
    let screens = SCREENS.into_iter().fold(Router::new(), |router, (path, module)| {
        let page = page.clone();
        let document = move |site: Site, headers: HeaderMap| async move {
            page.document(&headers, module, &Head::general().html(&site.0, &site.1))
        };
        router.route(path, get(document))
    });
    let pages: [Arc<Page>; 6] = std::array::from_fn(|_| page.clone());
    let [for_games, for_frames, for_players, for_daily, for_puzzles, for_tournaments] = pages;
    screens
        .route(
            "/game/{id}",
            get(async move |app: State<Arc<App>>, query, site, headers, id| {
                game_document(&for_games, "js/game.js", app, query, site, headers, id).await
            }),
        )
        .route(
            "/embed/{id}",
            get(async move |app: State<Arc<App>>, query, site, headers, id| {
                let module = "js/embed.js";
                let document =
                    game_document(&for_frames, module, app, query, site, headers, id).await;
                (Framable, document).into_response()
            }),
        )
        .route(
            "/player/{name}",
            get(async move |name: PathText, site: Site, headers: HeaderMap| {
                let head = name.map_or_else(|_| Head::general(), |Path(name)| Head::player(&name));
                for_players.document(&headers, "js/standings.js", &head.html(&site.0, &site.1))
            }),
        )
        .route(
            "/puzzles",
            get(async move |app: State<Arc<App>>, site: Site, headers: HeaderMap| {
                let head = Head::puzzle(app.puzzles.daily(puzzles::today()), true);
                for_daily.document(&headers, "js/puzzles.js", &head.html(&site.0, &site.1))
            }),
        )
        .route(
            "/puzzles/{id}",
            get(async move |app: State<Arc<App>>, site: Site, headers: HeaderMap, id: PathText| {
                let puzzle = id.ok().and_then(|Path(id)| puzzles::find(&app, &id).ok());
                let head = puzzle.map_or_else(Head::general, |puzzle| Head::puzzle(puzzle, false));
                for_puzzles.document(&headers, "js/puzzles.js", &head.html(&site.0, &site.1))
            }),
        )
        .route(
            "/tournament/{id}",
            get(async move |app: State<Arc<App>>, site: Site, headers: HeaderMap, id: PathText| {
                let id = id.ok().and_then(|Path(id)| id.parse().ok());
                let snapshot = match id {
                    Some(id) => app.directors.snapshot(id, 0).await.ok(),
                    None => None,
                };
                let head =
                    snapshot.map_or_else(Head::general, |found| Head::tournament(&found.view));
                let html = head.html(&site.0, &site.1);
                for_tournaments.document(&headers, "js/tournament.js", &html)
            }),
        )
        .merge(gallery::router())
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
    module: &str,
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
    page.document(&headers, module, &head.html(&site.0, &site.1))
}

async fn shown_game(app: &Arc<App>, id: &str) -> Result<(Box<OnlineGame>, GameView), ApiError> {
    let id: GameId = id.parse().map_err(|_| ApiError::NoGame)?;
    let game = app.games.snapshot(id, None).await?.game;
    let view = game.view(None, clock::now());
    Ok((game, view))
}

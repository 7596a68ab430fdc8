//! The pictures of positions, puzzles and tournaments. They are drawn on a thread of their own, and some are
//! kept in memory.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use noughts_api::TournamentId;
use noughts_engine::PuzzleId;
use noughts_rules::{Position, Rules};
use noughts_store::GameId;
use quick_cache::sync::Cache;

use super::{Ply, picture, shown_game};
use crate::app::App;
use crate::compute::Pool;
use crate::game::OnlineGame;
use crate::http::error::ApiError;
use crate::http::headers::RESOURCE_POLICY;
use crate::http::input::QueryParams;
use crate::http::puzzles;

/// Pictures kept in memory; each takes some 20 kB.
const MAX_CACHED_PICTURES: usize = 500;

/// Pictures that may wait to be drawn.
const PICTURE_QUEUE: usize = 32;

/// How long browsers and crawlers keep a picture. The address names the position.
const CACHE_FOR_A_DAY: &str = "public, max-age=86400";

/// What a picture shows.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Subject {
    /// A game after an event, at a ply.
    Game(GameId, u32, usize),
    Puzzle(PuzzleId),
    /// A tournament with this number of players.
    Tournament(TournamentId, usize),
}

struct Gallery {
    painters: Pool,
    cache: Cache<Subject, Bytes>,
}

pub(super) fn router() -> Router<Arc<App>> {
    let [for_games, for_puzzles, for_tournaments] = {
        let gallery = Arc::new(Gallery {
            painters: Pool::new("draw", 1, PICTURE_QUEUE),
            cache: Cache::new(MAX_CACHED_PICTURES),
        });
        std::array::from_fn(|_| gallery.clone())
    };
    Router::new()
        .route(
            "/picture/{file}",
            get(async move |app: State<Arc<App>>, query, file| {
                game_picture(&for_games, app, query, file).await
            }),
        )
        .route(
            "/picture/puzzle/{file}",
            get(async move |State(app): State<Arc<App>>, Path(file): Path<String>| {
                let puzzle = puzzles::find(&app, stem(&file)?)?;
                let position = puzzle.position().clone();
                for_puzzles
                    .show(Subject::Puzzle(puzzle.id()), move || picture::position(&position, &[]))
                    .await
            }),
        )
        .route(
            "/picture/tournament/{file}",
            get(async move |State(app): State<Arc<App>>, Path(file): Path<String>| {
                let id = stem(&file)?.parse().map_err(|_| ApiError::NoTournament)?;
                let snapshot = app.directors.snapshot(id, 0).await?;
                let rules: Rules =
                    snapshot.view.settings.rules.parse().map_err(|_| ApiError::NoTournament)?;
                let players = snapshot.view.standings.len();
                for_tournaments
                    .show(Subject::Tournament(id, players), move || {
                        picture::tournament(&rules, players)
                    })
                    .await
            }),
        )
}

/// The name of a picture without its ending.
fn stem(file: &str) -> Result<&str, ApiError> {
    file.strip_suffix(".png").ok_or(ApiError::NoRoute)
}

async fn game_picture(
    gallery: &Gallery,
    State(app): State<Arc<App>>,
    QueryParams(Ply { ply }): QueryParams<Ply>,
    Path(file): Path<String>,
) -> Result<Response, ApiError> {
    let (game, view) = shown_game(&app, stem(&file)?).await?;
    let played = view.moves.len();
    let ply = ply.unwrap_or(played).min(played);
    let position = position_after(&game, ply)?;
    let line = view.result.filter(|_| ply == played).map_or_else(Vec::new, |result| result.cells);
    let subject = Subject::Game(view.id, view.seq, ply);
    gallery.show(subject, move || picture::position(&position, &line)).await
}

fn position_after(game: &OnlineGame, ply: usize) -> Result<Position, ApiError> {
    let Some(game) = game.game() else { return Ok(Position::new(game.rules())) };
    let mut position = game.position().clone();
    while position.history().len() > ply {
        position.undo().map_err(|error| ApiError::Invalid(error.to_string()))?;
    }
    Ok(position)
}

impl Gallery {
    /// A picture that is kept, or drawn now from its SVG.
    async fn show(
        &self,
        subject: Subject,
        svg: impl FnOnce() -> String + Send + 'static,
    ) -> Result<Response, ApiError> {
        let png = match self.cache.get(&subject) {
            Some(png) => png,
            None => {
                let drawn = self.painters.run(move || picture::png(&svg())).await?;
                let png = Bytes::from(drawn.ok_or(ApiError::Busy)?);
                self.cache.insert(subject, png.clone());
                png
            }
        };
        let headers = [
            (header::CONTENT_TYPE, "image/png"),
            (header::CACHE_CONTROL, CACHE_FOR_A_DAY),
            (RESOURCE_POLICY, "cross-origin"),
        ];
        Ok((headers, png).into_response())
    }
}

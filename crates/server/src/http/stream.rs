//! Streams of newline-delimited JSON: all that concerns a player, and a single game.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use noughts_api::{ErrorBody, GameId, GamePhase, IdentityId, ServerMessage, StreamEvent};
use noughts_store::GameQuery;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::timeout;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::error::ApiError;
use super::input::{PathGameId, QueryParams};
use super::stream_reports::Reports;
use crate::app::App;
use crate::limits::ClientAddress;
use crate::live::{Changes, Resume};

/// How often a line is sent, if only an empty one.
pub(super) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(7);

/// Lines that wait for a client.
const LINE_QUEUE: usize = 16;

const PAGE_SIZE: u32 = 200;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(player)).routes(routes!(game))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct StreamQuery {
    /// Whether you are at all of your games while the stream is open. Otherwise it only shows others
    /// that you are connected.
    #[serde(default = "yes")]
    #[param(value_type = Option<bool>, default = true)]
    present: bool,
}

fn yes() -> bool {
    true
}

/// Follow all of your games
///
/// Lines of JSON, for bots: challenges, games that begin and end, games that wait for your move, and
/// offers of a rematch. First come the challenges and games that are there when you connect. An empty
/// line every few seconds shows that the connection is alive. While it is open, you are not away, unless
/// you say otherwise with `present=false`.
#[utoipa::path(get, path = "/stream", tag = "games", params(StreamQuery),
    responses((status = 200, body = StreamEvent, content_type = "application/x-ndjson"),
        (status = 401, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn player(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    caller: Caller,
    QueryParams(query): QueryParams<StreamQuery>,
) -> Result<Response, ApiError> {
    Ok(response(follow_games(&app, client, &caller, query)?))
}

/// The lines about all games of a player.
pub(super) fn follow_games(
    app: &Arc<App>,
    client: ClientAddress,
    caller: &Caller,
    StreamQuery { present }: StreamQuery,
) -> Result<mpsc::Receiver<Bytes>, ApiError> {
    let identity = caller.id();
    let reports = Reports::new(app.games.now());
    let follower = Follower { app: app.clone(), identity, present, reports };
    write_lines(app, client, Some(caller), |lines| follower.run(lines))
}

/// Follow a game
///
/// The messages of the game's WebSocket as lines of JSON: the whole game, then an update for each event.
/// An empty line every few seconds shows that the connection is alive.
#[utoipa::path(get, path = "/games/{id}/stream", tag = "games",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = ServerMessage, content_type = "application/x-ndjson"),
        (status = 404, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn game(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    AnyCaller(caller): AnyCaller,
    PathGameId(game): PathGameId,
) -> Result<Response, ApiError> {
    let identity = caller.as_ref().map(Caller::id);
    let (mut subscription, first) = app.games.subscribe(game, identity, Resume::default()).await?;
    respond(&app, client, caller.as_ref(), async move |lines: Lines| {
        for message in first {
            lines.send(message.as_str()).await?;
        }
        loop {
            match timeout(KEEP_ALIVE_INTERVAL, subscription.next()).await {
                Ok(message) => lines.send(message?.as_str()).await?,
                Err(_) => lines.send("").await?,
            }
        }
    })
}

/// Where the lines of a response go.
pub(super) struct Lines(mpsc::Sender<Bytes>);

impl Lines {
    /// None if the client is gone.
    pub(super) async fn send(&self, line: &str) -> Option<()> {
        self.0.send(format!("{line}\n").into()).await.ok()
    }
}

/// Writes lines until the client goes, signs out, or the server stops.
fn write_lines<F>(
    app: &Arc<App>,
    client: ClientAddress,
    caller: Option<&Caller>,
    write: impl FnOnce(Lines) -> F,
) -> Result<mpsc::Receiver<Bytes>, ApiError>
where
    F: Future<Output = Option<Infallible>> + Send + 'static,
{
    let permit = app.limits.open_socket(client)?;
    let closing = app.lifecycle.closing.child_token();
    let session = caller
        .map(|caller| app.accounts.sessions.open(caller.token.hash, caller.id(), closing.clone()));
    let online = caller.map(|caller| app.online.connect(caller.id(), caller.kind()));
    let (sender, receiver) = mpsc::channel(LINE_QUEUE);
    let writing = write(Lines(sender.clone()));
    app.lifecycle.connections.spawn(async move {
        let _held = (permit, session, online);
        tokio::select! {
            () = closing.cancelled() => {}
            () = sender.closed() => {}
            _ = writing => {}
        }
    });
    Ok(receiver)
}

/// A response whose lines are written until the client goes, signs out, or the server stops.
pub(super) fn respond<F>(
    app: &Arc<App>,
    client: ClientAddress,
    caller: Option<&Caller>,
    write: impl FnOnce(Lines) -> F,
) -> Result<Response, ApiError>
where
    F: Future<Output = Option<Infallible>> + Send + 'static,
{
    Ok(response(write_lines(app, client, caller, write)?))
}

/// A response of lines that have yet to be written.
fn response(receiver: mpsc::Receiver<Bytes>) -> Response {
    let lines = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|line: Bytes| (Ok::<_, Infallible>(line), receiver))
    });
    let body = Body::from_stream(lines);
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

/// Reports what changes in the games of a player.
struct Follower {
    app: Arc<App>,
    identity: IdentityId,
    /// Whether the player is at all of their games.
    present: bool,
    reports: Reports,
}

impl Follower {
    async fn run(mut self, lines: Lines) -> Option<Infallible> {
        let mut changed = self.app.games.follow_player(self.identity, self.present);
        self.report(Changes { missed: true, ..Changes::default() }, &lines).await?;
        loop {
            match timeout(KEEP_ALIVE_INTERVAL, changed.changes()).await {
                Ok(changes) => self.report(changes, &lines).await?,
                Err(_) => lines.send("").await?,
            }
        }
    }

    async fn report(&mut self, changes: Changes, lines: &Lines) -> Option<()> {
        let mut games = changes.games;
        if changes.missed {
            games.extend(self.reports.games());
            games.extend(self.unfinished().await);
        }
        let mut games: Vec<GameId> = games.into_iter().collect();
        games.sort_unstable();
        for game in games {
            // A game that can't be read is reported with its next change.
            let Ok(snapshot) = self.app.games.snapshot(game, Some(self.identity)).await else {
                continue;
            };
            let game = &snapshot.game;
            let view = self.app.games.view_for(game, Some(self.identity));
            for event in self.reports.events(game, self.identity, &view) {
                let line = serde_json::to_string(&event).expect("events have string keys only");
                lines.send(&line).await?;
            }
        }
        self.reports.forget_finished(self.app.games.now());
        Some(())
    }

    /// The games of the player that are not over.
    async fn unfinished(&self) -> Vec<GameId> {
        let mut found = Vec::new();
        for phase in [GamePhase::Open, GamePhase::Live] {
            let query = GameQuery {
                phase: Some(phase),
                player: Some(self.identity),
                public_only: false,
                rules: None,
                before: None,
                limit: PAGE_SIZE,
            };
            match self.app.storage.log.games(&query).await {
                Ok(games) => found.extend(games.iter().map(|game| game.game)),
                Err(error) => tracing::warn!(%error, "could not list games for a stream"),
            }
        }
        found
    }
}

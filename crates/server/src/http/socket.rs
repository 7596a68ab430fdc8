//! A game over a WebSocket: events come as they happen, commands go the other way.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use futures_util::SinkExt;
use noughts_rules::{Cell, Seat};
use serde::Deserialize;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::error::{ApiError, ErrorBody};
use super::input::{Asked, OfGame};
use super::limits::{Address, OpenSocket};
use super::origin::SameSite;
use crate::backend::Backend;
use crate::game::{Actor, Command, CommandKey, Order, Seen};
use crate::live::{self, Answer, Failure, Letter, Outbox, Room, Watcher};

/// The longest message that a client may send.
const LONGEST: usize = 4 << 10;

/// The buffers of a connection: most messages fit, and there are many connections.
const READ_BUFFER: usize = 512;
const WRITE_BUFFER: usize = 1 << 10;
const MOST_UNWRITTEN: usize = 64 << 10;

/// How long a client may take to read what was sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a connection is tried.
const PING: Duration = Duration::from_secs(30);

/// The first try is early, so that lag is known soon.
const FIRST_PING: Duration = Duration::from_secs(1);

pub(super) fn router() -> OpenApiRouter<Arc<Backend>> {
    OpenApiRouter::new().routes(routes!(socket))
}

/// What a client has seen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct Resume {
    /// The sequence number of the last event that you have seen: what happened since comes first.
    /// Without it, the whole game does.
    since: Option<u32>,
}

/// Play or watch over a WebSocket
///
/// Texts are JSON objects. From the server:
///
/// - `{"type":"state","game":{…}}`: the whole game, as `GET /games/{id}` has it;
/// - events, `{"seq":5,"at":…,"type":"moved","seat":0,"cell":"A1","turn":1}`: `turn` is whose turn
///   it is afterwards, `result` how the game ended, `clock` what is left of everyone's time,
///   `legal` which cells can be taken next where gravity decides that. The types are `created`,
///   `joined`, `moved`, `undo_asked`, `undo_agreed`, `undo_refused`, `undone` (`to` actions are
///   left), `resigned` (`why`), `aborted`, `abandoned`, `left`, `returned`, `clock_held`,
///   `rematch_asked` and `rematch` (`game` is the next one). Sequence numbers have no gaps;
/// - `{"type":"done","key":"…","seq":5}`: your command was done;
/// - `{"type":"refused","key":"…","code":"not_your_turn","message":"…"}`, with the whole `game`
///   where you did not know it;
/// - `{"type":"lag","seat":0,"ms":43}`: how long messages take to a player and back.
///
/// To the server, each with the last `seq` that you have seen and a `key` of your choice:
/// `{"do":"move","cell":"A1","seq":4,"key":"k7"}`, and likewise `undo`, `answer_undo` (with
/// `agree`), `resign`, `abort`, `claim`, `rematch`; `seat` tells your seats apart if you have
/// several. Messages of more than 4 kB, and clients that do not read, end the connection. After
/// a lost connection, come back with `since`.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "games",
    params(("id" = String, Path, description = "The game"), Resume),
    responses((status = 101, description = "the WebSocket opens"),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 426, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn socket(
    State(backend): State<Arc<Backend>>,
    _: SameSite,
    address: Address,
    AnyCaller(caller): AnyCaller,
    OfGame(game): OfGame,
    Asked(resume): Asked<Resume>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|_| ApiError::NotAWebSocket)?;
    let counted = backend.limits.socket(address)?;
    let room = backend.live.room(game);
    if room.watchers() >= backend.config.watchers_per_game() {
        return Err(ApiError::TooMany("too many watch this game already"));
    }
    // Watching begins before the connection is there, so that a game that does not exist is told
    // by its status.
    let outbox = Arc::new(Outbox::default());
    let watcher = Watcher::new(caller.as_ref().map(Caller::id), outbox.clone());
    let id = watcher.id;
    let watching =
        Watching { backend: backend.clone(), room, id, caller, outbox, _counted: counted };
    watch(&watching, watcher, resume.since).await?;
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MOST_UNWRITTEN)
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST);
    let connections = backend.connections.clone();
    Ok(upgrade.on_upgrade(move |socket| {
        let mut connection = Box::new(Connection { watching, socket });
        connections.track_future(async move { connection.serve().await })
    }))
}

/// Joins the watchers, from where the client has seen the game.
async fn watch(watching: &Watching, watcher: Watcher, since: Option<u32>) -> Result<(), ApiError> {
    let (backend, outbox, id) = (&watching.backend, &watching.outbox, watcher.id);
    let (identity, mut watcher, mut since) = (watcher.identity, Some(watcher), since);
    loop {
        let (answer, answered) = oneshot::channel();
        let next = watcher.take().unwrap_or(Watcher { id, identity, outbox: outbox.clone() });
        let letter = Letter::Watch { watcher: Box::new(next), since, answer };
        backend.live.send_to(backend, &watching.room, letter).await;
        match answered.await.map_err(|_| ApiError::Unavailable)? {
            Ok(()) => return Ok(()),
            // Then the whole game is sent, which is shorter.
            Err(Failure::TooMuchMissed) if since.is_some() => since = None,
            Err(failure) => return Err(failure.into()),
        }
    }
}

/// Someone who watches. When it is dropped, they do not any more.
struct Watching {
    backend: Arc<Backend>,
    room: Arc<Room>,
    id: u64,
    caller: Option<Caller>,
    /// What the client is to be told. The room closes it when the client is too slow.
    outbox: Arc<Outbox>,
    _counted: OpenSocket,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.room.leave(self.id);
        let (backend, game) = (self.backend.clone(), self.room.key());
        let identity = self.caller.as_ref().map(Caller::id);
        let room = self.room.clone();
        // A page that is loaded again is not away: whether someone left is seen a little later.
        let tasks = backend.tasks.clone();
        tasks.spawn(async move {
            if let Some(identity) = identity.filter(|_| !backend.stop.is_cancelled()) {
                tokio::select! {
                    () = tokio::time::sleep(backend.config.grace()) => {
                        let letter = Letter::Gone { identity };
                        backend.live.send_to(&backend, &room, letter).await;
                    }
                    () = backend.stop.cancelled() => {}
                }
            }
            drop(room);
            backend.live.tidy(game);
        });
    }
}

/// Why a connection ends.
enum End {
    /// The client went away, or does not read.
    Gone,
    /// The client broke the protocol, or was too slow.
    Close(u16, &'static str),
}

/// A WebSocket that is open. It has a place of its own in memory: what a task waits in, and what it
/// waits for, would otherwise lie there twice.
struct Connection {
    watching: Watching,
    socket: WebSocket,
}

impl Connection {
    async fn serve(&mut self) {
        metrics::gauge!("noughts_sockets").increment(1.0);
        let backend = self.watching.backend.clone();
        let session = self.watching.caller.as_ref().map(|caller| caller.token.hash);
        let closing = || backend.closing.child_token();
        let ended = match &self.watching.caller {
            Some(caller) => backend.sessions.open(caller.token.hash, caller.id(), closing),
            None => closing(),
        };
        if let Some(token) = session {
            Box::pin(backend.check_session(token)).await;
        }
        if let End::Close(code, reason) = self.talk(&ended).await {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            let closed = timeout(PATIENCE, self.socket.send(Message::Close(Some(frame))));
            let _ = Box::pin(closed).await;
        }
        if let Some(token) = session {
            backend.sessions.close(token);
        }
        metrics::gauge!("noughts_sockets").decrement(1.0);
    }

    async fn talk(&mut self, ended: &CancellationToken) -> End {
        let Connection { watching, socket } = self;
        let mut ping = Ping { sent: None, next: Instant::now() + FIRST_PING };
        let alarm = tokio::time::sleep_until(ping.next);
        let ended = ended.cancelled();
        tokio::pin!(alarm, ended);
        loop {
            // Thousands of connections wait here, so what they do now and then has a place of its
            // own.
            let step = tokio::select! {
                text = watching.outbox.next() => match text {
                    Some(text) => Box::pin(send(socket, text, &watching.outbox)).await,
                    None => ControlFlow::Break(End::Close(1008, "too slow")),
                },
                message = socket.recv() => match message {
                    Some(Ok(message)) => Box::pin(receive(watching, message, &mut ping)).await,
                    Some(Err(_)) | None => ControlFlow::Break(End::Gone),
                },
                () = alarm.as_mut() => {
                    let step = Box::pin(ping.send(socket)).await;
                    alarm.as_mut().reset(ping.next);
                    step
                }
                () = ended.as_mut() => {
                    let is_closing = watching.backend.closing.is_cancelled();
                    ControlFlow::Break(match is_closing {
                        true => End::Close(1012, "the server restarts: come back"),
                        false => End::Close(4401, "signed out"),
                    })
                }
            };
            if let ControlFlow::Break(end) = step {
                return end;
            }
        }
    }
}

/// Sends a text, and with it whatever waits behind it.
async fn send(socket: &mut WebSocket, text: Utf8Bytes, outbox: &Outbox) -> ControlFlow<End> {
    let sent = timeout(PATIENCE, async {
        socket.feed(Message::Text(text)).await?;
        while let Some(text) = outbox.take() {
            socket.feed(Message::Text(text)).await?;
        }
        socket.flush().await
    });
    match sent.await {
        Ok(Ok(())) => ControlFlow::Continue(()),
        Ok(Err(_)) | Err(_) => ControlFlow::Break(End::Gone),
    }
}

async fn receive(watching: &Watching, message: Message, ping: &mut Ping) -> ControlFlow<End> {
    match message {
        Message::Text(text) => {
            if let Err((key, error)) = command(watching, text.as_str()).await {
                let (code, message) = (error.code(), error.to_string());
                let text = live::refused(key.as_ref(), code, &message, None);
                if watching.outbox.put(text).is_err() {
                    return ControlFlow::Break(End::Close(1008, "too slow"));
                }
            }
            ControlFlow::Continue(())
        }
        Message::Binary(_) => ControlFlow::Break(End::Close(1003, "expected text")),
        Message::Pong(_) => {
            if let Some(sent) = ping.sent.take() {
                watching.tell_lag(sent.elapsed());
            }
            ControlFlow::Continue(())
        }
        // The library answers these.
        Message::Ping(_) => ControlFlow::Continue(()),
        Message::Close(_) => ControlFlow::Break(End::Gone),
    }
}

/// What a client sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Incoming<'a> {
    r#do: &'a str,
    seq: u32,
    key: CommandKey,
    #[serde(borrow)]
    cell: Option<Cow<'a, str>>,
    agree: Option<bool>,
    seat: Option<u8>,
}

/// Passes a command on to the game, which answers through the outbox.
async fn command(watching: &Watching, text: &str) -> Result<(), (Option<CommandKey>, ApiError)> {
    let incoming: Incoming = serde_json::from_str(text)
        .map_err(|error| (None, ApiError::Malformed(format!("not a command: {error}"))))?;
    let key = incoming.key.clone();
    let failed = |error| (Some(key.clone()), error);
    let caller = watching.caller.as_ref().ok_or(ApiError::SignInNeeded).map_err(failed)?;
    watching.backend.limits.command(caller.id()).map_err(failed)?;
    let command = incoming.command(&watching.backend).map_err(failed)?;
    let seat = match incoming.seat {
        Some(seat) => Some(
            Seat::new(seat)
                .ok_or_else(|| failed(ApiError::Invalid("seats go from 0 to 7".into())))?,
        ),
        None => None,
    };
    let seen = Some(Seen { seq: incoming.seq, key: incoming.key });
    let order = Order { actor: Actor::Identity(caller.id()), seen, seat, command };
    let answer = Box::new(Answer::Socket { outbox: watching.outbox.clone(), key });
    let letter = Letter::Order { order: Box::new(order), answer };
    watching.backend.live.send_to(&watching.backend, &watching.room, letter).await;
    Ok(())
}

impl Incoming<'_> {
    fn command(&self, backend: &Backend) -> Result<Command, ApiError> {
        Ok(match self.r#do {
            "move" => Command::Move { cell: self.cell()? },
            "undo" => Command::AskUndo,
            "answer_undo" => {
                let agree = self.agree.ok_or(ApiError::Invalid("expected `agree`".into()))?;
                Command::AnswerUndo { agree }
            }
            "resign" => Command::Resign,
            "abort" => Command::Abort,
            "claim" => Command::Claim,
            "rematch" => Command::Rematch { next: backend.game_key() },
            _ => {
                let expected =
                    "do: expected move, undo, answer_undo, resign, abort, claim or rematch";
                return Err(ApiError::Invalid(expected.into()));
            }
        })
    }

    fn cell(&self) -> Result<Cell, ApiError> {
        let text = self.cell.as_ref().ok_or(ApiError::Invalid("expected `cell`".into()))?;
        text.parse().map_err(|error| ApiError::Invalid(format!("cell: {error}")))
    }
}

/// Whether the client is there, and how far away.
struct Ping {
    sent: Option<Instant>,
    next: Instant,
}

impl Ping {
    async fn send(&mut self, socket: &mut WebSocket) -> ControlFlow<End> {
        if self.sent.is_some() {
            // The last one was never answered.
            return ControlFlow::Break(End::Gone);
        }
        let now = Instant::now();
        (self.sent, self.next) = (Some(now), now + PING);
        match timeout(PATIENCE, socket.send(Message::Ping(Bytes::new()))).await {
            Ok(Ok(())) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(End::Gone),
        }
    }
}

impl Watching {
    /// Lets everyone in the game see how far away a player is.
    fn tell_lag(&self, lag: Duration) {
        let Some(caller) = &self.caller else { return };
        let ms = u64::try_from(lag.as_millis()).unwrap_or(u64::MAX);
        for seat in self.room.seats_of(caller.id()) {
            self.room.tell(&live::lag(seat, ms));
        }
    }
}

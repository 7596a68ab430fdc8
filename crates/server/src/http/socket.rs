//! A game over a WebSocket: updates one way, commands the other.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use axum::response::Response;
use futures_util::SinkExt;
use noughts_api::{
    CommandRequest, ErrorBody, IdempotencyKey, IdentityId, Participant, PlayerCommand,
    ServerMessage,
};
use noughts_store::TokenHash;
use serde::Deserialize;
use tokio::time::{Instant, sleep_until, timeout};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::{AnyCaller, Caller};
use super::error::ApiError;
use super::games::game_permit;
use super::input::{Object, PathGameId, QueryParams, json_error};
use super::origin::SameSiteUpgrade;
use crate::accept::ReadLimit;
use crate::app::App;
use crate::limits::{AddressPermit, ClientAddress};
use crate::live::{self, Resume, Subscription, Text};

/// The longest command, in bytes.
const MAX_COMMAND_BYTES: usize = 4 << 10;

/// Longer messages are not even read.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// The read buffer of a connection. Most commands fit, and there are many connections.
const READ_BUFFER_BYTES: usize = 256;

/// How long a client may take to read a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// How often the round-trip time is measured. A client that has not answered by then is gone.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// The first ping is early, so that players soon see each other's round-trip time.
const FIRST_PING_DELAY: Duration = Duration::from_secs(1);

/// How long a client that sends too much is not read from.
const FLOOD_PAUSE: Duration = Duration::from_secs(1);

/// The close code after the token was revoked.
pub(super) const SIGNED_OUT: u16 = 4401;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(socket))
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct SocketQuery {
    /// The sequence number of the last event you have seen: you get the updates after it instead of
    /// the whole game.
    since: Option<u32>,
    /// The whole game, if you get that, includes this event.
    #[serde(default)]
    #[param(value_type = i64, minimum = 0, maximum = 4_294_967_295_i64, default = 0)]
    seq: u32,
}

/// Play or watch over a WebSocket
///
/// Messages are JSON texts. You send `CommandRequest`s, as to `POST /games/{id}/commands`, and receive
/// `ServerMessage`s: first the whole game (`state`), then an `update` for each event, without gaps in
/// the sequence numbers. Each command is answered by `accepted` or `refused`, after the updates it
/// causes. Reconnect with `since` after a lost connection.
///
/// The server closes with 1012 when it restarts (reconnect), 4401 when you were signed out, 1008
/// when you read too slowly or ping too often, 1009 after a message of more than 4 kB, 1003 after one
/// that is not text, and 1002 after one that can't be read.
#[utoipa::path(get, path = "/games/{id}/socket", tag = "games",
    params(("id" = String, Path, description = "The game"), SocketQuery),
    responses((status = 101, description = "the WebSocket opens"),
        (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody),
        (status = 426, body = ErrorBody), (status = 429, body = ErrorBody)))]
async fn socket(
    State(app): State<Arc<App>>,
    client: ClientAddress,
    Extension(read_limit): Extension<ReadLimit>,
    AnyCaller(caller): AnyCaller,
    PathGameId(game): PathGameId,
    QueryParams(SocketQuery { since, seq }): QueryParams<SocketQuery>,
    SameSiteUpgrade(upgrade): SameSiteUpgrade,
) -> Result<Response, ApiError> {
    let permit = app.limits.open_socket(client)?;
    let resume = Resume { since, seq };
    // Subscribing before the upgrade, so that errors are HTTP statuses.
    let identity = caller.as_ref().map(Caller::id);
    let (subscription, first) = app.games.subscribe(game, identity, resume).await?;
    let caller = caller.map(|caller| SocketCaller {
        player: Arc::new(caller.participant()),
        token: caller.token.hash,
    });
    let running = app.lifecycle.connections.token();
    let upgrade = upgrade
        .read_buffer_size(READ_BUFFER_BYTES)
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES);
    Ok(upgrade.on_upgrade(async move |socket| {
        let _running = running;
        read_limit.enable();
        let ping = Ping::new();
        let connection = Connection { app, socket, subscription, caller, permit, ping };
        // A smaller task than this one, which has room for the handshake.
        let connections = connection.app.lifecycle.connections.clone();
        connections.spawn(Box::new(connection).run(first));
    }))
}

/// Who uses a connection.
struct SocketCaller {
    player: Arc<Participant>,
    token: TokenHash,
}

/// An open WebSocket.
struct Connection {
    app: Arc<App>,
    socket: WebSocket,
    subscription: Subscription,
    caller: Option<SocketCaller>,
    permit: AddressPermit,
    ping: Ping,
}

/// The measurement of the round-trip time.
struct Ping {
    sent: Option<Instant>,
    next: Instant,
}

impl Ping {
    fn new() -> Ping {
        Ping { sent: None, next: Instant::now() + FIRST_PING_DELAY }
    }
}

/// Why a connection ends.
enum End {
    /// The client is gone.
    Gone,
    /// The server closes the connection.
    Close(u16, &'static str),
}

impl From<axum::Error> for End {
    fn from(_: axum::Error) -> End {
        End::Gone
    }
}

impl Connection {
    async fn run(mut self: Box<Self>, first: Vec<Text>) {
        metrics::gauge!("noughts_sockets").increment(1.0);
        // A token of its own for each socket: many waiting for one would share its lock.
        let closing = self.app.lifecycle.closing.child_token();
        let session = self.caller.as_ref().map(|caller| {
            self.app.accounts.sessions.open(caller.token, caller.player.identity, closing.clone())
        });
        let _online = self
            .caller
            .as_ref()
            .map(|caller| self.app.online.connect(caller.player.identity, caller.player.kind));
        if let Some(caller) = &self.caller {
            Box::pin(self.app.accounts.check_session(caller.token)).await;
        }
        let end = tokio::select! {
            biased;
            () = closing.cancelled() => match self.app.lifecycle.closing.is_cancelled() {
                true => End::Close(close_code::RESTART, "restarting: reconnect"),
                false => End::Close(SIGNED_OUT, "signed out"),
            },
            end = self.serve(first) => end,
        };
        drop(session);
        if let End::Close(code, reason) = end {
            let frame = CloseFrame { code, reason: reason.into() };
            let close = self.socket.send(Message::Close(Some(frame)));
            let _ = Box::pin(timeout(SEND_TIMEOUT, close)).await;
        }
        metrics::gauge!("noughts_sockets").decrement(1.0);
    }

    async fn serve(&mut self, first: Vec<Text>) -> End {
        match self.exchange(first).await {
            Ok(never) => match never {},
            Err(end) => end,
        }
    }

    /// Passes messages both ways until the connection ends.
    async fn exchange(&mut self, first: Vec<Text>) -> Result<std::convert::Infallible, End> {
        for message in first {
            self.feed(message).await?;
        }
        self.flush().await?;
        let alarm = sleep_until(self.ping.next);
        tokio::pin!(alarm);
        let mut is_paused = false;
        loop {
            tokio::select! {
                biased;
                () = alarm.as_mut() => {
                    if is_paused {
                        is_paused = false;
                    } else {
                        self.send_ping().await?;
                    }
                    alarm.as_mut().reset(self.ping.next);
                }
                message = self.subscription.next() => {
                    let message = message.ok_or(End::Close(close_code::POLICY, "too slow"))?;
                    self.feed(message).await?;
                    while let Some(message) = self.subscription.try_next() {
                        self.feed(message).await?;
                    }
                    self.flush().await?;
                }
                received = self.socket.recv(), if !is_paused => {
                    let received = received.ok_or(End::Gone)?;
                    let message = received.map_err(|error| unreadable(&error))?;
                    is_paused = self.receive(message).await?;
                    if is_paused {
                        alarm.as_mut().reset(Instant::now() + FLOOD_PAUSE);
                    }
                }
            }
        }
    }

    /// Handles a message. Returns whether the client sends too much, and should not be read from for a
    /// while.
    async fn receive(&mut self, message: Message) -> Result<bool, End> {
        match message {
            Message::Text(text) if text.len() > MAX_COMMAND_BYTES => {
                Err(End::Close(close_code::SIZE, "messages have at most 4 kB"))
            }
            Message::Text(text) => match self.execute(&text).await {
                Ok(()) => Ok(false),
                Err((key, error)) => {
                    let is_flood = matches!(error, ApiError::TooFast(_));
                    let refused = ServerMessage::Refused { key, error: error.into_body() };
                    self.feed(live::text(&refused)).await?;
                    self.flush().await?;
                    Ok(is_flood)
                }
            },
            // axum answers pings.
            Message::Ping(_) => match self.count_message() {
                Ok(()) => Ok(false),
                Err(_) => Err(End::Close(close_code::POLICY, "too many pings")),
            },
            Message::Pong(_) => {
                if let Some(sent) = self.ping.sent.take()
                    && let Some(identity) = self.identity()
                {
                    let ms = u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX);
                    self.subscription.report_lag(identity, ms).await;
                }
                Ok(self.count_message().is_err())
            }
            Message::Close(_) => {
                // The reply is queued already.
                self.flush().await?;
                Err(End::Gone)
            }
            Message::Binary(_) => Err(End::Close(close_code::UNSUPPORTED, "expected text")),
        }
    }

    /// Sends a command to the game, whose reply comes through the subscription.
    async fn execute(&mut self, text: &str) -> Result<(), (Option<IdempotencyKey>, ApiError)> {
        self.count_message().map_err(|error| (command_key(text), error))?;
        let Object(request) = serde_json::from_str::<Object<CommandRequest>>(text)
            .map_err(|error| (command_key(text), json_error(&error)))?;
        let Some(caller) = &self.caller else {
            return Err((Some(request.key), ApiError::SignInNeeded));
        };
        let limits = &self.app.limits;
        limits
            .check_message_command(caller.player.identity, &self.permit)
            .map_err(|error| (Some(request.key.clone()), error.into()))?;
        let player = match &request.command {
            // Other commands don't carry the name.
            PlayerCommand::Join { .. } => {
                let player = Box::pin(current(&self.app, &caller.player)).await;
                player.map_err(|error| (Some(request.key.clone()), error))?
            }
            _ => caller.player.clone(),
        };
        let permit = game_permit(&self.app, player.identity, self.subscription.game(), &request);
        let permit = Box::pin(permit).await.map_err(|error| (Some(request.key.clone()), error))?;
        self.subscription.command(player, request, permit).await;
        Ok(())
    }

    fn identity(&self) -> Option<IdentityId> {
        self.caller.as_ref().map(|caller| caller.player.identity)
    }

    /// Counts a message against the client's rate limit.
    fn count_message(&self) -> Result<(), ApiError> {
        Ok(self.app.limits.check_message(self.identity(), &self.permit)?)
    }

    async fn send_ping(&mut self) -> Result<(), End> {
        if self.ping.sent.is_some() {
            return Err(End::Gone);
        }
        let now = Instant::now();
        self.ping = Ping { sent: Some(now), next: now + PING_INTERVAL };
        self.socket.feed(Message::Ping(Default::default())).await?;
        self.flush().await
    }

    /// Queues a message in the connection's buffer.
    async fn feed(&mut self, message: Text) -> Result<(), End> {
        let fed = timeout(SEND_TIMEOUT, self.socket.feed(Message::Text(message))).await;
        Ok(fed.map_err(|_| End::Gone)??)
    }

    async fn flush(&mut self) -> Result<(), End> {
        let flushed = timeout(SEND_TIMEOUT, self.socket.flush()).await;
        Ok(flushed.map_err(|_| End::Gone)??)
    }
}

/// The player under the name they have now.
async fn current(app: &App, player: &Arc<Participant>) -> Result<Arc<Participant>, ApiError> {
    let found = app.accounts.identity(player.identity).await?;
    let name = found.map_or_else(|| player.name.clone(), |identity| identity.name);
    Ok(Arc::new(Participant { name, ..Participant::clone(player) }))
}

/// How a connection ends after a frame that can't be read.
fn unreadable(error: &axum::Error) -> End {
    let is_text_error = std::iter::successors(error.source(), |&error| error.source())
        .filter_map(|error| error.downcast_ref())
        .any(|error| matches!(error, tungstenite::Error::Utf8(_)));
    if is_text_error {
        End::Close(close_code::INVALID, "expected UTF-8")
    } else {
        End::Close(close_code::PROTOCOL, "unreadable message")
    }
}

/// The key of a command that can't be read otherwise.
fn command_key(text: &str) -> Option<IdempotencyKey> {
    #[derive(Deserialize)]
    struct Keyed {
        key: IdempotencyKey,
    }
    serde_json::from_str(text).ok().map(|Keyed { key }| key)
}

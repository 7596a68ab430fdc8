//! The receiving thread: connects, catches up, and passes on what happens.

use std::io::{self, ErrorKind};
use std::mem;
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use noughts_api::{ErrorBody, GameId, GameView, IdempotencyKey, ServerMessage};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::{Response, StatusCode};

use super::ConnectionEvent;
use super::shared::{Shared, tcp_stream};
use crate::backoff::Backoff;
use crate::client::Client;
use crate::sanitize::from_json;

/// A server that is silent for longer is considered gone: it pings far more often.
const MAX_SILENCE: Duration = Duration::from_secs(90);

/// After reconnecting, missed updates come at once: when none comes for this long, all are there.
const REPLAY_QUIET: Duration = Duration::from_millis(100);

/// How long a game that never pauses may take to catch up.
const MAX_REPLAY: Duration = Duration::from_secs(2);

/// A connection that lasted this long was not refused: the next delay is short again.
const STABLE_CONNECTION: Duration = Duration::from_secs(10);

const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// The close code of a server that has revoked the token.
const CLOSE_SIGNED_OUT: u16 = 4401;

/// The receiving thread.
pub(super) struct Receiver<F> {
    pub(super) client: Client,
    pub(super) game: GameId,
    pub(super) shared: Arc<Shared>,
    /// What the next snapshot must include.
    pub(super) seq: u32,
    /// The game up to the last event seen.
    pub(super) view: Option<GameView>,
    pub(super) on_event: F,
}

/// Why reading ended.
enum End {
    /// The connection is lost.
    Lost,
    /// The server does not want it any more.
    Closed(String),
}

impl From<tungstenite::Error> for End {
    fn from(_: tungstenite::Error) -> End {
        End::Lost
    }
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> End {
        End::Lost
    }
}

impl<F: FnMut(ConnectionEvent)> Receiver<F> {
    pub(super) fn run(mut self) {
        let mut backoff = Backoff::new();
        let mut was_lost = false;
        loop {
            let started_at = Instant::now();
            let result = self.connect().and_then(|stream| {
                if was_lost {
                    self.catch_up(&stream)?;
                    was_lost = false;
                }
                self.receive(&stream)
            });
            self.shared.lock().disconnect();
            if let Err(End::Closed(reason)) = result {
                self.emit(ConnectionEvent::Closed(reason));
                return;
            }
            if !mem::replace(&mut was_lost, true) {
                self.emit(ConnectionEvent::Disconnected);
            }
            if self.is_closed() {
                return;
            }
            if started_at.elapsed() > STABLE_CONNECTION {
                backoff = Backoff::new();
            }
            thread::sleep(backoff.next_delay());
        }
    }

    fn is_closed(&self) -> bool {
        self.shared.lock().is_closed
    }

    fn emit(&mut self, event: ConnectionEvent) {
        if !self.is_closed() {
            (self.on_event)(event);
        }
    }

    /// Opens the WebSocket, and returns a handle to wait for data with.
    fn connect(&mut self) -> Result<TcpStream, End> {
        let server = self.client.server().replacen("http", "ws", 1);
        let query = match &self.view {
            Some(view) => format!("since={}", view.seq),
            None => format!("seq={}", self.seq),
        };
        let uri = format!("{server}/api/v1/games/{}/socket?{query}", self.game);
        let mut request = uri.into_client_request()?;
        if let Some(authorization) = self.client.authorization() {
            let value =
                authorization.parse().map_err(|_| End::Closed("The token is invalid.".into()))?;
            request.headers_mut().insert("authorization", value);
        }
        let (socket, _) = tungstenite::connect(request).map_err(|error| match error {
            tungstenite::Error::Http(response) if is_final(response.status()) => {
                End::Closed(refusal(&response))
            }
            _ => End::Lost,
        })?;
        let stream = tcp_stream(&socket).ok_or(End::Lost)?.try_clone()?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        stream.set_nodelay(true)?;
        let mut state = self.shared.lock();
        if state.is_closed {
            return Err(End::Lost);
        }
        state.socket = Some(Box::new(socket));
        state.resend(|_| true);
        drop(state);
        Ok(stream)
    }

    /// Reads what was missed, and reports it all at once.
    fn catch_up(&mut self, stream: &TcpStream) -> Result<(), End> {
        let mut events = Vec::new();
        let result = self.read_missed(stream, &mut events);
        if result.is_ok()
            && let Some(view) = self.view.clone()
        {
            self.emit(ConnectionEvent::Reconnected(Box::new(view)));
        }
        // The view includes the updates; answers to commands remain.
        events.retain(|event| {
            !matches!(event, ConnectionEvent::Snapshot(_) | ConnectionEvent::Update { .. })
        });
        events.into_iter().for_each(|event| self.emit(event));
        result
    }

    /// Handles what the server sends at once after a reconnection.
    fn read_missed(
        &mut self,
        stream: &TcpStream,
        events: &mut Vec<ConnectionEvent>,
    ) -> Result<(), End> {
        let deadline = Instant::now() + MAX_REPLAY;
        loop {
            let (reported, end) = self.handle_available(stream);
            events.extend(reported);
            end?;
            if Instant::now() >= deadline || !wait_for_data(stream, REPLAY_QUIET)? {
                return Ok(());
            }
        }
    }

    /// Handles messages until the connection ends.
    fn receive(&mut self, stream: &TcpStream) -> Result<(), End> {
        let mut heard_at = Instant::now();
        loop {
            let (events, end) = self.handle_available(stream);
            events.into_iter().for_each(|event| self.emit(event));
            end?;
            let now = Instant::now();
            self.shared.lock().resend(|command| command.retry_at.is_some_and(|at| at <= now));
            let next_retry = self.shared.lock().next_retry();
            let silence_end = heard_at + MAX_SILENCE;
            let until = next_retry.map_or(silence_end, |retry| retry.min(silence_end));
            if wait_for_data(stream, until.saturating_duration_since(now))? {
                heard_at = Instant::now();
            } else if Instant::now() >= silence_end {
                return Err(End::Lost);
            }
        }
    }

    /// Handles all messages that have arrived. Returns what to report, and whether the connection
    /// ended after that.
    fn handle_available(&mut self, stream: &TcpStream) -> (Vec<ConnectionEvent>, Result<(), End>) {
        let (messages, end) = self.read_available(stream);
        let mut events = Vec::new();
        for message in messages {
            match self.handle(message) {
                Ok(reported) => events.extend(reported),
                Err(end) => return (events, Err(end)),
            }
        }
        (events, end)
    }

    /// Reads all messages that have arrived, and whether the connection ended after them.
    fn read_available(&mut self, stream: &TcpStream) -> (Vec<ServerMessage>, Result<(), End>) {
        let mut messages = Vec::new();
        let mut state = self.shared.lock();
        let Some(socket) = &mut state.socket else { return (messages, Err(End::Lost)) };
        let mut read_all = || -> Result<(), End> {
            stream.set_nonblocking(true)?;
            loop {
                match socket.read() {
                    // Messages that only later versions know are ignored.
                    Ok(Message::Text(text)) => messages.extend(from_json(&text).ok()),
                    Ok(Message::Close(Some(frame)))
                        if u16::from(frame.code) == CLOSE_SIGNED_OUT =>
                    {
                        return Err(End::Closed("You are signed out.".into()));
                    }
                    Ok(_) => {}
                    Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                        return Ok(stream.set_nonblocking(false)?);
                    }
                    Err(_) => return Err(End::Lost),
                }
            }
        };
        let end = read_all();
        (messages, end)
    }

    /// Brings the view up to date with a message. Returns what to report.
    fn handle(&mut self, message: ServerMessage) -> Result<Vec<ConnectionEvent>, End> {
        let event = match message {
            ServerMessage::State { game } => {
                self.view = Some((*game).clone());
                ConnectionEvent::Snapshot(game)
            }
            ServerMessage::Update(update) => {
                let Some(view) = &mut self.view else { return Ok(Vec::new()) };
                if update.seq <= view.seq {
                    return Ok(Vec::new());
                }
                if update.seq > view.seq + 1 {
                    // Updates are missing: start again from a snapshot.
                    (self.view, self.seq) = (None, update.seq);
                    return Err(End::Lost);
                }
                view.apply(&update);
                ConnectionEvent::Update { view: Box::new(view.clone()), update }
            }
            ServerMessage::Accepted { key, .. } => {
                self.forget(&key);
                ConnectionEvent::Accepted(key)
            }
            ServerMessage::Refused { key, error } => return Ok(self.handle_refusal(key, error)),
            ServerMessage::Lag { seat, ms } => ConnectionEvent::Lag { seat, ms },
            ServerMessage::Emote { seat, emote } => ConnectionEvent::Emote { seat, emote },
            ServerMessage::Spectators { count } => ConnectionEvent::Spectators(count),
        };
        Ok(vec![event])
    }

    fn handle_refusal(
        &mut self,
        key: Option<IdempotencyKey>,
        mut error: ErrorBody,
    ) -> Vec<ConnectionEvent> {
        if let Some(key) = &key {
            if error.code.is_temporary() && self.shared.lock().schedule_retry(key) {
                return Vec::new();
            }
            self.forget(key);
        }
        let mut events = Vec::new();
        if let Some(game) = error.game.take()
            && self.view.as_ref().is_none_or(|view| view.seq < game.seq)
        {
            self.view = Some((*game).clone());
            events.push(ConnectionEvent::Snapshot(game));
        }
        events.push(ConnectionEvent::Refused { key, error });
        events
    }

    /// A command has its final answer.
    fn forget(&mut self, key: &IdempotencyKey) {
        self.shared.lock().unanswered.retain(|command| command.request.key != *key);
    }
}

/// Waits until there is something to read. False if the time is up before.
fn wait_for_data(stream: &TcpStream, timeout: Duration) -> io::Result<bool> {
    stream.set_read_timeout(Some(timeout.max(Duration::from_millis(1))))?;
    match stream.peek(&mut [0]) {
        Ok(0) => Err(ErrorKind::UnexpectedEof.into()),
        Ok(_) => Ok(true),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(false),
            _ => Err(error),
        },
    }
}

/// Whether another attempt would get the same response.
fn is_final(status: StatusCode) -> bool {
    let temporary = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !temporary.contains(&status)
}

/// The server's words for refusing a WebSocket.
fn refusal(response: &Response<Option<Vec<u8>>>) -> String {
    let body = response.body().as_deref().and_then(|body| std::str::from_utf8(body).ok());
    match body.and_then(|body| from_json::<ErrorBody>(body).ok()) {
        Some(error) => error.message,
        None => format!("The server answered with status {}.", response.status()),
    }
}

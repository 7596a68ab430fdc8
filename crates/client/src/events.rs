//! Hearing what happens in a game, over a WebSocket that comes back by itself.

use std::mem;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::StatusCode;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::client::Client;
use crate::reply;

/// What is heard.
pub enum Heard {
    /// Something happened.
    Event(Happened),
    /// How long messages take to a player and back.
    Lag { seat: usize, ms: u64 },
    /// The connection is lost, and is being made again.
    Lost,
    /// It is there again.
    Back,
    /// There will be nothing more: the server does not want this connection.
    Ended(String),
}

/// What happened in a game: the kinds are those of the server's events.
#[derive(Debug, Clone, Deserialize)]
pub struct Happened {
    #[serde(rename = "type")]
    pub kind: String,
    /// The game is at this sequence number afterwards.
    pub seq: Option<u32>,
    pub seat: Option<usize>,
    pub why: Option<String>,
    pub ms: Option<i64>,
}

/// Somebody listens. When this is dropped the connection ends, and nobody is told of it.
pub struct Listening(Arc<Line>);

/// The connection, which changes hands when it is made again.
#[derive(Default)]
struct Line(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    Broken,
    Connected(TcpStream),
    /// Nobody listens any more.
    HungUp,
}

impl Line {
    /// Remembers a connection. Answers whether somebody listens.
    fn connect(&self, stream: Option<TcpStream>) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::HungUp = *state {
            return false;
        }
        *state = stream.map_or(State::Broken, State::Connected);
        true
    }

    fn is_heard(&self) -> bool {
        !matches!(*self.0.lock().unwrap_or_else(PoisonError::into_inner), State::HungUp)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Connected(stream) = mem::replace(&mut *state, State::HungUp) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A server that says nothing for so long is gone: it sends pings much more often.
const SILENCE: Duration = Duration::from_secs(90);

/// Listens on a thread of its own until `hear` answers that nobody listens any more.
pub fn listen(
    client: &Client,
    game: &str,
    since: u32,
    hear: impl Fn(Heard) -> bool + Send + 'static,
) -> Listening {
    let line = Arc::new(Line::default());
    let listening = Listening(line.clone());
    let (client, game) = (client.clone(), game.to_string());
    thread::spawn(move || {
        let mut since = since;
        let mut wait = Duration::from_millis(200);
        let mut lost = false;
        let hear = |heard| line.is_heard() && hear(heard);
        loop {
            match connect(&client, &game, since) {
                Ok(mut socket) => {
                    if !line.connect(tcp(&socket).and_then(|stream| stream.try_clone().ok())) {
                        return;
                    }
                    wait = Duration::from_millis(200);
                    if mem::take(&mut lost) && !hear(Heard::Back) {
                        return;
                    }
                    if !read(&mut socket, &mut since, &hear) {
                        return;
                    }
                }
                Err(tungstenite::Error::Http(answer)) if is_final(answer.status()) => {
                    hear(Heard::Ended(format!("the server answered {}", answer.status())));
                    return;
                }
                Err(_) => {}
            }
            if !lost && !hear(Heard::Lost) {
                return;
            }
            lost = true;
            thread::sleep(wait);
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    });
    listening
}

/// Whether trying again would get the same answer.
fn is_final(status: StatusCode) -> bool {
    let later = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !later.contains(&status)
}

type Socket = WebSocket<MaybeTlsStream<TcpStream>>;

fn connect(client: &Client, game: &str, since: u32) -> Result<Socket, tungstenite::Error> {
    let server = client.server.replacen("http", "ws", 1);
    let uri = format!("{server}/api/v1/games/{game}/socket?since={since}");
    let mut request = uri.into_client_request()?;
    if let Some(token) = &client.token
        && let Ok(value) = format!("Bearer {token}").parse()
    {
        request.headers_mut().insert("authorization", value);
    }
    let (socket, _) = tungstenite::connect(request)?;
    if let Some(stream) = tcp(&socket) {
        stream.set_read_timeout(Some(SILENCE))?;
    }
    Ok(socket)
}

fn tcp(socket: &Socket) -> Option<&TcpStream> {
    match socket.get_ref() {
        MaybeTlsStream::Plain(stream) => Some(stream),
        MaybeTlsStream::Rustls(stream) => Some(&stream.sock),
        _ => None,
    }
}

/// Reads until the connection ends. Answers whether somebody still listens.
fn read(socket: &mut Socket, since: &mut u32, hear: &impl Fn(Heard) -> bool) -> bool {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = reply::read(&text).unwrap_or_default();
                if let Some(seq) = seq(&message) {
                    *since = seq;
                }
                if heard(message).is_some_and(|heard| !hear(heard)) {
                    return false;
                }
            }
            Ok(Message::Close(Some(frame))) if u16::from(frame.code) == 4401 => {
                hear(Heard::Ended("you are signed out".into()));
                return false;
            }
            Ok(_) => {}
            Err(_) => return true,
        }
    }
}

/// Where the game is after something that happened.
fn seq(message: &Value) -> Option<u32> {
    let seq = match &message["game"]["seq"] {
        Value::Null if message["at"].is_null() => return None,
        Value::Null => &message["seq"],
        seq => seq,
    };
    u32::try_from(seq.as_u64()?).ok()
}

/// What a message of the server tells, if anything.
fn heard(message: Value) -> Option<Heard> {
    if message["type"] == "lag" {
        let seat = usize::try_from(message["seat"].as_u64()?).ok()?;
        return Some(Heard::Lag { seat, ms: message["ms"].as_u64()? });
    }
    let happened = message["type"] == "state" || !message["at"].is_null();
    let message = happened.then_some(message)?;
    serde_json::from_value(message).ok().map(Heard::Event)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_of_a_server() {
        let check = |message: Value, expected_seq: Option<u32>, expected: &str| {
            assert_eq!(seq(&message), expected_seq, "{message}");
            let heard = match heard(message) {
                Some(Heard::Event(happened)) => format!("{} {:?}", happened.kind, happened.seat),
                Some(Heard::Lag { seat, ms }) => format!("lag {seat} {ms}"),
                _ => String::new(),
            };
            assert_eq!(heard, expected);
        };
        let moved = json!({"seq": 5, "at": 17, "type": "moved", "seat": 1, "cell": "A1"});
        check(moved, Some(5), "moved Some(1)");
        check(json!({"type": "state", "game": {"seq": 7}}), Some(7), "state None");
        check(json!({"type": "lag", "seat": 0, "ms": 43}), None, "lag 0 43");
        check(json!({"type": "done", "key": "k", "seq": 5}), None, "");
        check(json!("rubbish"), None, "");
        check(json!({"seq": -1, "at": 17, "type": 3}), None, "");
    }

    #[test]
    fn only_answers_that_stay_the_same_are_final() {
        assert!(is_final(StatusCode::NOT_FOUND));
        assert!(!is_final(StatusCode::TOO_MANY_REQUESTS));
        assert!(!is_final(StatusCode::SERVICE_UNAVAILABLE));
    }
}

//! Hearing what happens in a game, over a WebSocket that comes back by itself.

use std::mem;
use std::net::TcpStream;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tungstenite::client::IntoClientRequest;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use super::client::Client;

/// What is heard.
pub(super) enum Heard {
    /// Something happened, after which the game is at this sequence number.
    Event,
    /// The connection is lost, and is being made again.
    Lost,
    /// It is there again.
    Back,
    /// There will be nothing more: the server does not want this connection.
    Ended(String),
}

/// The longest wait between two tries.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// A server that says nothing for so long is gone: it sends pings much more often.
const SILENCE: Duration = Duration::from_secs(90);

/// Listens on a thread of its own until whoever listens goes away.
pub(super) fn listen(
    client: &Client,
    game: &str,
    since: u32,
    hear: impl Fn(Heard) -> bool + Send + 'static,
) {
    let (client, game) = (client.clone(), game.to_string());
    thread::spawn(move || {
        let mut since = since;
        let mut wait = Duration::from_millis(200);
        let mut lost = false;
        loop {
            match connect(&client, &game, since) {
                Ok(mut socket) => {
                    wait = Duration::from_millis(200);
                    if mem::take(&mut lost) && !hear(Heard::Back) {
                        return;
                    }
                    if !read(&mut socket, &mut since, &hear) {
                        return;
                    }
                }
                Err(tungstenite::Error::Http(answer)) if answer.status().is_client_error() => {
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
    let stream = match socket.get_ref() {
        MaybeTlsStream::Plain(stream) => Some(stream),
        MaybeTlsStream::Rustls(stream) => Some(&stream.sock),
        _ => None,
    };
    if let Some(stream) = stream {
        stream.set_read_timeout(Some(SILENCE))?;
    }
    Ok(socket)
}

/// Reads until the connection ends. Answers whether somebody still listens.
fn read(socket: &mut Socket, since: &mut u32, hear: &impl Fn(Heard) -> bool) -> bool {
    loop {
        match socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text).unwrap_or_default();
                let seq = match &message["game"]["seq"] {
                    Value::Null => &message["seq"],
                    seq => seq,
                };
                let happened = message["type"] == "state" || !message["at"].is_null();
                if let Some(seq) = seq.as_u64().filter(|_| happened) {
                    *since = u32::try_from(seq).unwrap_or(*since);
                    if !hear(Heard::Event) {
                        return false;
                    }
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

/// Sends everything that is heard into a channel.
pub(super) fn into<T: Send + 'static>(
    channel: Sender<T>,
    wrap: impl Fn(Heard) -> T + Send + 'static,
) -> impl Fn(Heard) -> bool + Send + 'static {
    move |heard| channel.send(wrap(heard)).is_ok()
}

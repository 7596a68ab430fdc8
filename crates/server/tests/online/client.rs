//! A client of a server: HTTP and WebSocket, one request at a time.

use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Longer than anything takes.
const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    agent: ureq::Agent,
    pub(crate) token: Option<String>,
    pub(crate) name: String,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The body of a response with this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }

    /// The body of an error with this status and code.
    #[track_caller]
    pub(crate) fn refused(self, status: u16, code: &str) -> Value {
        let body = self.expect(status);
        assert_eq!(body["code"], code, "{body}");
        assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
        body
    }
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Client {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build();
        Client { address, agent: config.into(), token: None, name: String::new() }
    }

    pub(crate) fn with_token(&self, token: &str) -> Client {
        Client { token: Some(token.to_string()), ..self.clone() }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, None, &[])
    }

    pub(crate) fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, None, &[])
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Reply {
        self.send("POST", path, Some(body), &[])
    }

    pub(crate) fn post_json(&self, path: &str, body: Value) -> Reply {
        self.post(path, &body.to_string())
    }

    /// A request with more headers. The path is below the API unless it starts with `!`.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Reply {
        let path = match path.strip_prefix('!') {
            Some(root) => root.to_string(),
            None => format!("/api/v1{path}"),
        };
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.address));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        let mut reply = match body {
            Some(body) => self.agent.run(request.body(body.to_string()).unwrap()).unwrap(),
            None => self.agent.run(request.body(()).unwrap()).unwrap(),
        };
        Reply {
            status: reply.status().as_u16(),
            headers: reply.headers().clone(),
            text: reply.body_mut().read_to_string().unwrap(),
        }
    }

    /// The body of an endless response.
    pub(crate) fn read_stream(&self, path: &str) -> ureq::BodyReader<'static> {
        let mut request = self.agent.get(format!("http://{}/api/v1{path}", self.address));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = request.call().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "application/x-ndjson");
        response.into_body().into_reader()
    }

    /// Creates a game and returns its path.
    #[track_caller]
    pub(crate) fn create(&self, game: Value) -> String {
        let view = self.post_json("/games", game).expect(201);
        format!("/games/{}", view["id"].as_str().unwrap())
    }

    /// Sends a command that is based on an event, with a key of its own.
    pub(crate) fn command(&self, game: &str, command: Value, seq: u64) -> Reply {
        let key = format!("{} {seq}", command["type"].as_str().unwrap());
        self.request(game, json!({"command": command, "seq": seq, "key": key}))
    }

    /// Sends a command as it is.
    pub(crate) fn request(&self, game: &str, request: Value) -> Reply {
        self.post_json(&format!("{game}/commands"), request)
    }

    /// Sends a command that has no parameters.
    pub(crate) fn act(&self, game: &str, command: &str, seq: u64) -> Reply {
        self.command(game, json!({"type": command}), seq)
    }

    pub(crate) fn answer_undo(&self, game: &str, accept: bool, seq: u64) -> Reply {
        self.command(game, json!({"type": "answer_undo", "accept": accept}), seq)
    }

    pub(crate) fn join(&self, game: &str) -> Reply {
        self.act(game, "join", 0)
    }

    pub(crate) fn play(&self, game: &str, mv: &str, seq: u64) -> Reply {
        self.command(game, json!({"type": "move", "move": mv}), seq)
    }

    pub(crate) fn socket(&self, game: &str) -> Socket {
        self.open(&format!("{game}/socket"), &[]).unwrap_or_else(|status| panic!("{status}"))
    }

    /// Opens a socket, or returns the status of the error.
    pub(crate) fn open(&self, path: &str, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        let uri = format!("ws://{}/api/v1{path}", self.address);
        let mut request = uri.into_client_request().unwrap();
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}").parse().unwrap();
            request.headers_mut().insert("authorization", value);
        }
        for (name, value) in headers {
            let name: tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Socket { socket }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(reply))) => {
                Err(reply.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) struct Socket {
    socket: WebSocket<TcpStream>,
}

impl Socket {
    pub(crate) fn send(&mut self, message: Value) {
        self.send_text(&message.to_string());
    }

    pub(crate) fn send_text(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    pub(crate) fn send_raw(&mut self, message: Message) {
        self.socket.send(message).unwrap();
    }

    /// Sends messages with one write.
    pub(crate) fn send_together(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.socket.write(message).unwrap();
        }
        self.socket.flush().unwrap();
    }

    /// The connection, for writing bytes to it.
    pub(crate) fn stream(&self) -> TcpStream {
        self.socket.get_ref().try_clone().unwrap()
    }

    /// The next message of any kind.
    pub(crate) fn read_raw(&mut self) -> Message {
        self.socket.read().unwrap()
    }

    /// The next message that is about the game, or the close code.
    pub(crate) fn read(&mut self) -> Result<Value, Option<u16>> {
        loop {
            let message = self.read_any()?;
            if !["lag", "emote", "spectators"].contains(&message["type"].as_str().unwrap()) {
                return Ok(message);
            }
        }
    }

    /// The next message of a type.
    #[track_caller]
    pub(crate) fn next_kind(&mut self, kind: &str) -> Value {
        loop {
            let message = self.read_any();
            let message = message.unwrap_or_else(|code| panic!("the connection ended: {code:?}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The next message of any type, or the close code.
    fn read_any(&mut self) -> Result<Value, Option<u16>> {
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    return Ok(serde_json::from_str(&text).unwrap());
                }
                Ok(Message::Close(frame)) => return Err(frame.map(|frame| frame.code.into())),
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if error.kind() == std::io::ErrorKind::WouldBlock =>
                {
                    break;
                }
                Err(_) => return Err(None),
            }
        }
        panic!("no message")
    }

    #[track_caller]
    pub(crate) fn next(&mut self) -> Value {
        self.read().unwrap_or_else(|code| panic!("the connection ended: {code:?}"))
    }

    /// The next message of a type, or update with an event of a type.
    #[track_caller]
    pub(crate) fn next_of(&mut self, kind: &str) -> Value {
        let end = Instant::now() + TIMEOUT;
        while Instant::now() < end {
            let message = self.next();
            if message["type"] == kind || message["event"]["type"] == kind {
                return message;
            }
        }
        panic!("no message `{kind}`");
    }

    /// Reads until the connection ends. Returns the close code.
    pub(crate) fn end(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.read() {
                return code;
            }
        }
    }
}

/// A request for a game with a free seat.
pub(crate) fn open_game() -> Value {
    json!({"seats": [{"for": "me"}, {"for": "anyone"}]})
}

/// A command without parameters, as it is sent over a socket.
pub(crate) fn request(command: &str, seq: impl Serialize, key: &str) -> Value {
    json!({"command": {"type": command}, "seq": seq, "key": key})
}

/// A move as it is sent over a socket.
pub(crate) fn move_to(mv: &str, seq: impl Serialize, key: &str) -> Value {
    json!({"command": {"type": "move", "move": mv}, "seq": seq, "key": key})
}

//! `GameConnection` with a server that the test plays itself.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use noughts_api::{CommandRequest, ErrorCode, GameView, IdempotencyKey, PlayerCommand};
use noughts_client::{Client, ConnectionEvent, GameConnection};
use serde_json::{Value, json};
use tungstenite::handshake::server::{Request, Response};
use tungstenite::protocol::CloseFrame;
use tungstenite::{Message, WebSocket, accept_hdr};

/// How long an event may take on a busy machine.
const EVENT_TIMEOUT: Duration = Duration::from_secs(60);

/// A server that does what the test says.
struct Server(TcpListener);

/// The server's end of a WebSocket.
struct Peer {
    /// The requested path and query.
    target: String,
    socket: WebSocket<TcpStream>,
}

impl Server {
    fn start() -> Server {
        Server(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn client(&self) -> Client {
        let url = format!("http://{}", self.0.local_addr().unwrap());
        Client::new(&url, Some("secret".into()))
    }

    /// Opens a connection to a game, and accepts it.
    fn open(&self) -> (GameConnection, Receiver<ConnectionEvent>, Peer) {
        let (connection, events) = self.connect();
        (connection, events, self.accept())
    }

    fn connect(&self) -> (GameConnection, Receiver<ConnectionEvent>) {
        let (sender, events) = channel();
        let game = fixture()["id"].as_str().unwrap().parse().unwrap();
        let on_event = move |event| drop(sender.send(event));
        (GameConnection::open(&self.client(), game, 1, on_event), events)
    }

    fn accept(&self) -> Peer {
        let mut target = String::new();
        #[expect(clippy::result_large_err, reason = "tungstenite's callback has this type")]
        let check = |request: &Request, response: Response| {
            assert_eq!(request.headers()["authorization"], "Bearer secret");
            target = request.uri().to_string();
            Ok(response)
        };
        let socket = accept_hdr(self.0.accept().unwrap().0, check).unwrap();
        Peer { target, socket }
    }

    /// Answers the next request with an error.
    fn refuse(&self, status: &str, body: &Value) {
        let (mut stream, _) = self.0.accept().unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            request.push(byte[0]);
        }
        let body = body.to_string();
        let length = body.len();
        let response = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{body}");
        stream.write_all(response.as_bytes()).unwrap();
    }
}

impl Peer {
    fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    fn send_state(&mut self) {
        self.send(&json!({"type": "state", "game": fixture()["view"]}));
    }

    /// Sends an update of the fixture.
    fn send_update(&mut self, index: usize) {
        let mut update = fixture()["updates"][index].clone();
        update["type"] = "update".into();
        self.send(&update);
    }

    fn read_command(&mut self) -> CommandRequest {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }
}

/// A game of five moves, and a view from before the first.
fn fixture() -> Value {
    serde_json::from_str(include_str!("../../api/fixtures/won.json")).unwrap()
}

fn resign(connection: &GameConnection, seq: u32) -> IdempotencyKey {
    connection.send(seq, PlayerCommand::Resign)
}

#[track_caller]
fn next(events: &Receiver<ConnectionEvent>) -> ConnectionEvent {
    events.recv_timeout(EVENT_TIMEOUT).expect("an event comes")
}

#[track_caller]
fn next_snapshot(events: &Receiver<ConnectionEvent>) -> GameView {
    match next(events) {
        ConnectionEvent::Snapshot(view) => *view,
        other => panic!("expected a snapshot, got {other:?}"),
    }
}

#[test]
fn updates_follow_the_snapshot() {
    let (_connection, events, mut peer) = Server::start().open();
    let game = fixture();
    let id = game["id"].as_str().unwrap();
    assert_eq!(peer.target, format!("/api/v1/games/{id}/socket?seq=1"));
    peer.send_state();
    assert_eq!(serde_json::to_value(next_snapshot(&events)).unwrap(), game["view"]);
    let mut last = None;
    for index in 0..5 {
        peer.send_update(index);
        let ConnectionEvent::Update { view, update } = next(&events) else { panic!("no update") };
        assert_eq!(serde_json::to_value(update).unwrap(), game["updates"][index]);
        last = Some(view);
    }
    assert_eq!(serde_json::to_value(last).unwrap(), game["result"]);
}

#[test]
fn repeated_updates_are_ignored() {
    let (_connection, events, mut peer) = Server::start().open();
    peer.send_state();
    next_snapshot(&events);
    [0, 0, 1].into_iter().for_each(|index| peer.send_update(index));
    for seq in [2, 3] {
        let ConnectionEvent::Update { view, .. } = next(&events) else { panic!("no update") };
        assert_eq!(view.seq, seq);
    }
}

#[test]
fn commands_get_their_answers() {
    let (connection, events, mut peer) = Server::start().open();
    peer.send_state();
    next_snapshot(&events);
    let key = resign(&connection, 1);
    let request = peer.read_command();
    assert_eq!((request.key, request.seq), (key.clone(), 1));
    assert_eq!(request.command, PlayerCommand::Resign);
    peer.send(&json!({"type": "accepted", "key": key, "seq": 2}));
    assert_eq!(next(&events), ConnectionEvent::Accepted(key));
}

#[test]
fn a_stale_command_brings_a_snapshot() {
    let (connection, events, mut peer) = Server::start().open();
    peer.send_state();
    next_snapshot(&events);
    let key = resign(&connection, 1);
    peer.read_command();
    let game = fixture()["result"].clone();
    peer.send(
        &json!({"type": "refused", "key": key, "code": "stale", "message": "?", "game": game}),
    );
    assert_eq!(serde_json::to_value(next_snapshot(&events)).unwrap(), game);
    let ConnectionEvent::Refused { error, .. } = next(&events) else { panic!("no refusal") };
    assert_eq!(error.code, ErrorCode::Stale);
}

#[test]
fn temporary_refusals_are_retried() {
    let (connection, events, mut peer) = Server::start().open();
    peer.send_state();
    next_snapshot(&events);
    let key = resign(&connection, 1);
    let first = peer.read_command();
    peer.send(&json!({"type": "refused", "key": key, "code": "busy", "message": "busy"}));
    assert_eq!(peer.read_command(), first);
    peer.send(&json!({"type": "accepted", "key": key, "seq": 2}));
    assert_eq!(next(&events), ConnectionEvent::Accepted(key));
}

#[test]
fn reconnecting_resumes_and_resends() {
    let server = Server::start();
    let (connection, events, mut peer) = server.open();
    peer.send_state();
    peer.send_update(0);
    next_snapshot(&events);
    assert!(matches!(next(&events), ConnectionEvent::Update { .. }));
    let key = resign(&connection, 2);
    let request = peer.read_command();
    drop(peer);
    assert_eq!(next(&events), ConnectionEvent::Disconnected);

    let mut peer = server.accept();
    assert!(peer.target.ends_with("/socket?since=2"), "{}", peer.target);
    peer.send_update(1);
    assert_eq!(peer.read_command(), request);
    peer.send(&json!({"type": "accepted", "key": key, "seq": 3}));
    let ConnectionEvent::Reconnected(view) = next(&events) else { panic!("not reconnected") };
    assert_eq!(view.seq, 3);
    assert_eq!(next(&events), ConnectionEvent::Accepted(key));
}

#[test]
fn a_gap_leads_to_a_snapshot() {
    let server = Server::start();
    let (_connection, events, mut peer) = server.open();
    peer.send_state();
    next_snapshot(&events);
    peer.send_update(1);
    assert_eq!(next(&events), ConnectionEvent::Disconnected);
    let mut peer = server.accept();
    let missed = &fixture()["updates"][1]["seq"];
    assert!(peer.target.ends_with(&format!("/socket?seq={missed}")), "{}", peer.target);
    peer.send_state();
    assert!(matches!(next(&events), ConnectionEvent::Reconnected(_)));
}

#[test]
fn refused_connections_are_final() {
    let server = Server::start();
    let (_connection, events) = server.connect();
    let error = json!({"code": "no_game", "message": "there is no such game\u{1b}"});
    server.refuse("404 Not Found", &error);
    let reason = "there is no such game\u{fffd}".to_string();
    assert_eq!(next(&events), ConnectionEvent::Closed(reason));
}

#[test]
fn unavailable_servers_are_tried_again() {
    let server = Server::start();
    let (_connection, events) = server.connect();
    server.refuse("503 Service Unavailable", &json!({}));
    assert_eq!(next(&events), ConnectionEvent::Disconnected);
    let mut peer = server.accept();
    peer.send_state();
    assert!(matches!(next(&events), ConnectionEvent::Reconnected(_)));
}

#[test]
fn signing_out_is_final() {
    let (_connection, events, mut peer) = Server::start().open();
    let frame = CloseFrame { code: 4401.into(), reason: "signed out".into() };
    peer.socket.close(Some(frame)).unwrap();
    assert_eq!(next(&events), ConnectionEvent::Closed("You are signed out.".into()));
}

#[test]
fn dropping_the_connection_closes_it() {
    let (connection, events, mut peer) = Server::start().open();
    peer.send_state();
    next_snapshot(&events);
    drop(connection);
    assert!(peer.socket.read().is_err());
    assert_eq!(events.recv_timeout(EVENT_TIMEOUT), Err(RecvTimeoutError::Disconnected));
}

//! `Client` with a server that gives prepared answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use noughts_api::{Emote, ErrorCode, GamePhase, PlayerCommand};
use noughts_client::{Client, ClientError, GameFilter};
use serde_json::{Value, json};

/// A server that gives these answers, one after the other, and the requests it gets: the first line
/// and the body.
fn server(answers: Vec<(u16, Value)>) -> (Client, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = Client::new(&format!("http://{}", listener.local_addr().unwrap()), None);
    let (sender, requests) = channel();
    thread::spawn(move || {
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            sender.send(read_request(&stream)).unwrap();
            let body = body.to_string();
            let head = format!("HTTP/1.1 {status} -\r\ncontent-length: {}", body.len());
            write!(stream, "{head}\r\nconnection: close\r\n\r\n{body}").unwrap();
        }
    });
    (client, requests)
}

fn read_request(stream: &TcpStream) -> (String, Value) {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_ascii_lowercase()),
        }
    }
    let length = lines.iter().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    (lines[0].clone(), serde_json::from_slice(&body).unwrap_or_default())
}

fn busy() -> (u16, Value) {
    (503, json!({"code": "busy", "message": "the server is busy"}))
}

#[test]
fn commands_are_retried_with_their_key() {
    let fixture: Value = serde_json::from_str(include_str!("../../api/fixtures/won.json")).unwrap();
    let reply = json!({"seq": 6, "game": fixture["result"]});
    let (client, requests) = server(vec![busy(), (502, json!("?")), (200, reply)]);
    let game = fixture["id"].as_str().unwrap().parse().unwrap();
    let reply = client.command(game, 5, PlayerCommand::Resign).unwrap();
    assert_eq!((reply.seq, reply.game.phase), (6, GamePhase::Finished));
    let sent: Vec<_> = requests.iter().collect();
    assert_eq!(sent.len(), 3);
    assert!(sent[0].1["key"].is_string() && sent.iter().all(|request| *request == sent[0]));
}

#[test]
fn refusals_have_codes() {
    let refusal = json!({"code": "no_game", "message": "there is no such game"});
    let (client, _requests) = server(vec![(404, refusal)]);
    let game = "01hf7yat0060rk4csm6mv3ee1s".parse().unwrap();
    let error = client.game(game, 0).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::NoGame));
    assert_eq!(error.to_string(), "there is no such game");
}

#[test]
fn guests_are_created_once() {
    let (client, requests) = server(vec![busy()]);
    assert_eq!(client.create_guest().unwrap_err().code(), Some(ErrorCode::Busy));
    assert_eq!(requests.iter().count(), 1);
}

#[test]
fn other_servers_are_unreachable() {
    let (client, _requests) = server(vec![(201, json!("hello")), (404, json!("\u{1b}"))]);
    for _ in 0..2 {
        let error = client.create_guest().unwrap_err();
        assert!(matches!(error, ClientError::Unreachable { .. }), "{error}");
    }
}

#[test]
fn names_are_encoded_in_queries() {
    let (client, requests) = server(vec![(200, json!([]))]);
    let filter = GameFilter {
        player: Some("a b&c"),
        phase: Some(GamePhase::Live),
        limit: Some(9),
        present: false,
    };
    assert_eq!(client.games(&filter).unwrap(), []);
    let (line, _) = requests.recv().unwrap();
    assert!(line.starts_with("get /api/v1/games?player=a%20b%26c&"), "{line}");
    assert!(line.ends_with("&limit=9 http/1.1"), "{line}");
}

#[test]
fn challenges_are_listed_and_answered() {
    let fixture: Value = serde_json::from_str(include_str!("../../api/fixtures/won.json")).unwrap();
    let view = &fixture["result"];
    let challenge = json!({"from": "Ann", "to": "Bob", "expires_at": 5, "game": view});
    let inbox = json!({"received": [challenge], "sent": [], "rematches": [], "turns": []});
    let reply = json!({"seq": 6, "game": view});
    let player = json!({"name": "Bob", "kind": "guest", "online": true, "following": false});
    let (client, requests) = server(vec![
        (200, json!({"online": 1, "players": [player]})),
        (200, inbox),
        (200, reply.clone()),
        (200, reply),
        (204, Value::Null),
    ]);
    assert_eq!(client.players(Some("bo")).unwrap().players[0].name, "Bob");
    let challenge = client.inbox().unwrap().received.remove(0);
    let game = challenge.game.id;
    assert_eq!(client.accept_challenge(game).unwrap().id, game);
    client.end_challenge(game, 3).unwrap();
    client.send_emote(game, Emote::GoodGame).unwrap();
    let sent: Vec<_> = requests.iter().collect();
    assert_eq!(sent[0].0, "get /api/v1/players?search=bo http/1.1");
    assert_eq!(sent[2].1["command"]["type"], "join");
    assert_eq!((&sent[3].1["command"]["type"], &sent[3].1["seq"]), (&json!("abort"), &json!(3)));
    assert_eq!(sent[4].1, json!({"emote": "good_game"}));
}

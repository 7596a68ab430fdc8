//! Limits that keep one client from slowing down others.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use noughts_server::Config;
use serde_json::json;
use tungstenite::Message;

use super::client::{move_to, open_game};
use super::games::ann_and_bob;
use super::server::Server;

#[test]
fn large_or_foreign_bodies_are_refused() {
    let server = Server::start();
    let ann = server.guest();
    let large = format!(r#"{{"rules":"{}"}}"#, "x".repeat(17 << 10));
    ann.post("/games", &large).refused(413, "too_large");
    let form = [("content-type", "application/x-www-form-urlencoded")];
    ann.send("POST", "/games", Some("rules=3x3"), &form).refused(415, "not_json");
}

#[test]
fn requests_are_limited_per_address() {
    let config = Config { requests_per_second: Some(1), ..Config::default() };
    let server = Server::with(config);
    let nobody = server.nobody();
    let replies: Vec<_> = (0..20).map(|_| nobody.get("/games")).collect();
    let refused = replies.into_iter().find(|reply| reply.status == 429).expect("too many");
    assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    refused.refused(429, "too_fast");
    // Monitoring has no limit.
    assert_eq!(nobody.get("!/healthz").status, 200);
}

#[test]
fn commands_are_limited_per_player() {
    let server = Server::with(Config { commands_per_second: Some(1), ..Config::default() });
    let (ann, bob, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next();
    for _ in 0..20 {
        socket.send(move_to("Z1", 2, "k"));
    }
    let codes: Vec<_> = (0..20).map(|_| socket.next()["code"].clone()).collect();
    assert!(codes.contains(&json!("off_board")) && codes.contains(&json!("too_fast")), "{codes:?}");
    // Other players are not affected.
    bob.play(&game, "A1", 2).refused(409, "not_your_turn");
}

#[test]
fn anonymous_messages_are_limited_per_address() {
    let config = Config { requests_per_second: Some(10), ..Config::default() };
    let server = Server::with(config);
    let (_, _, game) = ann_and_bob(&server);
    let mut socket = server.nobody().socket(&game);
    socket.next_of("state");
    for text in [&move_to("A1", 2, "k").to_string(), "rubbish"] {
        let answers = std::iter::repeat_with(|| {
            socket.send_text(text);
            socket.next_of("refused")["code"].clone()
        });
        assert!(answers.take(200).any(|code| code == "too_fast"), "{text}");
    }
}

#[test]
fn ping_floods_end_the_connection() {
    let config = Config { commands_per_second: Some(1), ..Config::default() };
    let server = Server::with(config);
    let (ann, bob, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    socket.send_raw(Message::Ping(Default::default()));
    assert!((0..5).any(|_| matches!(socket.read_raw(), Message::Pong(_))), "no answer to a ping");
    socket.send_together((0..20).map(|_| Message::Ping(Default::default())));
    assert_eq!(socket.end(), Some(1008));
    // Other players are not affected.
    bob.play(&game, "A1", 2).refused(409, "not_your_turn");
}

#[test]
fn unfinished_requests_time_out() {
    let server = Server::with(Config { request_seconds: Some(1), ..Config::default() });
    let answer = |begun: &str| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(begun.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    for begun in ["", "GET /api/v1/games HTTP/1.1\r\nhost: a.example\r\nx-slow: "] {
        let answer = answer(begun);
        // A partial request gets an HTTP error, and a silent connection nothing.
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    }
    let slow_body = "POST /api/v1/names HTTP/1.1\r\nhost: a.example\r\ncontent-length: 100\r\n\
                     content-type: application/json\r\n\r\n{";
    let answer = answer(slow_body);
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("too_slow"), "{answer}");
    // A connection in use stays open.
    let (ann, _, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
}

#[test]
fn connections_survive_error_responses() {
    let server = Server::start();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_nodelay(true).unwrap();
        let post = "POST /api/v1/tokens HTTP/1.1\r\nhost: a.example\r\ncontent-length: 2\r\n\
                    content-type: application/json\r\n\r\n";
        let get = "GET /api/v1/games HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n";
        for part in [post, "{}", get] {
            stream.write_all(part.as_bytes()).unwrap();
        }
        let mut answers = String::new();
        stream.read_to_string(&mut answers).unwrap();
        assert!(answers.starts_with("HTTP/1.1 401 "), "{answers}");
        assert!(answers.contains("HTTP/1.1 200 "), "{answers}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unread_responses_time_out() {
    let server = Server::with(Config { request_seconds: Some(1), ..Config::default() });
    let mut stream = TcpStream::connect(server.address).unwrap();
    let ask = "GET /api/v1/openapi.json HTTP/1.1\r\nhost: a.example\r\n\r\n";
    stream.set_write_timeout(Some(Duration::from_secs(30))).unwrap();
    // Once the buffers are full of responses, the server reads no more requests.
    let given_up = (0..100_000).find_map(|_| stream.write_all(ask.as_bytes()).err());
    let given_up = given_up.expect("there is no end to it").kind();
    assert!(matches!(given_up, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{given_up}");
}

#[test]
fn connections_are_limited_per_address() {
    let server = Server::with(Config { sockets_per_address: Some(1), ..Config::default() });
    let open: Vec<_> = (0..10).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    let answer = |mut stream: TcpStream| {
        let mut answer = String::new();
        let get = "GET /healthz HTTP/1.1\r\nhost: a.example\r\nconnection: close\r\n\r\n";
        let told =
            stream.write_all(get.as_bytes()).and_then(|()| stream.read_to_string(&mut answer));
        told.map(|_| answer).unwrap_or_default()
    };
    assert_eq!(answer(TcpStream::connect(server.address).unwrap()), "", "one too many");
    for stream in open {
        assert!(answer(stream).starts_with("HTTP/1.1 200 "));
    }
}

#[test]
fn sign_ins_are_limited_per_address() {
    let server = Server::with(Config { sign_ins_per_minute: Some(2), ..Config::default() });
    let replies: Vec<u16> = (0..4).map(|_| server.nobody().post("/guests", "{}").status).collect();
    assert_eq!(replies, [201, 201, 429, 429]);
}

#[test]
fn games_sockets_and_spectators_are_limited() {
    let server = Server::with(Config {
        games_per_player: Some(2),
        sockets_per_address: Some(2),
        ..Config::default()
    });
    let (ann, bob) = (server.guest(), server.guest());
    let game = ann.create(open_game());
    ann.create(open_game());
    ann.post_json("/games", open_game()).refused(429, "too_many");
    bob.create(open_game());
    ann.act(&game, "abort", 1).expect(200);
    let game = ann.create(open_game());

    let path = format!("{game}/socket");
    let sockets: Vec<_> = (0..2).map(|_| ann.socket(&game)).collect();
    assert_eq!(bob.open(&path, &[]).err(), Some(429));
    drop(sockets);

    let server = Server::with(Config { watchers_per_game: Some(1), ..Config::default() });
    let ann = server.guest();
    let game = ann.create(open_game());
    let _socket = ann.socket(&game);
    let path = format!("{game}/socket");
    assert_eq!(server.guest().open(&path, &[]).err(), Some(429));
    // The limit is for spectators, not for players.
    assert!(ann.open(&path, &[]).is_ok());
}

#[test]
fn other_sites_can_not_use_the_cookie() {
    let server = Server::start();
    let ann = server.guest();
    let cookie = format!("noughts={}", ann.token.clone().unwrap());
    let body = open_game().to_string();
    let nobody = server.nobody();
    let post = |origin: &str| {
        let headers = [("cookie", cookie.as_str()), ("origin", origin)];
        nobody.send("POST", "/games", Some(&body), &headers)
    };
    post("https://evil.example").refused(403, "cross_site");
    post("null").refused(403, "cross_site");
    post(&format!("http://{}", server.address)).expect(201);
    let headers = [("cookie", cookie.as_str()), ("sec-fetch-site", "cross-site")];
    nobody.send("DELETE", "/sessions", None, &headers).refused(403, "cross_site");
    assert_eq!(ann.get("/games?state=open").expect(200).as_array().unwrap().len(), 1);
}

/// Otherwise responding would cost the server more than the flood costs the client.
#[test]
fn flooding_clients_are_read_slowly() {
    const TEXTS: usize = 5_000;
    let server = Server::with(Config { commands_per_second: Some(5), ..Config::default() });
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    let mut stream = socket.stream();
    stream.write_all(&[0x81, 0x81, 0, 0, 0, 0, b'x'].repeat(TEXTS)).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(400))).unwrap();
    let mut answered = Vec::new();
    // Until no reply comes for a while.
    let _ = stream.read_to_end(&mut answered);
    let answers = answered.windows(8).filter(|bytes| bytes == b"too_fast").count();
    assert!(answers > 0);
    assert!(answers < TEXTS / 2, "{answers} were answered without a pause");
}

/// The rate limit of messages does not see these, but the limit of bytes does.
#[test]
fn pong_and_fragment_floods_are_slowed() {
    const MUCH: usize = 64 << 20;
    let server = Server::with(Config { commands_per_second: Some(5), ..Config::default() });
    let (ann, bob, game) = ann_and_bob(&server);
    let pong = [0x8a, 0x80, 0, 0, 0, 0];
    let (first_part, part) = ([0x01, 0x80, 0, 0, 0, 0], [0x00, 0x80, 0, 0, 0, 0]);
    for (first, frame) in [(pong, pong), (first_part, part)] {
        let mut socket = ann.socket(&game);
        socket.next_of("state");
        let mut stream = socket.stream();
        stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
        stream.write_all(&first).unwrap();
        let frames = frame.repeat(10_000);
        let written = (0..MUCH / frames.len()).try_for_each(|_| stream.write_all(&frames));
        assert!(written.is_err(), "all was read at once");
    }
    ann.play(&game, "A1", 2).expect(200);
    bob.play(&game, "B1", 3).expect(200);
}

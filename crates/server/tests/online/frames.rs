//! Random frames over a WebSocket: the server refuses them or ends the connection, and the game does
//! not change.
//!
//! `NOUGHTS_FRAMES` sets the number of frames, `NOUGHTS_SEED` the seed.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use serde_json::{Value, json};

use super::client::{Client, move_to};
use super::games::ann_and_bob;
use super::server::Server;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_frames_make_no_move() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let mut random = StdRng::seed_from_u64(setting("NOUGHTS_SEED", 1));
    let (mut sent, enough) = (0, setting("NOUGHTS_FRAMES", 1_500));
    while sent < enough {
        // It is Ann's turn, so nothing that Bob sends can be a move.
        let mut stream = handshake(&bob, &server.address.to_string(), &game);
        let frames = random.random_range(1..20);
        for _ in 0..frames {
            let frame = frame(&mut random);
            if stream.write_all(&frame).is_err() {
                break;
            }
            sent += 1;
        }
        read_all(stream);
    }
    let log = ann.get(&format!("{game}/events?since=2")).expect(200);
    // Bob is a player: what he sent may have aborted the game.
    let expected = ["left", "returned", "aborted", "rematch_offered"];
    for update in log.as_array().unwrap() {
        let event = &update["event"];
        assert!(expected.iter().any(|kind| event["type"] == *kind), "{update}");
        // Ann has no socket, so she may count as away at any time.
        assert!(event["seat"] == 1 || event["type"] == "left", "{update}");
    }
    assert_eq!(ann.get(&game).expect(200)["moves"], json!([]));
    assert_eq!(server.nobody().get("!/healthz").status, 200);
    // Another game is not affected.
    let (ann, _, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
}

/// RFC 6455 has a close code for each mistake.
#[test]
fn invalid_frames_end_with_their_code() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut random = StdRng::seed_from_u64(1);
    for (what, frame, expected) in [
        ("a reserved bit", masked(&mut random, 0xc1, b"{}"), 1002),
        ("a reserved kind", masked(&mut random, 0x83, b"{}"), 1002),
        ("no mask", vec![0x81, 2, b'{', b'}'], 1002),
        ("not UTF-8", masked(&mut random, 0x81, b"\xff\xfe"), 1007),
    ] {
        let mut socket = ann.socket(&game);
        socket.stream().write_all(&frame).unwrap();
        assert_eq!(socket.end(), Some(expected), "{what}");
    }
}

/// Opens a WebSocket by hand, because no client library would send these frames.
fn handshake(client: &Client, address: &str, game: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let token = client.token.as_ref().unwrap();
    write!(
        stream,
        "GET /api/v1{game}/socket HTTP/1.1\r\nhost: {address}\r\nconnection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer {token}\r\n\r\n"
    )
    .unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "{}", String::from_utf8_lossy(&head));
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

/// Stops sending, and reads until the server ends the connection.
fn read_all(mut stream: TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let mut all = Vec::new();
    match stream.read_to_end(&mut all) {
        Ok(_) => {}
        // Unread input causes a reset.
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the server does not end the connection: {error}"),
    }
}

/// A frame, valid or not.
fn frame(random: &mut StdRng) -> Vec<u8> {
    match random.random_range(0..10) {
        0..5 => {
            let text = command(random).to_string();
            masked(random, 0x81, text.as_bytes())
        }
        5 => {
            let payload = bytes(random, 200);
            masked(random, 0x81, &payload)
        }
        6 => {
            // Binary, pings, pongs, closes, reserved kinds, fragments.
            let first = random.random::<u8>();
            let payload = bytes(random, 130);
            masked(random, first, &payload)
        }
        7 => {
            // Too long, or cut short.
            let length = random.random_range(4_000..70_000);
            let mut frame = masked(random, 0x81, &vec![b'7'; length]);
            frame.truncate(random.random_range(1..=frame.len()));
            frame
        }
        8 => {
            let mut frame = vec![0x81, 0xff];
            frame.extend(random.random::<u64>().to_be_bytes());
            frame
        }
        _ => bytes(random, 300),
    }
}

fn bytes(random: &mut StdRng, most: usize) -> Vec<u8> {
    let mut bytes = vec![0; random.random_range(0..most)];
    random.fill_bytes(&mut bytes);
    bytes
}

fn masked(random: &mut StdRng, first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        length @ 0..126 => frame.push(0x80 | length as u8),
        length @ 126..0x1_0000 => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    let mask: [u8; 4] = random.random();
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// JSON that is nearly a command. Resigning is left out, so that the game goes on.
fn command(random: &mut StdRng) -> Value {
    let types =
        ["move", "request_undo", "answer_undo", "abort", "claim", "rematch", "", "jump", "MOVE"];
    let mut request = json!({
        "command": {"type": types.choose(random)},
        "seq": random.random_range(0..5),
        "key": format!("{:x}", random.random::<u32>()),
    });
    if random.random() {
        let moves = ["A1", "B2", "Z99", "0,0", "", "A1 ", "swap", "B2=x", "2B2"];
        request["command"]["move"] = json!(moves.choose(random));
    }
    let fields = ["command", "seq", "key", "seat", "more"];
    for _ in 0..random.random_range(0..3) {
        request[*fields.choose(random).unwrap()] = value(random, 3);
    }
    match random.random_range(0..12) {
        0 => value(random, 4),
        _ => request,
    }
}

fn value(random: &mut StdRng, depth: u32) -> Value {
    match random.random_range(0..if depth == 0 { 9 } else { 11 }) {
        0 => Value::Null,
        1 => json!(random.random::<bool>()),
        2 => json!(random.random::<i64>()),
        3 => json!(random.random::<u64>()),
        4 => json!(random.random_range(-2..300)),
        5 => json!(f64::from_bits(random.random())),
        6 => json!("<b>\u{202e}\u{1b}[31m\u{0}\r\n"),
        7 => json!("x".repeat(random.random_range(0..100))),
        8 => json!(["A1", "k", "move"].choose(random)),
        9 => (0..random.random_range(0..4)).map(|_| value(random, depth - 1)).collect(),
        _ => json!({"type": value(random, depth - 1), "x": value(random, depth - 1)}),
    }
}

#[test]
fn invalid_frames_end_the_connection() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let command = move_to("A1", 2, "k").to_string();
    let command = command.as_bytes();
    let mut random = StdRng::seed_from_u64(1);
    let unmasked = [&[0x81, command.len() as u8], command].concat();
    let reserved = masked(&mut random, 0xc1, command);
    let unknown = masked(&mut random, 0x83, command);
    let broken = masked(&mut random, 0x81, b"{\"key\":\"\xff\"}");
    let goodbye = [masked(&mut random, 0x88, &[]), masked(&mut random, 0x81, command)].concat();
    for frames in [unmasked, reserved, unknown, broken, goodbye] {
        let mut stream = handshake(&ann, &server.address.to_string(), &game);
        stream.write_all(&frames).unwrap();
        let mut all = Vec::new();
        match stream.read_to_end(&mut all) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("the server does not end the connection: {error}"),
        }
    }
    assert_eq!(ann.get(&game).expect(200)["moves"], json!([]));
}

/// Refusals quote parts of the input, and must stay plain text.
#[test]
fn refusals_quote_input_safely() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next();
    let texts = [
        "",
        "{",
        "[]",
        "null",
        "\"move\"",
        "{\"command\":{\"type\":\"move\"}}",
        "\u{1b}[31m",
        "<script>",
        r#"{"command":{"type":"\u202e<b>"},"seq":2,"key":"k"}"#,
        r#"{"command":{"type":"move","move":"<img src=x>"},"seq":2,"key":"k"}"#,
        r#"{"command":{"type":"move","move":"A1"},"seq":-1,"key":"k"}"#,
        r#"{"command":{"type":"move","move":"A1"},"seq":2,"key":""}"#,
        r#"{"command":{"type":"move","move":"A1"},"seq":2,"key":"\u0007"}"#,
        r#"{"command":{"type":"move","move":7},"seq":2,"key":"k"}"#,
        r#"{"command":{"type":"move","move":"A1"},"seq":2,"key":"k","seat":9}"#,
    ];
    for text in texts {
        socket.send_text(text);
        let refusal = socket.next();
        assert_eq!(refusal["type"], "refused", "{text}: {refusal}");
        let message = refusal["message"].as_str().unwrap();
        assert!(!message.chars().any(char::is_control), "{text}: {message:?}");
        assert!(!message.contains('\u{202e}'), "{text}: {message:?}");
    }
    for text in ["[".repeat(4000), "[".repeat(2000) + "x"] {
        socket.send_text(&text);
        assert_eq!(socket.next()["code"], "invalid");
    }
}

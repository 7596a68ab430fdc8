//! Anything at all over a WebSocket: the server answers with a refusal or ends the connection, the
//! log stays as it was, and others play on.
//!
//! `NOUGHTS_FUZZ` says how many connections are tried, `NOUGHTS_SEED` with which chance.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use serde_json::{Value, json};

use super::client::Client;
use super::games::ann_and_bob;
use super::server::Server;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn whatever_comes_over_a_socket_changes_nothing() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let log = || ann.get(&format!("{game}/events")).expect(200);
    let before = log();
    let mut random = StdRng::seed_from_u64(setting("NOUGHTS_SEED", 1));
    for _ in 0..setting("NOUGHTS_FUZZ", 150) {
        // It is Ann's turn, so nothing that Bob sends can be a move.
        let mut stream = handshake(&bob, &server.address.to_string(), &game);
        let frames = random.random_range(1..20);
        for _ in 0..frames {
            let frame = frame(&mut random);
            if stream.write_all(&frame).is_err() {
                break;
            }
        }
        read_all(stream);
    }
    let events = log();
    let moves = |log: &Value| {
        let all = log.as_array().unwrap().iter();
        all.filter(|event| event["type"] != "left" && event["type"] != "returned").count()
    };
    // Bob may have resigned or asked for something: he is a player. Nobody else has done anything.
    let by_ann = events.as_array().unwrap().iter().skip(before.as_array().unwrap().len());
    let by_ann = by_ann.filter(|event| event["seat"] == 0 && event["type"] != "left");
    assert_eq!(by_ann.filter(|event| event["type"] != "returned").count(), 0, "{events}");
    assert!(moves(&events) >= moves(&before));
    assert_eq!(server.nobody().get("!/healthz").status, 200);
    // Another game is played as if nothing had been.
    let (ann, _, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
}

/// Opens a connection by hand, because no client would send what comes next.
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

/// Reads what the server has to say until it ends the connection, as it does once the client has
/// stopped sending.
fn read_all(mut stream: TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let mut all = Vec::new();
    match stream.read_to_end(&mut all) {
        Ok(_) => {}
        // Rubbish that nobody read is answered by a reset.
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("the server does not end the connection: {error}"),
    }
}

/// A frame as it should be, or as it should not.
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
            // Longer than is allowed, or said to be.
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

/// JSON that is nearly a command.
fn command(random: &mut StdRng) -> Value {
    let orders = ["move", "undo", "answer_undo", "abort", "claim", "rematch", "", "jump", "MOVE"];
    let mut command = json!({
        "do": orders.choose(random),
        "seq": random.random_range(0..5),
        "key": format!("{:x}", random.random::<u32>()),
    });
    if random.random() {
        command["cell"] = json!(["A1", "B2", "Z99", "0,0", "", "A1 "].choose(random));
    }
    let fields = ["do", "seq", "key", "cell", "agree", "seat", "more"];
    for _ in 0..random.random_range(0..3) {
        command[*fields.choose(random).unwrap()] = value(random, 3);
    }
    match random.random_range(0..12) {
        0 => value(random, 4),
        _ => command,
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
        _ => json!({"do": value(random, depth - 1), "x": value(random, depth - 1)}),
    }
}

/// Reads until the server has said something, and answers what it has said so far.
fn read_until(stream: &mut TcpStream, said: &str) -> String {
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(said) {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "expected {said}, got {}", String::from_utf8_lossy(&read));
        read.extend(&bytes[..count]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

/// Whatever way texts take through the network, and whatever comes between them.
#[test]
fn texts_are_heard_one_by_one_in_bits_and_between_pings() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut random = StdRng::seed_from_u64(1);
    let mut text = |key: &str| {
        let text = format!(r#"{{"do":"dance","seq":2,"key":"{key}"}}"#);
        masked(&mut random, 0x81, text.as_bytes())
    };
    // A mask that changes nothing.
    let ping = [0x89, 0x82, 0, 0, 0, 0, b'h', b'i'];
    let (first_part, last_part) = ([0x01, 0x81, 0, 0, 0, 0, b'{'], [0x80, 0x81, 0, 0, 0, 0, b'}']);
    let mut stream = handshake(&ann, &server.address.to_string(), &game);
    stream.set_nodelay(true).unwrap();
    for round in 0..2 {
        let key = |name: &str| format!("{name}{round}");
        let together = [text(&key("a")), ping.to_vec(), text(&key("b")), text(&key("c"))].concat();
        stream.write_all(&together).unwrap();
        let said = read_until(&mut stream, &format!(r#""key":"c{round}""#));
        let at = |part: &str| said.find(part).unwrap_or_else(|| panic!("{part} in {said}"));
        let places = ["a", "b", "c"].map(|name| at(&format!(r#""key":"{}""#, key(name))));
        assert!(places.is_sorted() && at("hi") > 0, "{said}");
        // From the first bit on, the library puts them together.
        for byte in text(&key("d")) {
            stream.write_all(&[byte]).unwrap();
        }
        read_until(&mut stream, &format!(r#""key":"d{round}""#));
        stream.write_all(&[&first_part[..], &ping, &last_part].concat()).unwrap();
        read_until(&mut stream, "malformed");
    }
}

#[test]
fn frames_that_no_client_may_send_end_the_connection_unheard() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let command = br#"{"do":"move","cell":"A1","seq":2,"key":"k"}"#;
    let mut random = StdRng::seed_from_u64(1);
    let unmasked = [&[0x81, command.len() as u8], &command[..]].concat();
    let reserved = masked(&mut random, 0xc1, command);
    let unknown = masked(&mut random, 0x83, command);
    let broken = masked(&mut random, 0x81, b"{\"do\":\"\xff\"}");
    let goodbye = [masked(&mut random, 0x88, &[]), masked(&mut random, 0x81, command)].concat();
    for frames in [unmasked, reserved, unknown, broken, goodbye] {
        let mut stream = handshake(&ann, &server.address.to_string(), &game);
        stream.write_all(&frames).unwrap();
        // Only that the connection ends is waited for: nothing says that no more comes.
        let mut all = Vec::new();
        match stream.read_to_end(&mut all) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
            Err(error) => panic!("the server does not end the connection: {error}"),
        }
    }
    assert_eq!(ann.get(&game).expect(200)["moves"], json!([]));
}

/// Refusals quote what was sent, and must stay JSON and text.
#[test]
fn refusals_of_rubbish_are_json() {
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
        "{\"do\":\"move\"}",
        "\u{1b}[31m",
        "<script>",
        r#"{"do":"\u202e<b>","seq":2,"key":"k"}"#,
        r#"{"do":"move","cell":"<img src=x>","seq":2,"key":"k"}"#,
        r#"{"do":"move","cell":"A1","seq":-1,"key":"k"}"#,
        r#"{"do":"move","cell":"A1","seq":2,"key":""}"#,
        r#"{"do":"move","cell":"A1","seq":2,"key":"\u0007"}"#,
        r#"{"do":"move","cell":7,"seq":2,"key":"k"}"#,
        r#"{"do":"move","cell":"A1","seq":2,"key":"k","seat":9}"#,
    ];
    for text in texts {
        socket.send_text(text);
        let refusal = socket.next();
        assert_eq!(refusal["type"], "refused", "{text}: {refusal}");
        let message = refusal["message"].as_str().unwrap();
        assert!(!message.chars().any(char::is_control), "{text}: {message:?}");
        assert!(!message.contains('\u{202e}'), "{text}: {message:?}");
    }
    let whole = [vec!['['; 4000].into_iter().collect::<String>(), "[".repeat(2000) + "x"];
    for text in &whole {
        socket.send_text(text);
        assert_eq!(socket.next()["code"], "malformed");
    }
}

//! Games over WebSocket.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::protocol::CloseFrame;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

use super::client::{move_to, open_game, request};
use super::games::ann_and_bob;
use super::server::Server;

#[test]
fn everyone_sees_every_move_in_order() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let mut sockets = vec![ann.socket(&game), bob.socket(&game)];
    sockets.extend((0..10).map(|_| server.nobody().socket(&game)));
    for socket in &mut sockets {
        assert_eq!(socket.next()["game"]["seq"], 2);
    }
    let moves = ["A1", "B1", "A2", "B2", "A3"];
    for (seq, cell) in (2u64..).zip(moves) {
        let mover = seq as usize % 2;
        let key = format!("k{seq}");
        sockets[mover].send(move_to(cell, seq, &key));
        for (i, socket) in sockets.iter_mut().enumerate() {
            let event = socket.next();
            assert_eq!(
                (&event["event"]["type"], &event["event"]["move"]),
                (&json!("moved"), &json!(cell))
            );
            assert_eq!((&event["seq"], &event["event"]["seat"]), (&json!(seq + 1), &json!(mover)));
            if i == mover {
                assert_eq!(socket.next(), json!({"type": "accepted", "key": key, "seq": seq + 1}));
            }
            if seq == 6 {
                assert_eq!(event["turn"], Value::Null);
                assert_eq!(event["result"]["cells"], json!(["A1", "A2", "A3"]));
            } else {
                assert_eq!(event["turn"], 1 - mover);
            }
        }
    }
}

#[test]
fn reconnecting_replays_missed_updates() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let socket = ann.socket(&game);
    ann.play(&game, "A1", 2).expect(200);
    drop(socket);
    bob.play(&game, "B1", 3).expect(200);
    let mut socket = ann.open(&format!("{game}/socket?since=3"), &[]).unwrap();
    // An update about Ann's absence may come first.
    let event = socket.next_of("moved");
    assert_eq!((&event["event"]["move"], &event["turn"]), (&json!("B1"), &json!(0)));
    assert!(event["seq"].as_u64() > Some(3), "{event}");
    // From the first event, and from one that does not exist yet.
    let mut socket = ann.open(&format!("{game}/socket?since=0"), &[]).unwrap();
    assert_eq!(socket.next()["event"]["type"], "created");
    let mut socket = ann.open(&format!("{game}/socket?since=99"), &[]).unwrap();
    assert_eq!(socket.next()["type"], "state");
}

#[test]
fn refusals_have_code_key_and_game() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next();
    let mut check = |text: &str, code: &str| -> Value {
        socket.send_text(text);
        let refused = socket.next();
        assert_eq!(
            (&refused["type"], &refused["code"]),
            (&json!("refused"), &json!(code)),
            "{refused}"
        );
        refused
    };
    let stale = check(r#"{"command":{"type":"move","move":"A1"},"seq":1,"key":"k"}"#, "stale");
    assert_eq!((&stale["key"], &stale["game"]["seq"]), (&json!("k"), &json!(2)));
    check(r#"{"command":{"type":"move","move":"Z9"},"seq":2,"key":"k"}"#, "off_board");
    check(
        r#"{"command":{"type":"answer_undo","accept":true},"seq":2,"key":"k"}"#,
        "no_undo_request",
    );
    check(r#"{"command":{"type":"resign"},"seq":2,"key":"k","seat":1}"#, "not_your_seat");
    let invalid = check(r#"{"command":{"type":"dance"},"seq":2,"key":"k"}"#, "invalid");
    assert_eq!(invalid["key"], "k");
    check(r#"{"command":{"type":"move","move":"middle"},"seq":2,"key":"k"}"#, "invalid");
    check(r#"{"command":{"type":"move"},"seq":2,"key":"k"}"#, "invalid");
    check(r#"{"command":{"type":"answer_undo"},"seq":2,"key":"k"}"#, "invalid");
    check(r#"{"command":{"type":"resign"},"seq":2,"key":"k","seat":9}"#, "invalid");
    check(r#"{"command":{"type":"resign"},"seq":2,"key":""}"#, "invalid");
    check(r#"{"command":{"type":"resign"},"seq":-1,"key":"k"}"#, "invalid");
    check("[]", "invalid");
    check("rubbish", "malformed");
    check("\u{202e}", "malformed");
    assert_eq!(ann.get(&game).expect(200)["seq"], 2);
}

#[test]
fn spectators_can_not_play() {
    let server = Server::start();
    let (_, _, game) = ann_and_bob(&server);
    let command = move_to("A1", 2, "k");
    for (client, code) in [(server.nobody(), "sign_in_needed"), (server.guest(), "not_a_player")] {
        let mut socket = client.socket(&game);
        socket.next();
        socket.send(command.clone());
        assert_eq!(socket.next()["code"], code);
    }
    assert_eq!(server.nobody().get(&game).expect(200)["seq"], 2);
}

#[test]
fn long_or_binary_messages_end_connections() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.send_text(&"x".repeat(5_000));
    assert_eq!(socket.end(), Some(1009));
    let mut socket = ann.socket(&game);
    socket.send_raw(Message::binary(vec![1, 2, 3]));
    assert_eq!(socket.end(), Some(1003));
    // The log may have Ann's disconnects, and nothing else.
    let view = ann.get(&game).expect(200);
    assert_eq!((&view["phase"], &view["moves"]), (&json!("live"), &json!([])));
}

#[test]
fn messages_arrive_together_or_fragmented() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    assert_eq!(socket.next()["type"], "state");
    let wrong = |key: usize| Message::text(request("dance", 2, &key.to_string()).to_string());
    socket.send_together((0..100).map(wrong));
    for key in 0..100 {
        assert_eq!(socket.next()["key"], key.to_string());
    }
    socket.send_text(&"x".repeat(4_096));
    assert_eq!(socket.next()["code"], "malformed");
    let part = |text: &'static str, code, last| {
        Message::Frame(Frame::message(text, OpCode::Data(code), last))
    };
    socket.send_raw(part(r#"{"command":{"type":"move","move":"A1"},"#, Data::Text, false));
    socket.send_raw(part(r#""seq":2,"key":"k"}"#, Data::Continue, true));
    assert_eq!(socket.next()["event"]["type"], "moved");
    assert_eq!(socket.next()["type"], "accepted");
}

#[test]
fn commands_may_follow_the_handshake_immediately() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let request = format!(
        "GET /api/v1{game}/socket HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\
         connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        server.address,
        ann.token.as_ref().unwrap(),
    );
    let command = move_to("A1", 2, "k").to_string();
    let mut sent = request.into_bytes();
    // A text frame with a mask of zeros.
    sent.extend([0x81, 0x80 | command.len() as u8, 0, 0, 0, 0]);
    sent.extend(command.as_bytes());
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.write_all(&sent).unwrap();
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains(r#"{"type":"accepted","key":"k","seq":3}"#) {
        let mut bytes = [0; 1024];
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&read));
        read.extend(&bytes[..count]);
    }
}

#[test]
fn pings_and_closes_are_answered() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    assert_eq!(socket.next()["type"], "state");
    socket.send_raw(Message::Ping("here?".into()));
    assert_eq!(socket.read_raw(), Message::Pong("here?".into()));
    let goodbye = CloseFrame { code: CloseCode::Normal, reason: "enough".into() };
    socket.send_raw(Message::Close(Some(goodbye)));
    assert_eq!(socket.end(), Some(1000));
}

#[test]
fn invalid_handshakes_are_refused() {
    let server = Server::start();
    let ann = server.guest();
    let game = ann.create(open_game());
    let refused = |path: &str, headers: &[(&str, &str)]| ann.open(path, headers).err();
    assert_eq!(refused("/games/01hf7yat0060rk4csm6mtpdw1r/socket", &[]), Some(404));
    assert_eq!(refused("/games/x/socket", &[]), Some(404));
    assert_eq!(refused(&format!("{game}/socket?since=x"), &[]), Some(400));
    ann.get(&format!("{game}/socket")).refused(426, "not_a_websocket");
    let evil = [("origin", "https://evil.example")];
    assert_eq!(refused(&format!("{game}/socket"), &evil), Some(403));
    let own = format!("http://{}", server.address);
    assert_eq!(refused(&format!("{game}/socket"), &[("origin", &own)]), None);
    assert_eq!(ann.with_token("wrong").open(&format!("{game}/socket"), &[]).err(), Some(401));
}

#[test]
fn missing_too_much_sends_whole_game() {
    let server = Server::start();
    let ann = server.guest();
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    let clock = json!({"initial_ms": 3_600_000});
    let rules = "26x26:26+gravity";
    let game = ann.create(json!({"seats": seats, "rules": rules, "clock": clock}));
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    for turn in 0..200u64 {
        let (row, col) = (25 - turn / 26, turn % 26 + 1);
        let cell = format!("{}{col}", char::from(b'A' + row as u8));
        socket.send(move_to(&cell, turn + 1, &cell));
        socket.next_of("accepted");
    }
    let mut late = ann.open(&format!("{game}/socket?since=1"), &[]).unwrap();
    assert_eq!(late.next()["game"]["seq"], 201);
    let mut later = ann.open(&format!("{game}/socket?since=199"), &[]).unwrap();
    assert_eq!(
        (later.next()["seq"].clone(), later.next()["seq"].clone()),
        (json!(200), json!(201))
    );
}

#[test]
fn flooding_clients_are_pinged_too() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    let mut stream = socket.stream();
    let flood = thread::spawn(move || {
        // A text frame of one byte with a mask of zeros.
        let frames = b"\x81\x81\0\0\0\0x".repeat(1_000);
        while stream.write_all(&frames).is_ok() {}
    });
    let end = Instant::now() + Duration::from_secs(30);
    while !matches!(socket.read_raw(), Message::Ping(_)) {
        assert!(Instant::now() < end, "no ping has come");
    }
    socket.stream().shutdown(Shutdown::Both).unwrap();
    flood.join().unwrap();
}

#[test]
fn everyone_sees_round_trip_times() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let (mut of_ann, mut of_bob) = (ann.socket(&game), bob.socket(&game));
    // Reading answers the server's pings.
    for socket in [&mut of_bob, &mut of_ann] {
        let lag = loop {
            let Message::Text(text) = socket.read_raw() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if (&message["type"], &message["seat"]) == (&json!("lag"), &json!(1)) {
                break message;
            }
        };
        assert!(lag["ms"].is_u64(), "{lag}");
    }
}

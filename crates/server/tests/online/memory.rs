//! Games in memory need no log reads, and unused games leave memory.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use noughts_server::Config;
use noughts_testing::{Fault, FaultyLog};
use serde_json::json;
use tungstenite::Message;

use super::client::{Client, move_to, open_game};
use super::games::ann_and_bob;
use super::server::Server;

/// Ends a game and returns the path of its rematch.
fn rematch(ann: &Client, bob: &Client, game: &str) -> String {
    ann.act(game, "resign", 2).expect(200);
    ann.act(game, "rematch", 3).expect(200);
    let agreed = bob.act(game, "rematch", 3).expect(200);
    format!("/games/{}", agreed["game"]["rematch"].as_str().unwrap())
}

#[test]
fn rematches_need_no_log_reads() {
    let (server, log) = Server::faulty(Config::default());
    let (ann, bob, game) = ann_and_bob(&server);
    let mut watcher = server.nobody().socket(&game);
    watcher.next_of("state");
    log.make_unreadable(true);
    let next = rematch(&ann, &bob, &game);
    assert_eq!(
        format!("/games/{}", watcher.next_of("rematch_started")["event"]["game"].as_str().unwrap()),
        next
    );

    let (mut of_ann, mut of_bob) = (ann.socket(&next), bob.socket(&next));
    for socket in [&mut of_ann, &mut of_bob] {
        let state = socket.next_of("state");
        assert_eq!((&state["game"]["seq"], &state["game"]["phase"]), (&json!(1), &json!("live")));
    }
    for (seq, cell) in (1u64..).zip(["A1", "B1", "A2", "B2", "A3"]) {
        let mover = if seq % 2 == 1 { &mut of_bob } else { &mut of_ann };
        mover.send(move_to(cell, seq, &format!("k{seq}")));
        for socket in [&mut of_ann, &mut of_bob] {
            let event = socket.next_of("moved");
            assert_eq!((&event["seq"], &event["event"]["move"]), (&json!(seq + 1), &json!(cell)));
        }
    }
    // The log has the same game.
    let shown = server.nobody().get(&next).expect(200);
    log.make_unreadable(false);
    drop((of_ann, of_bob, watcher));
    let folder = server.stop().unwrap();
    let again = Server::on(folder.path().join("noughts.db"), Config::default());
    let mut read = again.nobody().get(&next).expect(200);
    // The players disconnected meanwhile.
    for player in read["players"].as_array_mut().unwrap() {
        player["away_since"] = json!(null);
    }
    for part in ["moves", "board", "result", "players", "series", "rematch_of", "created_at"] {
        assert_eq!(read[part], shown[part], "{part}");
    }
}

#[test]
fn rematch_survives_lost_append_reply() {
    let (server, log) = Server::faulty(Config::default());
    let (ann, bob, game) = ann_and_bob(&server);
    ann.act(&game, "resign", 2).expect(200);
    ann.act(&game, "rematch", 3).expect(200);
    log.plan([Some(Fault::LostAfter)]);
    let agreed = bob.act(&game, "rematch", 3).expect(200);
    let next = format!("/games/{}", agreed["game"]["rematch"].as_str().unwrap());
    assert_eq!(bob.get(&next).expect(200)["phase"], "live");
}

#[test]
fn creation_survives_lost_append_reply() {
    let (server, log) = Server::faulty(Config::default());
    let ann = server.guest();
    log.plan([Some(Fault::LostAfter)]);
    let game = ann.create(open_game());
    assert_eq!(server.nobody().get(&game).expect(200)["seq"], 1);
}

#[test]
fn unused_games_leave_memory() {
    let (server, log) = Server::faulty(Config { idle_seconds: Some(0), ..Config::default() });
    let (ann, bob, game) = ann_and_bob(&server);
    let next = rematch(&ann, &bob, &game);
    let nobody = server.nobody();
    nobody.get(&next).expect(200);
    expect_dropped(&nobody, &log, &next);
}

#[test]
fn finished_games_leave_memory_unwatched() {
    let (server, log) = Server::faulty(Config::default());
    let (ann, bob, game) = ann_and_bob(&server);
    let sockets = [ann.socket(&game), bob.socket(&game)];
    ann.act(&game, "resign", 2).expect(200);
    let nobody = server.nobody();
    log.make_unreadable(true);
    nobody.get(&game).expect(200);
    log.make_unreadable(false);
    drop(sockets);
    expect_dropped(&nobody, &log, &game);
}

/// Waits until a game has to be read from the log.
fn expect_dropped(nobody: &Client, log: &FaultyLog, game: &str) {
    log.make_unreadable(true);
    let deadline = Instant::now() + Duration::from_secs(30);
    while nobody.get(game).status == 200 {
        assert!(Instant::now() < deadline, "the game is still in memory");
        std::thread::yield_now();
    }
    nobody.get(game).refused(503, "unavailable");
    log.make_unreadable(false);
    nobody.get(game).expect(200);
}

/// After a failed append the task loads the game again, before it handles the next command.
#[test]
fn commands_after_failed_append_follow_the_log() {
    let (server, log) = Server::faulty(Config::default());
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    // The other commands arrive while the writer retries.
    log.plan([Some(Fault::LostBefore), Some(Fault::Full)]);
    let command = move_to("A1", 2, "k").to_string();
    socket.send_together([&command, &command, &command].map(|text| Message::text(text.as_str())));
    assert_eq!(socket.next()["code"], "unavailable");
    let moved = socket.next();
    assert_eq!((&moved["event"]["type"], &moved["seq"]), (&json!("moved"), &json!(3)));
    for _ in 0..2 {
        let done = socket.next();
        assert_eq!((&done["type"], &done["seq"]), (&json!("accepted"), &json!(3)));
    }
    let events = ann.get(&format!("{game}/events?since=2")).expect(200);
    assert_eq!(events.as_array().unwrap().len(), 1);
    assert_eq!(ann.get(&game).expect(200)["moves"], json!(["A1"]));
}

#[test]
fn cancelled_subscriptions_take_no_place() {
    let config: Config = toml::from_str("watchers_per_game = 2").unwrap();
    let (server, log) = Server::faulty(config);
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    // A client disconnects while the game waits for its log.
    log.plan([Some(Fault::LostBefore), Some(Fault::LostBefore)]);
    socket.send(move_to("A1", 2, "k"));
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request = format!(
        "GET /api/v1{game}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    drop(stream);
    socket.next_of("accepted");
    ann.get(&game).expect(200);
    // One of two places is Ann's.
    let mut watcher = server.nobody().socket(&game);
    watcher.next_of("state");
}

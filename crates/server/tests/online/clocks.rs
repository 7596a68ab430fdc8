//! Clocks, absence, abandonment and restarts.

use std::time::{SystemTime, UNIX_EPOCH};

use noughts_server::Config;
use noughts_store::Store;
use serde_json::{Value, json};

use super::client::{Client, move_to, open_game, request};
use super::games::ann_and_bob;
use super::leagues::until;
use super::server::Server;

fn with_clock(server: &Server, initial_ms: u32) -> (Client, Client, String) {
    let (ann, bob) = (server.guest(), server.guest());
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = ann.create(json!({"seats": seats, "clock": {"initial_ms": initial_ms}}));
    bob.join(&game).expect(200);
    (ann, bob, game)
}

#[test]
fn running_out_of_time_loses() {
    let server = Server::start();
    let (ann, bob, game) = with_clock(&server, 1_000);
    let mut socket = bob.socket(&game);
    let clock = socket.next()["game"]["clock"].clone();
    assert!(
        clock["remaining_ms"][0].as_i64().unwrap() <= 1_000 && clock["remaining_ms"][1] == 1_000,
        "{clock}"
    );
    let event = socket.next_of("eliminated");
    assert_eq!((&event["event"]["reason"], &event["event"]["seat"]), (&json!("time"), &json!(0)));
    assert_eq!(event["result"], json!({"winner": 1, "reason": "time", "cells": []}));
    ann.play(&game, "A1", 3).refused(409, "game_over");
}

#[test]
fn clocks_run_out_unattended() {
    // Games leave memory at once, so that this one is only in the log.
    let server = Server::with(Config { idle_seconds: Some(0), ..Config::default() });
    let (ann, _, game) = with_clock(&server, 1_000);
    // The clock of another game shows the time without touching the first.
    let mut other = {
        let (_, bob, other) = with_clock(&server, 4_000);
        bob.socket(&other)
    };
    other.next_of("eliminated");
    let events = ann.get(&format!("{game}/events?since=2")).expect(200);
    assert_eq!(
        (&events[0]["event"]["type"], &events[0]["event"]["reason"]),
        (&json!("eliminated"), &json!("time"))
    );
    let late = events[0]["at"].as_i64().unwrap()
        - ann.get(&game).expect(200)["created_at"].as_i64().unwrap();
    assert!(late >= 1_000, "{late}");
}

#[test]
fn restarts_keep_games_seats_and_time() {
    let server = Server::start();
    let (ann, bob, game) = with_clock(&server, 600_000);
    ann.play(&game, "A1", 2).expect(200);
    let before = bob.get(&game).expect(200);
    let folder = server.stop().unwrap();
    let server = Server::on(folder.path().join("noughts.db"), Config::default());
    let (ann, bob) = (
        server.nobody().with_token(&ann.token.unwrap()),
        server.nobody().with_token(&bob.token.unwrap()),
    );
    let after = bob.get(&game).expect(200);
    for same in ["moves", "turn", "your_seats", "players", "phase"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    // Downtime is never charged to a clock.
    let held = ann.get(&format!("{game}/events?since=3")).expect(200)[0]["event"].clone();
    assert_eq!(held["type"], "clock_held");
    let deadline = |view: &serde_json::Value| view["clock"]["deadline"].as_i64().unwrap();
    assert_eq!(deadline(&after) - deadline(&before), held["ms"].as_i64().unwrap());
    bob.play(&game, "B1", after["seq"].as_u64().unwrap()).expect(200);
    assert_eq!(ann.get(&game).expect(200)["moves"], json!(["A1", "B1"]));
}

/// The last server's clock was an hour ahead, which looked like an outage until then.
#[test]
fn clocks_run_after_a_wrong_clock() {
    const HOUR_MS: i64 = 3_600_000;
    const TOLERANCE_MS: i64 = 6_000;
    let folder = Server::start().stop().unwrap();
    let path = folder.path().join("noughts.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let wrong = Store::open(&path).await.unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        wrong.register_server(now + HOUR_MS, TOLERANCE_MS).await.unwrap();
        wrong.stop_server(now + HOUR_MS + 8_000).await.unwrap();
        wrong.close().await;
    });
    let server = Server::on(path, Config::default());
    let (ann, bob, game) = with_clock(&server, 1_000);
    bob.socket(&game).next_of("eliminated");
    let updates = ann.get(&format!("{game}/events")).expect(200);
    let held = |update: &Value| update["event"]["type"] == "clock_held";
    assert!(!updates.as_array().unwrap().iter().any(held), "{updates}");
}

#[test]
fn claim_against_player_who_left() {
    let server = Server::with(Config { away_seconds: Some(1), ..Config::default() });
    let (ann, bob, game) = ann_and_bob(&server);
    let mut watching = ann.socket(&game);
    watching.next();
    let mut leaving = bob.socket(&game);
    leaving.next();
    ann.act(&game, "claim", 2).refused(409, "not_away");
    drop(leaving);
    let left = watching.next_of("left");
    assert_eq!((&left["event"]["seat"], &left["seq"]), (&json!(1), &json!(3)));
    ann.act(&game, "claim", 3).refused(409, "not_away");
    let mut back = bob.socket(&game);
    watching.next_of("returned");
    back.next();
    drop(back);
    let left_at = watching.next_of("left")["at"].as_i64().unwrap();
    // Claims are refused until Bob has been away for a second.
    let mut tries = 0;
    let result = loop {
        tries += 1;
        let reply = ann.request(&game, request("claim", 5, &format!("try {tries}")));
        if reply.status == 200 {
            break reply.expect(200)["game"].clone();
        }
        reply.refused(409, "not_away");
    };
    assert_eq!(result["result"]["reason"], "left");
    assert!(result["updated_at"].as_i64().unwrap() - left_at >= 1_000);
}

#[test]
fn claim_against_player_who_never_came() {
    let server = Server::with(Config { away_seconds: Some(1), ..Config::default() });
    let (ann, _, game) = ann_and_bob(&server);
    let mut watching = ann.socket(&game);
    watching.next();
    // The first claim notes Bob's absence.
    let refused = ann.act(&game, "claim", 2).refused(409, "not_away");
    assert_eq!(refused["message"].as_str().unwrap().rsplit(';').next(), Some(" wait 1 second."));
    assert_eq!(watching.next_of("left")["event"]["seat"], 1);
}

#[test]
fn idle_games_are_abandoned() {
    let config = Config { abandon_seconds: Some(1), open_seconds: Some(1), ..Config::default() };
    let server = Server::with(config);
    let ann = server.guest();
    for seats in [json!([{"for": "me"}, {"for": "me"}]), open_game()["seats"].clone()] {
        let game = ann.create(json!({"seats": seats}));
        let mut socket = ann.socket(&game);
        let event = socket.next_of("abandoned");
        assert_eq!(event["result"], json!({"winner": null, "reason": "abandoned", "cells": []}));
    }
}

/// Open games are abandoned after a shorter time than live ones.
#[test]
fn joined_games_outlive_open_ones() {
    let config = Config { open_seconds: Some(1), ..Config::default() };
    let server = Server::with(config);
    let (ann, bob, game) = ann_and_bob(&server);
    // An open game of the same age is abandoned.
    let mut waiting = ann.socket(&ann.create(open_game()));
    waiting.next_of("abandoned");
    assert_eq!(bob.get(&game).expect(200)["phase"], "live");
    // A rematch is live from the start.
    ann.act(&game, "resign", 2).expect(200);
    ann.act(&game, "rematch", 3).expect(200);
    let agreed = bob.act(&game, "rematch", 3).expect(200);
    let next = format!("/games/{}", agreed["game"]["rematch"].as_str().unwrap());
    let mut waiting = ann.socket(&ann.create(open_game()));
    waiting.next_of("abandoned");
    assert_eq!(bob.get(&next).expect(200)["phase"], "live");
}

/// A restart closes all connections, and no server sees who fails to return.
#[test]
fn players_missing_after_restart_are_away() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    for player in [&ann, &bob] {
        player.socket(&game).next_of("state");
    }
    let folder = server.stop().unwrap();
    let config: Config = toml::from_str("grace_ms = 1").unwrap();
    let server = Server::on(folder.path().join("noughts.db"), config);
    let ann = server.nobody().with_token(&ann.token.unwrap());
    let mut socket = ann.socket(&game);
    let state = socket.next_of("state");
    if state["game"]["players"][1]["away_since"].is_null() {
        while socket.next_of("left")["event"]["seat"] != 1 {}
    }
}

/// With a minute to think but a second on its clock, a computer moves in time.
#[test]
fn computers_mind_their_clocks() {
    let server = Server::with(Config { think_ms: Some(60_000), ..Config::default() });
    let ann = server.guest();
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "perfect"}]);
    let clock = json!({"initial_ms": 1_000, "increment_ms": 60_000});
    let game = ann.create(json!({"rules": "gomoku", "seats": seats, "clock": clock}));
    let mut socket = ann.socket(&game);
    let state = socket.next_of("state");
    socket.send(move_to("A1", &state["game"]["seq"], "k"));
    assert_eq!(socket.next_of("moved")["event"]["seat"], 0);
    let moved = socket.next();
    assert_eq!(moved["result"], json!(null));
    assert_eq!(socket.next_of("moved")["event"]["seat"], 1);
}

/// Players without a socket are present while they send requests.
#[test]
fn requests_count_as_presence() {
    let config = Config { grace_ms: Some(60_000), away_seconds: Some(1), ..Config::default() };
    let server = Server::with(config);
    let (ann, bob, game) = ann_and_bob(&server);
    bob.get(&game).expect(200);
    let refused = ann.act(&game, "claim", 2).refused(409, "not_away");
    assert!(refused["message"].as_str().unwrap().ends_with("; nobody is away."), "{refused}");
    assert_eq!(bob.get(&game).expect(200)["players"][1]["away_since"], json!(null));
}

/// A queued computer hurries before its time runs out.
#[test]
fn queued_computers_do_not_lose_on_time() {
    let config = Config { thinkers: Some(1), think_ms: Some(6_000), ..Config::default() };
    let server = Server::with(config);
    let (ann, bob) = (server.guest(), server.guest());
    let seats = json!([{"for": "computer", "level": "perfect"}, {"for": "me"}]);
    let without = json!({"rules": "8x8:5", "seats": seats});
    ann.create(without);
    let clock = json!({"initial_ms": 2_000});
    let game = bob.create(json!({"rules": "8x8:5", "seats": seats, "clock": clock}));
    let mut socket = bob.open(&format!("{game}/socket?since=1"), &[]).unwrap();
    let event = socket.next_of("moved");
    assert_eq!((&event["event"]["seat"], &event["result"]), (&json!(0), &json!(null)));
}

#[test]
fn clocks_run_out_beside_queued_computers() {
    let server = Server::with(Config {
        thinkers: Some(1),
        think_ms: Some(1_000),
        idle_seconds: Some(0),
        games_per_player: Some(1_000),
        ..Config::default()
    });
    let (ann, bob) = (server.guest(), server.guest());
    let seats = json!([{"for": "computer", "level": "perfect"}, {"for": "me"}]);
    for _ in 0..300 {
        ann.create(json!({"rules": "8x8:5", "seats": seats}));
    }
    let mut timed = open_game();
    timed["clock"] = json!({"initial_ms": 12_000});
    let game = ann.create(timed);
    bob.join(&game).expect(200);
    // The list does not load the game.
    let finished =
        |games: &Value| games.as_array().unwrap().iter().any(|game| game["reason"] == "time");
    until(&server.nobody(), "/games?phase=finished", finished);
}

#[test]
fn leaving_withdraws_rematch_offers() {
    let server = Server::start();
    let (ann, bob) = (server.guest(), server.guest());
    let mut timed = open_game();
    timed["clock"] = json!({"initial_ms": 60_000});
    let game = ann.create(timed);
    bob.join(&game).expect(200);
    let (mut of_ann, mut of_bob) = (ann.socket(&game), bob.socket(&game));
    of_ann.next_of("state");
    bob.act(&game, "resign", 2).expect(200);
    let over = of_ann.next_of("eliminated");
    of_ann.send(request("rematch", &over["seq"], "r"));
    of_bob.next_of("rematch_offered");
    drop(of_ann);
    let gone = of_bob.next_of("rematch_withdrawn");
    of_bob.send(request("rematch", &gone["seq"], "r"));
    assert_eq!(of_bob.next_of("rematch_offered")["event"]["seat"], 1);
    assert_eq!(bob.get(&game).expect(200)["rematch_offers"], json!([1]));
}

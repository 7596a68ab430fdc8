//! Games by HTTP.

use noughts_server::Config;
use serde_json::{Value, json};

use super::client::{Client, move_to, open_game};
use super::server::Server;

/// A new game of Ann and Bob, at sequence number 2.
pub(crate) fn ann_and_bob(server: &Server) -> (Client, Client, String) {
    let (ann, bob) = (server.guest(), server.guest());
    let game = ann.create(open_game());
    bob.join(&game).expect(200);
    (ann, bob, game)
}

#[test]
fn game_over_http() {
    let server = Server::start();
    let (ann, bob) = (server.guest(), server.guest());
    let created = ann.post_json("/games", open_game());
    let location = created.headers["location"].to_str().unwrap().to_string();
    let view = created.expect(201);
    assert_eq!(location, format!("/api/v1/games/{}", view["id"].as_str().unwrap()));
    assert_eq!(
        (&view["phase"], &view["seq"], &view["your_seats"]),
        (&json!("open"), &json!(1), &json!([0]))
    );
    let game = location.strip_prefix("/api/v1").unwrap();

    let joined = bob.join(game).expect(200);
    assert_eq!((&joined["seq"], &joined["game"]["phase"]), (&json!(2), &json!("live")));
    let moves = [(&ann, "A1"), (&bob, "B1"), (&ann, "A2"), (&bob, "B2"), (&ann, "A3")];
    for (seq, (player, cell)) in (2..).zip(moves) {
        assert_eq!(player.play(game, cell, seq).expect(200)["seq"], seq + 1);
    }
    let view = server.nobody().get(game).expect(200);
    assert_eq!(view["result"], json!({"winner": 0, "reason": "line", "cells": ["A1", "A2", "A3"]}));
    assert_eq!(view["moves"], json!(["A1", "B1", "A2", "B2", "A3"]));
    assert_eq!(view["board"][0][0], json!([0, 0, 0]));
    assert_eq!((&view["turn"], &view["your_seats"]), (&Value::Null, &json!([])));
    bob.play(game, "C3", 7).refused(409, "game_over");
}

#[test]
fn repeated_and_stale_commands() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let body = move_to("A1", 2, "once");
    for _ in 0..3 {
        let answer = ann.request(&game, body.clone()).expect(200);
        assert_eq!((&answer["seq"], &answer["game"]["seq"]), (&json!(3), &json!(3)));
    }
    let late = bob.play(&game, "B1", 2).refused(409, "stale");
    assert_eq!((&late["game"]["seq"], &late["game"]["moves"]), (&json!(3), &json!(["A1"])));
    bob.play(&game, "A1", 3).refused(409, "taken");
    bob.play(&game, "D9", 3).refused(422, "off_board");
    ann.play(&game, "C1", 3).refused(409, "not_your_turn");
}

#[test]
fn creation_is_idempotent() {
    let server = Server::start();
    let ann = server.guest();
    let wanted = json!({"seats": [{"for": "me"}, {"for": "anyone"}], "key": "mine"});
    let first = ann.post_json("/games", wanted.clone()).expect(201);
    let again = ann.post_json("/games", wanted.clone()).expect(201);
    assert_eq!(first["id"], again["id"]);
    let other = server.guest().post_json("/games", wanted).expect(201);
    assert_ne!(first["id"], other["id"]);
}

#[test]
fn undo_resign_abort_and_rematch() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
    ann.act(&game, "request_undo", 3).expect(200);
    let answer = bob.answer_undo(&game, true, 4).expect(200);
    assert_eq!((&answer["seq"], &answer["game"]["moves"]), (&json!(6), &json!([])));
    ann.play(&game, "B2", 6).expect(200);
    bob.play(&game, "A1", 7).expect(200);
    ann.act(&game, "abort", 8).refused(409, "too_late_to_abort");
    let over = ann.act(&game, "resign", 8).expect(200);
    assert_eq!(over["game"]["result"]["reason"], "resigned");

    ann.act(&game, "rematch", 9).expect(200);
    let agreed = bob.act(&game, "rematch", 9).expect(200);
    let next = format!("/games/{}", agreed["game"]["rematch"].as_str().unwrap());
    let view = bob.get(&next).expect(200);
    assert_eq!((&view["your_seats"], &view["phase"]), (&json!([0]), &json!("live")));
    assert_eq!(view["rematch_of"], agreed["game"]["id"]);
    let aborted = bob.act(&next, "abort", 1).expect(200);
    assert_eq!(aborted["game"]["result"]["reason"], "aborted");
}

#[test]
fn computers_play_at_every_level() {
    let server = Server::start();
    let ann = server.guest();
    for level in ["random", "easy", "medium", "hard", "perfect"] {
        let seats = json!([{"for": "me"}, {"for": "computer", "level": level}]);
        let game = ann.create(json!({"seats": seats}));
        let mut socket = ann.socket(&game);
        let mut view = socket.next_of("state")["game"].clone();
        while view["result"].is_null() {
            let (seq, cell) = (view["seq"].as_u64().unwrap(), view["legal"][0].as_str().unwrap());
            ann.play(&game, cell, seq).expect(200);
            // The computer's move, unless the game is over.
            let mut event = socket.next_of("moved");
            if event["result"].is_null() {
                event = socket.next_of("moved");
                assert_eq!(event["event"]["seat"], 1);
            }
            view = ann.get(&game).expect(200);
            assert_eq!(view["seq"], event["seq"]);
        }
        assert_eq!(view["players"][1]["name"], format!("Computer ({level})"));
    }
}

#[test]
fn queued_computers_do_not_block_people() {
    let config = Config { thinkers: Some(1), thinkers_queue: Some(1), ..Config::default() };
    let (server, log) =
        Server::faulty(Config { think_ms: Some(400), idle_seconds: Some(0), ..config });
    let (ann, bob, theirs) = ann_and_bob(&server);
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "perfect"}]);
    let wanted = json!({"seats": seats, "rules": "15x15:5"});
    let play = |_| {
        let game = ann.create(wanted.clone());
        ann.play(&game, "A1", 1).expect(200);
        ann.open(&format!("{game}/socket?since=2"), &[]).unwrap()
    };
    let mut against_computers: Vec<_> = (0..5).map(play).collect();
    let moves = ["A1", "A2", "B1", "B2", "C1"];
    for ((seq, cell), player) in (2..).zip(moves).zip([&ann, &bob].into_iter().cycle()) {
        player.play(&theirs, cell, seq).expect(200);
    }
    assert_eq!(ann.get(&theirs).expect(200)["result"]["winner"], 0);
    // One search runs and one is queued, so three were refused.
    let metrics = server.metrics();
    assert!(metrics.contains("noughts_thinking_put_off_total"), "{metrics}");
    // Refused searches are retried, and their games stay in memory until then.
    log.make_unreadable(true);
    for socket in &mut against_computers {
        assert_eq!(socket.next_of("moved")["event"]["seat"], 1);
    }
}

/// A player with many games against computers does not delay those of others.
#[test]
fn computers_serve_players_fairly() {
    let config = Config { thinkers: Some(1), think_ms: Some(1_000), ..Config::default() };
    let server = Server::with(config);
    let (ann, bob) = (server.guest(), server.guest());
    let begin = |player: &Client, level: &str| {
        let seats = json!([{"for": "me"}, {"for": "computer", "level": level}]);
        let game = player.create(json!({"seats": seats, "rules": "15x15:5"}));
        player.play(&game, "A1", 1).expect(200);
        game
    };
    let many: Vec<_> = (0..6).map(|_| begin(&ann, "perfect")).collect();
    let one = begin(&bob, "easy");
    let mut socket = bob.open(&format!("{one}/socket?since=2"), &[]).unwrap();
    assert_eq!(socket.next_of("moved")["event"]["seat"], 1);
    let waiting = many.iter().filter(|game| ann.get(game).expect(200)["turn"] == 1);
    assert!(waiting.count() > 0, "all games of Ann's came first");
}

#[test]
fn computers_open_by_themselves() {
    let server = Server::start();
    let ann = server.guest();
    let seats = json!([{"for": "computer", "level": "easy"}, {"for": "me"}]);
    let game = ann.create(json!({"seats": seats, "rules": "connect4"}));
    let mut socket = ann.open(&format!("{game}/socket?since=1"), &[]).unwrap();
    let event = socket.next_of("moved");
    assert_eq!((&event["event"]["seat"], &event["seq"]), (&json!(0), &json!(2)));
    // With gravity, every update has the legal moves.
    assert_eq!(event["legal"].as_array().unwrap().len(), 7);
}

#[test]
fn players_share_one_screen() {
    let server = Server::start();
    let ann = server.guest();
    let seats =
        json!([{"for": "me", "name": "John", "symbol": "❎"}, {"for": "me", "name": "Jane"}]);
    let game = ann.create(json!({"seats": seats}));
    ann.play(&game, "A1", 1).expect(200);
    ann.play(&game, "B1", 2).expect(200);
    let undone = ann.act(&game, "request_undo", 3).expect(200);
    assert_eq!(undone["game"]["moves"], json!(["A1"]));
    assert_eq!(undone["game"]["players"][0]["name"], "John");
    assert_eq!(undone["game"]["players"][0]["symbol"], "❎");
    // In public games nobody may use a name of somebody else.
    server.named("Eve");
    for name in ["Eve", "eve", "Computer (perfect)"] {
        let seats = json!([{"for": "me", "name": name}, {"for": "me"}]);
        ann.post_json("/games", json!({"seats": seats})).refused(422, "invalid");
        ann.create(json!({"seats": seats, "public": false}));
    }
    // Nor in games with others.
    let seats = json!([{"for": "me", "name": "John"}, {"for": "anyone"}]);
    ann.post_json("/games", json!({"seats": seats})).refused(422, "invalid");
}

#[test]
fn invalid_games_are_refused() {
    let server = Server::start();
    let ann = server.named("Ann");
    let me = json!({"for": "me"});
    let check = |game: Value, status: u16, code: &str| {
        ann.post_json("/games", game).refused(status, code);
    };
    check(json!({"seats": [me]}), 422, "seat_count");
    check(json!({"seats": [me, {"for": "player", "name": "Ann"}]}), 422, "invalid");
    check(json!(["3x3", [me, me]]), 422, "invalid");
    check(json!({"seats": [me, me, me]}), 422, "seat_count");
    check(json!({"seats": [me, {"for": "anyone"}], "rules": "3x3:4"}), 422, "invalid");
    check(json!({"seats": [me, {"for": "computer", "level": "engine:/bin/sh"}]}), 422, "invalid");
    check(json!({"seats": [me, {"for": "player", "name": "Nobody"}]}), 404, "no_player");
    check(json!({"seats": [me, me], "rated": true}), 422, "rated_against_oneself");
    check(json!({"seats": [me, {"for": "anyone"}], "league": "classic"}), 422, "invalid");
    check(
        json!({"seats": [me, {"for": "anyone"}], "rated": true, "league": "x"}),
        404,
        "no_league",
    );
    check(
        json!({"seats": [me, {"for": "anyone"}], "clock": {"initial_ms": 5}}),
        422,
        "time_control",
    );
    check(json!({"seats": [me, {"for": "anyone", "symbol": "_"}]}), 422, "symbol");
    check(json!({"seats": [me, {"for": "anyone"}], "colour": "red"}), 422, "invalid");
    check(json!({"seats": "many"}), 422, "invalid");
    let computer = json!({"for": "computer", "level": "easy"});
    check(json!({"seats": [computer, computer]}), 422, "invalid");
    ann.post("/games", "{").refused(400, "malformed");
    ann.get("/games/nonsense").refused(404, "no_game");
    ann.get("/games/01hf7yat0060rk4csm6mtpdw1r").refused(404, "no_game");
}

#[test]
fn seats_for_invited_players() {
    let server = Server::start();
    let (ann, bob, cy) = (server.named("Ann"), server.named("Bob"), server.named("Cy"));
    let game = ann.create(json!({"seats": [{"for": "me"}, {"for": "player", "name": "bob"}]}));
    assert_eq!(ann.get(&game).expect(200)["players"][1]["invited"], "Bob");
    cy.join(&game).refused(409, "no_free_seat");
    bob.join(&game).expect(200);
}

#[test]
fn concurrent_creation_is_idempotent() {
    let server = Server::start();
    let ann = server.guest();
    let mut wanted = open_game();
    wanted["key"] = json!("k");
    let games: Vec<String> = std::thread::scope(|scope| {
        let ask = |_| scope.spawn(|| ann.create(wanted.clone()));
        let asked: Vec<_> = (0..8).map(ask).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(games.iter().all(|game| *game == games[0]), "{games:?}");
}

#[test]
fn lists_show_public_and_own_games() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let open = ann.create(open_game());
    let hidden = ann.create(json!({"seats": [{"for": "me"}, {"for": "anyone"}], "public": false}));
    let live = ann.create(json!({"seats": [{"for": "me"}, {"for": "me"}], "rules": "4x4"}));
    let over = ann.create(json!({"seats": [{"for": "me"}, {"for": "me"}]}));
    ann.act(&over, "resign", 1).expect(200);
    let ids = |client: &Client, query: &str| {
        let list = client.get(&format!("/games{query}")).expect(200);
        let ids: Vec<String> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|game| format!("/games/{}", game["id"].as_str().unwrap()))
            .collect();
        ids
    };
    // Ids order by creation time, and at random within a millisecond.
    let newest_first = |mut games: Vec<String>| {
        games.sort_by(|a, b| b.cmp(a));
        games
    };
    assert_eq!(ids(&bob, "?phase=open"), std::slice::from_ref(&open));
    assert_eq!(ids(&bob, "?phase=live"), std::slice::from_ref(&live));
    assert_eq!(ids(&bob, "?phase=finished"), std::slice::from_ref(&over));
    assert_eq!(ids(&bob, "?player=ann&rules=4x4"), std::slice::from_ref(&live));
    let own = newest_first(vec![hidden, open.clone()]);
    assert_eq!(ids(&ann, "?player=ann&phase=open"), own);
    let public = newest_first(vec![over, live, open]);
    assert_eq!(ids(&bob, ""), public);
    let first = public[0].strip_prefix("/games/").unwrap();
    assert_eq!(ids(&bob, &format!("?limit=1&before={first}")), public[1..2]);
    bob.get("/games?phase=won").refused(400, "malformed");
    for limit in ["many", "0", "101"] {
        bob.get(&format!("/games?limit={limit}")).refused(400, "malformed");
    }
    bob.get("/games?player=Nobody").refused(404, "no_player");
}

#[test]
fn declined_undo_keeps_the_move() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    ann.play(&game, "A1", 2).expect(200);
    ann.act(&game, "request_undo", 3).expect(200);
    let answer = bob.answer_undo(&game, false, 4).expect(200);
    assert_eq!(
        (&answer["game"]["moves"], &answer["game"]["undo_request"]),
        (&json!(["A1"]), &json!(null))
    );
    bob.play(&game, "B2", 5).expect(200);
}

#[test]
fn events_come_in_pages() {
    let server = Server::start();
    let ann = server.guest();
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    let game = ann.create(json!({"rules": "26x26:26", "seats": seats}));
    let mut seq = 1;
    while seq < 800 {
        ann.play(&game, "A1", seq).expect(200);
        seq = ann.act(&game, "request_undo", seq + 1).expect(200)["game"]["seq"].as_u64().unwrap();
    }
    let cells = ('A'..='L').flat_map(|row| (1..=26).map(move |col| format!("{row}{col}")));
    for cell in cells {
        ann.play(&game, &cell, seq).expect(200);
        seq += 1;
    }
    let page = |since: u64| ann.get(&format!("{game}/events?since={since}")).expect(200);
    let (first, second) = (page(0), page(1_000));
    let seqs = |page: &Value| {
        let updates = page.as_array().unwrap().iter();
        updates.map(|update| update["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(seqs(&first), (1..=1_000).collect::<Vec<_>>());
    assert_eq!(seqs(&second), (1_001..=seq).collect::<Vec<_>>());
}

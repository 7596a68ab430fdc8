//! Every game of the family, from its creation to its export.

use noughts_api::{GamePhase, GameView, ServerMessage};
use noughts_rules::{Game, notation};
use noughts_server::Config;
use serde_json::{Value, json};

use super::client::{Client, Socket};
use super::leagues::until;
use super::server::Server;

/// A game of each kind, and some combinations, on boards that are played through quickly.
const GAMES: [&str; 16] = [
    "3x3+ultimate",
    "3x3x3",
    "3x3x3+gravity+swap",
    "3x3+wild",
    "3x3+wild+misere",
    "3x3+notakto+2b",
    "4x4:4+order",
    "3x3+fade3",
    "7x7:6+2s",
    "7x7:5+renju",
    "3x3+swap",
    "7x7:5+swap2",
    "3x3:[A1-A2-A3,B1-C1,A1-B2-C3]",
    "3x3:[A1-A2-A3,A1-B2-C3]+fade3",
    "5x5:4+wrap+misere",
    "4x4:3+3p",
];

/// Keeps a view up to date by the messages of a socket.
struct Follower {
    socket: Socket,
    view: GameView,
}

impl Follower {
    fn new(client: &Client, game: &str) -> Follower {
        let mut socket = client.socket(game);
        let state = serde_json::from_value(socket.next_of("state")).unwrap();
        let ServerMessage::State { game: view } = state else { panic!("{state:?}") };
        Follower { socket, view: *view }
    }

    fn follow(&mut self) {
        match serde_json::from_value(self.socket.next()).unwrap() {
            ServerMessage::Update(update) => self.view.apply(&update),
            message => panic!("{message:?}"),
        }
    }
}

/// Plays a game to its end by moves that look random, as the players whose seats the client holds.
fn play_to_the_end(client: &Client, game: &str) -> GameView {
    let mut follower = Follower::new(client, game);
    let mut random = 7_usize;
    while follower.view.phase != GamePhase::Finished {
        let view = &follower.view;
        if view.turn.is_some_and(|turn| view.your_seats.contains(&turn)) {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mv = view.legal[(random >> 16) % view.legal.len()];
            client.play(game, &mv.to_string(), view.seq.into()).expect(200);
        }
        follower.follow();
    }
    follower.view
}

fn against_computers(rules: &str, level: &str) -> Value {
    let players = rules.parse::<noughts_rules::Rules>().unwrap().players();
    let computers = (1..players).map(|_| json!({"for": "computer", "level": level}));
    let seats: Vec<Value> = std::iter::once(json!({"for": "me"})).chain(computers).collect();
    json!({"seats": seats, "rules": rules})
}

fn on_one_screen(rules: &str) -> Value {
    json!({"seats": [{"for": "me", "name": "John"}, {"for": "me", "name": "Jane"}], "rules": rules})
}

#[test]
fn every_game_is_played_online() {
    let server = Server::start();
    let ann = server.guest();
    let levels = ["random", "easy", "medium", "hard", "perfect"];
    for (rules, level) in GAMES.iter().zip(levels.iter().cycle()) {
        let game = ann.create(against_computers(rules, level));
        let view = play_to_the_end(&ann, &game);
        let reason = view.result.as_ref().unwrap().reason;
        assert_ne!(reason, noughts_api::EndReason::Forfeit, "{rules} against {level}");
        let shown: GameView = serde_json::from_value(ann.get(&game).expect(200)).unwrap();
        assert_eq!((&shown.board, &shown.details), (&view.board, &view.details), "{rules}");
        assert_eq!((shown.result, shown.moves), (view.result, view.moves), "{rules}");
        let text = ann.get(&format!("{game}/export")).text;
        assert_eq!(format!("{}\n", text.parse::<Game>().unwrap()), text, "{rules}");
        ann.get(&format!("{game}/losing-move")).expect(200);
    }
}

#[test]
fn every_game_is_analysed() {
    let server = Server::start();
    let ann = server.guest();
    for rules in GAMES.iter().filter(|rules| !rules.ends_with("3p")) {
        let game = ann.create(on_one_screen(rules));
        for seq in 1..=2 {
            let legal = ann.get(&game).expect(200)["legal"].clone();
            let mv = legal.as_array().unwrap().last().unwrap().clone();
            ann.play(&game, mv.as_str().unwrap(), seq).expect(200);
        }
        let view = ann.get(&game).expect(200);
        let analysis = ann.get(&format!("{game}/analysis")).expect(200);
        let moves = analysis["moves"].as_array().unwrap();
        assert_eq!(moves.len(), view["legal"].as_array().unwrap().len(), "{rules}");
        assert!(view["legal"].as_array().unwrap().contains(&analysis["best"]), "{rules}");
        // The position and the moves that lead to it have the same values.
        let position = json!({"position": analysis["position"]});
        let again = ann.post_json("/analysis", position).expect(200);
        assert_eq!(again["moves"].as_array().unwrap().len(), moves.len(), "{rules}");
        let moves = json!({"rules": rules, "moves": view["moves"]});
        let again = ann.post_json("/analysis", moves).expect(200);
        assert_eq!(again["position"], analysis["position"], "{rules}");
    }
}

#[test]
fn presets_are_listed_and_described() {
    let server = Server::start();
    let nobody = server.nobody();
    let presets = nobody.get("/presets").expect(200);
    let names: Vec<&str> =
        presets.as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap()).collect();
    assert_eq!(names, notation::PRESETS.map(|(name, _)| name));
    for preset in presets.as_array().unwrap() {
        let rules = preset["name"].as_str().unwrap();
        let view = nobody.get(&format!("/rules?rules={rules}")).expect(200);
        for field in ["rules", "title", "summary"] {
            assert_eq!(view[field], preset[field]);
            assert_ne!(view[field], "");
        }
        assert!(!view["how_to_play"].as_array().unwrap().is_empty(), "{rules}");
    }
    let wild = nobody.get("/rules?rules=wild").expect(200);
    assert_eq!((&wild["choice_of_mark"], &wild["value"]["result"]), (&json!(true), &json!("win")));
    let qubic = nobody.get("/rules?rules=qubic").expect(200);
    assert_eq!(qubic["shape"], json!({"type": "grid", "rows": 4, "cols": 4, "levels": 4}));
    let notakto = nobody.get("/rules?rules=3x3%2bnotakto%2b2b").expect(200);
    assert_eq!(notakto["value"]["result"], "loss");
}

#[test]
fn two_people_play_swap2() {
    let config = Config { rated_rules: vec!["7x7:5+swap2".into()], ..Config::default() };
    let server = Server::with(config);
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let clock = json!({"initial_ms": 600_000, "increment_ms": 1_000});
    let game = ann.create(json!({
        "seats": [{"for": "me"}, {"for": "player", "name": "Bob"}],
        "rules": "7x7:5+swap2", "rated": true, "clock": clock,
    }));
    bob.join(&game).expect(200);
    for (seq, cell) in (2..).zip(["D4", "D5", "E4"]) {
        bob.play(&game, cell, seq).refused(409, "not_your_turn");
        ann.play(&game, cell, seq).expect(200);
    }
    let view = bob.get(&game).expect(200);
    assert_eq!((&view["turn"], &view["legal"]), (&json!(1), &json!(["swap", "keep", "more"])));
    bob.play(&game, "A1", 5).refused(409, "choice_due");
    ann.play(&game, "swap", 5).refused(409, "not_your_turn");
    bob.play(&game, "swap", 4).refused(409, "stale");
    // Sent twice, a choice takes effect once.
    for _ in 0..2 {
        let view = bob.play(&game, "swap", 5).expect(200);
        assert_eq!((&view["seq"], &view["game"]["details"]["owners"]), (&json!(6), &json!([1, 0])));
    }
    bob.play(&game, "more", 6).refused(409, "not_your_turn");
    ann.play(&game, "more", 6).refused(409, "no_choice_due");
    // Bob plays X now, of which D4 and E4 are two.
    let moves =
        [(&ann, "A1"), (&bob, "C4"), (&ann, "A2"), (&bob, "B4"), (&ann, "A3"), (&bob, "F4")];
    for (seq, (player, cell)) in (6..).zip(moves) {
        player.play(&game, cell, seq).expect(200);
    }
    let over = ann.get(&game).expect(200);
    assert_eq!(over["result"]["winner"], 1, "{over}");
    assert_eq!(over["result"]["cells"], json!(["B4", "C4", "D4", "E4", "F4"]));
    bob.act(&game, "rematch", 12).expect(200);
    let next = ann.act(&game, "rematch", 12).expect(200)["game"]["rematch"].clone();
    let next = bob.get(&format!("/games/{}", next.as_str().unwrap())).expect(200);
    assert_eq!((&next["your_seats"], &next["details"]["owners"]), (&json!([0]), &json!([0, 1])));
    assert_eq!(next["series"], json!({"wins": [1, 0], "draws": 0}));
    until(&ann, "/leagues/other", |table| table["rows"][0]["name"] == "Bob");
}

#[test]
fn fade_ends_by_repetition() {
    let server = Server::start();
    let ann = server.guest();
    let game = ann.create(on_one_screen("fade"));
    let cycle = ["A1", "A3", "A2", "B1", "B3", "C1", "C3", "C2"];
    for (seq, cell) in (1..=22).zip(cycle.iter().cycle()) {
        ann.play(&game, cell, seq).expect(200);
    }
    let over = ann.get(&game).expect(200);
    assert_eq!(over["result"], json!({"winner": null, "reason": "repetition", "cells": []}));
    let list = ann.get("/games?rules=fade&phase=finished").expect(200);
    assert_eq!(list[0]["reason"], "repetition");
}

#[test]
fn formats_refuse_other_games() {
    let server = Server::start();
    let ann = server.guest();
    let export = |rules: &str, format: &str| {
        let game = ann.create(on_one_screen(rules));
        ann.get(&format!("{game}/export?format={format}"))
    };
    for format in ["sgf", "psq"] {
        for rules in GAMES.iter().filter(|rules| !rules.ends_with("3p") && !rules.contains("renju"))
        {
            export(rules, format).refused(409, "cant_export");
        }
        export("renju", format).expect(200);
    }
}

#[test]
fn people_are_paired_for_any_game() {
    let server = Server::start();
    let (ann, bob) = (server.guest(), server.guest());
    for rules in ["ultimate", "3x3:[A1-A2-A3,B1-C1]"] {
        let waiting = ann.post_json("/pairings", json!({"rules": rules})).expect(201);
        let _present = ann.socket(&format!("/games/{}", waiting["id"].as_str().unwrap()));
        let paired = bob.post_json("/pairings", json!({"rules": rules})).expect(201);
        assert_eq!((&paired["id"], &paired["phase"]), (&waiting["id"], &json!("live")));
    }
}

#[test]
fn long_lists_of_lines_are_refused() {
    let server = Server::start();
    let ann = server.guest();
    let lines = |count: usize| format!("5x5:[{}]", vec!["A1-A2-A3"; count].join(","));
    for path in ["/games", "/pairings"] {
        let mut wanted = on_one_screen(&lines(600));
        if path == "/pairings" {
            wanted = json!({"rules": lines(600)});
        }
        let refused = ann.post_json(path, wanted).refused(422, "invalid");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("at most 4096 bytes"), "{message}");
    }
    ann.get(&format!("/rules?rules={}", lines(600))).refused(422, "invalid");
    ann.post_json("/games", on_one_screen(&lines(4_000))).refused(413, "too_large");
    ann.post_json("/games", on_one_screen("3x3:[A1-A9]")).refused(422, "invalid");
}

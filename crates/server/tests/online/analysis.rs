//! Exports and analysis.

use std::sync::mpsc;

use noughts_server::Config;
use serde_json::{Value, json};

use super::client::{Reply, open_game};
use super::server::Server;

fn at_one_screen(rules: &str) -> Value {
    json!({"seats": [{"for": "me", "name": "John"}, {"for": "me", "name": "Jane"}], "rules": rules})
}

#[test]
fn games_export_in_every_format() {
    let server = Server::start();
    let ann = server.guest();
    let game = ann.create(at_one_screen("gomoku"));
    ann.play(&game, "H8", 1).expect(200);
    let export = |format: &str| ann.get(&format!("{game}/export?format={format}"));
    let text = export("text");
    let name = text.headers["content-disposition"].to_str().unwrap().to_string();
    assert!(
        name.starts_with("attachment; filename=\"noughts-") && name.ends_with(".txt\""),
        "{name}"
    );
    assert_eq!(
        text.text,
        "rules 15x15:5\nplayer X John\nplayer O Jane\nmoves H8\nresult in progress\n"
    );
    assert!(export("psq").text.starts_with("Piskvorky 15x15,"));
    assert!(export("sgf").text.contains("GM[4]"));
    assert_eq!(export("json").expect(200)["moves"], json!(["H8"]));
    export("pdf").refused(400, "malformed");

    let classic = ann.create(at_one_screen("3x3"));
    ann.get(&format!("{classic}/export?format=sgf")).refused(409, "cant_export");
    let open = ann.create(json!({"seats": [{"for": "me"}, {"for": "anyone"}]}));
    ann.get(&format!("{open}/export")).refused(409, "cant_export");
}

#[test]
fn every_position_can_be_analysed() {
    let server = Server::start();
    let ann = server.guest();
    let game = ann.create(at_one_screen("3x3"));
    for (seq, cell) in (1..).zip(["A1", "A2", "B2", "C3", "B1", "B3", "C1"]) {
        ann.play(&game, cell, seq).expect(200);
    }
    let at = |ply: usize| ann.get(&format!("{game}/analysis?ply={ply}"));
    let analysis = at(1).expect(200);
    let value = |name: &str| {
        let moves = analysis["moves"].as_array().unwrap();
        moves.iter().find(|mv| mv["move"] == name).cloned().unwrap()
    };
    assert_eq!(value("B2"), json!({"move": "B2", "kind": "draw", "plies": null, "score": null}));
    assert_eq!(value("A2")["kind"], "loss");
    assert_eq!((&analysis["best"], &analysis["turn"]), (&json!("B2"), &json!(1)));
    at(7).refused(422, "invalid");
    at(8).refused(422, "invalid");
    let lost = ann.get(&format!("{game}/losing-move")).expect(200);
    assert_eq!(lost, json!({"ply": 1, "seat": 1, "move": "A2", "better": "B2", "missed": "draw"}));

    let any = ann.post_json("/analysis", json!({"position": "3x3 xx1/oo1/3 x"})).expect(200);
    assert_eq!((&any["best"], &any["line"]), (&json!("A3"), &json!(["A3"])));
    let played = json!({"rules": "3x3", "moves": ["A1", "B1", "A2", "B2"]});
    assert_eq!(ann.post_json("/analysis", played).expect(200)["best"], "A3");
    for wrong in [
        json!({}),
        json!({"position": "rubbish"}),
        json!({"rules": "3x3", "moves": ["A1", "A1"]}),
        json!({"rules": "3x3", "moves": ["?"]}),
        json!({"position": "3x3 3/3/3 x", "rules": "3x3"}),
    ] {
        ann.post_json("/analysis", wrong).refused(422, "invalid");
    }
}

#[test]
fn live_rated_games_are_not_analysed() {
    let server = Server::start();
    let ann = server.guest();
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "easy"}]);
    let game = ann.create(json!({"seats": seats, "rated": true}));
    ann.get(&format!("{game}/analysis")).refused(409, "still_played");
    ann.get(&format!("{game}/losing-move")).refused(409, "still_played");
    ann.act(&game, "resign", 1).expect(200);
    ann.get(&format!("{game}/losing-move")).expect(200);
}

#[test]
fn live_games_between_people_are_not_analysed() {
    let server = Server::start();
    let (ann, bob) = (server.guest(), server.guest());
    let game = ann.create(open_game());
    bob.join(&game).expect(200);
    ann.get(&format!("{game}/analysis")).refused(409, "still_played");
    ann.act(&game, "resign", 2).expect(200);
    ann.get(&format!("{game}/analysis?ply=0")).expect(200);
}

#[test]
fn rules_are_described_with_value() {
    let server = Server::start();
    let rules = |text: &str| server.nobody().get(&format!("/rules?rules={text}"));
    let classic = rules("classic").expect(200);
    assert_eq!((&classic["rules"], &classic["value"]["result"]), (&json!("3x3"), &json!("draw")));
    let open = rules("3x4:3").expect(200);
    assert_eq!(open["value"]["result"], "win");
    let published = &rules("connect4").expect(200)["value"];
    assert_eq!(
        *published,
        json!({"result": "win", "plies": null, "source": "J. D. Allen and V. Allis, 1988"})
    );
    assert_eq!(rules("4x4%2b3p").expect(200)["value"], Value::Null);
    let refused = rules("3x3:9").refused(422, "invalid");
    assert!(refused["message"].as_str().unwrap().contains("9 in a row does not fit"), "{refused}");
}

#[test]
fn games_start_from_given_moves() {
    let server = Server::start();
    let ann = server.guest();
    let mut wanted = at_one_screen("3x3");
    wanted["moves"] = json!(["A1", "B1", "A2", "B2"]);
    let game = ann.create(wanted.clone());
    assert_eq!(ann.play(&game, "A3", 1).expect(200)["game"]["result"]["reason"], "line");
    wanted["moves"] = json!(["A1", "A1"]);
    ann.post_json("/games", wanted.clone()).refused(422, "invalid");
    wanted["moves"] = json!(["A1", "B1", "A2", "B2", "A3"]);
    ann.post_json("/games", wanted.clone()).refused(422, "invalid");
    wanted["moves"] = json!(["nowhere"]);
    ann.post_json("/games", wanted).refused(422, "invalid");
}

#[test]
fn analysis_queue_is_shared_fairly() {
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    let server = Server::with(Config { analysis_ms: Some(500), proxies, ..Config::default() });
    let analyse = |address: &str, rules: &str| {
        let body = json!({"rules": rules}).to_string();
        let forwarded = [("x-forwarded-for", address)];
        server.nobody().send("POST", "/analysis", Some(&body), &forwarded)
    };
    let (sender, replies) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..30 {
            let sender = sender.clone();
            scope.spawn(move || sender.send(analyse("1.1.1.1", "gomoku")).unwrap());
        }
        drop(sender);
        let refused = replies.iter().find(|reply| reply.status != 200).expect("too many");
        refused.refused(429, "too_many");
        analyse("2.2.2.2", "3x3").expect(200);
    });
    // Running analyses finished.
    assert!(replies.iter().any(|reply| reply.status == 200));
    analyse("1.1.1.1", "3x3").expect(200);
}

#[test]
fn analyses_are_rate_limited() {
    let server = Server::start();
    let ann = server.guest();
    let game = ann.create(at_one_screen("3x3"));
    let over = ann.create(at_one_screen("3x3"));
    ann.request(&over, json!({"command": {"type": "resign"}, "seq": 1, "key": "k", "seat": 0}))
        .expect(200);
    let position = json!({"position": "3x3 xx1/oo1/3 x"});
    let routes: [(&str, &dyn Fn() -> Reply); 4] = [
        ("any position", &|| ann.post_json("/analysis", position.clone())),
        ("a game", &|| ann.get(&format!("{game}/analysis"))),
        ("a losing move", &|| ann.get(&format!("{over}/losing-move"))),
        ("rules", &|| ann.get("/rules?rules=3x4:3")),
    ];
    for (name, request) in routes {
        // The limit recovers every second, but more slowly.
        let refused = (0..1_000).map(|_| request()).find(|reply| reply.status != 200);
        refused.unwrap_or_else(|| panic!("{name}")).refused(429, "too_fast");
    }
}

//! Pairing of players who want to play at once.

use std::time::Duration;

use noughts_server::Config;
use serde_json::json;

use super::client::{Client, open_game};
use super::leagues::{beats, until};
use super::server::Server;

/// Players without a socket count as present for a minute.
fn with_long_grace_period() -> Server {
    Server::with(Config { grace_ms: Some(60_000), ..Config::default() })
}

#[test]
fn waiting_players_are_paired() {
    let server = with_long_grace_period();
    let (ann, bob, cy) = (server.guest(), server.guest(), server.guest());
    let waiting = ann.post("/pairings", r#"{"rules":"4x4"}"#).expect(201);
    assert_eq!(waiting["phase"], "open");
    // A repeated request gets the same game; requests for other games are not paired with it.
    assert_eq!(ann.post("/pairings", r#"{"rules":"4x4"}"#).expect(201)["id"], waiting["id"]);
    let other = bob.post("/pairings", r#"{"rules":"3x3"}"#).expect(201);
    assert_eq!(other["phase"], "open");
    let clock = cy.post("/pairings", r#"{"rules":"4x4","clock":{"initial_ms":60000}}"#).expect(201);
    assert_eq!(clock["phase"], "open");
    let paired = bob.post("/pairings", r#"{"rules":"4x4"}"#).expect(201);
    assert_eq!((&paired["id"], &paired["phase"]), (&waiting["id"], &json!("live")));
    // Games with moves are not for pairing.
    let started =
        json!({"rules": "5x4:4", "moves": ["A1"], "seats": [{"for": "me"}, {"for": "anyone"}]});
    let started = ann.create(started);
    for player in [&ann, &bob] {
        let paired = player.post("/pairings", r#"{"rules":"5x4:4"}"#).expect(201);
        assert_ne!(started, format!("/games/{}", paired["id"].as_str().unwrap()));
    }
    bob.post("/pairings", r#"{"rules":"0x0"}"#).refused(422, "invalid");
    server.nobody().post("/pairings", "{}").refused(401, "sign_in_needed");
}

#[test]
fn absent_players_are_not_paired() {
    let server = Server::with_test_time(Config { grace_ms: Some(300), ..Config::default() });
    let (ann, bob, cy) = (server.guest(), server.guest(), server.guest());
    let request = r#"{"rules":"4x4"}"#;
    let id = |client: &Client| {
        client.post("/pairings", request).expect(201)["id"].as_str().unwrap().to_string()
    };
    let anns_game = id(&ann);
    let mut socket = ann.socket(&format!("/games/{anns_game}"));
    socket.next_of("state");
    let mut watcher = server.nobody().socket(&format!("/games/{anns_game}"));
    watcher.next_of("state");
    drop(socket);
    watcher.next_of("left");
    let bobs_game = id(&bob);
    assert_ne!(bobs_game, anns_game);
    // Without a socket, a player is present for the grace period after each request.
    server.advance_time(Duration::from_millis(400));
    assert_ne!(id(&cy), bobs_game);
    bob.get(&format!("/games/{bobs_game}")).expect(200);
    assert_eq!(id(&server.guest()), bobs_game);
}

#[test]
fn nearest_rating_is_paired_first() {
    let server = with_long_grace_period();
    let (ann, bob, cy, eve) =
        (server.named("Ann"), server.named("Bob"), server.named("Cy"), server.named("Eve"));
    beats(&ann, &bob);
    beats(&eve, &cy);
    until(&ann, "/leagues/classic", |table| table["players"] == 4);
    let request = r#"{"rated":true}"#;
    let bobs_game = bob.post("/pairings", request).expect(201);
    // Ann and Eve have won once, Bob and Cy have lost once.
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let eves_game = eve.create(json!({"seats": seats, "rated": true}));
    let paired = ann.post("/pairings", request).expect(201);
    assert_eq!(format!("/games/{}", paired["id"].as_str().unwrap()), eves_game);
    let paired = cy.post("/pairings", request).expect(201);
    assert_eq!(paired["id"], bobs_game["id"]);
}

#[test]
fn simultaneous_requests_are_paired() {
    let server = with_long_grace_period();
    for minutes in 1..=20 {
        let request =
            json!({"rules": "3x3", "clock": {"initial_ms": minutes * 60_000, "increment_ms": 0}});
        let start = std::sync::Barrier::new(2);
        let pair = || {
            let player = server.guest();
            start.wait();
            player.post_json("/pairings", request.clone()).expect(201);
        };
        std::thread::scope(|scope| {
            scope.spawn(pair);
            scope.spawn(pair);
        });
        let open = server.nobody().get("/games?phase=open").expect(200);
        assert_eq!(open.as_array().map(Vec::len), Some(0), "{open}");
    }
}

#[test]
fn separate_waiters_meet_on_retry() {
    let server = Server::with_test_time(Config { grace_ms: Some(60_000), ..Config::default() });
    let (ann, bob) = (server.guest(), server.guest());
    let pair = |player: &Client| player.post_json("/pairings", json!({})).expect(201);
    let anns_game = pair(&ann)["id"].clone();
    // Ann is away after the grace period, so Bob gets a game of his own.
    server.advance_time(Duration::from_secs(61));
    let bobs_game = pair(&bob)["id"].clone();
    assert_ne!(bobs_game, anns_game);
    assert_eq!(pair(&ann)["id"], anns_game, "the oldest game stays open");
    let met = pair(&bob);
    assert_eq!((&met["id"], &met["phase"]), (&anns_game, &json!("live")));
    let left = bob.get(&format!("/games/{}", bobs_game.as_str().unwrap())).expect(200);
    assert_eq!(left["phase"], "finished");
}

#[test]
fn pairing_is_idempotent() {
    let server = with_long_grace_period();
    let (ann, bob) = (server.guest(), server.guest());
    let pair = |player: &Client, key: &str| {
        player.post_json("/pairings", json!({"key": key})).expect(201)["id"].clone()
    };
    let game = pair(&ann, "a");
    assert_eq!(pair(&ann, "a"), game);
    assert_eq!(pair(&bob, "b"), game);
    assert_eq!(pair(&bob, "b"), game, "it joined once");
    assert_eq!(pair(&ann, "a"), game);
    assert_ne!(pair(&bob, "c"), game);
}

#[test]
fn invitations_are_not_pairings() {
    let server = with_long_grace_period();
    let (ann, bob) = (server.guest(), server.named("Bob"));
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Bob"}, {"for": "anyone"}]);
    ann.create(json!({"rules": "4x4:3+3p", "seats": seats}));
    let paired = bob.post_json("/pairings", json!({"rules": "4x4:3+3p"})).expect(201);
    assert_eq!(paired["your_seats"].as_array().map(Vec::len), Some(1), "{paired}");
}

#[test]
fn matching_game_is_found_among_many() {
    let server = Server::with(Config {
        grace_ms: Some(60_000),
        games_per_player: Some(500),
        ..Config::default()
    });
    let (ann, bob, cy) = (server.guest(), server.guest(), server.guest());
    let request = json!({"clock": {"initial_ms": 60_000, "increment_ms": 0}});
    let waiting = ann.post_json("/pairings", request.clone()).expect(201);
    for _ in 0..250 {
        cy.create(open_game());
    }
    assert_eq!(bob.post_json("/pairings", request).expect(201)["id"], waiting["id"]);
}

#[test]
fn lobby_lists_games_with_somebody_there() {
    let server = Server::with_test_time(Config { grace_ms: Some(300), ..Config::default() });
    let ann = server.guest();
    let waiting = ann.post("/pairings", r#"{"rules":"4x4"}"#).expect(201);
    let listed = |query: &str| {
        let games = server.nobody().get(&format!("/games?phase=open{query}")).expect(200);
        games.as_array().unwrap().iter().map(|game| game["id"].clone()).collect::<Vec<_>>()
    };
    let address = format!("/games/{}", waiting["id"].as_str().unwrap());
    let mut socket = ann.socket(&address);
    socket.next_of("state");
    assert_eq!(listed("&present=true"), [waiting["id"].clone()]);
    let mut watcher = server.nobody().socket(&address);
    watcher.next_of("state");
    drop(socket);
    watcher.next_of("left");
    assert_eq!(listed("&present=true"), [json!(null); 0]);
    assert_eq!(listed(""), [waiting["id"].clone()]);
}

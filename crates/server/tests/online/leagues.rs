//! Ratings, ranks and profiles.

use std::time::{Duration, Instant};

use noughts_server::Config;
use serde_json::{Value, json};

use super::client::Client;
use super::server::Server;

/// Plays a rated game that the loser resigns after two moves of each.
pub(crate) fn beats(winner: &Client, loser: &Client) -> Value {
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = winner.create(json!({"seats": seats, "rated": true}));
    loser.join(&game).expect(200);
    let seq = play_four_moves(&game, winner, loser);
    loser.act(&game, "resign", seq).expect(200)["game"].clone()
}

/// Two moves of each player in a game of 3x3 that has just begun. Returns the sequence number.
pub(crate) fn play_four_moves(game: &str, first: &Client, second: &Client) -> u64 {
    let mut seq = first.get(game).expect(200)["seq"].as_u64().unwrap();
    for (player, cell) in [(first, "A1"), (second, "B2"), (first, "C3"), (second, "A2")] {
        seq = player.play(game, cell, seq).expect(200)["seq"].as_u64().unwrap();
    }
    seq
}

/// Makes legal moves against a computer until both have moved twice, and returns the view.
pub(crate) fn play_twice(client: &Client, game: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let view = client.get(game).expect(200);
        if view["moves"].as_array().unwrap().len() == 4 {
            return view;
        }
        if view["turn"] == 0 {
            let mv = view["legal"][0].as_str().unwrap();
            client.play(game, mv, view["seq"].as_u64().unwrap()).expect(200);
        }
        assert!(Instant::now() < deadline, "{view}");
    }
}

/// Resigns a game against a computer after two moves of each.
pub(crate) fn loses_to_computer(client: &Client, game: &str) -> Value {
    let view = play_twice(client, game);
    client.act(game, "resign", view["seq"].as_u64().unwrap()).expect(200)["game"].clone()
}

/// Polls until the reply fits: leagues count games shortly after they end.
pub(crate) fn until(client: &Client, path: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        let reply = client.get(path);
        if reply.status == 200 && fits(&reply.json()) {
            return reply.json();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{path} did not become ready: {}", client.get(path).text);
}

/// Polls until the reply has a status.
pub(crate) fn until_status(client: &Client, path: &str, status: u16) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while client.get(path).status != status {
        assert!(Instant::now() < deadline, "{path} did not become {status}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn rated_games_update_league_and_profiles() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    assert_eq!(ann.get("/leagues/classic").expect(200)["rows"], json!([]));
    let over = beats(&ann, &bob);
    assert_eq!((&over["league"], &over["rated"]), (&json!("classic"), &json!(true)));
    let table = until(&ann, "/leagues/classic", |table| table["players"] == 2);
    let rows = table["rows"].as_array().unwrap();
    let short: Vec<_> =
        rows.iter().map(|row| (&row["rank"], &row["name"], &row["rating"])).collect();
    assert_eq!(
        short,
        [(&json!(1), &json!("Ann"), &json!(1662)), (&json!(2), &json!("Bob"), &json!(1338))]
    );
    assert_eq!(table["system"], "glicko2");
    let place = bob.get("/leagues/classic/players/bob?neighbours=1").expect(200);
    assert_eq!((&place["player"]["rank"], &place["above"][0]["name"]), (&json!(2), &json!("Ann")));
    let found = |text: &str| {
        let found = bob.get(&format!("/leagues/classic?search={text}")).expect(200);
        found["rows"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (found("AN"), found("b"), found("nn")),
        (vec![json!("Ann")], vec![json!("Bob")], vec![])
    );
    let profile = bob.get("/players/ann").expect(200);
    assert_eq!((&profile["name"], &profile["leagues"][0]["wins"]), (&json!("Ann"), &json!(1)));
    let history = bob.get("/players/Ann/history?league=classic").expect(200);
    assert_eq!(history[0]["rating"], 1662);
    let score = bob.get("/players/Ann/against/Bob").expect(200);
    assert_eq!(score, json!({"wins": 1, "losses": 0, "draws": 0}));
    let games = bob.get("/games?player=Ann&opponent=Bob").expect(200);
    assert_eq!(games.as_array().unwrap().len(), 1);
    // Games show the players' ratings and what the result did to them,
    let id = over["id"].as_str().unwrap();
    let changes = json!([{"before": 1500, "after": 1662, "weight": 100},
        {"before": 1500, "after": 1338, "weight": 100}]);
    assert_eq!(over["ratings"], changes);
    let shown = ann.get(&format!("/games/{id}")).expect(200);
    assert_eq!(
        (&shown["players"][0]["rating"], &shown["players"][1]["rating"]),
        (&json!(1662), &json!(1338))
    );
    assert_eq!(shown["ratings"], changes);
    let events = ann.get(&format!("/games/{id}/events")).expect(200);
    assert_eq!(events[6]["ratings"], changes);
    // in every form.
    let mut socket = bob.socket(&format!("/games/{id}"));
    let exported = bob.get(&format!("/games/{id}/export?format=json")).expect(200);
    for other in [&socket.next_of("state")["game"], &exported] {
        assert_eq!(other["players"][1]["rating"], 1338);
    }

    beats(&bob, &ann);
    let path = "/players/Ann/history?league=classic";
    let history = until(&bob, path, |history| history.as_array().unwrap().len() == 2);
    assert_eq!(history[0]["rating"], 1662);
    assert!(history[1]["rating"].as_i64().unwrap() < 1662);

    bob.get("/leagues/none").refused(404, "no_league");
    bob.get("/leagues/classic/players/Nobody").refused(404, "no_player");
    bob.get("/players/Nobody").refused(404, "no_player");
    bob.get("/players/Ann/history?league=none").refused(404, "no_league");
    for limit in ["x", "0", "101"] {
        bob.get(&format!("/leagues/classic?limit={limit}")).refused(400, "malformed");
    }
    let names = |query: &str| -> Vec<Value> {
        let table = bob.get(&format!("/leagues/classic{query}")).expect(200);
        table["rows"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect()
    };
    let all = names("");
    assert_eq!(all.len(), 2);
    for (offset, name) in all.iter().enumerate() {
        assert_eq!(names(&format!("?offset={offset}&limit=1")), std::slice::from_ref(name));
    }
    assert!(names("?offset=2").is_empty());
    bob.get("/players/%ff").refused(400, "malformed");
    assert!(
        bob.get("/leagues").expect(200).as_array().unwrap().iter().any(|l| l["name"] == "classic")
    );
}

#[test]
fn rating_stays_with_new_account() {
    let server = Server::start();
    let (guest, bob) = (server.guest(), server.named("Bob"));
    beats(&guest, &bob);
    let shown = |guest: &Value| {
        (guest["leagues"][0]["rating"].clone(), guest["leagues"][0]["rank"].clone())
    };
    let profile = bob.get(&format!("/players/{}", guest.name.replace(' ', "%20"))).expect(200);
    assert_eq!(shown(&profile), (json!(1662), Value::Null), "{profile}");
    let table = bob.get("/leagues/classic").expect(200);
    assert_eq!(table["players"], 0, "guests are provisional, and worth nothing to others");
    guest.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    let table = until(&bob, "/leagues/classic", |table| table["rows"][0]["name"] == "Ann");
    assert_eq!(table["rows"][0]["rating"], 1662);
}

#[test]
fn aborted_games_are_not_rated() {
    let server = Server::start();
    let ann = server.named("Ann");
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "easy"}]);
    let game = ann.create(json!({"seats": seats, "rated": true}));
    ann.act(&game, "abort", 1).expect(200);
    // Once a later game has counted, an earlier one would have, too.
    let counted = ann.create(json!({"seats": seats, "rated": true}));
    loses_to_computer(&ann, &counted);
    let table = until(&ann, "/leagues/classic", |table| table["players"] == 2);
    assert_eq!(
        (&table["rows"][0]["name"], &table["rows"][0]["wins"]),
        (&json!("Computer (easy)"), &json!(1))
    );
}

#[test]
fn game_counts_in_removed_league() {
    let club = || Config { leagues: vec!["club=elo".into()], ..Config::default() };
    let server = Server::with(club());
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = ann.create(json!({"seats": seats, "rated": true, "league": "club"}));
    bob.join(&game).expect(200);
    let folder = server.stop().unwrap();
    let path = folder.path().join("noughts.db");
    let server = Server::on(path.clone(), Config::default());
    let [ann, bob] = [ann, bob].map(|player| server.nobody().with_token(&player.token.unwrap()));
    let seq = play_four_moves(&game, &ann, &bob);
    bob.act(&game, "resign", seq).expect(200);
    server.stop();
    let server = Server::on(path, club());
    let table = server.nobody().get("/leagues/club").expect(200);
    assert_eq!((&table["rows"][0]["name"], &table["rows"][0]["wins"]), (&json!("Ann"), &json!(1)));
}

#[test]
fn multiplayer_games_count_among_others() {
    let server = Server::with(Config { rated_rules: vec!["4x4:3+3p".into()], ..Config::default() });
    let ann = server.named("Ann");
    let computer = |level: &str| json!({"for": "computer", "level": level});
    let seats = json!([{"for": "me"}, computer("easy"), computer("random")]);
    let game = ann.create(json!({"seats": seats, "rules": "4x4:3+3p", "rated": true}));
    assert_eq!(ann.get(&game).expect(200)["league"], "other");
    let wanted = json!({"seats": seats, "rules": "4x4:3+3p", "rated": true, "league": "classic"});
    ann.post_json("/games", wanted).refused(422, "invalid");
    let same = json!([{"for": "me"}, computer("easy"), computer("easy")]);
    let wanted = json!({"seats": same, "rules": "4x4:3+3p", "rated": true});
    ann.post_json("/games", wanted).refused(422, "rated_against_oneself");
}

#[test]
fn only_listed_rules_are_rated_in_their_league() {
    let server = Server::start();
    let ann = server.named("Ann");
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    for (rules, league) in
        [("3x3", "classic"), ("15x15:5+swap2", "gomoku"), ("6x7:4+gravity", "connect4")]
    {
        let game = ann.create(json!({"seats": seats, "rules": rules, "rated": true}));
        assert_eq!(ann.get(&game).expect(200)["league"], league);
    }
    let refused = |game: Value| ann.post_json("/games", game).refused(422, "invalid");
    for rules in ["3x3:1", "wild", "7x7:3"] {
        refused(json!({"seats": seats, "rules": rules, "rated": true}));
        ann.post_json("/pairings", json!({"rules": rules, "rated": true})).refused(422, "invalid");
    }
    refused(json!({"seats": seats, "rated": true, "league": "gomoku"}));
    let leagues = ann.get("/leagues").expect(200);
    let gomoku = leagues.as_array().unwrap().iter().find(|league| league["name"] == "gomoku");
    let rules = json!(["15x15:5", "15x15:5+exact", "15x15:5+swap2"]);
    assert_eq!((&gomoku.unwrap()["title"], &gomoku.unwrap()["rules"]), (&json!("Gomoku"), &rules));

    let server = Server::with(Config { rated_rules: vec!["wild".into()], ..Config::default() });
    let ann = server.named("Ann");
    let refused = json!({"seats": seats, "rated": true});
    ann.post_json("/games", refused).refused(422, "invalid");
    let game = ann.create(json!({"seats": seats, "rules": "wild", "rated": true}));
    assert_eq!(ann.get(&game).expect(200)["league"], "wild");
}

/// One's own guests resign: at once, and after two moves of each.
#[test]
fn own_guests_are_worth_nothing() {
    let server = Server::start();
    let ann = server.named("Ann");
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    for _ in 0..60 {
        let guest = server.guest();
        let game = ann.create(json!({"seats": seats, "rated": true}));
        guest.join(&game).expect(200);
        let over = guest.act(&game, "resign", 2).expect(200)["game"].clone();
        assert_eq!(over["result"]["uncounted"], "too_short");
        assert_eq!(over["ratings"], Value::Null);
        guest.act(&game, "rematch", 3).expect(200);
        let rematch = ann.act(&game, "rematch", 3).expect(200)["game"]["rematch"].clone();
        let rematch = format!("/games/{}", rematch.as_str().unwrap());
        let seq = play_four_moves(&rematch, &guest, &ann);
        let over = guest.act(&rematch, "resign", seq).expect(200)["game"].clone();
        assert_eq!(over["ratings"][1], json!({"before": 1500, "after": 1500, "weight": 0}));
    }
    assert_eq!(ann.get("/leagues/classic").expect(200)["players"], 0);
    ann.get("/leagues/classic/players/Ann").refused(404, "no_player");
}

/// Games that the first move wins are not rated, and a computer that has not moved twice loses nothing.
#[test]
fn computers_lose_nothing_to_tricks() {
    let server = Server::with(Config { rated_rules: vec!["3x3:1".into()], ..Config::default() });
    let ann = server.named("Ann");
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "perfect"}]);
    for _ in 0..80 {
        let game = ann.create(json!({"seats": seats, "rules": "3x3:1", "rated": true}));
        let over = ann.play(&game, "A1", 1).expect(200)["game"].clone();
        assert_eq!((&over["result"]["winner"], &over["ratings"]), (&json!(0), &Value::Null));
        assert_eq!(over["result"]["uncounted"], "too_short");
    }
    assert_eq!(ann.get("/leagues/other").expect(200)["players"], 0);
    let server = Server::start();
    let ann = server.named("Ann");
    let request = json!({"seats": seats, "rules": "3x3:1", "rated": true});
    ann.post_json("/games", request).refused(422, "invalid");
}

/// New accounts cost little more than guests, but come from the same address.
#[test]
fn own_accounts_are_worth_a_few_games_a_day() {
    let server = Server::start();
    let ann = server.named("Ann");
    let weights: Vec<Value> = (0..12)
        .map(|number| {
            let over = beats(&ann, &server.named(&format!("Pawn {number}")));
            over["ratings"][0]["weight"].clone()
        })
        .collect();
    assert_eq!(weights, [100, 100, 100, 50, 50, 50, 10, 10, 10, 10, 0, 0].map(|w| json!(w)));
    let table = ann.get("/leagues/classic").expect(200);
    assert_eq!((&table["rows"][0]["name"], &table["rows"][0]["wins"]), (&json!("Ann"), &json!(10)));
}

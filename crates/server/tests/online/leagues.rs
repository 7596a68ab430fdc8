//! Ratings, ranks and profiles.

use std::time::{Duration, Instant};

use noughts_server::Config;
use serde_json::{Value, json};

use super::client::Client;
use super::server::Server;

/// Plays a rated game that the loser resigns.
pub(crate) fn beats(winner: &Client, loser: &Client) -> Value {
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = winner.create(json!({"seats": seats, "rated": true}));
    loser.join(&game).expect(200);
    loser.act(&game, "resign", 2).expect(200)["game"].clone()
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
    assert_eq!(ann.get("/leagues/online").expect(200)["rows"], json!([]));
    let over = beats(&ann, &bob);
    assert_eq!((&over["league"], &over["rated"]), (&json!("online"), &json!(true)));
    let table = until(&ann, "/leagues/online", |table| table["players"] == 2);
    let rows = table["rows"].as_array().unwrap();
    let short: Vec<_> =
        rows.iter().map(|row| (&row["rank"], &row["name"], &row["rating"])).collect();
    assert_eq!(
        short,
        [(&json!(1), &json!("Ann"), &json!(1662)), (&json!(2), &json!("Bob"), &json!(1338))]
    );
    assert_eq!(table["system"], "glicko2");
    let place = bob.get("/leagues/online/players/bob?neighbours=1").expect(200);
    assert_eq!((&place["player"]["rank"], &place["above"][0]["name"]), (&json!(2), &json!("Ann")));
    let found = |text: &str| {
        let found = bob.get(&format!("/leagues/online?search={text}")).expect(200);
        found["rows"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (found("AN"), found("b"), found("nn")),
        (vec![json!("Ann")], vec![json!("Bob")], vec![])
    );
    let profile = bob.get("/players/ann").expect(200);
    assert_eq!((&profile["name"], &profile["leagues"][0]["wins"]), (&json!("Ann"), &json!(1)));
    let history = bob.get("/players/Ann/history?league=online").expect(200);
    assert_eq!(history[0]["rating"], 1662);
    let score = bob.get("/players/Ann/against/Bob").expect(200);
    assert_eq!(score, json!({"wins": 1, "losses": 0, "draws": 0}));
    let games = bob.get("/games?player=Ann&opponent=Bob").expect(200);
    assert_eq!(games.as_array().unwrap().len(), 1);
    // Games show the players' ratings,
    let id = over["id"].as_str().unwrap();
    let shown = ann.get(&format!("/games/{id}")).expect(200);
    assert_eq!(
        (&shown["players"][0]["rating"], &shown["players"][1]["rating"]),
        (&json!(1662), &json!(1338))
    );
    // in every form.
    let mut socket = bob.socket(&format!("/games/{id}"));
    let exported = bob.get(&format!("/games/{id}/export?format=json")).expect(200);
    for other in [&socket.next_of("state")["game"], &exported] {
        assert_eq!(other["players"][1]["rating"], 1338);
    }

    beats(&bob, &ann);
    let path = "/players/Ann/history?league=online";
    let history = until(&bob, path, |history| history.as_array().unwrap().len() == 2);
    assert_eq!(history[0]["rating"], 1662);
    assert!(history[1]["rating"].as_i64().unwrap() < 1662);

    bob.get("/leagues/none").refused(404, "no_league");
    bob.get("/leagues/online/players/Nobody").refused(404, "no_player");
    bob.get("/players/Nobody").refused(404, "no_player");
    bob.get("/players/Ann/history?league=none").refused(404, "no_league");
    for limit in ["x", "0", "101"] {
        bob.get(&format!("/leagues/online?limit={limit}")).refused(400, "malformed");
    }
    let names = |query: &str| -> Vec<Value> {
        let table = bob.get(&format!("/leagues/online{query}")).expect(200);
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
        bob.get("/leagues").expect(200).as_array().unwrap().iter().any(|l| l["name"] == "online")
    );
}

#[test]
fn rating_stays_with_new_account() {
    let server = Server::start();
    let (guest, bob) = (server.guest(), server.named("Bob"));
    beats(&guest, &bob);
    until(&bob, "/leagues/online", |table| table["players"] == 2);
    guest.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    let table = until(&bob, "/leagues/online", |table| table["rows"][0]["name"] == "Ann");
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
    ann.act(&counted, "resign", 1).expect(200);
    let table = until(&ann, "/leagues/online", |table| table["players"] == 2);
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
    let bob = server.nobody().with_token(&bob.token.unwrap());
    bob.act(&game, "resign", 2).expect(200);
    server.stop();
    let server = Server::on(path, club());
    let table = server.nobody().get("/leagues/club").expect(200);
    assert_eq!((&table["rows"][0]["name"], &table["rows"][0]["wins"]), (&json!("Ann"), &json!(1)));
}

#[test]
fn multiplayer_games_have_own_league() {
    let server = Server::start();
    let ann = server.named("Ann");
    let computer = |level: &str| json!({"for": "computer", "level": level});
    let seats = json!([{"for": "me"}, computer("easy"), computer("random")]);
    let game = ann.create(json!({"seats": seats, "rules": "4x4:3+3p", "rated": true}));
    assert_eq!(ann.get(&game).expect(200)["league"], "online-many");
    let wanted = json!({"seats": seats, "rules": "4x4:3+3p", "rated": true, "league": "online"});
    ann.post_json("/games", wanted).refused(422, "invalid");
    let same = json!([{"for": "me"}, computer("easy"), computer("easy")]);
    let wanted = json!({"seats": same, "rules": "4x4:3+3p", "rated": true});
    ann.post_json("/games", wanted).refused(422, "rated_against_oneself");
}

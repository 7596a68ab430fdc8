//! Other players: who is there, whom one follows and blocks, challenges, emotes and spectators.

use noughts_server::Config;
use serde_json::{Value, json};

use super::client::{Client, open_game};
use super::games::ann_and_bob;
use super::leagues::until;
use super::server::Server;
use super::several::{at, two_servers};
use super::streams::Stream;

/// Creates a game to which another player is invited.
fn challenge(from: &Client, to: &str) -> super::client::Reply {
    let seats = json!([{"for": "me"}, {"for": "player", "name": to}]);
    from.post_json("/games", json!({"seats": seats, "rules": "3x3"}))
}

fn inbox(client: &Client) -> Value {
    client.get("/me/inbox").expect(200)
}

fn names(players: &Value) -> Vec<&str> {
    players.as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect()
}

#[test]
fn inbox_has_challenges_turns_and_rematches() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let game = challenge(&ann, "Bob").expect(201);
    let received = inbox(&bob)["received"][0].clone();
    assert_eq!((&received["from"], &received["to"]), (&json!("Ann"), &json!("Bob")));
    assert_eq!(received["game"]["id"], game["id"]);
    let day = received["expires_at"].as_i64().unwrap() - game["created_at"].as_i64().unwrap();
    assert_eq!(day, 24 * 3600 * 1000);
    assert_eq!(inbox(&ann)["sent"][0]["game"]["id"], game["id"]);

    let path = format!("/games/{}", game["id"].as_str().unwrap());
    bob.join(&path).expect(200);
    assert_eq!(inbox(&bob)["received"], json!([]));
    assert_eq!(inbox(&ann)["turns"][0]["id"], game["id"]);
    assert_eq!(inbox(&bob)["turns"], json!([]));
    bob.act(&path, "resign", 2).expect(200);
    ann.act(&path, "rematch", 3).expect(200);
    assert_eq!(inbox(&bob)["rematches"][0]["id"], game["id"]);
    assert_eq!(inbox(&ann)["rematches"], json!([]));
    server.nobody().get("/me/inbox").refused(401, "sign_in_needed");
}

#[test]
fn challenges_wait_for_an_answer_in_small_numbers() {
    let server = Server::with(Config { games_per_player: Some(100), ..Config::default() });
    let ann = server.named("Ann");
    for to in 0..4 {
        server.named(&format!("Bob {to}"));
    }
    for sent in 0..10 {
        challenge(&ann, &format!("Bob {}", sent / 5)).expect(201);
    }
    challenge(&ann, "Bob 3").refused(429, "too_many");
    let withdrawn = inbox(&ann)["sent"][0]["game"].clone();
    let path = format!("/games/{}", withdrawn["id"].as_str().unwrap());
    ann.act(&path, "abort", withdrawn["seq"].as_u64().unwrap()).expect(200);
    challenge(&ann, "Bob 0").refused(429, "too_many");
    challenge(&ann, "Bob 3").expect(201);
}

#[test]
fn challenges_expire() {
    let server = Server::with(Config { open_seconds: Some(1), ..Config::default() });
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    challenge(&ann, "Bob").expect(201);
    until(&bob, "/me/inbox", |inbox| inbox["received"] == json!([]));
}

#[test]
fn blocked_players_can_not_challenge() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    challenge(&ann, "Bob").expect(201);
    assert_eq!(bob.send("PUT", "/me/blocked/ann", None, &[]).status, 204);
    assert_eq!(inbox(&bob)["received"], json!([]));
    challenge(&ann, "Bob").refused(403, "blocked");
    challenge(&bob, "Ann").refused(403, "blocked");
    ann.send("PUT", "/me/following/Bob", None, &[]).refused(403, "blocked");
    assert_eq!(names(&bob.get("/me/blocked").expect(200)), ["Ann"]);
    assert_eq!(bob.get("/players/Ann").expect(200)["relation"], "blocked");
    assert_eq!(bob.get("/me/export").expect(200)["blocked"], json!(["Ann"]));
    // They are not paired either.
    let waiting = ann.post_json("/pairings", json!({})).expect(201);
    let other = bob.post_json("/pairings", json!({})).expect(201);
    assert_ne!(waiting["id"], other["id"]);
    assert_eq!(bob.delete("/me/blocked/Ann").status, 204);
    challenge(&ann, "Bob").expect(201);
}

#[test]
fn players_follow_others_and_see_who_is_connected() {
    let server = Server::start();
    let (ann, bob, cleo) = (server.named("Ann"), server.named("Bob"), server.named("Cleo"));
    let list = |client: &Client| client.get("/players").expect(200);
    assert_eq!(list(&ann)["players"], json!([]));
    let game = cleo.create(open_game());
    let (at_game, _stream) = (cleo.socket(&game), bob.read_stream("/stream?present=false"));
    assert_eq!(names(&list(&ann)["players"]), ["Bob", "Cleo"]);
    for _ in 0..2 {
        assert_eq!(ann.send("PUT", "/me/following/cleo", None, &[]).status, 204);
    }
    let players = list(&ann);
    assert_eq!((names(&players["players"]), &players["online"]), (vec!["Cleo", "Bob"], &json!(2)));
    assert_eq!(players["players"][0]["following"], true);
    assert_eq!(names(&ann.get("/me/following").expect(200)), ["Cleo"]);
    let profile = ann.get("/players/Cleo").expect(200);
    assert_eq!((&profile["online"], &profile["relation"]), (&json!(true), &json!("following")));
    // Nobody is in their own list.
    assert_eq!(names(&list(&bob)["players"]), ["Cleo"]);
    let found = server.nobody().get("/players?search=an").expect(200);
    assert_eq!(
        (names(&found["players"]), &found["players"][0]["online"]),
        (vec!["Ann"], &json!(false))
    );
    assert_eq!(ann.delete("/me/following/Cleo").status, 204);
    assert_eq!(ann.get("/me/following").expect(200), json!([]));
    ann.send("PUT", "/me/following/Ann", None, &[]).refused(422, "invalid");
    ann.send("PUT", "/me/following/Nobody", None, &[]).refused(404, "no_player");
    drop(at_game);
    until(&ann, "/players", |list| names(&list["players"]) == ["Bob"]);
}

#[test]
fn bots_are_listed_as_bots() {
    let server = Server::start();
    let ann = server.named("Ann");
    let token = ann.post_json("/tokens", json!({"label": "bot"})).expect(201);
    let bot = ann.with_token(token["token"].as_str().unwrap());
    let _stream = bot.read_stream("/stream");
    assert_eq!(server.nobody().get("/players").expect(200)["players"][0]["kind"], "bot");
    let _page = ann.read_stream("/stream?present=false");
    assert_eq!(server.nobody().get("/players").expect(200)["players"][0]["kind"], "account");
}

#[test]
fn a_stream_can_leave_its_player_away() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let _passive = ann.read_stream("/stream?present=false");
    let mut watching = bob.socket(&game);
    watching.next();
    drop(ann.socket(&game));
    assert_eq!(watching.next_of("left")["event"]["seat"], 0);
    let _active = ann.read_stream("/stream");
    ann.get(&game).expect(200);
    assert_eq!(watching.next_of("returned")["event"]["seat"], 0);
}

#[test]
fn pages_follow_all_games_over_a_socket() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let socket = bob.open("/socket?present=false", &[]);
    let mut socket = socket.unwrap_or_else(|status| panic!("{status}"));
    let game = challenge(&ann, "Bob").expect(201);
    assert_eq!(socket.next_kind("challenge")["game"]["id"], game["id"]);
    assert_eq!(ann.get("/players").expect(200)["players"][0]["name"], "Bob");
    assert_eq!(bob.delete("/sessions/current").status, 204);
    assert_eq!(socket.end(), Some(4401));
    assert_eq!(server.nobody().open("/socket", &[]).err(), Some(401));
}

#[test]
fn emotes_reach_everyone_at_the_game() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let mut sockets = [ann.socket(&game), bob.socket(&game), server.nobody().socket(&game)];
    let say = |client: &Client, emote: &str| {
        client.post_json(&format!("{game}/emotes"), json!({"emote": emote}))
    };
    assert_eq!(say(&bob, "good_game").status, 204);
    for socket in &mut sockets {
        let emote = socket.next_kind("emote");
        assert_eq!((&emote["seat"], &emote["emote"]), (&json!(1), &json!("good_game")));
    }
    // They are no events.
    assert_eq!(ann.get(&game).expect(200)["seq"], 2);
    server
        .guest()
        .post_json(&format!("{game}/emotes"), json!({"emote": "hello"}))
        .refused(403, "not_a_player");
    say(&ann, "goodbye").refused(422, "invalid");
    let refused = (0..20).map(|_| say(&ann, "hello")).find(|reply| reply.status != 204);
    refused.unwrap().refused(429, "too_fast");
    let name = ann.get("/me").expect(200)["name"].as_str().unwrap().replace(' ', "%20");
    assert_eq!(bob.send("PUT", &format!("/me/blocked/{name}"), None, &[]).status, 204);
    say(&ann, "hello").refused(403, "blocked");
}

#[test]
fn spectators_are_counted() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut playing = ann.socket(&game);
    let cleo = server.guest();
    let watching = [cleo.socket(&game), cleo.socket(&game)];
    assert_eq!(playing.next_kind("spectators")["count"], 1);
    let mut anonymous = server.nobody().socket(&game);
    for socket in [&mut playing, &mut anonymous] {
        assert_eq!(socket.next_kind("spectators")["count"], 2);
    }
    drop(watching);
    assert_eq!(playing.next_kind("spectators")["count"], 1);
}

#[test]
fn servers_tell_each_other_who_is_there() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.named("Ann"), here.named("Bob"));
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Bob"}]);
    let game = ann.create(json!({"seats": seats}));
    bob.join(&game).expect(200);
    let mut of_ann = ann.socket(&game);
    let mut of_bob = at(&there, &bob).socket(&game);
    let _watching = there.nobody().socket(&game);
    assert_eq!(of_bob.next_kind("spectators")["count"], 1);
    assert_eq!(of_ann.next_kind("spectators")["count"], 1);
    until(&there.nobody(), "/players", |list| list["online"] == 2);
    bob.post_json(&format!("{game}/emotes"), json!({"emote": "oops"}));
    for socket in [&mut of_ann, &mut of_bob] {
        assert_eq!(socket.next_kind("emote")["emote"], "oops");
    }
    drop(of_ann);
    until(&there.nobody(), "/players/Ann", |profile| profile["online"] == false);
}

#[test]
fn statistics_count_by_game_and_opponent() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let mut stream = Stream::open(&bob, "/stream?present=false");
    for (rules, loser) in [("3x3", &bob), ("3x3", &ann), ("15x15:5", &bob)] {
        let seats = json!([{"for": "me"}, {"for": "player", "name": "Bob"}]);
        let game = ann.create(json!({"seats": seats, "rules": rules}));
        stream.next_of("challenge");
        bob.join(&game).expect(200);
        loser.act(&game, "resign", 2).expect(200);
        stream.next_of("game_started");
        stream.next_of("game_ended");
    }
    let aborted = ann.create(open_game());
    ann.act(&aborted, "abort", 1).expect(200);
    let statistics = server.nobody().get("/players/ann/statistics").expect(200);
    assert_eq!(
        statistics,
        json!({
            "games": 3,
            "kinds": [
                {"kind": "classic", "title": "Tic-tac-toe", "wins": 1, "losses": 1, "draws": 0},
                {"kind": "gomoku", "title": "Gomoku", "wins": 1, "losses": 0, "draws": 0},
            ],
            "opponents": [{"name": "Bob", "kind": "account", "wins": 2, "losses": 1, "draws": 0}],
        })
    );
    let games = |query: &str| {
        let games = server.nobody().get(&format!("/games?{query}")).expect(200);
        games.as_array().unwrap().len()
    };
    let counts =
        ["won", "lost", "drawn"].map(|result| games(&format!("player=Ann&result={result}")));
    assert_eq!(counts, [2, 1, 0]);
    assert_eq!(games("player=Ann&result=won&rules=gomoku&opponent=Bob"), 1);
    server.nobody().get("/games?result=won").refused(400, "malformed");
}

//! Streams of newline-delimited JSON.

use std::io::{BufRead, BufReader};

use serde_json::{Value, json};

use super::client::Client;
use super::server::Server;
use super::several::{at, two_servers};

/// The lines of a stream that are not empty.
pub(crate) struct Stream(BufReader<ureq::BodyReader<'static>>);

impl Stream {
    pub(crate) fn open(client: &Client, path: &str) -> Stream {
        Stream(BufReader::new(client.read_stream(path)))
    }

    pub(crate) fn next(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream ended");
            if line == "\n" {
                continue;
            }
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["type"] != "spectators" {
                return message;
            }
        }
    }

    /// The next event, which has this type. Returns its game.
    #[track_caller]
    pub(crate) fn next_of(&mut self, kind: &str) -> Value {
        let event = self.next();
        assert_eq!(event["type"], kind, "{event}");
        event["game"].clone()
    }
}

fn path(game: &Value) -> String {
    format!("/games/{}", game["id"].as_str().unwrap())
}

#[test]
fn bots_follow_all_of_their_games() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let mut events = Stream::open(&bob, "/stream");
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Bob"}]);
    let game = ann.create(json!({"seats": seats}));
    let challenge = events.next_of("challenge");
    assert_eq!(
        (path(&challenge), &challenge["players"][1]["invited"]),
        (game.clone(), &json!("Bob"))
    );

    bob.join(&game).expect(200);
    assert_eq!(path(&events.next_of("game_started")), game);
    let seq = ann.get(&game).expect(200)["seq"].as_u64().unwrap();
    let moved = ann.play(&game, "B2", seq).expect(200);
    let view = events.next_of("your_turn");
    assert_eq!((&view["moves"], &view["turn"]), (&json!(["B2"]), &json!(1)));
    bob.act(&game, "resign", moved["seq"].as_u64().unwrap()).expect(200);
    assert_eq!(events.next_of("game_ended")["result"]["reason"], "resigned");

    ann.act(&game, "rematch", 0).expect(200);
    assert_eq!(path(&events.next_of("rematch_offered")), game);
    bob.act(&game, "rematch", 0).expect(200);
    let rematch = events.next_of("game_started");
    assert_eq!(rematch["rematch_of"], challenge["id"]);
    // Bob moved second, so he starts.
    assert_eq!(path(&events.next_of("your_turn")), path(&rematch));
}

#[test]
fn streams_begin_with_what_is_there() {
    let server = Server::start();
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let invite = |seats: Value| ann.create(json!({"seats": seats}));
    let invited = invite(json!([{"for": "me"}, {"for": "player", "name": "Bob"}]));
    let live = invite(json!([{"for": "player", "name": "Bob"}, {"for": "me"}]));
    bob.join(&live).expect(200);
    let mut events = Stream::open(&bob, "/stream");
    assert_eq!(path(&events.next_of("challenge")), invited);
    assert_eq!(path(&events.next_of("game_started")), live);
    assert_eq!(path(&events.next_of("your_turn")), live);
    // An invitation that is declined or withdrawn.
    let seq = bob.get(&invited).expect(200)["seq"].as_u64().unwrap();
    bob.act(&invited, "abort", seq).expect(200);
    assert_eq!(events.next_of("game_ended")["result"]["reason"], "aborted");
    server.nobody().get("/stream").refused(401, "sign_in_needed");
}

#[test]
fn a_game_is_followed_without_a_token() {
    let server = Server::start();
    let ann = server.guest();
    let seats = json!([{"for": "me"}, {"for": "me", "name": "Zoe"}]);
    let game = ann.create(json!({"seats": seats}));
    let mut lines = Stream::open(&server.nobody(), &format!("{game}/stream"));
    let view = lines.next_of("state");
    ann.play(&game, "A1", view["seq"].as_u64().unwrap()).expect(200);
    let update = lines.next();
    assert_eq!((&update["type"], &update["event"]["move"]), (&json!("update"), &json!("A1")));
    server.nobody().get("/games/01JZ0000000000000000000000/stream").refused(404, "no_game");
}

#[test]
fn streams_follow_games_of_other_servers() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.named("Ann"), here.named("Bob"));
    let mut events = Stream::open(&at(&there, &bob), "/stream");
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Bob"}]);
    let game = ann.create(json!({"seats": seats}));
    assert_eq!(path(&events.next_of("challenge")), game);
    let mut lines = Stream::open(&there.nobody(), &format!("{game}/stream"));
    assert_eq!(lines.next_of("state")["phase"], "open");

    bob.join(&game).expect(200);
    assert_eq!(path(&events.next_of("game_started")), game);
    let seq = ann.get(&game).expect(200)["seq"].as_u64().unwrap();
    ann.play(&game, "B2", seq).expect(200);
    assert_eq!(events.next_of("your_turn")["moves"], json!(["B2"]));
    bob.act(&game, "resign", seq + 1).expect(200);
    assert_eq!(events.next_of("game_ended")["result"]["reason"], "resigned");
    for kind in ["joined", "moved", "eliminated"] {
        assert_eq!(lines.next()["event"]["type"], kind);
    }
    ann.act(&game, "rematch", 0).expect(200);
    assert_eq!(path(&events.next_of("rematch_offered")), game);
    assert_eq!(lines.next()["event"]["type"], "rematch_offered");
}

#[test]
fn pages_of_other_sites_may_read() {
    let server = Server::start();
    let header = |reply: &super::client::Reply, name: &str| {
        reply.headers.get(name).map(|value| value.to_str().unwrap().to_string())
    };
    let origin = [("origin", "https://elsewhere.example"), ("sec-fetch-site", "cross-site")];
    let read = server.nobody().send("GET", "/games", None, &origin);
    assert_eq!(header(&read, "access-control-allow-origin").as_deref(), Some("*"));
    assert_eq!(header(&read, "access-control-allow-credentials"), None);
    assert_eq!(header(&read, "cross-origin-resource-policy").as_deref(), Some("cross-origin"));
    let written = server.nobody().send("POST", "/guests", Some("{}"), &origin);
    assert_eq!(header(&written, "access-control-allow-origin"), None);
    written.refused(403, "cross_site");
    // The page itself is not for others.
    let page = server.nobody().send("GET", "!/", None, &origin);
    assert_eq!(header(&page, "access-control-allow-origin"), None);
}

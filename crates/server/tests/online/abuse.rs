//! For every route: everyone whom it does not belong to, and nobody at all, is refused, and the
//! log stays as it was.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::Client;
use super::games::ann_and_bob;
use super::server::Server;

/// Every command of a game that is for its players.
const COMMANDS: [&str; 7] = ["moves", "undo", "undo/answer", "resign", "abort", "claim", "rematch"];

/// The same over a socket.
const SOCKET_COMMANDS: [&str; 7] =
    ["move", "undo", "answer_undo", "resign", "abort", "claim", "rematch"];

/// What else is for players, tried beside their commands.
const OF_PLAYERS: [(&str, &str); 2] = [("POST", "/games/{id}/join"), ("GET", "/games/{id}/socket")];

/// What nobody can do without saying who they are.
const ONES_OWN: [(&str, &str, Option<&str>); 9] = [
    ("GET", "/me", None),
    ("PUT", "/me/password", Some(r#"{"current":"a","new":"correct horse"}"#)),
    ("DELETE", "/sessions", None),
    ("DELETE", "/sessions/current", None),
    ("GET", "/tokens", None),
    ("POST", "/tokens", Some(r#"{"label":"x"}"#)),
    ("DELETE", "/tokens/{id}", None),
    ("POST", "/games", Some(r#"{"seats":[{"for":"me"},{"for":"anyone"}]}"#)),
    ("POST", "/pairings", Some("{}")),
];

/// What is for everyone.
const PUBLIC: [(&str, &str); 17] = [
    ("POST", "/analysis"),
    ("GET", "/games"),
    ("GET", "/games/{id}"),
    ("GET", "/games/{id}/analysis"),
    ("GET", "/games/{id}/events"),
    ("GET", "/games/{id}/export"),
    ("GET", "/games/{id}/losing-move"),
    ("POST", "/guests"),
    ("GET", "/leagues"),
    ("GET", "/leagues/{league}"),
    ("GET", "/leagues/{league}/players/{name}"),
    ("POST", "/names"),
    ("GET", "/players/{name}"),
    ("GET", "/players/{name}/against/{other}"),
    ("GET", "/players/{name}/history"),
    ("GET", "/rules"),
    ("POST", "/sessions"),
];

/// A command of either kind with all that it needs.
fn body(command: &str, seq: u64) -> Value {
    let mut body = json!({"seq": seq, "key": "x"});
    match command {
        "moves" | "move" => body["cell"] = json!("A1"),
        "undo/answer" | "answer_undo" => body["agree"] = json!(true),
        _ => {}
    }
    body
}

fn refused_over_a_socket(client: &Client, game: &str, seq: u64, code: &str) {
    let mut socket = client.socket(game);
    socket.next_of("state");
    for command in SOCKET_COMMANDS {
        for seat in [None, Some(0)] {
            let mut message = body(command, seq);
            message["do"] = json!(command);
            if let Some(seat) = seat {
                message["seat"] = json!(seat);
            }
            socket.send(message);
            let answer = socket.next();
            assert_eq!((&answer["type"], &answer["code"]), (&json!("refused"), &json!(code)));
        }
    }
}

fn log(client: &Client, game: &str) -> Value {
    client.get(&format!("{game}/events")).expect(200)
}

/// A route that is added is tried here, or said to be for everyone.
#[test]
fn no_operation_is_forgotten() {
    let description = Server::start().nobody().get("/openapi.json").expect(200);
    let described: BTreeSet<String> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    let commands = COMMANDS.map(|command| format!("POST /api/v1/games/{{id}}/{command}"));
    let own = ONES_OWN.iter().map(|(method, path, _)| (*method, *path));
    let others = own.chain(OF_PLAYERS).chain(PUBLIC);
    let known: BTreeSet<String> =
        others.map(|(method, path)| format!("{method} /api/v1{path}")).chain(commands).collect();
    assert_eq!(described, known);
}

#[test]
fn only_who_sits_there_plays() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let named = server.named("Eve");
    let token = named.post("/tokens", r#"{"label":"x"}"#).expect(201);
    let bot = named.with_token(token["token"].as_str().unwrap());
    let strangers = [server.guest(), named, bot];
    // At the beginning, in the middle and after the end.
    for stage in 0..3 {
        let before = log(&ann, &game);
        let seq = before.as_array().unwrap().len() as u64;
        for command in COMMANDS {
            let address = format!("{game}/{command}");
            let body = body(command, seq);
            for stranger in &strangers {
                stranger.post_json(&address, body.clone()).refused(403, "not_a_player");
                let seated = json!({"seat": 0});
                let mut with_seat = body.clone();
                with_seat["seat"] = seated["seat"].clone();
                stranger.post_json(&address, with_seat).refused(403, "not_a_player");
            }
            server.nobody().post_json(&address, body.clone()).refused(401, "sign_in_needed");
            ann.with_token("0123").post_json(&address, body.clone()).refused(401, "bad_token");
        }
        // Nobody does for the other player what is theirs to do.
        for command in COMMANDS.into_iter().filter(|command| *command != "rematch") {
            let mut body = body(command, seq);
            body["seat"] = json!(0);
            bob.post_json(&format!("{game}/{command}"), body).refused(403, "not_your_seat");
        }
        for stranger in &strangers {
            let address = format!("{game}/join");
            let code = if stage == 2 { "game_over" } else { "no_free_seat" };
            stranger.post(&address, "{}").refused(409, code);
        }
        server.nobody().post(&format!("{game}/join"), "{}").refused(401, "sign_in_needed");
        for stranger in &strangers {
            refused_over_a_socket(stranger, &game, seq, "not_a_player");
        }
        refused_over_a_socket(&server.nobody(), &game, seq, "sign_in_needed");
        let wrong = ann.with_token("0123");
        assert_eq!(wrong.open(&format!("{game}/socket"), &[]).err(), Some(401));
        assert_eq!(log(&ann, &game), before);
        match stage {
            0 => drop(ann.play(&game, "B2", seq).expect(200)),
            _ => drop(ann.order(&game, "resign", seq, json!({})).status),
        }
    }
}

#[test]
fn routes_that_are_ones_own_need_a_token() {
    let server = Server::start();
    let nobody = server.nobody();
    let wrong = nobody.with_token("nonsense");
    for (method, path, body) in ONES_OWN {
        let path = path.replace("{id}", "abc");
        nobody.send(method, &path, body, &[]).refused(401, "sign_in_needed");
        wrong.send(method, &path, body, &[]).refused(401, "bad_token");
    }
    assert_eq!(nobody.get("/games").expect(200), json!([]));
}

#[test]
fn names_and_symbols_of_every_kind_end_as_text() {
    let server = Server::start();
    let eve = server.named("<script>alert(1)</script>");
    let game = eve.create(json!({"seats": [{"for": "me", "symbol": "<"}, {"for": "anyone"}]}));
    let reply = server.nobody().get(&game);
    assert_eq!(reply.headers["content-type"], "application/json");
    assert_eq!(reply.json()["players"][0]["name"], "<script>alert(1)</script>");
    for symbol in ["\u{1b}", "\u{202e}", "\n", "\u{200b}", "ab", "\u{0}"] {
        let seats = json!([{"for": "me", "symbol": symbol}, {"for": "anyone"}]);
        eve.post_json("/games", json!({"seats": seats})).refused(422, "symbol");
    }
}

//! Every route refuses those who may not use it, and changes nothing for them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::Client;
use super::games::ann_and_bob;
use super::server::Server;

/// Every command of a player, except `join`.
const COMMANDS: [&str; 7] =
    ["move", "request_undo", "answer_undo", "resign", "abort", "claim", "rematch"];

/// What is for players, tried in `only_players_play`.
const FOR_PLAYERS: [(&str, &str); 2] =
    [("POST", "/games/{id}/commands"), ("GET", "/games/{id}/socket")];

/// Requests that need a token.
const SIGN_IN_ROUTES: [(&str, &str, Option<&str>); 31] = [
    ("GET", "/me", None),
    ("POST", "/me/deletion", Some(r#"{"password":"correct horse"}"#)),
    ("GET", "/me/export", None),
    ("PUT", "/me/name", Some(r#"{"name":"Anna"}"#)),
    ("PUT", "/me/password", Some(r#"{"current":"a","new":"correct horse"}"#)),
    ("POST", "/me/recovery-code", Some(r#"{"password":"correct horse"}"#)),
    ("DELETE", "/sessions", None),
    ("GET", "/sessions", None),
    ("DELETE", "/sessions/current", None),
    ("DELETE", "/sessions/{id}", None),
    ("GET", "/tokens", None),
    ("POST", "/tokens", Some(r#"{"label":"x"}"#)),
    ("DELETE", "/tokens/{id}", None),
    ("POST", "/games", Some(r#"{"seats":[{"for":"me"},{"for":"anyone"}]}"#)),
    ("POST", "/pairings", Some("{}")),
    ("GET", "/stream", None),
    ("GET", "/socket", None),
    ("GET", "/me/inbox", None),
    ("POST", "/tournaments", Some("{}")),
    ("POST", "/tournaments/{id}/join", None),
    ("POST", "/tournaments/{id}/leave", None),
    ("POST", "/tournaments/{id}/start", None),
    ("POST", "/tournaments/{id}/cancel", None),
    ("GET", "/me/puzzles", None),
    ("GET", "/me/following", None),
    ("PUT", "/me/following/{name}", None),
    ("DELETE", "/me/following/{name}", None),
    ("GET", "/me/blocked", None),
    ("PUT", "/me/blocked/{name}", None),
    ("DELETE", "/me/blocked/{name}", None),
    ("POST", "/games/{id}/emotes", Some(r#"{"emote":"hello"}"#)),
];

/// What is for everyone.
const PUBLIC: [(&str, &str); 34] = [
    ("POST", "/analysis"),
    ("GET", "/games"),
    ("GET", "/games/{id}"),
    ("GET", "/games/{id}/analysis"),
    ("GET", "/games/{id}/events"),
    ("GET", "/games/{id}/export"),
    ("GET", "/games/{id}/losing-move"),
    ("GET", "/games/{id}/stream"),
    ("POST", "/guests"),
    ("GET", "/leagues"),
    ("GET", "/leagues/{league}"),
    ("GET", "/leagues/{league}/players/{name}"),
    ("POST", "/names"),
    ("GET", "/players"),
    ("GET", "/players/{name}"),
    ("GET", "/players/{name}/against/{other}"),
    ("GET", "/players/{name}/history"),
    ("GET", "/players/{name}/statistics"),
    ("GET", "/presets"),
    ("GET", "/puzzles"),
    ("GET", "/puzzles/daily"),
    ("GET", "/puzzles/games"),
    ("GET", "/puzzles/{id}"),
    ("POST", "/puzzles/{id}/attempts"),
    ("POST", "/puzzles/{id}/hint"),
    ("POST", "/puzzles/{id}/solution"),
    ("POST", "/recoveries"),
    ("GET", "/rules"),
    ("POST", "/sessions"),
    ("GET", "/tournaments"),
    ("GET", "/tournaments/{id}"),
    ("GET", "/tournaments/{id}/export"),
    ("GET", "/tournaments/{id}/games"),
    ("GET", "/tournaments/{id}/stream"),
];

/// A command with all its parameters.
fn request(command: &str, seq: u64, seat: Option<u8>) -> Value {
    let mut request = json!({"command": {"type": command}, "seq": seq, "key": "x"});
    match command {
        "move" => request["command"]["move"] = json!("A1"),
        "answer_undo" => request["command"]["accept"] = json!(true),
        _ => {}
    }
    if let Some(seat) = seat {
        request["seat"] = json!(seat);
    }
    request
}

fn refused_over_a_socket(client: &Client, game: &str, seq: u64, code: &str) {
    let mut socket = client.socket(game);
    socket.next_of("state");
    for command in COMMANDS {
        for seat in [None, Some(0)] {
            socket.send(request(command, seq, seat));
            let reply = socket.next();
            assert_eq!((&reply["type"], &reply["code"]), (&json!("refused"), &json!(code)));
        }
    }
}

fn log(client: &Client, game: &str) -> Value {
    client.get(&format!("{game}/events")).expect(200)
}

/// A new route has to be added to one of the lists.
#[test]
fn every_operation_is_tried() {
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
    let own = SIGN_IN_ROUTES.iter().map(|(method, path, _)| (*method, *path));
    let known = own.chain(FOR_PLAYERS).chain(PUBLIC);
    let known: BTreeSet<String> =
        known.map(|(method, path)| format!("{method} /api/v1{path}")).collect();
    assert_eq!(described, known);
}

#[test]
fn only_players_play() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let named = server.named("Eve");
    let token = named.post("/tokens", r#"{"label":"x"}"#).expect(201);
    let bot = named.with_token(token["token"].as_str().unwrap());
    let strangers = [server.guest(), named, bot];
    // At the start, in the middle and after the end.
    for stage in 0..3 {
        let before = log(&ann, &game);
        let seq = before.as_array().unwrap().len() as u64;
        for command in COMMANDS {
            for seat in [None, Some(0)] {
                let request = request(command, seq, seat);
                for stranger in &strangers {
                    stranger.request(&game, request.clone()).refused(403, "not_a_player");
                }
                server.nobody().request(&game, request.clone()).refused(401, "sign_in_needed");
                ann.with_token("0123").request(&game, request).refused(401, "bad_token");
            }
            bob.request(&game, request(command, seq, Some(0))).refused(403, "not_your_seat");
        }
        for stranger in &strangers {
            let code = if stage == 2 { "game_over" } else { "no_free_seat" };
            stranger.join(&game).refused(409, code);
            refused_over_a_socket(stranger, &game, seq, "not_a_player");
        }
        server.nobody().join(&game).refused(401, "sign_in_needed");
        refused_over_a_socket(&server.nobody(), &game, seq, "sign_in_needed");
        let wrong = ann.with_token("0123");
        assert_eq!(wrong.open(&format!("{game}/socket"), &[]).err(), Some(401));
        assert_eq!(log(&ann, &game), before);
        match stage {
            0 => drop(ann.play(&game, "B2", seq).expect(200)),
            1 => drop(ann.act(&game, "resign", seq).expect(200)),
            _ => {}
        }
    }
}

#[test]
fn own_routes_need_a_token() {
    let server = Server::start();
    let nobody = server.nobody();
    let wrong = nobody.with_token("nonsense");
    for (method, path, body) in SIGN_IN_ROUTES {
        let path = path.replace("{id}", "abc").replace("{name}", "Ann");
        nobody.send(method, &path, body, &[]).refused(401, "sign_in_needed");
        wrong.send(method, &path, body, &[]).refused(401, "bad_token");
    }
    assert_eq!(nobody.get("/games").expect(200), json!([]));
}

#[test]
fn hostile_names_and_symbols_stay_text() {
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

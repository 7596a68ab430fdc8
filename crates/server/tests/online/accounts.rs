//! Guests, accounts, sessions and tokens.

use noughts_server::Config;
use serde_json::json;

use super::client::{Client, open_game};
use super::games::ann_and_bob;
use super::server::Server;

/// Makes a guest an account.
fn sign_up(guest: &Client, name: &str) -> Client {
    let body = json!({"name": name, "password": "correct horse"});
    let session = guest.post_json("/names", body).expect(201);
    guest.with_token(session["token"].as_str().unwrap())
}

#[test]
fn games_continue_under_new_name() {
    let server = Server::start();
    let (guest, bob) = (server.guest(), server.guest());
    let game = guest.create(open_game());
    bob.join(&game).expect(200);
    let mut socket = bob.socket(&game);
    socket.next_of("state");
    let guest = sign_up(&guest, "Ann");
    let renamed = &socket.next_of("renamed")["event"]["player"];
    assert_eq!((&renamed["name"], &renamed["kind"]), (&json!("Ann"), &json!("account")));
    let nobody = server.nobody();
    let name =
        |game: &str, seat: usize| nobody.get(game).expect(200)["players"][seat]["name"].clone();
    assert_eq!(name(&game, 0), "Ann");
    let list = bob.get("/games?phase=live").expect(200);
    assert_eq!(list[0]["players"][0]["name"], "Ann");
    // A rematch uses the name that Bob took after the game.
    let seq = bob.get(&game).expect(200)["seq"].as_u64().unwrap();
    guest.act(&game, "resign", seq).expect(200);
    let bob = sign_up(&bob, "Bob");
    guest.act(&game, "rematch", seq + 1).expect(200);
    let done = bob.act(&game, "rematch", seq + 1).expect(200);
    let next = format!("/games/{}", done["game"]["rematch"].as_str().unwrap());
    assert_eq!((name(&next, 0), name(&next, 1)), (json!("Bob"), json!("Ann")));
}

#[test]
fn guest_keeps_games_in_account() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    let me = ann.get("/me").expect(200);
    assert_eq!((&me["name"], &me["kind"]), (&json!(ann.name), &json!("guest")));
    let named = ann.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    assert_eq!(named["player"], json!({"id": me["id"], "name": "Ann", "kind": "account"}));
    let session = ann.with_token(named["token"].as_str().unwrap());
    session.play(&game, "A1", 2).expect(200);
    session
        .post("/names", r#"{"name":"Anna","password":"correct horse"}"#)
        .refused(409, "already_named");
    bob.post("/names", r#"{"name":"ANN","password":"correct horse"}"#).refused(409, "name_taken");
}

#[test]
fn signing_up_revokes_guest_token() {
    // Nobody counts as away meanwhile.
    let server = Server::with(Config { grace_ms: Some(60_000), ..Config::default() });
    let (guest, _, game) = ann_and_bob(&server);
    let mut socket = guest.socket(&game);
    socket.next_of("state");
    let ann = sign_up(&guest, "Ann");
    // The page comes back with its new cookie.
    assert_eq!(socket.end(), Some(4401));
    guest.get("/me").refused(401, "bad_token");
    guest.post("/tokens", r#"{"label":"thief"}"#).refused(401, "bad_token");
    guest.play(&game, "A1", 2).refused(401, "bad_token");
    assert_eq!(guest.open(&format!("{game}/socket"), &[]).err(), Some(401));
    let mut socket = ann.socket(&game);
    assert_eq!(socket.next_of("state")["game"]["your_seats"], json!([0]));
    ann.play(&game, "A1", 3).expect(200);
}

#[test]
fn signing_out_closes_sockets() {
    let server = Server::start();
    let ann = server.named("Ann");
    let game = ann.create(open_game());
    let signed_in = |password: &str| {
        let body = json!({"name": "ann", "password": password});
        server.nobody().post_json("/sessions", body)
    };
    signed_in("wrong password").refused(401, "wrong_password");
    let reply = signed_in("correct horse");
    let cookie = reply.headers["set-cookie"].to_str().unwrap().to_string();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let session = reply.expect(201);
    let other = ann.with_token(session["token"].as_str().unwrap());

    let (mut own, mut others) = (ann.socket(&game), other.socket(&game));
    own.next();
    others.next();
    assert_eq!(other.delete("/sessions/current").status, 204);
    assert_eq!(others.end(), Some(4401));
    other.get("/me").refused(401, "bad_token");
    // The other session is still valid.
    ann.get("/me").expect(200);
    assert_eq!(ann.delete("/sessions").status, 204);
    assert_eq!(own.end(), Some(4401));
    ann.get("/me").refused(401, "bad_token");
}

#[test]
fn revoked_token_is_refused_at_once() {
    let server = Server::start();
    let ann = server.named("Ann");
    let game = ann.create(open_game());
    for _ in 0..20 {
        let body = json!({"name": "Ann", "password": "correct horse"});
        let session = server.nobody().post_json("/sessions", body).expect(201);
        let other = ann.with_token(session["token"].as_str().unwrap());
        // Requests in parallel keep the token cached.
        let busy = {
            let other = other.clone();
            std::thread::spawn(move || while other.get("/me").status == 200 {})
        };
        other.get("/me").expect(200);
        assert_eq!(other.delete("/sessions/current").status, 204);
        other.get("/me").refused(401, "bad_token");
        let path = format!("{game}/socket");
        assert_eq!(other.open(&path, &[]).err(), Some(401));
        busy.join().unwrap();
        ann.get("/me").expect(200);
    }
}

#[test]
fn cookies_and_headers_authenticate() {
    let server = Server::start();
    let ann = server.guest();
    let cookie = format!("other=1; noughts={}", ann.token.clone().unwrap());
    let nobody = server.nobody();
    let me = |headers: &[(&str, &str)]| nobody.send("GET", "/me", None, headers);
    assert_eq!(me(&[("cookie", &cookie)]).expect(200)["name"], ann.name);
    me(&[]).refused(401, "sign_in_needed");
    me(&[("cookie", "noughts=wrong")]).refused(401, "bad_token");
    me(&[("authorization", "Basic YTpi")]).refused(401, "bad_token");
}

#[test]
fn password_change_revokes_tokens() {
    let server = Server::start();
    let ann = server.named("Ann");
    let bot = ann.post("/tokens", r#"{"label":"bot"}"#).expect(201);
    let bot = ann.with_token(bot["token"].as_str().unwrap());
    let change = |current: &str, new: &str| {
        let body = json!({"current": current, "new": new}).to_string();
        ann.send("PUT", "/me/password", Some(&body), &[])
    };
    let wrong = change("wrong", "another horse").refused(401, "wrong_password");
    assert_eq!(wrong["message"], "The current password is wrong.");
    change("correct horse", "short").refused(422, "password");
    let session = change("correct horse", "another horse").expect(201);
    ann.get("/me").refused(401, "bad_token");
    bot.get("/me").refused(401, "bad_token");
    ann.with_token(session["token"].as_str().unwrap()).get("/me").expect(200);
    let guest = server.guest();
    let body = json!({"current": "correct horse", "new": "another horse"}).to_string();
    guest.send("PUT", "/me/password", Some(&body), &[]).refused(403, "account_needed");
}

#[test]
fn bot_tokens_can_be_revoked() {
    let server = Server::start();
    let ann = server.named("Ann");
    server.guest().post("/tokens", r#"{"label":"x"}"#).refused(403, "account_needed");
    let made = ann.post("/tokens", r#"{"label":"my bot"}"#).expect(201);
    let bot = ann.with_token(made["token"].as_str().unwrap());
    let id = ann.get("/me").expect(200)["id"].clone();
    assert_eq!(bot.get("/me").expect(200), json!({"id": id, "name": "Ann", "kind": "bot"}));
    let game = bot.create(open_game());
    assert_eq!(bot.get(&game).expect(200)["players"][0]["kind"], "bot");
    // Bots can't manage the account.
    bot.post("/tokens", r#"{"label":"x"}"#).refused(403, "not_for_bots");
    bot.get("/tokens").refused(403, "not_for_bots");
    bot.delete("/sessions").refused(403, "not_for_bots");
    ann.post("/tokens", r#"{"label":""}"#).refused(422, "invalid");
    ann.post("/tokens", "{\"label\":\"a\\u001bb\"}").refused(422, "invalid");

    let list = ann.get("/tokens").expect(200);
    assert!(list.as_array().unwrap().iter().any(|token| token["label"] == "my bot"));
    let address = format!("/tokens/{}", made["id"].as_str().unwrap());
    let bob = server.named("Bob");
    bob.delete(&address).refused(404, "no_token");
    bot.get("/me").expect(200);
    let mut socket = bot.socket(&game);
    socket.next();
    assert_eq!(ann.delete(&address).status, 204);
    assert_eq!(socket.end(), Some(4401));
    bot.get("/me").refused(401, "bad_token");
    ann.delete(&address).refused(404, "no_token");
}

#[test]
fn look_alike_names_are_refused() {
    let server = Server::start();
    server.named("Pavel");
    let check = |name: &str, status: u16, code: &str| {
        let body = json!({"name": name, "password": "correct horse"});
        server.nobody().post_json("/names", body).refused(status, code);
    };
    check("pavel", 409, "name_taken");
    check("Раvel", 409, "name_taken");
    check("Pave1", 409, "name_taken");
    check("Computer (hard)", 422, "name");
    check("Guest 1", 422, "name");
    check("", 422, "name");
    check("a\u{202e}b", 422, "name");
    check("a\u{1b}[31mb", 422, "name");
    check(&"x".repeat(33), 422, "name");
    check("Admin", 422, "name");
    check(&format!("Z{}", "\u{301}".repeat(31)), 422, "name");
    let short = json!({"name": "Eve", "password": "short"});
    server.nobody().post_json("/names", short).refused(422, "password");
    for easy in ["12345678", "Password1", "Eve Eve Eve"] {
        let wanted = json!({"name": "Eve", "password": easy});
        let refused = server.nobody().post_json("/names", wanted).refused(422, "password");
        assert!(refused["message"].as_str().unwrap().contains("others would guess"), "{easy}");
    }
    // Markup is plain text.
    server.named("<b>Eve</b>");
}

#[test]
fn look_alike_capitals_are_refused() {
    let server = Server::start();
    let password = "correct horse battery staple";
    let register = |name: &str| {
        let wanted = json!({"name": name, "password": password});
        server.guest().post_json("/names", wanted)
    };
    register("Нора").expect(201);
    register("Hopa").refused(409, "name_taken");
    register("Bob").expect(201);
    register("\u{412}ob").refused(409, "name_taken");
    let seats = json!([{"for": "me", "name": "\u{412}OB"}, {"for": "me"}]);
    let public = json!({"seats": seats, "public": true});
    server.guest().post_json("/games", public).refused(422, "invalid");
}

#[test]
fn guests_choose_names() {
    let server = Server::start();
    let (ann, bob) = (server.guest(), server.guest());
    let rename = |client: &Client, name: &str| {
        client.send("PUT", "/me/name", Some(&json!({"name": name}).to_string()), &[])
    };
    let game = ann.create(open_game());
    let renamed = rename(&ann, "Annika").expect(200);
    assert_eq!((&renamed["name"], &renamed["kind"]), (&json!("Annika"), &json!("guest")));
    assert_eq!(bob.get(&game).expect(200)["players"][0]["name"], "Annika");
    rename(&bob, "annika").refused(409, "name_taken");
    rename(&bob, "admin").refused(422, "name");
    // A name that a guest gives up is free at once.
    rename(&ann, "Anna").expect(200);
    rename(&bob, "Annika").expect(200);
}

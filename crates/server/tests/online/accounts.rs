//! Guests, names, sessions, tokens.

use serde_json::json;

use super::client::open_game;
use super::games::ann_and_bob;
use super::server::Server;

/// A guest's games go on under the name that they take, and so do those after them.
#[test]
fn games_go_on_under_the_new_name() {
    let server = Server::start();
    let (guest, bob) = (server.guest(), server.guest());
    let game = guest.create(open_game());
    bob.join(&game).expect(200);
    let mut socket = bob.socket(&game);
    socket.next_of("state");
    guest.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    let renamed = socket.next_of("renamed");
    assert_eq!((&renamed["name"], &renamed["kind"]), (&json!("Ann"), &json!("named")));
    let name = |game: &str, seat: usize| bob.get(game).expect(200)["players"][seat]["name"].clone();
    assert_eq!(name(&game, 0), "Ann");
    let list = bob.get("/games?state=live").expect(200);
    assert_eq!(list[0]["players"][0]["name"], "Ann");
    // Bob takes a name when the game is over, and is called by it in the next.
    let seq = bob.get(&game).expect(200)["seq"].as_u64().unwrap();
    guest.act(&game, "resign", seq).expect(200);
    bob.post("/names", r#"{"name":"Bob","password":"correct horse"}"#).expect(201);
    guest.act(&game, "rematch", seq + 1).expect(200);
    let done = bob.act(&game, "rematch", seq + 1).expect(200);
    let next = format!("/games/{}", done["game"]["rematch"].as_str().unwrap());
    assert_eq!((name(&next, 0), name(&next, 1)), (json!("Bob"), json!("Ann")));
}

#[test]
fn a_guest_who_chooses_a_name_keeps_their_games() {
    let server = Server::start();
    let (ann, bob, game) = ann_and_bob(&server);
    assert_eq!(ann.get("/me").expect(200), json!({"name": ann.name, "kind": "guest"}));
    let named = ann.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    assert_eq!(named["player"], json!({"name": "Ann", "kind": "named"}));
    let session = ann.with_token(named["token"].as_str().unwrap());
    session.play(&game, "A1", 2).expect(200);
    // The guest's own token goes on, and another name is not to be had.
    ann.get("/me").expect(200);
    session
        .post("/names", r#"{"name":"Anna","password":"correct horse"}"#)
        .refused(409, "already_named");
    bob.post("/names", r#"{"name":"ANN","password":"correct horse"}"#).refused(409, "name_taken");
}

#[test]
fn sessions_begin_with_a_password_and_end_with_their_sockets() {
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
    // The first session is another one.
    ann.get("/me").expect(200);
    assert_eq!(ann.delete("/sessions").status, 204);
    assert_eq!(own.end(), Some(4401));
    ann.get("/me").refused(401, "bad_token");
}

#[test]
fn a_token_that_was_just_used_is_refused_when_it_is_revoked() {
    let server = Server::start();
    let ann = server.named("Ann");
    let game = ann.create(open_game());
    for _ in 0..20 {
        let body = json!({"name": "Ann", "password": "correct horse"});
        let session = server.nobody().post_json("/sessions", body).expect(201);
        let other = ann.with_token(session["token"].as_str().unwrap());
        // Somebody else asks with it all the time.
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
fn a_guest_who_chooses_a_name_has_it_with_the_old_token_too() {
    let server = Server::start();
    let ann = server.guest();
    assert_eq!(ann.get("/me").expect(200)["kind"], "guest");
    ann.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    assert_eq!(ann.get("/me").expect(200), json!({"name": "Ann", "kind": "named"}));
}

/// Whoever signs out of a name leaves nothing behind that is signed in, least of all a socket.
#[test]
fn who_signs_out_of_a_name_is_no_guest_with_it_either() {
    let server = Server::start();
    let (ann, _, game) = ann_and_bob(&server);
    let mut socket = ann.socket(&game);
    socket.next_of("state");
    let named = ann.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    let session = ann.with_token(named["token"].as_str().unwrap());
    let elsewhere = session.post("/sessions", r#"{"name":"Ann","password":"correct horse"}"#);
    let elsewhere = ann.with_token(elsewhere.expect(201)["token"].as_str().unwrap());
    let tokens = elsewhere.get("/tokens").expect(200);
    let labels: Vec<_> = tokens.as_array().unwrap().iter().map(|token| &token["label"]).collect();
    assert_eq!(labels, ["session"; 3]);
    session.delete("/sessions/current").expect(204);
    assert_eq!(socket.end(), Some(4401));
    ann.get("/me").refused(401, "bad_token");
    session.get("/me").refused(401, "bad_token");
    elsewhere.get("/me").expect(200);
}

#[test]
fn a_cookie_is_as_good_as_a_header() {
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
fn passwords_change_and_sessions_end() {
    let server = Server::start();
    let ann = server.named("Ann");
    let change = |old: &str, new: &str| {
        let body = json!({"old": old, "new": new}).to_string();
        ann.send("PUT", "/me/password", Some(&body), &[])
    };
    change("wrong", "another horse").refused(401, "wrong_password");
    change("correct horse", "short").refused(422, "password");
    let session = change("correct horse", "another horse").expect(201);
    ann.get("/me").refused(401, "bad_token");
    ann.with_token(session["token"].as_str().unwrap()).get("/me").expect(200);
    let guest = server.guest();
    let body = json!({"old": "correct horse", "new": "another horse"}).to_string();
    guest.send("PUT", "/me/password", Some(&body), &[]).refused(403, "account_needed");
}

#[test]
fn programs_have_tokens_of_their_own_which_can_be_revoked() {
    let server = Server::start();
    let ann = server.named("Ann");
    server.guest().post("/tokens", r#"{"label":"x"}"#).refused(403, "account_needed");
    let made = ann.post("/tokens", r#"{"label":"my bot"}"#).expect(201);
    let bot = ann.with_token(made["token"].as_str().unwrap());
    assert_eq!(bot.get("/me").expect(200), json!({"name": "Ann", "kind": "bot"}));
    let game = bot.create(open_game());
    assert_eq!(bot.get(&game).expect(200)["players"][0]["kind"], "bot");
    // A program can't make more of itself.
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
fn names_that_pass_for_others_are_refused() {
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
    let short = json!({"name": "Eve", "password": "short"});
    server.nobody().post_json("/names", short).refused(422, "password");
    // Markup is text like any other.
    server.named("<b>Eve</b>");
}

/// Letters of other scripts are letters, unless somebody has a name that looks the same with them.
#[test]
fn capitals_of_other_scripts_pass_for_nobody() {
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

//! Several servers on one PostgreSQL.

use noughts_server::Config;
use noughts_testing::Postgres;
use serde_json::{Value, json};

use super::client::{Client, move_to, open_game};
use super::leagues::until;
use super::server::Server;

/// Two servers on one database, or none without PostgreSQL. Players without a socket stay present for
/// a while.
pub(crate) fn two_servers() -> Option<(Server, Server)> {
    two_servers_with(Config { grace_ms: Some(5_000), ..Config::default() })
}

pub(crate) fn two_servers_with(config: Config) -> Option<(Server, Server)> {
    let Some(postgres) = Postgres::shared() else {
        eprintln!("PostgreSQL is not installed: several servers are not tested");
        return None;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = runtime.block_on(postgres.database());
    let start = || Server::on_database(&url, config.clone());
    Some((start(), start()))
}

/// The same player on another server.
pub(crate) fn at(server: &Server, client: &Client) -> Client {
    server.nobody().with_token(client.token.as_ref().unwrap())
}

#[test]
fn moves_reach_sockets_of_other_servers() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.guest(), there.guest());
    let game = ann.create(open_game());
    bob.join(&game).expect(200);
    let (mut of_ann, mut of_bob) = (ann.socket(&game), bob.socket(&game));
    let mut watcher = there.nobody().socket(&game);
    for socket in [&mut of_ann, &mut of_bob, &mut watcher] {
        // A server that has not seen the event yet shows the game before it.
        if socket.next()["game"]["seq"] == 1 {
            assert_eq!(socket.next()["event"]["type"], "joined");
        }
    }
    for (seq, cell) in (2u64..).zip(["A1", "B1", "A2", "B2", "A3"]) {
        let mover = if seq % 2 == 0 { &mut of_ann } else { &mut of_bob };
        mover.send(move_to(cell, seq, &format!("k{seq}")));
        for socket in [&mut of_ann, &mut of_bob, &mut watcher] {
            let event = socket.next_of("moved");
            assert_eq!((&event["seq"], &event["event"]["move"]), (&json!(seq + 1), &json!(cell)));
        }
    }
    assert_eq!(here.nobody().get(&game).expect(200), there.nobody().get(&game).expect(200));
}

#[test]
fn one_of_two_racing_servers_wins() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    let game = ann.create(json!({"seats": seats, "rules": "26x26:26"}));
    let elsewhere = at(&there, &ann);
    elsewhere.get(&game).expect(200);
    for seq in 1..20 {
        let cell = |row: u8| format!("{}{seq}", char::from(b'A' + row));
        let mine = move_to(&cell(0), seq, &format!("a{seq}"));
        let theirs = move_to(&cell(7), seq, &format!("b{seq}"));
        let replies = std::thread::scope(|scope| {
            let theirs = scope.spawn(|| elsewhere.request(&game, theirs));
            [ann.request(&game, mine), theirs.join().unwrap()]
        });
        let mut statuses = [replies[0].status, replies[1].status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{replies:?}");
        let late = replies.into_iter().find(|reply| reply.status == 409).unwrap();
        let late = late.refused(409, "stale");
        assert_eq!(late["game"]["seq"], seq + 1);
    }
    let views = [&here, &there].map(|server| server.nobody().get(&game).expect(200));
    assert_eq!((&views[0]["seq"], &views[0]), (&json!(20), &views[1]));
}

#[test]
fn players_move_on_any_server_immediately() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.guest(), there.guest());
    for _ in 0..20 {
        let game = ann.create(open_game());
        bob.join(&game).expect(200);
        ann.play(&game, "A1", 2).expect(200);
        at(&here, &bob).play(&game, "B1", 3).expect(200);
        at(&there, &ann).play(&game, "A2", 4).expect(200);
        bob.act(&game, "resign", 5).expect(200);
    }
}

#[test]
fn rematch_announced_here_is_playable_there() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.guest(), there.guest());
    let mut game = ann.create(open_game());
    bob.join(&game).expect(200);
    ann.act(&game, "resign", 2).expect(200);
    let mut seq = 3;
    for round in 0..10 {
        let mut watcher = there.nobody().socket(&game);
        ann.act(&game, "rematch", seq).expect(200);
        at(&here, &bob).act(&game, "rematch", seq).expect(200);
        let next = loop {
            let message = watcher.next();
            let next = match message["type"] == "state" {
                true => &message["game"]["rematch"],
                false => &message["event"]["game"],
            };
            if let Some(next) = next.as_str() {
                break next.to_string();
            }
        };
        game = format!("/games/{next}");
        // The player who moved second moves first.
        let (first, second) = if round % 2 == 0 { (&bob, &ann) } else { (&ann, &bob) };
        first.play(&game, "A1", 1).expect(200);
        second.play(&game, "B1", 2).expect(200);
        at(&there, &ann).act(&game, "resign", 3).expect(200);
        seq = 4;
    }
}

#[test]
fn commands_sent_twice_take_effect_once() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let game = ann.create(json!({"seats": [{"for": "me"}, {"for": "me"}]}));
    let body = move_to("A1", 1, "once");
    let elsewhere = at(&there, &ann);
    let [mine, theirs] = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| elsewhere.request(&game, body.clone()));
        [ann.request(&game, body.clone()), theirs.join().unwrap()].map(|reply| reply.expect(200))
    });
    assert_eq!((&mine["seq"], &theirs["seq"]), (&json!(2), &json!(2)));
}

#[test]
fn signing_out_closes_sockets_elsewhere() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let game = ann.create(open_game());
    let mut socket = at(&there, &ann).socket(&game);
    socket.next();
    assert_eq!(ann.delete("/sessions").status, 204);
    assert_eq!(socket.end(), Some(4401));
}

#[test]
fn revoked_tokens_are_refused_elsewhere() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let elsewhere = at(&there, &ann);
    let game = ann.create(open_game());
    // The other server has cached the token. It learns of the revocation when it closes this socket.
    elsewhere.get("/me").expect(200);
    let mut socket = elsewhere.socket(&game);
    socket.next();
    elsewhere.get("/me").expect(200);
    assert_eq!(ann.delete("/sessions/current").status, 204);
    ann.get("/me").refused(401, "bad_token");
    assert_eq!(socket.end(), Some(4401));
    elsewhere.get("/me").refused(401, "bad_token");
}

#[test]
fn new_names_are_known_elsewhere() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.guest();
    let elsewhere = at(&there, &ann);
    assert_eq!(elsewhere.get("/me").expect(200)["kind"], "guest");
    let named = ann.post("/names", r#"{"name":"Ann","password":"correct horse"}"#).expect(201);
    let ann = elsewhere.with_token(named["token"].as_str().unwrap());
    assert_eq!(ann.get("/me").expect(200)["name"], "Ann");
    // The guest's token is refused by the other server soon, too.
    super::leagues::until_status(&elsewhere, "/me", 401);
    let at_home = here.nobody().with_token(ann.token.as_ref().unwrap());
    at_home.send("PUT", "/me/name", Some(r#"{"name":"Anna"}"#), &[]).expect(200);
    super::leagues::until(&ann, "/me", |me| me["name"] == "Anna");
}

#[test]
fn results_reach_tables_of_other_servers() {
    let Some((here, there)) = two_servers() else { return };
    let ann = here.named("Ann");
    let seats = json!([{"for": "me"}, {"for": "computer", "level": "easy"}]);
    let game = ann.create(json!({"seats": seats, "rated": true}));
    super::leagues::loses_to_computer(&ann, &game);
    super::leagues::until(&there.nobody(), "/leagues/classic", |table| table["players"] == 2);
}

/// Each server sees its own connections only.
#[test]
fn players_on_other_servers_are_present() {
    let Some((here, there)) = two_servers() else { return };
    let (ann, bob) = (here.guest(), there.guest());
    let game = ann.create(open_game());
    bob.join(&game).expect(200);
    let (mut of_ann, mut of_bob) = (ann.socket(&game), bob.socket(&game));
    of_ann.next_of("state");
    of_bob.next_of("state");
    ann.act(&game, "claim", 2).refused(409, "not_away");
    assert_eq!(of_ann.next_of("left")["event"]["seat"], 1);
    assert_eq!(of_ann.next_of("returned")["event"]["seat"], 1);
}

#[test]
fn pairing_skips_players_who_left() {
    let Some((here, there)) = two_servers_with(Config::default()) else { return };
    let (ann, bob) = (here.guest(), there.guest());
    // Ann has no socket open.
    let waiting = ann.post_json("/pairings", json!({})).expect(201);
    let game = format!("/games/{}", waiting["id"].as_str().unwrap());
    let is_away = |view: &Value| {
        let mut players = view["players"].as_array().unwrap().iter();
        players.any(|player| !player["away_since"].is_null())
    };
    until(&there.nobody(), &game, is_away);
    let other = bob.post_json("/pairings", json!({})).expect(201);
    assert_ne!(other["id"], waiting["id"]);
}

/// PostgreSQL does not store NUL.
#[test]
fn nul_characters_are_not_found() {
    let Some((server, _)) = two_servers() else { return };
    let nobody = server.nobody();
    nobody.get("/players/%00").refused(404, "no_player");
    nobody.get("/games?player=a%00b").refused(404, "no_player");
    nobody.get("/leagues/classic/players/%00").refused(404, "no_player");
    nobody.get("/leagues/classic?search=a%00b").expect(200);
    nobody.get("/leagues/%00").refused(404, "no_league");
    nobody
        .post("/sessions", r#"{"name":"a\u0000b","password":"correct horse"}"#)
        .refused(401, "wrong_password");
}

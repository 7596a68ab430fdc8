//! Tournaments.

use std::time::{Duration, Instant};

use noughts_server::Config;
use noughts_store::{
    Append, Batch, GamePhase, Listing, Store, TournamentAppend, TournamentFilter, TournamentListing,
};
use serde_json::{Value, json};

use super::client::Client;
use super::server::Server;
use super::several::{at, two_servers_with};
use super::streams::Stream;

/// Longer than anything takes.
const REQUEST_DEADLINE: Duration = Duration::from_secs(30);

fn config() -> Config {
    Config { tournament_break_seconds: Some(0), ..Config::default() }
}

fn new_tournament(format: Value) -> Value {
    json!({"name": "Club", "format": format, "clock": {"initial_ms": 60_000}})
}

/// Creates a tournament and returns its path.
#[track_caller]
fn create(creator: &Client, tournament: Value) -> String {
    let state = creator.post_json("/tournaments", tournament).expect(201);
    format!("/tournaments/{}", state["tournament"]["id"].as_str().unwrap())
}

#[track_caller]
fn act(client: &Client, tournament: &str, action: &str) -> Value {
    client.post_json(&format!("{tournament}/{action}"), json!({})).expect(200)
}

/// Waits until a tournament is as expected.
#[track_caller]
fn until(client: &Client, tournament: &str, is_expected: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + REQUEST_DEADLINE;
    loop {
        let state = client.get(tournament).expect(200);
        if is_expected(&state) {
            return state;
        }
        assert!(Instant::now() < deadline, "still {state:#}");
        std::thread::yield_now();
    }
}

/// The path of the game that a player plays in a tournament, once there is one.
#[track_caller]
fn own_game(client: &Client, tournament: &str) -> Option<String> {
    let state = until(client, tournament, |state| {
        state["you"]["game"].is_string() || state["tournament"]["phase"] == "finished"
    });
    Some(format!("/games/{}", state["you"]["game"].as_str()?))
}

/// Plays on until the tournament is over. Of two players, the one earlier in the list wins.
#[track_caller]
fn play_out(players: &[Client], tournament: &str) -> Value {
    let deadline = Instant::now() + REQUEST_DEADLINE;
    loop {
        for (strength, player) in players.iter().enumerate() {
            let state = player.get(tournament).expect(200);
            if state["tournament"]["phase"] == "finished" {
                return state;
            }
            let Some(game) = state["you"]["game"].as_str() else { continue };
            lose_to_stronger(players, strength, &format!("/games/{game}"));
        }
        assert!(Instant::now() < deadline, "the tournament does not end");
    }
}

/// Lets a player resign a game against one who is earlier in the list.
fn lose_to_stronger(players: &[Client], strength: usize, game: &str) {
    let reply = players[strength].get(game);
    // It may be about to be created.
    if reply.status == 404 {
        return;
    }
    let view = reply.expect(200);
    let own = view["your_seats"][0].as_u64().unwrap() as usize;
    let opponent = view["players"][1 - own]["name"].as_str().unwrap();
    let opponent = players.iter().position(|player| player.name == opponent).unwrap();
    if opponent < strength {
        let seq = view["seq"].as_u64().unwrap();
        let done = players[strength].act(game, "resign", seq);
        assert!(done.status == 200 || done.json()["code"] == "game_over", "{done:?}");
    }
}

fn names(state: &Value) -> Vec<String> {
    let standings = state["tournament"]["standings"].as_array().unwrap();
    standings.iter().map(|player| player["name"].as_str().unwrap().to_string()).collect()
}

fn join_all(server: &Server, tournament: &str, count: usize) -> Vec<Client> {
    let players: Vec<Client> = (0..count).map(|_| server.guest()).collect();
    for player in &players {
        act(player, tournament, "join");
    }
    players
}

#[test]
fn round_robin_is_played_to_the_end() {
    let server = Server::with(config());
    let teacher = server.named("Teacher");
    let tournament = create(&teacher, new_tournament(json!({"type": "round_robin", "cycles": 1})));
    let players = join_all(&server, &tournament, 4);
    let waiting = teacher.get(&tournament).expect(200);
    assert_eq!(
        (&waiting["tournament"]["phase"], &waiting["you"]["creator"], &waiting["you"]["active"]),
        (&json!("waiting"), &json!(true), &json!(false))
    );
    let started = act(&teacher, &tournament, "start");
    assert_eq!(
        (&started["tournament"]["phase"], &started["tournament"]["rounds"]),
        (&json!("running"), &json!(3))
    );
    assert_eq!(started["tournament"]["games"].as_array().unwrap().len(), 2);
    // A game knows its tournament, which forbids what would change its result.
    let game = own_game(&players[0], &tournament).unwrap();
    let view = players[0].get(&game).expect(200);
    assert_eq!(view["tournament"], started["tournament"]["id"]);
    assert!(view["clock"]["first_move_deadline"].is_i64());
    players[0].act(&game, "abort", 1).refused(409, "tournament_game");

    let finished = play_out(&players, &tournament);
    let expected: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    assert_eq!(names(&finished), expected);
    let points: Vec<u64> = finished["tournament"]["standings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["points"].as_u64().unwrap())
        .collect();
    assert_eq!(points, [6, 4, 2, 0]);
    let games = teacher.get(&format!("{tournament}/games")).expect(200);
    assert_eq!(games.as_array().unwrap().len(), 6);
    server
        .guest()
        .post_json(&format!("{tournament}/join"), json!({}))
        .refused(409, "tournament_closed");
}

const ROUND_ROBIN: &str = r#"{"type":"round_robin","cycles":1}"#;
const ARENA: &str = r#"{"type":"arena","minutes":1}"#;

fn format(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn swiss_goes_on_without_those_who_leave() {
    let server = Server::with(config());
    let ann = server.guest();
    let tournament = create(&ann, new_tournament(json!({"type": "swiss", "rounds": 3})));
    let players = join_all(&server, &tournament, 5);
    act(&ann, &tournament, "start");
    let started = ann.get(&tournament).expect(200);
    assert_eq!(started["tournament"]["games"].as_array().unwrap().len(), 2);
    act(&players[4], &tournament, "leave");
    let finished = play_out(&players, &tournament);
    let standings = finished["tournament"]["standings"].as_array().unwrap();
    assert_eq!(standings[0]["name"], players[0].name.as_str());
    assert_eq!(standings.iter().filter(|player| player["active"] == false).count(), 1);
    assert_eq!(finished["tournament"]["round"], 3);
}

#[test]
fn absent_players_of_an_arena_are_paused() {
    let server = Server::with_test_time(Config { first_move_seconds: Some(5), ..config() });
    let ann = server.guest();
    let tournament = create(&ann, new_tournament(format(ARENA)));
    let players = join_all(&server, &tournament, 2);
    act(&ann, &tournament, "start");
    let game = own_game(&players[0], &tournament).unwrap();
    let paused = until(&ann, &tournament, |state| {
        let standings = state["tournament"]["standings"].as_array().unwrap();
        standings.iter().any(|player| player["active"] == false)
    });
    let [winner, loser] = [0, 1].map(|rank| paused["tournament"]["standings"][rank].clone());
    assert_eq!((&winner["points"], &winner["active"]), (&json!(2), &json!(true)));
    assert_eq!((&loser["points"], &loser["active"]), (&json!(0), &json!(false)));
    assert_eq!(ann.get(&game).expect(200)["result"]["reason"], "time");
    // The loser comes back and is paired again. What is not over in time does not count.
    let loser = players.iter().find(|player| player.name == loser["name"]).unwrap();
    act(loser, &tournament, "join");
    assert_ne!(own_game(loser, &tournament).unwrap(), game);
    server.advance_time(Duration::from_secs(60));
    let finished = until(&ann, &tournament, |state| state["tournament"]["phase"] == "finished");
    assert_eq!(finished["tournament"]["standings"][0]["points"], 2);
    assert_eq!(finished["tournament"]["games"], json!([]));
}

#[test]
fn tournaments_start_at_their_time() {
    let server = Server::with_test_time(config());
    let ann = server.guest();
    let now = ann.get("/tournaments").status;
    assert_eq!(now, 200);
    let probe = create(&ann, new_tournament(format(ARENA)));
    let at = ann.get(&probe).expect(200)["at"].as_i64().unwrap();
    let mut planned = new_tournament(format(ARENA));
    planned["starts_at"] = json!(at + 120_000);
    let (full, empty) = (create(&ann, planned.clone()), create(&ann, planned));
    join_all(&server, &full, 2);
    server.advance_time(Duration::from_secs(121));
    until(&ann, &full, |state| state["tournament"]["phase"] == "running");
    until(&ann, &empty, |state| state["tournament"]["phase"] == "cancelled");
    let mut late = new_tournament(format(ARENA));
    late["starts_at"] = json!(at);
    ann.post_json("/tournaments", late).refused(422, "invalid");
}

#[test]
fn tournaments_go_on_after_a_restart() {
    let server = Server::with(config());
    let ann = server.guest();
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let players = join_all(&server, &tournament, 4);
    act(&ann, &tournament, "start");
    let before = ann.get(&tournament).expect(200);
    let folder = server.stop().unwrap();
    let server = Server::on(folder.path().join("noughts.db"), config());
    let players: Vec<Client> = players.iter().map(|player| on(&server, player)).collect();
    let after = players[0].get(&tournament).expect(200);
    assert_eq!(after["tournament"], before["tournament"]);
    let finished = play_out(&players, &tournament);
    let expected: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    assert_eq!(names(&finished), expected);
}

/// The same player on another server.
fn on(server: &Server, player: &Client) -> Client {
    let mut same = at(server, player);
    same.name = player.name.clone();
    same
}

/// A server stored that games are paired and stopped before it created them; then one stopped after a
/// game ended and before it recorded the result.
#[test]
fn unfinished_steps_are_made_up_for() {
    let server = Server::with(config());
    let ann = server.named("Ann");
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let players = join_all(&server, &tournament, 2);
    let id = tournament.rsplit('/').next().unwrap().parse().unwrap();
    let ids: Vec<i64> = players.iter().map(identity).collect();
    let folder = server.stop().unwrap();
    let path = folder.path().join("noughts.db");
    let game = noughts_store::GameId::new(1_700_000_000_000, *b"0123456789");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        let filter = TournamentFilter::Public(noughts_api::TournamentPhase::Waiting);
        assert!(store.tournaments(filter, None, 9).await.unwrap().is_empty(), "it is not listed");
        let events = store.tournament_events(id, 0, 100).await.unwrap();
        let (seen, at) = (events.len() as u32, events.last().unwrap().at);
        let paired = json!({"type": "paired",
            "games": [{"game": game.to_string(), "first": ids[0], "second": ids[1]}]});
        let append = TournamentAppend {
            tournament: id,
            expected: seen,
            events: vec![r#"{"type":"started"}"#.into(), paired.to_string()],
            at,
            joined: Vec::new(),
            listing: TournamentListing {
                phase: noughts_api::TournamentPhase::Running,
                due: Some(at + 30_000),
                detail: "{}".into(),
            },
        };
        assert!(store.append_to_tournament(&append).await.unwrap());
        assert!(!store.append_to_tournament(&append).await.unwrap(), "the sequence is taken");
        store.close().await;
    });
    let server = Server::on(path.clone(), config());
    let players: Vec<Client> = players.iter().map(|player| on(&server, player)).collect();
    let game_path = format!("/games/{game}");
    until_found(&players[0], &game_path);
    assert_eq!(players[0].get(&game_path).expect(200)["your_seats"], json!([0]));
    server.stop();

    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        let log = store.log();
        let listed = log.game(game).await.unwrap().unwrap();
        let append = Append {
            game,
            expected: listed.sequence,
            events: [r#"{"type":"eliminated","seat":0,"reason":"resigned"}"#.to_string()].into(),
            at: listed.at,
            due: None,
            key: None,
            key_is_fresh: false,
            listing: Some(Box::new(Listing { phase: GamePhase::Finished, ..listed.listing })),
            result: None,
        };
        let mut batch = Batch::default();
        batch.push(append).unwrap();
        log.append(&batch).await.unwrap().pop().unwrap().unwrap();
        store.close().await;
    });
    let server = Server::on(path, config());
    let bob = on(&server, &players[1]);
    let finished = until(&bob, &tournament, |state| state["tournament"]["phase"] == "finished");
    assert_eq!(names(&finished)[0], bob.name);
}

/// The number under which the server knows a player.
fn identity(player: &Client) -> i64 {
    player.get("/me").expect(200)["id"].as_i64().unwrap()
}

#[track_caller]
fn until_found(client: &Client, path: &str) {
    let deadline = Instant::now() + REQUEST_DEADLINE;
    while client.get(path).status == 404 {
        assert!(Instant::now() < deadline, "{path} is still missing");
        std::thread::yield_now();
    }
}

#[test]
fn two_servers_direct_one_tournament() {
    let Some((here, there)) = two_servers_with(config()) else { return };
    let ann = here.guest();
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let mut players = join_all(&here, &tournament, 3);
    players.extend(join_all(&there, &tournament, 2));
    let started = act(&ann, &tournament, "start");
    assert_eq!(started["tournament"]["standings"].as_array().unwrap().len(), 5);
    // One of them stops in the middle.
    let seq = started["tournament"]["seq"].as_u64().unwrap();
    until(&at(&there, &ann), &format!("{tournament}?seq={seq}"), |state| {
        state["tournament"]["games"] == started["tournament"]["games"]
    });
    let first_round: Vec<Client> = players.iter().map(|player| on(&there, player)).collect();
    for (strength, player) in players.iter().enumerate() {
        if let Some(game) = player.get(&tournament).expect(200)["you"]["game"].as_str() {
            lose_to_stronger(&players, strength, &format!("/games/{game}"));
        }
    }
    drop(here);
    let finished = play_out(&first_round, &tournament);
    let expected: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    assert_eq!(names(&finished), expected);
    let games = first_round[0].get(&format!("{tournament}/games")).expect(200);
    assert_eq!(games.as_array().unwrap().len(), 10);
}

#[test]
fn followers_see_every_change() {
    let server = Server::with(config());
    let (ann, bob) = (server.guest(), server.guest());
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let mut lines = Stream::open(&bob, &format!("{tournament}/stream"));
    let mut bob_games = Stream::open(&bob, "/stream");
    assert_eq!(lines.next()["tournament"]["standings"], json!([]));
    act(&ann, &tournament, "join");
    act(&bob, &tournament, "join");
    act(&ann, &tournament, "start");
    let running = loop {
        let state = lines.next();
        if state["you"]["game"].is_string() {
            break state;
        }
    };
    assert_eq!(running["tournament"]["phase"], "running");
    // Bots need only the stream of their games.
    let begun = bob_games.next();
    assert_eq!(
        (&begun["type"], &begun["game"]["id"]),
        (&json!("game_started"), &running["you"]["game"])
    );
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let server = Server::with(config());
    let (ann, bob) = (server.guest(), server.guest());
    let refuse = |change: Value| {
        let mut tournament = new_tournament(format(ARENA));
        tournament.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let reply = ann.post_json("/tournaments", tournament);
        assert_eq!(reply.status, 422, "{change}: {}", reply.text);
    };
    refuse(json!({"name": "x"}));
    refuse(json!({"name": "x\u{7}y"}));
    refuse(json!({"format": {"type": "arena", "minutes": 0}}));
    refuse(json!({"format": {"type": "knockout"}}));
    refuse(json!({"rules": "7x7:4+3p"}));
    refuse(json!({"rules": "wild", "rated": true}));
    refuse(json!({"clock": {"initial_ms": 10}}));
    refuse(json!({"clock": {"initial_ms": 3_600_000}}));
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let post = |client: &Client, action: &str| {
        client.post_json(&format!("{tournament}/{action}"), json!({}))
    };
    post(&server.nobody(), "join").refused(401, "sign_in_needed");
    post(&ann, "start").refused(409, "too_few_players");
    post(&bob, "start").refused(403, "not_yours");
    let owner = server.named("Olivia");
    let token = owner.post_json("/tokens", json!({"label": "bot"})).expect(201);
    let bot = owner.with_token(token["token"].as_str().unwrap());
    post(&bot, "join").refused(403, "not_for_bots");
    act(&ann, &tournament, "cancel");
    post(&bob, "join").refused(409, "tournament_closed");
    bob.get("/tournaments/01jz0000000000000000000000").refused(404, "no_tournament");
    bob.get("/tournaments/rubbish").refused(404, "no_tournament");
}

#[test]
fn tournaments_are_listed_and_limited() {
    let server = Server::with(config());
    let (ann, bob) = (server.guest(), server.guest());
    let mut public = new_tournament(format(ARENA));
    public["public"] = json!(true);
    public["key"] = json!("once");
    let listed = create(&ann, public.clone());
    assert_eq!(create(&ann, public), listed, "the same request again");
    let hidden = create(&ann, new_tournament(format(ARENA)));
    act(&bob, &hidden, "join");
    let ids = |client: &Client, query: &str| -> Vec<String> {
        let list = client.get(&format!("/tournaments{query}")).expect(200);
        let ids = list.as_array().unwrap().iter();
        ids.map(|entry| format!("/tournaments/{}", entry["id"].as_str().unwrap())).collect()
    };
    assert_eq!(ids(&bob, ""), std::slice::from_ref(&listed));
    assert_eq!(ids(&bob, "?mine=true"), std::slice::from_ref(&hidden));
    assert_eq!(ids(&ann, "?mine=true"), [hidden, listed]);
    assert!(ids(&ann, "?phase=finished").is_empty());
    for _ in 0..8 {
        create(&ann, new_tournament(format(ARENA)));
    }
    ann.post_json("/tournaments", new_tournament(format(ARENA))).refused(429, "too_many");
}

#[test]
fn tables_are_exported() {
    let server = Server::with(config());
    let ann = server.guest();
    let tournament = create(&ann, new_tournament(format(ROUND_ROBIN)));
    let players = join_all(&server, &tournament, 2);
    act(&ann, &tournament, "start");
    play_out(&players, &tournament);
    let table = ann.get(&format!("{tournament}/export")).text;
    let rows: Vec<&str> = table.split("\r\n").collect();
    assert!(rows[0].starts_with("rank,name,points"));
    assert_eq!(rows[1], format!("1,\"{}\",2,1,1,0,0,0,0,0,0", players[0].name));
    let json = ann.get(&format!("{tournament}/export?format=json")).expect(200);
    let game = json["games"][0]["game"].as_str().unwrap();
    assert_eq!(ann.get(&format!("/games/{game}/export")).status, 200);
}

#[test]
fn deleted_players_leave_their_tournaments() {
    let server = Server::with(config());
    let (ann, bob) = (server.guest(), server.guest());
    let own = create(&bob, new_tournament(format(ARENA)));
    let joined = create(&ann, new_tournament(format(ARENA)));
    act(&bob, &joined, "join");
    assert_eq!(bob.post_json("/me/deletion", json!({})).status, 204);
    until(&ann, &own, |state| state["tournament"]["phase"] == "cancelled");
    let left = until(&ann, &joined, |state| state["tournament"]["standings"][0]["active"] == false);
    assert_ne!(left["tournament"]["standings"][0]["name"], bob.name.as_str());
}

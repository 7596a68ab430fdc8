//! What servers remove, and what they fold.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use noughts_server::{CleanedUp, Config, clean_up};
use noughts_store::Store;
use noughts_testing::Postgres;
use serde_json::{Value, json};

use super::client::{Client, request};
use super::server::Server;

/// Where a server keeps its games.
enum Place {
    File(tempfile::TempDir),
    Postgres(String),
}

impl Place {
    fn file() -> Place {
        Place::File(tempfile::tempdir().unwrap())
    }

    fn postgres() -> Option<Place> {
        let postgres = Postgres::shared()?;
        Some(Place::Postgres(block_on(postgres.database())))
    }

    fn serve(&self) -> Server {
        // Nobody is noted as away meanwhile.
        let config = Config { grace_ms: Some(600_000), ..Config::default() };
        match self {
            Place::File(folder) => Server::on(folder.path().join("noughts.db"), config),
            Place::Postgres(url) => Server::on_database(url, config),
        }
    }

    /// Cleans up as a server does after some days, and returns what was done.
    fn clean_up_after(&self, days: u64) -> CleanedUp {
        let now = SystemTime::now() + Duration::from_secs(days * 24 * 3600);
        let now = now.duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        block_on(async {
            let store = match self {
                Place::File(folder) => Store::open(&folder.path().join("noughts.db")).await,
                Place::Postgres(url) => Store::connect(url).await,
            };
            let store = store.unwrap();
            let cleaned_up = clean_up(&store, &Config::default(), now).await.unwrap();
            store.close().await;
            cleaned_up
        })
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn against(player: &Client, other: &Client, game: Value) -> String {
    let mut game = game;
    game["seats"] = json!([{"for": "me"}, {"for": "anyone"}]);
    let path = player.create(game);
    other.join(&path).expect(200);
    path
}

/// The last event of a game.
fn seq(player: &Client, game: &str) -> u64 {
    player.get(game).expect(200)["seq"].as_u64().unwrap()
}

/// Plays games that end in different ways, and returns their paths.
fn play(server: &Server) -> Vec<String> {
    let (ann, bob) = (server.named("Ann"), server.named("Bob"));
    let won = against(
        &ann,
        &bob,
        json!({"rated": true, "clock": {"initial_ms": 600_000, "increment_ms": 1_000}}),
    );
    let moves = [(&ann, "A1"), (&bob, "B1"), (&ann, "A2"), (&bob, "B2"), (&ann, "A3")];
    for (player, cell) in moves {
        player.play(&won, cell, seq(player, &won)).expect(200);
    }
    let gomoku = json!({"rules": "15x15:5", "moves": ["H8", "H9", "J8"]});
    let resigned = against(&ann, &bob, gomoku);
    bob.play(&resigned, "J9", seq(&bob, &resigned)).expect(200);
    bob.act(&resigned, "request_undo", seq(&bob, &resigned)).expect(200);
    ann.answer_undo(&resigned, true, seq(&ann, &resigned)).expect(200);
    bob.play(&resigned, "K9", seq(&bob, &resigned)).expect(200);
    ann.act(&resigned, "resign", seq(&ann, &resigned)).expect(200);
    ann.act(&resigned, "rematch", seq(&ann, &resigned)).expect(200);
    let again = bob.act(&resigned, "rematch", seq(&bob, &resigned)).expect(200);
    let rematch = format!("/games/{}", again["game"]["rematch"].as_str().unwrap());
    bob.act(&rematch, "resign", seq(&bob, &rematch)).expect(200);
    // Renamed while it is played.
    let renamed = against(&ann, &bob, json!({"rules": "3x3+misere"}));
    bob.send("PUT", "/me/name", Some(r#"{"name":"Robert"}"#), &[]).expect(200);
    super::leagues::until(&ann, &renamed, |view| view["players"][1]["name"] == "Robert");
    ann.play(&renamed, "B2", seq(&ann, &renamed)).expect(200);
    bob.act(&renamed, "resign", seq(&bob, &renamed)).expect(200);
    vec![won, resigned, rematch, renamed]
}

/// Everything that can be read of the games, by path.
fn read(server: &Server, games: &[String]) -> Vec<(String, u16, String)> {
    let paths = ["", "/events", "/events?since=3", "/export", "/export?format=json"].into_iter();
    let paths: Vec<_> =
        paths.chain(["/export?format=psq", "/export?format=sgf", "/losing-move"]).collect();
    let of_games =
        games.iter().flat_map(|game| paths.iter().map(move |path| format!("{game}{path}")));
    let lists = [
        "/games",
        "/games?phase=finished&player=Ann",
        "/games?rules=15x15:5",
        "/players/Ann",
        "/players/Robert",
        "/players/Ann/against/Robert",
        "/players/Ann/history?league=online",
        "/leagues",
        "/leagues/online",
    ];
    let nobody = server.nobody();
    of_games
        .chain(lists.map(String::from))
        .map(|path| {
            let reply = nobody.get(&path);
            // A clock says when it was read.
            let read_at = &reply.json()["clock"]["at"];
            let text = match read_at.is_number() {
                true => reply.text.replace(&read_at.to_string(), "now"),
                false => reply.text.clone(),
            };
            (path, reply.status, text)
        })
        .collect()
}

fn folding_changes_no_answer(place: &Place) {
    let games = play(&place.serve());
    let before = read(&place.serve(), &games);
    assert!(before.iter().filter(|(_, status, _)| *status == 200).count() > 30, "{before:?}");
    let done = place.clean_up_after(31);
    assert_eq!((done.folded_games, done.aborted_games), (games.len() as u32, 0));
    let server = place.serve();
    for (now, before) in read(&server, &games).into_iter().zip(before) {
        assert_eq!(now, before);
    }
    assert_eq!(place.clean_up_after(31).folded_games, 0);
}

#[test]
fn folding_changes_no_answer_on_sqlite() {
    folding_changes_no_answer(&Place::file());
}

#[test]
fn folding_changes_no_answer_on_postgresql() {
    if let Some(place) = Place::postgres() {
        folding_changes_no_answer(&place);
    }
}

fn aborted_games_do_not_stay(place: &Place) {
    let server = place.serve();
    let (flooder, unused, ann) = (server.guest(), server.guest(), server.named("Ann"));
    let cells =
        (b'A'..=b'Z').flat_map(|row| (1..=26).map(move |col| format!("{}{col}", char::from(row))));
    let moves: Vec<String> = cells.take(650).collect();
    let seats = json!([{"for": "me"}, {"for": "me"}]);
    let aborted: Vec<String> = (0..20)
        .map(|_| {
            let game = json!({"seats": seats, "rules": "26x26:26", "moves": moves});
            let game = flooder.create(game);
            flooder.act(&game, "abort", 1).expect(200);
            game
        })
        .collect();
    let live = ann.create(json!({"seats": seats}));
    drop(server);
    assert_eq!(place.clean_up_after(6), CleanedUp::default());
    let done = place.clean_up_after(8);
    assert_eq!((done.aborted_games, done.unused_guests), (20, 0));
    let done = place.clean_up_after(31);
    assert_eq!((done.aborted_games, done.unused_guests), (0, 2), "one had aborted games only");
    let server = place.serve();
    let nobody = server.nobody();
    for game in aborted {
        nobody.get(&game).refused(404, "no_game");
    }
    nobody.get(&live).expect(200);
    for guest in [flooder, unused] {
        nobody.with_token(guest.token.as_ref().unwrap()).get("/me").refused(401, "bad_token");
    }
}

#[test]
fn aborted_games_do_not_stay_on_sqlite() {
    aborted_games_do_not_stay(&Place::file());
}

#[test]
fn aborted_games_do_not_stay_on_postgresql() {
    if let Some(place) = Place::postgres() {
        aborted_games_do_not_stay(&place);
    }
}

#[test]
fn a_day_has_a_limit() {
    let config = Config {
        games_per_day: Some(3),
        games_per_address_per_day: Some(4),
        commands_per_day: Some(10),
        sign_ins_per_day: Some(3),
        ..Config::default()
    };
    let server = Server::with(config);
    let (ann, bob) = (server.guest(), server.guest());
    let game = json!({"seats": [{"for": "me"}, {"for": "me"}]});
    let games: Vec<String> = (0..3).map(|_| ann.create(game.clone())).collect();
    let reply = ann.post_json("/games", game.clone());
    let wait: u64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((7 * 3600..=8 * 3600 + 1).contains(&wait), "{wait}");
    let refused = reply.refused(429, "daily_limit");
    let message = refused["message"].as_str().unwrap();
    assert!(message.starts_with("Too many games in a day: wait "), "{message}");
    ann.post_json("/pairings", json!({})).refused(429, "daily_limit");
    // The address may create one more.
    bob.create(game.clone());
    bob.post_json("/games", game).refused(429, "daily_limit");

    let mut socket = ann.socket(&games[0]);
    socket.next_of("state");
    for (seq, cell) in (1u64..).zip(["A1", "B1", "A2", "B2"]) {
        ann.play(&games[0], cell, seq).expect(200);
    }
    for key in 0..3 {
        socket.send(request("abort", 5, &format!("k{key}")));
        assert_eq!(socket.next_of("refused")["code"], "too_late_to_abort");
    }
    socket.send(request("resign", 5, "last"));
    assert_eq!(socket.next_of("refused")["code"], "daily_limit");
    ann.act(&games[0], "resign", 5).refused(429, "daily_limit");

    server.guest();
    server.nobody().post("/guests", "{}").refused(429, "daily_limit");
}

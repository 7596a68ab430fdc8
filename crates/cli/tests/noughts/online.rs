//! `noughts serve`, `noughts join` and `noughts bot`: a server, and programs that talk to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::is_unprintable;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{noughts, noughts_with};

/// How long something that a test waits for may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a file of its own. It is stopped when it is dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) folder: TempDir,
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::start_with(|_, _| {})
    }

    /// Starts it after something was done to its command, which may need its folder.
    pub(crate) fn start_with(prepare: impl FnOnce(&mut Command, &Path)) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(&folder.path().join("server.db"), "127.0.0.1:0");
        prepare(&mut command, folder.path());
        let (child, address) = run_server(command);
        Server { address, child, folder }
    }

    /// Kills the server without a warning.
    pub(crate) fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again in the same place.
    pub(crate) fn restart(&mut self) {
        let listen = self.address.strip_prefix("http://").unwrap();
        self.child = run_server(command(&self.folder.path().join("server.db"), listen)).0;
    }

    /// A program of somebody who has a folder of their own.
    fn run(&self, who: &str, arguments: &str, input: &str) -> crate::Ran {
        noughts_with(&self.folder.path().join(who).join("noughts.db"), arguments, input)
    }

    pub(crate) fn post(&self, path: &str, token: Option<&str>, body: Value) -> Value {
        let mut request = ureq::post(format!("{}/api/v1{path}", self.address));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut reply = request.send_json(body).unwrap();
        serde_json::from_str(&reply.body_mut().read_to_string().unwrap()).unwrap()
    }

    fn metrics(&self) -> String {
        let mut reply = ureq::get(format!("{}/metrics", self.address)).call().unwrap();
        reply.body_mut().read_to_string().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let mut reply = ureq::get(format!("{}/api/v1{path}", self.address)).call().unwrap();
        serde_json::from_str(&reply.body_mut().read_to_string().unwrap()).unwrap()
    }
}

/// The game at a path as it is once this holds of it, however long that takes.
#[track_caller]
fn await_view(server: &Server, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let view = server.get(path);
        if holds(&view) {
            return view;
        }
        assert!(Instant::now() < end, "{path} is still {view}");
        thread::yield_now();
    }
}

/// What starts a server.
fn command(data: &Path, listen: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    command
        .args(["serve", "--listen", listen])
        // The tests ask again and again, without a pause.
        .args(["--requests-per-second=100000", "--commands-per-second=100000"])
        .env("NOUGHTS_DATA", data)
        .env("NOUGHTS_LOG", "warn")
        // In an environment, yes and no are often numbers.
        .envs([("NOUGHTS_LOG_JSON", "1"), ("NOUGHTS_SECURE_COOKIES", "0")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// A server, and the address that it says it has.
fn run_server(mut command: Command) -> (Child, String) {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Noughts is at ").expect("it says where it is");
    (child, address.to_string())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn two_people_who_wait_for_the_same_game_play_it() {
    let server = Server::start();
    thread::scope(|scope| {
        let play = |who, input| {
            let server = &server;
            scope.spawn(move || server.run(who, &format!("join {}", server.address), input))
        };
        // Whoever begins has three in a row first.
        let players = [play("ann", "A1\nA2\nA3\n"), play("bob", "B1\nB2\nB3\n")];
        let ran = players.map(|player| player.join().unwrap());
        let finals = ran.each_ref().map(|ran| {
            let text = ran.ok();
            let end = text.rfind("\nBoard:").unwrap();
            text[end..].lines().take(7).collect::<Vec<_>>().join("\n")
        });
        assert_eq!(finals[0], finals[1]);
        assert!(finals[0].ends_with("wins!"), "{}", finals[0]);
    });
    // Who comes later sees how it ended.
    let games = server.get("/games?phase=finished");
    // Where both opened a game at the same moment, one of the two was aborted.
    let mut games = games.as_array().unwrap().iter();
    let game = games.find(|game| game["winner"].is_u64()).expect("a game that was won");
    let id = game["id"].as_str().unwrap();
    let watched = server.run("cy", &format!("join --watch {}/game/{id}", server.address), "");
    assert!(watched.ok().ends_with("wins!\n"), "{}", watched.stdout());
    // Whoever only watches is not asked, even if they have played.
    let watch = format!("join --watch {}/game/{id}", server.address);
    let watched = server.run("ann", &watch, "rematch\n");
    assert!(watched.ok().ends_with("wins!\n"), "{}", watched.stdout());
}

#[test]
fn a_person_against_a_computer_of_the_server() {
    let server = Server::start();
    let boxes = "rubbish\nA1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\nA1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\n";
    let arguments = format!("join {} --against easy", server.address);
    let ran = server.run("ann", &arguments, boxes);
    let text = ran.ok();
    assert!(text.contains("rubbish is not a box. Enter a box such as B2."), "{text}");
    assert!(text.contains("wins!") || text.contains("It's a draw!"), "{text}");
    assert_eq!(server.get("/games?phase=finished").as_array().unwrap().len(), 1);
}

#[test]
fn names_are_taken_and_used_again_in_the_terminal() {
    let server = Server::start();
    let boxes = "A1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\n";
    let play = |who: &str, more: &str, first: &str| {
        let arguments = format!("join {} --against easy {more}", server.address);
        server.run(who, &arguments, &format!("{first}{boxes}"))
    };
    let games_of = |name: &str| server.get(&format!("/games?phase=finished&player={name}"));
    let count = |name: &str| games_of(name).as_array().unwrap().len();
    // What was played as a guest belongs to the name.
    play("ann", "", "").ok();
    play("ann", "--name Ann --new", "correct horse\n").ok();
    assert_eq!(count("Ann"), 2);
    // She is known there from then on, and elsewhere by her password.
    play("ann", "", "").ok();
    play("work", "--name Ann", "correct horse\n").ok();
    assert_eq!(count("Ann"), 4);
    assert_eq!(games_of("Ann")[0]["players"][0]["kind"], "named");
    play("bob", "--name Ann", "wrong horse\n").fails(1, "The name or the password is wrong.");
    play("bob", "--name Ann --new", "another horse\n")
        .fails(1, "This name, or one that looks like it, is taken.");
    play("ann", "--name Bea --new", "another horse\n").fails(1, "You already have an account.");
    let arguments = format!("join {} --name Ann", server.address);
    server
        .run("bob", &arguments, "")
        .fails(2, "expected a password as the first line, or in NOUGHTS_PASSWORD");
    assert_eq!(server.run("bob", &format!("{arguments} --token x"), "").status(), 2);
}

#[test]
fn a_lost_connection_comes_back_by_itself() {
    let mut server = Server::start();
    let guest = server.post("/guests", None, json!({}));
    let token = guest["token"].as_str().unwrap().to_string();
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = server.post("/games", Some(&token), json!({"seats": seats}));
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    let arguments = format!("join {}{path}", server.address);
    let data = server.folder.path().join("bob").join("noughts.db");
    let bob = thread::spawn(move || noughts_with(&data, &arguments, "B1\nB2\nB3\n"));
    for cell in ["A1", "A2", "A3"] {
        let view = await_view(&server, &path, |view| view["turn"] == 0);
        let order = json!({"cell": cell, "seq": view["seq"], "key": cell});
        server.post(&format!("{path}/moves"), Some(&token), order);
        // Only a connection that is there can be lost.
        if cell == "A1" {
            while !server.metrics().contains("\nnoughts_sockets 1\n") {
                thread::yield_now();
            }
            server.crash();
            server.restart();
        }
    }
    let ran = bob.join().unwrap();
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let end = format!("\n{} (X) wins!\n", guest["player"]["name"].as_str().unwrap());
    assert!(ran.stdout().contains(&end), "{}", ran.stdout());
    assert!(ran.stderr().contains("connection lost"), "{}", ran.stderr());
}

/// The tokens of a program of somebody called Ann, and of a guest.
fn bot_and_guest(server: &Server) -> [String; 2] {
    let ann = server.post("/names", None, json!({"name": "Ann", "password": "correct horse"}));
    let bot = server.post("/tokens", ann["token"].as_str(), json!({"label": "bot"}));
    let guest = server.post("/guests", None, json!({}));
    [bot, guest].map(|session| session["token"].as_str().unwrap().to_string())
}

#[test]
fn a_bot_accepts_an_invitation_and_plays() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let seats = json!([{"for": "player", "name": "Ann"}, {"for": "me"}]);
    let game = server.post("/games", Some(&guest), json!({"seats": seats}));
    let id = game["id"].as_str().unwrap();
    let path = format!("/games/{id}");
    let arguments =
        format!("bot --server {} --token {token} --player easy --games 1", server.address);
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        let view = await_view(&server, &path, |view| view["turn"] == 1);
        assert_eq!(view["players"][0]["kind"], "bot");
        let order = json!({"seq": view["seq"], "key": "enough"});
        server.post(&format!("{path}/resign"), Some(&guest), order);
        let ran = bot.join().unwrap();
        let expected = format!("Ann plays easy at {}\n{id}: won (resigned)\n", server.address);
        assert_eq!(ran.ok(), expected);
    });
}

/// An engine stays for the whole game; one that failed would have resigned.
#[cfg(unix)]
#[test]
fn a_bot_plays_with_an_engine() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let engine = server.folder.path().join("pbrain-noughts");
    let script = format!("#!/bin/sh\nexec {} brain --player easy\n", env!("CARGO_BIN_EXE_noughts"));
    std::fs::write(&engine, script).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let player = format!("engine:{}", engine.display());
    let seats = json!([{"for": "player", "name": "Ann"}, {"for": "me"}]);
    let game = server.post("/games", Some(&guest), json!({"rules": "gomoku", "seats": seats}));
    let id = game["id"].as_str().unwrap();
    let path = format!("/games/{id}");
    let arguments =
        format!("bot --server {} --token {token} --player {player} --games 1", server.address);
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        let own_turn = || {
            let view =
                await_view(&server, &path, |view| view["turn"] == 1 || view["phase"] == "over");
            assert_eq!(view["phase"], "live", "{}", view["result"]);
            view
        };
        let view = own_turn();
        let cell = if view["moves"][0] == "A1" { "A2" } else { "A1" };
        let order = json!({"cell": cell, "seq": view["seq"], "key": "first"});
        server.post(&format!("{path}/moves"), Some(&guest), order);
        let view = own_turn();
        assert_eq!(view["moves"].as_array().unwrap().len(), 3);
        let order = json!({"seq": view["seq"], "key": "enough"});
        server.post(&format!("{path}/resign"), Some(&guest), order);
        let expected = format!("Ann plays {player} at {}\n{id}: won (resigned)\n", server.address);
        assert_eq!(bot.join().unwrap().ok(), expected);
    });
}

/// However long it may think, a bot does not think its time away.
#[test]
fn a_bot_keeps_within_its_clock() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Ann"}]);
    let clock = json!({"initial_ms": 5_000, "increment_ms": 0});
    let game = json!({"rules": "gomoku", "seats": seats, "clock": clock});
    let game = server.post("/games", Some(&guest), game);
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    let arguments = format!(
        "bot --server {} --token {token} --player perfect --think 60s --games 1",
        server.address
    );
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        let view = await_view(&server, &path, |view| view["turn"] == 0);
        let order = json!({"cell": "A1", "seq": view["seq"], "key": "first"});
        server.post(&format!("{path}/moves"), Some(&guest), order);
        let view = await_view(&server, &path, |view| view["turn"] != 1);
        assert_eq!((&view["turn"], &view["result"]), (&json!(0), &json!(null)));
        let order = json!({"seq": view["seq"], "key": "enough"});
        server.post(&format!("{path}/resign"), Some(&guest), order);
        bot.join().unwrap().ok();
    });
}

#[test]
fn what_makes_no_sense_is_refused_with_a_sentence() {
    let ran = noughts("join nowhere", "");
    assert_eq!(ran.status(), 2, "{}", ran.stderr());
    assert!(ran.stderr().contains("expected an address such as"), "{}", ran.stderr());
    noughts("bot --server http://localhost:1 --token x --player human", "")
        .fails(2, "a bot is a computer: choose another --player");
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("noughts.toml");
    std::fs::write(&config, "thinker = 3\n").unwrap();
    let ran = noughts(&format!("serve --config {}", config.display()), "");
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("unknown field `thinker`"), "{}", ran.stderr());
    assert_eq!(noughts("serve --listen everywhere", "").status(), 2);
}

#[test]
fn addresses_and_settings_that_lead_nowhere_are_refused() {
    let server = Server::start();
    let waiting = server.post("/guests", None, json!({}));
    let token = waiting["token"].as_str().unwrap();
    let open = json!({"seats": [{"for": "me"}, {"for": "anyone"}]});
    let game = server.post("/games", Some(token), open);
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    // Neither half an address nor watching makes anyone play with whoever waits.
    for (who, arguments) in [
        ("ann", "/game/01m7h5he06bss --plain"),
        ("bob", "/foo --plain"),
        ("cy", " --watch --plain"),
    ] {
        let ran = server.run(who, &format!("join {}{arguments}", server.address), "");
        assert_eq!(ran.status(), 2, "{arguments}");
        assert_eq!(server.get(&path)["phase"], "open", "{arguments}");
    }
    for wrong in ["--log zzz", "--database mysql://x", "--league club"] {
        assert_eq!(noughts(&format!("serve {wrong}"), "").status(), 2, "{wrong}");
    }
}

/// The address of a server that gives these answers, one after the other: heads and bodies.
fn answering(answers: Vec<(&'static str, Value)>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (head, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            read_request(&stream);
            let (body, end) = (body.to_string(), "connection: close\r\n");
            let length = body.len();
            let _ =
                write!(stream, "HTTP/1.1 {head}\r\n{end}content-length: {length}\r\n\r\n{body}");
        }
    });
    address
}

/// Reads all of a request: a connection that is closed before that may take the answer with it.
fn read_request(stream: &TcpStream) {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).unwrap() > 2 {
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap();
        }
        line.clear();
    }
    reader.read_exact(&mut vec![0; length]).unwrap();
}

/// Nothing that a server says moves the cursor, changes colours or turns the writing direction.
#[test]
fn a_server_cannot_write_to_the_terminal_what_it_wants() {
    let name = json!({"name": "Eve\u{1b}[2J\u{202e}"});
    let refusal = json!({"code": "bad_token", "message": "go\u{1b}]0;away\u{7}\nnow\u{2066}"});
    let server = answering(vec![("200 OK", name), ("401 Unauthorized", refusal.clone())]);
    let ran = noughts(&format!("bot --server {server} --token x --player easy"), "");
    let greeting = format!("Eve\u{fffd}[2J\u{fffd} plays easy at {server}\n");
    assert_eq!(ran.stdout(), greeting);
    ran.fails(1, "go\u{fffd}]0;away\u{fffd}\u{fffd}now\u{fffd}");

    let server = answering(vec![("403 Forbidden", refusal)]);
    noughts(&format!("join {server}"), "").fails(1, "go\u{fffd}]0;away\u{fffd}\u{fffd}now\u{fffd}");
    // Nor does it by way of an error that quotes it.
    let elsewhere = "303 See Other\r\nlocation: \u{9b}2J\u{202e}";
    let server = answering(vec![(elsewhere, json!({}))]);
    let ran = noughts(&format!("join {server}"), "");
    assert!(ran.stderr().contains("\u{fffd}2J\u{fffd}"), "{:?}", ran.stderr());
    assert!(!ran.stderr().trim_end().contains(is_unprintable), "{:?}", ran.stderr());
}

#[test]
fn a_bot_seeks_opponents_and_leaves_no_game_behind() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let arguments = format!(
        "bot --server {} --token {token} --player perfect --seek 3x3 --games 1",
        server.address
    );
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        let open = await_view(&server, "/games?phase=open", |open| !open[0].is_null());
        let id = open[0]["id"].as_str().unwrap();
        let path = format!("/games/{id}");
        let game = server.post(&format!("{path}/join"), Some(&guest), json!({}));
        let seat = game["game"]["yours"][0].clone();
        assert!(seat.is_u64(), "{game}");
        let cells = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
        let ended = loop {
            let view =
                await_view(&server, &path, |view| view["turn"] == seat || view["phase"] == "over");
            if view["phase"] == "over" {
                break view;
            }
            let moves = view["moves"].as_array().unwrap();
            let cell = cells.iter().find(|cell| !moves.contains(&json!(cell))).unwrap();
            let order = json!({"cell": cell, "seq": view["seq"], "key": cell});
            server.post(&format!("{path}/moves"), Some(&guest), order);
        };
        let ending = match ended["result"]["winner"].is_null() {
            true => "draw",
            false => "won (line)",
        };
        let expected = format!("Ann plays perfect at {}\n{id}: {ending}\n", server.address);
        assert_eq!(bot.join().unwrap().ok(), expected);
    });
    assert_eq!(server.get("/games?phase=open"), json!([]));
}

//! `noughts serve`, `noughts join` and `noughts bot`: a real server and its clients.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use noughts_rules::is_unprintable;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{noughts, noughts_with};

/// How long one step may take on a busy machine.
pub(crate) const STEP_TIMEOUT: Duration = Duration::from_secs(60);

/// A server with its own data folder. Stopped on drop.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) folder: TempDir,
    metrics: SocketAddr,
}

impl Server {
    pub(crate) fn start() -> Server {
        Server::start_with(|_, _| {})
    }

    /// Starts a server with a changed command, which may use the folder.
    pub(crate) fn start_with(prepare: impl FnOnce(&mut Command, &Path)) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let mut command = command(&folder.path().join("server.db"), "127.0.0.1:0");
        let metrics = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        command.env("NOUGHTS_METRICS", metrics.to_string());
        prepare(&mut command, folder.path());
        let (child, address) = run_server(command);
        Server { address, child, folder, metrics }
    }

    /// Kills the server.
    pub(crate) fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again with the same address and data.
    pub(crate) fn restart(&mut self) {
        let listen = self.address.strip_prefix("http://").unwrap();
        self.child = run_server(command(&self.folder.path().join("server.db"), listen)).0;
    }

    /// Runs a program with the data folder of a person.
    pub(crate) fn run(&self, who: &str, arguments: &str, input: &str) -> crate::Ran {
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

    /// Sends a command of a player who has seen the whole game.
    pub(crate) fn command(&self, path: &str, token: &str, command: Value) -> Value {
        let seq = &self.get(path)["seq"];
        let key = format!("{seq} {command}");
        let request = json!({"command": command, "seq": seq, "key": key});
        self.post(&format!("{path}/commands"), Some(token), request)
    }

    fn metrics(&self) -> String {
        let mut reply = ureq::get(format!("http://{}/metrics", self.metrics)).call().unwrap();
        reply.body_mut().read_to_string().unwrap()
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let mut reply = ureq::get(format!("{}/api/v1{path}", self.address)).call().unwrap();
        serde_json::from_str(&reply.body_mut().read_to_string().unwrap()).unwrap()
    }
}

/// Waits until a condition holds for the JSON at a path.
#[track_caller]
pub(crate) fn await_view(server: &Server, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + STEP_TIMEOUT;
    loop {
        let view = server.get(path);
        if holds(&view) {
            return view;
        }
        assert!(Instant::now() < end, "{path} is still {view}");
        thread::yield_now();
    }
}

/// The command of a server.
fn command(data: &Path, listen: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noughts"));
    command
        .args(["serve", "--listen", listen])
        // Tests poll without pauses.
        .args(["--requests-per-second=100000", "--commands-per-second=100000"])
        .env("NOUGHTS_DATA", data)
        .env("NOUGHTS_LOG", "warn")
        // Environments often have numbers for booleans.
        .envs([("NOUGHTS_LOG_JSON", "1"), ("NOUGHTS_SECURE_COOKIES", "0")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command
}

/// Starts a server. Returns it and the URL it prints.
fn run_server(mut command: Command) -> (Child, String) {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("Noughts is at ").expect("the server prints its URL");
    (child, address.to_string())
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn waiting_players_are_paired() {
    let server = Server::start();
    thread::scope(|scope| {
        let play = |who, input| {
            let server = &server;
            scope.spawn(move || server.run(who, &format!("join {}", server.address), input))
        };
        // The first player has three in a row first.
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
    // Later visitors see the result.
    let games = server.get("/games?phase=finished");
    // If both opened a game at the same moment, one of the two was aborted.
    let mut games = games.as_array().unwrap().iter();
    let game = games.find(|game| game["winner"].is_u64()).expect("a game that was won");
    let id = game["id"].as_str().unwrap();
    let watched = server.run("cy", &format!("join --watch {}/game/{id}", server.address), "");
    assert!(watched.ok().ends_with("wins!\n"), "{}", watched.stdout());
    // Players who only watch are not asked for a rematch.
    let watch = format!("join --watch {}/game/{id}", server.address);
    let watched = server.run("ann", &watch, "rematch\n");
    assert!(watched.ok().ends_with("wins!\n"), "{}", watched.stdout());
}

#[test]
fn people_play_against_the_computer() {
    let server = Server::start();
    let boxes = "rubbish\nA1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\nA1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\n";
    let arguments = format!("join {} --against easy", server.address);
    let ran = server.run("ann", &arguments, boxes);
    let text = ran.ok();
    assert!(
        text.contains("\"rubbish\" is not a box: expected one from A1 to C3, or help."),
        "{text}"
    );
    assert!(text.contains("wins!") || text.contains("It's a draw!"), "{text}");
    assert_eq!(server.get("/games?phase=finished").as_array().unwrap().len(), 1);
}

#[test]
fn accounts_are_created_and_used_again() {
    let server = Server::start();
    let boxes = "A1\nB2\nC3\nA2\nA3\nB1\nB3\nC1\nC2\n";
    let play = |who: &str, more: &str, first: &str| {
        let arguments = format!("join {} --against easy {more}", server.address);
        server.run(who, &arguments, &format!("{first}{boxes}"))
    };
    let games_of = |name: &str| server.get(&format!("/games?phase=finished&player={name}"));
    let count = |name: &str| games_of(name).as_array().unwrap().len();
    // The games of the guest come along.
    play("ann", "", "").ok();
    play("ann", "--name Ann --new", "correct horse\n").ok();
    assert_eq!(count("Ann"), 2);
    // The session is kept; elsewhere she signs in with her password.
    play("ann", "", "").ok();
    play("work", "--name Ann", "correct horse\n").ok();
    assert_eq!(count("Ann"), 4);
    assert_eq!(games_of("Ann")[0]["players"][0]["kind"], "account");
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
fn lost_connections_are_restored() {
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
        await_view(&server, &path, |view| view["turn"] == 0);
        server.command(&path, &token, json!({"type": "move", "move": cell}));
        // Crash after the connection is open.
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

/// The tokens of a bot of Ann's account and of a guest.
pub(crate) fn bot_and_guest(server: &Server) -> [String; 2] {
    let ann = server.post("/names", None, json!({"name": "Ann", "password": "correct horse"}));
    let bot = server.post("/tokens", ann["token"].as_str(), json!({"label": "bot"}));
    let guest = server.post("/guests", None, json!({}));
    [bot, guest].map(|session| session["token"].as_str().unwrap().to_string())
}

#[test]
fn bots_accept_invitations() {
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
        server.command(&path, &guest, json!({"type": "resign"}));
        let ran = bot.join().unwrap();
        let expected = format!("Ann plays easy at {}\n{id}: won (resigned)\n", server.address);
        assert_eq!(ran.ok(), expected);
    });
}

#[test]
fn bots_join_tournaments() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let tournament = json!({"name": "Club", "format": {"type": "round_robin", "cycles": 1},
        "clock": {"initial_ms": 600_000}, "bots": true});
    let created = server.post("/tournaments", Some(&guest), tournament);
    let id = created["tournament"]["id"].as_str().unwrap();
    let path = format!("/tournaments/{id}");
    server.post(&format!("{path}/join"), Some(&guest), json!({}));
    let arguments = format!(
        "bot --server {0} --token {token} --player easy --games 1 --tournament {0}/tournament/{id}",
        server.address
    );
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        await_view(&server, &path, |state| {
            state["tournament"]["standings"].as_array().unwrap().len() == 2
        });
        let started = server.post(&format!("{path}/start"), Some(&guest), json!({}));
        let game = started["you"]["game"].as_str().unwrap();
        // Before the bot has seen it: the game counts all the same.
        server.command(&format!("/games/{game}"), &guest, json!({"type": "resign"}));
        let expected =
            format!("Ann plays easy at {}\njoined Club\n{game}: won (resigned)\n", server.address);
        assert_eq!(bot.join().unwrap().ok(), expected);
    });
}

#[test]
fn bots_accept_rematches() {
    let server = Server::start();
    let [token, guest] = bot_and_guest(&server);
    let seats = json!([{"for": "me"}, {"for": "player", "name": "Ann"}]);
    let game = server.post("/games", Some(&guest), json!({"seats": seats}));
    let id = game["id"].as_str().unwrap();
    let path = format!("/games/{id}");
    let arguments =
        format!("bot --server {} --token {token} --player easy --games 2", server.address);
    thread::scope(|scope| {
        let bot = scope.spawn(|| server.run("bot", &arguments, ""));
        await_view(&server, &path, |view| view["phase"] == "live");
        server.command(&path, &guest, json!({"type": "move", "move": "A1"}));
        await_view(&server, &path, |view| view["moves"].as_array().unwrap().len() == 2);
        server.command(&path, &guest, json!({"type": "resign"}));
        server.command(&path, &guest, json!({"type": "rematch"}));
        let view = await_view(&server, &path, |view| !view["rematch"].is_null());
        let rematch = view["rematch"].as_str().unwrap().to_string();
        let path = format!("/games/{rematch}");
        // The bot moved second, so it starts.
        await_view(&server, &path, |view| view["turn"] == 1);
        server.command(&path, &guest, json!({"type": "resign"}));
        let expected = format!(
            "Ann plays easy at {}\n{id}: won (resigned)\n{rematch}: won (resigned)\n",
            server.address
        );
        assert_eq!(bot.join().unwrap().ok(), expected);
    });
}

/// The engine runs for the whole game; a bot resigns when it fails.
#[cfg(unix)]
#[test]
fn bots_play_with_engines() {
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
                await_view(&server, &path, |view| view["turn"] == 1 || view["phase"] == "finished");
            assert_eq!(view["phase"], "live", "{}", view["result"]);
            view
        };
        let view = own_turn();
        let cell = if view["moves"][0] == "A1" { "A2" } else { "A1" };
        server.command(&path, &guest, json!({"type": "move", "move": cell}));
        let view = own_turn();
        assert_eq!(view["moves"].as_array().unwrap().len(), 3);
        server.command(&path, &guest, json!({"type": "resign"}));
        let expected = format!("Ann plays {player} at {}\n{id}: won (resigned)\n", server.address);
        assert_eq!(bot.join().unwrap().ok(), expected);
    });
}

/// The clock limits the thinking time.
#[test]
fn bots_keep_within_their_clocks() {
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
        await_view(&server, &path, |view| view["turn"] == 0);
        server.command(&path, &guest, json!({"type": "move", "move": "A1"}));
        let view = await_view(&server, &path, |view| view["turn"] != 1);
        assert_eq!((&view["turn"], &view["result"]), (&json!(0), &json!(null)));
        server.command(&path, &guest, json!({"type": "resign"}));
        bot.join().unwrap().ok();
    });
}

#[test]
fn invalid_arguments_are_explained() {
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
fn unknown_addresses_and_settings_are_refused() {
    let server = Server::start();
    let waiting = server.post("/guests", None, json!({}));
    let token = waiting["token"].as_str().unwrap();
    let open = json!({"seats": [{"for": "me"}, {"for": "anyone"}]});
    let game = server.post("/games", Some(token), open);
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    // Neither a truncated address nor watching pairs anyone with a waiting player.
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

/// The URL of a server with prepared answers: heads and bodies.
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

/// Reads the whole request: closing the connection before that could discard the answer.
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

/// Server text never moves the cursor, changes colours or turns the writing direction.
#[test]
fn server_text_cannot_control_the_terminal() {
    let name = json!({"id": 1, "name": "Eve\u{1b}[2J\u{202e}", "kind": "bot"});
    let refusal = json!({"code": "bad_token", "message": "go\u{1b}]0;away\u{7}\nnow\u{2066}"});
    let server = answering(vec![("200 OK", name), ("401 Unauthorized", refusal.clone())]);
    let ran = noughts(&format!("bot --server {server} --token x --player easy"), "");
    let greeting = format!("Eve\u{fffd}[2J\u{fffd} plays easy at {server}\n");
    assert_eq!(ran.stdout(), greeting);
    ran.fails(1, "go\u{fffd}]0;away\u{fffd}\u{fffd}now\u{fffd}");

    let server = answering(vec![("403 Forbidden", refusal)]);
    noughts(&format!("join {server}"), "").fails(1, "go\u{fffd}]0;away\u{fffd}\u{fffd}now\u{fffd}");
    // Neither do errors that quote it.
    let elsewhere = "303 See Other\r\nlocation: \u{9b}2J\u{202e}";
    let server = answering(vec![(elsewhere, json!({}))]);
    let ran = noughts(&format!("join {server}"), "");
    assert!(ran.stderr().contains("\u{fffd}2J\u{fffd}"), "{:?}", ran.stderr());
    assert!(!ran.stderr().trim_end().contains(is_unprintable), "{:?}", ran.stderr());
}

#[test]
fn seeking_bots_leave_no_open_games() {
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
        let game = server.command(&path, &guest, json!({"type": "join"}));
        let seat = game["game"]["your_seats"][0].clone();
        assert!(seat.is_u64(), "{game}");
        let cells = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3"];
        let ended = loop {
            let view = await_view(&server, &path, |view| {
                view["turn"] == seat || view["phase"] == "finished"
            });
            if view["phase"] == "finished" {
                break view;
            }
            let moves = view["moves"].as_array().unwrap();
            let cell = cells.iter().find(|cell| !moves.contains(&json!(cell))).unwrap();
            server.command(&path, &guest, json!({"type": "move", "move": cell}));
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

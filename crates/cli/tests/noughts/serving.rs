//! `noughts serve` and `noughts backup` from an operator's point of view.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Instant;

use serde_json::{Value, json};

use crate::noughts_with;
use crate::online::{STEP_TIMEOUT, Server};

/// A server that writes its log to a file.
fn logging(level: &str, is_json: bool) -> Server {
    Server::start_with(|command, folder| {
        command
            .env("NOUGHTS_LOG", level)
            .env("NOUGHTS_LOG_JSON", is_json.to_string())
            .stderr(File::create(folder.join("log")).unwrap());
    })
}

/// Stops a server as service managers do. Answers how it ended and what it logged.
fn terminate(server: &mut Server) -> (ExitStatus, String) {
    let kill = ["-s", "TERM", &server.child.id().to_string()];
    assert!(Command::new("kill").args(kill).status().unwrap().success());
    let deadline = Instant::now() + STEP_TIMEOUT;
    let status = loop {
        if let Some(status) = server.child.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < deadline, "the server goes on");
        thread::yield_now();
    };
    (status, fs::read_to_string(server.folder.path().join("log")).unwrap())
}

/// The path of a game of two guests in which the first has moved.
fn game_with_a_move(server: &Server) -> String {
    let guest = || {
        let guest = server.post("/guests", None, json!({}));
        guest["token"].as_str().unwrap().to_string()
    };
    let [first, second] = [guest(), guest()];
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let game = server.post("/games", Some(&first), json!({"seats": seats}));
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    server.command(&path, &second, json!({"type": "join"}));
    server.command(&path, &first, json!({"type": "move", "move": "B2"}));
    path
}

/// The stable part of a game view.
fn stable_view(server: &Server, path: &str) -> [Value; 4] {
    let view = server.get(path);
    ["phase", "seq", "moves", "turn"].map(|field| view[field].clone())
}

#[test]
fn stopped_server_keeps_its_games() {
    let mut server = logging("info", false);
    let path = game_with_a_move(&server);
    let before = stable_view(&server, &path);
    assert_eq!((&before[0], &before[2]), (&json!("live"), &json!(["B2"])));
    let address = server.address.replacen("http", "ws", 1);
    let (mut socket, _) = tungstenite::connect(format!("{address}/api/v1{path}/socket")).unwrap();
    // Spectators are disconnected when the server stops.
    let watching = thread::spawn(move || while socket.read().is_ok() {});
    let (status, log) = terminate(&mut server);
    watching.join().unwrap();
    assert_eq!(status.code(), Some(0), "{log}");
    let messages: Vec<&str> = log.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert!(messages.ends_with(&["stopping", "stopped"]), "{log}");
    assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
    server.restart();
    assert_eq!(stable_view(&server, &path), before);
}

#[test]
fn backup_of_running_server_is_servable() {
    let server = Server::start();
    let path = game_with_a_move(&server);
    let copy = server.folder.path().join("copy.db");
    let data = server.folder.path().join("server.db");
    let ran = noughts_with(&data, &format!("backup {}", copy.display()), "");
    assert_eq!(ran.ok(), format!("Backed up to {}.\n", copy.display()));
    let second = Server::start_with(|command, _| {
        command.env("NOUGHTS_DATA", &copy);
    });
    assert_eq!(stable_view(&second, &path), stable_view(&server, &path));
}

/// Puts a backup in the place of the file, as the documentation describes.
#[test]
fn restored_backup_goes_on() {
    let mut server = Server::start();
    let path = game_with_a_move(&server);
    let before = stable_view(&server, &path);
    server.post("/names", None, json!({"name": "Ann", "password": "correct horse"}));
    let folder = server.folder.path().to_path_buf();
    let data = folder.join("server.db");
    let backup = folder.join("backup.db");
    noughts_with(&data, &format!("backup {}", backup.display()), "").ok();
    let later = game_with_a_move(&server);
    server.crash();
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("server.db{suffix}")));
    }
    fs::copy(&backup, &data).unwrap();
    server.restart();
    assert_eq!(stable_view(&server, &path), before);
    let lost = ureq::get(format!("{}/api/v1{later}", server.address)).call();
    assert!(matches!(lost, Err(ureq::Error::StatusCode(404))), "{lost:?}");
    let session = json!({"name": "Ann", "password": "correct horse"});
    assert_eq!(server.post("/sessions", None, session)["player"]["name"], "Ann");
    game_with_a_move(&server);
    noughts_with(&data, "scores rebuild --check", "").ok();
}

/// What a server that was killed has left is nothing to warn of.
#[test]
fn restart_after_a_crash_logs_no_warning() {
    let mut crashed = Server::start();
    game_with_a_move(&crashed);
    crashed.crash();
    let mut server = Server::start_with(|command, folder| {
        for file in crashed.folder.path().read_dir().unwrap().map(Result::unwrap) {
            fs::copy(file.path(), folder.join(file.file_name())).unwrap();
        }
        command.stderr(File::create(folder.join("log")).unwrap());
    });
    assert_eq!(server.get("/games").as_array().unwrap().len(), 1);
    let (status, log) = terminate(&mut server);
    assert_eq!((status.code(), &*log), (Some(0), ""));
}

#[test]
fn second_server_on_a_file_is_refused() {
    let server = Server::start();
    let data = server.folder.path().join("server.db");
    let second = noughts_with(&data, "serve --listen 127.0.0.1:0 --log warn", "");
    let path = data.display();
    second.fails(1, &format!("another server is using {path}: several servers need PostgreSQL"));
    assert_eq!(second.stdout(), "", "it never says that it serves");
}

#[test]
fn metrics_are_on_an_address_of_their_own_by_default() {
    let mut server = Server::start_with(|command, folder| {
        command.env_remove("NOUGHTS_METRICS").env("NOUGHTS_LOG", "info");
        command.env("NOUGHTS_LOG_JSON", "").stderr(File::create(folder.join("log")).unwrap());
    });
    server.get("/leagues");
    let (_, log) = terminate(&mut server);
    let (_, address) = log.split_once("serving metrics address=").expect(&log);
    assert!(address.starts_with("127.0.0.1:"), "{log}");
}

/// The script in the Containerfile by which a container runtime checks the server.
#[test]
fn health_check_of_the_container_works() {
    let file = include_str!("../../../../deploy/Containerfile");
    let line = file.lines().find_map(|line| line.trim().strip_prefix("CMD [\"bash\", ")).unwrap();
    let arguments: Vec<String> = serde_json::from_str(&format!("[{line}")).unwrap();
    let mut server = Server::start();
    let port = server.address.rsplit(':').next().unwrap().to_string();
    let check = || {
        let arguments = arguments.iter().map(|text| text.replace("8000", &port));
        Command::new("bash").args(arguments).output().unwrap().status.success()
    };
    assert!(check());
    server.crash();
    assert!(!check());
}

#[test]
fn compacting_beside_a_running_server() {
    let server = Server::start();
    let path = game_with_a_move(&server);
    let before = stable_view(&server, &path);
    let data = server.folder.path().join("server.db");
    let said = "Folded 0 games.\n\
                A server uses the file. It keeps its size, and new games fill the space.\n";
    assert_eq!(noughts_with(&data, "compact --days 0", "").ok(), said);
    assert_eq!(stable_view(&server, &path), before);
}

#[test]
fn operator_resets_a_lost_password() {
    let server = Server::start();
    let data = server.folder.path().join("server.db");
    server.post("/names", None, json!({"name": "Ann", "password": "correct horse"}));
    noughts_with(&data, "account reset Eve", "").fails(1, "there is no account called Eve");
    let ran = noughts_with(&data, "account reset ann", "");
    let code = ran.ok().strip_prefix("Recovery code of ann: ").unwrap().trim_end();
    let recovery = json!({"name": "Ann", "code": code, "password": "another horse"});
    assert_eq!(server.post("/recoveries", None, recovery)["player"]["name"], "Ann");
}

/// Sends a raw request and waits for the response.
fn send(server: &Server, request: &str) {
    let mut stream = TcpStream::connect(server.address.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(STEP_TIMEOUT)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 4];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP", "{request:?}");
}

/// User input can add neither lines nor colours to the log.
#[test]
fn logs_cannot_be_forged() {
    let end = "host: x\r\nconnection: close";
    let name = json!({"name": "\nforged\u{1b}[2J", "password": "correct horse"}).to_string();
    let length = name.len();
    let requests = [
        format!("GET /%0Aforged%1B%5B2J?%0Aforged%1B HTTP/1.1\r\n{end}\r\n\r\n"),
        format!("GET /api/v1/games/%0Aforged%1B%5B2J HTTP/1.1\r\n{end}\r\n\r\n"),
        format!("GET /api/v1/games?player=%0Aforged%1B%5B2J HTTP/1.1\r\n{end}\r\n\r\n"),
        format!("GET /\u{1b}[2J HTTP/1.1\r\n{end}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\n{end}\r\nuser-agent: \u{1b}[2J\nforged\r\n\r\n"),
        format!("GET / HTTP/1.1\r\n{end}\r\nuser-agent: %0Aforged\u{9b}2J\r\n\r\n"),
        format!(
            "POST /api/v1/names HTTP/1.1\r\n{end}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{name}"
        ),
    ];
    for is_json in [false, true] {
        let mut server = logging("debug", is_json);
        requests.iter().for_each(|request| send(&server, request));
        let (_, log) = terminate(&mut server);
        let mut logged = 0;
        for line in log.lines() {
            assert!(!line.contains(char::is_control), "{line:?}");
            if is_json {
                let line: Value = serde_json::from_str(line).expect(line);
                logged += usize::from(line["fields"]["message"] == "request");
            } else {
                let (year, _) = line.split_once('-').expect(line);
                assert!(year.len() == 4 && year.parse::<u16>().is_ok(), "{line:?}");
                logged += usize::from(line.contains(" request method="));
            }
        }
        // Those that are no HTTP come to nothing before.
        assert_eq!(logged, requests.len() - 2, "{log}");
    }
}

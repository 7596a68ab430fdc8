//! Restoring a PostgreSQL database with its own tools.

use std::fs::File;

use noughts_testing::Postgres;
use serde_json::{Value, json};

use crate::noughts_args;
use crate::online::Server;

fn server_on(url: &str) -> Server {
    Server::start_with(|command, folder| {
        command.env("NOUGHTS_DATABASE", url).stderr(File::create(folder.join("log")).unwrap());
    })
}

fn sign_up(server: &Server, name: &str) -> String {
    let account = json!({"name": name, "password": "correct horse"});
    server.post("/names", None, account)["token"].as_str().unwrap().to_string()
}

/// Plays a rated game to these boxes, and returns its path.
fn play(server: &Server, tokens: [&str; 2], boxes: &[&str]) -> String {
    let seats = json!([{"for": "me"}, {"for": "anyone"}]);
    let new = json!({"seats": seats, "rated": true});
    let game = server.post("/games", Some(tokens[0]), new);
    let path = format!("/games/{}", game["id"].as_str().unwrap());
    server.command(&path, tokens[1], json!({"type": "join"}));
    for (turn, mv) in boxes.iter().enumerate() {
        server.command(&path, tokens[turn % 2], json!({"type": "move", "move": mv}));
    }
    path
}

/// Everything that must read back.
fn stored(server: &Server, games: &[String]) -> Vec<Value> {
    let fields = ["phase", "seq", "moves", "turn", "result", "rated", "board"];
    let views = games.iter().map(|path| server.get(path));
    let mut stored: Vec<Value> =
        views.flat_map(|view| fields.map(|field| view[field].clone())).collect();
    stored.extend(games.iter().map(|path| server.get(&format!("{path}/events"))));
    stored.push(server.get("/leagues"));
    stored
}

#[test]
fn dump_of_postgresql_restores_everything() {
    let Some(postgres) = Postgres::shared() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let [first, second] = [(); 2].map(|()| runtime.block_on(postgres.database()));
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("noughts.dump");

    let server = server_on(&first);
    let tokens = ["Ann", "Bob"].map(|name| sign_up(&server, name));
    let tokens = tokens.each_ref().map(String::as_str);
    let games = [
        play(&server, tokens, &["A1", "B1", "A2", "B2", "A3"]),
        play(&server, tokens, &["B2", "A1"]),
    ];
    let before = stored(&server, &games);
    // While the server runs.
    let mut pg_dump = postgres.tool("pg_dump");
    pg_dump.args(["--format=custom", "--file"]).arg(&dump).arg(&first);
    assert!(pg_dump.status().unwrap().success());
    drop(server);

    let mut pg_restore = postgres.tool("pg_restore");
    pg_restore.args(["--exit-on-error", "--no-owner", "--dbname", &second]).arg(&dump);
    assert!(pg_restore.status().unwrap().success());
    let server = server_on(&second);
    assert_eq!(stored(&server, &games), before);
    // The game goes on, new ones begin, and ratings follow from the log.
    server.command(&games[1], tokens[0], json!({"type": "move", "move": "C3"}));
    play(&server, tokens, &["A1", "B1", "A2", "B2", "A3"]);
    noughts_args(&["scores", "rebuild", "--check", "--database", &second], "").ok();
}

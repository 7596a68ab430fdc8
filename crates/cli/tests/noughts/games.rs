//! Stored games: found, deleted, exported and imported.

use std::path::Path;

use serde_json::Value;

use crate::{noughts_args, noughts_with, run};

fn play(data: &Path, names: [&str; 2], rules: &str, moves: &str) {
    let [first, second] = names;
    let play = format!("play --rules {rules} --name {first} --name {second} --symbol X --symbol O");
    noughts_with(data, &play, &(moves.replace(' ', "\n") + "\nquit\n")).ok();
}

fn played() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    play(&data, ["Ann", "Bob"], "3x3", "A1 B1 A2 B2 A3");
    play(&data, ["Bob", "Cy"], "gomoku", "H8 H9 resign");
    play(&data, ["Ann", "Cy"], "3x3", "A1 B2");
    (folder, data)
}

fn ids(data: &Path, arguments: &str) -> Vec<u64> {
    let ran = noughts_with(data, &format!("games {arguments} --json"), "");
    let games: Value = serde_json::from_str(ran.ok()).unwrap();
    games.as_array().unwrap().iter().map(|game| game["id"].as_u64().unwrap()).collect()
}

#[test]
fn games_are_searched_and_filtered() {
    let (_folder, data) = played();
    assert_eq!(ids(&data, ""), [3, 2, 1]);
    assert_eq!(ids(&data, "ann"), [3, 1]);
    assert_eq!(ids(&data, "ann won"), [1]);
    assert_eq!(ids(&data, "--player cy"), [3, 2]);
    assert_eq!(ids(&data, "--rules gomoku"), [2]);
    assert_eq!(ids(&data, "--result unfinished"), [3]);
    assert_eq!(ids(&data, "--winner cy"), [2]);
    assert_eq!(ids(&data, "--limit 1"), [3]);
    assert_eq!(ids(&data, "--since 2001-01-01"), [3, 2, 1]);
    assert_eq!(ids(&data, "--until 2001-01-01"), [] as [u64; 0]);
    let listed = noughts_with(&data, "games --player ann", "");
    let lines: Vec<&str> = listed.ok().lines().collect();
    assert!(lines[0].starts_with("game  played"), "{}", lines[0]);
    assert!(lines[1].contains("3x3    Ann, Cy   not over"), "{}", lines[1]);
    assert_eq!(noughts_with(&data, "games nobody", "").ok(), "No stored game is like that.\n");
    let wrong = noughts_with(&data, "games --since yesterday", "");
    assert_eq!(wrong.status(), 2);
    assert!(wrong.stderr().contains("expected a date such as 2026-01-31"), "{}", wrong.stderr());
}

#[test]
fn deleted_games_are_gone() {
    let (_folder, data) = played();
    let ran = noughts_with(&data, "games delete 1 3", "");
    assert_eq!(ran.ok(), "Game 1 is deleted.\nGame 3 is deleted.\n");
    assert_eq!(ids(&data, ""), [2]);
    // Its result went with it.
    assert!(!noughts_with(&data, "scores", "").ok().contains("Ann"));
    noughts_with(&data, "games delete 1", "").fails(1, "there is no game 1");
    noughts_with(&data, "play --continue", "").fails(1, "there is no unfinished game");
}

#[test]
fn exported_games_are_imported() {
    let (folder, data) = played();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let export = |arguments: &str| noughts_with(&data, &format!("games export {arguments}"), "");
    // Text has every game.
    export(&format!("--to {}", file("all.txt"))).ok();
    let other = folder.path().join("other.db");
    let ran = noughts_with(&other, &format!("import {}", file("all.txt")), "");
    assert_eq!(ran.ok(), "3 games are imported.\n");
    let texts = |data: &Path| noughts_with(data, "games export", "").ok().to_string();
    assert_eq!(texts(&data), texts(&other));
    assert_eq!(ids(&other, "--result unfinished"), [3]);
    noughts_with(&other, "play --continue 3", "C3\nquit\n").ok();
    // Imported games don't count.
    assert!(!noughts_with(&other, "scores", "").ok().contains("Ann"));
    export(&format!("--to {}", file("all.txt")))
        .fails(1, &format!("{} exists already", file("all.txt")));

    let json: Value = serde_json::from_str(export("--format json").ok()).unwrap();
    assert_eq!(json[0]["moves"], serde_json::json!(["A1", "B1", "A2", "B2", "A3"]));
    assert_eq!((&json[0]["result"], &json[0]["winner"]), (&"win".into(), &1.into()));
    // Gomoku only.
    let sgf = export("--format sgf");
    assert_eq!((sgf.status(), sgf.stdout().matches("GM[4]").count()), (0, 1));
    assert_eq!(sgf.stderr(), "noughts: 2 games are not gomoku: they are left out\n");
    let psq = export(&format!("--format psq --to {}", file("psq")));
    assert_eq!(psq.status(), 0, "{}", psq.stderr());
    let ran = noughts_with(&other, &format!("import {}", file("psq/game-2.psq")), "");
    assert_eq!(ran.ok(), "1 game is imported.\n");
    let none = folder.path().join("none.txt");
    std::fs::write(&none, "rubbish").unwrap();
    let ran = noughts_with(&other, &format!("import {}", none.display()), "");
    assert_eq!(ran.status(), 1);
}

#[test]
fn shown_games_have_json() {
    let (_folder, data) = played();
    let game: Value = serde_json::from_str(noughts_with(&data, "show 2 --json", "").ok()).unwrap();
    assert_eq!(game["rules"], "15x15:5");
    assert_eq!(game["players"][0]["name"], "Bob");
    assert_eq!(game["moves"][2], "resign:1");
}

#[test]
fn records_of_tournaments_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let file = folder.path().join("games.txt");
    let path = file.display().to_string();
    let arena = ["arena", "random", "easy", "--games", "2", "--records", &path];
    noughts_args(&arena, "").ok();
    let one = run(&data, &["show", &path, "--number", "2"], "");
    assert!(one.ok().starts_with("rules 3x3\n"), "{}", one.stdout());
    run(&data, &["show", &path], "")
        .fails(1, &format!("{path} has 2 games: choose one with --number 1 to 2"));
    assert_eq!(run(&data, &["import", &path], "").ok(), "2 games are imported.\n");
}

#[cfg(unix)]
#[test]
fn reviews_open_full_screen() {
    use crate::terminal::noughts_in_terminal;
    let terminal = noughts_in_terminal("play --rules 3x3");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2a1a2c1c2");
    terminal.wait_for(&["Player 1 (X) wins!"]);
    terminal.send("qq");
    let folder = terminal.end_and_keep();
    let show = crate::terminal::Start { arguments: "show 1", size: (80, 24), environment: &[] };
    let mut terminal = show.run_in(folder);
    terminal.wait_for(&["Move 5 of 5: Player 1 (X)", "Lost at"]);
    terminal.send("q");
    assert!(terminal.end().success());
}

#[cfg(unix)]
#[test]
fn stored_games_are_searched_on_the_screen() {
    use crate::terminal::{Start, noughts_in_terminal};
    let terminal = noughts_in_terminal("play --rules 3x3 --name Ann --name Bob");
    terminal.wait_for(&["Ann to move"]);
    terminal.send("b2a1a2c1c2");
    terminal.wait_for(&["Ann (X) wins!", "Enter play again"]);
    terminal.send("\r");
    terminal.wait_for(&["Bob to move"]);
    terminal.send("c3");
    terminal.wait_for(&["1 C3"]);
    terminal.send("\x03\x03");
    let folder = terminal.end_and_keep();
    let mut terminal =
        Start { arguments: "games", size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Stored games", "Ann, Bob", "Bob, Ann", "not over"]);
    terminal.send("/won\r");
    terminal.wait_until("only the won game", |screen| {
        let shown = screen.contents();
        shown.contains("Ann, Bob") && !shown.contains("not over") && shown.contains("Search: won")
    });
    terminal.send("d");
    terminal.wait_for(&["Delete game 1?"]);
    terminal.send("y");
    terminal.wait_for(&["No stored game is like that."]);
    terminal.send("\x1b");
    terminal.wait_for(&["Bob, Ann", "not over"]);
    terminal.send("c");
    terminal.wait_for(&["1 C3", "Ann to move"]);
    terminal.send("\x03\x03");
    assert!(terminal.end().success());
}

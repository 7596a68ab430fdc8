//! Scores that outlive the program.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::noughts_with;

/// Three games: Ann wins, Bob wins, Ann wins against Cy.
pub(crate) fn played() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    for (first, second, input) in [
        ("Ann", "Bob", "A1\nB1\nA2\nB2\nA3\n"),
        ("Ann", "Bob", "resign\n"),
        ("Cy", "ANN", "resign\n"),
    ] {
        play(&data, first, second, "", input);
    }
    (folder, data)
}

/// A file in which nothing is stored.
fn empty() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    noughts_with(&data, "play --name A --symbol X --name B --symbol O", "quit\n").ok();
    (folder, data)
}

pub(crate) fn play(
    data: &std::path::Path,
    first: &str,
    second: &str,
    flags: &str,
    input: &str,
) -> String {
    let players = format!("play --name {first} --symbol X --name {second} --symbol O {flags}");
    noughts_with(data, &players, input).ok().to_string()
}

pub(crate) fn json(data: &std::path::Path, arguments: &str) -> Value {
    serde_json::from_str(noughts_with(data, arguments, "").ok()).unwrap()
}

/// Changes the file behind the program's back.
pub(crate) fn change(data: &std::path::Path, statement: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(data);
        let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&pool).await.unwrap();
        pool.close().await;
    });
}

#[test]
fn standings_as_a_table() {
    let (_folder, data) = played();
    let expected = "\
rank  name  rating  wins  losses  draws
   1  Ann        2     2       1      0
   2  Bob        1     1       1      0
   3  Cy         0     0       1      0
";
    assert_eq!(noughts_with(&data, "scores", "").ok(), expected);
    assert_eq!(noughts_with(&data, "scores top", "").ok(), expected);
    assert_eq!(
        json(&data, "scores top 1 --json"),
        json!([{"rank": 1, "name": "Ann", "rating": 2, "wins": 2, "losses": 1, "draws": 0}])
    );
    assert_eq!(
        json(&data, "scores rank bob --json"),
        json!({"rank": 2, "name": "Bob", "rating": 1, "wins": 1, "losses": 1, "draws": 0,
            "above": [{"rank": 1, "name": "Ann", "rating": 2, "wins": 2, "losses": 1, "draws": 0}],
            "below": [{"rank": 3, "name": "Cy", "rating": 0, "wins": 0, "losses": 1, "draws": 0}]})
    );
    assert_eq!(
        noughts_with(&data, "scores rank BOB", "").ok(),
        "  rank  name  rating  wins  losses  draws
     1  Ann        2     2       1      0
>    2  Bob        1     1       1      0
     3  Cy         0     0       1      0
"
    );
}

/// The file contains everything.
#[test]
fn everything_is_in_one_file() {
    let (folder, data) = played();
    let copy = folder.path().join("elsewhere").join("copy.db");
    fs::create_dir(copy.parent().unwrap()).unwrap();
    fs::copy(&data, &copy).unwrap();
    let games = |data: &std::path::Path| json(data, "scores games --json");
    assert_eq!(games(&copy).as_array().unwrap().len(), 3);
    assert_eq!(games(&copy), games(&data));
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn missing_data_is_not_created() {
    let (folder, data) = played();
    let nothing = folder.path().join("nothing.db");
    for command in ["scores", "scores games", "scores rank Ann", "show 1", "analyse 1"] {
        let sentence = format!("there is no file {}", nothing.display());
        noughts_with(&nothing, command, "").fails(1, &sentence);
    }
    assert!(!nothing.exists());
    noughts_with(&data, "scores games --league none", "")
        .fails(1, "there is no league none: `noughts scores leagues` lists those there are");
    noughts_with(&data, "scores create club elo", "").ok();
    assert_eq!(
        noughts_with(&data, "scores games --league club", "").ok(),
        "No game counts in the league club yet.\n"
    );
    assert_eq!(json(&data, "scores games --league local --json").as_array().unwrap().len(), 3);
    for command in ["scores top abc", "scores games 0", "scores retract -1x"] {
        assert_eq!(noughts_with(&data, command, "").status(), 2, "{command}");
    }
    let refused = noughts_with(&data, "scores top abc", "");
    assert!(refused.stderr().contains("expected a whole number from 1 on"), "{}", refused.stderr());
    noughts_with(&data, "play --league \u{7}", "")
        .fails(2, "expected a league's name of 1 to 64 characters without control characters");
}

#[test]
fn player_record_and_neighbours() {
    let (_folder, data) = played();
    assert_eq!(
        noughts_with(&data, "scores show ann", "").ok(),
        "\
Ann, rank 1 of 3 in the league local
2 won, 1 lost, 0 drawn

Rating (wins): 2
2   █
    █
    █
    █
1 ▁▁█

against  won  lost  drawn
Bob        1     1      0
Cy         1     0      0
"
    );
    let ann = json(&data, "scores show Ann --json");
    assert_eq!(ann["opponents"][0], json!({"name": "Bob", "wins": 1, "losses": 1, "draws": 0}));
    assert_eq!(ann["history"].as_array().unwrap().len(), 3);
    noughts_with(&data, "scores show Zoe", "")
        .fails(1, "nobody called Zoe has a result in the league local");
}

#[test]
fn misspelt_leagues_are_refused() {
    let (_folder, data) = played();
    noughts_with(&data, "play --league clbu", "")
        .fails(2, "there is no league clbu: `noughts scores create clbu elo` creates it");
    assert!(!noughts_with(&data, "scores leagues", "").ok().contains("clbu"));
}

#[test]
#[cfg(unix)]
fn read_only_files_are_read() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let (folder, data) = played();
    let mode = |path: &std::path::Path, mode| {
        set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    mode(&data, 0o444);
    mode(folder.path(), 0o555);
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_noughts"));
        command.args(arguments).env("NOUGHTS_DATA", &data);
        command.env("NOUGHTS_SETTINGS", folder.path().join("settings.toml"));
        // Permissions mean nothing to root.
        if std::fs::write(folder.path().join("probe"), "").is_ok() {
            command.uid(65534).gid(65534);
        }
        command.output().unwrap()
    };
    for arguments in [&["scores"][..], &["show", "1"], &["games"]] {
        let ran = run(arguments);
        let shown = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            shown.contains("Ann"),
            "{arguments:?}: {shown}{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
    mode(folder.path(), 0o755);
}

#[test]
fn leagues_have_own_systems() {
    let (_folder, data) = played();
    noughts_with(&data, "scores create club elo", "").ok();
    noughts_with(&data, "scores create club elo", "")
        .fails(1, "the league club already exists, with the rating system elo");
    let bad = noughts_with(&data, "scores create other chess", "");
    assert_eq!(bad.status(), 2);
    assert!(bad.stderr().contains("glicko2"), "{}", bad.stderr());
    play(&data, "Ann", "Bob", "--league club", "resign\n");
    assert_eq!(
        json(&data, "scores top --league club --json"),
        json!([
            {"rank": 1, "name": "Bob", "rating": 1516, "wins": 1, "losses": 0, "draws": 0},
            {"rank": 2, "name": "Ann", "rating": 1484, "wins": 0, "losses": 1, "draws": 0},
        ])
    );
    assert_eq!(
        noughts_with(&data, "scores leagues", "").ok(),
        "league  system  results\nclub    elo           1\nlocal   wins          3\n"
    );
    noughts_with(&data, "scores top --league none", "")
        .fails(1, "there is no league none: `noughts scores leagues` lists those there are");
}

#[test]
fn games_and_taking_results_back() {
    let (_folder, data) = played();
    let games = json(&data, "scores games --json");
    assert_eq!(games[0]["players"], json!(["Cy", "ANN"]));
    assert_eq!((&games[0]["winner"], &games[0]["result"]), (&json!("ANN"), &json!(3)));
    assert_eq!(
        noughts_with(&data, "scores retract 1", "").ok(),
        "Result 1 is retracted and no longer counts.\n"
    );
    noughts_with(&data, "scores retract 1", "").fails(1, "result 1 is already retracted");
    noughts_with(&data, "scores retract 9", "").fails(1, "there is no result 9");
    assert_eq!(json(&data, "scores rank Ann --json")["wins"], 1);
    assert!(noughts_with(&data, "scores games", "").ok().contains("1 (retracted)"));
}

#[cfg(feature = "server")]
#[test]
fn everything_can_be_counted_again() {
    let (_folder, data) = played();
    noughts_with(&data, "scores retract 3", "").ok();
    let same = "local: 2 results, 2 players, as stored\n";
    assert_eq!(noughts_with(&data, "scores rebuild --check", "").ok(), same);

    change(&data, "UPDATE results SET winner_seat = 1 WHERE id = 1");
    let differs = noughts_with(&data, "scores rebuild --check", "");
    assert_eq!(
        (differs.stdout(), differs.stderr(), differs.status()),
        (
            "local: 2 results, 2 players, one result differs\n  \
             result 1: stored: seat 1 won; replayed: seat 0 won\n",
            "noughts: one league differs from its games\n",
            1
        )
    );
    let json = noughts_with(&data, "scores rebuild --check --json", "");
    let json: Value = serde_json::from_str(json.stdout()).unwrap();
    assert_eq!((&json[0]["mismatches"][0]["result"], &json[0]["same"]), (&json!(1), &json!(false)));
    assert!(noughts_with(&data, "scores rebuild", "").ok().contains("one result differs"));
    assert_eq!(noughts_with(&data, "scores rebuild --check", "").ok(), same);
    let empty = empty();
    let nothing = noughts_with(&empty.1, "scores rebuild --check", "");
    assert_eq!(nothing.ok(), "There is no league yet.\n");
}

#[test]
fn backup_replaces_the_file() {
    let (folder, data) = played();
    let copy = folder.path().join("copy.db");
    let backup = format!("backup {}", copy.display());
    let said = format!("Backed up to {}.\n", copy.display());
    assert_eq!(noughts_with(&data, &backup, "").ok(), said);
    assert_eq!(noughts_with(&copy, "scores", "").ok(), noughts_with(&data, "scores", "").ok());
    noughts_with(&data, &backup, "").fails(
        1,
        &format!(
            "can't use {}: the file exists, and backups never overwrite files",
            copy.display()
        ),
    );
    let nothing = folder.path().join("nothing.db");
    noughts_with(&nothing, "backup elsewhere.db", "")
        .fails(1, &format!("there is no file {}", nothing.display()));
    assert!(!nothing.exists());
}

#[test]
fn stored_games_can_be_shown() {
    let (_folder, data) = played();
    let text = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins\n";
    assert_eq!(noughts_with(&data, "show 1", "").ok(), text);
    let boards = noughts_with(&data, "show 1 --format boards", "");
    assert!(boards.ok().starts_with("\nThe empty board\n_  _  _\n"));
    assert!(
        boards
            .stdout()
            .ends_with("\nMove 5: Ann (X) takes A3\nX  X  X\nO  O  _\n_  _  _\n\nAnn (X) wins!\n")
    );
    noughts_with(&data, "show 1 --format sgf", "").fails(
        1,
        "no SGF: 3x3 is not gomoku: expected five in a row for two players on a flat board, with exact or renju at most",
    );
    noughts_with(&data, "show 99", "")
        .fails(1, "there is no game 99: `noughts games` lists those there are");
}

#[test]
fn score_shows_those_present() {
    let (_folder, data) = played();
    let output = play(&data, "Bob", "Cy", "", "score\nquit\n");
    assert!(
        output.ends_with(
            "> score\nScore: Bob 0, Cy 0, draws 0\nrank  name  rating  wins  losses  draws\n   \
             2  Bob        1     1       1      0\n   3  Cy         0     0       1      0\n\
             Player 1: Enter box:\n> quit\n"
        ),
        "{output}"
    );
}

#[test]
fn undo_retracts_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    play(&data, "Ann", "Bob", "", "A1\nB1\nA2\nB2\nA3\nundo\nquit\n");
    assert_eq!(json(&data, "scores top --json"), json!([]));
    let output = play(&data, "Ann", "Bob", "--rated", "resign\nundo\nno\n");
    assert!(
        output.contains("> undo\nThis game is rated: moves can't be taken back.\n"),
        "{output}"
    );
    assert_eq!(json(&data, "scores rank Bob --json")["wins"], 1);
    play(&data, "Ann", "Bob", "--casual", "resign\n");
    assert_eq!(json(&data, "scores rank Bob --json")["wins"], 1);
    // The first game is there twice: as it was retracted, and as it goes on.
    assert_eq!(json(&data, "scores games --json").as_array().unwrap().len(), 4);
}

#[test]
fn uncountable_game_is_still_stored() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let output = play(&data, "Ann", "ann", "", "resign\n");
    assert!(output.contains("This game does not count: two players are called ann.\n"), "{output}");
    assert!(output.contains("ann (O) wins!"));
    assert_eq!(json(&data, "scores games --json")[0]["result"], Value::Null);
}

#[test]
fn files_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let letter = folder.path().join("letter.txt");
    fs::write(&letter, "Dear Jane").unwrap();
    let sentence =
        format!("{} is not a file of Noughts: choose another with --data", letter.display());
    noughts_with(&letter, "scores", "").fails(1, &sentence);
    noughts_with(&letter, "play", "").fails(1, &sentence);
    assert_eq!(fs::read_to_string(&letter).unwrap(), "Dear Jane");
    let (_folder, empty) = empty();
    let output = |command: &str| noughts_with(&empty, command, "").ok().to_string();
    assert_eq!(output("scores"), "Nobody has a result in the league local yet.\n");
    assert_eq!(output("scores leagues"), "There is no league yet: the first game creates one.\n");
    assert_eq!(output("scores games"), "No game has been stored yet.\n");
}

/// Without a place for its data the program still plays.
#[test]
fn no_place_for_the_data() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
        .env_remove("NOUGHTS_DATA")
        .env("XDG_DATA_HOME", "/dev/null/nowhere")
        .env("HOME", "/dev/null/nowhere")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"\n\n\n\nresign\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Player 2 (O) wins!"));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("noughts: games are not stored: "));
}

/// Killed right after it announced a result, the program has stored it.
#[test]
fn announced_result_survives_a_kill() {
    use std::io::{BufRead, BufReader, Write};
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    for round in 1..=5 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args("play --name Ann --symbol X --name Bob --symbol O".split(' '))
            .env("NOUGHTS_DATA", &data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"resign\n").unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap() == "Bob (O) wins!"));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(json(&data, "scores rank Bob --json")["wins"], round);
    }
}

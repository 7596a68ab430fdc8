//! What authors of engines need of a tournament.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::{noughts, noughts_args};

/// An engine that fills a row of the board from the left, and says of each move what its second argument is.
fn row_engine(folder: &Path) -> String {
    let path = folder.join("pbrain-row");
    let script = "#!/bin/sh\nx=0\necho 'ready to fill a row' >&2\nwhile read -r line; do\n\
                  case $line in\n\
                  START*|RESTART*) x=0; echo OK;;\n\
                  BEGIN*|TURN*|DONE*) [ -n \"$2\" ] && echo \"MESSAGE $2\"; echo $x,$1; x=$((x+1));;\n\
                  esac\ndone\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn arena(players: &[&str], flags: &str) -> Value {
    let flags: Vec<&str> = flags.split(' ').collect();
    let arguments =
        [&["arena"], players, &["--rules", "gomoku", "--openings", "0"], &flags].concat();
    serde_json::from_str(noughts_args(&[&arguments[..], &["--json"]].concat(), "").ok()).unwrap()
}

#[test]
fn engines_are_logged_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let engine = row_engine(folder.path());
    let (logs, records) = (folder.path().join("logs"), folder.path().join("games.jsonl"));
    let top = format!("engine:{engine} 0 'depth 3 ev 84 n 2K',name=top,time=2s,info.max_memory=7");
    let low_player = format!("engine:{engine} 14,name=low");
    let (logs_path, records_path) = (logs.display().to_string(), records.display().to_string());
    let flags = format!(
        "--games 2 --clock 1m+1s --stats --engine-log {logs_path} --records {records_path}"
    );
    let report = arena(&[&top, &low_player], &flags);
    let player = |name: &str| {
        let players = report["players"].as_array().unwrap().iter();
        players.clone().find(|row| row["player"] == name).unwrap()["statistics"].clone()
    };
    // The first five in a row wins: each won one game with 5 moves, and made 4 in the other.
    assert_eq!((&player("top")["moves"], &player("top")["nodes"]), (&json!(9), &json!(18_000)));
    assert_eq!((&player("low")["moves"], &player("low")["nodes"]), (&json!(9), &json!(0)));

    let log = fs::read_to_string(logs.join("00001-top.log")).unwrap();
    let said = |direction: &str, line: &str| {
        let found = log.lines().any(|logged| logged.ends_with(&format!(" {direction} {line}")));
        assert!(found, "{direction} {line} in {log}");
    };
    said(">", "START 15");
    said(">", "INFO timeout_turn 2000");
    said(">", "INFO timeout_match 60000");
    said(">", "INFO time_left 60000");
    said(">", "INFO max_memory 7");
    said("<", "MESSAGE depth 3 ev 84 n 2K");
    said("<", "4,0");
    said("!", "ready to fill a row");
    let low = fs::read_to_string(logs.join("00002-low.log")).unwrap();
    assert!(low.contains("INFO timeout_turn 60000"), "{low}");

    // The same again from the records: nothing is left to play.
    fs::remove_dir_all(&logs).unwrap();
    assert_eq!(arena(&[&top, &low_player], &format!("{flags} --resume")), report);
    assert_eq!(fs::read_dir(&logs).unwrap().count(), 0);
}

#[test]
fn clocks_are_enforced() {
    let folder = tempfile::tempdir().unwrap();
    let engine = row_engine(folder.path());
    let silent = folder.path().join("pbrain-silent");
    let script = "#!/bin/sh\nread -r line; echo OK; while read -r line; do :; done\n";
    fs::write(&silent, script).unwrap();
    fs::set_permissions(&silent, fs::Permissions::from_mode(0o755)).unwrap();
    let silent = format!("engine:{},name=silent,clock=200ms+1s", silent.display());
    let flags = ["--rules", "gomoku", "--openings", "0", "--games", "2", "--clock", "1m"];
    let row = format!("engine:{engine} 0,name=row");
    let ran = noughts_args(&[&["arena", &silent, &row], &flags[..]].concat(), "");
    assert!(ran.ok().contains("silent forfeited 2 games: the time is up"), "{}", ran.stdout());
    // Built-in players divide their time themselves.
    let ran = noughts("arena hard medium --rules 4x4:3 --games 2 --clock 1s+50ms", "");
    assert!(!ran.ok().contains("forfeited"), "{}", ran.stdout());
}

#[test]
fn hopeless_games_are_resigned() {
    let folder = tempfile::tempdir().unwrap();
    let engine = row_engine(folder.path());
    let records = folder.path().join("games.jsonl").display().to_string();
    let hopeless = format!("engine:{engine} 0 'Eval -M7',name=hopeless");
    let silent = format!("engine:{engine} 14,name=silent");
    let flags = format!("--games 2 --resign movecount=2,score=500 --records {records}");
    let report = arena(&[&hopeless, &silent], &flags);
    assert_eq!(
        (&report["pairings"][0]["losses"], &report["players"][1]["forfeits"]),
        (&json!(2), &json!(0))
    );
    let text = fs::read_to_string(&records).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games[0]["moves"], json!(["A1", "O1", "A2", "resign:1"]));
    assert_eq!(
        (&games[0]["end"], &games[0]["winner"]),
        (&json!("adjudicated-resignation"), &json!(2))
    );
    assert_eq!(arena(&[&hopeless, &silent], &format!("{flags} --resume")), report);
    // An engine that gives no scores plays on.
    let report = arena(
        &[&silent, &format!("engine:{engine} 0,name=other")],
        &flags.replace("games.jsonl", "2.jsonl"),
    );
    assert_eq!(report["pairings"][0]["wins"], 1);
}

/// `noughts brain` says what it sees in the words that the arena reads.
#[test]
fn brains_are_adjudicated_and_counted() {
    let program = env!("CARGO_BIN_EXE_noughts");
    let brain = |name: &str| format!("engine:{program} brain,name={name},nodes=500");
    let flags = "--games 2 --stats --draw movenumber=3,movecount=2,score=400000";
    let report = arena(&[&brain("one"), &brain("two")], flags);
    assert_eq!(report["pairings"][0]["draws"], 2, "{report}");
    let nodes = report["players"][0]["statistics"]["nodes"].as_u64().unwrap();
    assert!(nodes > 500, "{report}");
}

#[test]
fn level_games_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["games.txt", "games.jsonl"] {
        let records = folder.path().join(name).display().to_string();
        let flags = format!(
            "arena perfect perfect --rules 4x4:4 --games 2 --nodes 200000 --records {records}"
        );
        let drawn = format!("{flags} --draw movenumber=2,movecount=1,score=0 --json");
        let report: Value = serde_json::from_str(noughts(&drawn, "").ok()).unwrap();
        assert_eq!(report["pairings"][0]["draws"], 2);
        let text = fs::read_to_string(&records).unwrap();
        assert!(!text.contains("A1 A2 A3 A4 B1 B2"), "{text}");
        let resumed: Value =
            serde_json::from_str(noughts(&format!("{drawn} --resume"), "").ok()).unwrap();
        assert_eq!(resumed, report, "{name}");
    }
    let ran = noughts("arena random random --rules 9x9:5 --games 2 --max-moves 3", "");
    assert!(ran.ok().contains("2 games were adjudicated"), "{}", ran.stdout());
}

#[test]
fn knockout_has_a_winner() {
    let command = "arena perfect easy random --tournament knockout --games 4";
    let report: Value =
        serde_json::from_str(noughts(&format!("{command} --json"), "").ok()).unwrap();
    let place = |name: &str| {
        let mut players = report["players"].as_array().unwrap().iter();
        players.find(|row| row["player"] == name).unwrap()["place"].clone()
    };
    assert_eq!(report["players"][0]["place"], 1);
    assert_eq!(place("perfect"), 1, "{report}");
    let met = report["pairings"].as_array().unwrap();
    assert_eq!(met.len(), 2);
    assert_eq!((&met[1]["first"], &met[1]["second"]), (&json!("easy"), &json!("random")));
    // Perfect players draw: the seeding decides.
    let ran = noughts("arena perfect perfect --tournament knockout --games 2", "");
    let note = "perfect went on by the seeding: every tie-break against perfect #2 was tied";
    assert!(ran.ok().contains(note), "{}", ran.stdout());
}

#[test]
fn swiss_system_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, flags: &str| {
        let file = folder.path().join(name).display().to_string();
        let command =
            "arena hard medium easy random easy --tournament swiss --games 2 --rules 4x4:3";
        noughts(&format!("{command} --records {file} {flags}"), "").ok().to_string()
    };
    let table = run("whole.txt", "");
    let head = table.lines().next().unwrap();
    assert!(head.ends_with("points  buchholz"), "{table}");
    let whole = fs::read_to_string(folder.path().join("whole.txt")).unwrap();
    let games: Vec<&str> = whole.split("\n\n").collect();
    assert_eq!(games.len(), 12, "three rounds of two encounters");
    // Interrupted in the second round.
    fs::write(folder.path().join("part.txt"), games[..5].join("\n\n") + "\n").unwrap();
    assert_eq!(run("part.txt", "--resume"), table);
    assert_eq!(fs::read_to_string(folder.path().join("part.txt")).unwrap(), whole);
}

#[test]
fn wrong_flags_are_explained() {
    noughts("arena easy hard --rounds 3", "").fails(2, "expected --tournament swiss with --rounds");
    noughts("arena easy hard --tournament swiss --sprt 0,5", "")
        .fails(2, "expected a round robin of two players with --sprt");
    let ran = noughts("arena easy hard --resign score=5", "");
    assert_eq!(ran.status(), 2);
    assert!(ran.stderr().contains("expected a rule such as movecount=3,score=1000"));
    let ran = noughts("arena easy,time=soon hard", "");
    assert!(ran.stderr().contains("expected a duration such as 500ms"), "{}", ran.stderr());
    let ran = noughts("arena easy,info.x=1 hard", "");
    assert!(ran.stderr().contains("`info.` options are for engines"), "{}", ran.stderr());
}

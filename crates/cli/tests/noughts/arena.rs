//! Tournaments between computer players.

use std::fs;
#[cfg(unix)]
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use noughts_rules::{Action, Game, Outcome, Position, Seat};
use serde_json::{Value, json};

use crate::noughts;

fn json(arguments: &str) -> Value {
    serde_json::from_str(noughts(arguments, "").ok()).unwrap()
}

/// Reads back what `--records` wrote.
fn games(records: &str) -> Vec<Game> {
    records.split("\n\n").map(|text| text.parse().unwrap()).collect()
}

#[test]
fn perfect_never_loses() {
    let report = json("arena random perfect --games 20 --json");
    let pairing = &report["pairings"][0];
    assert_eq!((&pairing["first"], &pairing["second"]), (&json!("random"), &json!("perfect")));
    assert_eq!(pairing["wins"], 0);
    assert!(pairing["losses"].as_u64() > Some(10), "{report}");
}

#[test]
fn thread_count_changes_nothing() {
    for arguments in [
        "arena random easy hard --rules 4x4:3 --games 10 --seed 7",
        "arena easy medium --rules 8x8:4 --games 6 --nodes 500 --json",
        "arena hard random --rules 4x4:3 --sprt 0,100",
    ] {
        let run = |threads: u8| noughts(&format!("{arguments} --threads {threads}"), "");
        assert_eq!(run(1).ok(), run(2).ok(), "{arguments}");
        assert_eq!(run(2).ok(), run(5).ok(), "{arguments}");
    }
}

#[test]
fn another_seed_brings_other_games() {
    let run = |seed: u8| json(&format!("arena easy medium --games 40 --seed {seed} --json"));
    assert_ne!(run(1)["pairings"], run(2)["pairings"]);
}

#[test]
fn tables_for_people() {
    // On a board where nobody can win, all that is shown is known. Four drawn games a pairing
    // have a variance of 4 (1/4 - 4/5 / 4) = 1/5 points; with three equal players that is 2/45 of
    // a strength, whose unit is 174 Elo, and 1.96 standard deviations are 72.
    assert_eq!(
        noughts("arena easy random easy --rules 1x2:2 --games 3", "").ok(),
        "\
rank  player   elo   ±  games  wins  draws  losses  score %  forfeits
   1  easy      +0  72      8     0      8       0     50.0         0
   1  random    +0  72      8     0      8       0     50.0         0
   1  easy #2   +0  72      8     0      8       0     50.0         0

   points against    1    2    3
1  easy              -  2.0  2.0
2  random          2.0    -  2.0
3  easy #2         2.0  2.0    -
"
    );
}

#[test]
fn json_has_everything() {
    // The error is as above: 2 (1/4 - 2/3 / 4) = 1/6 points, and half the difference each.
    assert_eq!(
        json("arena random easy --rules 1x2:2 --games 2 --seed 3 --json"),
        json!({
            "rules": "1x2:2",
            "games": 2,
            "seed": 3,
            "players": [
                {"player": "random", "elo": 0.0, "error": 139.0, "games": 2, "wins": 0,
                    "draws": 2, "losses": 0, "forfeits": 0},
                {"player": "easy", "elo": 0.0, "error": 139.0, "games": 2, "wins": 0,
                    "draws": 2, "losses": 0, "forfeits": 0},
            ],
            "pairings": [
                {"first": "random", "second": "easy", "wins": 0, "draws": 2, "losses": 0},
            ],
            "sprt": null,
        })
    );
}

#[test]
fn gauntlet_pairs_the_first_player() {
    let report = json("arena hard random easy --gauntlet --games 2 --json");
    let met: Vec<[&str; 2]> = report["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pairing| ["first", "second"].map(|player| pairing[player].as_str().unwrap()))
        .collect();
    assert_eq!(met, [["hard", "random"], ["hard", "easy"]]);
}

#[test]
fn records_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let arena = format!("arena perfect random --json --games 3 --records {}", file.display());
    let report = json(&arena);
    let read = games(&fs::read_to_string(&file).unwrap());
    assert_eq!((read.len(), &report["games"]), (4, &json!(4)));
    let wins = read.iter().filter(|game| {
        let winner = match game.position().outcome() {
            Some(Outcome::Win(seat)) => game.player(seat).map(|player| player.name()),
            _ => None,
        };
        winner == Some("perfect")
    });
    assert_eq!(report["pairings"][0]["wins"], wins.count());
    for pair in read.chunks(2) {
        let first = |game: &Game| game.player(Seat::FIRST).unwrap().name().to_string();
        assert_eq!([first(&pair[0]), first(&pair[1])], ["perfect", "random"]);
    }

    json(&arena);
    assert_eq!(games(&fs::read_to_string(&file).unwrap()).len(), 8);
}

#[test]
fn openings_are_played_by_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let arena = "arena random random --rules 9x9:5 --games 6 --json --records";
    json(&format!("{arena} {}", file.display()));
    let opening = |game: &Game| {
        let mut position = Position::new(game.rules());
        for action in game.history().take(4) {
            if let Action::Move { mv, .. } = action {
                position.play(mv).unwrap();
            }
        }
        position.to_string()
    };
    let openings: Vec<String> =
        games(&fs::read_to_string(&file).unwrap()).iter().map(opening).collect();
    for pair in openings.chunks(2) {
        assert_eq!(pair[0], pair[1]);
    }
    assert_ne!(openings[0], openings[2]);
}

/// An engine that agrees to play and then ends.
#[cfg(unix)]
pub(crate) fn failing_engine(folder: &std::path::Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("failing-engine");
    let script = "#!/bin/sh\nwhile read line; do\n\
                  case $line in START*|RECTSTART*) echo OK;; INFO*) ;; *) exit;; esac\ndone\n";
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn broken_engine_forfeits() {
    let folder = tempfile::tempdir().unwrap();
    let engine = failing_engine(folder.path());
    let ran = noughts(&format!("arena random engine:{engine} --rules 9x9:5 --games 2"), "");
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert!(lines[1].starts_with("   1  random "), "{lines:?}");
    assert!(lines[2].ends_with("  2     0      0       2      0.0         2"), "{lines:?}");
    let reasons: Vec<&&str> = lines.iter().filter(|line| line.contains("forfeited")).collect();
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].contains("forfeited 2 games: the engine exited"), "{reasons:?}");
    assert!(!ran.stdout().contains("inf") && !ran.stdout().contains("NaN"));
}

#[test]
fn engines_are_checked_before_the_first_game() {
    let missing = noughts("arena random engine:no/such/engine --rules 9x9:5 --games 2", "");
    assert_eq!((missing.status(), missing.stdout()), (2, ""));
    let expected = "noughts: engine:no/such/engine can't play: no/such/engine: ";
    assert!(missing.stderr().starts_with(expected), "{}", missing.stderr());
    // An engine that plays gomoku only.
    let other = noughts("arena random engine:no/such/engine --games 2", "");
    assert_eq!(other.status(), 2);
    assert!(other.stderr().contains("external engines play five in a row"), "{}", other.stderr());
}

#[test]
fn sprt_stops_once_decided() {
    let test = &json("arena perfect random --sprt 0,100 --json");
    assert_eq!((&test["sprt"]["accepted"], &test["sprt"]["elo1"]), (&json!("H1"), &json!(100.0)));
    assert!(test["games"].as_u64() < Some(60), "{test}");
    let other_way = &json("arena random perfect --sprt 0,100 --json");
    assert_eq!(other_way["sprt"]["accepted"], "H0");
    let short = noughts("arena easy random --sprt -5,5 --games 2", "");
    assert!(short.ok().contains("\nSPRT -5,5: undecided (log-likelihood ratio "));
}

#[test]
fn invalid_arguments_are_refused() {
    let human = noughts("arena human random", "");
    assert_eq!(human.status(), 2);
    assert!(human.stderr().contains("a person can't play here"), "{}", human.stderr());
    let unknown = noughts("arena easy foo", "");
    assert!(unknown.stderr().contains("`foo` is not a player: expected random, easy,"));
    noughts("arena easy hard --rules 5x5:4+3p", "")
        .fails(2, "expected rules for two players, 5x5:4+3p is for 3");
    noughts("arena easy hard medium --sprt 0,5", "")
        .fails(2, "expected two players with --sprt, got 3");
    noughts("arena easy hard --openings 9", "")
        .fails(2, "found no opening of 9 moves on 3x3 that decides nothing: expected fewer moves");
    for arguments in [
        "arena",
        "arena easy",
        "arena easy grandmaster",
        "arena easy hard --time 0s",
        "arena easy hard --time soon",
        "arena easy hard --games 0",
        "arena easy hard --threads 0",
        "arena easy hard --sprt 5,0",
    ] {
        let ran = noughts(arguments, "");
        assert_eq!((ran.status(), ran.stdout()), (2, ""), "{arguments}");
    }
}

#[test]
fn help_has_examples() {
    assert!(noughts("arena --help", "").ok().contains("Examples:"));
}

#[test]
fn time_is_a_budget_too() {
    let report = json("arena hard easy --games 2 --time 500ms --json");
    assert_eq!(report["games"], 2);
}

/// An engine that agrees to play, refuses its first game and, in its second, says so to a pipe and does not answer.
#[cfg(unix)]
fn an_engine_that_waits(folder: &Path) -> (PathBuf, PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let (engine, waiting) = (folder.join("pbrain-waits"), folder.join("waiting"));
    assert!(Command::new("mkfifo").arg(&waiting).status().unwrap().success());
    let script = "#!/bin/sh\ncd \"${0%/*}\"\n\
                  if [ ! -e checked ]; then touch checked; read -r line; echo OK; read -r line; exit; fi\n\
                  if [ ! -e begun ]; then touch begun; read -r line; echo ERROR not yet; exit; fi\n\
                  sleep 1000 &\necho $$ $! >waiting\nwait\n";
    fs::write(&engine, script).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    (engine, waiting)
}

/// Ctrl-C ends a tournament, but what was played counts; an engine ends with it, and so it does
/// when the program is killed.
#[cfg(unix)]
#[test]
fn interrupted_tournament_keeps_results() {
    let lives = |pid: &str| {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    };
    for signal in ["INT", "KILL"] {
        let folder = tempfile::tempdir().unwrap();
        let (engine, waiting) = an_engine_that_waits(folder.path());
        let arena = Command::new(env!("CARGO_BIN_EXE_noughts"))
            .args(["arena", "random", &format!("engine:{}", engine.display()), "--rules=gomoku"])
            .args(["--games=4", "--threads=1", "--time=1000s"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let pids = fs::read_to_string(waiting).unwrap();
        let kill = ["-s", signal, &arena.id().to_string()];
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        let ended = arena.wait_with_output().unwrap();
        if signal == "INT" {
            assert_eq!((ended.status.code(), &ended.stderr[..]), (Some(130), &b""[..]));
            let table = String::from_utf8(ended.stdout).unwrap();
            assert!(table.contains("forfeited 1 game: the engine refused: ERROR not yet"));
            let row = table.lines().find(|line| line.contains(" random ")).unwrap();
            assert_eq!(row.split_whitespace().nth(4), Some("1"), "games in {table}");
        }
        let deadline = Instant::now() + Duration::from_secs(10);
        assert_eq!(pids.split_whitespace().count(), 2);
        // A signal takes a moment to reach everyone.
        while pids.split_whitespace().any(lives) {
            assert!(Instant::now() < deadline, "{signal}: {pids}");
        }
    }
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (openings, games_file) = (folder.path().join("openings.txt"), folder.path().join("g.txt"));
    fs::write(&openings, "# two\nA1 B2\nC3\n").unwrap();
    let (openings, records) = (openings.display().to_string(), games_file.display().to_string());
    let arguments = ["arena", "random", "easy", "--games", "6", "--openings", &openings];
    crate::noughts_args(&[&arguments[..], &["--records", &records]].concat(), "").ok();
    let text = fs::read_to_string(&games_file).unwrap();
    let begins = |moves: &str| text.matches(&format!("\nmoves {moves}")).count();
    assert_eq!((begins("A1 B2"), begins("C3")), (4, 2), "{text}");
    fs::write(folder.path().join("openings.txt"), "A1 A1\n").unwrap();
    let wrong = crate::noughts_args(&arguments, "");
    wrong.fails(2, &format!("{openings}: line 1: A1 is taken, choose an empty box"));
}

#[test]
fn games_are_recorded_as_sgf_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let arena = |rules: &str, name: &str| {
        let flags = ["--games", "2", "--nodes", "50", "--rules", rules, "--records"];
        let file = file(name);
        crate::noughts_args(&[&["arena", "random", "easy"][..], &flags, &[&file]].concat(), "")
    };
    arena("gomoku", "games.sgf").ok();
    let ran = noughts(&format!("import {}", file("games.sgf")), "");
    assert_eq!(ran.ok(), "2 games are imported.\n");
    arena("3x3", "games.jsonl").ok();
    let text = fs::read_to_string(file("games.jsonl")).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((games.len(), &games[0]["rules"]), (2, &json!("3x3")));
    let refused = arena("3x3", "other.sgf");
    assert_eq!(refused.status(), 2);
    assert!(refused.stderr().contains("no SGF: 3x3 is not gomoku"), "{}", refused.stderr());
}

#[test]
fn interrupted_tournaments_are_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let arena = |name: &str, flags: &[&str]| {
        let path = file(name).display().to_string();
        let arguments = ["arena", "random", "easy", "medium", "--games", "4", "--records", &path];
        crate::noughts_args(&[&arguments[..], flags].concat(), "")
    };
    let whole = arena("whole.txt", &["--json"]).ok().to_string();
    let text = fs::read_to_string(file("whole.txt")).unwrap();
    // The first five games, as an interrupted tournament leaves them.
    let first: Vec<&str> = text.split("\n\n").take(5).collect();
    fs::write(file("part.txt"), first.join("\n\n") + "\n").unwrap();
    assert_eq!(arena("part.txt", &["--json", "--resume"]).ok(), whole);
    assert_eq!(fs::read_to_string(file("part.txt")).unwrap(), text);
    let other = ["arena", "random", "hard", "--resume", "--records"];
    let path = file("part.txt").display().to_string();
    let ran = crate::noughts_args(&[&other[..], &[&path]].concat(), "");
    let reason = "is of another tournament: resume with the same arguments";
    ran.fails(2, &format!("game 1 of {path} {reason}"));
}

#[test]
fn tests_have_error_rates() {
    let sprt = |rates: &str| {
        json(&format!("arena easy random --sprt 0,100 --sprt-errors {rates} --games 2 --json"))
    };
    assert_eq!(sprt("0.05,0.05")["sprt"]["upper"], json!(2.94));
    assert_eq!(sprt("0.01,0.1")["sprt"]["lower"], json!(-2.29));
    noughts("arena easy random --sprt 0,100 --sprt-errors 0.6,0.1", "")
        .fails(2, "expected error rates above 0 and below 0.5");
}

#[cfg(unix)]
#[test]
fn engines_have_arguments_and_names() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("engine");
    let brain = env!("CARGO_BIN_EXE_noughts");
    fs::write(&path, format!("#!/bin/sh\nexec {brain} \"$@\"\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let engine = format!("engine:{} brain --player easy,name=mine", path.display());
    let flags = ["--games", "2", "--rules", "gomoku", "--time", "200ms"];
    let ran = crate::noughts_args(&[&["arena", "random", &engine][..], &flags].concat(), "");
    assert!(ran.ok().contains("  mine "), "{}", ran.stdout());
    assert!(!ran.stdout().contains("forfeited"), "{}", ran.stdout());
}

//! Someone else's engine as a player: scripts that behave, and each way to misbehave.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noughts_engine::gomocup::{EngineError, External};

use super::*;

/// A script that another thread's child still has open for writing cannot be run, so tests
/// that write and run scripts take turns.
fn take_turns() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine that does this for each line, which is in `$line`.
fn engine(name: &str, body: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pbrain-{name}"));
    let script = format!("#!/bin/sh\nwhile read -r line; do\n{body}\ndone\n");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

const STARTS: &str = "case $line in START*|RESTART*) echo OK;; esac";

fn ask(name: &str, body: &str) -> Result<Cell, StrategyError> {
    let position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_millis(100));
    let choice = External::new(engine(name, body)).choose(&position, &budget);
    choice.map(|choice| choice.cell)
}

fn failure(name: &str, body: &str) -> EngineError {
    match ask(name, body) {
        Err(StrategyError::Engine(error)) => error,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn an_engine_that_behaves_plays_on() {
    let _turn = take_turns();
    let body = "case $line in START*|RESTART*) echo OK;; BEGIN*) echo MESSAGE hello; echo 7,6;; \
                TURN*) echo 3,4;; esac";
    let mut player = External::new(engine("good", body));
    let mut position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    for (cell, reply) in [("G8", "A1"), ("E4", "A2")] {
        let choice = player.choose(&position, &budget).unwrap();
        assert_eq!(choice.cell.to_string(), cell);
        position.play(choice.cell).unwrap();
        position.play(reply.parse().unwrap()).unwrap();
    }
    // It says the same again, which is no longer legal; and a new game is begun for it.
    let taken = player.choose(&position, &budget).unwrap_err();
    assert_eq!(taken, EngineError::Illegal("E4".parse().unwrap()).into());
    let fresh = Position::new(position.rules());
    assert_eq!(player.choose(&fresh, &budget).unwrap().cell.to_string(), "G8");
    assert_eq!(player.choose(&fresh, &budget).unwrap().cell.to_string(), "G8");
}

/// Engines hear of a game once, and then of each move; whatever else happens to the game, they
/// are shown the board.
#[test]
fn what_an_engine_is_told() {
    let _turn = take_turns();
    let told = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("told");
    let _ = fs::remove_file(&told);
    let body = format!(
        "case $line in INFO*) ;; *) echo \"$line\" | tr -d '\\r' >>{};; esac\n\
         case $line in START*) echo OK;; RESTART*) echo UNKNOWN;; \
         BEGIN*) echo 7,7;; TURN*|DONE*) echo 0,1;; esac",
        told.display()
    );
    let mut player = External::new(engine("told", &body));
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let mut choose = |moves: &[&str]| {
        let mut position = Position::new(&"15x15:5".parse().unwrap());
        for cell in moves {
            position.play(cell.parse().unwrap()).unwrap();
        }
        player.prepare(&position, &budget).unwrap();
        player.choose(&position, &budget).unwrap().cell.to_string()
    };
    assert_eq!(choose(&[]), "H8");
    assert_eq!(choose(&["H8", "C3"]), "B1");
    // The last two moves are taken back.
    assert_eq!(choose(&["H8", "D4"]), "B1");
    assert_eq!(
        fs::read_to_string(&told).unwrap().lines().collect::<Vec<_>>(),
        ["START 15", "BEGIN", "TURN 2,2", "RESTART", "START 15", "BOARD", "7,7,1", "3,3,2", "DONE"]
    );
}

#[test]
fn each_way_to_misbehave_has_its_name() {
    let _turn = take_turns();
    assert_eq!(failure("dead", "exit 0"), EngineError::Died);
    assert_eq!(
        failure("dies", &format!("{STARTS}\ncase $line in BEGIN*) exit 1;; esac")),
        EngineError::Died
    );
    assert_eq!(failure("silent", STARTS), EngineError::Silent);
    let body = format!("{STARTS}\ncase $line in BEGIN*) echo 15,0;; esac");
    assert_eq!(failure("beside", &body), EngineError::Illegal(Cell::new(0, 15).unwrap()));
    let body = format!("{STARTS}\ncase $line in BEGIN*) echo I win;; esac");
    assert_eq!(failure("lies", &body), EngineError::Nonsense("I win".to_owned()));
    let body = "case $line in START*) echo ERROR too large;; esac";
    assert_eq!(failure("refuses", body), EngineError::Refused("ERROR too large".to_owned()));
    let body = format!("{STARTS}\ncase $line in BEGIN*) while :; do echo MESSAGE hm; done;; esac");
    assert_eq!(failure("talks", &body), EngineError::Silent);
    let missing = External::new("no/such/engine")
        .choose(&Position::new(&"15x15:5".parse().unwrap()), &Budget::unlimited());
    assert!(matches!(missing, Err(StrategyError::Engine(EngineError::NotStarted { .. }))));
}

/// Whether there is such a process that is not just waiting to be counted as dead.
fn lives(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// An engine that leaves, forfeits or is left takes along what it has started.
#[test]
fn nothing_of_an_engine_is_left() {
    let _turn = take_turns();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_millis(100));
    for (name, answer) in [("answers", "7,7"), ("forfeits", "no"), ("is-silent", "MESSAGE")] {
        let pids = folder.join(format!("pids-{name}"));
        let body = format!(
            "case $line in START*) sleep 1000 & echo $$ $! >{}; echo OK;; \
             BEGIN*) echo {answer};; END*) sleep 1000;; esac",
            pids.display()
        );
        let mut player = External::new(engine(name, &body));
        let choice = player.choose(&position, &budget);
        assert_eq!(choice.is_ok(), name == "answers", "{choice:?}");
        drop(player);
        let pids = fs::read_to_string(&pids).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        // A signal takes a moment to reach everyone.
        while pids.split_whitespace().any(lives) {
            assert!(Instant::now() < deadline, "{name}");
        }
    }
}

#[test]
fn rules_without_words_are_refused() {
    for rules in ["3x3", "15x15:5+wrap", "7x7:5+3p", "6x7:4+gravity"] {
        let position = Position::new(&rules.parse().unwrap());
        let error = External::new("unused").choose(&position, &Budget::unlimited());
        assert_eq!(error, Err(EngineError::Rules(rules.to_owned()).into()));
    }
}

#[test]
fn the_stop_flag_is_heard() {
    let _turn = take_turns();
    let position = Position::new(&"15x15:5".parse().unwrap());
    let stop = Arc::new(AtomicBool::new(true));
    let mut player = External::new(engine("stopped", STARTS));
    let choice = player.choose(&position, &Budget::unlimited().with_stop(stop));
    assert_eq!(choice, Err(EngineError::Stopped.into()));
}

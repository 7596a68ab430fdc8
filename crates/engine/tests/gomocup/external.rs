//! External engines: scripts that behave, and one for each way to fail.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noughts_engine::gomocup::{EngineError, ExternalEngine};

use super::*;

/// Serialises the tests that write and run scripts: a script can't run while a concurrently forked
/// child still holds it open for writing.
fn lock_scripts() -> MutexGuard<'static, ()> {
    static SCRIPTS: Mutex<()> = Mutex::new(());
    SCRIPTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes an engine that runs this shell code for each line, `$line`.
fn write_engine(name: &str, body: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pbrain-{name}"));
    let script = format!("#!/bin/sh\nwhile read -r line; do\n{body}\ndone\n");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Acknowledges the start of a game.
const ACKNOWLEDGE_START: &str = "case $line in START*|RESTART*) echo OK;; esac";

fn ask(name: &str, body: &str) -> Result<Move, StrategyError> {
    let position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_millis(100));
    let choice = ExternalEngine::new(write_engine(name, body)).choose(&position, &budget);
    choice.map(|choice| choice.mv)
}

fn failure(name: &str, body: &str) -> EngineError {
    match ask(name, body) {
        Err(StrategyError::Engine(error)) => error,
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn working_engine_plays_on() {
    let _lock = lock_scripts();
    let body = "case $line in START*|RESTART*) echo OK;; BEGIN*) echo MESSAGE hello; echo 7,6;; \
                TURN*) echo 3,4;; esac";
    let mut player = ExternalEngine::new(write_engine("good", body));
    let mut position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    for (cell, reply) in [("G8", "A1"), ("E4", "A2")] {
        let choice = player.choose(&position, &budget).unwrap();
        assert_eq!(choice.mv.to_string(), cell);
        position.play(choice.mv).unwrap();
        position.play(reply.parse::<Move>().unwrap()).unwrap();
    }
    // It repeats a move that is no longer legal, and is restarted for a new game.
    let taken = player.choose(&position, &budget).unwrap_err();
    assert_eq!(taken, EngineError::IllegalMove("E4".parse().unwrap()).into());
    let fresh = Position::new(position.rules());
    assert_eq!(player.choose(&fresh, &budget).unwrap().mv.to_string(), "G8");
    assert_eq!(player.choose(&fresh, &budget).unwrap().mv.to_string(), "G8");
}

/// An engine gets the start of a game and then each move. After an undo it gets the whole board.
#[test]
fn engine_gets_turns_and_boards() {
    let _lock = lock_scripts();
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("engine-input");
    let _ = fs::remove_file(&log);
    let body = format!(
        "case $line in INFO*) ;; *) echo \"$line\" | tr -d '\\r' >>{};; esac\n\
         case $line in START*) echo OK;; RESTART*) echo UNKNOWN;; \
         BEGIN*) echo 7,7;; TURN*|DONE*) echo 0,1;; esac",
        log.display()
    );
    let mut player = ExternalEngine::new(write_engine("logging", &body));
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let mut choose = |moves: &[&str]| {
        let mut position = Position::new(&"15x15:5".parse().unwrap());
        for cell in moves {
            position.play(cell.parse::<Move>().unwrap()).unwrap();
        }
        player.prepare(&position, &budget).unwrap();
        player.choose(&position, &budget).unwrap().mv.to_string()
    };
    assert_eq!(choose(&[]), "H8");
    assert_eq!(choose(&["H8", "C3"]), "B1");
    // Other moves replace the last two.
    assert_eq!(choose(&["H8", "D4"]), "B1");
    assert_eq!(
        fs::read_to_string(&log).unwrap().lines().collect::<Vec<_>>(),
        ["START 15", "BEGIN", "TURN 2,2", "RESTART", "START 15", "BOARD", "7,7,1", "3,3,2", "DONE"]
    );
}

#[test]
fn every_failure_has_its_error() {
    let _lock = lock_scripts();
    assert_eq!(failure("dead", "exit 0"), EngineError::Exited);
    assert_eq!(
        failure("dies", &format!("{ACKNOWLEDGE_START}\ncase $line in BEGIN*) exit 1;; esac")),
        EngineError::Exited
    );
    assert_eq!(failure("silent", ACKNOWLEDGE_START), EngineError::TimedOut);
    let body = format!("{ACKNOWLEDGE_START}\ncase $line in BEGIN*) echo 15,0;; esac");
    assert_eq!(failure("off-board", &body), EngineError::IllegalMove(Cell::new(0, 15).unwrap()));
    let body = format!("{ACKNOWLEDGE_START}\ncase $line in BEGIN*) echo I win;; esac");
    assert_eq!(failure("unparsable", &body), EngineError::UnexpectedAnswer("I win".to_owned()));
    let body = "case $line in START*) echo ERROR too large;; esac";
    assert_eq!(failure("refusing", body), EngineError::Refused("ERROR too large".to_owned()));
    let body = format!(
        "{ACKNOWLEDGE_START}\ncase $line in BEGIN*) while :; do echo MESSAGE hm; done;; esac"
    );
    assert_eq!(failure("chatty", &body), EngineError::TimedOut);
    let missing = ExternalEngine::new("no/such/engine")
        .choose(&Position::new(&"15x15:5".parse().unwrap()), &Budget::unlimited());
    assert!(matches!(missing, Err(StrategyError::Engine(EngineError::NotStarted { .. }))));
}

/// Whether the process exists and is not a zombie.
fn is_running(pid: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The descendants of an engine die with it, whether it behaved or not.
#[test]
fn no_process_outlives_its_player() {
    let _lock = lock_scripts();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let position = Position::new(&"15x15:5".parse().unwrap());
    let budget = Budget::unlimited().with_time(Duration::from_millis(100));
    for (name, answer) in [("answers", "7,7"), ("unparsable", "no"), ("silent", "MESSAGE")] {
        let pids = folder.join(format!("pids-{name}"));
        let body = format!(
            "case $line in START*) sleep 1000 & echo $$ $! >{}; echo OK;; \
             BEGIN*) echo {answer};; END*) sleep 1000;; esac",
            pids.display()
        );
        let mut player = ExternalEngine::new(write_engine(name, &body));
        let choice = player.choose(&position, &budget);
        assert_eq!(choice.is_ok(), name == "answers", "{choice:?}");
        drop(player);
        let pids = fs::read_to_string(&pids).unwrap();
        let deadline = Instant::now() + Duration::from_secs(10);
        // Signals are delivered asynchronously.
        while pids.split_whitespace().any(is_running) {
            assert!(Instant::now() < deadline, "{name}");
        }
    }
}

#[test]
fn unsupported_rules_are_refused() {
    for rules in [
        "3x3",
        "15x15:5+wrap",
        "7x7:5+3p",
        "6x7:4+gravity",
        "5x5x5",
        "3x3+ultimate",
        "15x15:5+renju+swap2",
        "19x19:6+2s",
    ] {
        let position = Position::new(&rules.parse().unwrap());
        let error = ExternalEngine::new("unused").choose(&position, &Budget::unlimited());
        assert_eq!(error, Err(EngineError::UnsupportedRules(rules.to_owned()).into()));
    }
}

#[test]
fn stop_flag_ends_the_wait() {
    let _lock = lock_scripts();
    let position = Position::new(&"15x15:5".parse().unwrap());
    let stop = Arc::new(AtomicBool::new(true));
    let mut player = ExternalEngine::new(write_engine("stopped", ACKNOWLEDGE_START));
    let choice = player.choose(&position, &Budget::unlimited().with_stop(stop));
    assert_eq!(choice, Err(EngineError::Stopped.into()));
}

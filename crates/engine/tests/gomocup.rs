//! The Gomocup protocol as transcripts, and engines that misbehave.

use noughts_engine::gomocup::Brain;
use noughts_engine::{Budget, Choice, PlayerKind, Strategy, StrategyError, Verdict};
use noughts_rules::{Cell, Position};

/// Plays the first legal cell, so that transcripts are easy to follow.
struct FirstCell;

impl Strategy for FirstCell {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        position.legal_moves().next().map(Choice::unjudged).ok_or(StrategyError::GameOver)
    }
}

/// Lines that begin with `>` are the manager's, the others the brain's.
fn check(transcript: &str) {
    let mut brain = Brain::new(Box::new(FirstCell));
    let mut got = String::new();
    for line in transcript.lines().filter_map(|line| line.trim().strip_prefix("> ")) {
        got += &format!("> {line}\n");
        for answer in brain.respond(line).lines {
            got += &format!("{answer}\n");
        }
    }
    let expected: String = transcript.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(got.trim(), expected.trim());
}

#[test]
fn a_game_that_the_brain_opens() {
    check(
        "> START 15
         OK
         > INFO timeout_turn 1000
         > INFO game_type 1
         > INFO whatever it means
         > BEGIN
         0,0
         > TURN 7,7
         1,0
         > TURN 2,0
         3,0
         > TAKEBACK 3,0
         OK
         > TAKEBACK 2,0
         OK
         > TURN 5,5
         2,0
         > RESTART
         OK
         > TURN 0,0
         1,0",
    );
}

#[test]
fn boards_of_any_size_are_read_as_x_and_y() {
    check(
        "> RECTSTART 20,10
         OK
         > BOARD
         > 0,0,2
         > 1,0,1
         > 19,9,2
         > DONE
         2,0
         > TURN 3,0
         4,0",
    );
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    check(
        "> TURN 1,1
         ERROR no game: expected START or RECTSTART first
         > START 4
         ERROR the size is not supported: expected sides of 1 to 26, one of them at least 5
         > START 100
         ERROR the size is not supported: expected sides of 1 to 26, one of them at least 5
         > START 10
         OK
         > TURN 10,0
         ERROR 10,0 is not on the board
         > TURN x
         ERROR `x`: expected x,y
         > TURN 0,0
         1,0
         > TURN 1,0
         ERROR 1,0 is taken
         > TAKEBACK 5,5
         ERROR 5,5 is empty
         > TURN 2,0
         3,0
         > BOARD
         > 0,0,7
         > DONE
         ERROR `0,0,7`: expected x,y and 1, 2 or 3 after it, or DONE
         > SHOW
         UNKNOWN SHOW
         > INFO rule 4
         > RESTART
         OK
         > BEGIN
         ERROR rule 4 is not supported",
    );
}

/// Runners show boards with more stones of one side than of the other, and go on from there.
#[test]
fn unbalanced_boards_get_a_move() {
    check(
        "> START 15
         OK
         > BOARD
         > 0,0,1
         > 1,0,1
         > DONE
         2,0
         > TURN 5,5
         3,0
         > BOARD
         > 0,0,2
         > 1,0,2
         > 2,0,2
         > 3,0,2
         > 8,8,2
         > DONE
         4,0",
    );
}

/// Cells with a 3 are of no use to anyone: they were in a winning line, or are forbidden.
#[test]
fn cells_that_nobody_may_use() {
    check(
        "> START 15
         OK
         > BOARD
         > 0,0,3
         > 1,0,3
         > 2,0,3
         > 3,0,3
         > 4,0,3
         > 7,7,1
         > 8,7,2
         > DONE
         5,0
         > TURN 0,0
         ERROR 0,0 is taken
         > TURN 6,0
         7,0
         > BOARD
         > 0,0,3
         > DONE
         1,0
         > TAKEBACK 0,0
         OK",
    );
}

/// A brain that calculates completes its own four, and hinders the other's, whatever else there is.
#[test]
fn strange_boards_are_understood() {
    let answer = |stones: &[&str]| {
        let strategy = "perfect".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let mut brain = Brain::new(strategy);
        for line in ["START 15", "INFO max_node 2000", "BOARD"].iter().chain(stones) {
            brain.respond(line);
        }
        brain.respond("DONE").lines.join("\n")
    };
    let own = ["5,7,1", "6,7,1", "7,7,1", "8,7,1"];
    assert!(["4,7", "9,7"].contains(&answer(&own).as_str()));
    assert_eq!(answer(&[&own[..], &["4,7,3"]].concat()), "9,7");
    assert_eq!(answer(&["5,7,2", "6,7,2", "7,7,2", "8,7,2", "9,7,3"]), "4,7");
    // Forty dead cells in rows and columns, and hardly anything else.
    let dead: Vec<String> = (0..40).map(|i| format!("{},{},3", i % 8, i / 8)).collect();
    let dead: Vec<&str> = dead.iter().map(String::as_str).collect();
    let cell = answer(&[&dead[..], &["7,7,2"]].concat());
    assert!(cell.contains(',') && !cell.contains("ERROR"), "{cell}");
}

#[test]
fn a_move_that_the_manager_makes_for_the_brain() {
    check(
        "> START 15
         OK
         > PLAY 7,7
         7,7
         > TURN 8,8
         0,0
         > PLAY 8,8
         ERROR 8,8 is taken
         > PLAY
         ERROR ``: expected x,y",
    );
}

/// The brain of these transcripts has no opinion, so it always stays with its colour.
#[test]
fn swap2_openings_are_proposed_and_answered() {
    check(
        "> START 15
         OK
         > SWAP2BOARD
         > DONE
         4,0 6,2 9,0
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > DONE
         0,0
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 9,9
         > 8,8
         > 8,6
         > DONE
         0,0
         > BOARD
         > 7,7,1
         > 8,7,2
         > 9,9,1
         > 8,8,2
         > DONE
         0,0
         > RECTSTART 5,1
         OK
         > SWAP2BOARD
         > DONE
         0,0 1,0 2,0",
    );
}

#[test]
fn swap2_openings_that_make_no_sense() {
    check(
        "> SWAP2BOARD
         > DONE
         ERROR no game: expected START or RECTSTART first
         > START 15
         OK
         > SWAP2BOARD
         > 7,7
         > DONE
         ERROR expected no stones, three or five before DONE
         > SWAP2BOARD
         > 0,0
         > 1,1
         > 2,2
         > 3,3
         > 4,4
         > 5,5
         > DONE
         ERROR expected no stones, three or five before DONE
         > SWAP2BOARD
         > 7,7
         > 8,7
         > 7,7
         > DONE
         ERROR 7,7 can't be played in this opening
         > SWAP2BOARD
         > 7,7
         > 15,7
         > 7,8
         > DONE
         ERROR 15,7 can't be played in this opening
         > SWAP2BOARD
         > 7,7,1
         > DONE
         ERROR `7,7,1`: expected x,y or DONE
         > TURN 7,7
         0,0",
    );
}

/// Likes what it was told to like.
struct Opinion(i32);

impl Strategy for Opinion {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let cell = position.legal_moves().next().ok_or(StrategyError::GameOver)?;
        Ok(Choice { cell, verdict: Some(Verdict::Estimate(self.0)) })
    }
}

#[test]
fn who_does_not_like_its_colour_swaps() {
    for (score, expected) in [(-1, "SWAP"), (0, "0,0"), (1, "0,0")] {
        for stones in [3, 5] {
            let mut brain = Brain::new(Box::new(Opinion(score)));
            brain.respond("START 15");
            brain.respond("SWAP2BOARD");
            for stone in 0..stones {
                assert_eq!(brain.respond(&format!("{},{}", 7 + stone, 5 + stone)).lines, [""; 0]);
            }
            assert_eq!(brain.respond("DONE").lines, [expected], "{stones} stones");
        }
    }
}

/// With `INFO rule 1` six in a row do not win, so the game goes on.
#[test]
fn the_rule_decides_what_wins() {
    let board = "
         > BOARD
         > 0,0,2
         > 1,0,2
         > 2,0,2
         > 4,0,2
         > 5,0,2
         > 3,0,2
         > 0,2,1
         > 2,2,1
         > 4,2,1
         > 6,2,1
         > 8,2,1
         > DONE";
    check(&format!("> START 15\nOK{board}\nERROR the game is over, so it is nobody's turn"));
    check(&format!("> START 15\nOK\n> INFO rule 1{board}\n6,0"));
}

#[test]
fn the_end_and_the_name() {
    let mut brain = Brain::new(Box::new(FirstCell));
    let about = brain.respond("ABOUT").lines;
    assert!(about[0].starts_with("name=\"Noughts\", version=\""), "{about:?}");
    assert!(!brain.respond("").end);
    assert!(brain.respond("END").end);
}

#[cfg(unix)]
mod external {
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
            [
                "START 15", "BEGIN", "TURN 2,2", "RESTART", "START 15", "BOARD", "7,7,1", "3,3,2",
                "DONE"
            ]
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
        let body =
            format!("{STARTS}\ncase $line in BEGIN*) while :; do echo MESSAGE hm; done;; esac");
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
}

//! Transcripts of the Gomocup protocol, and external engines that misbehave.

#[cfg(unix)]
mod external;

use noughts_engine::gomocup::Brain;
use noughts_engine::{Budget, Choice, PlayerKind, Strategy, StrategyError, Verdict};
use noughts_rules::{Cell, Move, Position};

/// Plays the first legal cell, so transcripts are easy to follow.
struct FirstCell;

impl Strategy for FirstCell {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        position.legal_moves().next().map(Choice::without_verdict).ok_or(StrategyError::GameOver)
    }
}

/// Lines with `>` are the manager's, the others the brain's.
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
fn brain_opens_and_plays_on() {
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
fn rectangular_boards_use_x_and_y() {
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
fn errors_leave_the_game_unchanged() {
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
         > INFO rule 8
         > RESTART
         OK
         > BEGIN
         ERROR rule 8 is not supported",
    );
}

/// Managers send boards with more stones of one side than of the other, and continue from there.
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

/// A 3 marks a blocked cell: part of an earlier winning line, or forbidden.
#[test]
fn blocked_cells_are_never_played() {
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

/// A brain that searches completes its own four and blocks the opponent's.
#[test]
fn blocked_cells_keep_tactics_intact() {
    let answer = |stones: &[&str]| {
        let strategy = "perfect".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
        let mut brain = Brain::new(strategy);
        for line in ["START 15", "INFO max_node 2000", "BOARD"].iter().chain(stones) {
            brain.respond(line);
        }
        let reply = brain.respond("DONE").lines;
        let [message, cell] = &reply[..] else { panic!("{reply:?}") };
        assert!(message.starts_with("MESSAGE depth "), "{message}");
        cell.clone()
    };
    let own = ["5,7,1", "6,7,1", "7,7,1", "8,7,1"];
    assert!(["4,7", "9,7"].contains(&answer(&own).as_str()));
    assert_eq!(answer(&[&own[..], &["4,7,3"]].concat()), "9,7");
    assert_eq!(answer(&["5,7,2", "6,7,2", "7,7,2", "8,7,2", "9,7,3"]), "4,7");
    // Forty blocked cells in rows and columns, and hardly anything else.
    let blocked: Vec<String> = (0..40).map(|i| format!("{},{},3", i % 8, i / 8)).collect();
    let blocked: Vec<&str> = blocked.iter().map(String::as_str).collect();
    let cell = answer(&[&blocked[..], &["7,7,2"]].concat());
    assert!(cell.contains(',') && !cell.contains("ERROR"), "{cell}");
}

#[test]
fn manager_dictates_a_move() {
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

/// `FirstCell` gives no verdict, so the brain always keeps its colour.
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
fn invalid_swap2_openings_are_refused() {
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

/// Gives every position the same estimate.
struct FixedEstimate(i32);

impl Strategy for FixedEstimate {
    fn choose(&mut self, position: &Position, _: &Budget) -> Result<Choice, StrategyError> {
        let mv = position.legal_moves().next().ok_or(StrategyError::GameOver)?;
        Ok(Choice { mv, verdict: Some(Verdict::Estimate(self.0)) })
    }
}

#[test]
fn brain_swaps_a_worse_colour() {
    for (score, expected) in [(-1, "SWAP"), (0, "0,0"), (1, "0,0")] {
        for stones in [3, 5] {
            let mut brain = Brain::new(Box::new(FixedEstimate(score)));
            brain.respond("START 15");
            brain.respond("SWAP2BOARD");
            for stone in 0..stones {
                assert_eq!(brain.respond(&format!("{},{}", 7 + stone, 5 + stone)).lines, [""; 0]);
            }
            assert_eq!(brain.respond("DONE").lines, [expected], "{stones} stones");
        }
    }
}

/// With `INFO rule 4`, 4,4 would be a double three of the brain, which begins.
#[test]
fn rule_4_forbids_double_threes() {
    let strategy = "medium".parse::<PlayerKind>().unwrap().strategy(1).unwrap();
    let mut brain = Brain::new(strategy);
    brain.respond("START 9");
    brain.respond("INFO rule 4");
    brain.respond("INFO max_node 300");
    let lines = ["BOARD", "4,2,1", "4,3,1", "2,4,1", "3,4,1", "0,8,2", "8,8,2", "8,0,2", "0,0,2"];
    lines.iter().for_each(|line| assert_eq!(brain.respond(line).lines, [""; 0]));
    let reply = brain.respond("DONE").lines;
    assert!(reply[0].contains(',') && reply[0] != "4,4", "{reply:?}");
    // Blocked cells need seats of their own, and renju has two.
    brain.respond("BOARD");
    brain.respond("4,4,3");
    assert!(brain.respond("DONE").lines[0].starts_with("ERROR"));
}

/// With `INFO rule 1`, six in a row do not win, so the game continues.
#[test]
fn rule_1_ignores_overlines() {
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
fn about_names_and_end_ends() {
    let mut brain = Brain::new(Box::new(FirstCell));
    let about = brain.respond("ABOUT").lines;
    assert!(about[0].starts_with("name=\"Noughts\", version=\""), "{about:?}");
    assert!(!brain.respond("").end);
    assert!(brain.respond("END").end);
}

//! Solving, analysing, and playing with and as a computer.

use serde_json::{Value, json};

use crate::{noughts, noughts_args, noughts_with, scores};

fn solved(arguments: &str) -> Value {
    let mut json: Value = serde_json::from_str(noughts(arguments, "").ok()).unwrap();
    assert!(json["nodes"].is_u64() && json["seconds"].is_f64());
    let object = json.as_object_mut().unwrap();
    object.remove("nodes");
    object.remove("seconds");
    json
}

#[test]
fn solving() {
    let draw = solved("solve 3x3 --json");
    assert_eq!(
        (&draw["rules"], &draw["value"], &draw["plies"]),
        (&json!("3x3"), &json!("draw"), &json!(9))
    );
    assert_eq!(draw["line"].as_array().unwrap().len(), 9);
    let win = solved("solve 3x4 --json");
    assert_eq!(win["value"], "win");
    assert_eq!(win["plies"].as_u64(), Some(win["line"].as_array().unwrap().len() as u64));
    // What is not decided has a status of its own.
    let unknown = noughts("solve gomoku --budget 10ms --json", "");
    assert_eq!((unknown.status(), unknown.stderr()), (3, ""));
    let unknown: Value = serde_json::from_str(unknown.stdout()).unwrap();
    assert_eq!((&unknown["value"], &unknown["plies"]), (&json!("unknown"), &json!(null)));
    assert!(noughts("solve 3x3", "").ok().starts_with("draw with perfect play\nbest play: "));
    assert!(noughts("solve 3x4", "").ok().starts_with("win for player 1 in "));
    let unknown = noughts("solve gomoku --budget 10ms", "");
    assert_eq!(unknown.status(), 3);
    assert!(unknown.stdout().starts_with("unknown: the budget ran out"));
}

/// A finished game has its result as the value for the seat that would be next.
#[test]
fn solving_what_is_over() {
    for (arguments, value, sentence) in [
        ("3x3", "loss", "the game is over: player 1 has won\n"),
        ("3x3+misere", "win", "the game is over: player 2 has won\n"),
    ] {
        let solve =
            |flag: &str| noughts_args(&["solve", arguments, "--moves", "A1 B1 A2 B2 A3", flag], "");
        let json: Value = serde_json::from_str(solve("--json").ok()).unwrap();
        assert_eq!(
            (&json["value"], &json["plies"], &json["line"]),
            (&json!(value), &json!(0), &json!([]))
        );
        assert_eq!(solve("--budget=1s").ok(), sentence);
    }
    let draw = ["solve", "1x3:3", "--json", "--moves", "A1 A2 A3"];
    let json: Value = serde_json::from_str(noughts_args(&draw, "").ok()).unwrap();
    assert_eq!((&json["value"], &json["plies"]), (&json!("draw"), &json!(0)));
}

#[test]
fn unsolvable_rules_are_refused() {
    noughts("solve 3x3 --moves A1,A1", "").fails(
        2,
        "move 1, A1,A1: expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0",
    );
    noughts("solve 4x4+3p", "")
        .fails(1, "3 seats are still playing: only positions with two can be solved");
    assert_eq!(noughts("solve 3x3 --budget soon", "").status(), 2);
}

#[test]
fn analysing_a_position() {
    let ran = noughts("analyse --position 3x3_xo1/x2/3_o", "");
    assert_eq!(ran.status(), 2, "a position has spaces in it");
    let json: Value = serde_json::from_str(noughts("analyse --json", "").ok()).unwrap();
    assert_eq!(json["moves"].as_array().unwrap().len(), 9);
    let draw = json!({"move": "A1", "value": "draw", "plies": 9, "proven": true});
    assert_eq!(json["moves"][0], draw);
    assert!(json["best"].is_string() && json["line"].is_array());
    // In the middle the second player answers at the far end, and only losing moves are left.
    assert_eq!(
        noughts("analyse --rules 1x4:2+misere", "").ok(),
        "   1     2       3       4\nA  draw  loss 1  loss 1  draw\n\nbest: A4\nbest play: A4 A1 A2 A3\n"
    );
}

/// A loss that the search of three players sees is shown in words, not as a large number. B3 makes
/// two lines of two at once: O must stop the third player, who can then stop only one of them.
#[test]
fn analysing_a_game_of_three() {
    let arguments = ["analyse", "--position", "3x4:3+3p xx2/oo2/aa2 x", "--threads", "2"];
    let ran = noughts_args(&arguments, "");
    assert_eq!(
        ran.ok().lines().take(4).collect::<Vec<_>>(),
        [
            "   1  2  3        4",
            "A  X  X  ~win 1   ~loss 1",
            "B  O  O  ~win 2   ~loss 1",
            "C  △  △  ~loss 1  ~loss 1"
        ],
        "{}",
        ran.stdout()
    );
    let json = noughts_args(&[&arguments[..], &["--json"]].concat(), "");
    let json: Value = serde_json::from_str(json.ok()).unwrap();
    let expected = json!({"move": "A3", "value": "win", "plies": 1, "proven": false});
    assert_eq!((&json["moves"][0], &json["best"]), (&expected, &json!("A3")));
    assert_eq!(noughts("analyse --threads 0", "").status(), 2);
}

#[test]
fn analysing_a_stored_game() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let players = "play --name A --name B --symbol X --symbol O";
    noughts_with(&data, players, "A1\nA2\nB2\nC3\nB1\nB3\nC1\n").ok();
    assert!(
        noughts_with(&data, "analyse 1", "")
            .ok()
            .ends_with("\nThe game was lost at move 2, A2 by player 2: B2 was a draw.\n")
    );
    let json: Value =
        serde_json::from_str(noughts_with(&data, "analyse 1 --json", "").ok()).unwrap();
    let expected =
        json!({"number": 2, "player": 2, "move": "A2", "missed": "draw", "better": "B2"});
    assert_eq!(json["lost"], expected);

    // What was saved to a file can be looked at again.
    let file = folder.path().join("game.txt");
    std::fs::write(&file, noughts_with(&data, "show 1 --format text", "").ok()).unwrap();
    let of_file = format!("{} --format text", file.display());
    assert_eq!(
        noughts(&format!("show {of_file}"), "").ok(),
        std::fs::read_to_string(&file).unwrap()
    );
    let analysed = noughts(&format!("analyse {} --json", file.display()), "");
    assert_eq!(serde_json::from_str::<Value>(analysed.ok()).unwrap()["lost"], expected);
    let nothing = noughts("show abc", "");
    assert_eq!(nothing.status(), 1);
    assert!(nothing.stderr().contains("the number of a stored game"), "{}", nothing.stderr());
}

/// On a board too large to solve, the losing move is an estimate. Player 2 ignores an open three at
/// move 6, and no earlier position has a forced win, so deeper searches find the same move.
#[test]
fn analysing_a_large_game() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let players = "play --name A --name B --symbol X --symbol O";
    let moves = "H8\nG9\nH10\nI9\nH9\nA1\nH11\nH12\nH7\n";
    noughts_with(&data, &format!("{players} --rules gomoku"), moves).ok();
    let ran = noughts_with(&data, "analyse 1 --budget 500ms", "");
    let said = "\nThe game was probably lost at move 6, A1 by player 2: ";
    assert!(ran.ok().contains(said), "{}", ran.stdout());
    let three = "play --rules 3x5:3+3p --name A --name B --name C --symbol X --symbol O --symbol Y";
    noughts_with(&data, three, "A1\nB1\nC1\nA2\nB2\nC2\nA3\n").ok();
    let ran = noughts_with(&data, "analyse 2", "");
    assert!(ran.ok().ends_with("Losing moves are found in games of two players only.\n"));
}

/// The examples of `--help` do what they promise.
#[test]
fn solve_examples_work() {
    let ran =
        noughts_args(&["solve", "connect4", "--moves", "F4 E4", "--budget", "10ms", "--json"], "");
    assert_eq!(ran.status(), 3);
}

#[test]
fn game_against_the_computer() {
    let ran = noughts(
        "play --players human,perfect --name Ann --symbol X",
        "B2\nundo\nhint\nA1\nresign\n",
    );
    let output = ran.ok();
    assert!(output.contains("\nComputer (perfect) (O) takes "), "{output}");
    // Taking back goes back to the person's turn.
    assert!(
        output.contains(
            "> undo\n\nBoard:\n_  _  _\n_  _  _\n_  _  _\n\nPlayer 1: Enter box:\n> hint\n"
        )
    );
    assert!(output.contains(" is best: draw.\n"));
    assert!(output.contains("Computer (perfect) (O) wins!"));
}

#[test]
fn unproven_perfect_moves_are_announced() {
    let unproven = ", which is not proven to be best.\n";
    let large = noughts(
        "play --players human,perfect --rules gomoku --name Ann --symbol X",
        "H8\nresign\n",
    );
    assert!(large.ok().contains(unproven), "{}", large.stdout());
    let small = noughts("play --players human,perfect --name Ann --symbol X", "B2\nresign\n");
    assert!(!small.ok().contains(unproven), "{}", small.stdout());
    let hard = "play --players human,hard --rules gomoku --name Ann --symbol X";
    assert!(!noughts(hard, "H8\nresign\n").ok().contains(unproven));
}

#[test]
fn computers_among_themselves() {
    let ran = noughts("play --players perfect,perfect --seed 1", "");
    assert!(ran.ok().contains("It's a draw!"));
    let ran = noughts("play --players medium,medium,easy --rules 4x4:3+3p --seed 1", "");
    assert!(ran.ok().contains("wins!") || ran.stdout().contains("It's a draw!"));
    noughts("play --players human,human,human", "").fails(2, "expected 2 players, got 3");
    let bad = noughts("play --players human,grandmaster", "");
    assert_eq!(bad.status(), 2);
    assert!(bad.stderr().contains(
        "expected human, random, easy, medium, hard, perfect, mcts, alpha-beta or engine:PATH"
    ));
}

#[test]
#[cfg(unix)]
fn games_of_failing_engines_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let engine = crate::arena::failing_engine(folder.path());
    let play = format!("play --rules gomoku --players human,engine:{engine} --name A --symbol X");
    let ran = noughts_with(&data, &play, "H8\n");
    assert!(ran.ok().contains(" (O) forfeits: "), "{}", ran.stdout());
    assert!(ran.stdout().contains("A (X) wins!"));
    let sentence = "This game does not count: a computer player failed.";
    assert!(ran.stdout().contains(sentence), "{}", ran.stdout());
    assert_eq!(scores::json(&data, "scores top --json"), json!([]));
    assert_eq!(scores::json(&data, "scores games --json").as_array().unwrap().len(), 1);
}

#[test]
fn missing_engines_are_refused() {
    let ran = noughts(
        "play --rules gomoku --players human,engine:/no/such/engine --name A --symbol X",
        "H8\n",
    );
    assert_eq!((ran.status(), ran.stdout()), (2, ""));
    assert!(ran.stderr().contains("engine:/no/such/engine can't play: "), "{}", ran.stderr());
}

#[test]
fn brain_serves_match_runners() {
    let ran =
        noughts("brain --player medium", "START 15\r\nABOUT\r\nBEGIN\r\nFLY\r\nEND\r\nBEGIN\r\n");
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!(lines[0], "OK");
    assert!(lines[1].starts_with("name=\""));
    assert!(lines[2].split(',').all(|n| n.parse::<u8>().unwrap() < 15));
    assert!(lines[3].starts_with("UNKNOWN"));
    assert_eq!(lines.len(), 4);
    noughts("brain --player human", "")
        .fails(2, "a person can't be an engine: expected a computer player");
}

/// Without the flag that `END` and the end of the input set, the brain would think for a day.
#[test]
fn brain_ends_during_a_search() {
    let thinks = "START 15\r\nINFO timeout_turn 100000000\r\nTURN 7,7\r\n";
    for end in ["", "END\r\n", "BOARD\r\nEND\r\n"] {
        let ran = noughts("brain", &format!("{thinks}{end}"));
        let lines: Vec<&str> = ran.ok().lines().collect();
        assert_eq!((lines[0], lines.len()), ("OK", 3), "{lines:?}");
        assert!(lines[2].split(',').all(|n| n.parse::<u8>().unwrap() < 15));
    }
}

/// Openings are agreed on, moves are made for the brain, and limits of memory and threads are
/// taken without a word.
#[test]
fn brain_speaks_the_whole_protocol() {
    let input = "START 15\r\nINFO timeout_turn 100\r\nINFO max_memory 1000000\r\n\
                 INFO thread_num 2\r\nSWAP2BOARD\r\nDONE\r\n\
                 SWAP2BOARD\r\n7,7\r\n8,7\r\n7,8\r\nDONE\r\n\
                 RESTART\r\nPLAY 7,7\r\nTURN 8,8\r\nEND\r\n";
    let ran = noughts("brain --threads 2", input);
    let lines: Vec<&str> = ran.ok().lines().collect();
    assert_eq!((lines[0], lines[3], lines[4]), ("OK", "OK", "7,7"), "{lines:?}");
    let cells = |line: &str| line.split(' ').filter(|cell| cell.contains(',')).count();
    assert_eq!(cells(lines[1]), 3);
    assert!(lines[2] == "SWAP" || cells(lines[2]) == 1);
    assert_eq!((cells(lines[6]), lines.len()), (1, 7));
}

/// What match runners show of an engine: depth, evaluation, nodes, time and the principal variation.
#[test]
fn brain_tells_what_it_sees() {
    let search =
        "START 15\r\nINFO max_node 3000\r\nBOARD\r\n7,7,2\r\n8,8,1\r\n7,8,2\r\nDONE\r\nEND\r\n";
    let ran = noughts("brain", search);
    let lines: Vec<&str> = ran.ok().lines().collect();
    let words: Vec<&str> = lines[1].split(' ').collect();
    let ["MESSAGE", "depth", depth, "ev", score, "n", nodes, "n/ms", _, "tm", _, "pv", first, ..] =
        words[..]
    else {
        panic!("{lines:?}");
    };
    assert!(depth.parse::<u32>().unwrap() > 0 && score.parse::<i32>().is_ok(), "{lines:?}");
    assert!((1_000..100_000).contains(&nodes.parse::<u64>().unwrap()), "{lines:?}");
    // The variation begins with the move, as gomoku players write it: column, then row.
    let (column, row) = lines[2].split_once(',').unwrap();
    let letter = char::from(b'A' + column.parse::<u8>().unwrap());
    assert_eq!(first, format!("{letter}{}", row.parse::<u8>().unwrap() + 1));
    // Four in a row win at once.
    let won = "START 15\r\nBOARD\r\n7,7,1\r\n7,8,1\r\n7,9,1\r\n7,10,1\r\nDONE\r\nEND\r\n";
    let ran = noughts("brain", won);
    assert!(ran.ok().contains(" ev +M1 n "), "{}", ran.stdout());
}

#[test]
fn computers_think_on_several_threads() {
    let flags = "--rules 7x7:5+wrap --think 5ms --threads 3 --seed 1 --casual";
    let ran = noughts(&format!("play --players hard,perfect {flags}"), "");
    assert!(ran.ok().contains("wins!") || ran.stdout().contains("It's a draw!"));
    for command in ["play", "brain"] {
        let refused = noughts(&format!("{command} --threads 0"), "");
        assert_eq!(refused.status(), 2);
        assert!(refused.stderr().contains("--threads"), "{}", refused.stderr());
    }
}

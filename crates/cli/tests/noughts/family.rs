//! Games of the open family, as their players meet them.

use serde_json::{Value, json};

use crate::{noughts, noughts_args};

/// Types the lines after each `> ` of a transcript, whose first line is the command, and expects its
/// output.
#[track_caller]
fn check(transcript: &str) {
    let (command, expected) = transcript.split_once('\n').unwrap();
    let arguments = command.strip_prefix("$ noughts ").unwrap();
    let typed = expected.lines().filter_map(|line| line.strip_prefix("> "));
    // The prompt at the end has no answer.
    let lines: Vec<&str> = typed.collect();
    let lines = if expected.ends_with("> \n") { &lines[..lines.len() - 1] } else { &lines };
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(noughts(arguments, &input).ok(), expected);
}

#[test]
fn ultimate_game_in_lines() {
    check(include_str!("transcripts/ultimate.txt"));
}

#[test]
fn levels_stand_side_by_side() {
    check(include_str!("transcripts/levels.txt"));
    check(include_str!("transcripts/score_four.txt"));
}

#[test]
fn wild_players_choose_marks() {
    check(include_str!("transcripts/wild.txt"));
    check(include_str!("transcripts/order.txt"));
}

#[test]
fn notakto_boards_close() {
    check(include_str!("transcripts/notakto.txt"));
}

#[test]
fn fading_marks_are_announced() {
    check(include_str!("transcripts/fade.txt"));
}

#[test]
fn several_stones_a_turn() {
    check(include_str!("transcripts/connect6.txt"));
}

#[test]
fn opening_choices_are_asked() {
    check(include_str!("transcripts/swap.txt"));
    check(include_str!("transcripts/swap2.txt"));
}

#[test]
fn renju_forbids_double_threes() {
    check(include_str!("transcripts/renju.txt"));
}

#[test]
fn lines_of_your_own_win() {
    check(include_str!("transcripts/lines.txt"));
}

/// Games of every kind, and combinations.
const GAMES: &[&str] = &[
    "ultimate",
    "ultimate+misere",
    "3x3x3",
    "3x3x3+gravity+swap",
    "wild",
    "wild+misere",
    "3x3+notakto",
    "3x3+notakto+2b",
    "4x4:3+order",
    "fade",
    "4x4:3+fade3+misere",
    "5x5:4+2s",
    "9x9:5+renju",
    "3x3+swap",
    "7x7:5+swap2",
    "3x3:[A1-A2-A3,A1-B2-C3]",
    "4x4x2:3+wrap+3p",
];

#[test]
fn every_level_plays_every_game() {
    for rules in GAMES {
        let levels = ["random", "easy", "medium", "hard", "perfect"];
        for (first, second) in levels.iter().zip(&levels[1..]) {
            let third = if rules.ends_with("3p") { ",random" } else { "" };
            let players = format!("{first},{second}{third}");
            let arguments =
                ["play", "--rules", rules, "--players", &players, "--think", "2ms", "--seed", "1"];
            let ran = noughts_args(&arguments, "");
            let output = ran.ok();
            assert!(!output.contains("forfeits"), "{rules} {players}: {output}");
            let is_over = output.contains(" wins!\n") || output.contains("It's a draw!\n");
            assert!(is_over, "{rules} {players}: {output}");
        }
    }
}

/// Whatever is typed, each line gets a sentence and the game goes on.
#[test]
fn garbage_is_refused_in_every_game() {
    let garbage = "swap\nkeep\nmore\n=\nA1=\nA1=q\n=x\n.A1\nA1.\nA1.A1.A1\n0A1\n99A1\n1,2,3,4\n-1 -1\n\
        \u{1b}[2J\nZ26\n16Z26=x\nA0\n🛑\nresign:1\n";
    for rules in GAMES {
        let players = "--name=A --name=B --symbol=X --symbol=O".split(' ');
        let arguments: Vec<&str> = ["play", "--rules", rules].into_iter().chain(players).collect();
        let third = if rules.ends_with("3p") { "C\n\n" } else { "" };
        let ran = noughts_args(&arguments, &format!("{third}{garbage}quit\n"));
        let output = ran.ok();
        assert_eq!(output.matches("\nBoard:\n").count(), 1, "{rules}: {output}");
        assert!(output.ends_with(":\n> quit\n"), "{rules}: {output}");
        assert!(!output.contains('\u{7}'), "{rules}");
    }
}

#[test]
fn tournaments_in_every_game() {
    for rules in GAMES.iter().filter(|rules| !rules.ends_with("3p")) {
        let arguments = ["arena", "random", "easy", "--rules", rules, "--games", "4", "--json"];
        let report: Value = serde_json::from_str(noughts_args(&arguments, "").ok()).unwrap();
        let players = report["players"].as_array().unwrap();
        assert!(players.iter().all(|player| player["games"] == 4), "{rules}: {report}");
        assert!(players.iter().all(|player| player["forfeits"] == 0), "{rules}: {report}");
    }
}

#[test]
fn solved_games_have_their_values() {
    for (rules, value, plies) in [
        ("3x3+wild", "win", Some(7)),
        ("3x3x3", "win", Some(7)),
        ("3x3x3+gravity", "win", Some(9)),
        ("3x3+notakto", "win", None),
        ("3x3+notakto+2b", "loss", None),
    ] {
        let ran = noughts_args(&["solve", rules, "--json"], "");
        let json: Value = serde_json::from_str(ran.ok()).unwrap();
        assert_eq!(json["value"], value, "{rules}: {json}");
        if let Some(plies) = plies {
            assert_eq!(json["plies"], plies, "{rules}: {json}");
            assert_eq!(json["line"].as_array().unwrap().len(), plies, "{rules}: {json}");
        }
    }
    let ran = noughts("solve 3x3+wild", "");
    assert!(ran.ok().starts_with("win for player 1 in 4 moves\nbest play: B2="));
}

#[test]
fn moves_of_every_kind_are_analysed() {
    let wild = ["analyse", "--rules", "wild", "--moves", "B2=x A1=o C3=x", "--json"];
    let json: Value = serde_json::from_str(noughts_args(&wild, "").ok()).unwrap();
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 12);
    let expected = json!({"move": "A3=o", "value": "loss", "plies": 2, "proven": true});
    assert!(moves.contains(&expected), "{json}");

    let swap = noughts_args(&["analyse", "--rules", "3x3+swap", "--moves", "B2"], "");
    assert!(swap.ok().contains("\nswap: draw\nkeep: draw\n"), "{}", swap.stdout());

    let levels = noughts_args(&["analyse", "--rules", "3x3x3", "--moves", "2B2 A1 B2"], "");
    assert!(levels.ok().starts_with("Level 1\n   1"), "{}", levels.stdout());
    assert_eq!(levels.stdout().matches("Level").count(), 3);
}

#[test]
fn trees_of_the_family_are_counted() {
    for (rules, depth, nodes) in [
        ("ultimate", "3", vec![1, 81, 720, 6336]),
        ("3x3x3", "2", vec![1, 27, 702]),
        ("fade", "6", vec![1, 9, 72, 504, 3024, 15_120, 54_720]),
    ] {
        let ran = noughts_args(&["perft", rules, "--depth", depth, "--json"], "");
        let json: Value = serde_json::from_str(ran.ok()).unwrap();
        let rows = json["by_depth"].as_array().unwrap();
        let counted: Vec<u64> = rows.iter().filter_map(|row| row["nodes"].as_u64()).collect();
        assert_eq!(counted, nodes, "{rules}");
    }
    let ran = noughts_args(&["perft", "3x3+wild", "--json"], "");
    let json: Value = serde_json::from_str(ran.ok()).unwrap();
    assert_eq!((&json["nodes"], &json["games"]), (&json!(87_208_051), &json!(58_242_432)));
    assert_eq!(json["positions"], 18_753);
}

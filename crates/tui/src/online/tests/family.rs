//! Online games of the whole family.

use super::*;

/// A game by these rules with Ann to move after these moves.
fn stage_of(rules: &str, moves: &str) -> Stage {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    stage(json!({"rules": rules, "moves": moves}))
}

#[test]
fn ultimate_sends_moves_into_the_forced_board() {
    let mut stage = stage_of("3x3+ultimate", "A1 A2");
    stage.sees(&["Ultimate tic-tac-toe", "Play in board A2"]);
    stage.change(json!({"moves": ["A1", "A2", "B5", "E5"]}));
    stage.sees(&["Play in board B2"]);
    // The cursor has moved to the board to play.
    stage.now += 2 * ENTER_DELAY;
    stage.key(KeyCode::Up);
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["move D5 after 3"]);
}

#[test]
fn levels_are_played_by_name() {
    let mut stage = stage_of("4x4x4", "A1 2B2");
    stage.sees(&["Level 2", "1 A1     2B2"]);
    stage.types("3c3");
    assert_eq!(stage.requests(), ["move 3C3 after 2"]);
}

#[test]
fn marks_of_choice_are_sent() {
    let mut stage = stage_of("3x3+wild", "");
    stage.misses("You play");
    stage.types("b2o");
    assert_eq!(stage.requests(), ["move B2=o after 2"]);
    let mut stage = stage_of("6x6:5+order", "");
    stage.sees(&["You play Order", "o switch to O"]);
    stage.now += 2 * ENTER_DELAY;
    stage.types("o");
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["move C3=o after 2"]);
}

#[test]
fn opening_choices_are_sent() {
    let mut stage = stage_of("15x15:5+swap2", "H8 G7 I9 more J10 K11");
    stage.sees(&["Your choice:", "1 Swap: take O", "2 Keep X"]);
    stage.types("2");
    assert_eq!(stage.requests(), ["move keep after 2"]);
    stage.receive(accepted());
    stage.key(KeyCode::Down);
    stage.key(KeyCode::Up);
    stage.key(KeyCode::Enter);
    assert_eq!(stage.requests(), ["move swap after 2"]);
    // The choice of others is not offered.
    let mut stage = super::stage(json!({"rules": "3x3+swap", "moves": ["B2"], "turn": 1}));
    stage.misses("choice");
}

#[test]
fn swapped_players_have_their_new_symbols() {
    let mut stage = stage_of("3x3+swap", "B2 swap");
    stage.sees(&["▸ O Ann", "  X Bob", "You play O"]);
}

#[test]
fn stones_and_fading_marks_are_told() {
    let mut stage = stage_of("19x19:6+2s", "J10 K10 K11");
    stage.sees(&["2 stones left in this turn"]);
    let mut stage = stage_of("3x3+fade3", "A1 B2 A2 C3 C1 B1");
    stage.sees(&["A1 disappears next"]);
}

#[test]
fn closed_boards_are_shown() {
    let mut stage = super::stage(json!({"rules": "3x3+notakto+2b", "turn": 1,
        "moves": ["2A1", "2B2", "2C3"]}));
    stage.sees(&["Board 1", "Board 2, closed", "Bob to move"]);
}

//! Hints, analysis and review.

use super::*;

#[test]
fn review_shows_the_losing_move() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2v");
    stage.wait_for("C1??");
    stage.assert_shows(&["Move 5 of 5: Player 1 (X)"]);
    stage.type_text("m");
    stage.wait_for("Next: C1, loss in 1");
    stage.assert_shows(&["★ draw", "Best: C2, draw", "Move 3 of 5"]);
    stage.press(&[KeyCode::Home]);
    stage.assert_shows(&["The empty board", "Next: B2"]);
    stage.press(&[KeyCode::Esc]);
    stage.assert_shows(&["Player 1 (X) wins!"]);
}

#[test]
fn hints_and_analysis_toggle() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a2");
    stage.type_text("t");
    stage.wait_for("A1, A3, B1, B3 and 2 more are best: win in 3.");
    stage.assert_shows(&["★"]);
    stage.type_text("a1");
    stage.assert_hides("★");
    stage.type_text("v");
    stage.wait_for("loss 1");
    stage.assert_shows(&["★ loss 2", "loss 1"]);
    // The cursor is on A1, which is taken; on C3 the status shows its value.
    stage.press(&[KeyCode::PageDown, KeyCode::End]);
    stage.assert_shows(&["C3: loss in 2"]);
    stage.type_text("v");
    stage.assert_hides("loss");
}

#[test]
fn estimates_look_different_from_proofs() {
    let mut stage = stage(setup("9x9:5", "human,human"));
    stage.type_text("e5v");
    stage.screen.handle(Message::Input(Event::Key(KeyCode::Esc.into())), stage.now);
    stage.wait_for("★");
    let shown = stage.shown();
    // In small cells an estimate is a number without a letter.
    let guesses = ["│ 0 │", "│ + │", "│ - │", "│-1 │", "│+1 │"];
    assert!(guesses.iter().any(|guess| shown.contains(guess)), "{shown}");
    stage.press(&[KeyCode::Up]);
    stage.assert_shows(&["D5: estimate"]);
}

#[test]
fn hints_name_marks_and_choices() {
    let mut stage = stage(setup("wild", "human,human"));
    stage.type_text("t");
    stage.wait_for("B2 with X and B2 with O are best: win in 4.");
    let mut stage = self::stage(setup("3x3+swap", "human,human"));
    stage.type_text("b2v");
    // The best choice has a star, and each its value.
    stage.wait_for(" ★(");
    stage.assert_shows(&["1 Swap: take X ", "2 Keep O "]);
    stage.type_text("t");
    stage.wait_for("wapping ");
    stage.assert_shows(&["best"]);
}

#[test]
fn losing_moves_of_the_family_are_found() {
    for (rules, keys, verdict) in [
        ("wild", "b1xa1xc1x", "Lost at move 2, A1=x by Player 2: A1 with O was a draw."),
        ("3d", "b23a33b23c1a32c32b2", "Lost at move 4, 3C1 by Player 2 (O): 2B2 was a win."),
        ("3x3+notakto", "b2a1c3", "Lost at move 3, C3 by Player 1: A3 was a win."),
    ] {
        let mut stage = stage(setup(rules, "human,human"));
        stage.type_text(keys);
        stage.type_text("v");
        stage.wait_for(verdict);
    }
}

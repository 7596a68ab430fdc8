//! Hints, analysis and stepping through games.

use super::*;

#[test]
fn review_shows_the_losing_move() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2v");
    stage.wait_for("C1??");
    stage.assert_shows(&["Move 5 of 5: Player 1 (X)"]);
    stage.type_text("m");
    stage.wait_for("Next: C1, loss in 2");
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
    stage.wait_for("A1, A3, B1, B3 and 2 more are best: win in 5.");
    stage.assert_shows(&["★"]);
    stage.type_text("a1");
    stage.assert_hides("★");
    stage.type_text("v");
    stage.wait_for("loss 2");
    stage.assert_shows(&["★ loss 4", "loss 2"]);
    // The frame is at A1, which is taken; at C3 it tells what that is worth.
    stage.press(&[KeyCode::PageDown, KeyCode::End]);
    stage.assert_shows(&["C3: loss in 4"]);
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
    // A guess is a number without a letter where cells are small.
    let guesses = ["│ 0 │", "│ + │", "│ - │", "│-1 │", "│+1 │"];
    assert!(guesses.iter().any(|guess| shown.contains(guess)), "{shown}");
    stage.press(&[KeyCode::Up]);
    stage.assert_shows(&["D5: estimate"]);
}

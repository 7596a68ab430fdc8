//! Hints, analysis and stepping through games.

use super::*;

#[test]
fn stepping_through_a_game_shows_what_was_missed() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2v");
    stage.wait_for("C1??");
    stage.sees(&["Move 5 of 5: Player 1 (X)"]);
    stage.type_text("m");
    stage.wait_for("Next: C1, loss in 2");
    stage.sees(&["★ draw", "Best: C2, draw", "Move 3 of 5"]);
    stage.press(&[KeyCode::Home]);
    stage.sees(&["The empty board", "Next: B2"]);
    stage.press(&[KeyCode::Esc]);
    stage.sees(&["Player 1 (X) wins!"]);
}

#[test]
fn hints_and_analysis() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a2");
    stage.type_text("t");
    stage.wait_for("A1, A3, B1, B3 and 2 more are best: win in 5.");
    stage.sees(&["★"]);
    stage.type_text("a1");
    stage.misses("★");
    stage.type_text("v");
    stage.wait_for("loss 2");
    stage.sees(&["★ loss 4", "loss 2"]);
    // The frame is at A1, which is taken; at C3 it tells what that is worth.
    stage.press(&[KeyCode::PageDown, KeyCode::End]);
    stage.sees(&["C3: loss in 4"]);
    stage.type_text("v");
    stage.misses("loss");
}

#[test]
fn what_is_not_proven_is_told_apart() {
    let mut stage = stage(setup("9x9:5", "human,human"));
    stage.type_text("e5v");
    stage.screen.handle(Message::Input(Event::Key(KeyCode::Esc.into())), stage.now);
    stage.wait_for("★");
    let shown = stage.shown();
    // A guess is a number without a letter where cells are small.
    let guesses = ["│ 0 │", "│ + │", "│ - │", "│-1 │", "│+1 │"];
    assert!(guesses.iter().any(|guess| shown.contains(guess)), "{shown}");
    stage.press(&[KeyCode::Up]);
    stage.sees(&["D5: estimate"]);
}

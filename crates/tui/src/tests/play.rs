//! Local games.

use super::*;

/// A letter that names a row does so in lower case too: h8 is H8.
#[test]
fn row_letters_beat_vi_keys() {
    let mut stage = stage(setup("gomoku", "human,human"));
    stage.type_text("h8");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 H8", "Player 2 to move"]);
    stage.type_text("l10");
    stage.assert_shows(&["L10", "Player 1 to move"]);
    let mut stage = self::stage(setup("7x7:4", "human,human"));
    stage.type_text("hk");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 C3"]);
}

#[test]
fn typed_game_to_the_scoreboard() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(stored(setup("3x3", "human,human"), &folder.path().join("n.db")));
    stage.type_text("b2b2");
    stage.assert_shows(&["B2 is taken, choose an empty box."]);
    stage.type_text("a9");
    stage.assert_shows(&["A9 is not on the board: columns go from 1 to 3."]);
    stage.type_text("a1a2c1c2");
    stage.assert_shows(&[
        "Player 1 (X) wins!",
        "The line: A2 B2 C2",
        "Score: Player 1 1, Player 2 0, draws 0",
    ]);
    stage.pause();
    stage.assert_shows(&["╠═══════════╣", "Enter play again"]);
    // Undoing and redoing the last move changes the score.
    stage.type_text("u");
    stage.assert_shows(&["Player 1 to move", "r redo"]);
    stage.type_text("r");
    stage.assert_shows(&["Player 1 (X) wins!"]);
    stage.pause();
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["▸ O Player 2             0", "X Player 1             1"]);
    // Scoreboard and stored games.
    stage.press(&[KeyCode::Esc]);
    stage.assert_shows(&["Menu", "Scoreboard"]);
    stage.press(&[KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("rank  name");
    stage.assert_shows(&["Scoreboard", "[local]", "* ", "Player 1"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Player 1, rank 1 of 2 in the league local", "1 won, 0 lost, 0 drawn"]);
    stage.press(&[KeyCode::Esc, KeyCode::Esc, KeyCode::Esc]);
    stage.press(&[KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
    stage.wait_for("retracted");
    stage.assert_shows(&["Stored games", "Player 1, Player 2"]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Lost at move 4, C1 by Player 2 (O): C2 was a draw.");
}

#[test]
fn enter_neither_skips_result_nor_moves() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2a1a2c1c2");
    stage.press(&[KeyCode::Enter, KeyCode::Enter]);
    stage.assert_shows(&["Player 1 (X) wins!", "Enter …"]);
    stage.pause();
    stage.assert_shows(&["Enter play again"]);
    // Keys typed before the board was drawn are dropped.
    for code in [KeyCode::Enter, KeyCode::Enter, KeyCode::Char('a'), KeyCode::Char('1')] {
        stage.screen.handle(Message::Input(Event::Key(code.into())), stage.now);
    }
    stage.assert_shows(&["Player 2 to move"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Player 2 to move", "Enter …"]);
    assert_eq!(stage.screen.next_change(stage.now), Some(game::ENTER_DELAY));
    stage.pause();
    // The cursor is back in the centre.
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 B2", "Player 1 to move"]);
}

#[test]
fn late_hurry_takes_no_cell() {
    let setup = setup("gomoku", "human,perfect");
    let think = Duration::from_secs(3600);
    let mut stage = stage(Setup { options: GameOptions { think, ..setup.options }, ..setup });
    stage.type_text("H8");
    stage.press(&[KeyCode::Enter, KeyCode::Down]);
    stage.wait_for("Player 1 to move");
    let moves =
        |stage: &TestScreen| stage.screen.game().unwrap().local_match().game().history().len();
    stage.press(&[KeyCode::Enter, KeyCode::Enter]);
    assert_eq!(moves(&stage), 2);
    // Moving the cursor shows that the board was seen.
    stage.press(&[KeyCode::End, KeyCode::Enter]);
    assert_eq!(moves(&stage), 3);
}

#[test]
fn row_letter_starts_a_cell_name() {
    let mut stage = stage(setup("26x26:5", "human,human"));
    stage.type_text("x7");
    stage.assert_shows(&["1 X7", "Player 2 to move", "Esc u undo"]);
    stage.type_text("u26");
    stage.assert_shows(&["1 X7     U26"]);
    stage.press(&[KeyCode::Esc]);
    stage.type_text("u");
    stage.assert_hides("U26");
}

#[test]
fn screen_responds_while_computer_thinks() {
    let mut stage = stage(setup("3x3", "human,perfect"));
    stage.type_text("a1");
    stage.assert_shows(&["Computer (perfect) thinks"]);
    // The computer's move arrives while help is open.
    stage.type_text("?");
    stage.assert_shows(&["How to play 3x3"]);
    while stage.screen.game().unwrap().local_match().game().history().len() < 2 {
        let message = stage.messages.recv_timeout(TEST_TIMEOUT).unwrap();
        stage.screen.handle(message, stage.now);
    }
    stage.press(&[KeyCode::Esc]);
    stage.assert_shows(&["1 A1     B2", "Player 1 to move"]);
    stage.type_text("u");
    stage.assert_hides("A1 ");
}

#[test]
fn enter_hurries_the_computer() {
    let setup = setup("gomoku", "human,perfect");
    let think = Duration::from_secs(3600);
    let mut stage = stage(Setup { options: GameOptions { think, ..setup.options }, ..setup });
    stage.type_text("H8");
    stage.assert_shows(&["Computer (perfect) thinks", "Enter move now"]);
    stage.press(&[KeyCode::Enter]);
    stage.wait_for("Player 1 to move");
}

#[test]
fn computer_moves_after_swapping_sides() {
    let mut stage = stage(setup("3x3", "human,perfect"));
    stage.type_text("z");
    stage.assert_shows(&["▸ X Computer (perfect)", "  O Player 1"]);
    stage.wait_for("Player 1 to move");
    // Confirmation is needed once there are moves.
    stage.type_text("z");
    stage.assert_shows(&["Swap sides?", "▸ No"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["  X Computer (perfect)", "▸ O Player 1"]);
}

#[test]
fn resigning_and_leaving_need_confirmation() {
    let mut stage = stage(setup("3x3", "human,human"));
    assert_eq!(stage.key(KeyCode::Char('q')), LoopAction::Draw);
    stage.assert_shows(&["N O U G H T S"]);
    stage.press(&[KeyCode::Enter]);
    stage.type_text("b2w");
    stage.assert_shows(&["Player 2, do you want to resign?", "▸ No"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Player 2 to move"]);
    stage.type_text("w");
    stage.press(&[KeyCode::Right, KeyCode::Enter]);
    stage.assert_shows(&["Player 1 (X) wins!", "Player 2 resigned."]);
    stage.pause();
    stage.press(&[KeyCode::Enter]);
    stage.type_text("b2p");
    stage.assert_shows(&["Abandon this game and start another?"]);
    stage.type_text("n");
    stage.type_text("qy");
    stage.assert_shows(&["N O U G H T S"]);
    assert_eq!(stage.key(KeyCode::Char('q')), LoopAction::Quit);
}

#[test]
fn ambiguous_cell_names_need_enter() {
    let mut stage = stage(setup("gomoku", "human,human"));
    stage.type_text("A1");
    stage.assert_shows(&["Box: A1_"]);
    stage.type_text("0");
    stage.assert_shows(&["1 A10", "Player 2 to move"]);
    stage.type_text("c1");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 A10    C1"]);
    stage.type_text("H7");
    stage.assert_shows(&["3 H7"]);
    stage.type_text("D1");
    stage.press(&[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Enter]);
    stage.assert_hides("Box:");
}

#[test]
fn enter_may_confirm_a_picked_cell() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 B2", "Player 2 to move"]);
    stage.assert_hides("taken");
    // An error stays visible, and a second Enter picks the cell under the cursor.
    stage.type_text("b2");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["B2 is taken, choose an empty box."]);
    stage.press(&[KeyCode::Up, KeyCode::Enter]);
    stage.assert_shows(&["1 B2     A2", "Player 1 to move"]);
}

#[test]
fn gravity_accepts_any_column_cell() {
    let mut stage = stage(setup("connect4", "human,human"));
    stage.type_text("a3a3");
    stage.assert_shows(&["1 F3     E3"]);
}

#[test]
fn clock_runs_and_ends_game() {
    let control = Some("1m+2s".parse().unwrap());
    let setup = setup("3x3", "human,human");
    let mut stage =
        stage(Setup { options: GameOptions { clock: control, ..setup.options }, ..setup });
    stage.assert_shows(&["Player 1       1:00  0"]);
    stage.pause();
    assert_eq!(stage.screen.next_change(stage.now), None);
    stage.type_text("b2");
    stage.now += Duration::from_secs(20);
    stage.assert_shows(&["Player 2       0:40  0", "Player 1       1:02  0"]);
    assert!(stage.screen.next_change(stage.now).is_some());
    stage.now += Duration::from_secs(40);
    stage.screen.tick(stage.now);
    stage.assert_shows(&["Player 2 (O) forfeits: the time is up.", "Player 1 (X) wins!"]);
    stage.assert_shows(&["Player 2 ran out of time.", "  1 B2     out"]);
    stage.assert_hides("resigned");
    // The reason stays visible.
    stage.press(&[KeyCode::Up, KeyCode::Char('y')]);
    stage.assert_shows(&["Player 2 (O) forfeits: the time is up."]);
    stage.pause();
    assert_eq!(stage.screen.next_change(stage.now), None);
    stage.type_text("u");
    stage.assert_shows(&["The game ended on time: its result is final."]);
}

#[test]
fn control_letters_are_no_commands() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2");
    let control_u = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.screen.handle(Message::Input(Event::Key(control_u)), stage.now);
    stage.assert_shows(&["1 B2", "Player 2 to move"]);
    for (key, action) in [
        // The first asks, the second quits.
        ('c', LoopAction::Draw),
        ('c', LoopAction::Quit),
        ('l', LoopAction::Redraw),
        ('z', LoopAction::Suspend(SuspendTarget::Group)),
    ] {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        assert_eq!(stage.screen.handle(Message::Input(Event::Key(key)), stage.now), action);
    }
}

#[test]
fn game_saves_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("our game.txt");
    let mut stage = stage(setup("3x3", "human,human"));
    stage.type_text("b2s");
    stage.assert_shows(&["Save the game", "game-1.txt"]);
    let control_u = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    stage.screen.handle(Message::Input(Event::Key(control_u)), stage.now);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["A file needs a name."]);
    stage.screen.handle(Message::Input(Event::Paste(path.display().to_string())), stage.now);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Saved as "]);
    let saved: Game = std::fs::read_to_string(path).unwrap().parse().unwrap();
    assert_eq!(saved.history().len(), 1);
}

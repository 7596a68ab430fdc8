//! The whole family of games: boards in boards, levels, marks of choice, openings.

use super::*;

/// The screen of a game between two people after these keys.
fn played(rules: &str, keys: &str) -> TestScreen {
    let mut stage = stage(setup(rules, "human,human"));
    stage.type_text(keys);
    stage
}

/// Where a text is on the screen: column and row.
fn find(stage: &mut TestScreen, text: &str) -> (u16, u16) {
    let shown = stage.shown();
    let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    (line[..line.find(text).unwrap()].chars().count() as u16, row as u16)
}

#[test]
fn ultimate_says_where_to_play() {
    let mut stage = played("ultimate", "a1a2");
    stage.assert_shows(&["3x3+ultimate · Ultimate tic-tac-toe", "Play in board A2"]);
    // The cursor is in the board to play.
    stage.press(&[KeyCode::Down, KeyCode::Up, KeyCode::Enter]);
    stage.assert_shows(&["3 B5", "Play in board B2"]);
    stage.type_text("i9");
    stage.assert_shows(&["I9 is in another board: you must move where the last move sends you"]);
    // The board A1 has been won, so the choice is free.
    let mut stage = played("ultimate", "a1a2a4a3a7b1d1b2d4b3d7");
    stage.assert_shows(&["Player 2 to move", "Play in any open board"]);
    // C3 may be the name of a board: Enter says that it is a box.
    stage.type_text("c3");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["C3 is in a closed board: choose a box in an open one."]);
}

#[test]
fn levels_take_names_clicks_and_arrows() {
    let mut stage = played("qubic", "a12b2");
    stage.assert_shows(&["Level 1", "Level 4", "1 A1     2B2"]);
    stage.type_text("5");
    stage.assert_shows(&["5 is not on the board: levels go from 1 to 4."]);
    let (column, row) = find(&mut stage, "Level 4");
    // The first cell of level 4.
    let (row, column) = (row + 3, column - 4);
    stage.click(column, row);
    stage.assert_shows(&["3 4A1", "Player 2 to move"]);
    // From the last column of level 3 into level 4 and on.
    stage.type_text("3a4");
    stage.press(&[KeyCode::Right, KeyCode::Right, KeyCode::Enter]);
    stage.assert_shows(&["3 4A1    3A4", "5 4A2"]);
    stage.press(&[KeyCode::Up, KeyCode::Enter]);
    stage.assert_shows(&["5 4A2    2D2"]);
}

#[test]
fn line_through_levels_wins() {
    let mut stage = played("qubic", "a1b12b2b23c3b34d4");
    stage.assert_shows(&["Player 1 (X) wins!", "The line: A1 2B2 3C3 4D4"]);
    assert_eq!(stage.shown().matches("═══╗").count(), 4);
}

#[test]
fn gravity_drops_through_levels() {
    let mut stage = played("score-four", "a1a14a1");
    stage.assert_shows(&["1 A1     2A1", "3 3A1"]);
}

#[test]
fn marks_of_choice_have_keys() {
    let mut stage = played("wild", "");
    stage.assert_shows(&["Enter …", "o switch to O"]);
    stage.type_text("o");
    stage.assert_shows(&["Enter place O", "x switch to X"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["1 B2=o"]);
    // A name may be followed by its mark.
    stage.type_text("a1");
    stage.assert_shows(&["Box: A1_", "x place X", "o place O", "Player 2 to move"]);
    stage.type_text("x");
    stage.assert_shows(&["1 B2=o   A1=x", "Player 1 to move"]);
    stage.type_text("c3=o");
    stage.assert_shows(&["3 C3=o"]);
    stage.press(&[KeyCode::Tab]);
    stage.assert_shows(&["Enter place X"]);
    // The hint is a button.
    let (column, row) = find(&mut stage, "o switch");
    stage.click(column, row);
    stage.assert_shows(&["x switch to X"]);
}

#[test]
fn order_and_chaos_names_both_sides() {
    let mut stage = played("2x2:2+order", "a1x");
    stage.assert_shows(&["  Order Player 1", "▸ Chaos Player 2"]);
    stage.type_text("a2x");
    stage.assert_shows(&["Player 1 wins!", "The line: A1 A2"]);
    let mut stage = played("1x2:2+order", "a1xa2o");
    stage.assert_shows(&["Player 2 wins!", "The board is full without"]);
}

#[test]
fn swap2_asks_the_second_player() {
    let mut stage = played("swap2", "");
    stage.assert_shows(&["Opening: place X"]);
    stage.type_text("h8g7");
    stage.assert_shows(&["Opening: place X", "Player 1 to move"]);
    stage.type_text("i9");
    stage.assert_shows(&[
        "Player 2, choose:",
        "▸ 1 Swap: take X",
        "2 Keep O",
        "3 Place two more stones",
    ]);
    // Clicks on the board and typed boxes do not skip the question.
    let (column, row) = find(&mut stage, "──O──┼");
    stage.click(column + 5, row);
    stage.assert_shows(&["First choose: swap marks or keep them, or place two more stones"]);
    stage.press(&[KeyCode::Down, KeyCode::Down]);
    stage.assert_shows(&["▸ 3 Place two more stones"]);
    stage.pause();
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Opening: place O", "Player 2 to move"]);
    stage.assert_hides("choose:");
    stage.type_text("j10");
    stage.assert_shows(&["Opening: place X"]);
    stage.type_text("k11");
    stage.assert_shows(&["Player 1, choose:", "1 Swap: take O", "2 Keep X"]);
    let (column, row) = find(&mut stage, "1 Swap: take O");
    stage.click(column + 3, row);
    // The first player has the second mark, whose turn it is.
    stage.assert_shows(&["O Player 1", "X Player 2", "swap", "Player"]);
    stage.assert_hides("choose:");
}

#[test]
fn narrow_windows_list_opening_choices() {
    let mut stage = played("3x3+swap", "b2");
    for (width, height) in [(30, 14), (20, 9)] {
        stage.resize(width, height);
        stage.assert_shows(&["1 Swap: take X", "2 Keep O", "B "]);
    }
    stage.type_text("1");
    stage.assert_hides("Keep O");
}

#[test]
fn fade_names_the_next_mark() {
    let mut stage = played("fade", "a1b2a2c3c1");
    stage.assert_hides("disappears");
    stage.type_text("b1");
    stage.assert_shows(&["A1 disappears next", "│:   ███   :│"]);
    stage.resize(40, 9);
    stage.assert_shows(&["A1 disappears next"]);
}

#[test]
fn connect6_counts_stones() {
    let mut stage = played("connect6", "");
    stage.assert_shows(&["1 stone left in this turn"]);
    stage.type_text("j10");
    stage.assert_shows(&["Player 2 to move", "2 stones left in this turn"]);
    stage.type_text("k10");
    stage.assert_shows(&["Player 2 to move", "1 stone left in this turn"]);
}

#[test]
fn renju_says_what_is_forbidden() {
    // Two open threes meet in H8.
    let mut stage = played("renju", "h6a3h7a15f8o3g8o15");
    stage.type_text("h8");
    stage.assert_shows(&["H8 is forbidden: it makes a double three."]);
    stage.assert_shows(&["Player 1 to move"]);
}

#[test]
fn notakto_closes_boards() {
    let mut stage = played("notakto", "2a12b22c3");
    stage.assert_shows(&["Board 1", "Board 2, closed", "  Player 1", "▸ Player 2"]);
    stage.type_text("2a2");
    stage.assert_shows(&["2A2 is in a closed board: choose a box in an open one."]);
    stage.type_text("a1b2c33a13b23c3");
    stage.assert_shows(&["wins!", "The loser's line: 3A1 3B2"]);
    // In a narrow window the boards are below each other.
    stage.resize(24, 40);
    let boards = ["Board 1", "Board 2", "Board 3"].map(|name| find(&mut stage, name).1);
    assert!(boards.is_sorted() && boards[0] < boards[1], "{boards:?}");
}

#[test]
fn start_page_offers_the_family() {
    let mut stage = stage(Setup { first: FirstPage::Start, ..setup("3x3", "human,human") });
    stage.assert_shows(&["[Tic-tac-toe] Ultimate  Gomoku  Connect Four  3D, 4x4x4"]);
    stage.assert_shows(&["Three in a row wins. With perfect play, the game is a draw."]);
    stage.press(&[KeyCode::Down, KeyCode::Right]);
    stage.assert_shows(&["[Ultimate]", "Nine small boards in one big board"]);
    stage.type_text("?");
    stage.assert_shows(&["How to play 3x3+ultimate: Ultimate tic-tac-toe"]);
    stage.press(&[KeyCode::Esc]);
    let (column, row) = find(&mut stage, "Order and Chaos");
    stage.click(column, row);
    stage.assert_shows(&["[Order and Chaos]"]);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["6x6:5+order · Order and Chaos"]);
}

#[test]
fn every_preset_can_be_chosen() {
    for (i, (_, rules)) in noughts_rules::notation::PRESETS.iter().enumerate() {
        let start = Setup { first: FirstPage::Start, ..setup("3x3", "human,human") };
        let mut stage = stage(start);
        stage.press(&[KeyCode::Down]);
        stage.press(&vec![KeyCode::Right; i]);
        stage.press(&[KeyCode::Enter]);
        stage.assert_shows(&[&format!("Noughts · {rules} · "), "Player 1 to move"]);
    }
}

#[test]
fn stored_games_of_the_family_are_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    for (rules, keys, last) in [
        ("3x3x3", "a1b12b2b23c3", "Move 5 of 5: Player 1 (X) takes 3C3"),
        ("wild", "a1xa2xa3x", "Move 3 of 3: Player 1 takes A3 with X"),
        ("3x3+notakto", "a1a2a3", "Move 3 of 3: Player 1 takes A3"),
        ("3x3+swap", "b21a1a2b3b1c1c2", "Move 8 of 8: Player 2 (X) takes C2"),
    ] {
        let file = folder.path().join(format!("{rules}.db"));
        let mut stage = stage(stored(setup(rules, "human,human"), &file));
        stage.type_text(keys);
        stage.assert_shows(&["Score: "]);
        stage.press(&[KeyCode::Esc, KeyCode::End, KeyCode::Up, KeyCode::Up, KeyCode::Enter]);
        stage.wait_for("Player 1, Player 2");
        stage.press(&[KeyCode::Enter]);
        // The panel wraps.
        let shown = |stage: &mut TestScreen| {
            let shown = stage.shown();
            let panel = shown.lines().skip(1).map(|line| line.chars().skip(53).collect::<String>());
            panel.map(|line| format!("{} ", line.trim())).collect::<String>()
        };
        assert!(shown(&mut stage).contains(last), "{rules}: {}", shown(&mut stage));
        stage.press(&[KeyCode::Home]);
        assert!(shown(&mut stage).contains("The empty board"), "{rules}");
    }
}

#[test]
fn random_games_of_every_preset_are_reviewed() {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    let mut random = SmallRng::seed_from_u64(1);
    for (_, rules) in noughts_rules::notation::PRESETS {
        let mut game = Game::with_default_players(&rules.parse().unwrap());
        while let Some(turn) = game.turn().filter(|_| game.history().len() < 60) {
            let moves = random.random_range(0..game.position().move_count());
            let mv = game.position().nth_move(moves).unwrap();
            game.play(turn, mv).unwrap();
        }
        let mut stage = stage(setup("3x3", "human,human"));
        let now = stage.now;
        stage.screen.navigate(Navigation::Review(Box::new(game.clone())), now);
        // Without analysis.
        stage.type_text("v");
        stage.press(&[KeyCode::Home]);
        stage.assert_shows(&["The empty board", "Next: "]);
        for _ in 0..game.history().len() {
            stage.press(&[KeyCode::Right]);
        }
        let count = game.history().len();
        stage.assert_shows(&[&format!("Move {count} of {count}")]);
    }
}

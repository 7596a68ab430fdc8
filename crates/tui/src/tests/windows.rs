//! Window sizes, clicks, and random keys.

use super::*;
use crate::screen::Page;

#[test]
fn selected_menu_item_stays_visible() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.resize(20, 8);
    stage.press(&[KeyCode::Esc]);
    stage.assert_shows(&["▸ Hint", "Menu ▼"]);
    for _ in 0..20 {
        stage.press(&[KeyCode::Down]);
        stage.assert_shows(&["▸ "]);
    }
    stage.press(&[KeyCode::End]);
    stage.assert_shows(&["▸ Leave the game", "Menu ▲"]);
}

#[test]
fn clicks_pick_cells_and_items() {
    let mut stage = stage(setup("3x3", "human,human"));
    let find = |stage: &mut TestScreen, text: &str| {
        let shown = stage.shown();
        let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line.chars().take(line[..line.find(text).unwrap()].chars().count()).count();
        (column as u16, row as u16)
    };
    let (column, row) = find(&mut stage, "A │");
    stage.click(column + 5, row);
    stage.assert_shows(&["1 A1", "Player 2 to move"]);
    // Clicks beside the board do nothing.
    stage.click(0, 0);
    stage.assert_shows(&["Player 2 to move"]);
    stage.press(&[KeyCode::Esc]);
    let (column, row) = find(&mut stage, "Leave the game");
    stage.click(column, row);
    let (column, row) = find(&mut stage, "Yes");
    stage.click(column, row);
    let (column, row) = find(&mut stage, "Gomoku");
    stage.click(column + 1, row);
    stage.assert_shows(&["[Gomoku]"]);
    let (column, row) = find(&mut stage, "Enter: play");
    stage.click(column, row);
    stage.assert_shows(&["15x15:5"]);
    // Key hints are clickable.
    let (column, row) = find(&mut stage, "? help");
    stage.click(column, row);
    stage.assert_shows(&["How to play 15x15:5"]);
    let (column, row) = find(&mut stage, "Esc back");
    stage.click(column, row);
    stage.assert_shows(&["Player 1 to move"]);
}

/// Key hints never cover the form, and a low window shows the part with the focus.
#[test]
fn start_page_fits_small_windows() {
    let mut stage = stage(Setup { first: FirstPage::Start, ..setup("3x3", "human,human") });
    for (width, height) in [(20, 10), (30, 12), (40, 10), (80, 24), (25, 9), (16, 6)] {
        stage.resize(width, height);
        for label in ["Opp", "Boa", "Pla", "Clo", "Thi", "Cou", "Lea"] {
            let mut steps = 0;
            while !stage.shown().lines().any(|line| line.contains(&format!("▸ {label}"))) {
                steps += 1;
                assert!(steps < 20, "no {label}:\n{}", stage.shown());
                stage.press(&[KeyCode::Down]);
            }
            stage.assert_shows(&["Enter play"]);
        }
    }
}

#[test]
fn every_page_draws_at_any_size() {
    let folder = tempfile::tempdir().unwrap();
    for (rules, kinds) in [
        ("3x3", "human,human"),
        ("26x26:5", "human,human"),
        ("5x9:4+8p", "human"),
        ("ultimate", "human,human"),
        ("3x4x5:3", "human,human"),
        ("3x3+notakto+7b", "human,human"),
        ("3x3+swap", "human,human"),
    ] {
        // Keys that lead to every page and dialog.
        for keys in ["", "b2t", "b2v", "b2w", "b2s", "?", "q", "q?", "qs", "qg", "b2wyv", "b2wy"] {
            let mut stage = stage(stored(setup(rules, kinds), &folder.path().join("n.db")));
            stage.type_text(keys);
            for (width, height) in
                (0..90).step_by(7).flat_map(|w| (0..30).step_by(3).map(move |h| (w, h)))
            {
                stage.resize(width, height);
            }
            for (width, height) in [(1, 1), (1, 50), (200, 1), (16, 6), (300, 100)] {
                stage.resize(width, height);
            }
            stage.press(&[KeyCode::Esc]);
            for (width, height) in [(40, 12), (1, 1), (20, 7), (80, 24)] {
                stage.resize(width, height);
            }
        }
    }
}

#[test]
fn tiny_window_says_so() {
    let mut stage = stage(setup("3x3", "human,human"));
    stage.resize(20, 5);
    stage.assert_shows(&["This window is too"]);
    stage.resize(20, 7);
    stage.assert_shows(&["Player 1 to move", "A "]);
}

#[test]
fn random_keys_never_panic() {
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    let folder = tempfile::tempdir().unwrap();
    let special = [
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Tab,
        KeyCode::Backspace,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageDown,
    ];
    const RULES: [&str; 12] = [
        "3x3",
        "connect4",
        "2x2:2+3p",
        "3x3+misere",
        "ultimate",
        "qubic",
        "score-four",
        "wild",
        "notakto",
        "2x2:2+order",
        "fade",
        "4x4+swap2",
    ];
    for seed in 0..12 {
        let mut random = SmallRng::seed_from_u64(seed);
        let rules = RULES[seed as usize % RULES.len()];
        let mut stage = stage(stored(setup(rules, "human,random"), &folder.path().join("n.db")));
        stage.screen.setup.options_file = None;
        for _ in 0..250 {
            let code = match random.random_range(0..3) {
                0 => special[random.random_range(0..special.len())],
                // Without `s`, which would save files in the working directory.
                1 => KeyCode::Char(
                    [
                        'a', 'b', '1', '2', 'u', 'r', 't', 'v', 'x', 'w', 'p', 'y', 'q', '?', 'm',
                        'l', 'é',
                    ][random.random_range(0..17)],
                ),
                _ => KeyCode::Char(char::from(random.random_range(b'A'..=b'R'))),
            };
            if stage.key(code) == LoopAction::Quit {
                stage
                    .screen
                    .pages
                    .push(Page::Start(Box::new(StartPage::new(&GameOptions::default(), None))));
            }
            while let Ok(message) = stage.messages.try_recv() {
                stage.screen.handle(message, stage.now);
            }
        }
    }
}

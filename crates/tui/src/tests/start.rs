//! The start page.

use super::*;

#[test]
fn enter_plays_the_last_options() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.db");
    let first = Setup {
        start_immediately: false,
        options: GameOptions::default(),
        ..setup("3x3", "human,human")
    };
    let mut stage_one = stage(stored(first, &file));
    stage_one.assert_shows(&["N O U G H T S", "[a person]", "[Tic-tac-toe]", "Enter: play"]);
    // Board: Connect Four; opponent: easy computer; then the name.
    use KeyCode::{Down, Enter, Right, Up};
    stage_one.press(&[Down, Right, Right, Right, Up, Right, Right, Down, Down]);
    stage_one.type_text("Ann");
    stage_one.press(&[Enter]);
    stage_one.assert_shows(&["6x7:4+gravity", "X Ann", "O Computer (easy)", "Ann to move"]);

    let remembered = GameOptions::load(&file.with_extension("choice.json")).unwrap();
    let again =
        Setup { start_immediately: false, options: remembered, ..setup("3x3", "human,human") };
    let mut stage_two = stage(again);
    stage_two.assert_shows(&["[easy]", "[Connect Four]", "Ann"]);
    stage_two.press(&[Enter]);
    stage_two.assert_shows(&["6x7:4+gravity", "X Ann", "O Computer (easy)"]);
}

#[test]
fn custom_rules_names_and_symbols() {
    use KeyCode::{Backspace, Down, Enter, Left};
    let start = Setup {
        start_immediately: false,
        options: GameOptions::default(),
        ..setup("3x3", "human,human")
    };
    let mut stage = stage(start);
    stage.press(&[Down, Left]);
    stage.assert_shows(&[
        "[Custom]",
        "5x5:4                    5x5, 4 in a row",
        "Four in a row wins.",
    ]);
    stage.press(&[Down]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:9");
    stage.press(&[Enter]);
    stage.assert_shows(&["9 in a row does not fit"]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:3+3p");
    stage.assert_shows(&["Player 3"]);
    stage.press(&[Down, Down]);
    stage.type_text("XX");
    stage.press(&[Enter]);
    stage.assert_shows(&["That symbol won't do: expected exactly one character, got more."]);
    stage.press(&[Backspace, Backspace]);
    stage.screen.handle(Message::Input(Event::Paste("👩\u{200d}🚀".into())), stage.now);
    stage.press(&[Enter]);
    stage.assert_shows(&["3x4+3p", "▸ 👩\u{200d}🚀 Player 1"]);
}

#[test]
fn equal_names_are_refused() {
    use KeyCode::{Down, Enter};
    let start = Setup {
        start_immediately: false,
        options: GameOptions::default(),
        ..setup("3x3", "human,human")
    };
    let mut stage = stage(start);
    stage.press(&[Down, Down]);
    stage.type_text("Ann");
    stage.press(&[Down, Down]);
    stage.type_text("ANN");
    stage.press(&[Enter]);
    stage.assert_shows(&[
        "Two players are called ANN: each needs a name of their own.",
        "▸ Player 2",
    ]);
    stage.type_text("A");
    stage.press(&[Enter]);
    stage.assert_shows(&["O ANNA"]);
}

#[test]
fn long_notices_wrap() {
    let folder = tempfile::tempdir().unwrap();
    let notice = "Games are not stored: can't use a file in a folder with a name that is so long \
                  that this sentence does not fit into one line of the window.";
    let mut stage = stage(Setup { notice: Some(notice.into()), ..setup("3x3", "human,human") });
    stage.assert_shows(&["so long", "of the window."]);
    stage.resize(40, 12);
    stage.assert_shows(&["of the window."]);
    let start = Setup { start_immediately: false, ..setup("3x3", "human,human") };
    let file = folder.path().join("n.db");
    let mut stage = self::stage(Setup { notice: Some(notice.into()), ..stored(start, &file) });
    stage.assert_shows(&["so long", "of the window."]);
}

#[test]
fn unsaved_options_do_not_stop_play() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let options_file = Some(file.join("in/a/file"));
    let start = Setup { start_immediately: false, options_file, ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Your options can't be saved", "Player 1 to move"]);
}

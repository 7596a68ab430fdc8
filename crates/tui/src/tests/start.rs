//! The first screen.

use super::*;

#[test]
fn one_key_plays_what_was_played_the_last_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.db");
    let first = Setup {
        start_immediately: false,
        options: GameOptions::default(),
        ..setup("3x3", "human,human")
    };
    let mut stage_one = stage(stored(first, &file));
    stage_one.sees(&["N O U G H T S", "[a person]", "[3x3]", "Enter: play"]);
    // Down to the board, along to Connect Four, up, along to the easy computer, down to the name.
    use KeyCode::{Down, Enter, Right, Up};
    stage_one.press(&[Down, Right, Right, Right, Up, Right, Right, Down, Down]);
    stage_one.type_text("Ann");
    stage_one.press(&[Enter]);
    stage_one.sees(&["6x7:4+gravity", "X Ann", "O Computer (easy)", "Ann to move"]);

    let remembered = GameOptions::load(&file.with_extension("choice.json")).unwrap();
    let again =
        Setup { start_immediately: false, options: remembered, ..setup("3x3", "human,human") };
    let mut stage_two = stage(again);
    stage_two.sees(&["[easy]", "[Connect Four]", "Ann"]);
    stage_two.press(&[Enter]);
    stage_two.sees(&["6x7:4+gravity", "X Ann", "O Computer (easy)"]);
}

#[test]
fn rules_names_and_symbols_of_your_own() {
    use KeyCode::{Backspace, Down, Enter, Left};
    let start = Setup {
        start_immediately: false,
        options: GameOptions::default(),
        ..setup("3x3", "human,human")
    };
    let mut stage = stage(start);
    stage.press(&[Down, Left]);
    stage.sees(&["[Your own]", "5x5:4                    4 in a row"]);
    stage.press(&[Down]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:9");
    stage.press(&[Enter]);
    stage.sees(&["9 in a row does not fit"]);
    stage.press(&[Backspace; 5]);
    stage.type_text("3x4:3+3p");
    stage.sees(&["Player 3"]);
    stage.press(&[Down, Down]);
    stage.type_text("XX");
    stage.press(&[Enter]);
    stage.sees(&["That symbol won't do: expected exactly one character, got more."]);
    stage.press(&[Backspace, Backspace]);
    stage.screen.handle(Message::Input(Event::Paste("👩\u{200d}🚀".into())), stage.now);
    stage.press(&[Enter]);
    stage.sees(&["3x4+3p", "▸ 👩\u{200d}🚀 Player 1"]);
}

#[test]
fn two_people_of_one_name_are_asked_for_another() {
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
    stage.sees(&["Two players are called ANN: each needs a name of their own.", "▸ Player 2"]);
    stage.type_text("A");
    stage.press(&[Enter]);
    stage.sees(&["O ANNA"]);
}

#[test]
fn long_sentences_are_shown_whole() {
    let folder = tempfile::tempdir().unwrap();
    let notice = "Games are not stored: can't use a file in a folder with a name that is so long \
                  that this sentence does not fit into one line of the window.";
    let mut stage = stage(Setup { notice: Some(notice.into()), ..setup("3x3", "human,human") });
    stage.sees(&["so long", "of the window."]);
    stage.resize(40, 12);
    stage.sees(&["of the window."]);
    let start = Setup { start_immediately: false, ..setup("3x3", "human,human") };
    let file = folder.path().join("n.db");
    let mut stage = self::stage(Setup { notice: Some(notice.into()), ..stored(start, &file) });
    stage.sees(&["so long", "of the window."]);
}

#[test]
fn a_choice_that_cannot_be_remembered_does_not_stop_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let options_file = Some(file.join("in/a/file"));
    let start = Setup { start_immediately: false, options_file, ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[KeyCode::Enter]);
    stage.sees(&["Your choice can't be remembered", "Player 1 to move"]);
}

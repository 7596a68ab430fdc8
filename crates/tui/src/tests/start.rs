//! The start page.

use super::*;

#[test]
fn enter_plays_the_last_options() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("noughts.db");
    let first = Setup {
        first: FirstPage::Start,
        options: GameOptions::of(Rules::classic()),
        ..setup("3x3", "human,human")
    };
    let mut stage_one = stage(stored(first, &file));
    stage_one.assert_shows(&["N O U G H T S", "[a person]", "[Tic-tac-toe]", "Enter: play"]);
    // Board: Connect Four; opponent: easy computer; then the name.
    use KeyCode::{Down, Enter, Right, Up};
    stage_one.press(&[Down, Right, Right, Right, Up, Right, Right, Down, Down, Down]);
    stage_one.type_text("Ann");
    stage_one.press(&[Enter]);
    stage_one.assert_shows(&["6x7:4+gravity", "X Ann", "O Computer (easy)", "Ann to move"]);

    let remembered = GameOptions::load(&file.with_extension("choice.json")).unwrap();
    let again =
        Setup { first: FirstPage::Start, options: remembered, ..setup("3x3", "human,human") };
    let mut stage_two = stage(again);
    stage_two.assert_shows(&["[easy]", "[Connect Four]", "Ann"]);
    stage_two.press(&[Enter]);
    stage_two.assert_shows(&["6x7:4+gravity", "X Ann", "O Computer (easy)"]);
}

#[test]
fn custom_rules_names_and_symbols() {
    use KeyCode::{Backspace, Down, Enter, Left};
    let start = Setup {
        first: FirstPage::Start,
        options: GameOptions::of(Rules::classic()),
        ..setup("3x3", "human,human")
    };
    let mut stage = stage(start);
    stage.press(&[Down, Left]);
    stage.assert_shows(&["[Custom]", "such as 5x5:4+misere", "Type the rules, such as 5x5:4"]);
    stage.press(&[KeyCode::F(1)]);
    stage.assert_shows(&["Rules of your own", "+misere", "+wrap", "+3p"]);
    stage.press(&[KeyCode::Esc, Down]);
    stage.type_text("3x4:9");
    stage.press(&[Enter]);
    stage.assert_shows(&["9 in a row does not fit"]);
    stage.press(&[Backspace; 5]);
    stage.assert_shows(&["such as 5x5:4+misere"]);
    // A long error is not cut.
    stage.type_text("3x3+nothing");
    stage.assert_shows(&["`+nothing` is not a variant", "(2p to 8p)"]);
    stage.press(&[Backspace; 11]);
    stage.type_text("3x4:3+3p");
    stage.assert_shows(&["Player 3", "Three in a row wins; for three players."]);
    stage.press(&[Down, Down, Down]);
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
        first: FirstPage::Start,
        options: GameOptions::of(Rules::classic()),
        ..setup("3x3", "human,human")
    };
    let mut stage = stage(start);
    stage.press(&[Down, Down, Down]);
    stage.type_text("Ann");
    stage.press(&[Down, Down, Down]);
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
    let start = Setup { first: FirstPage::Start, ..setup("3x3", "human,human") };
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
    let start = Setup { first: FirstPage::Start, options_file, ..setup("3x3", "human,human") };
    let mut stage = stage(start);
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["Your options can't be saved", "Player 1 to move"]);
}

#[test]
fn form_sets_clock_league_and_engines() {
    use KeyCode::{Down, Enter, Esc, Right, Up};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("n.db");
    let first = Setup { first: FirstPage::Start, ..setup("3x3", "human,human") };
    let mut stage = stage(stored(first, &file));
    stage.wait_for("Counts");
    // From the first element up to the last, the league.
    stage.press(&[Up]);
    stage.type_text("clbu");
    stage.press(&[Enter]);
    stage.assert_shows(&["There is no league clbu: `noughts scores create clbu elo` creates it."]);
    stage.press(&[Right, Up, Right, Right, Up, Right, Up]);
    stage.type_text("7m+1s");
    stage.assert_shows(&["7m+1s_", "rated"]);
    stage.press(&[Enter]);
    stage.assert_shows(&["Player 1", "7:00"]);
    stage.type_text("b2t");
    stage.assert_shows(&["This game is rated: there are no hints and no analysis."]);
    stage.type_text("p");
    stage.assert_shows(&["This game is rated: resign it before you start another."]);
    stage.type_text("q");
    stage.press(&[Enter]);
    // An engine needs a command.
    stage.press(&[Esc, Down, Down]);
    stage.press(&[KeyCode::Left]);
    stage.assert_shows(&["engine", "command of the engine"]);
    stage.press(&[Enter]);
    stage.assert_shows(&["Type the command that starts the engine."]);
    stage.type_text("./pbrain-x");
    stage.assert_shows(&["./pbrain-x", "engine"]);
}

#[test]
fn every_field_is_visible_in_small_windows() {
    use KeyCode::Down;
    let first = Setup { first: FirstPage::Start, ..setup("3x3+3p", "human,human,human") };
    let mut stage = stage(first);
    for size in [(40, 12), (24, 10), (80, 24)] {
        stage.resize(size.0, size.1);
        for _ in 0..20 {
            stage.press(&[Down]);
            stage.assert_shows(&["▸"]);
        }
    }
    stage.resize(40, 24);
    stage.assert_shows(&["symbol"]);
}

#[test]
fn placeholders_are_the_symbols_that_players_get() {
    let mut own = Setup { first: FirstPage::Start, ..setup("3x3", "human,human") };
    own.options.players[0].symbol = Some("O".parse().unwrap());
    let mut stage = stage(own);
    let shown = stage.shown();
    let symbols: Vec<&str> = shown.lines().filter(|line| line.contains("symbol")).collect();
    assert!(symbols[0].ends_with("symbol O") && symbols[1].ends_with("symbol X"), "{shown}");
}

#[test]
fn names_of_computers_are_refused() {
    let first = Setup { first: FirstPage::Start, ..setup("3x3", "human,hard") };
    let mut stage = stage(first);
    stage.press(&[KeyCode::Down; 3]);
    stage.type_text("Computer (hard)");
    stage.press(&[KeyCode::Enter]);
    stage.assert_shows(&["That name belongs to a computer: choose another."]);
}

//! The first screen in a real terminal.

use crate::terminal::{Start, Terminal, noughts_in_terminal};

const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";
/// Empties a field.
const CONTROL_U: &str = "\x15";

/// The first screen of a game between two people.
fn two_people(size: (u16, u16)) -> Terminal {
    let terminal = Start { arguments: "", size, environment: &[] }.run();
    terminal.wait_for(&["Opponent", "medium", "Enter: play"]);
    terminal.send(&LEFT.repeat(3));
    terminal.wait_for(&["a person"]);
    terminal
}

#[test]
fn rules_of_ones_own_are_typed() {
    let terminal = noughts_in_terminal("");
    terminal.wait_for(&["[medium]"]);
    // The last choice of the boards, and the field below it.
    terminal.send(&format!("{DOWN}{LEFT}"));
    terminal.wait_for(&["[Custom]", "such as 5x5:4+misere", "Type the rules"]);
    terminal.send(&format!("{DOWN}4x4:3+misere"));
    terminal.wait_for(&["4x4:3+misere", "Three in a row loses."]);
    terminal.send(CONTROL_U);
    terminal.wait_for(&["such as 5x5:4+misere", "Type the rules, such as 5x5:4+misere; F1 lists"]);
    terminal.send("99x99");
    // The whole sentence, on as many lines as it takes.
    terminal.wait_for(&["oard size 99x99 is out of range: expected 1 to 26 rows and 1"]);
    terminal.wait_for(&["to 26 columns"]);
    terminal.send("\x1bOP");
    terminal.wait_for(&["Rules of your own", "+misere", "+wrap", "+3p", "+gravity"]);
    terminal.send("\x1bOP");
    terminal.wait_for(&["99x99", "Enter play"]);
    terminal.send(&format!("{CONTROL_U}1x5:3+wrap{ENTER}"));
    terminal.wait_for(&["Noughts · 1x5:3+wrap", "Player 1 to move"]);
}

#[test]
fn symbols_are_typed_in_narrow_windows() {
    let terminal = two_people((40, 30));
    // Opponent, board, kind, name, symbol.
    terminal.send(&DOWN.repeat(4));
    terminal.wait_for(&["▸ Player 1"]);
    terminal.send("O");
    // The first player has O: the second one gets the other symbol.
    terminal.wait_until("each symbol once", |screen| {
        let shown = screen.contents();
        shown.contains("symbol O") && shown.contains("symbol X")
    });
    terminal.send(ENTER);
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2");
    terminal.wait_for(&["▄█▀▀▀█▄", "Player 2 to move"]);
}

#[test]
fn everything_is_chosen_without_flags() {
    let terminal = two_people((80, 24));
    terminal.send(&DOWN.repeat(3));
    terminal.send("Ann");
    terminal.wait_for(&["Ann"]);
    // The second player: an engine, whose command is typed.
    terminal.send(&format!("{}{LEFT}", DOWN.repeat(2)));
    terminal.wait_for(&["command of the engine"]);
    terminal.send(ENTER);
    terminal.wait_for(&["Type the command that starts the engine."]);
    terminal.send(&format!("{UP}{RIGHT}"));
    terminal.wait_for(&["◂ person ▸"]);
    terminal.send(&format!("{DOWN}Computer (hard){ENTER}"));
    terminal.wait_for(&["That name belongs to a computer: choose another."]);
    terminal.send(&format!("{CONTROL_U}Bob"));
    // Clock, thinking time, counting and league.
    terminal.send(&format!("{}7m", DOWN.repeat(2)));
    terminal.wait_for(&["7m_"]);
    terminal.send(&format!("{DOWN}{RIGHT}"));
    terminal.wait_for(&["◂ 3s ▸"]);
    terminal.send(&format!("{DOWN}{LEFT}"));
    terminal.wait_for(&["◂ rated: no undo ▸"]);
    terminal.send(&format!("{DOWN}clib{ENTER}"));
    terminal.wait_for(&["There is no league clib: `noughts scores create clib elo` creates it."]);
    terminal.send(&"\x7f".repeat(4));
    terminal.send(&format!("local{ENTER}"));
    terminal.wait_for(&["7:00", "Ann to move"]);
    terminal.send("t");
    terminal.wait_for(&["This game is rated: there are no hints and no"]);
    terminal.send("b2");
    terminal.wait_for(&["Bob to move"]);
}

#[test]
fn computers_are_watched_from_the_first_screen() {
    let terminal = noughts_in_terminal("");
    terminal.wait_for(&["[medium]"]);
    // The first player: from a person to the computer that plays at random.
    terminal.send(&format!("{}{RIGHT}{ENTER}", DOWN.repeat(2)));
    terminal.wait_for(&["Computer (random)", "Computer (medium)", "Space pause"]);
    terminal.send(" ");
    terminal.wait_for(&["Paused.", "Space go on"]);
}

#[test]
fn narrow_windows_show_clocks() {
    let arguments = "play --rules 3x3 --clock 5m+3s --name Alexandra --name Bartholomew";
    let terminal = Start { arguments, size: (40, 24), environment: &[] }.run();
    terminal.wait_for(&["Alexandra to move", "X 5:00", "O 5:00"]);
    terminal.send("b2");
    terminal.wait_for(&["Bartholomew to move", "X 5:03", "O "]);
    // What is being typed is in view, too.
    terminal.send("a");
    terminal.wait_for(&["Box: A_"]);
}

/// Windows of few lines keep the way to play and the way out.
#[test]
fn small_windows_keep_the_important_keys() {
    let terminal = Start { arguments: "", size: (40, 24), environment: &[] }.run();
    terminal.wait_for(&["Enter play", "navigate", "q quit"]);
    terminal.click(terminal.find("q quit"));
    let mut terminal = terminal;
    assert!(terminal.end().success());
}

#[test]
fn first_screen_is_plain_in_simple_locales() {
    let environment = &[("LC_ALL", "C"), ("NO_COLOR", "1")];
    let terminal = Start { arguments: "", size: (80, 24), environment }.run();
    terminal.wait_for(&["N O U G H T S", "Enter: play", "q quit"]);
    terminal.look(|screen| assert!(screen.contents().is_ascii(), "{}", screen.contents()));
    terminal.send("o");
    terminal.wait_for(&["Play online", "Esc back"]);
    terminal.look(|screen| assert!(screen.contents().is_ascii(), "{}", screen.contents()));
}

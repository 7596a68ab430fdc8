//! The full-screen game in a real terminal: what is asserted is what a person would see.

use crate::noughts_with;
use crate::terminal::{Start, noughts_in_terminal};

const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";

#[test]
fn arrows_and_enter_play_a_game() {
    let mut terminal = noughts_in_terminal("");
    // The computer is the first choice; two people are three steps to the left.
    terminal.wait_for(&["N O U G H T S", "[medium]", "[Tic-tac-toe]", "Enter: play"]);
    terminal.send(&LEFT.repeat(3));
    terminal.wait_for(&["[a person]"]);
    terminal.send(ENTER);
    terminal.wait_for(&["▸ X Player 1", "Player 1 to move", "Enter take"]);
    // The frame begins in the middle. X: B2, A2, C2; O: A1, A3.
    let moves = [
        (String::new(), "1 B2", "Player 2 to move"),
        (format!("{UP}{LEFT}"), "1 B2     A1", "Player 1 to move"),
        (RIGHT.to_string(), "3 A2", "Player 2 to move"),
        (RIGHT.to_string(), "3 A2     A3", "Player 1 to move"),
        (format!("{LEFT}{DOWN}{DOWN}"), "5 C2", "Player 1 (X) wins!"),
    ];
    for (arrows, written, standing) in moves {
        terminal.send(&format!("{arrows}{ENTER}"));
        terminal.wait_for(&[written, standing]);
    }
    terminal.wait_for(&[
        "The line: A2 B2 C2",
        "Score: Player 1 1, Player 2 0, draws 0",
        "╠═══════════╣",
        "Enter play again",
    ]);
    terminal.send(ENTER);
    terminal.wait_for(&["▸ O Player 2", "Player 2 to move"]);
    terminal.send("q");
    terminal.wait_for(&["N O U G H T S"]);
    terminal.send("q");
    assert!(terminal.end().success());
    terminal.is_given_back();
    // The result is stored, and so is the choice.
    let scores = noughts_with(&terminal.folder().join("noughts.db"), "scores", "");
    assert!(scores.ok().contains("Player 1       1"), "{}", scores.stdout());
    assert!(terminal.folder().join("noughts.choice.json").exists());
}

#[test]
fn locked_file_loses_no_result() {
    use sqlx::Connection;
    let mut terminal = noughts_in_terminal("play --rules 3x3");
    terminal.wait_for(&["Player 1 to move"]);
    let file = terminal.folder().join("noughts.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&file);
    let mut other = runtime.block_on(sqlx::SqliteConnection::connect_with(&options)).unwrap();
    runtime.block_on(sqlx::query("BEGIN EXCLUSIVE").execute(&mut other)).unwrap();
    terminal.send("b2a1a2c1c2");
    terminal.wait_for(&["Player 1 (X) wins!", "The line: A2 B2 C2", "Saving…"]);
    terminal.send("?");
    terminal.wait_for(&["How to play 3x3"]);
    terminal.send("?qq");
    terminal.wait_for(&["Saving the game…"]);
    runtime.block_on(sqlx::query("COMMIT").execute(&mut other)).unwrap();
    assert!(terminal.end().success());
    terminal.is_given_back();
    let scores = noughts_with(&file, "scores", "");
    assert!(scores.ok().contains("Player 1       1"), "{}", scores.stdout());
}

#[test]
fn a_whole_game_by_mouse() {
    let terminal = noughts_in_terminal("");
    terminal.wait_for(&["Enter: play"]);
    terminal.click(terminal.find("a person"));
    terminal.wait_for(&["[a person]"]);
    terminal.click(terminal.find("Enter: play"));
    terminal.wait_for(&["Player 1 to move"]);
    let (_, top) = terminal.find("1           2           3");
    let place = |name: &str| {
        let (row, col) = name.split_at(1);
        let letter = terminal.find(&format!("{row} │")).1;
        let at = terminal.find("1           2           3").0;
        (at + 12 * (col.parse::<u16>().unwrap() - 1), letter)
    };
    let cells =
        ["A1", "B2", "C3", "A2", "C2", "C1", "A3", "B3", "B1"].map(|name| (name, place(name)));
    assert!(cells.iter().all(|(_, (_, row))| *row > top));
    for (i, (name, at)) in cells.into_iter().enumerate() {
        terminal.click(at);
        let standing = match i {
            8 => "It's a draw!",
            i if i % 2 == 0 => "Player 2 to move",
            _ => "Player 1 to move",
        };
        terminal.wait_for(&[name, standing]);
    }
    terminal.wait_for(&["Score: Player 1 0, Player 2 0, draws 1"]);
}

#[test]
fn the_screen_follows_the_window() {
    let terminal = noughts_in_terminal("play --rules gomoku");
    terminal.wait_for(&["15x15:5", "O  └──┴", "Player 1 to move", "Esc menu"]);
    terminal.send(&format!("H8{DOWN}{ENTER}"));
    terminal.wait_for(&["1 H8     I8"]);
    // Too small for the board: the frame stays in sight.
    terminal.resize((40, 12));
    terminal.wait_for(&["[O]", "▼", "▶", "Player 1 to move"]);
    terminal.resize((10, 3));
    terminal.wait_for(&["This"]);
    terminal.resize((120, 50));
    terminal.wait_for(&["1 H8     I8", "┃", "Esc menu"]);
    terminal.send(&format!("{DOWN}{ENTER}"));
    terminal.wait_for(&["3 J8", "Player 2 to move"]);
}

#[test]
fn emoji_are_centred_between_lines() {
    let terminal = noughts_in_terminal("play --symbol ❎ --symbol 🛑");
    terminal.wait_for(&["▸ ❎ Player 1"]);
    terminal.send("a1b2");
    terminal.wait_for(&["1 A1     B2"]);
    let (col, row) = terminal.find("A │");
    terminal.look(|screen| {
        let at = |row: u16, col: u16| screen.cell(row, col).unwrap().contents().to_string();
        // Cells of twelve columns: five free ones on each side of the symbol.
        assert_eq!(at(row, col + 3 + 5), "❎");
        assert!(screen.cell(row, col + 3 + 5).unwrap().is_wide());
        assert_eq!(at(row + 6, col + 3 + 13 + 5), "🛑");
        // The right border is in one column from top to bottom.
        let right = col + 2 + 3 * 13;
        let border: String = (row - 3..row + 16).map(|row| at(row, right)).collect();
        assert_eq!(border, "┐│││││┤│││││┤│││││┘");
    });
}

#[test]
fn large_boards_scroll() {
    let terminal = noughts_in_terminal("play --rules 26x26:5");
    terminal.wait_for(&["26x26:5", "▼", "▶", "M ", "[┼]"]);
    terminal.send(&format!("{}{}", "\x1b[6~", "\x1b[F"));
    terminal.wait_for(&["Z ", "26", "[┘]", "▲", "◀"]);
    terminal.send(ENTER);
    terminal.wait_for(&["[X]", "1 Z26"]);
    terminal.send("A1");
    terminal.wait_for(&["Box: A1_", "[┌]"]);
    terminal.send(ENTER);
    terminal.wait_for(&["[O]", "1 Z26    A1"]);
    // The wheel scrolls, and leaves the frame where it is.
    let wheel = "\x1b[<65;10;10M";
    terminal.send(&wheel.repeat(10));
    terminal.wait_until("row A to be out of sight", |screen| !screen.contents().contains("[O]"));
    terminal.send(DOWN);
    terminal.wait_for(&["[├]"]);
}

#[test]
fn computer_opponent_and_hint() {
    let terminal = noughts_in_terminal("play --players human,perfect --name Ann");
    terminal.wait_for(&["▸ X Ann", "Computer (perfect)"]);
    terminal.send("a1");
    terminal.wait_for(&["1 A1     B2", "Ann to move"]);
    terminal.send("t");
    terminal.wait_for(&["are best: draw.", "★"]);
    terminal.send("v");
    terminal.wait_for(&["★ draw"]);
    terminal.send("u");
    terminal.wait_until("the moves to be taken back", |screen| !screen.contents().contains("B2"));
}

#[test]
fn signals_give_the_terminal_back() {
    for name in ["TERM", "INT", "HUP", "QUIT"] {
        let mut terminal = noughts_in_terminal("play --rules 3x3");
        terminal.wait_for(&["Player 1 to move"]);
        assert!(terminal.modes().contains("-icanon"));
        assert!(terminal.look(|screen| screen.alternate_screen() && screen.hide_cursor()));
        terminal.signal(name);
        let status = terminal.end();
        assert!(status.signal().is_some(), "{name}: {status:?}");
        terminal.is_given_back();
    }
}

#[test]
fn control_c_asks_in_a_game() {
    let mut terminal = noughts_in_terminal("play --rules 3x3");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2\x03");
    terminal.wait_for(&["Quit? The game is kept, and can be continued.", "▸ Yes"]);
    terminal.send("\x03");
    assert!(terminal.end().success());
    terminal.is_given_back();
    terminal.wait_for(&["The game is kept: `noughts play --continue` goes on with it."]);
    // Elsewhere nothing is lost.
    let mut terminal = noughts_in_terminal("");
    terminal.wait_for(&["Enter: play"]);
    terminal.send("\x03");
    assert!(terminal.end().success());
}

#[test]
fn suspended_and_resumed() {
    let terminal = noughts_in_terminal("play --rules 3x3");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2");
    terminal.wait_for(&["Player 2 to move"]);
    for suspend in ["\x1a", ""] {
        match suspend {
            "" => terminal.signal("TSTP"),
            keys => terminal.send(keys),
        }
        let start = std::time::Instant::now();
        while !terminal.state().starts_with('T') {
            assert!(start.elapsed().as_secs() < 60, "it is not stopped: {}", terminal.state());
            std::thread::yield_now();
        }
        terminal.is_given_back();
        terminal.signal("CONT");
        terminal.wait_until("the game to be back", |screen| {
            screen.alternate_screen() && screen.contents().contains("Player 2 to move")
        });
    }
    terminal.send("a1");
    terminal.wait_for(&["1 B2     A1"]);
}

#[test]
fn no_color_disables_colours() {
    let coloured = |terminal: &crate::terminal::Terminal| {
        terminal.look(|screen| {
            let (rows, cols) = screen.size();
            let cells = (0..rows.get()).flat_map(|row| (0..cols.get()).map(move |col| (row, col)));
            let cell = |(row, col)| screen.cell(row, col);
            let mut cells = cells.filter_map(cell);
            cells.any(|cell| cell.fgcolor() != vt100::Color::Default)
        })
    };
    let arguments = "play --rules 3x3";
    let environment = &[("NO_COLOR", "1")];
    let plain = Start { arguments, size: (80, 24), environment }.run();
    let usual = noughts_in_terminal(arguments);
    for terminal in [&plain, &usual] {
        terminal.send("b2");
        terminal.wait_for(&["Player 2 to move", "Esc menu"]);
    }
    assert!(!coloured(&plain));
    assert!(coloured(&usual));
}

#[test]
fn nothing_but_ascii() {
    let terminal = noughts_in_terminal("play --ascii --rules 3x3");
    terminal.send("b2v");
    terminal.wait_for(&["Player 2 to move", "* draw", "###", "Esc menu"]);
    terminal.send(ESCAPE);
    terminal.wait_for(&["Menu"]);
    terminal.look(|screen| assert!(screen.contents().is_ascii(), "{}", screen.contents()));
}

#[test]
fn plain_flag_starts_the_dialogue() {
    let plain = [
        ("--plain", ("TERM", "xterm-256color")),
        ("", ("TERM", "dumb")),
        ("", ("TERM", "")),
        ("", ("NOUGHTS_PLAIN", "1")),
    ];
    for (arguments, variable) in plain {
        let terminal = Start { arguments, size: (80, 24), environment: &[variable] }.run();
        terminal.wait_for(&["Enter Player 1 Name:\n>"]);
        assert!(!terminal.look(|screen| screen.alternate_screen()));
        terminal.send("quit\r");
    }
    let unset =
        Start { arguments: "", size: (80, 24), environment: &[("NOUGHTS_PLAIN", "0")] }.run();
    unset.wait_for(&["N O U G H T S"]);
}

#[test]
fn clock_ends_the_game() {
    let terminal = noughts_in_terminal("play --rules 3x3 --clock 500ms");
    terminal.wait_for(&["0:00.5"]);
    terminal.send("b2");
    terminal.wait_for(&["Player 2 (O) forfeits: the time is up.", "Player 1 (X) wins!"]);
}

#[test]
fn damaged_files_do_not_stop_play() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("noughts.choice.json"), "{rubbish").unwrap();
    let data = folder.path().join("noughts.db").display().to_string();
    let environment = &[("NOUGHTS_DATA", data.as_str())];
    let terminal = Start { arguments: "", size: (80, 24), environment }.run();
    terminal.wait_for(&["[medium]", "[Tic-tac-toe]"]);

    std::fs::write(folder.path().join("not.db"), "not a database").unwrap();
    let data = folder.path().join("not.db").display().to_string();
    let environment = &[("NOUGHTS_DATA", data.as_str())];
    let mut terminal = Start { arguments: "", size: (80, 24), environment }.run();
    assert_eq!(terminal.end().exit_code(), 1);
    assert!(!terminal.look(|screen| screen.alternate_screen()));
}

#[test]
fn enter_after_a_typed_last_move_plays_again() {
    let terminal = noughts_in_terminal("play --rules 3x3");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2a1a2c1c2");
    terminal.wait_for(&["Player 1 (X) wins!", "Enter play again"]);
    terminal.send(ENTER);
    terminal.wait_for(&["▸ O Player 2", "Player 2 to move"]);
}

#[test]
fn columns_are_typed_by_number() {
    let terminal = noughts_in_terminal("play --rules connect-four");
    terminal.wait_for(&["6x7:4+gravity", "Player 1 to move"]);
    terminal.send("4a47");
    terminal.wait_for(&["1 F4     E4", "3 F7"]);
    terminal.send("8");
    terminal.wait_for(&["There is no column 8: columns go from 1 to 7."]);
    terminal.send("?");
    terminal.wait_for(&["drop into column 4; any box of the column does the same"]);
}

#[test]
fn cells_of_an_ultimate_board_are_typed_by_board_and_box() {
    let terminal = noughts_in_terminal("play --rules ultimate");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("B2.C1");
    terminal.wait_for(&["1 F4", "Player 2 to move"]);
    // Box C1 of board B2 sends to board C1.
    terminal.send("c1.");
    terminal.wait_for(&["Box: C1._"]);
    terminal.send("b2");
    terminal.wait_for(&["1 F4     H2", "Player 1 to move"]);
    // A box whose name could be that of a board waits for Enter.
    terminal.send("uua1");
    terminal.wait_for(&["Box: A1_"]);
    terminal.send(ENTER);
    terminal.wait_for(&["1 A1", "Player 2 to move"]);
}

#[test]
fn names_are_for_computers_too() {
    let terminal = noughts_in_terminal("play --players human,hard --name Ann --name Deep");
    terminal.wait_for(&["▸ X Ann", "O Deep"]);
    let folder = tempfile::tempdir().unwrap();
    noughts_with(&folder.path().join("n.db"), "play --name Computer", "")
        .fails(2, "the name Computer belongs to a computer: choose another");
}

#[test]
fn other_locales_get_ascii() {
    for (name, value, is_ascii) in
        [("LC_ALL", "C", true), ("LANG", "C.UTF-8", false), ("LC_CTYPE", "de_DE.ISO-8859-1", true)]
    {
        let environment = &[(name, value)];
        let arguments = "play --rules 3x3";
        let terminal = Start { arguments, size: (80, 24), environment }.run();
        terminal.wait_for(&["Player 1 to move", "Esc menu"]);
        terminal.look(|screen| assert_eq!(screen.contents().is_ascii(), is_ascii, "{value}"));
    }
}

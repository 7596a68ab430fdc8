//! Commands that answer and end, in a terminal: what people read, above all when something is wrong.

use tempfile::TempDir;

use crate::terminal::{Start, Terminal, noughts_in_terminal};

/// Runs a command in a terminal to its end, with the status and all of these words.
#[track_caller]
fn check(arguments: &str, status: u32, words: &[&str]) -> TempDir {
    check_in(tempfile::tempdir().unwrap(), arguments, status, words)
}

#[track_caller]
fn check_in(folder: TempDir, arguments: &str, status: u32, words: &[&str]) -> TempDir {
    let mut terminal = Start { arguments, size: (120, 40), environment: &[] }.run_in(folder);
    let ended = terminal.end().exit_code();
    terminal.wait_for(words);
    terminal.is_given_back();
    let shown = terminal.look(|screen| screen.contents());
    assert_eq!(ended, status, "{shown}");
    terminal.keep()
}

#[test]
fn tournaments_need_working_engines() {
    let nowhere = "arena easy engine:/no/such/engine --rules gomoku";
    check(nowhere, 2, &["engine:/no/such/engine can't play: "]);
    let unable = "arena easy engine:cat --rules 3x3";
    check(unable, 2, &["can't play: external engines play five in a row"]);
    // People don't play tournaments, so nobody suggests them.
    let players = "expected random, easy, medium, hard, perfect, mcts, alpha-beta or engine:PATH";
    check("arena easy foo", 2, &["`foo` is not a player: ", players]);
}

#[test]
fn misspelt_leagues_are_not_created() {
    let words = "there is no league typo: `noughts scores create typo elo` creates it";
    let folder = check("play --league typo", 2, &[words]);
    let folder = check_in(folder, "scores create club elo", 0, &[]);
    check_in(folder, "scores --league typo", 1, &["there is no league typo: "]);
}

#[test]
fn scores_are_read_from_files_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = check("scores create club elo", 0, &[]);
    let data = folder.path().join("noughts.db");
    let mode = |mode| std::fs::set_permissions(&data, PermissionsExt::from_mode(mode)).unwrap();
    mode(0o444);
    let folder = check_in(folder, "scores leagues", 0, &["club"]);
    std::fs::write(folder.path().join("other.db"), "no database").unwrap();
    let words = ["other.db is not a file of Noughts: choose another with --data"];
    check_in(folder, "scores --data other.db", 1, &words);
}

#[test]
fn names_have_no_control_characters() {
    let name = "play --name \x1b[31mEvil";
    check(name, 2, &["invalid value 'Evil'", "expected a name without control characters"]);
    let terminal = noughts_in_terminal(name);
    terminal.wait_for(&["Evil"]);
    let (col, row) = terminal.find("Evil");
    let colour = |screen: &vt100::Screen| screen.cell(row, col).unwrap().fgcolor();
    assert_ne!(terminal.look(colour), vt100::Color::Idx(1));
}

#[test]
fn wrong_values_are_explained_in_own_words() {
    check("perft 3x3 --depth abc", 2, &["expected a whole number"]);
    check("play --symbol XX", 2, &["expected exactly one character, got more"]);
    check("play --rules 4x4:9", 2, &["9 in a row does not fit"]);
    check("join nonsense", 2, &["expected an address such as http://localhost:8000"]);
    check("join", 2, &["expected the address of a server, such as localhost:8000"]);
}

#[test]
fn undecided_solutions_have_a_status() {
    check("solve gomoku --budget 10ms", 3, &["unknown: the budget ran out"]);
    check("solve 3x4", 0, &["win for player 1 in "]);
}

#[test]
fn common_names_are_rules() {
    for (name, shown) in
        [("tictactoe", "3x3"), ("connect-four", "6x7:4+gravity"), ("five-in-a-row", "15x15:5")]
    {
        let terminal = noughts_in_terminal(&format!("play --rules {name}"));
        terminal.wait_for(&[&format!("Noughts · {shown}"), "Player 1 to move"]);
    }
}

#[test]
fn bytes_that_are_no_text_are_asked_again() {
    let terminal = noughts_in_terminal("play --plain");
    terminal.wait_for(&["Enter Player 1 Name:"]);
    terminal.send_bytes(b"\xff\xfe\r");
    terminal.wait_for(&["That is not UTF-8 text, which is expected here."]);
    terminal.send("Ann\r");
    terminal.wait_for(&["Enter Player 1 Character (X):"]);
}

#[test]
fn records_of_tournaments_open() {
    let arguments = "arena random easy --games 2 --seed 1 --records games.txt";
    let folder = check(arguments, 0, &["rank  player", "random against easy: "]);
    let arguments = "show games.txt --number 2";
    let terminal = Start { arguments, size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Noughts · 3x3", "Move ", "easy", "random"]);
    let folder = leave(terminal);
    let arguments = "import games.txt";
    let folder = check_in(folder, arguments, 0, &["2 games are imported."]);
    let folder = check_in(folder, "games easy --limit 1", 0, &["easy", "3x3", "winner"]);
    let folder = check_in(folder, "games export", 0, &["player X random", "player X easy"]);
    check_in(folder, "show 1 --json", 0, &["{\"rules\":\"3x3\"", "\"moves\":["]);
}

#[test]
fn knockouts_have_a_table() {
    let arguments = "arena random,name=one easy,nodes=50 --tournament knockout --games 2 --seed 1";
    check(arguments, 0, &["rank  player", "one", "easy"]);
}

#[test]
fn puzzles_are_made() {
    let words = ["[{\"rules\":\"3x3\",\"position\":\"3x3 ", "\"solution\":[\""];
    check("puzzle make 3x3 --count 1 --json", 0, &words);
}

/// The standings move on while games are played, in characters that the locale has.
#[test]
fn tournaments_show_their_standings() {
    let arguments = "arena random easy --games 3000 --threads 1";
    for (locale, is_ascii) in [("C.UTF-8", false), ("C", true)] {
        let environment = &[("LC_ALL", locale)];
        let mut terminal = Start { arguments, size: (120, 24), environment }.run();
        terminal.wait_until("the standings", |screen| {
            let shown = screen.contents();
            shown.contains(" of 3000 games") && shown.contains("easy ")
        });
        terminal.look(|screen| assert_eq!(screen.contents().is_ascii(), is_ascii, "{locale}"));
        terminal.signal("TERM");
        terminal.end();
    }
}

fn leave(terminal: Terminal) -> TempDir {
    terminal.send("q");
    terminal.end_and_keep()
}

//! Whole conversations. The output is a complete transcript, so it is all there is to compare.

use crate::{noughts, noughts_bytes};

const NAMES: &str = "play --plain --name John --name Jane";
const PLAYERS: &str = "play --plain --name John --symbol X --name Jane --symbol O";

/// What is printed after the two players are known, up to where they are asked on.
#[track_caller]
fn check(arguments: &str, input: &str, expected: &str) {
    assert_eq!(noughts(arguments, input).ok(), expected);
}

#[test]
fn the_first_game() {
    let expected = "\
Enter Player 1 Name:
> John
Enter Player 1 Character (X):
> ❎
Enter Player 2 Name:
> Jane
Enter Player 2 Character (O):
> 🛑

Board:
_  _  _
_  _  _
_  _  _

Player 1: Enter box:
> A1

Board:
❎ _  _
_  _  _
_  _  _

Player 2: Enter box:
> b2

Board:
❎ _  _
_  🛑 _
_  _  _

Player 1: Enter box:
> 0,1

Board:
❎ ❎ _
_  🛑 _
_  _  _

Player 2: Enter box:
> 2 2

Board:
❎ ❎ _
_  🛑 _
_  _  🛑

Player 1: Enter box:
> A3

Board:
❎ ❎ ❎
_  🛑 _
_  _  🛑

John (❎) wins!

Score: John 1, Jane 0, draws 0
Play again? (yes):
> \n";
    let input = "John\n❎\nJane\n🛑\nA1\nb2\n0,1\n2 2\nA3\n";
    check("", input, expected);
    check("play", input, expected);
    check("--plain", input, expected);
}

#[test]
fn empty_answers_mean_the_defaults() {
    let ran = noughts("", "\n\n\n\nA1\nA2\nresign\n");
    assert!(ran.ok().contains("Player 2 (O) wins!"));
    // A default that someone else has chosen is not offered.
    let ran = noughts("", "\nO\n\n\nquit\n");
    assert!(ran.ok().contains("Enter Player 2 Character (X):\n> \n\nBoard:"), "{}", ran.stdout());
    let ran = noughts("play --symbol O", "\n\n\nquit\n");
    assert!(ran.ok().contains("Enter Player 2 Character (X):"), "{}", ran.stdout());
}

#[test]
fn invalid_names_are_asked_again() {
    check(
        "",
        "a\u{1b}b\nAnn\nXX\n_\n\nBob\nX\nY\nquit\n",
        "\
Enter Player 1 Name:
> a\u{1b}b
That name won't do: expected a name without control characters.
Enter Player 1 Name:
> Ann
Enter Player 1 Character (X):
> XX
That character won't do: expected exactly one character, got more.
Enter Player 1 Character (X):
> _
That character won't do: `_` marks an empty cell, choose another character.
Enter Player 1 Character (X):
> \n\
Enter Player 2 Name:
> Bob
Enter Player 2 Character (O):
> X
X is taken, choose another character.
Enter Player 2 Character (O):
> Y

Board:
_  _  _
_  _  _
_  _  _

Player 1: Enter box:
> quit
",
    );
}

#[test]
fn invalid_box_is_explained() {
    check(
        PLAYERS,
        "A1\nA1\nD1\nmiddle\nA99\nquit\n",
        "
Board:
_  _  _
_  _  _
_  _  _

Player 1: Enter box:
> A1

Board:
X  _  _
_  _  _
_  _  _

Player 2: Enter box:
> A1
A1 is taken, choose an empty box.
Player 2: Enter box:
> D1
D1 is not on the board: rows go from A to C, columns from 1 to 3.
Player 2: Enter box:
> middle
\"middle\" is not a box: expected one from A1 to C3, or help.
Player 2: Enter box:
> A99
\"A99\" is not a box: expected one from A1 to C3, or help.
Player 2: Enter box:
> quit
The game is kept: `noughts play --continue` goes on with it.
",
    );
}

#[test]
fn next_game_swaps_the_starter() {
    let draw = "A1\nA2\nA3\nB2\nB1\nB3\nC2\nC1\nC3\n";
    let ran = noughts(PLAYERS, &format!("{draw}yes\nA1\nscore\nno\nquit\n"));
    let end = "\
Board:
X  O  X
X  O  O
O  X  X

It's a draw!

Score: John 0, Jane 0, draws 1
Play again? (yes):
> yes

Board:
_  _  _
_  _  _
_  _  _

Player 2: Enter box:
> A1

Board:
O  _  _
_  _  _
_  _  _

Player 1: Enter box:
> score
Score: John 0, Jane 0, draws 1
rank  name  rating  wins  losses  draws
   1  Jane       0     0       0      1
   1  John       0     0       0      1
Player 1: Enter box:
> no
\"no\" is not a box: expected one from A1 to C3, or help.
Player 1: Enter box:
> quit
The game is kept: `noughts play --continue` goes on with it.
";
    assert!(ran.ok().ends_with(end), "{}", ran.stdout());
}

#[test]
fn undo_works_at_any_time() {
    let ran = noughts(PLAYERS, "undo\nA1\nundo\nA1\nB1\nA2\nB2\nA3\nundo\nC3\nB3\n");
    let output = ran.ok();
    assert!(output.contains("> undo\nThere is no move to take back.\nPlayer 1: Enter box:"));
    assert!(output.contains("> undo\n\nBoard:\n_  _  _\n_  _  _\n_  _  _\n\nPlayer 1: Enter box:"));
    assert!(output.contains(
        "John (X) wins!\n\nScore: John 1, Jane 0, draws 0\nPlay again? (yes):\n> undo\n\nBoard:\n\
         X  X  _\nO  O  _\n_  _  _\n\nPlayer 1: Enter box:"
    ));
    assert!(
        output.ends_with(
            "Jane (O) wins!\n\nScore: John 0, Jane 1, draws 0\nPlay again? (yes):\n> \n"
        )
    );
}

#[test]
fn resigning_loses_the_game() {
    let ran = noughts(PLAYERS, "A1\nresign\n");
    assert!(ran.ok().contains("> resign\n\nBoard:\nX  _  _\n_  _  _\n_  _  _\n\nJohn (X) wins!\n"));
}

#[test]
fn resigned_player_is_skipped() {
    let ran = noughts(
        "play --rules 4x4:3+3p --name A --name B --name C --symbol a --symbol b --symbol c",
        "A1\nresign\nB1\nA2\nB2\nA3\n",
    );
    assert!(ran.ok().contains("Player 3: Enter box:\n> B1"));
    assert!(ran.stdout().contains("\n  1  2  3  4\nA a  a  a  _\nB c  c  _  _\n"));
    assert!(ran.stdout().contains("A (a) wins!\n"));
}

#[test]
fn help_works_at_any_prompt() {
    let ran = noughts("", "help\nquit\n");
    assert!(ran.ok().contains("Take turns to mark an empty box."));
    let ran = noughts(PLAYERS, "HELP\nquit\n");
    assert!(
        ran.ok().contains("The first to get 3 boxes in a row, across, down or diagonally, wins")
    );
    let ran = noughts(PLAYERS, "resign\nhelp\nresign\nboard\nscore\nmaybe\n");
    assert!(ran.ok().contains("The game is over."));
    assert!(ran.stdout().contains("Please answer yes or no."));
    let ran = noughts(NAMES, "undo\nx\no\nquit\n");
    assert!(ran.ok().contains("The game has not begun yet."));
}

#[test]
fn early_end_of_input_fails() {
    let sentence = "the input ended before the game did";
    let ran = noughts(PLAYERS, "A1\n");
    assert!(ran.stdout().ends_with(
        "Player 2: Enter box:\n> \nThe game is kept: `noughts play --continue` goes on with it.\n"
    ));
    ran.fails(1, sentence);
    noughts("", "").fails(1, sentence);
    noughts("", "John\n").fails(1, sentence);
}

#[test]
fn conflicting_flags_are_refused() {
    noughts("play --name A --name B --name C", "")
        .fails(2, "expected at most 2 times --name, one for each player, got 3");
    noughts("play --symbol e\u{301} --symbol é", "")
        .fails(2, "the character é is given twice: each player needs one of their own");
    let bad = noughts("play --symbol XX", "");
    assert_eq!(bad.status(), 2);
    assert!(bad.stderr().contains("expected exactly one character, got more"));
    let bad = noughts(&format!("play --name {}", "x".repeat(33)), "");
    assert_eq!(bad.status(), 2);
    assert!(bad.stderr().contains("expected a name of at most 32 characters"));
}

#[test]
fn columns_take_a_number_or_any_box() {
    let play = "play --rules connect4 --name A --name B --symbol x --symbol o";
    let ran = noughts(play, "help\n4\nA4\nd4\n8\nquit\n");
    let column = "\nA _  _  _  _  _  _  _\nB _  _  _  _  _  _  _\nC _  _  _  _  _  _  _\n\
                  D _  _  _  x  _  _  _\nE _  _  _  o  _  _  _\nF _  _  _  x  _  _  _\n";
    assert!(ran.ok().contains(column), "{}", ran.stdout());
    assert!(
        ran.stdout().contains("The number of the column is enough: 4 drops a mark into column 4.")
    );
    assert!(ran.stdout().contains("Player 1: Enter column:\n> 4\n"));
    assert!(
        ran.stdout().contains("\"8\" is not a column: expected a number from 1 to 7, or help.")
    );
}

#[test]
fn garbage_input_loses_nothing() {
    let rubbish = "x".repeat(100_000);
    let keys = "\u{1b}OS";
    assert!(noughts(PLAYERS, &format!("{keys}\nquit\n")).ok().contains("\n\"OS\" is not a box"));
    let ran = noughts(PLAYERS, &format!("A1\n{rubbish}\nB2\nquit\n"));
    assert!(ran.ok().ends_with(
        "Board:\nX  _  _\n_  O  _\n_  _  _\n\nPlayer 1: Enter box:\n> quit\n\
             The game is kept: `noughts play --continue` goes on with it.\n"
    ));
}

#[test]
fn undone_moves_are_played_again() {
    let ran = noughts(PLAYERS, "redo\nA1\nB2\nundo\nundo\nredo\nredo\nC3\nredo\nexit\n");
    let redone = "> redo\n\nBoard:\nX  _  _\n_  O  _\n_  _  _\n\nPlayer 1: Enter box:\n> C3\n";
    assert!(ran.ok().contains(redone), "{}", ran.stdout());
    assert_eq!(ran.stdout().matches("There is no move to do again.").count(), 2);
}

#[test]
fn dialogue_analyses_and_saves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a game.txt");
    let input = format!("?\nA1\nB2\nanalysis\nsave\nsave {}\nquit\n", file.display());
    let ran = noughts(PLAYERS, &input);
    assert!(ran.ok().contains("\nCommands:\n  help, ? "), "{}", ran.stdout());
    assert!(ran.stdout().contains("   1     2     3\nA  X     draw  draw\nB  draw  O     draw\n"));
    assert!(ran.stdout().contains("Add the name of the file: save game.txt\n"));
    assert!(ran.stdout().contains("Saved as "));
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("moves A1 B2\nresult in progress"), "{text}");
}

#[test]
fn dialogue_has_clocks() {
    let play = format!("{PLAYERS} --clock 5m+3s");
    let ran = noughts(&play, "A1\nB2\nundo\nredo\nundo\nC3\nquit\n");
    // Undo and redo give no time: each move adds its increment once.
    assert!(ran.ok().starts_with("\nBoard:\n_  _  _\n_  _  _\n_  _  _\n\n5:00 left. Player 1: "));
    assert!(ran.stdout().contains("5:00 left. Player 2: Enter box:\n> B2"), "{}", ran.stdout());
    for time in ["5:04", "5:05", "5:06", "5:07", "5:09"] {
        assert!(!ran.stdout().contains(time), "{}", ran.stdout());
    }
    let ran = noughts(&format!("{PLAYERS} --clock 0.001ms"), "A1\nB2\n");
    assert!(ran.ok().contains("Jane (O) forfeits: the time is up."), "{}", ran.stdout());
}

#[test]
fn invalid_utf_8_is_refused() {
    let ran = noughts_bytes("play", b"\xff\nAnn\nX\nBob\nO\nquit\n");
    let expected = "That is not UTF-8 text, which is expected here.\nEnter Player 1 Name:\n> Ann\n";
    assert!(ran.ok().contains(expected), "{}", ran.stdout());
}

#[test]
fn rated_games_have_no_help() {
    let ran = noughts(&format!("{PLAYERS} --rated"), "A1\nhint\nanalysis\nundo\nquit\n");
    let refused = "This game is rated: there are no hints and no analysis.\n";
    assert_eq!(ran.ok().matches(refused).count(), 2, "{}", ran.stdout());
    assert!(ran.stdout().contains("This game is rated: moves can't be taken back.\n"));
}

/// The dialogue as a person types it, with the commands that the full screen has keys for.
#[cfg(unix)]
#[test]
fn every_command_works_at_a_terminal() {
    let arguments = "play --plain --name Ann --symbol X --name Bob --symbol O --clock 5m+3s";
    let terminal = crate::terminal::Start { arguments, size: (80, 60), environment: &[] }.run();
    terminal.wait_for(&["5:00 left. Player 1: Enter box:"]);
    for (line, answer) in [
        ("?", "Commands:"),
        ("B2", "Player 2: Enter box:"),
        ("undo", "5:00 left. Player 1: Enter box:"),
        ("redo", "Player 2: Enter box:"),
        ("analysis", "draw"),
        ("save game.txt", "Saved as "),
    ] {
        terminal.send(&format!("{line}\r"));
        terminal.wait_until(&format!("{line} to be answered"), |screen| {
            let (shown, (_, col)) = (screen.contents(), screen.cursor_position());
            shown.contains(&format!("> {line}")) && shown.contains(answer) && col == 2
        });
    }
    terminal.send("exit\r");
    terminal.wait_for(&["The game is kept: `noughts play --continue` goes on with it."]);
    let folder = terminal.end_and_keep();
    let saved = std::fs::read_to_string(folder.path().join("game.txt")).unwrap();
    assert!(saved.contains("player X Ann") && saved.contains("moves B2"), "{saved}");
}

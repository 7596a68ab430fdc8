//! Unfinished games: kept as they are played, and continued.

use crate::terminal::{Start, Terminal, noughts_in_terminal};
use crate::{noughts_args, noughts_with};

const PLAIN: &str = "play --plain --name Ann --symbol X --name Bob --symbol O";

fn again(arguments: &str, folder: tempfile::TempDir) -> Terminal {
    Start { arguments, size: (80, 24), environment: &[] }.run_in(folder)
}

#[test]
fn killed_games_are_offered_again() {
    let terminal = noughts_in_terminal("play --rules 3x3 --name Ann --name Bob");
    terminal.wait_for(&["Ann to move"]);
    terminal.send("b2a1");
    terminal.wait_for(&["1 B2     A1"]);
    // The moves are written in the background.
    let data = terminal.folder().join("noughts.db");
    let is_stored = || {
        noughts_with(&data, "show 1 --format text", "")
            .0
            .stdout
            .windows(11)
            .any(|part| part == b"moves B2 A1")
    };
    while !is_stored() {
        std::thread::yield_now();
    }
    let folder = terminal.kill();
    let terminal = again("", folder);
    terminal.wait_for(&["Continue: 3x3 Ann - Bob, move 3", "c continue"]);
    terminal.send("c");
    terminal.wait_for(&["1 B2     A1", "Ann to move"]);
    terminal.send("a2q");
    terminal.wait_for(&["Leave this game? It is kept, and can be continued."]);
    terminal.send("\r");
    terminal.wait_for(&["Continue: 3x3 Ann - Bob, move 4"]);
    terminal.click(terminal.find("Continue: 3x3"));
    terminal.wait_for(&["3 A2", "Bob to move"]);
    // The end of the game is the end of the offer.
    terminal.send("c1c2");
    terminal.wait_for(&["Ann (X) wins!"]);
    terminal.send("q");
    terminal.wait_for(&["Enter: play"]);
    terminal.send("q");
    let folder = terminal.end_and_keep();
    let terminal = again("", folder);
    terminal.wait_for(&["Enter: play", "q quit"]);
    terminal.look(|screen| assert!(!screen.contents().contains("Continue:")));
}

#[test]
fn continue_flag_goes_on() {
    let terminal = noughts_in_terminal("play --players human,hard --clock 5m --rated");
    terminal.wait_for(&["Player 1 to move"]);
    terminal.send("b2");
    terminal.wait_for(&["1 B2 ", "Player 1 to move"]);
    terminal.send("\x03\x03");
    let folder = terminal.end_and_keep();
    let mut terminal = again("play --continue", folder);
    terminal.wait_for(&["1 B2 ", "Computer (har", "Player 1 to move", "4:5"]);
    terminal.send("u");
    terminal.wait_for(&["This game is rated: moves can't be taken back."]);
    terminal.send("\x03\x03");
    assert!(terminal.end().success());
}

#[test]
fn dialogues_keep_games_too() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    noughts_with(&data, "scores create club elo", "").ok();
    noughts_with(&data, "play --continue", "").fails(1, "there is no unfinished game");
    let ran = noughts_with(&data, PLAIN, "A1\nB2\nquit\n");
    assert!(ran.ok().ends_with("The game is kept: `noughts play --continue` goes on with it.\n"));
    noughts_with(&data, PLAIN, "C3\nquit\n").ok();
    let ran = noughts_with(&data, "play --continue 1", "A2\nC1\nA3\nno\n");
    assert!(ran.ok().starts_with("\nBoard:\nX  _  _\n_  O  _\n_  _  _\n"), "{}", ran.stdout());
    assert!(ran.stdout().contains("Ann (X) wins!"), "{}", ran.stdout());
    noughts_with(&data, "play --continue 1", "")
        .fails(1, "game 1 is over: `noughts show 1` reviews it");
    noughts_with(&data, "play --continue 9", "")
        .fails(1, "there is no game 9: `noughts games` lists those there are");
    let ran = noughts_with(&data, "play --continue", "quit\n");
    assert!(ran.ok().contains("_  _  X\n"), "{}", ran.stdout());
    assert!(noughts_with(&data, "scores", "").ok().contains("Ann        1     1"));
}

#[test]
fn games_begin_with_moves_and_positions() {
    let play = ["play", "--name", "Ann", "--name", "Bob", "--symbol", "X", "--symbol", "O"];
    let ran = |flags: &[&str], input: &str| noughts_args(&[&play[..], flags].concat(), input);
    let begun = ran(&["--moves", "B2 A1"], "C3\nquit\n");
    assert!(begun.ok().starts_with("\nBoard:\nO  _  _\n_  X  _\n_  _  _\n\nPlayer 1: "));
    let position = ran(&["--position", "3x3 xx1/oo1/3 x"], "A3\nno\n");
    assert!(position.ok().contains("Ann (X) wins!"), "{}", position.stdout());
    ran(&["--moves", "B2 B2"], "").fails(2, "move 2, B2: B2 is taken, choose an empty box");
    ran(&["--moves", "A1 B1 A2 B2 A3"], "").fails(2, "the game is over: expected one to play on");
}

#[test]
fn games_begin_with_files() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let file = folder.path().join("game.sgf");
    let sgf = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])\n";
    std::fs::write(&file, sgf).unwrap();
    let play = format!("play --from {}", file.display());
    let ran = noughts_with(&data, &play, "A1\nquit\n");
    assert!(ran.ok().contains("Player 1: Enter box:\n> A1"), "{}", ran.stdout());
    let text = noughts_with(&data, "show 1 --format text", "");
    assert!(text.ok().contains("player X Ann\nplayer O Bob\nmoves H8 I9 A1"), "{}", text.stdout());
}

#[test]
fn given_moves_are_reviewed_from_the_empty_board() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let game = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves B2 A1 A2 C1\nresult in progress\n";
    std::fs::write(&file, game).unwrap();
    let arguments = format!("play --from {}", file.display());
    let terminal = Start { arguments: &arguments, size: (80, 24), environment: &[] }.run();
    terminal.wait_for(&["1 B2     A1", "3 A2     C1", "Ann to move"]);
    terminal.send("c2");
    terminal.wait_for(&["Ann (X) wins!"]);
    terminal.send("v");
    terminal.wait_for(&["Move 5 of 5"]);
    terminal.send("\x1b[H");
    terminal.wait_for(&["The empty board", "Next: B2"]);
    // Another game begins with the same moves.
    terminal.send("q");
    terminal.wait_for(&["Enter play again"]);
    terminal.send("\r");
    terminal.wait_for(&["1 B2     A1", "3 A2     C1", "Bob to move"]);
}

#[test]
fn undo_gives_no_time() {
    let terminal = noughts_in_terminal("play --rules 3x3 --clock 10m+9m");
    terminal.wait_for(&["10:00"]);
    terminal.send("b2");
    terminal.wait_for(&["19:00"]);
    terminal.send(&"ur".repeat(10));
    terminal.send("a1");
    terminal.wait_for(&["1 B2     A1"]);
    terminal.look(|screen| {
        let shown = screen.contents();
        assert!(shown.contains("18:5") || shown.contains("19:00"), "{shown}");
        assert!(!shown.contains("28:") && !shown.contains("1:0"), "{shown}");
    });
}

#[test]
fn computers_play_each_other_at_a_pace() {
    let terminal = noughts_in_terminal("play --players random,random --rules gomoku");
    terminal.wait_for(&["Space pause"]);
    terminal.wait_for(&["  1 "]);
    terminal.send(" ");
    terminal.wait_for(&["Paused.", "Space go on"]);
    terminal.send(" ");
    terminal.wait_for(&["  3 ", "Space pause"]);
}

/// Where a game can't be stored any more it goes on, and the players read why in words of this program.
#[test]
fn full_disks_are_explained() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    noughts_with(&data, PLAIN, "B2\nquit\n").ok();
    // SQLite's index of the log fits, but only some moves do. POSIX counts blocks of 512 bytes.
    let shell = "trap '' XFSZ; ulimit -f 66; exec \"$0\" \"$@\"";
    let mut game = Command::new("sh")
        .args(["-c", shell, env!("CARGO_BIN_EXE_noughts")])
        .args(PLAIN.split(' ').chain(["--rules", "9x9:5"]))
        .env("NOUGHTS_DATA", &data)
        .env("NOUGHTS_SETTINGS", folder.path().join("settings.toml"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let moves: String = (1..=9).map(|i| format!("A{i}\nC{i}\n")).collect();
    game.stdin.take().unwrap().write_all(format!("{moves}quit\n").as_bytes()).unwrap();
    let ended = game.wait_with_output().unwrap();
    let said = String::from_utf8([ended.stdout, ended.stderr].concat()).unwrap();
    assert!(said.contains("the disk may be full"), "{said}");
    assert!(said.contains("Ann (X) wins!"), "the game goes on: {said}");
    assert!(!said.contains("SqliteError") && !said.contains("code: "), "{said}");
}

/// The same on the full screen.
#[test]
fn full_disks_are_explained_on_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    noughts_with(&folder.path().join("noughts.db"), PLAIN, "B2\nquit\n").ok();
    let script = "trap '' XFSZ; ulimit -f 66; exec \"$0\" \"$@\"";
    let arguments = "play --rules 9x9:5 --name Ann --name Bob";
    let start = Start { arguments, size: (80, 24), environment: &[] };
    let terminal = start.run_by_script(script, folder);
    terminal.wait_for(&["Ann to move"]);
    for i in 1..=4 {
        terminal.send(&format!("a{i}c{i}"));
    }
    terminal.wait_for(&["the disk may be", "full or damaged."]);
    terminal.send("a5");
    terminal.wait_for(&["Ann (X) wins!"]);
    terminal.look(|screen| assert!(!screen.contents().contains("code: "), "{}", screen.contents()));
}

/// Nobody gets help in a rated game, or drops it without a trace.
#[test]
fn rated_games_are_unaided_and_kept() {
    let arguments = "play --players human,human --name Ann --name Bob --rated";
    let mut terminal = noughts_in_terminal(arguments);
    terminal.wait_for(&["Ann to move"]);
    terminal.send("b2");
    terminal.wait_for(&["Bob to move"]);
    for key in ["t", "v"] {
        terminal.send(key);
        terminal.wait_for(&["This game is rated: there are no hints and no", "analysis."]);
    }
    terminal.send("u");
    terminal.wait_for(&["This game is rated: moves can't be taken back."]);
    terminal.send("q");
    terminal.wait_for(&["Leave this game? It is kept, and can be continued."]);
    terminal.send("y");
    terminal.wait_for(&["Continue: 3x3 Ann - Bob, move 2", "rated: no undo"]);
    terminal.send("q");
    assert!(terminal.end().success());
    let games = noughts_with(&terminal.folder().join("noughts.db"), "games", "");
    assert!(games.ok().contains("Ann, Bob  not over"), "{}", games.stdout());
}

/// Full screen, from everything that a game can begin with.
#[test]
fn games_on_the_screen_begin_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nA\nB\n-1\n";
    let sgf = "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])\n";
    for (name, content) in [("game.psq", psq), ("game.sgf", sgf)] {
        std::fs::write(folder.path().join(name), content).unwrap();
        let arguments = format!("play --from {}", folder.path().join(name).display());
        let terminal = noughts_in_terminal(&arguments);
        terminal.wait_for(&["Noughts · 15x15:5", "1 H8     I9", "to move"]);
    }
    let terminal = noughts_in_terminal("play --rules connect4 --moves 4");
    terminal.wait_for(&["1 F4", "Player 2 to move"]);
    let start = Start { arguments: "", size: (80, 24), environment: &[] };
    let script = "exec \"$0\" play --position '3x3 xx1/oo1/3 x' --name Ann";
    let terminal = start.run_by_script(script, tempfile::tempdir().unwrap());
    terminal.wait_for(&["Noughts · 3x3", "Ann to move"]);
    terminal.send("a3");
    terminal.wait_for(&["Ann (X) wins!", "The line: A1 A2 A3"]);
    let terminal = noughts_in_terminal("play --rules connect4 --moves 8");
    terminal.wait_for(&["move 1, 8: "]);
    let terminal = noughts_in_terminal("play --position nonsense");
    terminal.wait_for(&["invalid value 'nonsense' for '--position <POSITION>'"]);
}

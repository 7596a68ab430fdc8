//! The settings file of players.

use crate::noughts_with;

#[test]
fn config_shows_and_creates_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let path = folder.path().join("settings.toml").display().to_string();
    let ran = noughts_with(&data, "config", "");
    assert!(
        ran.ok().starts_with(&format!("{path}\nThere is no such file yet")),
        "{}",
        ran.stdout()
    );
    assert_eq!(noughts_with(&data, "config --path", "").ok(), format!("{path}\n"));
    noughts_with(&data, "config --init", "").ok();
    noughts_with(&data, "config --init", "").fails(1, &format!("{path} exists already"));
    let ran = noughts_with(&data, "config", "");
    assert!(ran.ok().contains("name    Player 1 (default)\n"), "{}", ran.stdout());
    std::fs::write(&path, "name = \"Ann\"\nboard = \"4x4:3\"\nsymbol = \"A\"\n").unwrap();
    assert!(noughts_with(&data, "config", "").ok().contains("name    Ann\n"));
    let ran = noughts_with(&data, "", "Bob\n\nA1\nquit\n");
    assert!(ran.ok().starts_with("Enter Player 2 Name:\n> Bob\n"), "{}", ran.stdout());
    assert!(ran.stdout().contains("A A  _  _  _\n"), "{}", ran.stdout());
    std::fs::write(&path, "theme = \"pink\"\n").unwrap();
    noughts_with(&data, "play", "")
        .fails(1, &format!("{path}: theme: expected one of dark, light, contrast, not pink"));
}

#[cfg(unix)]
#[test]
fn settings_shape_the_screen() {
    use crate::terminal::Start;
    let folder = tempfile::tempdir().unwrap();
    let settings = "name = \"Ann\"\nboard = \"connect4\"\ntheme = \"light\"\n";
    std::fs::write(folder.path().join("settings.toml"), settings).unwrap();
    let terminal = Start { arguments: "", size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["[Connect Four]", "Ann"]);
    terminal.send("\r");
    terminal.wait_for(&["6x7:4+gravity", "▸ X Ann"]);
    let (col, row) = terminal.find("X Ann");
    // The first player is blue on a light background.
    terminal.look(|screen| {
        assert_eq!(screen.cell(row, col).unwrap().fgcolor(), vt100::Color::Idx(4));
    });
}

#[cfg(unix)]
#[test]
fn keys_of_ones_own_are_shown_and_work() {
    use crate::terminal::Start;
    let folder = tempfile::tempdir().unwrap();
    let settings = "[keys]\nundo = \"x\"\nredo = \";\"\nleave = \"u\"\n";
    std::fs::write(folder.path().join("settings.toml"), settings).unwrap();
    let arguments = "play --players human,human --name Ann --name Bob";
    let mut terminal = Start { arguments, size: (80, 24), environment: &[] }.run_in(folder);
    terminal.wait_for(&["Ann to move", "u leave"]);
    terminal.send("b2");
    terminal.wait_for(&["Bob to move", "x undo"]);
    // The usual key does nothing now.
    terminal.send("r");
    terminal.send("x");
    terminal.wait_for(&["Ann to move", "; redo"]);
    terminal.click(terminal.find("; redo"));
    terminal.wait_for(&["Bob to move"]);
    terminal.send("\x1b");
    terminal.wait_for(&["Take back the last move", "Menu"]);
    terminal.send("x");
    terminal.wait_for(&["Ann to move", "; redo"]);
    terminal.send("?");
    terminal.wait_for(&["Your keys", "undo"]);
    terminal.send("q");
    terminal.wait_for(&["Ann to move"]);
    terminal.send("u");
    terminal.wait_for(&["N O U G H T S"]);
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn keys_that_clash_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let path = folder.path().join("settings.toml");
    let check = |keys: &str, expected: &str| {
        std::fs::write(&path, format!("[keys]\n{keys}\n")).unwrap();
        let expected = format!("{}: keys: {expected}", path.display());
        noughts_with(&data, "play", "").fails(1, &expected);
    };
    check("undo = \"r\"", "undo and redo have the same key r");
    check("undo = \"b\"", "undo: b names a row of a board: expected p to z or a sign");
    let names =
        "undo, redo, hint, analysis, sides, save, resign, new-game, help, leave, accept, decline";
    check("fly = \"x\"", &format!("expected one of {names}, not fly"));
    std::fs::write(&path, "[keys]\nundo = \"x\"\n").unwrap();
    assert!(noughts_with(&data, "config", "").ok().contains("keys    undo x, redo r, hint t,"));
}

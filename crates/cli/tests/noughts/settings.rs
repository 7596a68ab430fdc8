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

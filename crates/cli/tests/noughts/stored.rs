//! Games that were stored by earlier versions, and games of every kind.

use std::path::Path;

use sqlx::Connection;

use crate::noughts_with;

/// Games as earlier versions have written them.
const EARLIER: &[&str] = &[
    "rules 3x3\nplayer ❎ John\nplayer 🛑 Jane\nmoves A1 B2 A2 C3 A3\nresult ❎ wins",
    "rules 3x3+misere\nplayer X Ann\nplayer O Bob\nmoves B2 A1 C3 A2 B3 A3\nresult X wins",
    "rules 15x15:5+exact\nplayer X Ann\nplayer O Bob\nmoves H8 A1 resign:2\nresult X wins",
    "rules 6x7:4+gravity\nplayer X Ann\nplayer O Bob\nmoves F4 F3 E4 E3 D4 D3 C4\nresult X wins",
    "rules 7x7:4+3p\nplayer X A\nplayer O B\nplayer △ C\nmoves A1 B1 C1 resign:1 B2\nresult in progress",
    "rules 4x4+wrap\nplayer X Ann\nplayer O Bob\nmoves A1 B1\nresult in progress",
];

/// A file with these games, as the store keeps them.
fn store(data: &Path, games: &[&str]) {
    noughts_with(data, "play --name A --name B --symbol X --symbol O", "quit\n").ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite://{}", data.display());
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        for game in games {
            let insert = "INSERT INTO records (stored_at, notation) VALUES (0, $1)";
            sqlx::query(insert).bind(*game).execute(&mut connection).await.unwrap();
        }
    });
}

#[test]
fn earlier_games_read_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    store(&data, EARLIER);
    for (number, game) in (1..).zip(EARLIER) {
        let ran = noughts_with(&data, &format!("show {number} --format text"), "");
        assert_eq!(ran.ok(), format!("{game}\n"));
    }
    let listed = noughts_with(&data, "scores games", "");
    assert_eq!(listed.ok().lines().count(), 1 + EARLIER.len(), "{}", listed.stdout());
}

/// A game of this kind is played in the dialogue, stored, shown and read back from a file.
#[track_caller]
fn check(rules: &str, moves: &str, canonical: &str) {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("noughts.db");
    let play = format!("play --rules {rules} --name Ann --name Bob --symbol X --symbol O");
    // A game that is not over is resigned.
    let lines = moves.replace(' ', "\n") + "\nresign\n";
    noughts_with(&data, &play, &lines).ok();
    let text = noughts_with(&data, "show 1 --format text", "").ok().to_string();
    let players = "player X Ann\nplayer O Bob";
    let expected = format!("rules {canonical}\n{players}\nmoves {moves}");
    assert!(text.starts_with(&expected), "{text}");
    let file = folder.path().join("game.txt");
    std::fs::write(&file, &text).unwrap();
    let again = noughts_with(&data, &format!("show {} --format text", file.display()), "");
    assert_eq!(again.ok(), text);
    let boards = noughts_with(&data, "show 1 --format boards", "");
    assert!(boards.ok().contains("The empty board"), "{}", boards.stdout());
    assert!(noughts_with(&data, "scores games", "").ok().contains(canonical));
    for format in ["psq", "sgf"] {
        let ran = noughts_with(&data, &format!("show 1 --format {format}"), "");
        let is_renju = canonical == "15x15:5+renju";
        assert_eq!(ran.status(), i32::from(!is_renju), "{format}: {}", ran.stderr());
        assert_eq!(ran.stderr().contains(&format!("{canonical} is not gomoku")), !is_renju);
    }
}

#[test]
fn every_kind_is_stored() {
    check("ultimate", "E5 D4 A1 B2", "3x3+ultimate");
    check("3x3x3", "2B2 A1 B2 3B2 A3 C1 3C1", "3x3x3");
    check("score-four", "A1 2A1 B1", "4x4x4+gravity");
    check("wild", "B2=x A1=o C3=o A3=x", "3x3+wild");
    check("notakto", "A1 2A1 3A1", "3x3+notakto+3b");
    check("order-and-chaos", "A1=x A2=o", "6x6:5+order");
    check("fade", "A1 A2 B2 B1 C1 C3 A3", "3x3+fade3");
    check("connect6", "J10 J11 J12", "19x19:6+2s");
    check("renju", "H8 H9 J9", "15x15:5+renju");
    check("gomoku+swap", "H8 swap H9", "15x15:5+swap");
    check("swap2", "H8 H9 H10 more A1 A2 swap A3", "15x15:5+swap2");
    check("3x3:[A1-A2-A3,A1-B2-C3]", "A1 B1 A2 B2 A3", "3x3:[A1-A2-A3,A1-B2-C3]");
}

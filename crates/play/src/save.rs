//! Games in files.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use noughts_rules::Game;
use noughts_rules::notation::{psq, sgf};

/// The larger files hold no games of ours.
const MAX_FILE_BYTES: u64 = 256 << 20;

/// Writes a game to a new file in the format of its extension: `.psq`, `.sgf`, or else text. Returns
/// the path. An error is a sentence.
pub fn save_game(game: &Game, name: &str) -> Result<String, String> {
    let name = name.trim();
    let path = Path::new(name);
    if name.is_empty() {
        return Err("A file needs a name.".into());
    }
    let text = match extension(path).as_deref() {
        Some("psq") => psq::write(game).map_err(|error| format!("Can't save as psq: {error}."))?,
        Some("sgf") => sgf::write(game).map_err(|error| format!("Can't save as SGF: {error}."))?,
        _ => format!("{game}\n"),
    };
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error
            .kind()
        {
            std::io::ErrorKind::AlreadyExists => "This file exists already.".to_string(),
            _ => format!("The file can't be written: {error}."),
        })?;
    file.write_all(text.as_bytes())
        .map_err(|error| format!("The file can't be written: {error}."))?;
    Ok(name.to_string())
}

/// Reads the games of a file: one in a `.psq` file, and one or more in SGF or as text.
pub fn read_games(path: &Path) -> Result<Vec<Game>> {
    let file = path.display();
    let size = fs::metadata(path).with_context(|| format!("can't read {file}"))?.len();
    anyhow::ensure!(size <= MAX_FILE_BYTES, "{file} is too large");
    let bytes = fs::read(path).with_context(|| format!("can't read {file}"))?;
    let text = String::from_utf8(bytes).ok().with_context(|| format!("{file} is no UTF-8 text"))?;
    let no_game = || format!("{file} is not a game");
    match extension(path).as_deref() {
        Some("psq") => Ok(vec![psq::read(&text).with_context(no_game)?]),
        Some("sgf") => {
            let games = sgf_games(&text);
            if let [_, _, ..] = games[..] {
                let number = |(number, text): (usize, &str)| {
                    sgf::read(text).with_context(|| format!("game {number} of {file}"))
                };
                return (1..).zip(games).map(number).collect();
            }
            Ok(vec![sgf::read(&text).with_context(no_game)?])
        }
        _ => {
            let games = text_games(&text);
            if let [_, _, ..] = games[..] {
                let number = |(number, text): (usize, String)| {
                    text.parse().with_context(|| format!("game {number} of {file}"))
                };
                return (1..).zip(games).map(number).collect();
            }
            Ok(vec![text.trim_end().parse().with_context(no_game)?])
        }
    }
}

fn extension(path: &Path) -> Option<String> {
    path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase)
}

/// The games of a text, which are separated by blank lines.
fn text_games(text: &str) -> Vec<String> {
    let mut games = vec![String::new()];
    for line in text.lines() {
        match (line.trim().is_empty(), games.last_mut()) {
            (true, Some(last)) if !last.is_empty() => games.push(String::new()),
            (false, Some(last)) => *last += &format!("{line}\n"),
            _ => {}
        }
    }
    games.retain(|game| !game.is_empty());
    games
}

/// The game trees of a collection.
fn sgf_games(text: &str) -> Vec<&str> {
    let (mut games, mut depth, mut start) = (Vec::new(), 0usize, 0);
    let (mut in_value, mut is_escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_value => is_escaped = true,
            ']' if in_value => in_value = false,
            _ if in_value => {}
            '[' => in_value = true,
            '(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            ')' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    games.push(&text[start..=at]);
                }
            }
            _ => {}
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_rules::Rules;

    #[test]
    fn extension_decides_saved_format() {
        let folder = tempfile::tempdir().unwrap();
        let in_folder = |name: &str| folder.path().join(name).display().to_string();
        let classic = Game::with_default_players(&Rules::classic());
        let gomoku = Game::with_default_players(&"gomoku".parse().unwrap());
        let (text, psq, sgf) = (in_folder("a.txt"), in_folder("a.PSQ"), in_folder("a.sgf"));
        save_game(&classic, &text).unwrap();
        assert_eq!(read_games(Path::new(&text)).unwrap(), std::slice::from_ref(&classic));
        save_game(&gomoku, &psq).unwrap();
        assert!(psq::read(&fs::read_to_string(&psq).unwrap()).is_ok());
        save_game(&gomoku, &sgf).unwrap();
        assert!(sgf::read(&fs::read_to_string(&sgf).unwrap()).is_ok());
        assert_eq!(save_game(&classic, &text), Err("This file exists already.".into()));
        let refused = save_game(&classic, &in_folder("b.psq")).unwrap_err();
        assert!(refused.starts_with("Can't save as psq"));
        assert!(save_game(&classic, &in_folder("no/such/folder")).is_err());
        assert!(save_game(&classic, " ").is_err());
    }

    #[test]
    fn files_with_many_games_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            read_games(&path).map(|games| games.len()).map_err(|error| format!("{error:#}"))
        };
        let classic = Game::with_default_players(&Rules::classic());
        let gomoku = Game::with_default_players(&"gomoku".parse().unwrap());
        assert_eq!(read("a.txt", &format!("\n{classic}\n\n\n{gomoku}\n")), Ok(2));
        let tree = sgf::write(&gomoku).unwrap();
        assert_eq!(read("a.sgf", &format!("{tree}{}", tree.replace("(;", "(;C[a )\\] b]"))), Ok(2));
        let error = read("b.txt", &format!("{classic}\n\nrules 99x99\n")).unwrap_err();
        assert!(error.contains("game 2 of"), "{error}");
        assert!(read("c.txt", "").is_err());
        let path = folder.path().join("d.txt");
        fs::write(&path, b"\xff").unwrap();
        assert!(read_games(&path).unwrap_err().to_string().ends_with("is no UTF-8 text"));
    }
}

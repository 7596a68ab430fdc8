//! A game named on the command line: stored, or in a file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use noughts_rules::Game;
use noughts_rules::notation::{psq, sgf};
use noughts_store::RecordId;

use crate::data::DataArguments;
use crate::failure::Failure;

/// A reference to a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChosenGame {
    /// A stored game.
    Stored(RecordId),
    /// A game in a file.
    File(PathBuf),
}

/// Numbers name stored games; anything else is a path.
impl From<&str> for ChosenGame {
    fn from(text: &str) -> ChosenGame {
        match text.parse() {
            Ok(number) => ChosenGame::Stored(RecordId(number)),
            Err(_) => ChosenGame::File(text.into()),
        }
    }
}

impl ChosenGame {
    pub(crate) fn read(&self, data: &DataArguments) -> Result<Game, Failure> {
        match self {
            ChosenGame::Stored(id) => {
                let data = data.open_to_read()?;
                let stored = data.game(*id)?;
                let nowhere = "`noughts scores games` lists those there are";
                Ok(stored.ok_or_else(|| anyhow!("there is no game {id}: {nowhere}"))?.game)
            }
            ChosenGame::File(path) => Ok(read_file(path)?),
        }
    }
}

fn read_file(path: &Path) -> Result<Game> {
    let text = fs::read_to_string(path).with_context(|| {
        let expected = "expected the number of a stored game, or a file with one";
        format!("{expected}: can't read {}", path.display())
    })?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    let game = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("psq") => psq::read(&text).map_err(anyhow::Error::from),
        Some("sgf") => sgf::read(&text).map_err(anyhow::Error::from),
        _ => text.trim_end().parse::<Game>().map_err(anyhow::Error::from),
    };
    game.with_context(|| format!("{} is not a game", path.display()))
}

#[cfg(test)]
mod tests {
    use noughts_rules::Cell;

    use super::*;

    #[test]
    fn games_load_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Game::with_default_players(&"gomoku".parse().unwrap());
        for cell in ["H8", "A1", "H9"] {
            game.play(game.turn().unwrap(), cell.parse::<Cell>().unwrap()).unwrap();
        }
        let texts = [
            ("game.txt", format!("{game}\n")),
            ("game.PSQ", psq::write(&game).unwrap()),
            ("game.sgf", sgf::write(&game).unwrap()),
        ];
        for (name, text) in texts {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let chosen = ChosenGame::from(path.to_str().unwrap());
            let read = read_file(&path).unwrap();
            assert_eq!(chosen, ChosenGame::File(path));
            assert!(read.history().eq(game.history()), "{name}");
        }
        let nothing = read_file(&folder.path().join("nothing")).unwrap_err().to_string();
        assert!(nothing.starts_with("expected the number of a stored game"), "{nothing}");
        assert_eq!(ChosenGame::from("12"), ChosenGame::Stored(RecordId(12)));
    }
}

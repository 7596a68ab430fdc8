//! A game named on the command line: stored, or in a file.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use noughts_play::read_games;
use noughts_rules::Game;
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
    /// Reads the game. The number chooses one of several games in a file.
    pub(crate) fn read(
        &self,
        data: &DataArguments,
        number: Option<usize>,
    ) -> Result<Game, Failure> {
        match self {
            ChosenGame::Stored(id) => {
                let data = data.open_to_read()?;
                let stored = data.game(*id)?;
                let nowhere = "`noughts games` lists those there are";
                Ok(stored.ok_or_else(|| anyhow!("there is no game {id}: {nowhere}"))?.game)
            }
            ChosenGame::File(path) => Ok(read_file(path, number)?),
        }
    }
}

/// The game of a file; of several, the one with this number, from 1.
fn read_file(path: &Path, number: Option<usize>) -> Result<Game> {
    let mut games = read_games(path).map_err(|error| {
        let is_missing = error.chain().any(|cause| cause.is::<std::io::Error>());
        match is_missing {
            true => error.context("expected the number of a stored game, or a file with one"),
            false => error,
        }
    })?;
    let file = path.display();
    match (games.len(), number) {
        (1, None | Some(1)) => Ok(games.remove(0)),
        (count, Some(number)) if (1..=count).contains(&number) => Ok(games.remove(number - 1)),
        (count, None) => {
            Err(anyhow!("{file} has {count} games: choose one with --number 1 to {count}"))
        }
        (count, Some(number)) => Err(anyhow!("{file} has {count} games, no game {number}")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use noughts_rules::Cell;
    use noughts_rules::notation::{psq, sgf};

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
            let read = read_file(&path, None).unwrap();
            assert_eq!(chosen, ChosenGame::File(path));
            assert!(read.history().eq(game.history()), "{name}");
        }
        let nothing = read_file(&folder.path().join("nothing"), None).unwrap_err().to_string();
        assert!(nothing.starts_with("expected the number of a stored game"), "{nothing}");
        assert_eq!(ChosenGame::from("12"), ChosenGame::Stored(RecordId(12)));
    }
}

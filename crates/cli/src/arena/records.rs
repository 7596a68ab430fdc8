//! The games of a tournament in a file.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use noughts_arena::{GameFile, PlayedGame, Tournament};
use noughts_play::read_games;
use noughts_rules::Game;
use noughts_rules::notation::sgf;

use crate::failure::Failure;
use crate::game_json::GameJson;

/// Appends games in the format of the file's extension.
pub(super) enum GameRecords {
    Text(GameFile),
    /// A collection of SGF trees.
    Sgf(File),
    /// An object on each line.
    Json(File),
}

impl GameRecords {
    pub(super) fn open(path: &Path, tournament: &Tournament) -> Result<GameRecords, Failure> {
        let shown = || format!("can't open {}", path.display());
        let append = || OpenOptions::new().append(true).create(true).open(path);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("sgf") => {
                let empty = Game::with_default_players(tournament.start.rules());
                let error = sgf::write(&empty).err();
                match error {
                    Some(error) => Err(Failure::Malformed(anyhow!("no SGF: {error}"))),
                    None => Ok(GameRecords::Sgf(append().with_context(shown)?)),
                }
            }
            Some("json" | "jsonl") => Ok(GameRecords::Json(append().with_context(shown)?)),
            _ => Ok(GameRecords::Text(GameFile::open(path).with_context(shown)?)),
        }
    }

    /// Appends a game, unbuffered, so that an interrupted tournament keeps its games.
    pub(super) fn add(&mut self, game: &Game) -> Result<()> {
        let written = match self {
            GameRecords::Text(file) => file.add(game),
            GameRecords::Sgf(file) => file.write_all(sgf::write(game)?.as_bytes()),
            GameRecords::Json(file) => {
                let line = serde_json::to_string(&GameJson::from(game))? + "\n";
                file.write_all(line.as_bytes())
            }
        };
        written.context("can't write the game")
    }
}

/// The games of an interrupted tournament: the first ones of its schedule.
pub(super) fn played(path: &Path, tournament: &Tournament) -> Result<Vec<PlayedGame>, Failure> {
    if fs::metadata(path).map_or(true, |file| file.len() == 0) {
        return Ok(Vec::new());
    }
    let shown = path.display();
    let replayed = |(number, game): (u64, &Game)| {
        tournament.replayed(number, game).ok_or_else(|| {
            let other = "is of another tournament: resume with the same arguments";
            Failure::Malformed(anyhow!("game {} of {shown} {other}", number + 1))
        })
    };
    (0..).zip(&read_games(path)?).map(replayed).collect()
}

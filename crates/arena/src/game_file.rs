//! A file that collects the games.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use noughts_rules::Game;

/// Games in text form, separated by blank lines.
pub struct GameFile {
    file: File,
    is_empty: bool,
}

impl GameFile {
    /// Opens the file for appending, or creates it.
    pub fn open(path: &Path) -> io::Result<GameFile> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let is_empty = file.metadata()?.len() == 0;
        Ok(GameFile { file, is_empty })
    }

    /// Appends a game, unbuffered, so that an interrupted tournament keeps its games.
    pub fn add(&mut self, game: &Game) -> io::Result<()> {
        let gap = if self.is_empty { "" } else { "\n" };
        self.is_empty = false;
        self.file.write_all(format!("{gap}{game}\n").as_bytes())
    }
}

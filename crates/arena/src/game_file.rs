//! Keeping every game.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use noughts_rules::Game;

/// A file of games in their text form, a blank line between each two.
pub struct Records {
    file: File,
    is_empty: bool,
}

impl Records {
    /// A file to which games are added after those that it has.
    pub fn open(path: &Path) -> io::Result<Records> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let is_empty = file.metadata()?.len() == 0;
        Ok(Records { file, is_empty })
    }

    /// Adds a game. It is written at once: whoever ends the program keeps what was played.
    pub fn add(&mut self, game: &Game) -> io::Result<()> {
        let gap = if self.is_empty { "" } else { "\n" };
        self.is_empty = false;
        self.file.write_all(format!("{gap}{game}\n").as_bytes())
    }
}

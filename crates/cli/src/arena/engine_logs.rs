//! Files with what engines were told and said.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use noughts_engine::gomocup::EngineLog;

/// A folder with a file for each engine in each game: `00017-rapfi.log`.
#[derive(Debug, Clone)]
pub(super) struct EngineLogs(PathBuf);

impl EngineLogs {
    /// Creates the folder if it does not exist.
    pub(super) fn create(folder: &Path) -> Result<EngineLogs> {
        fs::create_dir_all(folder)
            .with_context(|| format!("can't create the folder {}", folder.display()))?;
        Ok(EngineLogs(folder.to_owned()))
    }

    /// The log of a player in a game, counted from 0; `None` if it can't be written.
    pub(super) fn open(&self, game: u64, name: &str) -> Option<EngineLog> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.#".contains(c);
        let name: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let file = File::create(self.0.join(format!("{:05}-{name}.log", game + 1)));
        file.ok().map(EngineLog::new)
    }
}

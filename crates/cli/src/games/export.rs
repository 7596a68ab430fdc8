//! `noughts games export`: prints stored games or writes them to files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use noughts_rules::notation::{psq, sgf};
use noughts_store::StoredGame;

use super::FilterArguments;
use crate::data::DataArguments;
use crate::failure::Failure;
use crate::game_json::StoredJson;

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    filter: FilterArguments,
    /// The format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The new file; for psq, a folder that gets a file for each game
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Rules, players, moves and result of each game, separated by blank lines
    Text,
    /// A list of objects
    Json,
    /// One collection in the Smart Game Format (gomoku only)
    Sgf,
    /// Piskvork's format (gomoku only), a file for each game
    Psq,
}

pub(super) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Arguments { filter, format, to, data } = arguments;
    if format == Format::Psq && to.is_none() {
        let reason = "psq files have one game each: name a folder for them with --to";
        return Err(Failure::malformed(anyhow!(reason)));
    }
    // Oldest first, so that an import keeps their order.
    let mut games = data.open_to_read()?.games_where(&filter.filter(), usize::MAX)?;
    games.reverse();
    let skipped = match (format, &to) {
        (Format::Psq, Some(folder)) => write_files(&games, folder)?,
        _ => {
            let (text, skipped) = text(&games, format)?;
            match &to {
                Some(path) => write_new(path, &text)?,
                None => io::stdout().write_all(text.as_bytes())?,
            }
            skipped
        }
    };
    match skipped {
        0 => {}
        1 => eprintln!("noughts: 1 game is not gomoku: it is left out"),
        count => eprintln!("noughts: {count} games are not gomoku: they are left out"),
    }
    Ok(())
}

/// All games in one text, and how many the format can't have.
fn text(games: &[StoredGame], format: Format) -> Result<(String, usize)> {
    match format {
        Format::Json => {
            let games: Vec<StoredJson> = games.iter().map(StoredJson::from).collect();
            Ok((serde_json::to_string(&games)? + "\n", 0))
        }
        Format::Sgf => {
            let texts: Vec<String> =
                games.iter().filter_map(|stored| sgf::write(&stored.game).ok()).collect();
            Ok((texts.concat(), games.len() - texts.len()))
        }
        Format::Text | Format::Psq => {
            let texts: Vec<String> =
                games.iter().map(|stored| format!("{}\n", stored.game)).collect();
            Ok((texts.join("\n"), 0))
        }
    }
}

/// Writes a file for each game. Returns how many games the format can't have.
fn write_files(games: &[StoredGame], folder: &Path) -> Result<usize> {
    fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    let mut skipped = 0;
    for stored in games {
        match psq::write(&stored.game) {
            Ok(text) => write_new(&folder.join(format!("game-{}.psq", stored.id)), &text)?,
            Err(_) => skipped += 1,
        }
    }
    Ok(skipped)
}

/// Writes a new file. An existing one is left alone.
fn write_new(path: &Path, text: &str) -> Result<()> {
    let shown = path.display();
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(anyhow!("{shown} exists already"));
        }
        opened => opened.with_context(|| format!("can't write {shown}"))?,
    };
    file.write_all(text.as_bytes()).with_context(|| format!("can't write {shown}"))
}

//! `noughts import`: stores the games of files.

use std::io::{self, Write};
use std::path::PathBuf;

use noughts_play::{Database, now, read_games};

use crate::data::DataArguments;
use crate::failure::Failure;

/// Store the games of files
///
/// Files are text as `noughts show` and `noughts games export` print it, with any number of games, or
/// gomoku as .sgf or .psq. Imported games do not count in a league; unfinished ones can be continued.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  noughts import games.txt\n  noughts import *.psq game.sgf")]
pub(crate) struct Arguments {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    // All files are read before anything is stored.
    let games: Vec<_> =
        arguments.files.iter().map(|file| read_games(file)).collect::<Result<_, _>>()?;
    let data = Database::open_writable(&arguments.data.path()?)?;
    let mut count = 0;
    for game in games.iter().flatten() {
        data.record_end(None, game, now(), None)?;
        count += 1;
    }
    match count {
        1 => writeln!(io::stdout(), "1 game is imported.")?,
        count => writeln!(io::stdout(), "{count} games are imported.")?,
    }
    Ok(())
}

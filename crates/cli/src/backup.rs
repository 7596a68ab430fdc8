//! `noughts backup`: a copy of the file with games and scores.

use std::io::{self, Write};
use std::path::PathBuf;

use noughts_play::Database;

use crate::data::DataArguments;
use crate::failure::Failure;

/// Copy the file with games and scores, even while a game or a server uses it
///
/// The copy is as the file was at one moment, and can be used in its place. An existing file is
/// never written over.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts backup /mnt/backup/noughts-monday.db\n  \
    noughts scores --data /mnt/backup/noughts-monday.db")]
pub(crate) struct Arguments {
    /// Where the copy goes
    file: PathBuf,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let data = Database::open_existing(&arguments.data.path()?)?;
    data.back_up(&arguments.file)?;
    writeln!(io::stdout(), "Everything is copied to {}.", arguments.file.display())?;
    Ok(())
}

//! `noughts backup`: copies the file with games and scores.

use std::io::{self, Write};
use std::path::PathBuf;

use noughts_play::Database;

use crate::data::DataArguments;
use crate::failure::Failure;

/// Back up games and scores, even while they are in use
///
/// The copy is consistent and can replace the original. Existing files are never overwritten.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts backup /mnt/backup/noughts-monday.db\n  \
    noughts scores --data /mnt/backup/noughts-monday.db")]
pub(crate) struct Arguments {
    /// The file to create
    file: PathBuf,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let data = Database::open_existing(&arguments.data.path()?)?;
    data.back_up(&arguments.file)?;
    writeln!(io::stdout(), "Backed up to {}.", arguments.file.display())?;
    Ok(())
}

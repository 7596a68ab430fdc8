//! `noughts man`: prints the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::failure::Failure;

/// Print the manual page, or write a page for every command into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:\n  noughts man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// The folder to write to; created if it is missing
    folder: Option<PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let command = crate::Program::command();
    let Some(folder) = arguments.folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        io::stdout().write_all(&page)?;
        return Ok(());
    };
    fs::create_dir_all(&folder)
        .and_then(|()| clap_mangen::generate_to(command, &folder))
        .with_context(|| format!("can't write manual pages to {}", folder.display()))?;
    Ok(())
}

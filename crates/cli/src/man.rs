//! `noughts man`: prints the manual pages.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::failure::Failure;

/// Print the manual page of a command, or write a page for every command into a folder
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts man arena | man -l -\n  \
    noughts man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// The command, or the folder to write to; created if it is missing
    #[arg(value_name = "COMMAND|FOLDER")]
    target: Option<PathBuf>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let command = crate::Program::command();
    let Some(folder) = arguments.target else { return print(command) };
    let name = folder.to_str().unwrap_or_default();
    let mut commands = command.clone();
    // Gives each command its full name.
    commands.build();
    if let Some(named) = commands.find_subcommand(name) {
        return print(named.clone());
    }
    fs::create_dir_all(&folder)
        .and_then(|()| clap_mangen::generate_to(command, &folder))
        .with_context(|| format!("can't write manual pages to {}", folder.display()))?;
    Ok(())
}

fn print(command: Command) -> Result<(), Failure> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(())
}

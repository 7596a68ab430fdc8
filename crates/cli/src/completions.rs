//! `noughts completions`: prints a completion script.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;

/// Print a shell completion script
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  noughts completions bash > ~/.local/share/bash-completion/completions/noughts"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    // The generator panics on write errors, so it writes to memory.
    let mut script = Vec::new();
    let mut command = crate::Program::command();
    clap_complete::generate(arguments.shell, &mut command, "noughts", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}

//! `noughts completions`: a script that completes commands in a shell.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::Failure;

/// Print a script that completes commands in your shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  noughts completions bash > ~/.local/share/bash-completion/completions/noughts"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    // The generator panics where its output can't be written, so it writes to memory.
    let mut script = Vec::new();
    let mut command = crate::Program::command();
    clap_complete::generate(arguments.shell, &mut command, "noughts", &mut script);
    io::stdout().write_all(&script)?;
    Ok(())
}

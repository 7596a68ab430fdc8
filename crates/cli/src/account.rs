//! `noughts account`: what the operator of a server does for the owners of accounts.

use std::io::{self, Write};

use anyhow::anyhow;
use clap::Subcommand;
use noughts_server::reset_account;

use crate::data::ServerDataArguments;
use crate::failure::Failure;

/// Help the owners of accounts on your server
///
/// Works while the server runs.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts account reset Ann --data /var/lib/noughts/noughts.db\n  \
    noughts account reset Ann --database postgres://noughts:secret@localhost/noughts")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Reset(ResetArguments),
}

/// Print a recovery code for somebody who lost their password
///
/// Make sure that the account is theirs: anyone with the code can set a new password, once. The
/// recovery code from before becomes invalid.
#[derive(clap::Args)]
struct ResetArguments {
    /// The name of the account
    name: String,
    #[command(flatten)]
    data: ServerDataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let Command::Reset(arguments) = arguments.command;
    let (data, name) = (arguments.data.open()?, &arguments.name);
    let code = data.block_on(reset_account(data.store(), name))?;
    let code = code.ok_or_else(|| anyhow!("there is no account called {name}"))?;
    writeln!(io::stdout(), "Recovery code of {name}: {code}")?;
    Ok(())
}

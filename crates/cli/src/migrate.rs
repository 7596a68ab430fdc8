//! `noughts migrate`: prepares a PostgreSQL database for servers that do not own its tables.

use std::io::{self, Write};

use noughts_play::Database;

use crate::failure::Failure;

/// Create or upgrade the tables of a PostgreSQL database
///
/// Servers do this themselves when they start, if their role may. With a role of its own for the
/// tables, servers need fewer rights: they can read and write rows, but not change tables.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    noughts migrate --database postgres://owner:secret@localhost/noughts --grant noughts_server")]
pub(crate) struct Arguments {
    /// The database, with the role that owns the tables: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "URL", env = "NOUGHTS_DATABASE", hide_env_values = true)]
    database: String,
    /// A role of servers, which gets the rights it needs
    #[arg(long, value_name = "ROLE")]
    grant: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let data = Database::connect(&arguments.database)?;
    writeln!(io::stdout(), "The tables are up to date.")?;
    if let Some(role) = &arguments.grant {
        data.block_on(data.store().grant_to_server(role))?;
        writeln!(io::stdout(), "Servers can use the role {role}.")?;
    }
    Ok(())
}

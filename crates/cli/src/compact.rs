//! `noughts compact`: folds finished online games.

use std::fs;
use std::io::{self, Write};

use anyhow::ensure;
use noughts_play::now;

use crate::data::ServerDataArguments;
use crate::failure::Failure;

/// Games that are folded before the number is printed again.
const BATCH_SIZE: u32 = 10_000;

const DAY_MS: i64 = 24 * 3600 * 1000;

/// Servers with a heartbeat within this time are running. In milliseconds.
const HEARTBEAT_TIMEOUT: i64 = 60_000;

/// Fold finished online games, so that they take less space
///
/// Each game then has one row of events, compressed. Everything reads as before. Servers do the same in the
/// background for games that ended 30 days ago; see their setting `fold_days`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts compact --data /var/lib/noughts/noughts.db\n  \
    noughts compact --days 0 --database postgres://noughts:secret@localhost/noughts")]
pub(crate) struct Arguments {
    /// Fold games that ended at least this many days ago
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(..=36_500))]
    days: u32,
    #[command(flatten)]
    data: ServerDataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    Ok(compact(&arguments)?)
}

fn compact(arguments: &Arguments) -> anyhow::Result<()> {
    let data = arguments.data.open()?;
    let store = data.store();
    let now = data.block_on(store.clock())?.unwrap_or_else(now);
    ensure!(
        data.block_on(store.all_servers_unfold(now - HEARTBEAT_TIMEOUT))?,
        "a server of an earlier version is running, which can't read folded games: upgrade it first"
    );
    let before = now - i64::from(arguments.days) * DAY_MS;
    let mut total = 0;
    loop {
        let folded = data.block_on(store.fold_games(before, BATCH_SIZE))?;
        total += u64::from(folded);
        if folded < BATCH_SIZE {
            break;
        }
        eprintln!("noughts: folded {total} games so far");
    }
    let games = if total == 1 { "game" } else { "games" };
    writeln!(io::stdout(), "Folded {total} {games}.")?;
    let Some(path) = store.path() else { return Ok(()) };
    let size = || fs::metadata(path).map(|file| file.len() / 1024);
    let before = size()?;
    if data.block_on(store.shrink())? {
        writeln!(io::stdout(), "{} had {before} kB and has {} kB now.", path.display(), size()?)?;
    } else {
        let note = "A server uses the file. It keeps its size, and new games fill the space.";
        writeln!(io::stdout(), "{note}")?;
    }
    Ok(())
}

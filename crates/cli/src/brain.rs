//! `noughts brain`: an engine for match runners that speak the Gomocup protocol.

use std::io::{self, Write};

use anyhow::anyhow;
use noughts_engine::PlayerKind;
use noughts_engine::gomocup::Brain;

use crate::MOST_THREADS;
use crate::failure::Failure;
use crate::lines::Lines;

/// Play as an engine that speaks the Gomocup protocol on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf 'START 15\\r\\nBEGIN\\r\\nEND\\r\\n' | noughts brain")]
pub(crate) struct Arguments {
    /// Who plays: random, easy, medium, hard or perfect
    #[arg(long, default_value = "perfect")]
    player: PlayerKind,
    /// What the choices among equals begin with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// On how many threads to search, unless the manager says so; with more than one, no two games
    /// are the same
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: u16,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let strategy = arguments.player.strategy(arguments.seed);
    let strategy = strategy.ok_or_else(|| {
        Failure::malformed(anyhow!("a person can't be an engine: expected a computer player"))
    })?;
    let mut brain = Brain::new(strategy).with_threads(arguments.threads.into());
    let mut lines = Lines::new(io::stdin().lock());
    let mut output = io::stdout().lock();
    while let Some(line) = lines.next()? {
        let reply = brain.respond(&line);
        for line in reply.lines {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
        if reply.end {
            break;
        }
    }
    Ok(())
}

//! `noughts brain`: an engine for match runners that speak the Gomocup protocol.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;
use noughts_engine::PlayerKind;
use noughts_engine::gomocup::Brain;

use crate::MAX_THREADS;
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
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    threads: u16,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let strategy = arguments.player.strategy(arguments.seed);
    let strategy = strategy.ok_or_else(|| {
        Failure::malformed(anyhow!("a person can't be an engine: expected a computer player"))
    })?;
    let stop = Arc::new(AtomicBool::new(false));
    let brain = Brain::new(strategy).with_threads(arguments.threads.into());
    let mut brain = brain.with_stop(Arc::clone(&stop));
    let mut output = io::stdout().lock();
    for line in read_lines(stop) {
        let reply = brain.respond(&line?);
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

/// More lines than any manager sends before it waits for an answer.
const MOST_WAITING: usize = 4096;

/// How long a brain that is thinking may go on when the manager has said that it is over. The
/// protocol gives it a second to end.
const TIME_TO_END: Duration = Duration::from_millis(500);

/// Reads the manager's lines while the brain is thinking, up to the last one, and sets the flag
/// some time after that.
fn read_lines(stop: Arc<AtomicBool>) -> Receiver<io::Result<String>> {
    let (sender, receiver) = sync_channel(MOST_WAITING);
    thread::spawn(move || {
        let mut lines = Lines::new(io::stdin().lock());
        while let Some(line) = lines.next().transpose() {
            let line = line.map(Cow::into_owned);
            let is_last =
                line.as_ref().map_or(true, |line| line.trim().eq_ignore_ascii_case("END"));
            if sender.send(line).is_err() || is_last {
                break;
            }
        }
        // Nothing follows, which the brain sees when it has answered everything.
        drop(sender);
        thread::sleep(TIME_TO_END);
        stop.store(true, Ordering::Relaxed);
    });
    receiver
}

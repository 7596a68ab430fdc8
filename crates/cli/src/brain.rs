//! `noughts brain`: a Gomocup engine.

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

use crate::failure::Failure;
use crate::lines::LineReader;
use crate::numbers;

/// Play as an engine that speaks the Gomocup protocol on standard input and output
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf 'START 15\\r\\nBEGIN\\r\\nEND\\r\\n' | noughts brain")]
pub(crate) struct Arguments {
    /// Who plays: random, easy, medium, hard or perfect
    #[arg(long, default_value = "perfect")]
    player: PlayerKind,
    /// Seed for choices among equal moves
    #[arg(long, default_value_t = 1, value_parser = numbers::seed)]
    seed: u64,
    /// Number of search threads, unless the manager sets it; more than one makes games
    /// irreproducible
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = numbers::threads)]
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

/// Managers wait for an answer long before this many lines.
const MAX_QUEUED_LINES: usize = 4096;

/// How long a search may run on after the manager ended the session. The protocol allows a second.
const STOP_DELAY: Duration = Duration::from_millis(500);

/// Reads the manager's lines on another thread, up to the last one, and then stops the search.
fn read_lines(stop: Arc<AtomicBool>) -> Receiver<io::Result<String>> {
    let (sender, receiver) = sync_channel(MAX_QUEUED_LINES);
    thread::spawn(move || {
        let mut lines = LineReader::new(io::stdin().lock());
        while let Some(line) = lines.next().transpose() {
            let line = line.map(Cow::into_owned);
            let is_last =
                line.as_ref().map_or(true, |line| line.trim().eq_ignore_ascii_case("END"));
            if sender.send(line).is_err() || is_last {
                break;
            }
        }
        // Closing the channel ends the main loop after the last answer.
        drop(sender);
        thread::sleep(STOP_DELAY);
        stop.store(true, Ordering::Relaxed);
    });
    receiver
}

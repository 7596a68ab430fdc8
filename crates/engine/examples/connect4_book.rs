//! Computes the opening book of Connect Four: `connect4_book FILE [MINUTES]`.
//!
//! The file may hold a part of the book, from an earlier run. All of it takes hours, on all cores.

use std::error::Error;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::Connect4BookBuilder;

/// The time between two writes of the file. The threads begin with empty tables after each.
const INTERVAL: Duration = Duration::from_secs(540);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: connect4_book FILE [MINUTES]")?;
    let minutes: u64 = arguments.next().map_or(Ok(u64::MAX), |minutes| minutes.parse())?;
    let time = Duration::from_secs(minutes.saturating_mul(60));
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut builder = Connect4BookBuilder::new(&std::fs::read(&path).unwrap_or_default());
    let start = Instant::now();
    while builder.missing() > 0 && start.elapsed() < time {
        builder.solve(threads, INTERVAL.min(time.saturating_sub(start.elapsed())));
        std::fs::write(&path, builder.entries())?;
        println!("{} positions are missing", builder.missing());
    }
    Ok(())
}

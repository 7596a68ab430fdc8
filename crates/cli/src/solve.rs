//! `noughts solve`: who wins with perfect play.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::{Budget, Solution, Value, solve};
use noughts_rules::{Position, Rules};
use serde::Serialize;

use crate::duration::duration;
use crate::failure::Failure;
use crate::start::{boxes, play_moves};

/// Prove who wins with perfect play
///
/// Says `unknown` where the budget ran out, never a guess.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts solve 3x3\n  \
    noughts solve 5x5:4 --budget 60s\n  \
    noughts solve connect4 --moves \"F4 F4\" --json")]
pub(crate) struct Arguments {
    /// The rules, such as 3x3, 5x5:4 or 4x4+misere
    rules: Rules,
    /// Moves that lead to the position, such as "B2 A1"
    #[arg(long, default_value = "")]
    moves: String,
    /// How long to try
    #[arg(long, default_value = "60s", value_parser = duration)]
    budget: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    rules: String,
    value: &'static str,
    /// Moves of both until the end.
    plies: Option<usize>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let mut position = Position::new(&arguments.rules);
    play_moves(&mut position, &arguments.moves)?;
    let budget = Budget::unlimited().with_time(arguments.budget);
    let start = Instant::now();
    let solution = with_progress(start, || solve(&position, &budget))?;
    let report = Report::new(&position, &solution, start.elapsed());
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let Report { value, plies, line, nodes, seconds, .. } = report;
    let seat = position.turn().map_or(String::new(), |seat| format!("player {seat}"));
    match (solution.value, plies) {
        (Some(Value::Draw), _) => writeln!(output, "draw with perfect play")?,
        (Some(_), Some(plies)) => writeln!(output, "{value} for {seat} in {plies} moves of both")?,
        _ => writeln!(output, "{value}: the budget ran out, try a larger --budget")?,
    }
    if !line.is_empty() {
        writeln!(output, "best play: {}", line.join(" "))?;
    }
    writeln!(output, "{nodes} positions in {seconds:.3} s")?;
    Ok(())
}

impl Report {
    fn new(position: &Position, solution: &Solution, taken: Duration) -> Report {
        let value = match solution.value {
            Some(Value::Win { .. }) => "win",
            Some(Value::Draw) => "draw",
            Some(Value::Loss { .. }) => "loss",
            None => "unknown",
        };
        // A draw ends when the board is full.
        let left = position.rules().cell_count() - position.stones();
        Report {
            rules: position.rules().to_string(),
            value,
            plies: solution.value.map(|value| value.plies().map_or(left, usize::from)),
            line: boxes(&solution.line),
            nodes: solution.nodes,
            seconds: taken.as_secs_f64(),
        }
    }
}

/// Does the work and tells a person who waits how long it has taken so far.
pub(crate) fn with_progress<T>(start: Instant, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            while wait.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                eprint!("\rsearching, {} s", start.elapsed().as_secs());
            }
            eprint!("\r\x1b[K");
        });
        let answer = work();
        drop(done);
        answer
    })
}

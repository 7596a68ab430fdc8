//! `noughts solve`: proves who wins.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use noughts_engine::{Budget, Solution, Value, solve};
use noughts_rules::{Opening, Outcome, Position, Rules, Shape};
use serde::Serialize;

use crate::failure::Failure;
use crate::moves::{move_texts, play_moves};
use noughts_play::{duration, winner_moves};

/// Prove who wins with perfect play
///
/// Prints `unknown` if the budget runs out, never a guess; the exit status is then 3.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts solve 3x3\n  \
    noughts solve 3x3+wild\n  \
    noughts solve 5x5:4 --budget 60s\n  \
    noughts solve connect4 --moves \"F4 E4\" --json")]
pub(crate) struct Arguments {
    /// The rules, such as 3x3, 5x5:4 or 3x3+wild; see `noughts rules`
    rules: Rules,
    /// Moves that lead to the position, such as "B2 A1"
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
    /// Time limit
    #[arg(long, default_value = "60s", value_parser = duration)]
    budget: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct SolveOutput {
    rules: String,
    /// The player whose value it is, from 1: the player to move, or who would be next if the game
    /// went on.
    player: usize,
    value: &'static str,
    /// Moves of both players until the end.
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
    let solution = match position.outcome() {
        Some(outcome) => finished(&position, outcome),
        None => with_progress(start, || solve(&position, &budget))?,
    };
    let report = SolveOutput::new(&position, &solution, start.elapsed());
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", serde_json::to_string(&report)?)?;
    } else {
        match position.outcome() {
            Some(Outcome::Draw) => writeln!(output, "the game is over: a draw")?,
            Some(Outcome::Win(seat)) => {
                writeln!(output, "the game is over: player {seat} has won")?;
            }
            None => report.print(&position, &solution, &mut output)?,
        }
    }
    match solution.value {
        Some(_) => Ok(()),
        None => Err(Failure::Undecided),
    }
}

/// The seat to move, or the next one if the game went on.
fn next_seat(position: &Position) -> usize {
    let after = |seat: noughts_rules::Seat| (seat.index() + 1) % position.rules().players();
    let last = position.history().last().map(|action| action.seat());
    position.turn().map_or_else(|| last.map_or(0, after), noughts_rules::Seat::index)
}

/// The value of a finished game for the player who would be next.
fn finished(position: &Position, outcome: Outcome) -> Solution {
    let value = match outcome {
        Outcome::Draw => Value::Draw,
        Outcome::Win(winner) if winner.index() == next_seat(position) => Value::Win { plies: 0 },
        Outcome::Win(_) => Value::Loss { plies: 0 },
    };
    Solution { value: Some(value), pv: Vec::new(), nodes: 0 }
}

impl SolveOutput {
    fn new(position: &Position, solution: &Solution, taken: Duration) -> SolveOutput {
        let value = match solution.value {
            Some(Value::Win { .. }) => "win",
            Some(Value::Draw) => "draw",
            Some(Value::Loss { .. }) => "loss",
            None => "unknown",
        };
        SolveOutput {
            rules: position.rules().to_string(),
            player: next_seat(position) + 1,
            value,
            plies: solution.value.and_then(|value| plies_of(value, position)),
            line: move_texts(&solution.pv),
            nodes: solution.nodes,
            seconds: taken.as_secs_f64(),
        }
    }

    fn print(
        &self,
        position: &Position,
        solution: &Solution,
        output: &mut impl Write,
    ) -> io::Result<()> {
        let SolveOutput { value, plies, line, nodes, seconds, .. } = self;
        let seat = position.turn().map_or(String::new(), |seat| format!("player {seat}"));
        match (solution.value, plies) {
            (Some(Value::Draw), _) => writeln!(output, "draw with perfect play")?,
            (Some(proven), Some(_)) => {
                let moves = match winner_moves(position, proven) {
                    Some(1) => "one move".to_string(),
                    moves => format!("{} moves", moves.unwrap_or(0)),
                };
                let of = if value == &"loss" { " of the winner" } else { "" };
                writeln!(output, "{value} for {seat} in {moves}{of}")?;
            }
            _ => writeln!(output, "{value}: the budget ran out, try a larger --budget")?,
        }
        if !line.is_empty() {
            writeln!(output, "best play: {}", line.join(" "))?;
        }
        writeln!(output, "{nodes} positions in {seconds:.3} s")
    }
}

/// Moves of all players until the end; `None` for a draw that need not fill the board.
pub(crate) fn plies_of(value: Value, position: &Position) -> Option<usize> {
    let (rules, parts) = (position.rules(), position.rules().parts());
    let fills_board = matches!(parts.shape, Shape::Grid { .. })
        && parts.opening == Opening::Free
        && parts.fade.is_none()
        && !parts.renju;
    match value.plies() {
        Some(plies) => Some(plies.into()),
        None if position.outcome().is_some() => Some(0),
        None => fills_board.then(|| rules.cell_count() - position.stone_count()),
    }
}

/// Does the work, showing the elapsed time on a terminal.
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

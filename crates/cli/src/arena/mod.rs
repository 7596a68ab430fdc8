//! `noughts arena`: tournaments between computer players.

mod contestant;
mod records;
mod standings;
mod tables;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use noughts_arena::{
    Hypotheses, NoOpening, Openings, PlayedGame, Schedule, Sprt, Tournament, read_openings,
};
use noughts_engine::{Budget, PlayerKind};
use noughts_play::duration;
use noughts_rules::{Position, Rules};

use crate::engines;
use crate::failure::Failure;
use crate::numbers;
use contestant::Contestant;
use records::GameRecords;
use standings::Standings;

/// Play a tournament between computer players and rate them
///
/// Everyone plays everyone, and each opening is played with both sides. With a node budget, the
/// same seed gives the same games on any number of threads; time budgets and external engines make
/// runs irreproducible.
///
/// Elo ratings have a mean of 0 and 95 % error bars. A player who forfeits loses the game. Ctrl-C
/// ends the tournament and shows the results so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts arena easy medium hard --rules 4x4:3\n  \
    noughts arena perfect random easy --gauntlet --games 200\n  \
    noughts arena hard medium --sprt 0,50 --rules gomoku\n  \
    noughts arena hard engine:./pbrain-x --rules gomoku --time 500ms \\\n      \
    --records games.txt\n  \
    noughts arena 'engine:./rapfi --config c.toml,name=rapfi' hard --rules gomoku \\\n      \
    --openings openings.txt --records games.sgf")]
pub(crate) struct Arguments {
    /// The players: random, easy, medium, hard, perfect, mcts, alpha-beta or engine:COMMAND, each with
    /// `,name=NAME` if reports shall call it so
    #[arg(value_name = "PLAYER", required = true, num_args = 2.., value_parser = contestant::parse)]
    players: Vec<Contestant>,
    /// The rules, such as 3x3, 6x7:4+gravity or ultimate; see `noughts rules`
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Games per pairing, rounded up to an even number [default: 100, or at most 10000 with --sprt]
    #[arg(long, value_name = "N", value_parser = numbers::games)]
    games: Option<u32>,
    /// Only the first player plays the others
    #[arg(long)]
    gauntlet: bool,
    /// Number of games played in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = numbers::threads)]
    threads: Option<u16>,
    /// Search threads per player; more than one makes runs irreproducible
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = numbers::threads)]
    search_threads: u16,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::seed)]
    seed: u64,
    /// Positions searched per move [default: 20000 without --time]
    #[arg(long, value_name = "N", value_parser = numbers::positive)]
    nodes: Option<u64>,
    /// Thinking time per move, such as 500ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,
    /// The length of random balanced openings, or a file with an opening on each line
    /// [default: 5 on boards of more than 49 cells, 0 on others]
    ///
    /// Lines are moves such as `H8 I9`, Gomocup's lists such as `0,0, 1,-1` from the centre, or the pos
    /// format `h8i9`.
    #[arg(long, value_name = "PLIES|FILE")]
    openings: Option<String>,
    /// Stop once the Elo difference of two players is decided: ELO0 or ELO1
    ///
    /// A sequential probability ratio test, with error rates of 5 % unless --sprt-errors names others.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// The error rates of --sprt: of accepting ELO1 and of accepting ELO0 wrongly [default: 0.05,0.05]
    #[arg(long, value_name = "ALPHA,BETA", requires = "sprt", value_parser = error_rates)]
    sprt_errors: Option<(f64, f64)>,
    /// Append every game to this file: as text, or by its extension as .sgf (gomoku) or .jsonl
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on after the games that are in the file of --records (text), with the same arguments
    #[arg(long, requires = "records")]
    resume: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const DEFAULT_GAMES: u32 = 100;
const DEFAULT_SPRT_GAMES: u32 = 10_000;

/// A quick and reproducible default.
const DEFAULT_NODES: u64 = 20_000;

/// On larger boards deterministic players would repeat their games.
const MAX_CELLS_WITHOUT_OPENINGS: usize = 49;
/// Odd: the second player, who moves next, makes up for having one stone less.
const DEFAULT_OPENING_PLIES: usize = 5;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    check(&arguments).map_err(Failure::Malformed)?;
    let kinds: Vec<PlayerKind> = arguments.players.iter().map(Contestant::kind).collect();
    engines::check(&kinds, &Position::new(&arguments.rules))?;
    let (json, hypotheses) = (arguments.json, hypotheses(&arguments)?);
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let (records, is_resumed) = (arguments.records.clone(), arguments.resume);
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    handle_interrupts(&interrupted, &stop).context("can't wait for Ctrl-C")?;
    let tournament = tournament(arguments)?;
    let played = match records.as_deref().filter(|_| is_resumed) {
        Some(path) => records::played(path, &tournament)?,
        None => Vec::new(),
    };
    let mut file = records.map(|path| GameRecords::open(&path, &tournament)).transpose()?;
    let progress = progress(tournament.schedule.games());
    progress.set_position(played.len() as u64);
    let mut standings = Standings::new(&tournament);
    played.iter().for_each(|played| standings.count(played));

    let on_game = |played: &PlayedGame, sprt: Option<&Sprt>| -> Result<(), Failure> {
        if let Some(file) = &mut file {
            let game = tournament.record(played).context("can't record the game")?;
            file.add(&game)?;
        }
        progress.inc(1);
        standings.count(played);
        progress.set_message(match sprt {
            Some(sprt) => format!("log-likelihood ratio {:.2}", sprt.log_ratio()),
            None => standings.to_string(),
        });
        Ok(())
    };
    let report = tournament.resume(played, threads, &stop, hypotheses, on_game);
    progress.finish_and_clear();
    let report = report.map_err(|failure| match failure {
        Failure::Other(error) if error.is::<NoOpening>() => Failure::Malformed(error),
        failure => failure,
    })?;

    let mut output = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut output, &report)?;
        writeln!(output)?;
    } else {
        tables::print(&report, &mut output)?;
    }
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Failure::Interrupted),
        false => Ok(()),
    }
}

/// Lets Ctrl-C end the tournament with a report; a second Ctrl-C ends the program.
#[cfg(unix)]
fn handle_interrupts(interrupted: &Arc<AtomicBool>, stop: &Arc<AtomicBool>) -> io::Result<()> {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;
    flag::register_conditional_default(SIGINT, Arc::clone(interrupted))?;
    flag::register(SIGINT, Arc::clone(interrupted))?;
    flag::register(SIGINT, Arc::clone(stop))?;
    Ok(())
}

#[cfg(not(unix))]
fn handle_interrupts(_: &Arc<AtomicBool>, _: &Arc<AtomicBool>) -> io::Result<()> {
    Ok(())
}

/// Checks that the flags fit together.
fn check(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { players, rules, sprt, .. } = arguments;
    if rules.players() != 2 {
        let seats = rules.players();
        return Err(anyhow!("expected rules for two players, {rules} is for {seats}"));
    }
    if sprt.is_some() && players.len() != 2 {
        return Err(anyhow!("expected two players with --sprt, got {}", players.len()));
    }
    Ok(())
}

/// The hypotheses of the test with their error rates.
fn hypotheses(arguments: &Arguments) -> Result<Option<Hypotheses>, Failure> {
    match (arguments.sprt, arguments.sprt_errors) {
        (Some(hypotheses), Some((alpha, beta))) => {
            let hypotheses = hypotheses.with_error_rates(alpha, beta);
            let expected = || anyhow!("expected error rates above 0 and below 0.5");
            Ok(Some(hypotheses.ok_or_else(expected).map_err(Failure::Malformed)?))
        }
        (hypotheses, _) => Ok(hypotheses),
    }
}

/// Parses `0.05,0.1`.
fn error_rates(text: &str) -> Result<(f64, f64), &'static str> {
    let rates = text.split_once(',');
    let rates = rates.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    rates.ok_or("expected two error rates such as 0.05,0.1")
}

/// The openings of a number of plies, or of a file.
fn openings(text: Option<&str>, start: &Position) -> Result<Openings<Position>, Failure> {
    let is_large = start.rules().cell_count() > MAX_CELLS_WITHOUT_OPENINGS;
    let default_plies = if is_large { DEFAULT_OPENING_PLIES } else { 0 };
    let Some(text) = text else { return Ok(Openings::balanced(default_plies)) };
    if let Ok(plies) = numbers::plies(text) {
        return Ok(Openings::balanced(plies));
    }
    let file = fs::read_to_string(text).with_context(|| {
        format!("expected a number of plies or a file with openings: can't read {text}")
    });
    let read = read_openings(&file.map_err(Failure::Malformed)?, start);
    Ok(Openings::list(read.map_err(|error| Failure::Malformed(anyhow!("{text}: {error}")))?))
}

fn tournament(arguments: Arguments) -> Result<Tournament, Failure> {
    let is_test = arguments.sprt.is_some();
    let default_games = if is_test { DEFAULT_SPRT_GAMES } else { DEFAULT_GAMES };
    let games = arguments.games.unwrap_or(default_games).into();
    let players = arguments.players.len();
    let start = Position::new(&arguments.rules);
    Ok(Tournament {
        schedule: match arguments.gauntlet {
            true => Schedule::gauntlet(players, games),
            false => Schedule::round_robin(players, games),
        },
        game: arguments.rules.to_string(),
        openings: openings(arguments.openings.as_deref(), &start)?,
        start,
        entrants: contestant::entrants(arguments.players)?,
        budget: budget(arguments.nodes, arguments.time)
            .with_threads(arguments.search_threads.into()),
        seed: arguments.seed,
    })
}

fn budget(nodes: Option<u64>, time: Option<Duration>) -> Budget {
    let budget = Budget::unlimited();
    match (nodes, time) {
        (None, None) => budget.with_nodes(DEFAULT_NODES),
        (Some(nodes), None) => budget.with_nodes(nodes),
        (None, Some(time)) => budget.with_time(time),
        (Some(nodes), Some(time)) => budget.with_nodes(nodes).with_time(time),
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar on standard error; hidden if that is no terminal.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left {msg}");
    let bar = ProgressBar::new(games).with_style(style.expect("the template is well formed"));
    // Shown at once, because the first game may take a while.
    bar.tick();
    bar
}

//! `noughts arena`: which player is stronger.

mod tables;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use noughts_arena::{
    Entrant, GameFile, Hypotheses, NoOpening, PlayedGame, Schedule, Sprt, Tournament,
};
use noughts_engine::{Budget, PlayerKind};
use noughts_play::duration;
use noughts_rules::Rules;

use crate::MAX_THREADS;
use crate::failure::Failure;

/// Let computer players meet, and rate them
///
/// Everybody meets everybody, and each opening is played both ways round. With a budget of nodes,
/// the same seed gives the same games, whatever the number of threads; time, and engines of
/// others, make a run unrepeatable.
///
/// Elo ratings have a mean of 0 and come with an error of 95 % confidence. A player who forfeits
/// loses the game. After Ctrl-C the table is that of the games played so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts arena easy medium hard --rules 4x4:3\n  \
    noughts arena perfect random easy --gauntlet --games 200\n  \
    noughts arena hard medium --sprt 0,50 --rules gomoku\n  \
    noughts arena hard engine:./pbrain-x --rules gomoku --time 500ms \\\n      \
    --records games.txt")]
pub(crate) struct Arguments {
    /// The players: random, easy, medium, hard, perfect or engine:PATH
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<PlayerKind>,
    /// The rules, such as 3x3, 15x15:5+exact, 6x7:4+gravity or connect4
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// How many games each pairing has, rounded up to an even number [default: 100, or at most
    /// 10000 with --sprt]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_GAMES))]
    games: Option<u32>,
    /// Only the first player meets the others
    #[arg(long)]
    gauntlet: bool,
    /// How many games are played at a time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    threads: Option<u16>,
    /// On how many threads a player may search for a move; more than one make a run unrepeatable
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    search_threads: u16,
    /// What random choices follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many positions a player may look at for a move [default: 20000 without --time]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How long a player may think about a move, such as 500ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,
    /// How many random moves near the centre games begin with, chosen to favour nobody [default: 5
    /// on boards of more than 49 cells, 0 on others]
    #[arg(long, value_name = "PLIES")]
    openings: Option<usize>,
    /// Stop when it is clear whether the first of two players is rather ELO0 or ELO1 stronger
    ///
    /// A sequential probability ratio test that accepts either wrongly in 5 % of all cases.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// Add every game to this file
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Counts of games must add up.
const MAX_GAMES: i64 = 1_000_000;
const DEFAULT_GAMES: u32 = 100;
const DEFAULT_SPRT_GAMES: u32 = 10_000;

/// What makes a run repeatable without being asked, and is quick.
const DEFAULT_NODES: u64 = 20_000;

/// On larger boards good players would play much the same games again and again.
const MAX_CELLS_WITHOUT_OPENINGS: usize = 49;
/// Odd, so that who is to move has a stone less to make up for it.
const DEFAULT_OPENING_PLIES: usize = 5;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    check(&arguments).map_err(Failure::Malformed)?;
    let (json, hypotheses) = (arguments.json, arguments.sprt);
    let threads = arguments.threads.map_or_else(cores, usize::from);
    let mut file = arguments.records.as_deref().map(open_game_file).transpose()?;
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    handle_interrupts(&interrupted, &stop).context("can't wait for Ctrl-C")?;
    let tournament = tournament(arguments);
    let progress = progress(tournament.schedule.games());

    let on_game = |played: &PlayedGame, sprt: Option<&Sprt>| -> Result<(), Failure> {
        if let Some(file) = &mut file {
            file.add(&played.game).context("can't write the game")?;
        }
        progress.inc(1);
        if let Some(sprt) = sprt {
            progress.set_message(format!("log-likelihood ratio {:.2}", sprt.log_ratio()));
        }
        Ok(())
    };
    let report = tournament.run(threads, &stop, hypotheses, on_game);
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

/// Lets Ctrl-C end the tournament with the games that were played; a second one ends the program.
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

/// Refuses what makes no sense together.
fn check(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { players, rules, sprt, .. } = arguments;
    if players.iter().any(PlayerKind::is_human) {
        return Err(anyhow!("human can't play in the arena: expected players who need no asking"));
    }
    if rules.players() != 2 {
        let seats = rules.players();
        return Err(anyhow!("expected rules for two players, {rules} is for {seats}"));
    }
    if sprt.is_some() && players.len() != 2 {
        return Err(anyhow!("expected two players with --sprt, got {}", players.len()));
    }
    Ok(())
}

fn tournament(arguments: Arguments) -> Tournament {
    let is_test = arguments.sprt.is_some();
    let default_games = if is_test { DEFAULT_SPRT_GAMES } else { DEFAULT_GAMES };
    let games = arguments.games.unwrap_or(default_games).into();
    let players = arguments.players.len();
    let is_large = arguments.rules.cell_count() > MAX_CELLS_WITHOUT_OPENINGS;
    let default_plies = if is_large { DEFAULT_OPENING_PLIES } else { 0 };
    Tournament {
        schedule: match arguments.gauntlet {
            true => Schedule::gauntlet(players, games),
            false => Schedule::round_robin(players, games),
        },
        rules: arguments.rules,
        entrants: Entrant::all(arguments.players),
        budget: budget(arguments.nodes, arguments.time)
            .with_threads(arguments.search_threads.into()),
        opening_plies: arguments.openings.unwrap_or(default_plies),
        seed: arguments.seed,
    }
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

fn open_game_file(path: &Path) -> anyhow::Result<GameFile> {
    GameFile::open(path).with_context(|| format!("can't open {}", path.display()))
}

/// A line on the terminal, and nothing where standard error is none.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left {msg}");
    let bar = ProgressBar::new(games).with_style(style.expect("the template is well formed"));
    // The first game may take a while.
    bar.tick();
    bar
}

//! `noughts arena`: tournaments between computer players.

mod contestant;
mod engine_logs;
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
    Adjudication, DrawRule, Hypotheses, Openings, PlayedGame, ResignRule, Schedule, Sprt,
    Tournament, TournamentError, read_openings,
};
use noughts_engine::{Budget, PlayerKind};
use noughts_play::{TimeControl, duration};
use noughts_rules::{Position, Rules};

use crate::display::is_unicode_locale;
use crate::engines;
use crate::failure::Failure;
use crate::numbers;
use contestant::{Contestant, Limits};
use engine_logs::EngineLogs;
use records::GameRecords;
use standings::Standings;

/// Play a tournament between computer players and rate them
///
/// Everyone plays everyone, or as --tournament says, and each opening is played with both sides. With a
/// node budget, the same seed gives the same games on any number of threads; time, clocks and external
/// engines make runs irreproducible.
///
/// A player has options after commas: `name=NAME` in reports, its own `nodes=N`, `time=DURATION` and
/// `clock=TIME+INCREMENT`, and an engine also `info.KEY=VALUE`, which it gets as INFO before each move.
///
/// Elo ratings have a mean of 0 and 95 % error bars. A player who forfeits or overruns its clock loses the
/// game. Ctrl-C ends the tournament and shows the results so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts arena easy medium hard --rules 4x4:3\n  \
    noughts arena perfect random easy --gauntlet --games 200\n  \
    noughts arena hard medium --sprt 0,50 --rules gomoku\n  \
    noughts arena hard engine:./pbrain-x --rules gomoku --time 500ms \\\n      \
    --records games.txt\n  \
    noughts arena 'engine:./rapfi --config c.toml,name=rapfi' hard,time=2s --rules gomoku \\\n      \
    --clock 1m+1s --openings openings.txt --records games.jsonl --engine-log logs --stats\n  \
    noughts arena easy medium hard perfect --rules gomoku --tournament swiss --games 4 \\\n      \
    --draw movenumber=30,movecount=8,score=20 --resign movecount=3,score=1000")]
pub(crate) struct Arguments {
    /// The players: random, easy, medium, hard, perfect, mcts, alpha-beta or engine:COMMAND, each with
    /// options such as `,name=NAME,time=1s`
    #[arg(value_name = "PLAYER", required = true, num_args = 2.., value_parser = contestant::parse)]
    players: Vec<Contestant>,
    /// The rules, such as 3x3, 6x7:4+gravity or ultimate; see `noughts rules`
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Games per encounter of two players, rounded up to an even number [default: 100, or at most 10000 with --sprt]
    #[arg(long, value_name = "N", value_parser = numbers::games)]
    games: Option<u32>,
    /// Who plays whom
    ///
    /// In a knockout and a Swiss system, players are seeded in the order given. A tie in a knockout is broken
    /// by further pairs of games.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::RoundRobin)]
    tournament: Format,
    /// Only the first player plays the others: --tournament gauntlet
    #[arg(long, conflicts_with = "tournament")]
    gauntlet: bool,
    /// Rounds of a Swiss system [default: as many as find the best]
    #[arg(long, value_name = "N", value_parser = numbers::games)]
    rounds: Option<u32>,
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
    /// Positions searched per move [default: 20000 without --time and --clock]
    #[arg(long, value_name = "N", value_parser = numbers::positive)]
    nodes: Option<u64>,
    /// Thinking time per move, such as 500ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time: Option<Duration>,
    /// Each player's time for a game, with an increment after each move: 1m or 1m+1s
    #[arg(long, value_name = "TIME+INCREMENT")]
    clock: Option<TimeControl>,
    /// Adjudicate a draw after this many moves of each player, if both scored this close to 0 at their
    /// last moves: movenumber=30,movecount=8,score=20
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Adjudicate a loss for a player who scored this far below 0 at its last moves:
    /// movecount=3,score=1000
    ///
    /// Scores are the players' own: of built-in players their evaluations (proven results count as
    /// 1000000), of engines what they report as `ev`, `eval` or `score` in a MESSAGE. Without a score
    /// nothing is adjudicated.
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Adjudicate a draw after this many moves of each player
    #[arg(long, value_name = "N", value_parser = numbers::games)]
    max_moves: Option<u32>,
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
    /// Append every game to this file: as text, or by its extension as .sgf (gomoku) or .jsonl, which also
    /// has the reasons of endings, times and nodes
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Go on after the games that are in the file of --records, with the same arguments
    #[arg(long, requires = "records")]
    resume: bool,
    /// Write what each engine is told and says, with times, to a file for each game in this folder
    #[arg(long, value_name = "FOLDER")]
    engine_log: Option<PathBuf>,
    /// Also show the time and the nodes of each player's moves
    #[arg(long)]
    stats: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Everyone plays everyone
    RoundRobin,
    /// The first player plays the others
    Gauntlet,
    /// The winner of an encounter goes on
    Knockout,
    /// In each round, players with equal points who have not met
    Swiss,
}

const DEFAULT_GAMES: u32 = 100;
const DEFAULT_SPRT_GAMES: u32 = 10_000;

/// On larger boards deterministic players would repeat their games.
const MAX_CELLS_WITHOUT_OPENINGS: usize = 49;
/// Odd: the second player, who moves next, makes up for having one stone less.
const DEFAULT_OPENING_PLIES: usize = 5;

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    check(&arguments).map_err(Failure::Malformed)?;
    let kinds: Vec<PlayerKind> = arguments.players.iter().map(Contestant::kind).collect();
    engines::check(&kinds, &Position::new(&arguments.rules))?;
    let (json, stats, hypotheses) = (arguments.json, arguments.stats, hypotheses(&arguments)?);
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
            file.add(&game, played)?;
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
        Failure::Other(error) if error.is::<TournamentError>() => Failure::Malformed(error),
        failure => failure,
    })?;

    let report = if stats { report } else { report.without_statistics() };
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
    if arguments.rounds.is_some() && arguments.tournament != Format::Swiss {
        return Err(anyhow!("expected --tournament swiss with --rounds"));
    }
    if sprt.is_some() && matches!(arguments.tournament, Format::Knockout | Format::Swiss) {
        return Err(anyhow!("expected a round robin of two players with --sprt"));
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
    let rounds = match arguments.rounds {
        Some(rounds) => rounds as usize,
        None => Schedule::swiss_rounds(players),
    };
    let Arguments { nodes, time, clock, search_threads, draw, resign, max_moves, .. } = arguments;
    let logs = arguments.engine_log.as_deref().map(EngineLogs::create).transpose()?;
    Ok(Tournament {
        schedule: match arguments.tournament {
            Format::RoundRobin if !arguments.gauntlet => Schedule::round_robin(players, games),
            Format::RoundRobin | Format::Gauntlet => Schedule::gauntlet(players, games),
            Format::Knockout => Schedule::knockout(players, games),
            Format::Swiss => Schedule::swiss(players, games, rounds),
        },
        game: arguments.rules.to_string(),
        openings: openings(arguments.openings.as_deref(), &start)?,
        start,
        entrants: contestant::entrants(
            arguments.players,
            Limits { nodes, time, clock },
            search_threads.into(),
            logs,
        )?,
        budget: Budget::unlimited(),
        adjudication: Adjudication { draw, resign, max_moves },
        seed: arguments.seed,
    })
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A progress bar on standard error; hidden if that is no terminal.
fn progress(games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left {msg}");
    let style = style.expect("the template is well formed");
    let style = if is_unicode_locale() { style } else { style.progress_chars("#.") };
    let bar = ProgressBar::new(games).with_style(style);
    // Shown at once, because the first game may take a while.
    bar.tick();
    bar
}

//! How much the server bears: whole games over WebSocket with two clients each, of which every
//! event is checked, beside a bare relay that stores nothing and knows no rules.
//!
//! `cargo xtask load` builds this and the program, and starts it.

#![forbid(unsafe_code)]

mod client;
mod hold;
mod measure;
mod play;
mod process;
mod relay;
mod setup;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use noughts_rules::Rules;
use noughts_testing::Postgres;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use client::Kind;
use hold::Holders;
use measure::Measured;
use play::{Plan, play};
use process::Server;
use setup::Pair;

/// The same as the program's, so that the relay has no less than the server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Put the server under load, beside a bare relay
#[derive(Debug, Parser)]
#[command(name = "cargo xtask load")]
struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// Games in flight
    #[arg(long, default_value_t = 1_000)]
    games: usize,
    /// What is played in them
    #[arg(long, default_value = "15x15:5")]
    rules: Rules,
    /// Seconds to measure for
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Seconds before that, in which every pair plays its first game
    #[arg(long, default_value_t = 10.0)]
    warm_up: f64,
    /// How often relay and server take turns
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Moves a second of all games for the latency of a server that is not at its limit; 0 leaves
    /// it out
    #[arg(long, default_value_t = 450.0)]
    rate: f64,
    /// Computers that think for a second each while that latency is measured once more; 0 leaves it out
    #[arg(long, default_value_t = 40)]
    thinking: usize,
    /// Idle games, with two sockets each, for memory; 0 leaves it out
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
    /// What the idle games play
    #[arg(long, default_value = "3x3")]
    idle_rules: Rules,
    /// Where the games are stored
    #[arg(long, default_value = "sqlite")]
    database: Database,
    /// Do not run the relay, only the server
    #[arg(long)]
    no_relay: bool,
    /// The program; the one beside this one if it is missing
    #[arg(long)]
    program: Option<PathBuf>,
    /// What chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Database {
    /// A file with `synchronous=FULL`
    Sqlite,
    /// A PostgreSQL server of its own, with its usual care for the disk
    Postgres,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// The bare relay
    #[command(hide = true)]
    Relay,
    /// Holds idle games
    #[command(hide = true)]
    Hold { address: String, rules: Rules, number: usize },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let files = process::raise_file_limit();
    let runtime = Runtime::new()?;
    match arguments.part {
        Some(Part::Relay) => runtime.block_on(relay::run()),
        Some(Part::Hold { address, rules, number }) => {
            runtime.block_on(hold::run(address, rules, number))
        }
        None => run(&arguments, &runtime, files),
    }
}

fn run(arguments: &Arguments, runtime: &Runtime, files: u64) -> Result<()> {
    let plan = Plan {
        rules: arguments.rules.clone(),
        warm_up: Duration::from_secs_f64(arguments.warm_up),
        time: Duration::from_secs_f64(arguments.seconds),
        rate: None,
        seed: arguments.seed,
    };
    let games = arguments.games;
    println!("{games} games of {} in flight, {:?}", arguments.rules, arguments.database);
    let mut ratios = Vec::new();
    for _ in 0..arguments.rounds {
        let relay = match arguments.no_relay {
            true => None,
            false => Some(load_relay(arguments, runtime, &plan)?),
        };
        let place = Place::new(arguments, runtime)?;
        let server = place.serve(arguments)?;
        let measured = load_server(&server, arguments, runtime, &plan)?;
        measured.print("noughts");
        if let Some(relay) = relay {
            ratios.push((relay, measured));
        }
    }
    targets(&ratios, arguments.database);
    if arguments.rate > 0.0 {
        let plan = Plan { rate: Some(arguments.rate), ..plan };
        let what = format!("noughts at {} a second", arguments.rate);
        let measured = latency(arguments, runtime, &plan, 0)?;
        measured.print(&what);
        println!("p99 at that rate: {:.2} ms (target: under 5 ms)", measured.acknowledged.p99);
        if arguments.thinking > 0 {
            let measured = latency(arguments, runtime, &plan, arguments.thinking)?;
            measured.print(&format!("{what} while computers think"));
        }
    }
    if arguments.idle > 0 {
        let most = usize::try_from(files.saturating_sub(100) / 2).unwrap_or(usize::MAX);
        idle(arguments, runtime, most)?;
    }
    Ok(())
}

fn load_relay(arguments: &Arguments, runtime: &Runtime, plan: &Plan) -> Result<Measured> {
    let server = Server::start(Command::new(std::env::current_exe()?).arg("relay"))?;
    let pair = |number: usize| Pair { game: number.to_string(), tokens: Default::default() };
    let pairs = (0..arguments.games).map(pair).collect();
    let measured = runtime.block_on(play(&server, Kind::Relay, pairs, plan))?;
    measured.print("bare relay");
    Ok(measured)
}

fn load_server(
    server: &Server,
    arguments: &Arguments,
    runtime: &Runtime,
    plan: &Plan,
) -> Result<Measured> {
    let pairs = setup::pairs(&server.address, &plan.rules.to_string(), arguments.games)?;
    runtime.block_on(play(server, Kind::Noughts, pairs, plan))
}

/// Plays at a fixed rate while so many computers think.
fn latency(
    arguments: &Arguments,
    runtime: &Runtime,
    plan: &Plan,
    thinking: usize,
) -> Result<Measured> {
    let place = Place::new(arguments, runtime)?;
    let server = place.serve(arguments)?;
    setup::think(&server.address, thinking)?;
    load_server(&server, arguments, runtime, plan)
}

fn targets(ratios: &[(Measured, Measured)], database: Database) {
    if ratios.is_empty() {
        return;
    }
    let mean = |of: fn(&Measured) -> f64| {
        let sum: f64 = ratios.iter().map(|(relay, server)| of(server) / of(relay)).sum();
        sum / ratios.len() as f64
    };
    let share = match database {
        Database::Sqlite => 45,
        Database::Postgres => 40,
    };
    let speed = mean(|measured| measured.moves_per_second) * 100.0;
    println!("moves a second: {speed:.0}% of the relay's (target: at least {share}%)");
    let cpu = mean(|measured| measured.cpu_per_move);
    println!("processor time a move: {cpu:.2} times the relay's (target: at most 1.7, SQLite)");
}

/// How much memory idle games take, and whether they are still played after that. Where one process may
/// not open so many files, and the database can be shared, several servers hold them.
fn idle(arguments: &Arguments, runtime: &Runtime, most: usize) -> Result<()> {
    let place = Place::new(arguments, runtime)?;
    let servers = match arguments.database {
        Database::Sqlite => 1,
        Database::Postgres => arguments.idle.div_ceil(most),
    };
    let games = arguments.idle.min(most * servers);
    if games < arguments.idle {
        println!("this machine lets a process open too few files for more than {games} games");
    }
    let serve = |_| place.serve_with(arguments, &["--idle-seconds=20"]);
    let servers = (0..servers).map(serve).collect::<Result<Vec<_>>>()?;
    let memory = |of: fn(&Server) -> Result<u64>| servers.iter().map(of).sum::<Result<u64>>();
    let before = memory(Server::memory)?;
    let rules = &arguments.idle_rules;
    let mut holders = Vec::new();
    for (number, server) in servers.iter().enumerate() {
        let share = (games + number) / servers.len();
        let pairs = setup::pairs(&server.address, &rules.to_string(), share)?;
        holders.push(Holders::start(&server.address, rules, &pairs)?);
    }
    let held = memory(Server::memory)?;
    let idle = memory(Server::settled_memory)?;
    holders.iter_mut().try_for_each(Holders::play)?;
    let played = memory(Server::memory)?;
    let each = |memory: u64| memory.saturating_sub(before) as f64 / games as f64 / 1e3;
    println!(
        "{games} games of {rules} with {} sockets held by {} server(s): {:.1} kB a game just after the \
         start, {:.1} kB once idle (target: under 25 kB), {:.1} kB after a move in each",
        games * 2,
        servers.len(),
        each(held),
        each(idle),
        each(played)
    );
    Ok(())
}

/// Where games are stored.
struct Place {
    folder: TempDir,
    postgres: Option<(Postgres, String)>,
}

impl Place {
    fn new(arguments: &Arguments, runtime: &Runtime) -> Result<Place> {
        let postgres = match arguments.database {
            Database::Sqlite => None,
            Database::Postgres => {
                let server = Postgres::start_durable().context("there is no PostgreSQL here")?;
                let url = runtime.block_on(server.database());
                Some((server, url))
            }
        };
        // Beside the program: where it was built, there is a disk.
        let folder = TempDir::new_in(program(arguments)?.parent().unwrap_or(Path::new(".")))?;
        Ok(Place { folder, postgres })
    }

    /// Starts the server, with limits that one address can't reach.
    fn serve(&self, arguments: &Arguments) -> Result<Server> {
        self.serve_with(arguments, &[])
    }

    fn serve_with(&self, arguments: &Arguments, options: &[&str]) -> Result<Server> {
        let mut command = Command::new(program(arguments)?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"]);
        command.arg("--data").arg(self.folder.path().join("noughts.db"));
        for limit in ["sockets-per-address", "requests-per-second", "commands-per-second"] {
            command.arg(format!("--{limit}=1000000"));
        }
        command.arg("--sign-ins-per-minute=60000000").args(options);
        if let Some((_, url)) = &self.postgres {
            command.args(["--database", url]);
        }
        Server::start(&mut command)
    }
}

fn program(arguments: &Arguments) -> Result<PathBuf> {
    match &arguments.program {
        Some(program) => Ok(program.clone()),
        None => Ok(std::env::current_exe()?.with_file_name("noughts")),
    }
}

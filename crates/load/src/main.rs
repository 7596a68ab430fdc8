//! Load generator: plays whole games over WebSockets and checks every event. The baseline is a bare
//! relay without rules or storage.
//!
//! `cargo xtask load` builds this and the program, and runs it.

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
use noughts_testing::{Postgres, Usage};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use client::ServerKind;
use hold::Holders;
use measure::Measurement;
use play::{LoadPlan, play};
use process::Server;
use setup::ReadyGame;

/// The allocator of the program, for a fair comparison with the relay.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measure the server under load, compared with a bare relay
#[derive(Debug, Parser)]
#[command(name = "cargo xtask load")]
struct Arguments {
    #[command(subcommand)]
    process: Option<Process>,
    /// Concurrent games
    #[arg(long, default_value_t = 1_000)]
    games: usize,
    /// The rules of these games
    #[arg(long, default_value = "15x15:5")]
    rules: Rules,
    /// Seconds to measure
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Seconds to warm up before that
    #[arg(long, default_value_t = 10.0)]
    warm_up: f64,
    /// How often relay and server are measured in turn
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Moves a second of all games for measuring latency below the limit; 0 skips this
    #[arg(long, default_value_t = 450.0)]
    rate: f64,
    /// Computer players that search while latency is measured again; 0 skips this
    #[arg(long, default_value_t = 40)]
    thinking: usize,
    /// Idle games, with two sockets each, for measuring memory; 0 skips this
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
    /// The rules of the idle games
    #[arg(long, default_value = "3x3")]
    idle_rules: Rules,
    /// The database
    #[arg(long, default_value = "sqlite")]
    database: Database,
    /// Skip the relay
    #[arg(long)]
    no_relay: bool,
    /// The program under load; by default the one beside this program
    #[arg(long)]
    program: Option<PathBuf>,
    /// The random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Database {
    /// A file with `synchronous=FULL`
    Sqlite,
    /// A new PostgreSQL server with its default durability
    Postgres,
}

#[derive(Debug, Subcommand)]
enum Process {
    /// Run the bare relay
    #[command(hide = true)]
    Relay,
    /// Hold idle games
    #[command(hide = true)]
    Hold { address: String, rules: Rules, number: usize },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let max_files = process::raise_file_limit();
    let runtime = Runtime::new()?;
    match arguments.process {
        Some(Process::Relay) => runtime.block_on(relay::run()),
        Some(Process::Hold { address, rules, number }) => {
            runtime.block_on(hold::run(address, rules, number))
        }
        None => run(&arguments, &runtime, max_files),
    }
}

fn run(arguments: &Arguments, runtime: &Runtime, max_files: u64) -> Result<()> {
    let plan = LoadPlan {
        rules: arguments.rules.clone(),
        warm_up: Duration::from_secs_f64(arguments.warm_up),
        duration: Duration::from_secs_f64(arguments.seconds),
        rate: None,
        seed: arguments.seed,
    };
    let games = arguments.games;
    println!("{games} concurrent games of {}, {:?}", arguments.rules, arguments.database);
    let mut rounds = Vec::new();
    for _ in 0..arguments.rounds {
        let relay = match arguments.no_relay {
            true => None,
            false => Some(load_relay(arguments, runtime, &plan)?),
        };
        let environment = Environment::new(arguments, runtime)?;
        let server = environment.serve(arguments)?;
        let before = environment.database_usage(runtime);
        let measurement = load_server(&server, arguments, runtime, &plan)?;
        measurement.print("noughts");
        if let (Some(before), Some(after)) = (before, environment.database_usage(runtime)) {
            print_database_costs(before, after);
        }
        if let Some(relay) = relay {
            rounds.push((relay, measurement));
        }
    }
    print_ratios(&rounds, arguments.database);
    if arguments.rate > 0.0 {
        let plan = LoadPlan { rate: Some(arguments.rate), ..plan };
        let name = format!("noughts at {} a second", arguments.rate);
        let measurement = measure_latency(arguments, runtime, &plan, 0)?;
        measurement.print(&name);
        println!("p99 at that rate: {:.2} ms (target: under 5 ms)", measurement.acknowledged.p99);
        if arguments.thinking > 0 {
            let measurement = measure_latency(arguments, runtime, &plan, arguments.thinking)?;
            measurement.print(&format!("{name} with searches"));
        }
    }
    if arguments.idle > 0 {
        // A game has two sockets in the server, which has other files open as well.
        let max_games = usize::try_from(max_files.saturating_sub(100) / 2).unwrap_or(usize::MAX);
        measure_memory(arguments, runtime, max_games)?;
    }
    Ok(())
}

fn load_relay(arguments: &Arguments, runtime: &Runtime, plan: &LoadPlan) -> Result<Measurement> {
    let server = Server::start(Command::new(std::env::current_exe()?).arg("relay"))?;
    let game = |number: usize| ReadyGame { game: number.to_string(), tokens: Default::default() };
    let games = (0..arguments.games).map(game).collect();
    let measurement = runtime.block_on(play(&server, ServerKind::Relay, games, plan))?;
    measurement.print("bare relay");
    Ok(measurement)
}

fn load_server(
    server: &Server,
    arguments: &Arguments,
    runtime: &Runtime,
    plan: &LoadPlan,
) -> Result<Measurement> {
    let games = setup::create_games(&server.address, &plan.rules.to_string(), arguments.games)?;
    runtime.block_on(play(server, ServerKind::Noughts, games, plan))
}

/// Plays at a fixed rate while computer players search.
fn measure_latency(
    arguments: &Arguments,
    runtime: &Runtime,
    plan: &LoadPlan,
    searches: usize,
) -> Result<Measurement> {
    let environment = Environment::new(arguments, runtime)?;
    let server = environment.serve(arguments)?;
    setup::start_searches(&server.address, searches)?;
    load_server(&server, arguments, runtime, plan)
}

fn print_ratios(rounds: &[(Measurement, Measurement)], database: Database) {
    if rounds.is_empty() {
        return;
    }
    let mean_ratio = |of: fn(&Measurement) -> f64| {
        let sum: f64 = rounds.iter().map(|(relay, server)| of(server) / of(relay)).sum();
        sum / rounds.len() as f64
    };
    let target = match database {
        Database::Sqlite => 45,
        Database::Postgres => 40,
    };
    let speed = mean_ratio(|measurement| measurement.moves_per_second) * 100.0;
    println!("moves a second: {speed:.0}% of the relay's (target: at least {target}%)");
    let cpu = mean_ratio(|measurement| measurement.cpu_per_move);
    println!("processor time a move: {cpu:.2} times the relay's");
}

/// Prints what an event costs the database, which includes the events of the warm-up.
fn print_database_costs(before: Usage, after: Usage) {
    let events = (after.events - before.events).max(1) as f64;
    let per_event = |before: i64, after: i64| (after - before) as f64 / events;
    println!(
        "PostgreSQL: {:.1} µs of processor time, {:.0} bytes of write-ahead log and {:.0} bytes of disk \
         an event ({events} events)",
        (after.processor - before.processor).as_secs_f64() * 1e6 / events,
        per_event(before.wal, after.wal),
        per_event(before.disk, after.disk),
    );
}

/// Measures the memory of idle games, and checks that they can still be played. If the limit of open
/// files does not suffice for one server, several share a PostgreSQL database.
fn measure_memory(arguments: &Arguments, runtime: &Runtime, max_games: usize) -> Result<()> {
    let environment = Environment::new(arguments, runtime)?;
    let servers = match arguments.database {
        Database::Sqlite => 1,
        Database::Postgres => arguments.idle.div_ceil(max_games),
    };
    let games = arguments.idle.min(max_games * servers);
    if games < arguments.idle {
        println!("the limit of open files allows only {games} games");
    }
    let serve = |_| environment.serve(arguments);
    let servers = (0..servers).map(serve).collect::<Result<Vec<_>>>()?;
    let memory = |of: fn(&Server) -> Result<u64>| servers.iter().map(of).sum::<Result<u64>>();
    let before = memory(Server::memory)?;
    let rules = &arguments.idle_rules;
    let mut holders = Vec::new();
    for (number, server) in servers.iter().enumerate() {
        let share = (games + number) / servers.len();
        let games = setup::create_games(&server.address, &rules.to_string(), share)?;
        holders.push(Holders::start(&server.address, rules, &games)?);
    }
    let held = memory(Server::memory)?;
    let idle = memory(Server::settled_memory)?;
    holders.iter_mut().try_for_each(Holders::play)?;
    let played = memory(Server::memory)?;
    let per_game = |memory: u64| memory.saturating_sub(before) as f64 / games as f64 / 1e3;
    println!(
        "{games} games of {rules} with {} sockets held by {} server(s): {:.1} kB a game just after the \
         start, {:.1} kB once idle (target: under 25 kB), {:.1} kB after a move in each",
        games * 2,
        servers.len(),
        per_game(held),
        per_game(idle),
        per_game(played)
    );
    Ok(())
}

/// The storage of servers under load.
struct Environment {
    folder: TempDir,
    postgres: Option<(Postgres, String)>,
}

impl Environment {
    fn new(arguments: &Arguments, runtime: &Runtime) -> Result<Environment> {
        let postgres = match arguments.database {
            Database::Sqlite => None,
            Database::Postgres => {
                let server = Postgres::start_durable().context("PostgreSQL is not installed")?;
                let url = runtime.block_on(server.database());
                Some((server, url))
            }
        };
        // Temporary folders may be in memory; the build folder is on a disk.
        let folder = TempDir::new_in(program(arguments)?.parent().unwrap_or(Path::new(".")))?;
        Ok(Environment { folder, postgres })
    }

    /// What PostgreSQL has spent so far.
    fn database_usage(&self, runtime: &Runtime) -> Option<Usage> {
        let (postgres, url) = self.postgres.as_ref()?;
        Some(runtime.block_on(postgres.usage(url)))
    }

    /// Starts a server whose limits one address can't reach.
    fn serve(&self, arguments: &Arguments) -> Result<Server> {
        let mut command = Command::new(program(arguments)?);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"]);
        command.arg("--data").arg(self.folder.path().join("noughts.db"));
        for limit in ["sockets-per-address", "requests-per-second", "commands-per-second"] {
            command.arg(format!("--{limit}=1000000"));
        }
        command.arg("--sign-ins-per-minute=60000000");
        let daily = ["sign-ins", "games", "games-per-address", "commands", "commands-per-address"];
        for limit in daily {
            command.arg(format!("--{limit}-per-day=1000000000"));
        }
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

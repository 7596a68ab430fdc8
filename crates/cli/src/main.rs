//! The program `noughts`: tic-tac-toe and its whole family in the terminal.

#![forbid(unsafe_code)]

#[cfg(feature = "server")]
mod account;
mod analyse;
mod arena;
mod backup;
mod board;
mod brain;
mod chosen_game;
#[cfg(feature = "server")]
mod compact;
mod completions;
mod data;
mod display;
mod engines;
mod failure;
mod game_json;
mod games;
mod lines;
mod man;
#[cfg(all(feature = "server", feature = "postgres"))]
mod migrate;
mod moves;
mod numbers;
#[cfg(feature = "online")]
mod online;
mod perft;
mod play;
mod puzzle;
mod replay;
mod rules;
mod scores;
#[cfg(feature = "server")]
mod serve;
mod settings;
mod show;
mod solve;
mod text;
mod turn;
#[cfg(not(all(feature = "online", feature = "server", feature = "postgres")))]
mod unavailable;

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Many small allocations on several threads are the server's load, and this allocator's strength.
#[cfg(feature = "server")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

macro_rules! local_examples {
    () => {
        "Examples:
  noughts                              choose and play
  noughts play --rules ultimate        play ultimate tic-tac-toe
  noughts rules                        list the games
  noughts play --name Ann --name Bob   play without being asked for names
  noughts play --players human,hard    play against the computer
  noughts solve 4x4                    prove who wins with perfect play
  noughts play --continue              go on with the last unfinished game
  noughts games                        search and review stored games
  noughts puzzle                       solve the puzzle of the day
  noughts scores                       show the best players
  noughts replay moves.txt             replay a list of moves
  noughts perft 4x4                    count all games
  noughts arena easy hard              find out which player is stronger"
    };
}

#[cfg(feature = "server")]
const EXAMPLES: &str =
    concat!(local_examples!(), "\n  noughts serve                        host games online");
#[cfg(not(feature = "server"))]
const EXAMPLES: &str = local_examples!();

/// Tic-tac-toe and its whole family: ultimate, 3D, gomoku, Connect Four and many more, for two to
/// eight players.
///
/// Without a command it starts a game.
#[derive(Parser)]
#[command(
    name = "noughts",
    version,
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES
)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::Arguments,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<play::Arguments>),
    Rules(rules::Arguments),
    Scores(scores::Arguments),
    Show(show::Arguments),
    Games(Box<games::Arguments>),
    Import(games::import::Arguments),
    Puzzle(Box<puzzle::Arguments>),
    Solve(solve::Arguments),
    Analyse(Box<analyse::Arguments>),
    Brain(brain::Arguments),
    Replay(replay::Arguments),
    Perft(perft::Arguments),
    Arena(Box<arena::Arguments>),
    #[cfg(feature = "server")]
    Serve(Box<serve::Arguments>),
    #[cfg(not(feature = "server"))]
    #[command(hide = true)]
    Serve(unavailable::Arguments),
    #[cfg(feature = "server")]
    Account(account::Arguments),
    #[cfg(not(feature = "server"))]
    #[command(hide = true)]
    Account(unavailable::Arguments),
    #[cfg(all(feature = "server", feature = "postgres"))]
    Migrate(migrate::Arguments),
    #[cfg(not(all(feature = "server", feature = "postgres")))]
    #[command(hide = true)]
    Migrate(unavailable::Arguments),
    #[cfg(feature = "online")]
    Join(online::join::Arguments),
    #[cfg(not(feature = "online"))]
    #[command(hide = true)]
    Join(unavailable::Arguments),
    #[cfg(feature = "online")]
    Bot(online::bot::Arguments),
    #[cfg(not(feature = "online"))]
    #[command(hide = true)]
    Bot(unavailable::Arguments),
    Backup(backup::Arguments),
    #[cfg(feature = "server")]
    Compact(compact::Arguments),
    #[cfg(not(feature = "server"))]
    #[command(hide = true)]
    Compact(unavailable::Arguments),
    Config(settings::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    /// Print a screenshot of the full-screen game
    #[command(hide = true, name = "picture")]
    Screenshot,
}

/// Ignores empty environment variables, so that a line `NAME=` in a service file switches a setting
/// off.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|argument| match argument.get_env().is_some_and(is_empty) {
            true => argument.env(Resettable::Reset),
            false => argument,
        })
        .mut_subcommands(without_empty_variables)
}

impl Program {
    fn from_command_line() -> Program {
        let mut command = without_empty_variables(Program::command());
        let matches = command.try_get_matches_from_mut(env::args_os());
        let program = matches.and_then(|matches| Program::from_arg_matches(&matches));
        program.unwrap_or_else(|error| exit_with(&error.format(&mut command)))
    }
}

/// Explains the error and ends the program. Control characters of an argument would reach the terminal
/// with the explanation.
fn exit_with(error: &clap::Error) -> ! {
    let has_control = |argument: std::ffi::OsString| {
        argument.to_string_lossy().chars().any(|c| c.is_control() && c != '\n')
    };
    if !error.use_stderr() || !env::args_os().any(has_control) {
        error.exit();
    }
    eprint!("{}", text::without_control_characters(&error.render().to_string()));
    std::process::exit(error.exit_code())
}

fn main() -> ExitCode {
    let program = Program::from_command_line();
    let done = match program.command.unwrap_or(Command::Play(Box::new(program.play))) {
        Command::Play(arguments) => play::run(*arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Scores(arguments) => scores::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Games(arguments) => games::run(*arguments),
        Command::Import(arguments) => games::import::run(arguments),
        Command::Puzzle(arguments) => puzzle::run(*arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Analyse(arguments) => analyse::run(*arguments),
        Command::Brain(arguments) => brain::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Arena(arguments) => arena::run(*arguments),
        #[cfg(feature = "server")]
        Command::Serve(arguments) => serve::run(*arguments),
        #[cfg(not(feature = "server"))]
        Command::Serve(_) => unavailable::refuse("serve", "server"),
        #[cfg(feature = "server")]
        Command::Account(arguments) => account::run(arguments),
        #[cfg(not(feature = "server"))]
        Command::Account(_) => unavailable::refuse("account", "server"),
        #[cfg(all(feature = "server", feature = "postgres"))]
        Command::Migrate(arguments) => migrate::run(arguments),
        #[cfg(not(all(feature = "server", feature = "postgres")))]
        Command::Migrate(_) => unavailable::refuse("migrate", "postgres"),
        #[cfg(feature = "online")]
        Command::Join(arguments) => online::join::run(arguments),
        #[cfg(not(feature = "online"))]
        Command::Join(_) => unavailable::refuse("join", "online"),
        #[cfg(feature = "online")]
        Command::Bot(arguments) => online::bot::run(arguments),
        #[cfg(not(feature = "online"))]
        Command::Bot(_) => unavailable::refuse("bot", "online"),
        Command::Backup(arguments) => backup::run(arguments),
        #[cfg(feature = "server")]
        Command::Compact(arguments) => compact::run(arguments),
        #[cfg(not(feature = "server"))]
        Command::Compact(_) => unavailable::refuse("compact", "server"),
        Command::Config(arguments) => settings::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
        Command::Screenshot => print_screenshot(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn print_screenshot() -> Result<(), failure::Failure> {
    io::stdout().write_all(noughts_tui::screenshot().as_bytes())?;
    Ok(())
}

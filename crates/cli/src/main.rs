//! The program `noughts`: tic-tac-toe and its whole family in the terminal.

#![forbid(unsafe_code)]

mod analyse;
mod arena;
mod backup;
mod board;
mod brain;
mod chosen_game;
mod completions;
mod data;
mod display;
mod failure;
mod lines;
mod man;
mod online;
mod perft;
mod play;
mod replay;
mod scores;
mod serve;
mod show;
mod solve;
mod start;

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// The server makes and drops many small things on several threads, which this one is good at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// More threads than any machine has cores, and fewer than a system refuses to start.
const MOST_THREADS: i64 = 1024;

/// Tic-tac-toe and its whole family: any board, any win length, two to eight players.
///
/// Without a command it starts a game.
#[derive(Parser)]
#[command(
    name = "noughts",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        noughts                              choose and play\n  \
        noughts play --rules connect4        Connect Four\n  \
        noughts play --name Ann --name Bob   without being asked for names\n  \
        noughts play --players human,hard    against the computer\n  \
        noughts solve 4x4                    who wins with perfect play\n  \
        noughts scores                       who is the best\n  \
        noughts replay moves.txt             what a list of moves does\n  \
        noughts perft 4x4                    how many games there are\n  \
        noughts arena easy hard              which of them is stronger\n  \
        noughts serve                        games online"
)]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::Arguments,
}

#[derive(Subcommand)]
enum Command {
    Play(play::Arguments),
    Scores(scores::Arguments),
    Show(show::Arguments),
    Solve(solve::Arguments),
    Analyse(analyse::Arguments),
    Brain(brain::Arguments),
    Replay(replay::Arguments),
    Perft(perft::Arguments),
    Arena(arena::Arguments),
    Serve(Box<serve::Arguments>),
    Join(online::join::Arguments),
    Bot(online::bot::Arguments),
    Backup(backup::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    /// Print a picture of the full-screen game
    #[command(hide = true)]
    Picture,
}

/// What is in the environment without a value counts as if it was not there: a line `NAME=` in a
/// service's file or a script switches a setting off.
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
        let matches = command.get_matches_mut();
        let program = Program::from_arg_matches(&matches);
        program.unwrap_or_else(|error| error.format(&mut command).exit())
    }
}

fn main() -> ExitCode {
    let program = Program::from_command_line();
    let done = match program.command.unwrap_or(Command::Play(program.play)) {
        Command::Play(arguments) => play::run(arguments),
        Command::Scores(arguments) => scores::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Analyse(arguments) => analyse::run(arguments),
        Command::Brain(arguments) => brain::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Arena(arguments) => arena::run(arguments),
        Command::Serve(arguments) => serve::run(*arguments),
        Command::Join(arguments) => online::join::run(arguments),
        Command::Bot(arguments) => online::bot::run(arguments),
        Command::Backup(arguments) => backup::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
        Command::Picture => print_picture(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn print_picture() -> Result<(), failure::Failure> {
    io::stdout().write_all(noughts_tui::picture().as_bytes())?;
    Ok(())
}

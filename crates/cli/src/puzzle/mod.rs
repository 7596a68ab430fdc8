//! `noughts puzzle`: solves puzzles, and finds new ones.

mod dialogue;
mod make;

use std::io::{self, IsTerminal};

use anyhow::anyhow;
use clap::Subcommand;
use noughts_engine::DIFFICULTIES;
use noughts_play::{Database, PuzzleChoice, PuzzleFilter, PuzzleSession};
use noughts_rules::Rules;
use noughts_tui::Setup;

use crate::data::DataArguments;
use crate::display::Display;
use crate::failure::Failure;
use crate::lines::LineReader;
use crate::settings::Settings;
use dialogue::Dialogue;

/// Solve puzzles, or find new ones
///
/// It begins with the puzzle of the day, which is the same for everyone. Every puzzle has exactly one
/// right first move, and the computer defends as well as can be. Results are stored with a rating.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    noughts puzzle\n  \
    noughts puzzle --rules connect4 --difficulty 3\n  \
    noughts puzzle --own\n  \
    noughts puzzle make gomoku --count 5 --json"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Begin with the puzzle of the day, whatever comes after it
    #[arg(long, conflicts_with = "own")]
    daily: bool,
    /// Only puzzles of these rules, such as connect4; see `noughts rules`
    #[arg(long)]
    rules: Option<Rules>,
    /// Only puzzles of this difficulty, from 1, easy, to 5, hard
    #[arg(long, value_name = "N", value_parser = difficulty)]
    difficulty: Option<u8>,
    /// Puzzles from your own stored games
    #[arg(long)]
    own: bool,
    #[command(flatten)]
    display: Display,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Subcommand)]
enum Command {
    Make(make::Arguments),
}

fn difficulty(text: &str) -> Result<u8, &'static str> {
    let number = text.trim().parse().ok().filter(|number| DIFFICULTIES.contains(number));
    number.ok_or("expected a number from 1 to 5")
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Some(Command::Make(arguments)) => make::run(arguments),
        None => solve(&arguments),
    }
}

fn solve(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { daily, rules, difficulty, own, display, data, .. } = arguments;
    let filter = PuzzleFilter { rules: rules.clone(), difficulty: *difficulty };
    let choice = PuzzleChoice { filter, daily: *daily, own: *own };
    if let Some(theme) = display.screen(&Settings::load()?) {
        return Ok(noughts_tui::run(Setup::of_puzzles(choice, data.path()?, theme))?);
    }
    let database = Database::open_writable(&data.path()?)?;
    let Some(session) = PuzzleSession::open(&choice, Some(database))? else {
        return Err(Failure::Other(match own {
            true => anyhow!("no puzzle was found in your stored games"),
            false => anyhow!("there is no such puzzle: try another game or difficulty"),
        }));
    };
    let stdin = io::stdin().lock();
    let echo = !stdin.is_terminal();
    let lines = LineReader::new(stdin);
    let mut dialogue = Dialogue { lines, output: io::stdout().lock(), echo, session };
    Ok(dialogue.run()?)
}

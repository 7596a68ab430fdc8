//! `noughts scores`: ratings, ranks and stored games.

mod games;
mod leagues;
mod player;
#[cfg(feature = "server")]
mod rebuild;
mod standings;

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Subcommand;
use noughts_play::Database;
use noughts_scores::{League, Name, Standing, System};
use serde::Serialize;

use crate::data::{DataArguments, default_league};
use crate::failure::Failure;
use crate::numbers;
#[cfg(not(feature = "server"))]
use crate::unavailable;

/// Show ratings, ranks and games
///
/// Without a command it shows the top ten of the league.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts scores top 3\n  \
    noughts scores show Ann --json\n  \
    noughts scores create club elo\n  \
    noughts scores top --league club\n\n\
    Servers keep a league for each kind of game, such as classic, gomoku and connect4, and one\n\
    named other for the rest: noughts scores top --league gomoku")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The league; by default `local`, and for games all leagues
    // The id differs from that of `play --league`, which would share its default.
    #[arg(id = "table", long = "league", value_name = "LEAGUE", global = true)]
    league: Option<String>,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// The file with games and scores; by default one in the user's data folder
    // Like `DataArguments`, but global.
    #[arg(long, value_name = "FILE", env = "NOUGHTS_DATA", global = true)]
    data: Option<PathBuf>,
    #[cfg(feature = "postgres")]
    /// The PostgreSQL database of a server, instead of a file: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(
        long,
        value_name = "URL",
        env = "NOUGHTS_DATABASE",
        hide_env_values = true,
        global = true
    )]
    database: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the best players
    Top {
        /// Number of rows
        #[arg(default_value_t = 10, value_parser = numbers::positive)]
        count: u64,
    },
    /// Show a player's rank and neighbours
    Rank {
        /// The player's name
        name: String,
    },
    /// Show a player's record, rating over time and opponents
    Show {
        /// The player's name
        name: String,
    },
    /// List the leagues
    Leagues,
    /// Create a league
    Create {
        /// The name
        name: String,
        /// The rating system: wins, plus-minus, elo, glicko2 or weng-lin
        system: System,
    },
    /// List the newest games
    Games {
        /// Number of rows
        #[arg(default_value_t = 20, value_parser = numbers::positive)]
        count: u64,
    },
    /// Retract a result, as if the game had not counted
    Retract {
        /// The number of the result, see `noughts scores games`
        #[arg(value_parser = numbers::positive)]
        id: u64,
    },
    /// Recompute all results by replaying their games, and correct those that differ
    #[cfg(feature = "server")]
    Rebuild {
        /// Only compare; the exit status is 1 if something differs
        #[arg(long)]
        check: bool,
    },
    #[cfg(not(feature = "server"))]
    #[command(hide = true)]
    Rebuild(unavailable::Arguments),
}

pub(crate) fn run(mut arguments: Arguments) -> Result<(), Failure> {
    let command = arguments.command.take().unwrap_or(Command::Top { count: 10 });
    let creates = matches!(command, Command::Create { .. });
    let is_named = arguments.league.is_some();
    let scores = Scores {
        data: open(&arguments, creates)?,
        league: arguments.league.unwrap_or_else(default_league),
        json: arguments.json,
    };
    match command {
        Command::Top { count } => scores.top(as_length(count)),
        Command::Rank { name } => scores.rank(&name),
        Command::Show { name } => scores.show(&name),
        Command::Leagues => scores.leagues(),
        Command::Create { name, system } => scores.create(name, system),
        Command::Games { count } => scores.games(is_named, as_length(count)),
        Command::Retract { id } => scores.retract(id),
        #[cfg(feature = "server")]
        Command::Rebuild { check } => scores.rebuild(check),
        #[cfg(not(feature = "server"))]
        Command::Rebuild(_) => unavailable::refuse("scores rebuild", "server"),
    }
}

/// Opens the database that the flags name; only some commands create the file.
fn open(arguments: &Arguments, creates: bool) -> Result<Database> {
    #[cfg(feature = "postgres")]
    if let Some(url) = &arguments.database {
        return Database::connect(url);
    }
    let data = DataArguments { data: arguments.data.clone() };
    if creates { Database::open(&data.path()?) } else { data.open_to_read() }
}

fn as_length(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

struct Scores {
    data: Database,
    league: String,
    json: bool,
}

/// A row of the JSON output.
#[derive(Serialize)]
pub(crate) struct Row<'a> {
    rank: usize,
    name: &'a str,
    rating: i64,
    wins: u32,
    losses: u32,
    draws: u32,
}

impl<'a> From<Standing<'a, Name>> for Row<'a> {
    fn from(standing: Standing<'a, Name>) -> Row<'a> {
        let Standing { rank, player, rating, record } = standing;
        let name = player.as_str();
        let (wins, losses, draws) = (record.wins, record.losses, record.draws);
        Row { rank, name, rating: rating.shown, wins, losses, draws }
    }
}

impl Scores {
    /// The league; the default one is empty before its first game.
    fn load(&self) -> Result<League<Name>> {
        match self.data.league(&self.league)? {
            Some(league) => Ok(league),
            None if self.league == default_league() => Ok(League::new(System::Wins)),
            None => Err(anyhow!(
                "there is no league {}: `noughts scores leagues` lists those there are",
                self.league
            )),
        }
    }

    fn nobody(&self, name: &str) -> anyhow::Error {
        anyhow!("nobody called {name} has a result in the league {}", self.league)
    }
}

fn print_json(value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes())?;
    Ok(())
}

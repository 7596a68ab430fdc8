//! `noughts games` and `noughts import`: the stored games.

mod export;
pub(crate) mod import;
mod list;

use std::io::{self, Write};

use clap::{Subcommand, ValueEnum};
use noughts_play::{Database, GameEnd, GameFilter};
use noughts_rules::Rules;
use noughts_store::RecordId;
use noughts_tui::Setup;

use crate::data::DataArguments;
use crate::display::Display;
use crate::failure::Failure;
use crate::numbers;
use crate::settings::Settings;

/// List, search, delete and export stored games
///
/// On a terminal and without flags it opens the list on the full screen; otherwise it prints the
/// newest games. Words find games by player, rules, result, date or number.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
    noughts games\n  \
    noughts games ann gomoku --result win\n  \
    noughts games --player Ann --since 2026-01-01 --json\n  \
    noughts games delete 7 8\n  \
    noughts games export --format sgf --to games.sgf"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    filter: FilterArguments,
    /// List at most this many games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = numbers::positive)]
    limit: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    display: Display,
    #[command(flatten)]
    data: DataArguments,
}

#[derive(Subcommand)]
enum Command {
    /// Delete games, with their results if they count
    Delete {
        /// The numbers of the games
        #[arg(required = true, value_parser = numbers::positive)]
        ids: Vec<u64>,
        #[command(flatten)]
        data: DataArguments,
    },
    /// Print all games, or those that pass a filter, or write them to files
    Export(export::Arguments),
}

/// Which games.
#[derive(clap::Args)]
struct FilterArguments {
    /// Words that occur in the players' names, rules, result, date or number
    #[arg(value_name = "WORD")]
    words: Vec<String>,
    /// A part of a player's name
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The rules, such as gomoku; see `noughts rules`
    #[arg(long)]
    rules: Option<Rules>,
    /// How the game ended
    #[arg(long, value_enum)]
    result: Option<EndArgument>,
    /// A part of the winner's name
    #[arg(long, value_name = "NAME")]
    winner: Option<String>,
    /// The first day, such as 2026-01-31
    #[arg(long, value_name = "DATE", value_parser = day)]
    since: Option<String>,
    /// The last day
    #[arg(long, value_name = "DATE", value_parser = day)]
    until: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum EndArgument {
    Win,
    Draw,
    Unfinished,
}

impl FilterArguments {
    fn filter(self) -> GameFilter {
        GameFilter {
            player: self.player,
            rules: self.rules.map(|rules| rules.to_string()),
            result: self.result.map(|end| match end {
                EndArgument::Win => GameEnd::Win,
                EndArgument::Draw => GameEnd::Draw,
                EndArgument::Unfinished => GameEnd::Unfinished,
            }),
            winner: self.winner,
            since: self.since,
            until: self.until,
            ..GameFilter::of_words(&self.words.join(" "))
        }
    }
}

/// Checks a date.
fn day(text: &str) -> Result<String, &'static str> {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &str, digits: usize, range: std::ops::RangeInclusive<u16>| {
        part.len() == digits && part.parse().is_ok_and(|number: u16| range.contains(&number))
    };
    match parts[..] {
        [year, month, day]
            if is_number(year, 4, 1..=9999)
                && is_number(month, 2, 1..=12)
                && is_number(day, 2, 1..=31) =>
        {
            Ok(text.to_string())
        }
        _ => Err("expected a date such as 2026-01-31"),
    }
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Some(Command::Delete { ids, data }) => delete(&ids, &data),
        Some(Command::Export(arguments)) => export::run(arguments),
        None => {
            let filter = arguments.filter.filter();
            let is_plain_list = filter == GameFilter::default() && !arguments.json;
            let theme = arguments.display.screen(&Settings::load()?);
            if let Some(theme) = theme.filter(|_| is_plain_list) {
                return Ok(noughts_tui::run(Setup::of_games(arguments.data.path()?, theme))?);
            }
            let data = arguments.data.open_to_read()?;
            let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
            list::print(&data.games_where(&filter, limit)?, filter, arguments.json)
        }
    }
}

fn delete(ids: &[u64], data: &DataArguments) -> Result<(), Failure> {
    let data = Database::open_existing(&data.path()?)?;
    for &id in ids {
        data.delete_game(RecordId(id))?;
        writeln!(io::stdout(), "Game {id} is deleted.")?;
    }
    Ok(())
}

//! `noughts play`: a game in the terminal.

mod commands;
mod keeper;
mod people;
mod prompt;
mod score;
mod series;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::anyhow;
use noughts_engine::{Budget, Computer, PlayerKind};
use noughts_rules::{Player, Rules, Seat, Symbol};
use noughts_store::LeagueChoice;

use crate::MOST_THREADS;
use crate::data::{Data, DataArguments, default_league, now};
use crate::duration::duration;
use crate::failure::Failure;
use keeper::{Counting, Keeper};
use people::{Given, introduce};
use prompt::{End, Prompt};
use score::Score;
use series::Series;

/// Play a game
///
/// People take turns at one terminal, with each other or with the computer. What is not given by
/// flags is asked for.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts play --rules gomoku\n  \
    noughts play --players human,hard\n  \
    noughts play --rules 7x7:4+3p --name Ann --name Bob --name Cy\n  \
    noughts play --name Ann --symbol ❎ --name Bob --symbol 🛑")]
pub(crate) struct Arguments {
    /// The rules, such as 3x3, 15x15:5+exact, 6x7:4+gravity or connect4
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Who plays, in the order of play: human, random, easy, medium, hard, perfect or engine:PATH
    #[arg(long, value_delimiter = ',')]
    players: Vec<PlayerKind>,
    /// How long a computer may think about a move
    #[arg(long, default_value = "1s", value_parser = duration)]
    think: Duration,
    /// On how many threads a computer may think
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: u16,
    /// What the computers' choices among equals begin with; another one in each run by default
    #[arg(long)]
    seed: Option<u64>,
    /// A player's name; once for each player, in the order of play
    #[arg(long = "name", value_parser = name)]
    names: Vec<String>,
    /// A player's character; once for each player, in the order of play
    #[arg(long = "symbol")]
    symbols: Vec<Symbol>,
    /// Play as a dialogue of plain lines of text
    #[arg(long)]
    plain: bool,
    /// The league in which finished games count
    #[arg(long, default_value_t = default_league())]
    league: String,
    /// Do not count games
    #[arg(long)]
    casual: bool,
    /// Count games for good: the end of a game can't be taken back
    #[arg(long, conflicts_with = "casual")]
    rated: bool,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    check(&arguments)?;
    let keeper = keeper(&arguments)?;
    let seed = arguments.seed.unwrap_or(now() as u64);
    let rules = arguments.rules;
    let given =
        Given { kinds: arguments.players, names: arguments.names, symbols: arguments.symbols };
    let mut prompt =
        Prompt::new(io::stdin().lock(), io::stdout().lock(), !io::stdin().is_terminal());
    let played = introduce(&mut prompt, &rules, &given).and_then(|people| {
        let threads = arguments.threads.into();
        let budget = Budget::unlimited().with_time(arguments.think).with_threads(threads);
        let computer = |person: usize| {
            let strategy = given.kind(person).strategy(seed.wrapping_add(person as u64));
            strategy.map(|strategy| Computer::new(strategy, budget.clone()))
        };
        let computers = (0..people.len()).map(computer).collect();
        let score = Score::new(people.iter().map(|player| player.name().to_string()));
        Series { prompt, rules: &rules, keeper, people, computers, score, starter: 0 }.play()
    });
    match played {
        Ok(()) | Err(End::Quit) => Ok(()),
        Err(End::InputEnded) => Err(anyhow!("the input ended before the game did").into()),
        Err(End::Failed(error)) => Err(error.into()),
    }
}

/// Whether the flags fit together.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { rules, players: kinds, names, symbols, .. } = arguments;
    let players = rules.players();
    for (flag, given) in [("--name", names.len()), ("--symbol", symbols.len())] {
        if given > players {
            let expected = format!("expected at most {players} times {flag}, one for each player");
            return Err(Failure::malformed(anyhow!("{expected}, got {given}")));
        }
    }
    if kinds.len() > players {
        let given = kinds.len();
        return Err(Failure::malformed(anyhow!("expected {players} players, got {given}")));
    }
    for (i, symbol) in symbols.iter().enumerate() {
        if symbols[..i].contains(symbol) {
            let twice = format!("the character {symbol} is given twice");
            return Err(Failure::malformed(anyhow!("{twice}: each player needs one of their own")));
        }
    }
    Ok(())
}

/// Who stores the games. A file that was asked for must be usable; without the usual one people
/// can still play.
fn keeper(arguments: &Arguments) -> Result<Option<Keeper>, Failure> {
    let counting = match (arguments.casual, arguments.rated) {
        (true, _) => Counting::Not,
        (false, true) => Counting::Rated,
        (false, false) => Counting::Casually,
    };
    let league = LeagueChoice { name: arguments.league.clone(), ..LeagueChoice::default() };
    match Data::open(&arguments.data) {
        Ok(data) => Ok(Some(Keeper::new(data, league, counting))),
        Err(error) if arguments.data.data.is_some() => Err(error.into()),
        Err(error) => {
            eprintln!("noughts: games are not stored: {error:#}");
            Ok(None)
        }
    }
}

/// A name is checked where a player is made of it; here it only has to be one.
fn name(text: &str) -> Result<String, noughts_rules::NameError> {
    Ok(Player::new(text, Symbol::default_for(Seat::FIRST))?.name().to_string())
}

//! `noughts play`: local games.

mod commands;
mod dialogue;
mod people;
mod prompt;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::anyhow;
use noughts_engine::{Budget, Computer, PlayerKind};
use noughts_play::{Counting, Database, Recorder, Series, duration, now};
use noughts_rules::{Player, Rules, Seat, Symbol};
use noughts_store::LeagueChoice;
use noughts_tui::{
    GameOptions, PlaySettings, PlayerOptions, Setup, StorageOptions, Theme, TimeControl,
};

use crate::MAX_THREADS;
use crate::data::{DataArguments, default_league};
use crate::display::Display;
use crate::failure::Failure;
use dialogue::Dialogue;
use people::{PlayerFlags, ask_players};
use prompt::{DialogueEnd, Prompt};

/// Play a game
///
/// People play at one terminal, with each other or against computers. On a terminal the game takes
/// the whole screen and offers a choice of boards and players, unless flags name them. Otherwise,
/// and with --plain, it is a dialogue of lines that asks for missing names.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts play --rules gomoku\n  \
    noughts play --rules ultimate --players human,medium\n  \
    noughts play --rules 4x4x4\n  \
    noughts play --rules 3x3+fade3\n  \
    noughts play --players human,hard\n  \
    noughts play --rules connect4 --clock 5m+3s\n  \
    noughts play --rules 7x7:4+3p --name Ann --name Bob --name Cy\n  \
    noughts play --name Ann --symbol ❎ --name Bob --symbol 🛑")]
pub(crate) struct Arguments {
    /// The rules, such as 3x3 (the default), ultimate, 4x4x4 or 6x7:4+gravity; see `noughts rules`
    #[arg(long)]
    rules: Option<Rules>,
    /// Players in order of play: human, random, easy, medium, hard, perfect, mcts, alpha-beta or
    /// engine:PATH
    #[arg(long, value_delimiter = ',')]
    players: Vec<PlayerKind>,
    /// Thinking time of computers per move
    #[arg(long, default_value = "1s", value_parser = duration)]
    think: Duration,
    /// Search threads of computers
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    threads: u16,
    /// Seed for the computers' choices among equal moves; random by default
    #[arg(long)]
    seed: Option<u64>,
    /// A player's name; repeat in order of play
    #[arg(long = "name", value_parser = name)]
    names: Vec<String>,
    /// A player's character; repeat in order of play
    #[arg(long = "symbol")]
    symbols: Vec<Symbol>,
    /// Time per player, and increment per move, such as 5m or 5m+3s
    #[arg(long, value_name = "TIME[+TIME]")]
    clock: Option<TimeControl>,
    #[command(flatten)]
    display: Display,
    /// The league in which finished games count
    #[arg(long, default_value_t = default_league())]
    league: String,
    /// Do not count games
    #[arg(long)]
    casual: bool,
    /// Count games for good: results can't be undone
    #[arg(long, conflicts_with = "casual")]
    rated: bool,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    check(&arguments)?;
    if let Some(theme) = arguments.display.screen() {
        return Ok(noughts_tui::run(setup(arguments, theme))?);
    }
    if arguments.clock.is_some() {
        let reason = "--clock needs the full-screen game: in a dialogue of lines no clock runs";
        return Err(Failure::malformed(anyhow!(reason)));
    }
    run_dialogue(arguments)
}

/// Plays in lines of text.
fn run_dialogue(arguments: Arguments) -> Result<(), Failure> {
    let rules = arguments.rules.clone().unwrap_or_default();
    let seed = arguments.seed.unwrap_or(now() as u64);
    let data = match arguments.data.path().and_then(|path| Database::open_writable(&path)) {
        Ok(data) => Some(data),
        Err(error) if must_be_usable(&arguments) => return Err(error.into()),
        Err(error) => {
            eprintln!("noughts: games are not stored: {error:#}");
            None
        }
    };
    let is_rated = data.is_some() && arguments.rated;
    let recorder = data.map(|data| Recorder::new(data, league(&arguments), counting(&arguments)));
    let flags = PlayerFlags {
        kinds: arguments.players,
        names: arguments.names,
        symbols: arguments.symbols,
    };
    let mut prompt =
        Prompt::new(io::stdin().lock(), io::stdout().lock(), !io::stdin().is_terminal());
    let played = ask_players(&mut prompt, &rules, &flags).and_then(|people| {
        let threads = arguments.threads.into();
        let budget = Budget::unlimited().with_time(arguments.think).with_threads(threads);
        let computer = |person: usize| {
            let strategy = flags.kind(person).strategy(seed.wrapping_add(person as u64));
            strategy.map(|strategy| Computer::new(strategy, budget.clone()))
        };
        let computers = (0..people.len()).map(computer).collect();
        let kinds = (0..people.len()).map(|person| flags.kind(person)).collect();
        let series = Series::new(&rules, people, kinds, is_rated);
        Dialogue { prompt, series, recorder, computers }.play()
    });
    match played {
        Ok(()) | Err(DialogueEnd::Quit) => Ok(()),
        Err(DialogueEnd::InputEnded) => Err(anyhow!("the input ended before the game did").into()),
        Err(DialogueEnd::Failed(error)) => Err(error.into()),
    }
}

/// The setup of the full-screen game: flags first, then the saved options.
fn setup(arguments: Arguments, theme: Theme) -> Setup {
    // Saved next to the data file.
    let (path, notice) = match arguments.data.path() {
        Ok(path) => (Some(path), None),
        Err(error) => (None, Some(format!("Games are not stored: {error:#}."))),
    };
    let options_file = path.as_ref().map(|path| path.with_extension("choice.json"));
    let remembered = options_file.as_deref().and_then(GameOptions::load).unwrap_or_default();
    let (league, counting) = (league(&arguments), counting(&arguments));
    let must_be_usable = must_be_usable(&arguments);
    let Arguments { rules, players, names, symbols, .. } = arguments;
    let start_immediately =
        rules.is_some() || !(players.is_empty() && names.is_empty() && symbols.is_empty());
    let options = if start_immediately {
        chosen(rules.unwrap_or_default(), &players, &names, &symbols, &remembered)
    } else {
        remembered
    };
    Setup {
        theme,
        options,
        start_immediately,
        settings: PlaySettings {
            think: arguments.think,
            threads: arguments.threads.into(),
            seed: arguments.seed.unwrap_or(now() as u64),
            control: arguments.clock,
        },
        storage: path.map(|path| StorageOptions { path, must_be_usable, league, counting }),
        options_file,
        notice,
    }
}

/// The options that the flags choose. Players keep their saved names and symbols.
fn chosen(
    rules: Rules,
    kinds: &[PlayerKind],
    names: &[String],
    symbols: &[Symbol],
    remembered: &GameOptions,
) -> GameOptions {
    let player = |person: usize| {
        let kind = kinds.get(person).cloned().unwrap_or(PlayerKind::HUMAN);
        let before = remembered.players.get(person).filter(|before| before.kind == kind);
        let before = before.cloned().unwrap_or(PlayerOptions { kind, name: None, symbol: None });
        // A saved symbol gives way to a flag for another player.
        let own = before.symbol.filter(|symbol| !symbols.contains(symbol));
        PlayerOptions {
            name: names.get(person).cloned().or(before.name),
            symbol: symbols.get(person).cloned().or(own),
            kind: before.kind,
        }
    };
    GameOptions { players: (0..rules.players()).map(player).collect(), rules }
}

/// Checks that the flags fit together.
fn check(arguments: &Arguments) -> Result<(), Failure> {
    league(arguments).check().map_err(Failure::malformed)?;
    let Arguments { rules, players: kinds, names, symbols, .. } = arguments;
    let players = rules.clone().unwrap_or_default().players();
    for (flag, flags) in [("--name", names.len()), ("--symbol", symbols.len())] {
        if flags > players {
            let expected = format!("expected at most {players} times {flag}, one for each player");
            return Err(Failure::malformed(anyhow!("{expected}, got {flags}")));
        }
    }
    if kinds.len() > players {
        let flags = kinds.len();
        return Err(Failure::malformed(anyhow!("expected {players} players, got {flags}")));
    }
    for (i, symbol) in symbols.iter().enumerate() {
        if symbols[..i].contains(symbol) {
            let twice = format!("the character {symbol} is given twice");
            return Err(Failure::malformed(anyhow!("{twice}: each player needs one of their own")));
        }
    }
    Ok(())
}

/// A file that was named must be usable. Without the default file people can still play.
fn must_be_usable(arguments: &Arguments) -> bool {
    arguments.data.data.is_some()
}

fn counting(arguments: &Arguments) -> Counting {
    match (arguments.casual, arguments.rated) {
        (true, _) => Counting::Uncounted,
        (false, true) => Counting::Rated,
        (false, false) => Counting::Casual,
    }
}

fn league(arguments: &Arguments) -> LeagueChoice {
    LeagueChoice { name: arguments.league.clone(), ..LeagueChoice::default() }
}

/// Checks that a text is a valid name.
fn name(text: &str) -> Result<String, noughts_rules::NameError> {
    Ok(Player::new(text, Symbol::default_for(Seat::FIRST))?.name().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_reach_the_full_screen_game() {
        #[derive(clap::Parser)]
        struct CommandLine {
            #[command(flatten)]
            arguments: Arguments,
        }
        let line = ["play", "--threads", "3", "--think", "2s"];
        let theme = Theme { ascii: false, colour: true };
        let settings =
            setup(<CommandLine as clap::Parser>::parse_from(line).arguments, theme).settings;
        assert_eq!((settings.threads, settings.think), (3, Duration::from_secs(2)));
    }

    #[test]
    fn flags_override_saved_options() {
        let player = |kind: &str, name: Option<&str>, symbol: Option<&str>| PlayerOptions {
            kind: kind.parse().unwrap(),
            name: name.map(str::to_string),
            symbol: symbol.map(|symbol| symbol.parse().unwrap()),
        };
        let remembered = GameOptions {
            rules: "gomoku".parse().unwrap(),
            players: vec![
                player("human", Some("Ann"), Some("A")),
                player("human", Some("Bob"), Some("B")),
            ],
        };
        let kinds = ["human".parse().unwrap(), "hard".parse().unwrap()];
        let options = chosen(Rules::classic(), &kinds, &[], &["B".parse().unwrap()], &remembered);
        let expected = vec![player("human", Some("Ann"), Some("B")), player("hard", None, None)];
        assert_eq!(options, GameOptions { rules: Rules::classic(), players: expected });
    }
}

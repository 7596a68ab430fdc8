//! `noughts play`: local games.

mod beginning;
mod clock;
mod commands;
mod dialogue;
mod people;
mod prompt;

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::anyhow;
use noughts_engine::{Budget, Computer, PlayerKind};
use noughts_play::{
    Counting, Database, MatchDetail, Recorder, Series, TimeControl, duration, is_computer_name, now,
};
use noughts_rules::{Player, Rules, Seat, Symbol};
use noughts_store::LeagueChoice;
use noughts_tui::{
    ComputerSettings, DEFAULT_THINK, FirstPage, GameOptions, PlayerOptions, Setup, StorageOptions,
    Theme,
};

use crate::data::DataArguments;
use crate::display::Display;
use crate::engines;
use crate::failure::Failure;
use crate::numbers;
use crate::settings::Settings;
use beginning::{Beginning, Begun};
use clock::DialogueClock;
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
    noughts play --name Ann --symbol ❎ --name Bob --symbol 🛑\n  \
    noughts play --continue\n  \
    noughts play --rules gomoku --moves \"H8 I9\" --players human,hard\n  \
    noughts play --from game.sgf")]
pub(crate) struct Arguments {
    #[command(flatten)]
    beginning: Beginning,
    /// The rules, such as 3x3 (the default), ultimate, 4x4x4 or 6x7:4+gravity; see `noughts rules`
    #[arg(long)]
    rules: Option<Rules>,
    /// Players in order of play: human, random, easy, medium, hard, perfect, mcts, alpha-beta or
    /// engine:PATH
    #[arg(long, value_delimiter = ',')]
    players: Vec<PlayerKind>,
    /// Thinking time of computers per move [default: 1s]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    think: Option<Duration>,
    /// Search threads of computers
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = numbers::threads)]
    threads: u16,
    /// Seed for the computers' choices among equal moves; random by default
    #[arg(long, value_name = "N", value_parser = numbers::seed)]
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
    /// The league in which finished games count [default: local]
    #[arg(long)]
    league: Option<String>,
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
    let settings = Settings::load()?;
    let arguments = with_settings(arguments, &settings)?;
    let begun = arguments.beginning.read(&arguments)?;
    check_league(&arguments)?;
    engines::check(&arguments.players, &begun.position(&arguments))?;
    match arguments.display.screen(&settings) {
        Some(theme) => Ok(noughts_tui::run(setup(arguments, &settings, begun, theme)?)?),
        None => run_dialogue(arguments, begun),
    }
}

/// Plays in lines of text.
fn run_dialogue(arguments: Arguments, begun: Begun) -> Result<(), Failure> {
    let seed = arguments.seed.unwrap_or(now() as u64);
    let data = match arguments.data.path().and_then(|path| Database::open_writable(&path)) {
        Ok(data) => Some(data),
        Err(error) if must_be_usable(&arguments) => return Err(error.into()),
        Err(error) => {
            eprintln!("noughts: games are not stored: {error:#}");
            None
        }
    };
    let mut recorder = data.map(Recorder::new);
    let mut flags = PlayerFlags {
        kinds: arguments.players.clone(),
        names: arguments.names.clone(),
        symbols: arguments.symbols.clone(),
    };
    let (mut think, mut control, mut left) = (arguments.think, arguments.clock, Vec::new());
    let (mut counting, mut league) = (counting(&arguments), league(&arguments).name);
    let mut prompt =
        Prompt::new(io::stdin().lock(), io::stdout().lock(), !io::stdin().is_terminal());
    let (rules, start, mut first) = match begun {
        Begun::New => (arguments.rules.clone().unwrap_or_default(), None, None),
        Begun::Position(start) => (start.rules().clone(), Some(*start), None),
        Begun::Game(game) => (game.rules().clone(), Some(game.position().clone()), Some(*game)),
        Begun::Kept(kept) => {
            recorder.iter_mut().for_each(|recorder| recorder.begin_game(Some(kept.id)));
            flags.kinds = kept.detail.kinds;
            (counting, league) = (kept.detail.counting, kept.detail.league);
            think = think.or(kept.detail.think);
            if let Some((stored, times)) = kept.detail.clock {
                (control, left) = (Some(stored), times);
            }
            (kept.game.rules().clone(), Some(kept.game.start()), Some(kept.game))
        }
    };
    let asked = match &first {
        Some(game) => Ok(game.players().to_vec()),
        None => ask_players(&mut prompt, &rules, &flags),
    };
    let played = asked.and_then(|people| {
        let budget = Budget::unlimited()
            .with_time(think.unwrap_or(DEFAULT_THINK))
            .with_threads(arguments.threads.into());
        let computer = |person: usize| {
            let strategy = flags.kind(person).strategy(seed.wrapping_add(person as u64));
            strategy.map(|strategy| Computer::new(strategy, budget.clone()))
        };
        let computers = (0..people.len()).map(computer).collect();
        let kinds: Vec<PlayerKind> = (0..people.len()).map(|person| flags.kind(person)).collect();
        let is_rated = recorder.is_some() && counting == Counting::Rated;
        let clock = control.map(|control| DialogueClock::new(control, people.len(), &left));
        let detail = MatchDetail { kinds: kinds.clone(), league, counting, clock: None, think };
        let series = Series::new(&rules, people, kinds, is_rated);
        let series = match start {
            Some(start) => series.starting_from(start),
            None => series,
        };
        let (first, redo) = (first.take(), false);
        Dialogue { first, detail, clock, redo, prompt, series, recorder, budget, computers }.play()
    });
    match played {
        Ok(()) | Err(DialogueEnd::Quit) => Ok(()),
        Err(DialogueEnd::InputEnded) => Err(anyhow!("the input ended before the game did").into()),
        Err(DialogueEnd::Failed(error)) => Err(error.into()),
    }
}

/// The setup of the full-screen game: flags first, then the saved options.
fn setup(
    arguments: Arguments,
    settings: &Settings,
    begun: Begun,
    theme: Theme,
) -> Result<Setup, Failure> {
    // Saved next to the data file.
    let (path, notice) = match arguments.data.path() {
        Ok(path) => (Some(path), None),
        Err(error) => (None, Some(format!("Games are not stored: {error:#}."))),
    };
    let options_file = path.as_ref().map(|path| path.with_extension("choice.json"));
    let remembered = options_file.as_deref().and_then(GameOptions::load).unwrap_or_default();
    let remembered = remembered_with(remembered, settings)?;
    let league = league(&arguments).name;
    let (must_be_usable, counting) = (must_be_usable(&arguments), counting(&arguments));
    let Arguments { rules, players, names, symbols, think, clock, .. } = arguments;
    let is_chosen =
        rules.is_some() || !(players.is_empty() && names.is_empty() && symbols.is_empty());
    let flagged = |options: GameOptions| GameOptions {
        clock,
        think: think.unwrap_or(DEFAULT_THINK),
        league: league.clone(),
        counting,
        ..options
    };
    let chosen = |rules: Rules, names: &[String], symbols: &[Symbol]| {
        flagged(chosen(rules, &players, names, symbols, &remembered))
    };
    let (options, first) = match begun {
        Begun::New if is_chosen => {
            let rules = match rules {
                Some(rules) => rules,
                None => settings.board()?.unwrap_or_default(),
            };
            (chosen(rules, &names, &symbols), FirstPage::Play(None))
        }
        Begun::New => {
            let has_flags = clock.is_some()
                || think.is_some()
                || arguments.league.is_some()
                || arguments.casual
                || arguments.rated;
            let flagged = GameOptions {
                clock: clock.or(remembered.clock),
                think: think.unwrap_or(remembered.think),
                league: arguments.league.clone().unwrap_or(remembered.league.clone()),
                counting: match arguments.casual || arguments.rated {
                    true => counting,
                    false => remembered.counting,
                },
                ..remembered.clone()
            };
            (if has_flags { flagged } else { remembered }, FirstPage::Start)
        }
        Begun::Position(start) => {
            (chosen(start.rules().clone(), &names, &symbols), FirstPage::Play(Some(start)))
        }
        Begun::Game(game) => {
            let own = |given: &[String]| -> Vec<String> {
                let players = game.players().iter().map(|player| player.name().to_string());
                players.enumerate().map(|(i, name)| given.get(i).cloned().unwrap_or(name)).collect()
            };
            let own_symbols: Vec<Symbol> = match symbols.is_empty() {
                true => game.players().iter().map(|player| player.symbol().clone()).collect(),
                false => symbols,
            };
            let options = chosen(game.rules().clone(), &own(&names), &own_symbols);
            (options, FirstPage::Play(Some(Box::new(game.position().clone()))))
        }
        Begun::Kept(kept) => (remembered, FirstPage::Continue(kept)),
    };
    Ok(Setup {
        theme,
        options,
        first,
        computers: ComputerSettings {
            threads: arguments.threads.into(),
            seed: arguments.seed.unwrap_or(now() as u64),
        },
        storage: path.map(|path| StorageOptions { path, must_be_usable }),
        options_file,
        notice,
        bell: settings.has_bell(),
        keys: settings.keys()?,
    })
}

/// Completes the flags of a dialogue by the settings: the first person's name and character, and the
/// board.
fn with_settings(mut arguments: Arguments, settings: &Settings) -> Result<Arguments, Failure> {
    if arguments.display.screen(settings).is_some() {
        return Ok(arguments);
    }
    let has_board = arguments.beginning.decides_the_rules();
    if arguments.rules.is_none() && !has_board {
        arguments.rules = settings.board()?;
    }
    if arguments.players.first().is_none_or(PlayerKind::is_human) && !has_board {
        if arguments.names.is_empty() {
            arguments.names.extend(settings.name()?);
        }
        if arguments.symbols.is_empty() {
            arguments.symbols.extend(settings.symbol()?);
        }
    }
    Ok(arguments)
}

/// The options of the last time with those of the settings.
fn remembered_with(remembered: GameOptions, settings: &Settings) -> Result<GameOptions, Failure> {
    let mut options = remembered;
    if let Some(rules) = settings.board()? {
        options.rules = rules;
    }
    if options.players.is_empty() {
        let kind = PlayerKind::HUMAN;
        options.players.push(PlayerOptions { kind, name: None, symbol: None });
    }
    if let Some(first) = options.players.first_mut().filter(|player| player.kind.is_human()) {
        first.name = settings.name()?.or(first.name.take());
        first.symbol = settings.symbol()?.or(first.symbol.take());
    }
    Ok(options)
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
    let players = (0..rules.players()).map(player).collect();
    GameOptions { players, ..GameOptions::of(rules) }
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
    for (person, name) in names.iter().enumerate() {
        let is_person = kinds.get(person).is_none_or(PlayerKind::is_human);
        if is_person && is_computer_name(name) {
            let reason = format!("the name {name} belongs to a computer: choose another");
            return Err(Failure::malformed(anyhow!("{reason}")));
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

/// A misspelt league is no new league.
fn check_league(arguments: &Arguments) -> Result<(), Failure> {
    let default = LeagueChoice::default().name;
    let named = arguments.league.as_ref().filter(|name| **name != default);
    let Some(name) = named.filter(|_| !arguments.casual) else { return Ok(()) };
    let path = arguments.data.path()?;
    let is_known = path.exists()
        && Database::open_to_read(&path)?.leagues()?.iter().any(|league| league.name == *name);
    match is_known {
        true => Ok(()),
        false => {
            let create = format!("`noughts scores create {name} elo` creates it");
            Err(Failure::malformed(anyhow!("there is no league {name}: {create}")))
        }
    }
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
    let default = LeagueChoice::default();
    LeagueChoice { name: arguments.league.clone().unwrap_or(default.name), ..default }
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
        let theme = Theme::new(false, true);
        let arguments = <CommandLine as clap::Parser>::parse_from(line).arguments;
        let setup = setup(arguments, &Settings::default(), Begun::New, theme).ok().unwrap();
        assert_eq!((setup.computers.threads, setup.options.think), (3, Duration::from_secs(2)));
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
            ..GameOptions::default()
        };
        let kinds = ["human".parse().unwrap(), "hard".parse().unwrap()];
        let options = chosen(Rules::classic(), &kinds, &[], &["B".parse().unwrap()], &remembered);
        let expected = vec![player("human", Some("Ann"), Some("B")), player("hard", None, None)];
        let rules = Rules::classic();
        assert_eq!(options, GameOptions { players: expected, ..GameOptions::of(rules) });
    }
}

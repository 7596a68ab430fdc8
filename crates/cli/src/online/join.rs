//! `noughts join`: an online game in the terminal.

use std::io::{self, IsTerminal};

use anyhow::anyhow;
use noughts_api::{Credentials, GameView, Level, NewGame, NewSeat, PairingRequest};
use noughts_client::{Address, Client, ClientError, Sessions};
use noughts_rules::Rules;
use noughts_tui::Preferences;

use super::dialogue::Dialogue;
use super::lobby;
use super::password;
use crate::data::DataArguments;
use crate::display::Display;
use crate::failure::Failure;
use crate::settings::Settings;

/// Play or watch a game online
///
/// With the address of a game: takes a free seat, or watches. With the address of a server: shows its
/// lobby, with your unfinished games, challenges, games to join and to watch, and who is online; with
/// --rules, --against or --rated it finds an opponent at once, after offering your unfinished games. A
/// lost connection is restored automatically. On a terminal the game takes the whole screen; otherwise,
/// and with --plain, it is a dialogue of lines.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts join localhost:8000\n  \
    noughts join http://localhost:8000/game/01hf7yat0060rk4csm6mtpdw1r\n  \
    noughts join http://localhost:8000 --rules connect4\n  \
    noughts join https://noughts.example --rules 3x3 --against hard\n  \
    noughts join https://noughts.example --name Ann --rated")]
pub(crate) struct Arguments {
    /// The address of a game or of a server [default: the server of the last time]
    #[arg(value_name = "URL")]
    address: Option<String>,
    /// Only watch
    #[arg(long)]
    watch: bool,
    /// The rules of a new game [default: 3x3]; see `noughts rules`
    #[arg(long)]
    rules: Option<Rules>,
    /// Play against the computer: random, easy, medium, hard or perfect
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    against: Option<Level>,
    /// Play a rated game
    #[arg(long)]
    rated: bool,
    /// The token of the player, instead of the last session's
    #[arg(long, env = "NOUGHTS_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Sign in with this name and its password, from a prompt or NOUGHTS_PASSWORD
    #[arg(long, conflicts_with_all = ["token", "watch"])]
    name: Option<String>,
    /// Create an account with this name and a new password. Your games as a guest come along
    #[arg(long, requires = "name")]
    new: bool,
    #[command(flatten)]
    display: Display,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let settings = Settings::load()?;
    let address = address(&arguments)?;
    let client = sign_in(&address.server, &arguments)?;
    let screen = arguments.display.screen(&settings);
    let preferences = |theme| -> anyhow::Result<Preferences> {
        Ok(Preferences { theme, bell: settings.has_bell(), keys: settings.keys()? })
    };
    let is_choosing = arguments.rules.is_none() && arguments.against.is_none() && !arguments.rated;
    let view = match address.game {
        Some(game) if arguments.watch => client.game(game, 0).map_err(anyhow::Error::from)?,
        Some(game) => client.enter(game).map_err(anyhow::Error::from)?,
        None if is_choosing && io::stdin().is_terminal() => {
            let name = match client.token() {
                Some(_) => Some(client.me().map_err(anyhow::Error::from)?.name),
                None => None,
            };
            return match screen {
                Some(theme) => Ok(noughts_tui::lobby(preferences(theme)?, client, name)?),
                None => lobby::choose(client, name.as_deref()),
            };
        }
        None if arguments.watch => {
            let expected =
                "expected the address of a game to watch: `noughts join` lists them on a terminal";
            return Err(Failure::Malformed(anyhow!(expected)));
        }
        None => match lobby::offer_unfinished(&client)? {
            Some(view) => view,
            None => find_game(&client, &arguments).map_err(anyhow::Error::from)?,
        },
    };
    match screen {
        Some(theme) => Ok(noughts_tui::join(preferences(theme)?, client, view)?),
        None => Dialogue::new(client, view).play(),
    }
}

/// The address that was typed, or that of the last server.
fn address(arguments: &Arguments) -> Result<Address, Failure> {
    let text = match &arguments.address {
        Some(typed) => Some(typed.clone()),
        None => sessions(arguments)?.last_server(),
    };
    let expected = "expected the address of a server, such as localhost:8000";
    let text = text.ok_or_else(|| Failure::malformed(anyhow!(expected)))?;
    text.parse().map_err(Failure::malformed)
}

fn sessions(arguments: &Arguments) -> anyhow::Result<Sessions> {
    Ok(Sessions::beside(&arguments.data.path()?))
}

/// The client of the player, or of nobody for spectators.
fn sign_in(server: &str, arguments: &Arguments) -> Result<Client, Failure> {
    if arguments.watch {
        return Ok(Client::new(server, None));
    }
    if let Some(token) = &arguments.token {
        return Ok(Client::new(server, Some(token.clone())));
    }
    let sessions = sessions(arguments)?;
    let client = match &arguments.name {
        None => sessions.resume_or_create_guest(server)?,
        Some(name) => {
            let credentials = Credentials { name: name.clone(), password: password::ask(name)? };
            match arguments.new {
                true => create_account(&sessions, server, &credentials)?,
                false => sessions.sign_in(server, &credentials)?,
            }
        }
    };
    sessions.remember_server(server)?;
    Ok(client)
}

fn create_account(
    sessions: &Sessions,
    server: &str,
    credentials: &Credentials,
) -> anyhow::Result<Client> {
    let (client, session) = sessions.create_account(server, credentials)?;
    if let Some(code) = &session.recovery_code {
        println!("Your recovery code, in case you lose your password: {code}");
    }
    Ok(client)
}

/// Creates a game against the computer, or finds an opponent.
fn find_game(client: &Client, arguments: &Arguments) -> Result<GameView, ClientError> {
    let rules = arguments.rules.clone().unwrap_or_else(Rules::classic);
    let (players, rules, rated) = (rules.players(), rules.to_string(), arguments.rated);
    let Some(level) = arguments.against else {
        return client.pair(PairingRequest { rules, rated, clock: None, key: None });
    };
    let computers = (1..players).map(|_| NewSeat::Computer { level, symbol: None });
    let you = NewSeat::Me { name: None, symbol: None };
    let seats = [you].into_iter().chain(computers).collect();
    client.create_game(NewGame { rated, ..NewGame::new(rules, seats) })
}

fn level(text: &str) -> Result<Level, String> {
    let level = Level::ALL.into_iter().find(|level| level.as_str() == text);
    level.ok_or_else(|| format!("expected one of {}", Level::ALL.map(Level::as_str).join(", ")))
}

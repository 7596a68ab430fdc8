//! `noughts join`: an online game in the terminal.

use anyhow::{Context, anyhow};
use noughts_client::{Address, Client, Failed, Phase};
use noughts_rules::Rules;
use serde_json::{Value, json};

use super::dialogue::Dialogue;
use super::password;
use super::sessions::{Named, Sessions};
use crate::data::DataArguments;
use crate::display::Display;
use crate::failure::Failure;

/// Play or watch a game online
///
/// With the address of a game: takes a free seat, or watches. With the address of a server: plays
/// with whoever waits for the same game. A lost connection comes back by itself. On a terminal the
/// game takes the whole screen; otherwise, and with --plain, it is a dialogue of lines.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts join http://localhost:8000/game/01hf7yat0060rk4csm6mtpdw1r\n  \
    noughts join http://localhost:8000 --rules connect4\n  \
    noughts join https://noughts.example --rules 3x3 --against hard\n  \
    noughts join https://noughts.example --name Ann --rated")]
pub(crate) struct Arguments {
    /// The address of a game or of a server
    #[arg(value_name = "URL")]
    address: String,
    /// Only watch; needs the address of a game
    #[arg(long)]
    watch: bool,
    /// What to play, where the address is a server's
    #[arg(long, default_value = "3x3")]
    rules: Rules,
    /// Against which computer: random, easy, medium, hard or perfect
    #[arg(long, value_name = "LEVEL")]
    against: Option<String>,
    /// Let the game count
    #[arg(long)]
    rated: bool,
    /// Who you are, if not who you were last time
    #[arg(long, env = "NOUGHTS_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Sign in under this name, with its password: asked for, or in NOUGHTS_PASSWORD
    #[arg(long, conflicts_with_all = ["token", "watch"])]
    name: Option<String>,
    /// Take the name, which nobody has yet, and choose its password. What you played as a guest
    /// comes along
    #[arg(long, requires = "name")]
    new: bool,
    #[command(flatten)]
    display: Display,
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let address = Address::read(&arguments.address).map_err(Failure::Malformed)?;
    let client = if arguments.watch {
        // Whoever only watches is nobody, even in a game of their own.
        Client::new(&address.server, None)
    } else {
        let sessions = Sessions::beside(&arguments.data.path()?);
        match &arguments.name {
            Some(name) => {
                let named = if arguments.new { Named::Now } else { Named::Before };
                sessions.sign_in(&address.server, named, name, &password::ask(name)?)?
            }
            None => sessions.client(&address.server, arguments.token.clone())?,
        }
    };
    let game = match address.game {
        Some(game) => game,
        None if arguments.watch => {
            let expected = "expected the address of a game to watch: the server's page lists them";
            return Err(Failure::Malformed(anyhow!(expected)));
        }
        None => find_game(&client, &arguments)?,
    };
    let mut view = client.view(&game)?;
    if view.yours.is_empty() && view.phase == Phase::Open && !arguments.watch {
        match client.post::<Value>(&format!("/games/{game}/join"), &json!({})) {
            Ok(_) => view = client.view(&game)?,
            Err(Failed::Refused(_)) => {}
            Err(failed) => return Err(failed.into()),
        }
    }
    match arguments.display.screen() {
        Some(theme) => Ok(noughts_tui::join(theme, client, view)?),
        None => Dialogue::new(client, view).play(),
    }
}

/// A game at a server: with a computer, or with whoever waits.
fn find_game(client: &Client, arguments: &Arguments) -> anyhow::Result<String> {
    let rules = arguments.rules.to_string();
    let wanted: Value = match &arguments.against {
        Some(level) => {
            let computers =
                (1..arguments.rules.players()).map(|_| json!({"for": "computer", "level": level}));
            let seats: Vec<Value> = [json!({"for": "me"})].into_iter().chain(computers).collect();
            let body = json!({"rules": rules, "seats": seats, "rated": arguments.rated});
            client.post("/games", &body)?
        }
        None => client.post("/pairings", &json!({"rules": rules, "rated": arguments.rated}))?,
    };
    Ok(wanted["id"].as_str().context("the server gave no game")?.to_string())
}

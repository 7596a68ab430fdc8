//! `noughts bot`: a strategy as an opponent online.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, anyhow};
use noughts_client::{Address, Client, Failed, Order, Phase, View};
use noughts_engine::{Budget, PlayerKind, Strategy};
use noughts_play::{duration, now};
use noughts_rules::Rules;
use serde_json::{Value, json};

use crate::failure::Failure;

/// How often a bot without a turn looks for one.
const LOOK: Duration = Duration::from_millis(400);

/// How much of a clock is left for the way to the server and back.
const WAY: Duration = Duration::from_millis(200);

/// Put a computer player online as an opponent
///
/// Plays all games of the token's owner in which it is their turn, accepts invitations, and with
/// --seek waits for opponents. The token comes from the account's page or `POST /api/v1/tokens`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts bot --server http://localhost:8000 --token TOKEN --player hard\n  \
    noughts bot --server https://noughts.example --token TOKEN --player engine:./pbrain --seek gomoku")]
pub(crate) struct Arguments {
    /// The address of the server
    #[arg(long, value_name = "URL")]
    server: String,
    /// The token of the bot
    #[arg(long, env = "NOUGHTS_TOKEN", hide_env_values = true)]
    token: String,
    /// Who plays: random, easy, medium, hard, perfect or engine:PATH
    #[arg(long, default_value = "hard")]
    player: PlayerKind,
    /// How long it may think about a move
    #[arg(long, default_value = "1s", value_parser = duration)]
    think: Duration,
    /// Wait for opponents with these rules whenever there is no other game
    #[arg(long, value_name = "RULES")]
    seek: Option<Rules>,
    /// Let the games that it seeks count
    #[arg(long, requires = "seek")]
    rated: bool,
    /// Stop after so many finished games
    #[arg(long, value_name = "N")]
    games: Option<usize>,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    if arguments.player.is_human() {
        return Err(Failure::malformed(anyhow!("a bot is a computer: choose another --player")));
    }
    let address = Address::read(&arguments.server).map_err(Failure::Malformed)?;
    let client = Client::new(&address.server, Some(arguments.token.clone()));
    let me: Value = client.get("/me")?;
    let name = me["name"].as_str().context("the server did not say who the token is")?;
    println!("{name} plays {} at {}", arguments.player, address.server);
    let mut bot =
        Bot { client, name: name.to_string(), arguments, games: HashMap::new(), finished: 0 };
    bot.play()
}

struct Bot {
    client: Client,
    name: String,
    arguments: Arguments,
    /// The player at each board: engines remember their games.
    games: HashMap<String, Box<dyn Strategy>>,
    finished: usize,
}

impl Bot {
    fn play(&mut self) -> Result<(), Failure> {
        loop {
            match self.round() {
                // Whatever it was, there may be an answer the next time.
                Ok(true) => {}
                Ok(false) => std::thread::sleep(LOOK),
                Err(Failed::Refused(refused)) if refused.code == "bad_token" => {
                    return Err(anyhow!("{}", refused.message).into());
                }
                Err(failed) => {
                    eprintln!("noughts: {failed}");
                    std::thread::sleep(LOOK * 5);
                }
            }
            if self.arguments.games.is_some_and(|games| self.finished >= games) {
                return Ok(self.stop_waiting()?);
            }
        }
    }

    /// Nobody is to be led into a game in which nobody plays.
    fn stop_waiting(&self) -> Result<(), Failed> {
        for game in self.listed("open")? {
            let view = self.client.view(&game)?;
            if !view.yours.is_empty() && view.phase == Phase::Open {
                self.client.order(&view, &Order::Abort)?;
            }
        }
        Ok(())
    }

    /// Looks at all games once. Answers whether there was anything to do.
    fn round(&mut self) -> Result<bool, Failed> {
        let mut busy = false;
        for game in self.listed("open")? {
            let view = self.client.view(&game)?;
            if view.yours.is_empty() && view.phase == Phase::Open {
                busy |=
                    self.client.post::<Value>(&format!("/games/{game}/join"), &json!({})).is_ok();
            }
        }
        let live = self.listed("live")?;
        for game in &live {
            busy |= self.look(game)?;
        }
        let ended: Vec<String> =
            self.games.keys().filter(|game| !live.contains(game)).cloned().collect();
        for game in ended {
            busy |= self.look(&game)?;
        }
        if let Some(rules) = self.arguments.seek.as_ref().filter(|_| live.is_empty()) {
            let wish = json!({"rules": rules.to_string(), "rated": self.arguments.rated});
            self.client.post::<Value>("/pairings", &wish)?;
        }
        Ok(busy)
    }

    fn listed(&self, state: &str) -> Result<Vec<String>, Failed> {
        let name = encoded(&self.name);
        let list: Vec<Value> =
            self.client.get(&format!("/games?player={name}&state={state}&limit=100"))?;
        Ok(list.iter().filter_map(|game| Some(game["id"].as_str()?.to_string())).collect())
    }

    /// Moves, if it is its turn.
    fn look(&mut self, game: &str) -> Result<bool, Failed> {
        let view = self.client.view(game)?;
        if view.phase == Phase::Over {
            if self.games.remove(game).is_some() {
                self.finished += 1;
                println!("{game}: {}", ending(&view));
            }
            return Ok(false);
        }
        if view.yours.is_empty() {
            return Ok(false);
        }
        let kind = &self.arguments.player;
        let strategy = self.games.entry(game.to_string()).or_insert_with(|| {
            kind.strategy(now() as u64).expect("a person was refused at the start")
        });
        if view.is_asked() {
            // Computers agree to everything.
            self.client.order(&view, &Order::Answer { agree: true })?;
            return Ok(true);
        }
        if !view.is_own_turn() {
            return Ok(false);
        }
        let board = view.game().map_err(Failed::Lost)?;
        let mut budget = Budget::unlimited().with_time(self.arguments.think);
        if let Some(left) = view.own_time() {
            // Some of it goes into the way to the server and back.
            let left = left.saturating_sub(WAY);
            let increment = view.clock.as_ref().map_or(0, |clock| clock.increment_ms);
            budget = budget.with_clock(left, Duration::from_millis(increment));
        }
        let order = match strategy.choose(board.position(), &budget) {
            Ok(choice) => Order::Move(choice.cell.to_string()),
            Err(error) => {
                eprintln!("noughts: {game}: {error}");
                Order::Resign
            }
        };
        match self.client.order(&view, &order) {
            // Then the game has gone on, and is looked at again.
            Err(Failed::Refused(refused)) if refused.code == "stale" => Ok(true),
            done => done.map(|()| true),
        }
    }
}

fn ending(view: &View) -> String {
    match &view.result {
        Some(result) => match result.winner {
            Some(seat) if view.yours.contains(&seat) => format!("won ({})", result.how),
            Some(_) => format!("lost ({})", result.how),
            None => result.how.clone(),
        },
        None => "over".into(),
    }
}

/// A text as it stands in an address.
fn encoded(text: &str) -> String {
    let letter = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

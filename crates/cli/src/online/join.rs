//! `noughts join`: an online game in the terminal, as a dialogue of lines.

use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use anyhow::{Context, anyhow};
use noughts_rules::{Game, Rules};
use serde_json::{Value, json};

use super::client::{Address, Client, Failed};
use super::events::{self, Heard};
use super::sessions::Sessions;
use super::view::{Phase, View};
use crate::board;
use crate::data::DataArguments;
use crate::failure::Failure;
use crate::lines::Lines;

/// Play or watch a game online
///
/// With the address of a game: takes a free seat, or watches. With the address of a server: plays
/// with whoever waits for the same game. A lost connection comes back by itself.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    noughts join http://localhost:8000/game/01hf7yat0060rk4csm6mtpdw1r\n  \
    noughts join http://localhost:8000 --rules connect4\n  \
    noughts join https://noughts.example --rules 3x3 --against hard")]
pub(crate) struct Arguments {
    /// The address of a game or of a server
    #[arg(value_name = "URL")]
    address: String,
    /// Only watch
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
    #[command(flatten)]
    data: DataArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let address = Address::read(&arguments.address).map_err(Failure::Malformed)?;
    let sessions = Sessions::beside(&arguments.data.path()?);
    let client = sessions.client(&address.server, arguments.token.clone())?;
    let game = match address.game {
        Some(game) => game,
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
    Dialogue::new(client, view).play()
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

/// What the dialogue waits for.
enum Input {
    Line(String),
    /// There are no more lines.
    End,
    Heard(Heard),
}

struct Dialogue {
    client: Client,
    view: View,
    input: Receiver<Input>,
    sender: Sender<Input>,
    /// Lines that nobody has asked for yet.
    lines: VecDeque<String>,
    ended: bool,
    is_terminal: bool,
    /// The last sequence number that was shown.
    shown: Option<u32>,
    asked: bool,
}

const HELP: &str = "Enter a box such as B2. Or: undo, yes or no when another player asks to undo, \
    resign, abort, claim (when another player is away), rematch, board, help, quit.";

impl Dialogue {
    fn new(client: Client, view: View) -> Dialogue {
        let (sender, input) = channel();
        let is_terminal = io::stdin().is_terminal();
        let lines = sender.clone();
        thread::spawn(move || read_lines(&lines));
        Dialogue {
            client,
            view,
            input,
            sender,
            lines: VecDeque::new(),
            ended: false,
            is_terminal,
            shown: None,
            asked: false,
        }
    }

    fn play(mut self) -> Result<(), Failure> {
        self.listen();
        loop {
            // What was heard meanwhile comes before what is said next.
            while let Ok(input) = self.input.try_recv() {
                self.take(input)?;
            }
            self.show()?;
            if self.view.phase == Phase::Over && (self.ended || self.view.yours.is_empty()) {
                return Ok(());
            }
            if self.wants_line()
                && let Some(line) = self.lines.pop_front()
            {
                if !self.is_terminal {
                    println!("{line}");
                }
                self.asked = false;
                if !self.answer(line.trim())? {
                    return Ok(());
                }
                continue;
            }
            if self.ended && self.wants_line() && self.view.is_own_turn() {
                return Err(anyhow!("the input ended before the game did").into());
            }
            let input = self.input.recv().context("nothing more can happen")?;
            self.take(input)?;
        }
    }

    fn take(&mut self, input: Input) -> Result<(), Failure> {
        match input {
            Input::Line(line) => self.lines.push_back(line),
            Input::End => self.ended = true,
            Input::Heard(Heard::Event) => self.view = self.client.view(&self.view.id)?,
            Input::Heard(Heard::Lost) => eprintln!("noughts: connection lost, trying again"),
            Input::Heard(Heard::Back) => {
                eprintln!("noughts: connected again");
                self.view = self.client.view(&self.view.id)?;
            }
            Input::Heard(Heard::Ended(why)) => return Err(anyhow!(why).into()),
        }
        Ok(())
    }

    fn listen(&self) {
        let hear = events::into(self.sender.clone(), Input::Heard);
        events::listen(&self.client, &self.view.id, self.view.seq, hear);
    }

    /// Whether a line would be answered: a person may say something at any time, but what a
    /// program has written beforehand waits until it is asked for.
    fn wants_line(&self) -> bool {
        self.is_terminal
            || self.view.is_own_turn()
            || self.view.is_asked()
            || self.view.phase == Phase::Over
    }

    /// Shows what has changed, and asks.
    fn show(&mut self) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        if self.shown != Some(self.view.seq) {
            self.shown = Some(self.view.seq);
            self.asked = false;
            if self.view.phase == Phase::Open {
                writeln!(out, "Waiting for players: {}/game/{}", self.client.server, self.view.id)?;
            } else {
                self.show_board(&mut out)?;
            }
            if let Some(result) = &self.view.result {
                let text = match (result.winner, result.how.as_str()) {
                    (Some(seat), "line") => format!("{} wins!", self.view.player(seat)),
                    (Some(seat), how) => format!("{} wins! ({how})", self.view.player(seat)),
                    (None, "draw") => "It's a draw!".to_string(),
                    (None, how) => format!("The game was {how}."),
                };
                writeln!(out, "\n{text}")?;
            }
        }
        if let Some(next) = self.view.next.clone()
            && !self.view.yours.is_empty()
        {
            writeln!(out, "\nThe rematch begins: {}/game/{next}", self.client.server)?;
            drop(out);
            self.view = self.client.view(&next)?;
            self.shown = None;
            self.listen();
            return self.show();
        }
        if self.asked {
            return Ok(());
        }
        let question = if self.view.is_asked() {
            let asker = self.view.undo.as_ref().map_or(0, |undo| undo.seat);
            Some(format!(
                "{} asks to take back a move. Agree? (yes or no)",
                self.view.player(asker)
            ))
        } else if self.view.is_own_turn() {
            let seat = self.view.turn.unwrap_or_default();
            Some(format!("\nPlayer {}: Enter box:", seat + 1))
        } else if self.view.phase == Phase::Over && !self.view.yours.is_empty() && !self.ended {
            Some("Say rematch to play again, or quit:".to_string())
        } else {
            None
        };
        if let Some(question) = question {
            write!(out, "{question}\n> ")?;
            out.flush()?;
            self.asked = true;
        }
        Ok(())
    }

    fn show_board(&self, out: &mut impl Write) -> Result<(), Failure> {
        let text = self.client.text(&self.view.id)?;
        let game: Game = text.trim_end().parse().context("the server sent no game")?;
        writeln!(out, "\nBoard:\n{}", board::rows(&game).join("\n"))?;
        Ok(())
    }

    /// Does what a line says. Answers whether the dialogue goes on.
    fn answer(&mut self, line: &str) -> Result<bool, Failure> {
        let none = || json!({});
        let (what, more) = match line.to_ascii_lowercase().as_str() {
            "quit" => return Ok(false),
            "" => return Ok(true),
            "help" => {
                println!("{HELP}");
                return Ok(true);
            }
            "board" => {
                self.shown = None;
                return Ok(true);
            }
            "yes" | "y" if self.view.is_asked() => ("undo/answer", json!({"agree": true})),
            "no" | "n" if self.view.is_asked() => ("undo/answer", json!({"agree": false})),
            "undo" => ("undo", none()),
            "resign" => ("resign", none()),
            "abort" => ("abort", none()),
            "claim" => ("claim", none()),
            "rematch" | "yes" if self.view.phase == Phase::Over => ("rematch", none()),
            _ => ("moves", json!({"cell": line})),
        };
        match self.client.order(&self.view, what, more) {
            Ok(()) => {}
            Err(Failed::Refused(refused)) => println!("{}", sentence(&refused.message)),
            Err(failed) => return Err(failed.into()),
        }
        self.view = self.client.view(&self.view.id)?;
        Ok(true)
    }
}

/// A message of the server as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    // Nothing of what a server sends may move the cursor or change colours.
    let safe = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).map(safe).collect();
    format!("{first}{}.", letters.map(safe).collect::<String>())
}

fn read_lines(sender: &Sender<Input>) {
    let mut lines = Lines::new(io::stdin().lock());
    while let Ok(Some(line)) = lines.next() {
        if sender.send(Input::Line(line.into_owned())).is_err() {
            return;
        }
    }
    let _ = sender.send(Input::End);
}

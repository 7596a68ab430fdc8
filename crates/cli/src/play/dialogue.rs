//! The game as a dialogue of lines.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::anyhow;
use noughts_rules::{Cell, Event, Game, Player, Refusal, Rules, Seat, Status, Symbol};

use super::commands::{Command, help};
use super::keeper::Keeper;
use super::prompt::Prompt;
use super::score::Score;
use crate::board;
use crate::failure::Failure;

pub(super) struct Dialogue<'a, R, W> {
    prompt: Prompt<R, W>,
    rules: &'a Rules,
    keeper: Option<Keeper>,
}

/// What someone answered at a prompt.
enum Answer {
    Text(String),
    Command(Command),
}

/// Why the dialogue is over.
enum End {
    /// Someone said so.
    Quit,
    /// There was no more input when an answer was needed.
    InputEnded,
    Failed(io::Error),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> End {
        End::Failed(error)
    }
}

impl<'a, R: BufRead, W: Write> Dialogue<'a, R, W> {
    pub(super) fn new(input: R, output: W, rules: &'a Rules, keeper: Option<Keeper>) -> Self {
        let echo = !io::stdin().is_terminal();
        Dialogue { prompt: Prompt::new(input, output, echo), rules, keeper }
    }

    /// Asks who plays, where names and symbols do not say, and plays until nobody wants to.
    pub(super) fn run(mut self, names: &[String], symbols: &[Symbol]) -> Result<(), Failure> {
        match self.play_games(names, symbols) {
            Ok(()) | Err(End::Quit) => Ok(()),
            Err(End::InputEnded) => Err(anyhow!("the input ended before the game did").into()),
            Err(End::Failed(error)) => Err(error.into()),
        }
    }

    fn play_games(&mut self, names: &[String], symbols: &[Symbol]) -> Result<(), End> {
        let people = self.introduce(names, symbols)?;
        let mut score = Score::new(people.iter().map(|player| player.name().to_string()));
        for starter in (0..people.len()).cycle() {
            let mut seats = people.clone();
            seats.rotate_left(starter);
            let game =
                Game::new(self.rules, seats).expect("each person chose a symbol of their own");
            let mut round = Round { game, starter };
            while !self.play_round(&mut round, &mut score)? {}
        }
        Ok(())
    }

    /// Asks each person for what flags do not say: first the name, then the symbol.
    fn introduce(&mut self, names: &[String], symbols: &[Symbol]) -> Result<Vec<Player>, End> {
        let mut people: Vec<Player> = Vec::new();
        for seat in self.rules.seats() {
            let name = match names.get(seat.index()) {
                Some(name) => name.clone(),
                None => self.ask_name(seat)?,
            };
            let symbol = match symbols.get(seat.index()) {
                Some(symbol) => symbol.clone(),
                None => {
                    // Those that flags give to later players are taken as well.
                    let chosen = people.iter().map(Player::symbol).chain(symbols);
                    let taken: Vec<Symbol> = chosen.cloned().collect();
                    self.ask_symbol(seat, &taken)?
                }
            };
            people.push(Player::new(&name, symbol).expect("the name was checked"));
        }
        Ok(people)
    }

    fn ask_name(&mut self, seat: Seat) -> Result<String, End> {
        loop {
            let text = self.ask_before_game(&format!("Enter Player {seat} Name:"))?;
            if text.is_empty() {
                return Ok(Player::default_for(seat).name().to_string());
            }
            match Player::new(&text, Symbol::default_for(seat)) {
                Ok(player) => return Ok(player.name().to_string()),
                Err(error) => self.prompt.say(&format!("That name won't do: {error}."))?,
            }
        }
    }

    fn ask_symbol(&mut self, seat: Seat, taken: &[Symbol]) -> Result<Symbol, End> {
        let own = Symbol::default_for(seat);
        let mut others = self.rules.seats().map(Symbol::default_for);
        let default = if taken.contains(&own) {
            others.find(|symbol| !taken.contains(symbol)).unwrap_or(own)
        } else {
            own
        };
        loop {
            let text =
                self.ask_before_game(&format!("Enter Player {seat} Character ({default}):"))?;
            if text.is_empty() {
                return Ok(default);
            }
            match text.parse::<Symbol>() {
                Ok(symbol) if taken.contains(&symbol) => {
                    self.prompt.say(&format!("{symbol} is taken, choose another character."))?;
                }
                Ok(symbol) => return Ok(symbol),
                Err(error) => self.prompt.say(&format!("That character won't do: {error}."))?,
            }
        }
    }

    /// Asks until the answer is not a command.
    fn ask_before_game(&mut self, question: &str) -> Result<String, End> {
        loop {
            match self.ask(question)? {
                Answer::Text(text) => return Ok(text),
                Answer::Command(Command::Help) => self.prompt.say(&help(self.rules))?,
                Answer::Command(_) => self.prompt.say("The game has not begun yet.")?,
            }
        }
    }

    /// Plays until the game is over, then asks whether there shall be another; `false` means that
    /// this one goes on because its end was taken back.
    fn play_round(&mut self, round: &mut Round, score: &mut Score) -> Result<bool, End> {
        while let Some(turn) = round.game.turn() {
            self.show_board(&round.game)?;
            self.prompt.say("")?;
            self.take_turn(round, turn, score)?;
        }
        self.show_board(&round.game)?;
        let winner = round.winner();
        score.count(winner);
        self.prompt.say("")?;
        self.prompt.say(&match round.game.status() {
            Status::Won { seat, .. } => format!("{} wins!", round.game.players()[seat.index()]),
            _ => "It's a draw!".to_string(),
        })?;
        self.prompt.say(&format!("\n{score}"))?;
        loop {
            match self.ask_after_game("Play again? (yes):")? {
                Answer::Text(text) => match text.to_ascii_lowercase().as_str() {
                    "" | "y" | "yes" => return Ok(true),
                    "n" | "no" => return Err(End::Quit),
                    _ => self.prompt.say("Please answer yes or no.")?,
                },
                Answer::Command(Command::Undo) => {
                    if self.keeper.as_ref().is_some_and(Keeper::end_is_final) {
                        self.prompt.say("This game is rated: its end can't be taken back.")?;
                        continue;
                    }
                    score.take_back(winner);
                    let events = round.game.undo().expect("a finished game has a last move");
                    self.tell(&round.game, &events)?;
                    return Ok(false);
                }
                Answer::Command(Command::Help) => self.prompt.say(&help(self.rules))?,
                Answer::Command(Command::Score) => self.show_score(&round.game, score)?,
                Answer::Command(Command::Board) => self.show_board(&round.game)?,
                Answer::Command(_) => self.prompt.say("The game is over.")?,
            }
        }
    }

    /// Asks the person whose turn it is until the board changes or is to be shown again.
    fn take_turn(&mut self, round: &mut Round, turn: Seat, score: &Score) -> Result<(), End> {
        let question = format!("Player {}: Enter box:", round.person(turn) + 1);
        loop {
            let refused = match self.ask(&question)? {
                Answer::Text(text) => match text.parse::<Cell>() {
                    Ok(cell) => match round.game.play(turn, cell) {
                        Ok(events) => return Ok(self.tell(&round.game, &events)?),
                        Err(refusal) => sentence(refusal),
                    },
                    Err(_) => self.unknown_box(&text),
                },
                Answer::Command(Command::Undo) => match round.game.undo() {
                    Ok(events) => return Ok(self.tell(&round.game, &events)?),
                    Err(refusal) => sentence(refusal),
                },
                Answer::Command(Command::Resign) => match round.game.resign(turn) {
                    Ok(events) => return Ok(self.tell(&round.game, &events)?),
                    Err(refusal) => sentence(refusal),
                },
                Answer::Command(Command::Board) => return Ok(()),
                Answer::Command(Command::Help) => help(self.rules),
                Answer::Command(Command::Score) => {
                    self.show_score(&round.game, score)?;
                    continue;
                }
                Answer::Command(Command::Quit) => return Err(End::Quit),
            };
            self.prompt.say(&refused)?;
        }
    }

    /// The score since the program was started, and how those present stand in the league.
    fn show_score(&mut self, game: &Game, score: &Score) -> io::Result<()> {
        self.prompt.say(&score.to_string())?;
        match self.keeper.as_ref().map(|keeper| keeper.table(game)) {
            Some(Ok(lines)) => lines.iter().try_for_each(|line| self.prompt.say(line)),
            Some(Err(error)) => self.prompt.say(&format!("The league can't be read: {error:#}.")),
            None => Ok(()),
        }
    }

    /// Tells whoever listens what happened, before the players see it.
    fn tell(&mut self, game: &Game, events: &[Event]) -> io::Result<()> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        for event in events {
            if let Some(sentence) = keeper.hear(game, event) {
                self.prompt.say(&sentence)?;
            }
        }
        Ok(())
    }

    fn unknown_box(&self, text: &str) -> String {
        // A box is short, and so should be what is said of it; keys that are not characters would
        // disturb the line.
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let last = Cell::new(self.rules.rows() - 1, self.rules.cols() - 1);
        let last = last.expect("the last cell of the board").to_string();
        format!("\"{shown}\" is not a box: expected one from A1 to {last}, or help.")
    }

    fn show_board(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say("\nBoard:")?;
        board::rows(game).iter().try_for_each(|row| self.prompt.say(row))
    }

    fn ask(&mut self, question: &str) -> Result<Answer, End> {
        let text = self.prompt.ask(question)?.ok_or(End::InputEnded)?;
        match Command::read(&text) {
            Some(Command::Quit) => Err(End::Quit),
            Some(command) => Ok(Answer::Command(command)),
            None => Ok(Answer::Text(text)),
        }
    }

    /// After a finished game the end of the input is as good as a `no`.
    fn ask_after_game(&mut self, question: &str) -> Result<Answer, End> {
        self.ask(question).map_err(|end| match end {
            End::InputEnded => End::Quit,
            other => other,
        })
    }
}

/// One game of a series, in which the people take turns to start.
struct Round {
    game: Game,
    /// Which person has the first seat.
    starter: usize,
}

impl Round {
    /// The person at a seat, counted from 0 in the order in which they introduced themselves.
    fn person(&self, seat: Seat) -> usize {
        (self.starter + seat.index()) % self.game.players().len()
    }

    fn winner(&self) -> Option<usize> {
        match self.game.status() {
            Status::Won { seat, .. } => Some(self.person(seat)),
            _ => None,
        }
    }
}

fn sentence(refusal: Refusal) -> String {
    let text = refusal.to_string();
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase());
    first.into_iter().flatten().chain(chars).chain(['.']).collect()
}

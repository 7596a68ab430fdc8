//! A series of games as a dialogue of lines.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, GameHost, GameObserver, LoopExit, Verdict, analyse,
    run_game, undo_to_person,
};
use noughts_play::{Recorder, Series, not_stored, sentence};
use noughts_rules::{Cell, Event, Game, Seat, Status};

use super::commands::{Command, help};
use super::prompt::{Answer, End, Prompt};
use crate::board;

/// How long a hint may take.
const HINT: Duration = Duration::from_secs(2);

/// A series of games that people see and play in lines of text.
pub(super) struct Dialogue<R, W> {
    pub(super) prompt: Prompt<R, W>,
    pub(super) series: Series,
    /// `None` if games are not stored.
    pub(super) recorder: Option<Recorder>,
    /// Those of the players that are computers.
    pub(super) computers: Vec<Option<Computer>>,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Plays until nobody wants to any more.
    pub(super) fn play(&mut self) -> Result<(), End> {
        loop {
            let mut game = self.series.new_game();
            while !self.play_game(&mut game)? {}
            self.series.pass_start();
        }
    }

    /// Plays until the game is over, then asks whether there shall be another; `false` means that
    /// this one goes on because its end was taken back.
    fn play_game(&mut self, game: &mut Game) -> Result<bool, End> {
        if run_game(game, self)? == LoopExit::Stopped {
            return Err(End::Quit);
        }
        self.show_board(game)?;
        let result = match game.status() {
            Status::Won { seat, .. } => format!("{} wins!", game.players()[seat.index()]),
            _ => "It's a draw!".to_string(),
        };
        self.prompt.say(&format!("\n{result}\n\n{}", self.series.score()))?;
        loop {
            // After a finished game the end of the input is as good as a `no`.
            let answer = match self.prompt.ask("Play again? (yes):") {
                Err(End::InputEnded) => return Err(End::Quit),
                answer => answer?,
            };
            match answer {
                Answer::Text(text) => match text.to_ascii_lowercase().as_str() {
                    "" | "y" | "yes" => return Ok(true),
                    "n" | "no" => return Err(End::Quit),
                    _ => self.prompt.say("Please answer yes or no.")?,
                },
                Answer::Command(Command::Undo) => match self.series.check_undo(game) {
                    Err(refusal) => self.prompt.say(&refusal.to_string())?,
                    Ok(()) => {
                        undo_to_person(game, self)?;
                        return Ok(false);
                    }
                },
                Answer::Command(Command::Help) => self.prompt.say(&help(game.rules()))?,
                Answer::Command(Command::Score) => self.show_score(game)?,
                Answer::Command(Command::Board) => self.show_board(game)?,
                Answer::Command(_) => self.prompt.say("The game is over.")?,
            }
        }
    }

    /// Asks a person until they decide.
    fn ask(&mut self, game: &Game, seat: Seat) -> Result<Decision, End> {
        let question = format!("Player {}: Enter box:", self.series.person(seat) + 1);
        loop {
            match self.prompt.ask(&question)? {
                Answer::Text(text) => match text.parse::<Cell>() {
                    Ok(cell) => match game.position().check(cell) {
                        Ok(()) => return Ok(Decision::Move(cell)),
                        Err(refusal) => self.prompt.say(&sentence(refusal))?,
                    },
                    Err(_) => self.prompt.say(&self.unknown_box(&text))?,
                },
                Answer::Command(Command::Undo) => match self.series.check_undo(game) {
                    Err(refusal) => self.prompt.say(&refusal.to_string())?,
                    Ok(()) => return Ok(Decision::Undo),
                },
                Answer::Command(Command::Resign) => return Ok(Decision::Resign),
                Answer::Command(Command::Quit) => return Ok(Decision::Stop),
                Answer::Command(Command::Help) => self.prompt.say(&help(game.rules()))?,
                Answer::Command(Command::Hint) => self.prompt.say(&hint(game))?,
                Answer::Command(Command::Score) => self.show_score(game)?,
                Answer::Command(Command::Board) => {
                    self.show_board(game)?;
                    self.prompt.say("")?;
                }
            }
        }
    }

    fn unknown_box(&self, text: &str) -> String {
        // A box is short, and so should be what is said of it; keys that are not characters would
        // disturb the line.
        let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
        let rules = self.series.rules();
        let last = Cell::new(rules.rows() - 1, rules.cols() - 1);
        let last = last.expect("the last cell of the board").to_string();
        format!("\"{shown}\" is not a box: expected one from A1 to {last}, or help.")
    }

    fn show_board(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say("\nBoard:")?;
        board::rows(game).iter().try_for_each(|row| self.prompt.say(row))
    }

    /// The score since the program was started, and how those present stand in the league.
    fn show_score(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say(&self.series.score().to_string())?;
        match self.recorder.as_ref().map(|recorder| recorder.league_rows(game)) {
            Some(Ok(lines)) => lines.iter().try_for_each(|line| self.prompt.say(line)),
            Some(Err(error)) => self.prompt.say(&format!("The league can't be read: {error:#}.")),
            None => Ok(()),
        }
    }
}

impl<R: BufRead, W: Write> GameHost for Dialogue<R, W> {
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, End> {
        self.show_board(game)?;
        self.prompt.say("")?;
        let person = self.series.person(seat);
        let Some(computer) = &mut self.computers[person] else { return self.ask(game, seat) };
        let decision = computer.decide(game);
        if let Decision::Move(cell) = decision {
            let proof = match self.series.is_unproven(person, computer.verdict()) {
                true => ", which is not proven to be best",
                false => "",
            };
            self.prompt.say(&format!("{} takes {cell}{proof}.", game.players()[seat.index()]))?;
        }
        Ok(decision)
    }
}

impl<R: BufRead, W: Write> GameObserver for Dialogue<R, W> {
    type Error = End;

    fn is_person(&self, seat: Seat) -> bool {
        self.series.is_person(seat)
    }

    /// Whoever keeps the score hears it before the players see it.
    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), End> {
        self.series.record_event(event);
        let kept = self.recorder.as_mut().map(|recorder| recorder.record_event(game, event));
        let sentence = kept.and_then(|kept| kept.unwrap_or_else(|e| Some(not_stored(e))));
        sentence.map_or(Ok(()), |sentence| Ok(self.prompt.say(&sentence)?))
    }

    fn on_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), End> {
        let player = &game.players()[forfeit.seat.index()];
        Ok(self.prompt.say(&format!("{player} forfeits: {}.", forfeit.reason))?)
    }
}

/// The best box, and whether that is known or believed.
fn hint(game: &Game) -> String {
    let Ok(analysis) = analyse(game.position(), &Budget::unlimited().with_time(HINT)) else {
        return "There is nothing to choose.".to_string();
    };
    let best = analysis.cells.iter().find(|at| at.cell == analysis.best);
    match best.map(|at| at.verdict) {
        Some(Verdict::Proven(value)) => format!("{} is best: {value}.", analysis.best),
        _ => format!("{} looks best.", analysis.best),
    }
}

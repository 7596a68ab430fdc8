//! Local games as a dialogue of lines.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, GameHost, GameObserver, LoopExit, Verdict, analyse,
    run_game, undo_to_person,
};
use noughts_play::{
    Recorder, Series, capitalised, describe_move, describe_reason, describe_result, not_stored,
    player_label, sentence,
};
use noughts_rules::{Event, Game, Seat};

use super::commands::{Command, help};
use super::prompt::{DialogueEnd, Prompt, Reply};
use crate::board;
use crate::turn::{question, read_move};

const HINT_TIME: Duration = Duration::from_secs(2);

/// A series of games played in lines of text.
pub(super) struct Dialogue<R, W> {
    pub(super) prompt: Prompt<R, W>,
    pub(super) series: Series,
    /// `None` if games are not stored.
    pub(super) recorder: Option<Recorder>,
    /// The computer players.
    pub(super) computers: Vec<Option<Computer>>,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Plays games until the user quits.
    pub(super) fn play(&mut self) -> Result<(), DialogueEnd> {
        loop {
            let mut game = self.series.new_game();
            while !self.play_game(&mut game)? {}
            self.series.pass_start();
        }
    }

    /// Plays a game and asks for another; `false` if its last move was undone and it goes on.
    fn play_game(&mut self, game: &mut Game) -> Result<bool, DialogueEnd> {
        if run_game(game, self)? == LoopExit::Stopped {
            return Err(DialogueEnd::Quit);
        }
        self.show_board(game)?;
        self.prompt.say("")?;
        let ending = describe_result(game).into_iter().chain(describe_reason(game));
        ending.into_iter().try_for_each(|sentence| self.prompt.say(&sentence))?;
        self.prompt.say(&format!("\n{}", self.series.score()))?;
        loop {
            // After a finished game, the end of input means `no`.
            let answer = match self.prompt.ask("Play again? (yes):") {
                Err(DialogueEnd::InputEnded) => return Err(DialogueEnd::Quit),
                answer => answer?,
            };
            match answer {
                Reply::Text(text) => match text.to_ascii_lowercase().as_str() {
                    "" | "y" | "yes" => return Ok(true),
                    "n" | "no" => return Err(DialogueEnd::Quit),
                    _ => self.prompt.say("Please answer yes or no.")?,
                },
                Reply::Command(Command::Undo) => match self.series.check_undo(game) {
                    Err(refusal) => self.prompt.say(&refusal.to_string())?,
                    Ok(()) => {
                        undo_to_person(game, self)?;
                        return Ok(false);
                    }
                },
                Reply::Command(Command::Help) => self.prompt.say(&help(game.rules()))?,
                Reply::Command(Command::Score) => self.show_score(game)?,
                Reply::Command(Command::Board) => self.show_board(game)?,
                Reply::Command(_) => self.prompt.say("The game is over.")?,
            }
        }
    }

    /// Asks the person to move for a decision.
    fn ask(&mut self, game: &Game, seat: Seat) -> Result<Decision, DialogueEnd> {
        let question = question(game, self.series.person(seat) + 1);
        loop {
            match self.prompt.ask(&question)? {
                Reply::Text(text) => match read_move(game, &text) {
                    Ok(mv) => match game.position().check(mv) {
                        Ok(()) => return Ok(Decision::Move(mv)),
                        Err(refusal) => self.prompt.say(&sentence(refusal))?,
                    },
                    Err(explanation) => self.prompt.say(&explanation)?,
                },
                Reply::Command(Command::Undo) => match self.series.check_undo(game) {
                    Err(refusal) => self.prompt.say(&refusal.to_string())?,
                    Ok(()) => return Ok(Decision::Undo),
                },
                Reply::Command(Command::Resign) => return Ok(Decision::Resign),
                Reply::Command(Command::Quit) => return Ok(Decision::Stop),
                Reply::Command(Command::Help) => self.prompt.say(&help(game.rules()))?,
                Reply::Command(Command::Hint) => self.prompt.say(&hint(game))?,
                Reply::Command(Command::Score) => self.show_score(game)?,
                Reply::Command(Command::Board) => {
                    self.show_board(game)?;
                    self.prompt.say("")?;
                }
            }
        }
    }

    fn show_board(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say("\nBoard:")?;
        board::rows(game).iter().try_for_each(|row| self.prompt.say(row))
    }

    /// Shows the score, and the players' standings in the league.
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
    fn decide(&mut self, game: &Game, seat: Seat) -> Result<Decision, DialogueEnd> {
        self.show_board(game)?;
        self.prompt.say("")?;
        let person = self.series.person(seat);
        let Some(computer) = &mut self.computers[person] else { return self.ask(game, seat) };
        let decision = computer.decide(game);
        if let Decision::Move(mv) = decision {
            let proof = match self.series.is_unproven(person, computer.verdict()) {
                true => ", which is not proven to be best",
                false => "",
            };
            let (player, done) = (player_label(game, seat), describe_move(game, mv));
            self.prompt.say(&format!("{player} {done}{proof}."))?;
        }
        Ok(decision)
    }
}

impl<R: BufRead, W: Write> GameObserver for Dialogue<R, W> {
    type Error = DialogueEnd;

    fn is_person(&self, seat: Seat) -> bool {
        self.series.is_person(seat)
    }

    /// Events are recorded before the players see them.
    fn on_event(&mut self, game: &Game, event: &Event) -> Result<(), DialogueEnd> {
        self.series.record_event(event);
        let failed = self.series.has_failed_computer(game);
        let recorder = self.recorder.as_mut();
        let kept = recorder.map(|recorder| recorder.record_event(game, event, failed));
        let sentence = kept.and_then(|kept| kept.unwrap_or_else(|e| Some(not_stored(e))));
        sentence.map_or(Ok(()), |sentence| Ok(self.prompt.say(&sentence)?))
    }

    fn on_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), DialogueEnd> {
        let player = player_label(game, forfeit.seat);
        Ok(self.prompt.say(&format!("{player} forfeits: {}.", forfeit.reason))?)
    }
}

/// Names the best move, and says whether that is proven.
fn hint(game: &Game) -> String {
    let Ok(analysis) = analyse(game.position(), &Budget::unlimited().with_time(HINT_TIME)) else {
        return "There is nothing to choose.".to_string();
    };
    let best = capitalised(&analysis.best.to_string());
    match analysis.moves.iter().find(|at| at.mv == analysis.best).map(|at| at.verdict) {
        Some(Verdict::Proven(value)) => format!("{best} is best: {value}."),
        _ => format!("{best} looks best."),
    }
}

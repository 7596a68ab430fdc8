//! Local games as a dialogue of lines.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use noughts_engine::{
    Budget, Computer, Decision, Forfeit, ForfeitReason, GameHost, GameObserver, LoopExit, Verdict,
    analyse, run_game, undo_to_person,
};
use noughts_play::{
    MatchDetail, Recorder, Series, capitalised, describe_move, describe_reason, describe_result,
    not_stored, player_label, save_game, sentence, value_words,
};
use noughts_rules::{Event, Game, Seat};

use super::clock::DialogueClock;
use super::commands::{Command, help};
use super::prompt::{DialogueEnd, Prompt, Reply};
use crate::analyse::analysis_lines;
use crate::board;
use crate::turn::{question, read_move};

const HINT_TIME: Duration = Duration::from_secs(2);

/// A series of games played in lines of text.
pub(super) struct Dialogue<R, W> {
    /// The game to begin with; a new one if there is none.
    pub(super) first: Option<Game>,
    /// How games count, and who plays.
    pub(super) detail: MatchDetail,
    pub(super) clock: Option<DialogueClock>,
    /// Whether an undone move is being played again.
    pub(super) redo: bool,
    pub(super) prompt: Prompt<R, W>,
    pub(super) series: Series,
    /// `None` if games are not stored.
    pub(super) recorder: Option<Recorder>,
    /// What a computer may use for a move.
    pub(super) budget: Budget,
    /// The computer players.
    pub(super) computers: Vec<Option<Computer>>,
}

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Plays games until the user quits.
    pub(super) fn play(&mut self) -> Result<(), DialogueEnd> {
        let mut game = match self.first.take() {
            Some(game) => game,
            None => self.series.new_game(),
        };
        loop {
            loop {
                match self.play_game(&mut game) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(end) => return self.leave(&game, end),
                }
            }
            self.series.pass_start();
            game = self.series.new_game();
            self.recorder.iter_mut().for_each(|recorder| recorder.begin_game(None));
            self.clock.iter_mut().for_each(DialogueClock::reset);
        }
    }

    /// Stores the clocks of an unfinished game, and says that it is kept.
    fn leave(&mut self, game: &Game, end: DialogueEnd) -> Result<(), DialogueEnd> {
        let begun = game.history().len() > self.series.start().history().len();
        let is_open = game.turn().is_some() && begun;
        if let Some(recorder) = self.recorder.as_mut().filter(|_| is_open) {
            let detail = detail_now(&self.detail, &self.series, self.clock.as_ref());
            match recorder.save(game, &detail) {
                Ok(()) => self.prompt.say(KEPT)?,
                Err(error) => self.prompt.say(&not_stored(error))?,
            }
        }
        Err(end)
    }

    /// Plays a game and asks for another; `false` if its last move was undone and it goes on.
    fn play_game(&mut self, game: &mut Game) -> Result<bool, DialogueEnd> {
        while run_game(game, self)? == LoopExit::Stopped {
            if !self.redo {
                return Err(DialogueEnd::Quit);
            }
            self.redo_to_person(game)?;
            self.redo = false;
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
                Reply::Command(Command::Save(name)) => self.save(game, &name)?,
                Reply::Command(_) => self.prompt.say("The game is over.")?,
            }
        }
    }

    /// Asks the person to move for a decision.
    fn ask(&mut self, game: &Game, seat: Seat) -> Result<Decision, DialogueEnd> {
        let question = question(game, self.series.person(seat) + 1);
        loop {
            if self.clock.as_ref().is_some_and(|clock| clock.is_over(seat)) {
                return Ok(Decision::Forfeit(ForfeitReason::OutOfTime));
            }
            let time = self.clock.as_ref().map(|clock| clock.time_left(seat));
            let time = time.map_or(String::new(), |time| format!("{time} left. "));
            let reply = self.prompt.ask(&format!("{time}{question}"))?;
            if self.clock.as_ref().is_some_and(|clock| clock.is_over(seat)) {
                return Ok(Decision::Forfeit(ForfeitReason::OutOfTime));
            }
            match reply {
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
                Reply::Command(Command::Redo) if game.undone().len() > 0 => {
                    self.redo = true;
                    return Ok(Decision::Stop);
                }
                Reply::Command(Command::Redo) => {
                    self.prompt.say("There is no move to do again.")?;
                }
                Reply::Command(Command::Hint | Command::Analysis) if self.series.is_rated() => {
                    self.prompt.say("This game is rated: there are no hints and no analysis.")?;
                }
                Reply::Command(Command::Hint) => self.prompt.say(&hint(game))?,
                Reply::Command(Command::Analysis) => self.show_analysis(game)?,
                Reply::Command(Command::Save(name)) => self.save(game, &name)?,
                Reply::Command(Command::Score) => self.show_score(game)?,
                Reply::Command(Command::Board) => {
                    self.show_board(game)?;
                    self.prompt.say("")?;
                }
            }
        }
    }

    /// Plays undone moves again, up to a turn of a person.
    fn redo_to_person(&mut self, game: &mut Game) -> Result<(), DialogueEnd> {
        while let Ok(events) = game.redo() {
            events.iter().try_for_each(|event| self.on_event(game, event))?;
            if game.turn().is_none_or(|seat| self.series.is_person(seat)) {
                break;
            }
        }
        Ok(())
    }

    fn save(&mut self, game: &Game, name: &str) -> io::Result<()> {
        let done = match name {
            "" => "Add the name of the file: save game.txt".to_string(),
            name => match save_game(game, name) {
                Ok(path) => format!("Saved as {path}."),
                Err(reason) => reason,
            },
        };
        self.prompt.say(&done)
    }

    fn show_analysis(&mut self, game: &Game) -> io::Result<()> {
        let budget = Budget::unlimited().with_time(HINT_TIME);
        let Ok(analysis) = analyse(game.position(), &budget) else {
            return self.prompt.say("There is nothing to choose.");
        };
        analysis_lines(game, &analysis).iter().try_for_each(|line| self.prompt.say(line))
    }

    fn show_board(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say("\nBoard:")?;
        board::rows(game).iter().try_for_each(|row| self.prompt.say(row))
    }

    /// Shows the score, and the players' standings in the league.
    fn show_score(&mut self, game: &Game) -> io::Result<()> {
        self.prompt.say(&self.series.score().to_string())?;
        match self.recorder.as_ref().map(|recorder| recorder.league_rows(game, &self.detail.league))
        {
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
        let has_begun = game.history().len() > self.series.start().history().len();
        self.clock.iter_mut().for_each(|clock| clock.begin_turn(game, has_begun));
        let Some(computer) = &mut self.computers[person] else { return self.ask(game, seat) };
        let mut budget = self.budget.clone();
        if let Some(clock) = &self.clock {
            budget = clock.limit(budget, seat);
        }
        let decision = computer.decide_within(game, &budget);
        if self.clock.as_ref().is_some_and(|clock| clock.is_over(seat)) {
            return Ok(Decision::Forfeit(ForfeitReason::OutOfTime));
        }
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
        self.clock.iter_mut().for_each(|clock| clock.on_event(game, event, self.redo));
        let detail = detail_now(&self.detail, &self.series, self.clock.as_ref());
        let kept =
            self.recorder.as_mut().map(|recorder| recorder.record_event(game, event, &detail));
        let sentence = kept.and_then(|kept| kept.unwrap_or_else(|e| Some(not_stored(e))));
        sentence.map_or(Ok(()), |sentence| Ok(self.prompt.say(&sentence)?))
    }

    fn on_forfeit(&mut self, game: &Game, forfeit: &Forfeit) -> Result<(), DialogueEnd> {
        let player = player_label(game, forfeit.seat);
        Ok(self.prompt.say(&format!("{player} forfeits: {}.", forfeit.reason))?)
    }
}

/// What is said of an unfinished game at the end.
const KEPT: &str = "The game is kept: `noughts play --continue` goes on with it.";

/// What is stored beside the moves.
fn detail_now(detail: &MatchDetail, series: &Series, clock: Option<&DialogueClock>) -> MatchDetail {
    let kinds = series.rules().seats().map(|seat| series.kinds()[series.person(seat)].clone());
    MatchDetail {
        kinds: kinds.collect(),
        clock: clock.map(DialogueClock::stored),
        ..detail.clone()
    }
}

/// Names the best move, and says whether that is proven.
fn hint(game: &Game) -> String {
    let Ok(analysis) = analyse(game.position(), &Budget::unlimited().with_time(HINT_TIME)) else {
        return "There is nothing to choose.".to_string();
    };
    let best = capitalised(&analysis.best.to_string());
    match analysis.moves.iter().find(|at| at.mv == analysis.best).map(|at| at.verdict) {
        Some(Verdict::Proven(value)) => {
            format!("{best} is best: {}.", value_words(game.position(), value))
        }
        _ => format!("{best} looks best."),
    }
}

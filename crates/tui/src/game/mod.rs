//! The screen on which a game is played.

mod commands;
mod guard;
mod view;

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_engine::Decision;
use noughts_rules::Cell;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::Go;
use super::aim::{Aim, Aimed, resting};
use super::desk::{Desk, Message};
use super::dialog::{Answer, Dialog};
use super::look::Look;
use super::sitting::Sitting;
use super::study::{Study, hint};
use super::widgets::clicks::Clicks;
use commands::Command;
pub(crate) use commands::save;
pub(crate) use guard::Guard;
#[cfg(test)]
pub(crate) use guard::MOMENT;
use noughts_play::sentence;
pub(crate) use view::{
    Parts, Side, draw_message, draw_side, in_words, last_move, message_height, title,
};

/// A game in play with everything that is seen of it.
pub(crate) struct GamePage {
    sitting: Sitting,
    aim: Aim,
    overlay: Overlay,
    study: Study,
    dialog: Option<Dialog<Command>>,
    guard: Guard,
    /// Whether this is another board than the one that keys may have been typed for.
    is_next_board: bool,
    message: Option<String>,
    /// What is to be known of this game, such as why it does not count. It stays until the next.
    explanation: Option<String>,
    clicks: Clicks,
}

/// What is shown in empty cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlay {
    Nothing,
    /// The best cells, until the next move.
    Hint,
    /// What each cell is worth.
    Values,
}

impl GamePage {
    pub(crate) fn new(sitting: Sitting, desk: Desk, explanation: Option<String>) -> GamePage {
        let aim = Aim::new(sitting.game().rules());
        GamePage {
            sitting,
            aim,
            overlay: Overlay::Nothing,
            study: Study::new(desk),
            dialog: None,
            guard: Guard::Unseen,
            is_next_board: false,
            message: None,
            explanation,
            clicks: Clicks::default(),
        }
    }

    pub(crate) fn sitting(&self) -> &Sitting {
        &self.sitting
    }

    /// Says something that stays to be read until the next game.
    pub(crate) fn explain(&mut self, sentence: String) {
        match &mut self.explanation {
            Some(explanation) => *explanation += &format!(" {sentence}"),
            none => *none = Some(sentence),
        }
    }

    pub(crate) fn clicks(&self) -> &Clicks {
        &self.clicks
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, look: Look, now: Instant) {
        self.guard.see(now);
        view::draw(self, frame, area, look, now);
    }

    /// When there is something else to be shown although nothing happened.
    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        self.sitting.next_change(now).into_iter().chain(self.guard.left(now)).min()
    }

    /// Looks at the clock.
    pub(crate) fn tick(&mut self, now: Instant) {
        if self.sitting.tick(now) {
            self.changed();
        }
    }

    /// Hears of work that was done behind the screen.
    pub(crate) fn hear(&mut self, message: Message, now: Instant) {
        if self.study.hear(&message) {
            let analysis = self.study.of(self.sitting.game().position());
            if let (Overlay::Hint, Some(analysis)) = (self.overlay, analysis) {
                self.message = Some(hint(analysis));
            }
        } else if self.sitting.hear(message, now) {
            self.changed();
            // Enter may have been on its way to hurry the computer.
            self.guard = Guard::Unseen;
            if let Some(noughts_rules::Action::Move { cell, .. }) =
                self.sitting.game().history().next_back()
            {
                self.aim.board.viewport.follow(cell);
            }
        }
    }

    pub(crate) fn handle(&mut self, event: &Event, now: Instant) -> Go {
        match event {
            Event::Key(key) => self.handle_key(*key, now),
            Event::Mouse(mouse) if self.dialog.is_none() => {
                if let Aimed::Take(cell) = self.aim.handle_mouse(mouse) {
                    self.take(cell, now);
                }
                Go::Stay
            }
            Event::Mouse(mouse) => {
                let dialog = self.dialog.take().expect("there is one");
                let answer = dialog.click(mouse);
                self.answer(answer, now)
            }
            Event::Paste(text) => {
                if let Some(Dialog::Save(save)) = &mut self.dialog {
                    save.field.insert(text);
                }
                Go::Stay
            }
            Event::Resize(..) => {
                self.aim.resize();
                Go::Stay
            }
            _ => Go::Stay,
        }
    }

    fn handle_key(&mut self, key: KeyEvent, now: Instant) -> Go {
        if self.is_next_board && self.guard == Guard::Unseen {
            return Go::Stay;
        }
        if let Some(dialog) = self.dialog.take() {
            let answer = dialog.handle(key);
            return self.answer(answer, now);
        }
        let message = self.message.take();
        match self.aim.handle_key(self.sitting.game().rules(), key) {
            Aimed::Stepped if self.sitting.game().turn().is_some() => self.guard.lift(),
            Aimed::Stepped | Aimed::Done => {}
            Aimed::Take(cell) => self.take(cell, now),
            // Enter may as well be meant for the computer.
            Aimed::Confirmed if self.sitting.thinking(now).is_some() => return self.confirm(now),
            Aimed::Confirmed => self.message = message,
            Aimed::Refused(reason) => self.message = Some(reason),
            Aimed::Character(c) => {
                if let Some(command) = Command::of_key(c) {
                    return self.perform(command, now);
                }
            }
            Aimed::No => match key.code {
                KeyCode::Enter | KeyCode::Char(' ') => return self.confirm(now),
                KeyCode::Esc if self.study.is_working() => self.study.hurry(),
                KeyCode::Esc => self.dialog = Some(self.menu()),
                KeyCode::F(1) => return Go::Help,
                _ => {}
            },
        }
        Go::Stay
    }

    /// Takes the box, or plays again, or hurries the computer: whatever is to be done.
    fn confirm(&mut self, now: Instant) -> Go {
        let is_over = self.sitting.game().turn().is_none();
        let is_named = !self.aim.typed().is_empty() && !is_over;
        self.aim.clear();
        if self.sitting.thinking(now).is_some() {
            if let Err(reason) = self.sitting.hurry() {
                self.message = Some(reason);
            }
            return Go::Stay;
        }
        if !is_named && !self.guard.admits(now) {
            return Go::Stay;
        }
        if is_over {
            return self.perform(Command::NewGame, now);
        }
        self.take(self.aim.cursor(), now);
        Go::Stay
    }

    fn take(&mut self, cell: Cell, now: Instant) {
        let Some(turn) = self.sitting.game().turn() else { return };
        if self.sitting.person_to_move().is_none() {
            let player = &self.sitting.game().players()[turn.index()];
            self.message = Some(format!("It is the turn of {player}."));
            return;
        }
        let position = self.sitting.game().position();
        let cell = resting(position, cell);
        match position.check(cell) {
            Ok(()) => {
                self.aim.go_to(cell);
                self.sitting.decide(Decision::Move(cell), now);
                self.changed();
            }
            Err(refusal) => self.message = Some(sentence(refusal)),
        }
    }

    /// Begins another game, and forgets what belongs to the one before.
    fn begin_next(&mut self, now: Instant) {
        self.sitting.new_game(now);
        (self.guard, self.is_next_board) = (Guard::Unseen, true);
        (self.explanation, self.message) = (None, None);
        self.aim = Aim::new(self.sitting.game().rules());
    }

    /// Turns to the position as it is now.
    fn changed(&mut self) {
        self.aim.clear();
        self.message = None;
        if self.sitting.game().turn().is_none() {
            self.guard = Guard::Unseen;
        }
        self.sitting.take_said().into_iter().for_each(|said| self.explain(said));
        if self.overlay == Overlay::Hint {
            self.overlay = Overlay::Nothing;
        }
        self.study_position();
    }

    /// Has the position studied, if that is to be seen and nobody else thinks about it.
    fn study_position(&mut self) {
        if self.overlay != Overlay::Nothing && self.sitting.person_to_move().is_some() {
            self.study.begin(self.sitting.game().position());
        }
    }

    /// Does what was answered to a dialog.
    fn answer(&mut self, answer: Answer<Command>, now: Instant) -> Go {
        match answer {
            Answer::Wait(dialog) => {
                self.dialog = Some(dialog);
                Go::Stay
            }
            Answer::Cancel => Go::Stay,
            Answer::Chosen(command) => self.perform(command, now),
            Answer::Confirmed(command) => self.perform_confirmed(command, now),
            Answer::SaveAs(save) => {
                match commands::save(self.sitting.game(), &save.field.text()) {
                    Ok(path) => self.message = Some(format!("Saved as {path}.")),
                    Err(reason) => self.dialog = Some(Dialog::Save(save.refused(reason))),
                }
                Go::Stay
            }
        }
    }
}

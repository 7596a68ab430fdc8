//! The page of a local game.

mod commands;
mod enter_guard;
mod view;

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_engine::Decision;
use noughts_rules::Move;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::Navigation;
use super::analysis_cache::{AnalysisCache, hint};
use super::dialog::{Confirm, Dialog, DialogResult};
use super::keys::Keys;
use super::local_match::LocalMatch;
use super::move_picker::opening::opening_choices;
use super::move_picker::{MovePicker, PickerEvent};
use super::position_notes::last_cells;
use super::theme::Theme;
use super::widgets::click_map::ClickMap;
use super::workers::{Message, Workers};
use commands::Command;
#[cfg(test)]
pub(crate) use enter_guard::ENTER_DELAY;
pub(crate) use enter_guard::EnterGuard;
use noughts_play::{player_label, save_game, sentence};

/// A local match and the state of its page.
pub(crate) struct GamePage {
    local_match: LocalMatch,
    picker: MovePicker,
    keys: Keys,
    overlay: Overlay,
    analyses: AnalysisCache,
    dialog: Option<Dialog<Command>>,
    guard: EnterGuard,
    /// Whether the board is new, so that keys may have been typed for the old one.
    is_next_board: bool,
    message: Option<String>,
    /// A lasting message, such as why the game does not count. It stays until the next game.
    explanation: Option<String>,
    click_map: ClickMap,
}

/// What is shown in the empty cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Overlay {
    Nothing,
    /// Marks on the best cells, until the next move.
    Hint,
    /// The value of each cell.
    Values,
}

impl GamePage {
    pub(crate) fn new(
        local_match: LocalMatch,
        workers: Workers,
        explanation: Option<String>,
        keys: Keys,
    ) -> GamePage {
        let picker = MovePicker::new(local_match.game().rules());
        GamePage {
            local_match,
            picker,
            keys,
            overlay: Overlay::Nothing,
            analyses: AnalysisCache::new(workers),
            dialog: None,
            guard: EnterGuard::Unseen,
            is_next_board: false,
            message: None,
            explanation,
            click_map: ClickMap::default(),
        }
    }

    pub(crate) fn local_match(&self) -> &LocalMatch {
        &self.local_match
    }

    /// Asks before an unfinished game is quit. `false` if there is nothing to ask, or the user was
    /// asked already.
    pub(crate) fn ask_before_quitting(&mut self) -> bool {
        let is_asking = |dialog: &Dialog<Command>| matches!(dialog, Dialog::Confirm(confirm) if confirm.command == Command::Quit);
        let game = self.local_match.game();
        if game.turn().is_none()
            || !self.local_match.has_moves()
            || self.dialog.as_ref().is_some_and(is_asking)
        {
            return false;
        }
        let (question, yes) = match self.local_match.is_kept() {
            true => ("Quit? The game is kept, and can be continued.", true),
            false => ("Quit? The game is not over, and is not stored.", false),
        };
        let question = question.to_string();
        self.dialog = Some(Dialog::Confirm(Confirm { question, command: Command::Quit, yes }));
        true
    }

    /// Adds a lasting message.
    pub(crate) fn explain(&mut self, sentence: String) {
        match &mut self.explanation {
            Some(explanation) if explanation.contains(&sentence) => {}
            Some(explanation) => *explanation += &format!(" {sentence}"),
            none => *none = Some(sentence),
        }
    }

    pub(crate) fn click_map(&self) -> &ClickMap {
        &self.click_map
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, area: Rect, theme: Theme, now: Instant) {
        self.guard.see(now);
        view::draw(self, frame, area, theme, now);
    }

    /// How long until the page changes without input.
    pub(crate) fn next_change(&self, now: Instant) -> Option<Duration> {
        self.local_match.next_change(now).into_iter().chain(self.guard.left(now)).min()
    }

    /// Advances the clocks.
    pub(crate) fn tick(&mut self, now: Instant) {
        let was_thinking = self.local_match.thinking(now).is_some();
        if self.local_match.tick(now) {
            self.changed();
        } else if self.local_match.thinking(now).is_some() != was_thinking {
            self.guard = EnterGuard::Unseen;
        }
    }

    /// Takes a result from the background.
    pub(crate) fn receive(&mut self, message: Message, now: Instant) {
        if self.analyses.receive(&message) {
            let analysis = self.analyses.get(self.local_match.game().position());
            if let (Overlay::Hint, Some(analysis)) = (self.overlay, analysis) {
                self.message = Some(hint(self.local_match.game(), analysis));
            }
        } else if self.local_match.receive(message, now) {
            self.changed();
            // Enter may have been meant to hurry the computer.
            self.guard = EnterGuard::Unseen;
            let position = self.local_match.game().position();
            last_cells(self.local_match.game())
                .into_iter()
                .for_each(|cell| self.picker.board.viewport.follow(cell));
            self.picker.enter_board_to_play(position);
        }
    }

    pub(crate) fn handle(&mut self, event: &Event, now: Instant) -> Navigation {
        match event {
            Event::Key(key) => self.handle_key(*key, now),
            Event::Mouse(mouse) if self.dialog.is_none() => {
                let position = self.local_match.game().position();
                if let PickerEvent::Play(mv) = self.picker.handle_mouse(position, mouse) {
                    self.play(mv, now);
                }
                Navigation::Stay
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
                Navigation::Stay
            }
            Event::Resize(..) => {
                self.picker.resize();
                Navigation::Stay
            }
            _ => Navigation::Stay,
        }
    }

    fn handle_key(&mut self, key: KeyEvent, now: Instant) -> Navigation {
        if self.is_next_board && self.guard == EnterGuard::Unseen {
            return Navigation::Stay;
        }
        if let Some(dialog) = self.dialog.take() {
            let answer = dialog.handle(key);
            return self.answer(answer, now);
        }
        let message = self.message.take();
        if self.local_match.is_exhibition() && key.code == KeyCode::Char(' ') {
            return self.confirm(now);
        }
        let choices = self.choices();
        match self.picker.handle_key(self.local_match.game().position(), &choices, key) {
            PickerEvent::CursorMoved if self.local_match.game().turn().is_some() => {
                self.guard.lift()
            }
            PickerEvent::CursorMoved | PickerEvent::Done => {}
            PickerEvent::Play(mv) => self.play(mv, now),
            // Enter may be meant to hurry the computer.
            PickerEvent::Confirmed if self.local_match.thinking(now).is_some() => {
                return self.confirm(now);
            }
            // After the last move Enter plays again.
            PickerEvent::Confirmed if self.local_match.game().turn().is_none() => {
                return self.confirm(now);
            }
            PickerEvent::Confirmed => self.message = message,
            PickerEvent::Refused(reason) => self.message = Some(reason),
            PickerEvent::Character(c) => {
                if let Some(command) = self.keys.usual(c).and_then(Command::of_key) {
                    return self.perform(command, now);
                }
            }
            PickerEvent::No => match key.code {
                KeyCode::Enter | KeyCode::Char(' ') => return self.confirm(now),
                KeyCode::Esc if self.analyses.is_running() => self.analyses.stop(),
                KeyCode::Esc => self.dialog = Some(self.menu()),
                KeyCode::F(1) => return Navigation::Help,
                _ => {}
            },
        }
        Navigation::Stay
    }

    /// Performs the default action: make the move, play again, or hurry the computer.
    fn confirm(&mut self, now: Instant) -> Navigation {
        let is_over = self.local_match.game().turn().is_none();
        if !is_over && self.local_match.is_exhibition() {
            self.local_match.toggle_pause(now);
            return Navigation::Stay;
        }
        let is_named = !self.picker.typed().is_empty() && !is_over;
        let choices = self.choices();
        let mv = self.picker.selected_move(self.local_match.game().position(), &choices);
        if self.local_match.thinking(now).is_some() {
            self.picker.clear();
            if let Err(reason) = self.local_match.move_now() {
                self.message = Some(reason);
            }
            return Navigation::Stay;
        }
        if !is_named && !self.guard.admits(now) {
            return Navigation::Stay;
        }
        self.picker.clear();
        if is_over {
            return self.perform(Command::NewGame, now);
        }
        self.play(mv, now);
        Navigation::Stay
    }

    /// The opening choices of the person to move.
    fn choices(&self) -> Vec<Move> {
        match self.local_match.person_to_move() {
            Some(_) => opening_choices(self.local_match.game().position()),
            None => Vec::new(),
        }
    }

    fn play(&mut self, mv: Move, now: Instant) {
        let game = self.local_match.game();
        let Some(turn) = game.turn() else { return };
        if self.local_match.person_to_move().is_none() {
            self.message = Some(format!("{} is to move.", player_label(game, turn)));
            return;
        }
        match game.position().check(mv) {
            Ok(()) => {
                mv.cell().into_iter().for_each(|cell| self.picker.go_to(cell));
                self.local_match.decide(Decision::Move(mv), now);
                self.changed();
            }
            Err(refusal) => self.message = Some(sentence(refusal)),
        }
    }

    /// Starts the next game and resets the page.
    fn begin_next(&mut self, now: Instant) {
        self.local_match.new_game(now);
        (self.guard, self.is_next_board) = (EnterGuard::Unseen, true);
        (self.explanation, self.message) = (None, None);
        self.picker = MovePicker::new(self.local_match.game().rules());
    }

    /// Updates the page after the position changed.
    fn changed(&mut self) {
        self.picker.clear();
        self.message = None;
        if self.local_match.game().turn().is_none() {
            self.guard = EnterGuard::Unseen;
        }
        self.local_match
            .take_announcements()
            .into_iter()
            .for_each(|announcements| self.explain(announcements));
        if self.overlay == Overlay::Hint {
            self.overlay = Overlay::Nothing;
        }
        if self.local_match.person_to_move().is_some() {
            self.picker.enter_board_to_play(self.local_match.game().position());
        }
        self.request_analysis();
    }

    /// Requests an analysis if an overlay needs it and a person is to move.
    fn request_analysis(&mut self) {
        if self.overlay != Overlay::Nothing && self.local_match.person_to_move().is_some() {
            self.analyses.request(self.local_match.game().position());
        }
    }

    /// Applies the result of a dialog.
    fn answer(&mut self, answer: DialogResult<Command>, now: Instant) -> Navigation {
        match answer {
            DialogResult::Wait(dialog) => {
                self.dialog = Some(dialog);
                Navigation::Stay
            }
            DialogResult::Cancel => Navigation::Stay,
            DialogResult::Chosen(command) => self.perform(command, now),
            DialogResult::Confirmed(command) => self.perform_confirmed(command, now),
            DialogResult::SaveAs(save) => {
                match save_game(self.local_match.game(), &save.field.text()) {
                    Ok(path) => self.message = Some(format!("Saved as {path}.")),
                    Err(reason) => self.dialog = Some(Dialog::Save(save.refused(reason))),
                }
                Navigation::Stay
            }
        }
    }
}

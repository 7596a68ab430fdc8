//! Keys and clicks in an online game.

use std::time::Instant;

use crossterm::event::{Event, KeyCode, KeyEvent};
use noughts_api::{GamePhase, PlayerCommand};
use noughts_client::player_label;
use noughts_play::save_game;
use noughts_rules::Move;

use super::OnlinePage;
use super::commands::Command;
use crate::Navigation;
use crate::dialog::{Dialog, DialogResult};
use crate::move_picker::PickerEvent;
use crate::move_picker::opening::opening_choices;

impl OnlinePage {
    pub(crate) fn handle(&mut self, event: &Event, now: Instant) -> Navigation {
        match event {
            Event::Key(key) => return self.handle_key(*key, now),
            Event::Mouse(mouse) => match self.dialog.take() {
                Some(dialog) => {
                    let answer = dialog.click(mouse);
                    return self.answer(answer, now);
                }
                None => {
                    let position = self.game.position();
                    if let PickerEvent::Play(mv) = self.picker.handle_mouse(position, mouse) {
                        self.play(mv, now);
                    }
                }
            },
            Event::Paste(text) => {
                if let Some(Dialog::Save(save)) = &mut self.dialog {
                    save.field.insert(text);
                }
            }
            Event::Resize(..) => self.picker.resize(),
            _ => {}
        }
        Navigation::Stay
    }

    fn handle_key(&mut self, key: KeyEvent, now: Instant) -> Navigation {
        if self.is_unseen_board {
            return Navigation::Stay;
        }
        if let Some(dialog) = self.dialog.take() {
            let answer = dialog.handle(key);
            return self.answer(answer, now);
        }
        let message = self.message.take();
        let choices = self.choices();
        match self.picker.handle_key(self.game.position(), &choices, key) {
            PickerEvent::CursorMoved if self.view.phase == GamePhase::Live => self.guard.lift(),
            PickerEvent::CursorMoved | PickerEvent::Done => {}
            PickerEvent::Play(mv) => self.play(mv, now),
            PickerEvent::Confirmed => self.message = message,
            PickerEvent::Refused(reason) => self.message = Some(reason),
            PickerEvent::Character(c) => {
                if let Some(command) = self.keys.usual(c).and_then(|key| self.command_of(key)) {
                    return self.perform(command, now);
                }
            }
            PickerEvent::No => match key.code {
                KeyCode::Enter | KeyCode::Char(' ') => return self.confirm(now),
                KeyCode::Esc => self.dialog = Some(self.menu()),
                KeyCode::F(1) => return Navigation::Help,
                _ => {}
            },
        }
        Navigation::Stay
    }

    /// Makes the selected move, or goes on to the rematch.
    fn confirm(&mut self, now: Instant) -> Navigation {
        let is_live = self.view.phase == GamePhase::Live;
        let is_typed = !self.picker.typed().is_empty() && is_live;
        let mv = self.picker.selected_move(self.game.position(), &self.choices());
        if !is_typed && !self.guard.admits(now) {
            return Navigation::Stay;
        }
        self.picker.clear();
        if is_live {
            self.play(mv, now);
            return Navigation::Stay;
        }
        let is_rematch =
            |command: &Command| matches!(command, Command::Rematch | Command::WatchRematch);
        match self.commands().into_iter().find(is_rematch) {
            Some(command) => self.perform(command, now),
            None => Navigation::Stay,
        }
    }

    /// The opening choices of the user.
    pub(super) fn choices(&self) -> Vec<Move> {
        match self.view.phase == GamePhase::Live && self.view.is_your_turn() {
            true => opening_choices(self.game.position()),
            false => Vec::new(),
        }
    }

    /// Sends a move.
    fn play(&mut self, mv: Move, now: Instant) {
        if !self.is_seated() {
            self.message = Some("You are only watching this game.".into());
        } else if let Some(turn) = self.view.turn.filter(|_| !self.view.is_your_turn()) {
            self.message = Some(format!("It is {}'s turn.", player_label(&self.view, turn)));
        } else if self.view.phase != GamePhase::Finished {
            mv.cell().into_iter().for_each(|cell| self.picker.go_to(cell));
            self.send(PlayerCommand::Move { mv }, now);
        }
    }

    /// Handles the result of a dialog.
    fn answer(&mut self, answer: DialogResult<Command>, now: Instant) -> Navigation {
        match answer {
            DialogResult::Wait(dialog) => self.dialog = Some(dialog),
            DialogResult::Cancel => {}
            DialogResult::Chosen(command) => return self.perform(command, now),
            DialogResult::Confirmed(command) => return self.perform_confirmed(command, now),
            DialogResult::SaveAs(chosen) => match save_game(&self.game, &chosen.field.text()) {
                Ok(path) => self.message = Some(format!("Saved as {path}.")),
                Err(reason) => self.dialog = Some(Dialog::Save(chosen.refused(reason))),
            },
        }
        Navigation::Stay
    }
}

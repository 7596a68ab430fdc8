//! The screen on which a game is played.

mod commands;
mod dialog;
mod guard;
mod view;

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use noughts_engine::Decision;
use noughts_rules::{Cell, Rules};
use ratatui::Frame;
use ratatui::layout::Rect;

use super::Go;
use super::desk::{Desk, Message};
use super::look::Look;
use super::sitting::Sitting;
use super::study::{Study, hint};
use super::widgets::board::BoardState;
use super::widgets::clicks::Clicks;
use crate::play::series::sentence;
use commands::Command;
use dialog::{Answer, Dialog};
use guard::Guard;
#[cfg(test)]
pub(crate) use guard::MOMENT;
pub(crate) use view::{Parts, Side, draw_message, in_words, last_move, message_height, title};

/// A game in play with everything that is seen of it.
pub(crate) struct GamePage {
    sitting: Sitting,
    cursor: Cell,
    board: BoardState,
    /// A box name that is being typed.
    typed: String,
    overlay: Overlay,
    study: Study,
    dialog: Option<Dialog>,
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
        let cursor = first_cursor(sitting.game().rules());
        let mut board = BoardState::default();
        board.viewport.follow(cursor);
        GamePage {
            sitting,
            cursor,
            board,
            typed: String::new(),
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
                self.board.viewport.follow(cell);
            }
        }
    }

    pub(crate) fn handle(&mut self, event: &Event, now: Instant) -> Go {
        match event {
            Event::Key(key) => self.handle_key(*key, now),
            Event::Mouse(mouse) if self.dialog.is_none() => {
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => {
                        if let Some(cell) = self.board.cell_at(mouse.column, mouse.row) {
                            self.typed.clear();
                            self.cursor = cell;
                            self.take(cell, now);
                        }
                    }
                    MouseEventKind::ScrollDown => self.board.viewport.scroll(1, 0),
                    MouseEventKind::ScrollUp => self.board.viewport.scroll(-1, 0),
                    MouseEventKind::ScrollRight => self.board.viewport.scroll(0, 1),
                    MouseEventKind::ScrollLeft => self.board.viewport.scroll(0, -1),
                    _ => {}
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
                self.board.viewport.follow(self.cursor);
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
        self.message = None;
        let modified = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Char(_) if modified => {}
            KeyCode::Up => self.step(-1, 0),
            KeyCode::Down => self.step(1, 0),
            KeyCode::Left => self.step(0, -1),
            KeyCode::Right => self.step(0, 1),
            KeyCode::Home => self.step(0, -26),
            KeyCode::End => self.step(0, 26),
            KeyCode::PageUp => self.step(-26, 0),
            KeyCode::PageDown => self.step(26, 0),
            KeyCode::Enter | KeyCode::Char(' ') => return self.confirm(now),
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Esc if !self.typed.is_empty() => self.typed.clear(),
            KeyCode::Esc if self.study.is_working() => self.study.hurry(),
            KeyCode::Esc => self.dialog = Some(self.menu()),
            KeyCode::F(1) => return Go::Help,
            KeyCode::Char(c) => return self.handle_character(c, now),
            _ => {}
        }
        Go::Stay
    }

    fn handle_character(&mut self, c: char, now: Instant) -> Go {
        if c.is_ascii_digit() {
            self.type_digit(c, now);
            return Go::Stay;
        }
        // Letters name rows, but for those that move the frame, of which only the capitals do.
        if c.is_ascii_uppercase() && self.is_row(c) {
            self.type_letter(c);
            return Go::Stay;
        }
        match c.to_ascii_lowercase() {
            'h' => self.step(0, -1),
            'j' => self.step(1, 0),
            'k' => self.step(-1, 0),
            'l' => self.step(0, 1),
            small => {
                if self.is_row(c.to_ascii_uppercase()) {
                    self.type_letter(c.to_ascii_uppercase());
                } else if let Some(command) = Command::of_key(small) {
                    return self.perform(command, now);
                }
            }
        }
        Go::Stay
    }

    pub(super) fn is_row(&self, letter: char) -> bool {
        ('A'..).take(usize::from(self.sitting.game().rules().rows())).any(|row| row == letter)
    }

    fn type_letter(&mut self, letter: char) {
        self.typed = letter.to_string();
        let row = letter as u8 - b'A';
        self.move_to(row, self.cursor.col());
    }

    /// Goes on with a box name. As soon as it can be only one box, that is taken.
    fn type_digit(&mut self, digit: char, now: Instant) {
        if self.typed.is_empty() {
            self.message = Some("Begin with the letter of the row: B2, for example.".into());
            return;
        }
        self.typed.push(digit);
        let cols = u32::from(self.sitting.game().rules().cols());
        match self.typed[1..].parse::<u32>() {
            Ok(col) if (1..=cols).contains(&col) => {
                let row = self.typed.as_bytes()[0] - b'A';
                self.move_to(row, (col - 1) as u8);
                if col * 10 > cols {
                    self.typed.clear();
                    self.take(self.cursor, now);
                }
            }
            _ => {
                let name = std::mem::take(&mut self.typed);
                self.message =
                    Some(format!("{name} is not on the board: columns go from 1 to {cols}."));
            }
        }
    }

    /// Takes the box, or plays again, or hurries the computer: whatever is to be done.
    fn confirm(&mut self, now: Instant) -> Go {
        let is_over = self.sitting.game().turn().is_none();
        let is_named = !std::mem::take(&mut self.typed).is_empty() && !is_over;
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
        self.take(self.cursor, now);
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
        // Where things fall, any cell of a column means the one that a move comes to rest in.
        let resting = position
            .legal_moves()
            .find(|legal| position.rules().gravity() && legal.col() == cell.col());
        let cell = resting.unwrap_or(cell);
        match position.check(cell) {
            Ok(()) => {
                self.move_to(cell.row(), cell.col());
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
        let cursor = first_cursor(self.sitting.game().rules());
        self.move_to(cursor.row(), cursor.col());
    }

    /// Turns to the position as it is now.
    fn changed(&mut self) {
        self.typed.clear();
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

    fn step(&mut self, down: i16, right: i16) {
        self.typed.clear();
        if self.sitting.game().turn().is_some() {
            self.guard.lift();
        }
        let rules = self.sitting.game().rules();
        let walk = |from: u8, by: i16, all: u8| (i16::from(from) + by).clamp(0, i16::from(all) - 1);
        let row = walk(self.cursor.row(), down, rules.rows());
        let col = walk(self.cursor.col(), right, rules.cols());
        self.move_to(row as u8, col as u8);
    }

    fn move_to(&mut self, row: u8, col: u8) {
        if let Some(cell) = Cell::new(row, col) {
            self.cursor = cell;
            self.board.viewport.follow(cell);
        }
    }

    /// Does what was answered to a dialog.
    fn answer(&mut self, answer: Answer, now: Instant) -> Go {
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

/// In the middle, where most games begin; on the floor, where things fall.
fn first_cursor(rules: &Rules) -> Cell {
    let row = if rules.gravity() { rules.rows() - 1 } else { (rules.rows() - 1) / 2 };
    Cell::new(row, (rules.cols() - 1) / 2).expect("a cell of the board")
}

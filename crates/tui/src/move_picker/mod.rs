//! Picks a move: a box by a cursor that keys and the mouse move, or by typing its name; a mark where
//! the mover chooses it; or an opening choice.

mod hints;
mod name;
pub(crate) mod opening;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use noughts_play::{column_cell, landing_cell};
use noughts_rules::{Cell, Mark, Marks, Move, Position, Rules, Shape};

pub(crate) use self::hints::command_hint;
use self::name::{NameEvent, TypedName};
use super::widgets::board::BoardState;
use super::widgets::board::geometry::walk;

/// The cursor, the part of a box name that has been typed, and what else makes up a move.
pub(crate) struct MovePicker {
    cursor: Cell,
    pub(crate) board: BoardState,
    typed: TypedName,
    /// The mark to place where the mover chooses it.
    mark: Mark,
    /// The index of the selected opening choice.
    choice: usize,
    /// The letter with which the next name begins: it was typed after a name that could have gone on.
    next_letter: Option<char>,
    /// Whether the last key completed a name, which picks the cell at once. Some people confirm it
    /// with Enter all the same.
    is_named: bool,
}

/// What a key or a click did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PickerEvent {
    /// It has no meaning for the picker.
    No,
    /// A letter that names no row: it may be a command.
    Character(char),
    /// The cursor moved, or another opening choice or mark was selected.
    CursorMoved,
    /// The viewport or the typed name changed.
    Done,
    /// A move was picked.
    Play(Move),
    /// Enter confirmed a name whose cell has been picked already: nothing changes.
    Confirmed,
    /// No cell has this name; the sentence says why.
    Refused(String),
}

impl MovePicker {
    pub(crate) fn new(rules: &Rules) -> MovePicker {
        let cursor = first_cursor(rules);
        let mut picker = MovePicker {
            cursor,
            board: BoardState::default(),
            typed: TypedName::default(),
            mark: Mark::FIRST,
            choice: 0,
            next_letter: None,
            is_named: false,
        };
        picker.go_to(cursor);
        picker
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    pub(crate) fn typed(&self) -> &str {
        self.typed.text()
    }

    /// The index of the selected opening choice.
    pub(crate) fn choice(&self) -> usize {
        self.choice
    }

    pub(crate) fn clear(&mut self) {
        self.typed = TypedName::default();
        self.choice = 0;
        self.next_letter.take().into_iter().for_each(|letter| self.typed.push_letter(letter));
    }

    pub(crate) fn go_to(&mut self, cell: Cell) {
        self.cursor = cell;
        self.board.viewport.follow(cell);
    }

    /// Scrolls the cursor into view.
    pub(crate) fn resize(&mut self) {
        self.board.viewport.follow(self.cursor);
    }

    /// Moves the cursor into the sub-board in which the next move must be.
    pub(crate) fn enter_board_to_play(&mut self, position: &Position) {
        let rules = position.rules();
        let Some(board) = position.board_to_play() else { return };
        if rules.zone(self.cursor) != Some(board) {
            let cells: Vec<Cell> = rules.zone_cells(board).collect();
            self.go_to(cells[cells.len() / 2]);
        }
    }

    /// The move that Enter makes: the selected opening choice, or the box under the cursor.
    pub(crate) fn selected_move(&self, position: &Position, choices: &[Move]) -> Move {
        match choices.get(self.choice.min(choices.len().saturating_sub(1))) {
            Some(&choice) => choice,
            None => self.move_in(position, self.cursor, self.mark),
        }
    }

    fn move_in(&self, position: &Position, cell: Cell, mark: Mark) -> Move {
        let cell = landing_cell(position, cell);
        match chooses_mark(position.rules()) {
            true => Move::Mark(cell, mark),
            false => Move::Place(cell),
        }
    }

    /// Handles a key while the player has these opening choices, if any.
    pub(crate) fn handle_key(
        &mut self,
        position: &Position,
        choices: &[Move],
        key: KeyEvent,
    ) -> PickerEvent {
        let was_named = std::mem::take(&mut self.is_named);
        let modified = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if let Some(event) = self.handle_choice(choices, key.code).filter(|_| !modified) {
            return event;
        }
        let rules = position.rules();
        if let Some((down, right)) = direction(key.code) {
            return self.step(rules, down, right);
        }
        match key.code {
            KeyCode::Enter if was_named => PickerEvent::Confirmed,
            KeyCode::Char(_) if modified => PickerEvent::Done,
            KeyCode::Char(' ') => PickerEvent::No,
            KeyCode::Char(c) => self.handle_character(position, c),
            KeyCode::Tab if chooses_mark(rules) => self.select_mark(self.other_mark()),
            KeyCode::Backspace => {
                self.typed.delete_last();
                PickerEvent::Done
            }
            KeyCode::Esc if !self.typed.is_empty() => {
                self.typed = TypedName::default();
                PickerEvent::Done
            }
            _ => PickerEvent::No,
        }
    }

    /// Opening choices have numbers, and arrows select them.
    fn handle_choice(&mut self, choices: &[Move], key: KeyCode) -> Option<PickerEvent> {
        let last = choices.len().checked_sub(1)?;
        self.choice = match key {
            KeyCode::Char(c @ '1'..='9') => {
                let choice = choices.get(usize::from(c as u8 - b'1'));
                return Some(choice.map_or(PickerEvent::Done, |&mv| PickerEvent::Play(mv)));
            }
            KeyCode::Left | KeyCode::Up | KeyCode::BackTab => {
                self.choice.checked_sub(1).unwrap_or(last)
            }
            KeyCode::Right | KeyCode::Down | KeyCode::Tab if self.choice >= last => 0,
            KeyCode::Right | KeyCode::Down | KeyCode::Tab => self.choice + 1,
            _ => return None,
        };
        Some(PickerEvent::CursorMoved)
    }

    pub(crate) fn handle_mouse(&mut self, position: &Position, mouse: &MouseEvent) -> PickerEvent {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(cell) = self.board.cell_at(mouse.column, mouse.row) else {
                    return PickerEvent::No;
                };
                self.typed = TypedName::default();
                self.is_named = false;
                self.cursor = cell;
                return PickerEvent::Play(self.move_in(position, cell, self.mark));
            }
            MouseEventKind::ScrollDown => self.board.viewport.scroll(1, 0),
            MouseEventKind::ScrollUp => self.board.viewport.scroll(-1, 0),
            MouseEventKind::ScrollRight => self.board.viewport.scroll(0, 1),
            MouseEventKind::ScrollLeft => self.board.viewport.scroll(0, -1),
            _ => return PickerEvent::No,
        }
        PickerEvent::Done
    }

    fn handle_character(&mut self, position: &Position, c: char) -> PickerEvent {
        let rules = position.rules();
        if let Some(event) = self.handle_mark(position, c) {
            return event;
        }
        if c.is_ascii_digit() {
            return match self.typed.push_digit(rules, c) {
                NameEvent::Refused(reason) => PickerEvent::Refused(reason),
                NameEvent::Moved => {
                    self.follow_name(rules);
                    PickerEvent::Done
                }
                // The name of a box with a mark may go on with the mark.
                NameEvent::Complete if chooses_mark(rules) => {
                    self.follow_name(rules);
                    PickerEvent::Done
                }
                // The name of a small board may go on with a box of it.
                NameEvent::Complete if self.may_name_board(position) => {
                    self.follow_name(rules);
                    PickerEvent::Done
                }
                NameEvent::Complete => {
                    self.follow_name(rules);
                    self.typed = TypedName::default();
                    self.is_named = true;
                    PickerEvent::Play(self.move_in(position, self.cursor, self.mark))
                }
            };
        }
        if c == '.' && self.typed.is_board(rules) {
            self.typed.push_point();
            return PickerEvent::Done;
        }
        let row = c.to_ascii_uppercase();
        if is_row(rules, row) && self.may_name_board(position) {
            // The name was a box after all, and the letter begins the next one.
            self.next_letter = Some(row);
            return PickerEvent::Play(self.move_in(position, self.cursor, self.mark));
        }
        if is_row(rules, row) {
            self.typed.push_letter(row);
            self.follow_name(rules);
            return PickerEvent::Done;
        }
        match c.to_ascii_lowercase() {
            // If one of these letters names a row, none of the four moves the cursor.
            small @ 'h'..='l' if is_row(rules, 'H') => PickerEvent::Character(small),
            'h' => self.step(rules, 0, -1),
            'j' => self.step(rules, 1, 0),
            'k' => self.step(rules, -1, 0),
            'l' => self.step(rules, 0, 1),
            small => PickerEvent::Character(small),
        }
    }

    /// Where the mover chooses the mark, `x` and `o` select it; after a name they pick the box with it.
    fn handle_mark(&mut self, position: &Position, c: char) -> Option<PickerEvent> {
        let rules = position.rules();
        if !chooses_mark(rules) {
            return None;
        }
        let has_name = self.typed.column().is_some();
        if c == '=' && has_name {
            self.typed.push_equals();
            return Some(PickerEvent::Done);
        }
        let mark = Mark::from_letter(c).filter(|mark| rules.marks().any(|known| known == *mark))?;
        if has_name {
            self.typed = TypedName::default();
            self.is_named = true;
            return Some(PickerEvent::Play(self.move_in(position, self.cursor, mark)));
        }
        (!is_row(rules, c.to_ascii_uppercase())).then(|| self.select_mark(mark))
    }

    fn select_mark(&mut self, mark: Mark) -> PickerEvent {
        self.mark = mark;
        PickerEvent::CursorMoved
    }

    fn other_mark(&self) -> Mark {
        Mark::new(if self.mark == Mark::FIRST { 1 } else { 0 }).unwrap_or(Mark::FIRST)
    }

    /// Whether the typed name may be that of a small board in which the next move can be.
    fn may_name_board(&self, position: &Position) -> bool {
        let Shape::Nested { cols, .. } = position.rules().shape() else { return false };
        let (Some(row), Some(col)) = (self.typed.row(), self.typed.column()) else { return false };
        let index = usize::from(row) * usize::from(cols) + usize::from(col);
        self.typed.is_board(position.rules())
            && position.board_to_play().is_none_or(|board| board.index() == index)
    }

    /// Moves the cursor to where the typed name leads so far.
    fn follow_name(&mut self, rules: &Rules) {
        if let Some(cell) = self.typed.bare_column().and_then(|col| column_cell(rules, col + 1)) {
            self.go_to(cell);
            return;
        }
        let mut row = self.typed.row().unwrap_or(self.cursor.row());
        let mut col = self.typed.column().unwrap_or(self.cursor.col());
        if let (Some((down, right)), Shape::Nested { rows, cols }) =
            (self.typed.board(), rules.shape())
        {
            row = down * rows + self.typed.row().unwrap_or(0) % rows;
            col = right * cols + self.typed.column().unwrap_or(0) % cols;
        }
        if let Some(cell) = Cell::in_space(self.typed.level(), row, col) {
            self.go_to(cell);
        }
    }

    fn step(&mut self, rules: &Rules, down: i16, right: i16) -> PickerEvent {
        self.typed = TypedName::default();
        let across = self.board.geometry.map_or(rules.levels(), |geometry| geometry.across);
        self.go_to(walk(rules, across, self.cursor, down, right));
        PickerEvent::CursorMoved
    }
}

/// How far a key moves the cursor: down and right.
fn direction(key: KeyCode) -> Option<(i16, i16)> {
    /// Beyond every edge.
    const FAR: i16 = 512;
    Some(match key {
        KeyCode::Up => (-1, 0),
        KeyCode::Down => (1, 0),
        KeyCode::Left => (0, -1),
        KeyCode::Right => (0, 1),
        KeyCode::Home => (0, -FAR),
        KeyCode::End => (0, FAR),
        KeyCode::PageUp => (-FAR, 0),
        KeyCode::PageDown => (FAR, 0),
        _ => return None,
    })
}

/// Whether the mover chooses the mark.
fn chooses_mark(rules: &Rules) -> bool {
    rules.parts().marks == Marks::Any
}

/// Whether this capital letter names a row of the board.
fn is_row(rules: &Rules, letter: char) -> bool {
    ('A'..).take(usize::from(rules.rows())).any(|row| row == letter)
}

/// The centre; with gravity, the middle of the lowest row or level.
fn first_cursor(rules: &Rules) -> Cell {
    let centre = Cell::new((rules.rows() - 1) / 2, (rules.cols() - 1) / 2);
    let centre = centre.expect("a cell of the board");
    match rules.gravity() {
        true => std::iter::successors(Some(centre), |&cell| rules.below(cell)).last(),
        false => Some(centre),
    }
    .unwrap_or(centre)
}

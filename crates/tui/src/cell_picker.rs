//! Picks a cell: by a cursor that keys and the mouse move, or by typing its name.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use noughts_rules::{Cell, Move, Position, Rules};

use super::widgets::board::BoardState;
use super::widgets::key_bar::KeyHint;

/// The cursor, and the part of a cell name that has been typed.
pub(crate) struct CellPicker {
    cursor: Cell,
    pub(crate) board: BoardState,
    typed: String,
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
    /// The cursor moved.
    CursorMoved,
    /// The viewport or the typed name changed.
    Done,
    /// A cell was picked.
    Take(Cell),
    /// Enter confirmed a name whose cell has been picked already: nothing changes.
    Confirmed,
    /// No cell has this name; the sentence says why.
    Refused(String),
}

impl CellPicker {
    pub(crate) fn new(rules: &Rules) -> CellPicker {
        let cursor = first_cursor(rules);
        let (board, typed) = (BoardState::default(), String::new());
        let mut picker = CellPicker { cursor, board, typed, is_named: false };
        picker.go_to(cursor);
        picker
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    pub(crate) fn typed(&self) -> &str {
        &self.typed
    }

    pub(crate) fn clear(&mut self) {
        self.typed.clear();
    }

    pub(crate) fn go_to(&mut self, cell: Cell) {
        self.cursor = cell;
        self.board.viewport.follow(cell);
    }

    /// Scrolls the cursor into view.
    pub(crate) fn resize(&mut self) {
        self.board.viewport.follow(self.cursor);
    }

    pub(crate) fn handle_key(&mut self, rules: &Rules, key: KeyEvent) -> PickerEvent {
        let was_named = std::mem::take(&mut self.is_named);
        let modified = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        if let Some((down, right)) = direction(key.code) {
            return self.step(rules, down, right);
        }
        match key.code {
            KeyCode::Enter if was_named => PickerEvent::Confirmed,
            KeyCode::Char(_) if modified => PickerEvent::Done,
            KeyCode::Char(' ') => PickerEvent::No,
            KeyCode::Char(c) => self.handle_character(rules, c),
            KeyCode::Backspace => {
                self.typed.pop();
                PickerEvent::Done
            }
            KeyCode::Esc if !self.typed.is_empty() => {
                self.typed.clear();
                PickerEvent::Done
            }
            _ => PickerEvent::No,
        }
    }

    pub(crate) fn handle_mouse(&mut self, mouse: &MouseEvent) -> PickerEvent {
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(cell) = self.board.cell_at(mouse.column, mouse.row) else {
                    return PickerEvent::No;
                };
                self.typed.clear();
                self.is_named = false;
                self.cursor = cell;
                return PickerEvent::Take(cell);
            }
            MouseEventKind::ScrollDown => self.board.viewport.scroll(1, 0),
            MouseEventKind::ScrollUp => self.board.viewport.scroll(-1, 0),
            MouseEventKind::ScrollRight => self.board.viewport.scroll(0, 1),
            MouseEventKind::ScrollLeft => self.board.viewport.scroll(0, -1),
            _ => return PickerEvent::No,
        }
        PickerEvent::Done
    }

    fn handle_character(&mut self, rules: &Rules, c: char) -> PickerEvent {
        if c.is_ascii_digit() {
            return self.type_digit(rules, c);
        }
        let row = c.to_ascii_uppercase();
        if is_row(rules, row) {
            return self.type_letter(row);
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

    fn type_letter(&mut self, letter: char) -> PickerEvent {
        self.typed = letter.to_string();
        self.move_to(letter as u8 - b'A', self.cursor.col());
        PickerEvent::Done
    }

    /// Adds a digit to the name. The cell is picked as soon as no longer name is possible.
    fn type_digit(&mut self, rules: &Rules, digit: char) -> PickerEvent {
        if self.typed.is_empty() {
            return PickerEvent::Refused(
                "Begin with the letter of the row: B2, for example.".into(),
            );
        }
        self.typed.push(digit);
        let cols = u32::from(rules.cols());
        match self.typed[1..].parse::<u32>() {
            Ok(col) if (1..=cols).contains(&col) => {
                let row = self.typed.as_bytes()[0] - b'A';
                self.move_to(row, (col - 1) as u8);
                if col * 10 > cols {
                    self.typed.clear();
                    self.is_named = true;
                    return PickerEvent::Take(self.cursor);
                }
                PickerEvent::Done
            }
            _ => {
                let name = std::mem::take(&mut self.typed);
                let range = format!("columns go from 1 to {cols}");
                PickerEvent::Refused(format!("{name} is not on the board: {range}."))
            }
        }
    }

    fn step(&mut self, rules: &Rules, down: i16, right: i16) -> PickerEvent {
        self.typed.clear();
        let walk = |from: u8, by: i16, all: u8| (i16::from(from) + by).clamp(0, i16::from(all) - 1);
        let row = walk(self.cursor.row(), down, rules.rows());
        let col = walk(self.cursor.col(), right, rules.cols());
        self.move_to(row as u8, col as u8);
        PickerEvent::CursorMoved
    }

    fn move_to(&mut self, row: u8, col: u8) {
        if let Some(cell) = Cell::new(row, col) {
            self.go_to(cell);
        }
    }
}

/// How far a key moves the cursor: down and right.
fn direction(key: KeyCode) -> Option<(i16, i16)> {
    Some(match key {
        KeyCode::Up => (-1, 0),
        KeyCode::Down => (1, 0),
        KeyCode::Left => (0, -1),
        KeyCode::Right => (0, 1),
        KeyCode::Home => (0, -26),
        KeyCode::End => (0, 26),
        KeyCode::PageUp => (-26, 0),
        KeyCode::PageDown => (26, 0),
        _ => return None,
    })
}

/// Whether this capital letter names a row of the board.
fn is_row(rules: &Rules, letter: char) -> bool {
    ('A'..).take(usize::from(rules.rows())).any(|row| row == letter)
}

/// The hint for a command's key. A key that names a row of this board works in the menu only.
pub(crate) fn command_hint(rules: &Rules, key: &str, name: &str) -> KeyHint {
    let names_row = key.chars().all(|c| is_row(rules, c.to_ascii_uppercase()));
    let menu = if names_row { "Esc " } else { "" };
    (format!("{menu}{key}"), name.to_string())
}

/// The cell that a move comes to rest in: with gravity, picking any cell of a column drops into it.
pub(crate) fn landing_cell(position: &Position, cell: Cell) -> Cell {
    let is_below = |other: &Cell| other.level() == cell.level() && other.col() == cell.col();
    let mut cells = position.legal_moves().filter_map(Move::cell);
    let landing_cell = cells.find(is_below).filter(|_| position.rules().gravity());
    landing_cell.unwrap_or(cell)
}

/// The centre; with gravity, the middle of the bottom row.
fn first_cursor(rules: &Rules) -> Cell {
    let row = if rules.gravity() { rules.rows() - 1 } else { (rules.rows() - 1) / 2 };
    Cell::new(row, (rules.cols() - 1) / 2).expect("a cell of the board")
}

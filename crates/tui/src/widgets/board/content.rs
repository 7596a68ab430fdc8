//! What is in a cell: a mark, a note, and signs beside them.

use noughts_rules::{Cell, Mark, Zone};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::lines::{Edges, joint};
use super::{Canvas, centred, middle};
use crate::theme::TextRole;
use crate::widgets::note::Note;
use crate::widgets::shapes::shape;

impl Canvas<'_> {
    pub(super) fn content(&self, cell: Cell, buffer: &mut Buffer) {
        let Some(rect) = self.geometry.rect(cell) else { return };
        if !self.geometry.lined {
            self.crossing(cell, rect, buffer);
        }
        if let Some(mark) = self.board.game.position().mark_at(cell) {
            self.mark(cell, mark, rect, buffer);
        } else if let Some((_, note)) = self.board.notes.iter().find(|(at, _)| *at == cell) {
            self.note(note, rect, buffer);
        } else if self.is_forbidden(cell) {
            let style = over_lines(self.board.theme.role(TextRole::Bad));
            centred(buffer, middle(rect), "!", style);
        }
    }

    /// Whether renju forbids the player to move to take the cell.
    fn is_forbidden(&self, cell: Cell) -> bool {
        let position = self.board.game.position();
        position.mark_to_place() == Some(Mark::FIRST) && position.renju_forbids(cell).is_some()
    }

    fn mark(&self, cell: Cell, mark: Mark, rect: Rect, buffer: &mut Buffer) {
        let theme = self.board.theme;
        let symbol = self.board.game.mark_symbol(mark);
        let mut style = over_lines(theme.mark(mark));
        if self.fading == Some(cell) || self.is_in_closed_zone(cell) {
            style = style.remove_modifier(Modifier::BOLD).add_modifier(Modifier::DIM);
        }
        match shape(symbol, rect.width, rect.height, theme.ascii) {
            Some(shape) => draw_shape(shape, rect, style, buffer),
            None => {
                // A shape would be unrecognisable in reverse video.
                let is_winning = self.winning.contains(&cell);
                let reversed = if is_winning { Modifier::REVERSED } else { Modifier::empty() };
                let style = style.add_modifier(reversed);
                centred(buffer, middle(rect), symbol.as_str(), style);
            }
        }
    }

    /// Shows the last move, winning cells, the next mark to disappear and the cursor by shape, not
    /// only by colour.
    pub(super) fn marks(&self, cell: Cell, buffer: &mut Buffer) {
        let Some(rect) = self.geometry.rect(cell) else { return };
        let (theme, lined) = (self.board.theme, self.geometry.lined);
        let is_visible = !self.is_covered(cell);
        let is_last = is_visible && self.board.last.contains(&cell);
        let won = is_visible && self.winning.contains(&cell);
        let sides = |buffer: &mut Buffer, left: &str, right: &str, style: Style| {
            let y = middle(rect).y;
            let style = over_lines(style);
            buffer[(rect.x, y)].set_symbol(left).set_style(style);
            buffer[(rect.right() - 1, y)].set_symbol(right).set_style(style);
        };
        if !lined && won && is_last {
            sides(buffer, ">", "<", theme.role(TextRole::Good));
        } else if !lined && won {
            sides(buffer, "*", "*", theme.role(TextRole::Good));
        } else if self.fading == Some(cell) {
            sides(buffer, ":", ":", theme.role(TextRole::Even));
        } else if is_last && rect.height == 1 {
            sides(buffer, "(", ")", theme.role(TextRole::Title));
        } else if is_last {
            corners(buffer, rect, theme.corners(), theme.role(TextRole::Title));
        } else if !lined && self.is_closing(cell) {
            sides(buffer, "*", "*", theme.role(TextRole::Faint));
        }
        // Among the heavy lines of sub-boards a heavy frame is hard to see.
        let has_note = self.board.notes.iter().any(|(at, _)| *at == cell);
        let is_framed = lined && (self.geometry.nested.is_none() || has_note);
        if !is_framed && self.board.cursor == Some(cell) {
            sides(buffer, "[", "]", theme.role(TextRole::Focus));
        }
    }

    /// Draws an empty cell as a crossing of lines, as on a gomoku board.
    fn crossing(&self, cell: Cell, rect: Rect, buffer: &mut Buffer) {
        let theme = self.board.theme;
        let (rows, cols) =
            self.geometry.nested.unwrap_or((self.geometry.all_rows, self.geometry.all_cols));
        let (row, col) = (cell.row() % rows, cell.col() % cols);
        let (left, right, top, bottom) = (col == 0, col + 1 == cols, row == 0, row + 1 == rows);
        let is_due = self.zone_of(cell).is_some_and(|zone| zone.is_due);
        let set = if is_due { theme.heavy() } else { theme.light() };
        let joint = joint(set, Edges { top, bottom, left, right });
        let style = theme.role(if is_due { TextRole::Focus } else { TextRole::Faint });
        let joint_x = rect.x + (rect.width - 1) / 2;
        for x in rect.x..rect.right() {
            let symbol = match x.cmp(&joint_x) {
                std::cmp::Ordering::Equal => joint,
                std::cmp::Ordering::Less if left => " ",
                std::cmp::Ordering::Greater if right => " ",
                _ => set.horizontal,
            };
            buffer[(x, rect.y)].set_symbol(symbol).set_style(style);
        }
    }

    fn note(&self, note: &Note, rect: Rect, buffer: &mut Buffer) {
        let Some(text) = note.text(rect.width, self.board.theme) else { return };
        for x in rect.x..rect.right() {
            buffer[(x, middle(rect).y)].set_symbol(" ");
        }
        centred(buffer, middle(rect), &text, over_lines(note.style(self.board.theme)));
    }

    fn is_in_closed_zone(&self, cell: Cell) -> bool {
        let zone: Option<Zone> = self.board.game.rules().zone(cell);
        zone.is_some_and(|zone| self.board.game.position().is_closed(zone))
            && !self.winning.contains(&cell)
    }
}

/// A style for what covers faint lines.
fn over_lines(style: Style) -> Style {
    Style::new().remove_modifier(Modifier::DIM).patch(style)
}

/// Centres the lines of a shape.
pub(super) fn draw_shape(shape: &[&str], rect: Rect, style: Style, buffer: &mut Buffer) {
    let top = rect.y + (rect.height - shape.len() as u16) / 2;
    for (y, line) in (top..).zip(shape) {
        centred(buffer, Rect { y, height: 1, ..rect }, line, style);
    }
}

pub(super) fn corners(buffer: &mut Buffer, rect: Rect, symbols: [&str; 4], style: Style) {
    let [a, b, c, d] = symbols;
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    let places = [(rect.x, rect.y, a), (right, rect.y, b), (rect.x, bottom, c), (right, bottom, d)];
    for (x, y, corner) in places {
        buffer[(x, y)].set_symbol(corner).set_style(style);
    }
}

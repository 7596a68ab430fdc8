//! The board.

use noughts_rules::{Cell, Game, Status};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::StatefulWidget;
use unicode_width::UnicodeWidthStr;

use super::grid::{Grid, Viewport};
use super::lines::{Edges, frame, join, joint};
use super::note::Note;
use super::shapes::shape;
use crate::theme::{TextRole, Theme};

/// A board with its overlay.
pub(crate) struct Board<'a> {
    pub(crate) game: &'a Game,
    pub(crate) theme: Theme,
    /// The cursor.
    pub(crate) cursor: Option<Cell>,
    /// The last move.
    pub(crate) last: Option<Cell>,
    /// Notes in empty cells.
    pub(crate) notes: &'a [(Cell, Note)],
}

/// The state of a board between frames.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoardState {
    pub(crate) viewport: Viewport,
    /// Where the cells were drawn last.
    pub(crate) grid: Option<Grid>,
}

impl BoardState {
    /// The cell at a screen position.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        self.grid?.cell_at(x, y)
    }
}

impl StatefulWidget for Board<'_> {
    type State = BoardState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut BoardState) {
        let widest = self.game.players().iter().map(|player| player.symbol().width()).max();
        let widest = u16::try_from(widest.unwrap_or(1)).unwrap_or(u16::MAX).min(40);
        let area = area.intersection(buffer.area);
        state.grid = Grid::fit(self.game.rules(), widest, area, &mut state.viewport);
        let Some(grid) = state.grid else {
            buffer.set_stringn(area.x, area.y, "No room", usize::from(area.width), Style::new());
            return;
        };
        let winning = self.winning();
        self.labels(&grid, buffer);
        if grid.lined {
            self.lines(&grid, &winning, buffer);
        }
        for cell in grid.cells() {
            self.cell(&grid, cell, winning.contains(&cell), buffer);
        }
        if let (true, Some(cursor)) = (grid.lined, self.cursor) {
            let style = self.theme.role(TextRole::Focus);
            frame(buffer, grid.rect(cursor), self.theme.heavy(), style);
        }
    }
}

impl Board<'_> {
    fn winning(&self) -> Vec<Cell> {
        match self.game.status() {
            Status::Won { cells, .. } => cells,
            _ => Vec::new(),
        }
    }

    /// Draws row letters, column numbers, and arrows where the board goes on.
    fn labels(&self, grid: &Grid, buffer: &mut Buffer) {
        let faint = self.theme.role(TextRole::Faint);
        let left = grid.area.x - 2;
        let head = grid.area.y - 1;
        for cell in grid.cells() {
            let Some(rect) = grid.rect(cell) else { continue };
            let focus = |same: bool| if same { self.theme.role(TextRole::Focus) } else { faint };
            if cell.col() == grid.first_col {
                let letter = char::from(b'A' + cell.row()).to_string();
                let style = focus(self.cursor.is_some_and(|cursor| cursor.row() == cell.row()));
                buffer.set_string(left, rect.y + (rect.height - 1) / 2, letter, style);
            }
            if cell.row() == grid.first_row {
                let number = (cell.col() + 1).to_string();
                let style = focus(self.cursor.is_some_and(|cursor| cursor.col() == cell.col()));
                let x = rect.x + (rect.width.saturating_sub(number.len() as u16 - 1)) / 2;
                buffer.set_stringn(x, head, number, usize::from(rect.width), style);
            }
        }
        let more = [
            (grid.first_row > 0, left, head, ("▲", "^")),
            (grid.first_row + grid.rows < grid.all_rows, left, grid.area.bottom(), ("▼", "v")),
            (grid.first_col > 0, left + 1, head, ("◀", "<")),
            (
                grid.first_col + grid.cols < grid.all_cols,
                grid.area.right().saturating_sub(1),
                head,
                ("▶", ">"),
            ),
        ];
        for (_, x, y, (fine, ascii)) in more.into_iter().filter(|(is_more, ..)| *is_more) {
            if let Some(at) = buffer.cell_mut((x, y)) {
                at.set_symbol(self.theme.pick(fine, ascii))
                    .set_style(self.theme.role(TextRole::Key));
            }
        }
    }

    /// Draws the grid lines and the frames of winning cells.
    fn lines(&self, grid: &Grid, winning: &[Cell], buffer: &mut Buffer) {
        let style = self.theme.role(TextRole::Faint);
        let set = self.theme.light();
        let Rect { x, y, width, height } = grid.area;
        let (across, down) = (grid.width + 1, grid.height + 1);
        for row in 0..height {
            for col in 0..width {
                let (on_row, on_col) = (row % down == 0, col % across == 0);
                let symbol = match (on_row, on_col) {
                    (false, false) => continue,
                    (true, false) => set.horizontal,
                    (false, true) => set.vertical,
                    (true, true) => joint(
                        set,
                        Edges {
                            top: row == 0,
                            bottom: row + 1 == height,
                            left: col == 0,
                            right: col + 1 == width,
                        },
                    ),
                };
                buffer[(x + col, y + row)].set_symbol(symbol).set_style(style);
            }
        }
        let style = self.theme.role(TextRole::Good);
        for &cell in winning {
            frame(buffer, grid.rect(cell), self.theme.double(), style);
        }
        for rect in winning.iter().filter_map(|&cell| grid.rect(cell)) {
            join(buffer, rect, self.theme.double());
        }
    }

    fn cell(&self, grid: &Grid, cell: Cell, won: bool, buffer: &mut Buffer) {
        let Some(rect) = grid.rect(cell) else { return };
        if !grid.lined {
            self.crossing(cell, rect, buffer);
        }
        match self.game.position().mark_at(cell) {
            Some(mark) => {
                let symbol = self.game.mark_symbol(mark);
                let mut style = self.theme.mark(mark);
                if won {
                    style = style.add_modifier(Modifier::REVERSED);
                }
                match shape(symbol, rect.width, rect.height, self.theme.ascii) {
                    // A shape would be unrecognisable in reverse video.
                    Some(shape) => {
                        let style = style.remove_modifier(Modifier::REVERSED);
                        let top = rect.y + (rect.height - shape.len() as u16) / 2;
                        for (y, line) in (top..).zip(shape) {
                            centred(buffer, Rect { y, height: 1, ..rect }, line, style);
                        }
                    }
                    None => centred(buffer, middle(rect), symbol.as_str(), style),
                }
            }
            None => {
                if let Some((_, note)) = self.notes.iter().find(|(at, _)| *at == cell) {
                    self.note(note, rect, buffer);
                }
            }
        }
        self.marks(grid, cell, rect, won, buffer);
    }

    /// Marks the last move, winning cells and the cursor by shape, not only by colour.
    fn marks(&self, grid: &Grid, cell: Cell, rect: Rect, won: bool, buffer: &mut Buffer) {
        let is_last = self.last == Some(cell);
        let sides = |buffer: &mut Buffer, left: &str, right: &str, style: Style| {
            let y = middle(rect).y;
            buffer[(rect.x, y)].set_symbol(left).set_style(style);
            buffer[(rect.right() - 1, y)].set_symbol(right).set_style(style);
        };
        if !grid.lined && won && is_last {
            sides(buffer, ">", "<", self.theme.role(TextRole::Good));
        } else if !grid.lined && won {
            sides(buffer, "*", "*", self.theme.role(TextRole::Good));
        } else if is_last && rect.height == 1 {
            sides(buffer, "(", ")", self.theme.role(TextRole::Title));
        } else if is_last {
            let style = self.theme.role(TextRole::Title);
            let [a, b, c, d] = self.theme.corners();
            let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
            for (x, y, corner) in
                [(rect.x, rect.y, a), (right, rect.y, b), (rect.x, bottom, c), (right, bottom, d)]
            {
                buffer[(x, y)].set_symbol(corner).set_style(style);
            }
        }
        if !grid.lined && self.cursor == Some(cell) {
            sides(buffer, "[", "]", self.theme.role(TextRole::Focus));
        }
    }

    /// Draws an empty cell as a crossing of lines, as on a gomoku board.
    fn crossing(&self, cell: Cell, rect: Rect, buffer: &mut Buffer) {
        let set = self.theme.light();
        let (rows, cols) = (self.game.rules().rows(), self.game.rules().cols());
        let (left, right) = (cell.col() == 0, cell.col() + 1 == cols);
        let (top, bottom) = (cell.row() == 0, cell.row() + 1 == rows);
        let joint = joint(set, Edges { top, bottom, left, right });
        let style = self.theme.role(TextRole::Faint);
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
        let Some(text) = note.text(rect.width, self.theme) else { return };
        for x in rect.x..rect.right() {
            buffer[(x, middle(rect).y)].set_symbol(" ");
        }
        centred(buffer, middle(rect), &text, note.style(self.theme));
    }
}

fn middle(rect: Rect) -> Rect {
    Rect { y: rect.y + (rect.height - 1) / 2, height: 1, ..rect }
}

/// Centres a text by its display width, cutting what does not fit.
fn centred(buffer: &mut Buffer, row: Rect, text: &str, style: Style) {
    let width = u16::try_from(text.width()).unwrap_or(u16::MAX);
    let x = row.x + row.width.saturating_sub(width) / 2;
    buffer.set_stringn(x, row.y, text, usize::from(row.width), style);
}

#[cfg(test)]
mod tests;

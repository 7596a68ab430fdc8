//! The board: levels or boards side by side, and boards in boards.

mod content;
pub(crate) mod geometry;
mod labels;
mod lines;
mod zones;

use noughts_rules::{Cell, Game, Status};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;
use unicode_width::UnicodeWidthStr;

use self::geometry::{Geometry, Viewport};
use self::lines::{frame, grid_lines, join};
use self::zones::ZoneView;
use super::note::Note;
use crate::theme::{TextRole, Theme};

/// A board with its overlay.
pub(crate) struct Board<'a> {
    pub(crate) game: &'a Game,
    pub(crate) theme: Theme,
    /// The cursor.
    pub(crate) cursor: Option<Cell>,
    /// The cells of the last move, or of the last turn of several stones.
    pub(crate) last: &'a [Cell],
    /// Notes in empty cells.
    pub(crate) notes: &'a [(Cell, Note)],
}

/// The state of a board between frames.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoardState {
    pub(crate) viewport: Viewport,
    /// Where the cells were drawn last.
    pub(crate) geometry: Option<Geometry>,
}

impl BoardState {
    /// The cell at a screen position.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        self.geometry?.cell_at(x, y)
    }
}

/// A board with what follows from its position and its place on the screen.
struct Canvas<'a> {
    board: &'a Board<'a>,
    geometry: Geometry,
    winning: Vec<Cell>,
    zones: Vec<ZoneView>,
    /// The cell whose mark disappears with the next move.
    fading: Option<Cell>,
}

impl StatefulWidget for Board<'_> {
    type State = BoardState;

    fn render(self, area: Rect, buffer: &mut Buffer, state: &mut BoardState) {
        let widest = self.game.players().iter().map(|player| player.symbol().width()).max();
        let widest = u16::try_from(widest.unwrap_or(1)).unwrap_or(u16::MAX).min(40);
        let area = area.intersection(buffer.area);
        state.geometry = Geometry::fit(self.game.rules(), widest, area, &mut state.viewport);
        let Some(geometry) = state.geometry else {
            buffer.set_stringn(area.x, area.y, "No room", usize::from(area.width), Style::new());
            return;
        };
        let winning = match self.game.status() {
            Status::Won { cells, .. } => cells,
            _ => Vec::new(),
        };
        let zones = zones::views(&self, &geometry, &winning);
        let fading = self.game.position().fading_cell();
        let canvas = Canvas { board: &self, geometry, winning, zones, fading };
        canvas.draw(buffer);
    }
}

impl Canvas<'_> {
    fn draw(&self, buffer: &mut Buffer) {
        self.labels(buffer);
        if self.geometry.lined {
            grid_lines(&self.geometry, self.board.theme, buffer);
        }
        for cell in self.geometry.cells().filter(|&cell| !self.is_covered(cell)) {
            self.content(cell, buffer);
        }
        self.zones(buffer);
        if self.geometry.lined {
            self.frames(buffer);
        }
        for cell in self.geometry.cells() {
            self.marks(cell, buffer);
        }
    }

    /// Frames winning cells, lines that closed a board, and the cursor.
    fn frames(&self, buffer: &mut Buffer) {
        let (theme, geometry) = (self.board.theme, &self.geometry);
        let frame_all = |cells: &[Cell], style: Style, buffer: &mut Buffer| {
            let rects = cells.iter().filter(|&&cell| !self.is_covered(cell));
            let rects: Vec<Rect> = rects.filter_map(|&cell| geometry.rect(cell)).collect();
            rects.iter().for_each(|&rect| frame(buffer, rect, theme.double(), style));
            rects.iter().for_each(|&rect| join(buffer, rect, theme.double()));
        };
        frame_all(&self.closing_lines(), theme.role(TextRole::Faint), buffer);
        frame_all(&self.winning, theme.role(TextRole::Good), buffer);
        if let Some(rect) = self.board.cursor.and_then(|cursor| geometry.rect(cursor)) {
            frame(buffer, rect, theme.heavy(), theme.role(TextRole::Focus));
        }
    }
}

/// The middle line of a cell.
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
mod family_tests;
#[cfg(test)]
mod tests;

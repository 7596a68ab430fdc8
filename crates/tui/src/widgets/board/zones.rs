//! Sub-boards: the board to play, won boards and closed boards.

use noughts_rules::{Cell, Mark, Symbol};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use unicode_width::UnicodeWidthStr;

use super::content::{corners, draw_shape};
use super::geometry::Geometry;
use super::lines::frame;
use super::{Board, Canvas, centred, middle};
use crate::theme::TextRole;
use crate::widgets::shapes::shape;

/// A sub-board on the screen.
pub(super) struct ZoneView {
    /// The inner area, if all of it is visible.
    rect: Option<Rect>,
    /// The mark that won it, which is drawn large over its cells (ultimate).
    winner: Option<Mark>,
    /// Whether the next move must be here.
    pub(super) is_due: bool,
    /// Whether it belongs to the row of boards that won the game.
    is_winning: bool,
    /// Whether the last move was here.
    has_last_move: bool,
}

/// The sub-boards by index; none if the board is one piece.
pub(super) fn views(board: &Board, geometry: &Geometry, winning: &[Cell]) -> Vec<ZoneView> {
    let game = board.game;
    let (rules, position) = (game.rules(), game.position());
    let nested = geometry.nested.is_some();
    let view = |zone| ZoneView {
        rect: geometry.zone_rect(rules, zone).filter(|_| nested),
        winner: position.zone_winner(zone).filter(|_| nested),
        is_due: nested && position.board_to_play() == Some(zone),
        is_winning: nested && winning.iter().any(|&cell| rules.zone(cell) == Some(zone)),
        has_last_move: board.last.iter().any(|&cell| rules.zone(cell) == Some(zone)),
    };
    rules.zones().map(view).collect()
}

impl Canvas<'_> {
    pub(super) fn zone_of(&self, cell: Cell) -> Option<&ZoneView> {
        self.zones.get(self.board.game.rules().zone(cell)?.index())
    }

    /// Whether the mark of the winner of a sub-board covers the cell.
    pub(super) fn is_covered(&self, cell: Cell) -> bool {
        self.zone_of(cell).is_some_and(|zone| zone.winner.is_some() && zone.rect.is_some())
    }

    /// Whether the cell is part of a line that closed one of several boards.
    pub(super) fn is_closing(&self, cell: Cell) -> bool {
        !self.zones.is_empty()
            && self.geometry.nested.is_none()
            && self.board.game.position().is_on_line(cell)
    }

    pub(super) fn closing_lines(&self) -> Vec<Cell> {
        self.geometry.cells().filter(|&cell| self.is_closing(cell)).collect()
    }

    /// Draws winners over their boards, and frames the board to play.
    pub(super) fn zones(&self, buffer: &mut Buffer) {
        let (theme, lined) = (self.board.theme, self.geometry.lined);
        for zone in &self.zones {
            let Some(rect) = zone.rect else { continue };
            if let Some(mark) = zone.winner {
                let symbol = self.board.game.mark_symbol(mark);
                large_mark(symbol, rect, theme.mark(mark), theme.ascii, buffer);
            }
            if zone.winner.is_some() && zone.has_last_move {
                corners(buffer, rect, theme.corners(), theme.role(TextRole::Title));
            }
            let good = theme.role(TextRole::Good);
            if zone.is_winning && lined {
                frame(buffer, rect, theme.double(), good);
            } else if zone.is_winning {
                corners(buffer, rect, ["*"; 4], good);
            } else if zone.is_due && lined {
                frame(buffer, rect, theme.double(), theme.role(TextRole::Focus));
            }
        }
    }
}

/// Fills the area with one large mark.
fn large_mark(symbol: &Symbol, rect: Rect, style: Style, ascii: bool, buffer: &mut Buffer) {
    for y in rect.y..rect.bottom() {
        for x in rect.x..rect.right() {
            buffer[(x, y)].reset();
        }
    }
    if let Some(shape) = shape(symbol, rect.width, rect.height, ascii) {
        draw_shape(shape, rect, style, buffer);
        return;
    }
    // A square of the same symbol.
    const SIDE: usize = 3;
    let width = symbol.as_str().width().max(1);
    let line = symbol.as_str().repeat((usize::from(rect.width) / width).clamp(1, SIDE));
    let height = rect.height.min(SIDE as u16);
    let top = middle(rect).y - (height - 1) / 2;
    for y in top..top + height {
        centred(buffer, Rect { y, height: 1, ..rect }, &line, style);
    }
}

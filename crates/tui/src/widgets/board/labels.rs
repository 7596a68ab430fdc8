//! Row letters, column numbers, names of levels, and arrows where the board goes on.

use noughts_rules::{Cell, Shape, Zone};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Canvas, centred, middle};
use crate::theme::TextRole;

impl Canvas<'_> {
    pub(super) fn labels(&self, buffer: &mut Buffer) {
        let geometry = &self.geometry;
        for cell in geometry.cells() {
            let (Some(rect), Some(block)) =
                (geometry.rect(cell), geometry.block_area(cell.level()))
            else {
                continue;
            };
            if cell.col() == geometry.first_col {
                let letter = char::from(b'A' + cell.row()).to_string();
                let style = self.label_style(cell, |cell| cell.row());
                buffer.set_string(block.x - 2, middle(rect).y, letter, style);
            }
            if cell.row() == geometry.first_row {
                let number = (cell.col() + 1).to_string();
                let style = self.label_style(cell, |cell| cell.col());
                let x = rect.x + (rect.width.saturating_sub(number.len() as u16 - 1)) / 2;
                buffer.set_stringn(x, block.y - 1, number, usize::from(rect.width), style);
            }
        }
        if geometry.all_blocks > 1 {
            geometry.visible_blocks().for_each(|block| self.block_name(block, buffer));
        }
        self.arrows(buffer);
    }

    /// Labels of the cursor's row, column and level stand out.
    fn label_style(&self, cell: Cell, part: impl Fn(Cell) -> u8) -> ratatui::style::Style {
        let is_cursors =
            |cursor: Cell| cursor.level() == cell.level() && part(cursor) == part(cell);
        let focus = self.board.cursor.is_some_and(is_cursors);
        self.board.theme.role(if focus { TextRole::Focus } else { TextRole::Faint })
    }

    /// The name of a level or board above it, or only its number where there is no room.
    fn block_name(&self, block: u8, buffer: &mut Buffer) {
        let Some(area) = self.geometry.block_area(block) else { return };
        let rules = self.board.game.rules();
        let focus = self.board.cursor.is_some_and(|cursor| cursor.level() == block);
        let role = if focus { TextRole::Focus } else { TextRole::Title };
        let zone = rules.zones().nth(block.into());
        let is_closed = |zone: Zone| self.board.game.position().is_closed(zone);
        let role = if zone.is_some_and(is_closed) { TextRole::Faint } else { role };
        let style = self.board.theme.role(role);
        if self.geometry.heading == 1 {
            buffer.set_string(area.x - 2, area.y - 1, (block + 1).to_string(), style);
            return;
        }
        let kind = if matches!(rules.shape(), Shape::Boards { .. }) { "Board" } else { "Level" };
        let closed = if zone.is_some_and(is_closed) { ", closed" } else { "" };
        let row = Rect { x: area.x - 2, y: area.y - 2, width: area.width + 2, height: 1 };
        let name = format!("{kind} {}{closed}", block + 1);
        centred(buffer, row, &name, style);
    }

    fn arrows(&self, buffer: &mut Buffer) {
        let geometry = &self.geometry;
        let Some(block) = geometry.block_area(geometry.first_block) else { return };
        let (left, head) = (block.x - 2, block.y - 1);
        // The number of a level is where the arrows of a flat board are.
        let up = if geometry.all_blocks > 1 { left + 1 } else { left };
        let above = geometry.first_row > 0 || geometry.first_block > 0;
        let below = geometry.first_row + geometry.rows < geometry.all_rows
            || geometry.first_block + geometry.blocks < geometry.all_blocks;
        let before = geometry.first_col > 0;
        let after = geometry.first_col + geometry.cols < geometry.all_cols;
        let more = [
            (before, left + 1, head, ("◀", "<")),
            (above, up, head, ("▲", "^")),
            (below, left, geometry.area.bottom(), ("▼", "v")),
            (after, block.right().saturating_sub(1), head, ("▶", ">")),
        ];
        for (_, x, y, (fine, ascii)) in more.into_iter().filter(|(is_more, ..)| *is_more) {
            if let Some(at) = buffer.cell_mut((x, y)) {
                at.set_symbol(self.board.theme.pick(fine, ascii))
                    .set_style(self.board.theme.role(TextRole::Key));
            }
        }
    }
}

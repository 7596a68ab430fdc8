//! Box-drawing lines around and between the cells of a board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::line;

use super::geometry::Geometry;
use crate::theme::{TextRole, Theme};

/// Draws the grid lines of all blocks, heavy ones between sub-boards.
pub(super) fn grid_lines(geometry: &Geometry, theme: Theme, buffer: &mut Buffer) {
    let style = theme.role(TextRole::Faint);
    let (across, down) = (geometry.width + 1, geometry.height + 1);
    // Every how many lines of cells a heavy one stands.
    let (heavy_rows, heavy_cols) = geometry.nested.unwrap_or((0, 0));
    let is_heavy = |line: u16, every: u8| every > 0 && line.is_multiple_of(every.into());
    for block in geometry.visible_blocks() {
        let Some(Rect { x, y, width, height }) = geometry.block_area(block) else { continue };
        for (row, col) in (0..height).flat_map(|row| (0..width).map(move |col| (row, col))) {
            let (on_row, on_col) = (row % down == 0, col % across == 0);
            if !on_row && !on_col {
                continue;
            }
            let row_heavy = on_row && is_heavy(row / down, heavy_rows);
            let col_heavy = on_col && is_heavy(col / across, heavy_cols);
            let set = theme.mixed(row_heavy, col_heavy);
            let symbol = match (on_row, on_col) {
                (_, false) => set.horizontal,
                (false, _) => set.vertical,
                (true, true) => {
                    let (top, left) = (row == 0, col == 0);
                    let (bottom, right) = (row + 1 == height, col + 1 == width);
                    joint(set, Edges { top, bottom, left, right })
                }
            };
            buffer[(x + col, y + row)].set_symbol(symbol).set_style(style);
        }
    }
}

/// The edges of the board that a crossing lies on.
pub(super) struct Edges {
    pub(super) top: bool,
    pub(super) bottom: bool,
    pub(super) left: bool,
    pub(super) right: bool,
}

/// The character where two lines meet.
pub(super) fn joint<'a>(set: line::Set<'a>, edges: Edges) -> &'a str {
    match (edges.top, edges.bottom, edges.left, edges.right) {
        (true, true, ..) => set.horizontal,
        (_, _, true, true) => set.vertical,
        (true, _, true, _) => set.top_left,
        (true, _, _, true) => set.top_right,
        (_, true, true, _) => set.bottom_left,
        (_, true, _, true) => set.bottom_right,
        (true, ..) => set.horizontal_down,
        (_, true, ..) => set.horizontal_up,
        (_, _, true, _) => set.vertical_right,
        (_, _, _, true) => set.vertical_left,
        _ => set.cross,
    }
}

/// Joins the corners of a frame to those of neighbouring frames.
pub(super) fn join(buffer: &mut Buffer, inside: Rect, set: line::Set) {
    for x in [inside.x - 1, inside.right()] {
        for y in [inside.y - 1, inside.bottom()] {
            let goes = |x: Option<u16>, y: Option<u16>, along: &str| {
                let at = x.zip(y).and_then(|at| buffer.cell(at));
                at.is_some_and(|at| at.symbol() == along)
            };
            let up = goes(Some(x), y.checked_sub(1), set.vertical);
            let down = goes(Some(x), y.checked_add(1), set.vertical);
            let left = goes(x.checked_sub(1), Some(y), set.horizontal);
            let right = goes(x.checked_add(1), Some(y), set.horizontal);
            let symbol = match (up, down, left, right) {
                (true, true, true, true) => set.cross,
                (true, true, true, false) => set.vertical_left,
                (true, true, false, true) => set.vertical_right,
                (true, false, true, true) => set.horizontal_up,
                (false, true, true, true) => set.horizontal_down,
                _ => continue,
            };
            buffer[(x, y)].set_symbol(symbol);
        }
    }
}

/// Draws a frame around a cell or a sub-board.
pub(super) fn frame(buffer: &mut Buffer, inside: Rect, set: line::Set, style: Style) {
    let (left, right) = (inside.x - 1, inside.right());
    let (top, bottom) = (inside.y - 1, inside.bottom());
    let mut put = |x, y, symbol: &str| {
        // Frames are not faint.
        buffer[(x, y)].set_symbol(symbol).set_style(Style::reset().patch(style));
    };
    for x in left + 1..right {
        put(x, top, set.horizontal);
        put(x, bottom, set.horizontal);
    }
    for y in top + 1..bottom {
        put(left, y, set.vertical);
        put(right, y, set.vertical);
    }
    put(left, top, set.top_left);
    put(right, top, set.top_right);
    put(left, bottom, set.bottom_left);
    put(right, bottom, set.bottom_right);
}

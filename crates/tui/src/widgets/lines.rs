//! Box-drawing lines around and between the cells of a board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::line;

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

/// Draws a frame around a cell.
pub(super) fn frame(buffer: &mut Buffer, inside: Option<Rect>, set: line::Set, style: Style) {
    let Some(inside) = inside else { return };
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

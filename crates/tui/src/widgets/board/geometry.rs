//! Where the cells of a board are on the screen: one place for drawing, the mouse and the cursor.
//!
//! A board is one or more blocks: its levels, or boards side by side. Blocks stand beside each other
//! and wrap into rows in narrow windows. What does not fit scrolls.

use noughts_rules::{Cell, Rules, Shape, Zone};
use ratatui::layout::Rect;

/// Columns for row letters, and rows for column numbers.
const ROW_LABEL_WIDTH: u16 = 2;
const COLUMN_LABEL_HEIGHT: u16 = 1;

/// Columns between blocks.
const BLOCK_GAP: u16 = 1;

/// Inner sizes of cells with grid lines, largest first: columns and rows.
const CELL_SIZES: [(u16, u16); 7] = [(15, 7), (11, 5), (9, 3), (7, 3), (6, 2), (5, 1), (3, 1)];

/// The visible part of a board that is larger than the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Viewport {
    first_block: u8,
    first_row: u8,
    first_col: u8,
    /// Steps down and right to scroll in the next frame.
    scroll: (i8, i8),
    /// A cell to scroll into view in the next frame.
    follow: Option<Cell>,
}

impl Viewport {
    /// Scrolls the cell into view in the next frame.
    pub(crate) fn follow(&mut self, cell: Cell) {
        self.follow = Some(cell);
    }

    pub(crate) fn scroll(&mut self, down: i8, right: i8) {
        let (rows, cols) = self.scroll;
        self.scroll = (rows.saturating_add(down), cols.saturating_add(right));
    }
}

/// The layout of the visible cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// The inner size of a cell.
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Whether grid lines separate the cells. Otherwise cells are crossings of lines.
    pub(crate) lined: bool,
    /// Lines above a block: column numbers, and the name of the block above them if there is room.
    pub(crate) heading: u16,
    /// The visible rows and columns of every block.
    pub(crate) first_row: u8,
    pub(crate) first_col: u8,
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    /// All rows and columns of a block.
    pub(crate) all_rows: u8,
    pub(crate) all_cols: u8,
    /// The visible blocks, and how many stand beside each other.
    pub(crate) first_block: u8,
    pub(crate) blocks: u8,
    pub(crate) all_blocks: u8,
    pub(crate) across: u8,
    /// Rows and columns of a sub-board, where boards are nested.
    pub(crate) nested: Option<(u8, u8)>,
    /// The area of all visible blocks with their labels.
    pub(crate) area: Rect,
}

impl Geometry {
    /// The largest layout that fits, centred; `None` if not even one cell fits. `widest` is the width
    /// of the widest symbol.
    pub(crate) fn fit(
        rules: &Rules,
        widest: u16,
        area: Rect,
        viewport: &mut Viewport,
    ) -> Option<Geometry> {
        let nested = match rules.shape() {
            Shape::Nested { rows, cols } => Some((rows, cols)),
            _ => None,
        };
        let whole = Geometry {
            width: (widest + 2).max(3),
            height: 1,
            lined: false,
            heading: COLUMN_LABEL_HEIGHT,
            first_row: 0,
            first_col: 0,
            rows: rules.rows(),
            cols: rules.cols(),
            all_rows: rules.rows(),
            all_cols: rules.cols(),
            first_block: 0,
            blocks: rules.levels(),
            all_blocks: rules.levels(),
            across: rules.levels(),
            nested,
            area: Rect::default(),
        };
        let fitting = whole.lined(widest, area).or_else(|| {
            let layouts = whole.arrangements().map(|across| Geometry { across, ..whole });
            layouts.into_iter().find(|layout| layout.fits(area))
        });
        let mut layout = match fitting {
            Some(layout) => {
                *viewport = Viewport::default();
                layout
            }
            None => whole.show_part(area, viewport)?,
        };
        let (width, height) = layout.size();
        layout.area = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        Some(layout)
    }

    /// The whole board with grid lines. Blocks side by side count more than their names, and these
    /// more than large cells.
    fn lined(self, widest: u16, area: Rect) -> Option<Geometry> {
        // Wide symbols are centred in cells of even width.
        let even = u16::from(widest.is_multiple_of(2));
        let sizes = CELL_SIZES.map(|(width, height)| (width + width % 2 * even, height));
        let sizes = sizes.into_iter().filter(move |&(width, _)| width >= widest + 2);
        let names = if self.all_blocks > 1 { 1 } else { 0 };
        let headings = [COLUMN_LABEL_HEIGHT + names, COLUMN_LABEL_HEIGHT];
        let mut layouts = self.arrangements().flat_map(|across| {
            let sizes = sizes.clone();
            headings.into_iter().flat_map(move |heading| {
                let layout = Geometry { heading, across, lined: true, ..self };
                sizes.clone().map(move |(width, height)| Geometry { width, height, ..layout })
            })
        });
        layouts.find(|layout| layout.fits(area))
    }

    /// How many blocks to put beside each other, most first; the last row is as full as possible.
    fn arrangements(self) -> impl Iterator<Item = u8> {
        let blocks = self.all_blocks;
        (1..=blocks).rev().filter(move |&across| blocks.div_ceil(blocks.div_ceil(across)) == across)
    }

    fn fits(self, area: Rect) -> bool {
        let (width, height) = self.size();
        width <= area.width && height <= area.height
    }

    /// Columns and lines of the visible blocks with their labels.
    fn size(self) -> (u16, u16) {
        let (across, down) = (self.across.min(self.blocks), self.blocks.div_ceil(self.across));
        let pitch = self.block_pitch();
        (u16::from(across) * pitch.0 - BLOCK_GAP, u16::from(down) * pitch.1)
    }

    /// The distance between blocks.
    fn block_pitch(self) -> (u16, u16) {
        let (width, height) = self.block_size();
        (ROW_LABEL_WIDTH + width + BLOCK_GAP, self.heading + height)
    }

    /// The size of a block with its grid lines, without labels.
    fn block_size(self) -> (u16, u16) {
        let (line, pitch) = (u16::from(self.lined), self.pitch());
        (u16::from(self.cols) * pitch.0 + line, u16::from(self.rows) * pitch.1 + line)
    }

    /// The distance between cells.
    fn pitch(self) -> (u16, u16) {
        let line = u16::from(self.lined);
        (self.width + line, self.height + line)
    }

    /// Shows the blocks that fit, or the rows and columns of one block.
    fn show_part(mut self, area: Rect, viewport: &mut Viewport) -> Option<Geometry> {
        let follow = viewport.follow.take();
        let (down, right) = std::mem::take(&mut viewport.scroll);
        // The last line is for the arrow.
        let height = area.height.saturating_sub(1);
        let fits = |room: u16, size: u16, all: u8| {
            u8::try_from(room / size).map_or(all, |number| number.min(all))
        };
        let pitch = self.block_pitch();
        self.across = fits(area.width + BLOCK_GAP, pitch.0, self.all_blocks).max(1);
        let down_blocks = fits(height, pitch.1, self.all_blocks).max(1);
        self.blocks = self.across.saturating_mul(down_blocks).min(self.all_blocks);
        let room = |all: u16, label: u16| all.checked_sub(label);
        self.cols = fits(room(area.width, ROW_LABEL_WIDTH)?, self.width, self.all_cols);
        let heading = self.heading;
        self.rows = fits(room(area.height, heading)?, self.height, self.all_rows);
        if self.rows < self.all_rows || self.blocks < self.all_blocks {
            self.rows = fits(room(height, heading)?, self.height, self.all_rows);
        }
        if self.rows == 0 || self.cols == 0 {
            return None;
        }
        let row = viewport.first_row.saturating_add_signed(down);
        let last_row = self.all_rows - self.rows;
        // The wheel goes on to the next block at the end of a block.
        let leaves_block =
            if down < 0 { viewport.first_row == 0 } else { viewport.first_row >= last_row };
        viewport.first_row = row.min(last_row);
        if leaves_block && self.blocks < self.all_blocks && down != 0 {
            let by = down.signum().saturating_mul(self.across as i8);
            viewport.first_block = viewport.first_block.saturating_add_signed(by);
            viewport.first_row = if down < 0 { last_row } else { 0 };
        }
        viewport.first_col = viewport.first_col.saturating_add_signed(right);
        if let Some(cell) = follow {
            viewport.first_row = into_sight(viewport.first_row, self.rows, cell.row());
            viewport.first_col = into_sight(viewport.first_col, self.cols, cell.col());
            let (first, level) = (viewport.first_block, cell.level());
            if level < first || level >= first.saturating_add(self.blocks) {
                viewport.first_block = level / self.across * self.across;
            }
        }
        viewport.first_row = viewport.first_row.min(last_row);
        viewport.first_col = viewport.first_col.min(self.all_cols - self.cols);
        // Whole rows of blocks, the last of which may be shorter.
        let last_block =
            (self.all_blocks - self.blocks).div_ceil(self.across).saturating_mul(self.across);
        viewport.first_block = viewport.first_block.min(last_block);
        self.first_block = viewport.first_block;
        self.blocks = self.blocks.min(self.all_blocks - self.first_block);
        (self.first_row, self.first_col) = (viewport.first_row, viewport.first_col);
        Some(self)
    }

    /// The visible blocks.
    pub(crate) fn visible_blocks(&self) -> impl Iterator<Item = u8> + use<> {
        self.first_block..self.first_block + self.blocks
    }

    /// The area of a block's cells with their grid lines, without labels.
    pub(crate) fn block_area(&self, block: u8) -> Option<Rect> {
        let place = block.checked_sub(self.first_block).filter(|&place| place < self.blocks)?;
        let (right, down) = (u16::from(place % self.across), u16::from(place / self.across));
        let (width, height) = self.block_size();
        Some(Rect {
            x: self.area.x + right * self.block_pitch().0 + ROW_LABEL_WIDTH,
            y: self.area.y + down * self.block_pitch().1 + self.heading,
            width,
            height,
        })
    }

    /// The inner area of a cell, if it is visible.
    pub(crate) fn rect(&self, cell: Cell) -> Option<Rect> {
        let area = self.block_area(cell.level())?;
        let (row, col) =
            (cell.row().checked_sub(self.first_row)?, cell.col().checked_sub(self.first_col)?);
        if row >= self.rows || col >= self.cols {
            return None;
        }
        let (line, pitch) = (u16::from(self.lined), self.pitch());
        Some(Rect {
            x: area.x + line + u16::from(col) * pitch.0,
            y: area.y + line + u16::from(row) * pitch.1,
            width: self.width,
            height: self.height,
        })
    }

    /// The inner area of a sub-board with the lines between its cells, if all of it is visible.
    pub(crate) fn zone_rect(&self, rules: &Rules, zone: Zone) -> Option<Rect> {
        let mut cells = rules.zone_cells(zone);
        let first = self.rect(cells.next()?)?;
        let last = cells.last().map_or(Some(first), |cell| self.rect(cell))?;
        Some(first.union(last))
    }

    /// The cell at a screen position. The line before a cell belongs to it.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        self.visible_blocks().find_map(|block| {
            let area = self.block_area(block)?;
            let (right, down) = (x.checked_sub(area.x)?, y.checked_sub(area.y)?);
            let (col, row) = (right / self.pitch().0, down / self.pitch().1);
            if row >= u16::from(self.rows) || col >= u16::from(self.cols) {
                return None;
            }
            Cell::in_space(block, self.first_row + row as u8, self.first_col + col as u8)
        })
    }

    /// The visible cells, block by block and row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let rows = self.first_row..self.first_row + self.rows;
        let cols = self.first_col..self.first_col + self.cols;
        self.visible_blocks().flat_map(move |block| {
            let cols = cols.clone();
            rows.clone().flat_map(move |row| {
                cols.clone().filter_map(move |col| Cell::in_space(block, row, col))
            })
        })
    }
}

/// The cell some steps down and right on the screen, where this many blocks stand beside each other.
/// Steps go on in the next block, and end at the edge of the board.
pub(crate) fn walk(rules: &Rules, across: u8, from: Cell, down: i16, right: i16) -> Cell {
    let across = i16::from(across.clamp(1, rules.levels()));
    let [rows, cols, levels] = [rules.rows(), rules.cols(), rules.levels()].map(i16::from);
    let (block_row, block_col) =
        (i16::from(from.level()) / across, i16::from(from.level()) % across);
    // Rows and columns of the whole screen.
    let blocks_in_row = across.min(levels - block_row * across);
    let col = (block_col * cols + i16::from(from.col()) + right).clamp(0, blocks_in_row * cols - 1);
    let blocks_in_col = (levels - col / cols + across - 1) / across;
    let row = (block_row * rows + i16::from(from.row()) + down).clamp(0, blocks_in_col * rows - 1);
    let level = row / rows * across + col / cols;
    Cell::in_space(level as u8, (row % rows) as u8, (col % cols) as u8).unwrap_or(from)
}

/// The first row to show so that `wanted` is visible, with some rows around it.
fn into_sight(first: u8, shown: u8, wanted: u8) -> u8 {
    let around = 2.min((shown - 1) / 2);
    first.clamp((wanted + 1 + around).saturating_sub(shown), wanted.saturating_sub(around))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(rules: &Rules, width: u16, height: u16) -> Option<Geometry> {
        let area = Rect::new(3, 2, width, height);
        Geometry::fit(rules, 1, area, &mut Viewport::default())
    }

    #[test]
    fn cells_use_the_window() {
        let size = |rules: &str| {
            let grid = fit(&rules.parse().unwrap(), 52, 20).unwrap();
            (grid.width, grid.height, grid.lined)
        };
        assert_eq!(size("3x3"), (11, 5, true));
        assert_eq!(size("4x4"), (9, 3, true));
        assert_eq!(size("connect4"), (6, 2, true));
        assert_eq!(size("gomoku"), (3, 1, false));
        assert_eq!(size("ultimate"), (3, 1, true));
        let gomoku = fit(&"gomoku".parse().unwrap(), 52, 20).unwrap();
        assert_eq!((gomoku.rows, gomoku.cols), (15, 15));
    }

    #[test]
    fn blocks_wrap_in_narrow_windows() {
        let arrangement = |rules: &str, width, height| {
            let grid = fit(&rules.parse().unwrap(), width, height).unwrap();
            (grid.across, grid.blocks, grid.lined)
        };
        assert_eq!(arrangement("4x4x4", 110, 22), (4, 4, true));
        assert_eq!(arrangement("4x4x4", 52, 22), (2, 4, true));
        assert_eq!(arrangement("4x4x4", 60, 6), (4, 4, false));
        assert_eq!(arrangement("4x4x4", 20, 20), (1, 4, false));
        assert_eq!(arrangement("3x3+notakto+5b", 60, 30), (3, 5, true));
        // Blocks that do not fit are scrolled.
        assert_eq!(arrangement("4x4x4", 20, 12), (1, 2, false));
        assert_eq!(arrangement("4x4x4", 12, 4), (1, 1, false));
    }

    #[test]
    fn any_window_shows_whole_cells() {
        for rules in
            ["1x1", "3x3", "1x26:5", "26x26:5", "connect4", "4x4x4", "ultimate", "3x2x16:2"]
        {
            let rules = rules.parse().unwrap();
            for width in (0..140).step_by(3) {
                for height in 0..60 {
                    let Some(grid) = fit(&rules, width, height) else { continue };
                    let area = Rect::new(3, 2, width, height);
                    for cell in grid.cells() {
                        let rect = grid.rect(cell).unwrap();
                        assert_eq!(area.intersection(rect), rect, "{rules} {width}x{height}");
                        assert_eq!(grid.cell_at(rect.x, rect.y), Some(cell));
                        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
                        assert_eq!(grid.cell_at(right, bottom), Some(cell));
                    }
                }
            }
        }
    }

    #[test]
    fn viewport_follows_the_cursor() {
        for (rules, names) in
            [("26x26:5", ["A1", "Z26", "M13", "A26"]), ("7x8x16:5", ["A1", "16G8", "3A8", "10E5"])]
        {
            let rules = rules.parse().unwrap();
            for area in [Rect::new(0, 0, 50, 20), Rect::new(0, 0, 12, 5)] {
                let mut viewport = Viewport::default();
                for name in names {
                    let cell = name.parse().unwrap();
                    viewport.follow(cell);
                    let grid = Geometry::fit(&rules, 1, area, &mut viewport).unwrap();
                    assert!(grid.rect(cell).is_some(), "{name}");
                }
            }
        }
    }

    #[test]
    fn wheel_scrolls_rows_and_blocks() {
        let fit = |rules: &str, area, viewport: &mut Viewport| {
            Geometry::fit(&rules.parse().unwrap(), 1, area, viewport).unwrap()
        };
        let area = Rect::new(0, 0, 50, 20);
        let mut viewport = Viewport::default();
        viewport.scroll(i8::MAX, i8::MIN);
        let grid = fit("26x26:5", area, &mut viewport);
        assert_eq!((grid.first_row, grid.first_col), (26 - 18, 0));
        let mut viewport = Viewport::default();
        let area = Rect::new(0, 0, 16, 6);
        let mut first_blocks = Vec::new();
        for down in [0, 1, 1, 1, 1, -1] {
            viewport.scroll(down, 0);
            first_blocks.push(fit("4x4x4", area, &mut viewport).first_block);
        }
        assert_eq!(first_blocks, [0, 1, 2, 3, 3, 2]);
    }

    #[test]
    fn steps_cross_into_the_next_block() {
        let step = |across, from: &str, down, right| {
            let rules = "4x4x4".parse().unwrap();
            walk(&rules, across, from.parse().unwrap(), down, right).to_string()
        };
        assert_eq!(step(4, "B4", 0, 1), "2B1");
        assert_eq!(step(4, "2B1", 0, -1), "B4");
        assert_eq!(step(4, "4B4", 0, 1), "4B4");
        assert_eq!(step(2, "D2", 1, 0), "3A2");
        assert_eq!(step(2, "3A2", -1, 0), "D2");
        assert_eq!(step(1, "D2", 1, 0), "2A2");
        assert_eq!(step(4, "B2", 0, 100), "4B4");
        // Below the second of three blocks there is none.
        let rules = "3x3+notakto+3b".parse().unwrap();
        assert_eq!(walk(&rules, 2, "2C1".parse().unwrap(), 1, 0).to_string(), "2C1");
        assert_eq!(walk(&rules, 2, "3A3".parse().unwrap(), 0, 1).to_string(), "3A3");
    }
}

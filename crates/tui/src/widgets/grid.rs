//! The layout of a board's cells on the screen.

use noughts_rules::{Cell, Rules};
use ratatui::layout::Rect;

/// Columns for row letters, and rows for column numbers.
const ROW_LABEL_WIDTH: u16 = 2;
const COLUMN_LABEL_HEIGHT: u16 = 1;

/// Inner sizes of cells with grid lines, largest first: columns and rows.
const CELL_SIZES: [(u16, u16); 7] = [(15, 7), (11, 5), (9, 3), (7, 3), (6, 2), (5, 1), (3, 1)];

/// The visible part of a board that is larger than the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Viewport {
    first_row: u8,
    first_col: u8,
    /// A cell to scroll into view in the next frame.
    follow: Option<Cell>,
}

impl Viewport {
    /// Scrolls the cell into view in the next frame.
    pub(crate) fn follow(&mut self, cell: Cell) {
        self.follow = Some(cell);
    }

    pub(crate) fn scroll(&mut self, down: i8, right: i8) {
        self.first_row = self.first_row.saturating_add_signed(down);
        self.first_col = self.first_col.saturating_add_signed(right);
    }
}

/// The layout of the visible cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grid {
    /// The area of the cells with their grid lines, without labels.
    pub(crate) area: Rect,
    /// The inner size of a cell.
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// Whether grid lines separate the cells. Otherwise cells are crossings of lines.
    pub(crate) lined: bool,
    pub(crate) first_row: u8,
    pub(crate) first_col: u8,
    /// The visible rows and columns.
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    /// All rows and columns.
    pub(crate) all_rows: u8,
    pub(crate) all_cols: u8,
}

impl Grid {
    /// The largest grid that fits, centred; `None` if not even one cell fits. `widest` is the width
    /// of the widest symbol.
    pub(crate) fn fit(
        rules: &Rules,
        widest: u16,
        area: Rect,
        viewport: &mut Viewport,
    ) -> Option<Grid> {
        let room = (
            area.width.checked_sub(ROW_LABEL_WIDTH)?,
            area.height.checked_sub(COLUMN_LABEL_HEIGHT)?,
        );
        let (rows, cols) = (u16::from(rules.rows()), u16::from(rules.cols()));
        // Wide symbols are centred in cells of even width.
        let even = u16::from(widest.is_multiple_of(2));
        let lined = CELL_SIZES
            .into_iter()
            .map(|(width, height)| (width + width % 2 * even, height))
            .filter(|&(width, _)| width >= widest + 2)
            .find(|(width, height)| cols * (width + 1) < room.0 && rows * (height + 1) < room.1);
        let mut grid = Grid {
            area: Rect::default(),
            width: (widest + 2).max(3),
            height: 1,
            lined: lined.is_some(),
            first_row: 0,
            first_col: 0,
            rows: rules.rows(),
            cols: rules.cols(),
            all_rows: rules.rows(),
            all_cols: rules.cols(),
        };
        if let Some((width, height)) = lined {
            (grid.width, grid.height) = (width, height);
            *viewport = Viewport::default();
        } else {
            grid.show_part(room, viewport)?;
        }
        let line = u16::from(grid.lined);
        let (width, height) =
            (grid.cols() * grid.pitch().0 + line, grid.rows() * grid.pitch().1 + line);
        grid.area = Rect {
            x: area.x + ROW_LABEL_WIDTH + (room.0 - width) / 2,
            y: area.y + COLUMN_LABEL_HEIGHT + (room.1 - height) / 2,
            width,
            height,
        };
        Some(grid)
    }

    /// Shows the rows and columns that fit.
    fn show_part(&mut self, (width, height): (u16, u16), viewport: &mut Viewport) -> Option<()> {
        let fits = |room: u16, all: u8| u8::try_from(room).map_or(all, |room| room.min(all));
        self.rows = fits(height, self.all_rows);
        if self.rows < self.all_rows {
            // The last row is for the arrow.
            self.rows = fits(height.saturating_sub(1), self.all_rows);
        }
        self.cols = fits(width / self.width, self.all_cols);
        if self.rows == 0 || self.cols == 0 {
            return None;
        }
        if let Some(cell) = viewport.follow.take() {
            viewport.first_row = into_sight(viewport.first_row, self.rows, cell.row());
            viewport.first_col = into_sight(viewport.first_col, self.cols, cell.col());
        }
        viewport.first_row = viewport.first_row.min(self.all_rows - self.rows);
        viewport.first_col = viewport.first_col.min(self.all_cols - self.cols);
        (self.first_row, self.first_col) = (viewport.first_row, viewport.first_col);
        Some(())
    }

    fn rows(&self) -> u16 {
        u16::from(self.rows)
    }

    fn cols(&self) -> u16 {
        u16::from(self.cols)
    }

    /// The distance between cells.
    fn pitch(&self) -> (u16, u16) {
        let line = u16::from(self.lined);
        (self.width + line, self.height + line)
    }

    /// The inner area of a cell, if it is visible.
    pub(crate) fn rect(&self, cell: Cell) -> Option<Rect> {
        let (row, col) =
            (cell.row().checked_sub(self.first_row)?, cell.col().checked_sub(self.first_col)?);
        if row >= self.rows || col >= self.cols {
            return None;
        }
        let (line, pitch) = (u16::from(self.lined), self.pitch());
        Some(Rect {
            x: self.area.x + line + u16::from(col) * pitch.0,
            y: self.area.y + line + u16::from(row) * pitch.1,
            width: self.width,
            height: self.height,
        })
    }

    /// The cell at a screen position. The line before a cell belongs to it.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let (right, down) = (x.checked_sub(self.area.x)?, y.checked_sub(self.area.y)?);
        let (col, row) = (right / self.pitch().0, down / self.pitch().1);
        if row >= self.rows() || col >= self.cols() {
            return None;
        }
        Cell::new(self.first_row + row as u8, self.first_col + col as u8)
    }

    /// The visible cells, row by row.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let cols = self.first_col..self.first_col + self.cols;
        (self.first_row..self.first_row + self.rows)
            .flat_map(move |row| cols.clone().filter_map(move |col| Cell::new(row, col)))
    }
}

/// The first row to show so that `wanted` is visible, with some rows around it.
fn into_sight(first: u8, shown: u8, wanted: u8) -> u8 {
    let around = 2.min((shown - 1) / 2);
    first.clamp((wanted + 1 + around).saturating_sub(shown), wanted.saturating_sub(around))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(rules: &str, width: u16, height: u16) -> Option<Grid> {
        let area = Rect::new(3, 2, width, height);
        Grid::fit(&rules.parse().unwrap(), 1, area, &mut Viewport::default())
    }

    #[test]
    fn cells_use_the_window() {
        let size = |rules: &str| {
            let grid = fit(rules, 52, 20).unwrap();
            (grid.width, grid.height, grid.lined)
        };
        assert_eq!(size("3x3"), (11, 5, true));
        assert_eq!(size("4x4"), (9, 3, true));
        assert_eq!(size("connect4"), (6, 2, true));
        assert_eq!(size("gomoku"), (3, 1, false));
        let gomoku = fit("gomoku", 52, 20).unwrap();
        assert_eq!((gomoku.rows, gomoku.cols), (15, 15));
    }

    #[test]
    fn any_window_shows_whole_cells() {
        for rules in ["1x1", "3x3", "1x26:5", "26x26:5", "connect4"] {
            for width in (0..140).step_by(3) {
                for height in 0..60 {
                    let Some(grid) = fit(rules, width, height) else { continue };
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
        let rules = "26x26:5".parse().unwrap();
        let mut viewport = Viewport::default();
        let area = Rect::new(0, 0, 50, 20);
        for name in ["A1", "Z26", "M13", "A26"] {
            let cell = name.parse().unwrap();
            viewport.follow(cell);
            let grid = Grid::fit(&rules, 1, area, &mut viewport).unwrap();
            assert!(grid.rect(cell).is_some(), "{name}");
        }
        viewport.scroll(i8::MAX, i8::MIN);
        let grid = Grid::fit(&rules, 1, area, &mut viewport).unwrap();
        assert_eq!((grid.first_row, grid.first_col), (26 - 18, 0));
    }
}

//! Shapes of boards.

use crate::Cell;

/// The maximum number of rows and columns; rows are named by letters.
pub const MAX_SIDE: u8 = 26;

/// The maximum number of levels, or of boards side by side.
pub const MAX_LEVELS: u8 = 16;

/// The maximum number of sub-boards: a grid of 5x5 boards.
#[cfg(feature = "serde")]
pub(crate) const MAX_ZONES: u8 = 25;

/// The maximum number of cells of all levels and boards.
pub const MAX_CELLS: usize = 1_000;

/// The shape of a board. The cells, their lines and the [zones](Zone) follow from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// A grid of one or more levels. Lines run in all directions, across levels too.
    Grid {
        /// Rows of a level, 1 to 26.
        rows: u8,
        /// Columns of a level, 1 to 26.
        cols: u8,
        /// Levels, 1 to 16; 1 is a flat board.
        levels: u8,
    },
    /// A grid of boards, each of them the same grid again (ultimate tic-tac-toe).
    Nested {
        /// Rows of a board, and of the grid of boards.
        rows: u8,
        /// Columns of a board, and of the grid of boards.
        cols: u8,
    },
    /// Several flat boards side by side (notakto).
    Boards {
        /// Rows of a board, 1 to 26.
        rows: u8,
        /// Columns of a board, 1 to 26.
        cols: u8,
        /// The number of boards, 1 to 16.
        boards: u8,
    },
}

impl Shape {
    /// The rows, columns and levels of all cells together: 9x9x1 for ultimate; boards side by side
    /// count as levels.
    #[must_use]
    pub(crate) fn extent(self) -> Extent {
        match self {
            Shape::Grid { rows, cols, levels } => Extent { rows, cols, levels },
            Shape::Nested { rows, cols } => Extent {
                rows: rows.saturating_mul(rows),
                cols: cols.saturating_mul(cols),
                levels: 1,
            },
            Shape::Boards { rows, cols, boards } => Extent { rows, cols, levels: boards },
        }
    }

    /// Rows and columns of one board: of a sub-board where boards are nested.
    pub(crate) fn board_size(self) -> (u8, u8) {
        let (Shape::Grid { rows, cols, .. }
        | Shape::Nested { rows, cols }
        | Shape::Boards { rows, cols, .. }) = self;
        (rows, cols)
    }

    /// The number of zones; 0 if the board is one piece.
    pub(crate) fn zone_count(self) -> usize {
        match self {
            Shape::Grid { .. } => 0,
            Shape::Nested { rows, cols } => usize::from(rows) * usize::from(cols),
            Shape::Boards { boards, .. } => boards.into(),
        }
    }

    /// The zone of a cell, if the board has zones.
    pub(crate) fn zone(self, cell: Cell) -> Option<Zone> {
        match self {
            Shape::Grid { .. } => None,
            Shape::Nested { rows, cols } => {
                Some(Zone::new(cell.row() / rows * cols + cell.col() / cols))
            }
            Shape::Boards { .. } => Some(Zone::new(cell.level())),
        }
    }

    /// The zone to which a move in the cell sends the next player, if it does.
    pub(crate) fn sends_to(self, cell: Cell) -> Option<Zone> {
        match self {
            Shape::Nested { rows, cols } => {
                Some(Zone::new(cell.row() % rows * cols + cell.col() % cols))
            }
            _ => None,
        }
    }
}

/// The rows, columns and levels of a block of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    pub(crate) levels: u8,
}

impl Extent {
    pub(crate) fn cell_count(self) -> usize {
        usize::from(self.levels) * self.level_size()
    }

    /// Cells of one level.
    pub(crate) fn level_size(self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    pub(crate) fn contains(self, cell: Cell) -> bool {
        cell.level() < self.levels && cell.row() < self.rows && cell.col() < self.cols
    }
}

/// A sub-board: one of the boards of ultimate, row by row, or one of several boards side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zone(u8);

impl Zone {
    pub(crate) const fn new(index: u8) -> Zone {
        Zone(index)
    }

    /// The index, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

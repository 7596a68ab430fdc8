//! The geometry of a board: cells and their indices, lines and symmetries.

use crate::shape::{Extent, Zone};
use crate::{Cell, Rules, RulesParts, Shape, Win};

/// A step from a cell to the next, in levels, rows and columns.
pub(crate) type Direction = (i8, i8, i8);

/// The directions of a line. The first four stay on a level.
const DIRECTIONS: [Direction; 13] = [
    (0, 0, 1),
    (0, 1, 0),
    (0, 1, 1),
    (0, 1, -1),
    (1, 0, 0),
    (1, 0, 1),
    (1, 0, -1),
    (1, 1, 0),
    (1, -1, 0),
    (1, 1, 1),
    (1, 1, -1),
    (1, -1, 1),
    (1, -1, -1),
];

/// The cells of a board and which of them are neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) shape: Shape,
    pub(crate) extent: Extent,
    pub(crate) wrap: bool,
}

impl Grid {
    pub(crate) fn new(parts: &RulesParts) -> Grid {
        Grid { shape: parts.shape, extent: parts.shape.extent(), wrap: parts.wrap }
    }

    pub(crate) fn cell_count(self) -> usize {
        self.extent.cell_count()
    }

    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        let Extent { rows, cols, levels } = self.extent;
        (0..levels).flat_map(move |level| {
            (0..rows).flat_map(move |row| (0..cols).map(move |col| Cell::on_board(level, row, col)))
        })
    }

    pub(crate) fn contains(self, cell: Cell) -> bool {
        self.extent.contains(cell)
    }

    /// The index of a cell of the board, level by level and row by row.
    pub(crate) fn index(self, cell: Cell) -> usize {
        debug_assert!(self.contains(cell));
        let Extent { rows, cols, .. } = self.extent;
        let row = usize::from(cell.level()) * usize::from(rows) + usize::from(cell.row());
        row * usize::from(cols) + usize::from(cell.col())
    }

    /// The directions of lines.
    pub(crate) fn directions(self) -> &'static [Direction] {
        match self.shape {
            Shape::Grid { levels: 2.., .. } => &DIRECTIONS,
            _ => &DIRECTIONS[..4],
        }
    }

    /// The neighbour in a direction, across the edge where the board wraps. Lines do not leave a
    /// sub-board.
    pub(crate) fn step(self, cell: Cell, (up, down, right): Direction) -> Option<Cell> {
        let Extent { rows, cols, levels } = self.extent;
        let along = |at: u8, step: i8, side: u8| {
            let to = at as i8 + step;
            if self.wrap {
                Some(to.rem_euclid(side as i8) as u8)
            } else {
                (0..side as i8).contains(&to).then_some(to as u8)
            }
        };
        let level = along(cell.level(), up, levels)?;
        let row = along(cell.row(), down, rows)?;
        let to = Cell::on_board(level, row, along(cell.col(), right, cols)?);
        (self.shape.zone(cell) == self.shape.zone(to)).then_some(to)
    }

    /// The cell that supports a cell where there is gravity: the next row, or the level below.
    pub(crate) fn below(self, cell: Cell) -> Option<Cell> {
        let Extent { rows, levels, .. } = self.extent;
        match self.shape {
            Shape::Grid { .. } if levels > 1 => {
                Some(Cell::on_board(cell.level().checked_sub(1)?, cell.row(), cell.col()))
            }
            _ => {
                let row = cell.row() + 1;
                (row < rows).then(|| Cell::on_board(cell.level(), row, cell.col()))
            }
        }
    }

    /// The cell that a cell supports where there is gravity.
    pub(crate) fn above(self, cell: Cell) -> Option<Cell> {
        let Extent { levels, .. } = self.extent;
        match self.shape {
            Shape::Grid { .. } if levels > 1 => {
                let level = cell.level() + 1;
                (level < levels).then(|| Cell::on_board(level, cell.row(), cell.col()))
            }
            _ => Some(Cell::on_board(cell.level(), cell.row().checked_sub(1)?, cell.col())),
        }
    }

    /// The maximal lines in every direction, from edge to edge; rings where the board wraps.
    pub(crate) fn full_lines(self) -> impl Iterator<Item = Vec<Cell>> {
        self.directions().iter().flat_map(move |&direction| self.full_lines_along(direction))
    }

    fn full_lines_along(self, direction: Direction) -> Vec<Vec<Cell>> {
        let back = (-direction.0, -direction.1, -direction.2);
        let mut seen = vec![false; self.cell_count()];
        let mut lines = Vec::new();
        for start in self.cells() {
            if seen[self.index(start)] || (!self.wrap && self.step(start, back).is_some()) {
                continue;
            }
            let mut line = Vec::new();
            let mut next = Some(start);
            while let Some(cell) = next.filter(|&cell| !seen[self.index(cell)]) {
                seen[self.index(cell)] = true;
                line.push(cell);
                next = self.step(cell, direction);
            }
            lines.push(line);
        }
        lines
    }

    /// How many runs of `k` cells a full line of this length contains.
    pub(crate) fn run_count(self, length: usize, k: usize) -> usize {
        if self.wrap && length >= k { length } else { (length + 1).saturating_sub(k) }
    }
}

/// Cells that win for the seat that takes them all (or lose, in misère games).
///
/// There are `k` of them, unless the lines are [given as data](crate::Win::Lines).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    cells: Vec<Cell>,
    ends: Vec<Cell>,
}

impl Line {
    /// The cells, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// With `exact`, the cells that continue the line on either side: if the seat holds one of
    /// them too, its run is longer than `k` and does not count. Empty without `exact`.
    #[must_use]
    pub fn ends(&self) -> &[Cell] {
        &self.ends
    }
}

/// Geometry. Cell indices run level by level and row by row, from 0 to [`Rules::cell_count`].
impl Rules {
    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.layout().cell_count()
    }

    /// The cells of the board in the order of their indices.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.grid().cells()
    }

    /// Whether the cell is on the board.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.grid().contains(cell)
    }

    /// The index of a cell, or `None` if it is off the board.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// let rules: Rules = "6x7:4".parse()?;
    /// let cell = rules.cell_at(9).unwrap();
    /// assert_eq!(cell.to_string(), "B3");
    /// assert_eq!(rules.cell_index(cell), Some(9));
    /// # Ok::<(), noughts_rules::ParseRulesError>(())
    /// ```
    #[must_use]
    pub fn cell_index(&self, cell: Cell) -> Option<usize> {
        self.contains(cell).then(|| self.grid().index(cell))
    }

    /// The cell with an index, or `None` if the board has fewer cells.
    #[must_use]
    pub fn cell_at(&self, index: usize) -> Option<Cell> {
        (index < self.cell_count()).then(|| self.layout().cell(index))
    }

    /// The cell on which a stone in this cell rests where there is gravity: in the next row, or on
    /// the level below if the board has levels.
    #[must_use]
    pub fn below(&self, cell: Cell) -> Option<Cell> {
        self.grid().below(cell)
    }

    /// The cell that a stone in this cell supports where there is gravity.
    #[must_use]
    pub fn above(&self, cell: Cell) -> Option<Cell> {
        self.grid().above(cell)
    }

    /// The next cell in a direction of levels, rows and columns, across the edge where the board
    /// wraps; `None` at an edge, also of a sub-board.
    #[must_use]
    pub fn neighbour(&self, cell: Cell, levels: i8, rows: i8, cols: i8) -> Option<Cell> {
        self.grid().step(cell, (levels, rows, cols))
    }

    /// The sub-boards: the boards of ultimate row by row, or boards side by side. None if the board
    /// is one piece.
    pub fn zones(&self) -> impl ExactSizeIterator<Item = Zone> + use<> {
        (0..self.shape().zone_count() as u8).map(Zone::new)
    }

    /// The sub-board that contains a cell, if the board has any.
    #[must_use]
    pub fn zone(&self, cell: Cell) -> Option<Zone> {
        if self.contains(cell) { self.shape().zone(cell) } else { None }
    }

    /// The sub-board in which the next player must move after a move in this cell, unless it is
    /// closed (ultimate).
    #[must_use]
    pub fn sends_to(&self, cell: Cell) -> Option<Zone> {
        if self.contains(cell) { self.shape().sends_to(cell) } else { None }
    }

    /// The cells of a sub-board, row by row.
    pub fn zone_cells(&self, zone: Zone) -> impl Iterator<Item = Cell> + use<> {
        let shape = self.shape();
        self.cells().filter(move |&cell| shape.zone(cell) == Some(zone))
    }

    /// The name of a sub-board: a box name in ultimate, a number from 1 for boards side by side.
    #[must_use]
    pub fn zone_name(&self, zone: Zone) -> String {
        match self.shape() {
            Shape::Nested { cols, .. } => {
                let index = zone.index() as u8;
                Cell::on_board(0, index / cols, index % cols).to_string()
            }
            _ => (zone.index() + 1).to_string(),
        }
    }

    /// The sub-board with this name.
    #[must_use]
    pub fn parse_zone(&self, name: &str) -> Option<Zone> {
        self.zones().find(|&zone| self.zone_name(zone).eq_ignore_ascii_case(name))
    }

    /// Every winning line of the board, once; of every sub-board, if it has any.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// assert_eq!(Rules::classic().lines().len(), 8);
    /// assert_eq!("4x4x4".parse::<Rules>()?.lines().len(), 76);
    /// # Ok::<(), noughts_rules::ParseRulesError>(())
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        if let Win::Lines(lines) = &self.parts().win {
            let line = |cells: &[Cell]| Line { cells: cells.to_vec(), ends: Vec::new() };
            return lines.iter().map(|cells| line(cells)).collect();
        }
        let k = usize::from(self.k());
        let mut lines = Vec::new();
        for full in self.grid().full_lines() {
            let starts = 0..self.grid().run_count(full.len(), k);
            lines.extend(starts.map(|start| self.line(&full, start)));
        }
        // On a board that wraps, a ring of k cells is one line wherever it starts, and on narrow
        // boards two directions can run through the same cells.
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The line that begins at a place of a full line.
    fn line(&self, full: &[Cell], start: usize) -> Line {
        let k = usize::from(self.k());
        let length = full.len();
        let mut cells: Vec<Cell> = (start..start + k).map(|i| full[i % length]).collect();
        let mut ends = Vec::new();
        if self.exact() && length > k {
            if self.wrap() || start > 0 {
                ends.push(full[(start + length - 1) % length]);
            }
            if self.wrap() || start + k < length {
                ends.push(full[(start + k) % length]);
            }
        }
        cells.sort_unstable();
        ends.sort_unstable();
        ends.dedup();
        Line { cells, ends }
    }

    #[inline]
    pub(crate) fn grid(&self) -> Grid {
        self.layout().grid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mark, PositionParts, PositionPartsError};

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn indices_follow_the_cells() {
        for text in ["3x3", "2x5:2", "26x25:5+wrap", "10x10x10", "3x3+ultimate", "3x4+notakto+5b"] {
            let rules = rules(text);
            for (index, cell) in rules.cells().enumerate() {
                assert_eq!(rules.cell_index(cell), Some(index));
                assert_eq!(rules.cell_at(index), Some(cell));
            }
            assert_eq!(rules.cell_at(rules.cell_count()), None);
        }
        assert_eq!(rules("2x5:2").cell_index("C1".parse().unwrap()), None);
    }

    /// An m x n board has (m-k+1)n + m(n-k+1) + 2(m-k+1)(n-k+1) lines of k > 1 cells; for k = 4
    /// see OEIS A364823. If it wraps, each cell starts a line in each direction, but a ring of k
    /// is one line.
    #[test]
    fn line_counts_match_the_formula() {
        let check =
            |text: &str, lines: usize| assert_eq!(rules(text).lines().len(), lines, "{text}");
        check("3x3", 8);
        check("4x4", 10);
        check("6x7:4", 69);
        check("15x15:5", 572);
        check("4x4+wrap", 16);
        check("3x3+wrap", 12);
        check("1x5:3", 3);
        check("1x5:3+wrap", 5);
        check("2x2:1", 4);
        check("3x3x3", 49);
        check("4x4x4", 76);
        check("5x5x5", 109);
        check("3x3+ultimate", 72);
        check("3x3+notakto+3b", 24);
        check("3x3:[A1-B2-C3,A1-A2]", 2);
    }

    /// A line's cells, taken by one seat, win; without any one of them they do not.
    #[test]
    fn position_agrees_on_every_line() {
        for text in
            ["3x3", "4x5:3", "4x4:3+wrap", "3x6:4+exact", "3x5:3+wrap+exact", "6x7:4", "3x3x3"]
        {
            let rules = rules(text);
            for line in rules.lines() {
                // The other seat has no stones, so both boards are refused: for the turn order
                // if there is a line, for having no turn if there is none.
                let error = |without: Option<Cell>| {
                    let taken = |cell: &Cell| line.cells().contains(cell) && Some(*cell) != without;
                    let board = rules.cells().map(|cell| taken(&cell).then_some(Mark::FIRST));
                    let mut parts = PositionParts::new(&rules);
                    parts.board = board.collect();
                    parts.turn = None;
                    parts.build().unwrap_err()
                };
                assert_eq!(error(None), PositionPartsError::Turns, "{text} {line:?}");
                for &cell in line.cells() {
                    assert_eq!(error(Some(cell)), PositionPartsError::NotOver, "{text} {line:?}");
                }
            }
        }
    }

    #[test]
    fn only_exact_lines_have_ends() {
        assert!(rules("5x5:3").lines().iter().all(|line| line.ends().is_empty()));
        let exact = rules("1x5:3+exact").lines();
        let ends: Vec<usize> = exact.iter().map(|line| line.ends().len()).collect();
        assert_eq!(ends, [1, 2, 1]);
    }

    /// Both diagonals of a wrapped 26x25 board run through all 650 cells: 26 and 25 are coprime.
    #[test]
    fn wrapped_diagonals_are_single_rings() {
        for direction in [(0, 1, 1), (0, 1, -1)] {
            let lines = rules("26x25:25+wrap").grid().full_lines_along(direction);
            assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [650]);
        }
    }
}

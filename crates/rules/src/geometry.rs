//! The geometry of a board: cells and their indices, lines and symmetries.

use crate::{Cell, Rules};

/// The four directions of a line, as steps of row and column.
pub(crate) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The cells of a board and which of them are neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Grid {
    pub(crate) rows: u8,
    pub(crate) cols: u8,
    pub(crate) wrap: bool,
}

impl Grid {
    pub(crate) fn cell_count(self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    pub(crate) fn cells(self) -> impl Iterator<Item = Cell> {
        let cols = self.cols;
        (0..self.rows).flat_map(move |row| (0..cols).map(move |col| Cell::on_board(row, col)))
    }

    pub(crate) fn contains(self, cell: Cell) -> bool {
        cell.row() < self.rows && cell.col() < self.cols
    }

    /// The index of a cell of the board, row by row.
    pub(crate) fn index(self, cell: Cell) -> usize {
        debug_assert!(self.contains(cell));
        usize::from(cell.row()) * usize::from(self.cols) + usize::from(cell.col())
    }

    /// The neighbour in a direction, across the edge where the board wraps.
    pub(crate) fn step(self, cell: Cell, (down, right): (i8, i8)) -> Option<Cell> {
        let (rows, cols) = (self.rows as i8, self.cols as i8);
        let (row, col) = (cell.row() as i8 + down, cell.col() as i8 + right);
        if self.wrap {
            Some(Cell::on_board(row.rem_euclid(rows) as u8, col.rem_euclid(cols) as u8))
        } else if (0..rows).contains(&row) && (0..cols).contains(&col) {
            Some(Cell::on_board(row as u8, col as u8))
        } else {
            None
        }
    }

    /// The maximal lines in every direction, from edge to edge; rings where the board wraps.
    pub(crate) fn full_lines(self) -> impl Iterator<Item = Vec<Cell>> {
        DIRECTIONS.into_iter().flat_map(move |direction| self.full_lines_along(direction))
    }

    fn full_lines_along(self, direction: (i8, i8)) -> Vec<Vec<Cell>> {
        let back = (-direction.0, -direction.1);
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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    cells: Vec<Cell>,
    ends: Vec<Cell>,
}

impl Line {
    /// The `k` cells, row by row.
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

/// Geometry. Cell indices run row by row, from 0 to [`Rules::cell_count`].
impl Rules {
    /// The number of cells of the board.
    #[inline]
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.layout().cell_count()
    }

    /// The cells of the board, row by row: in the order of their indices.
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

    /// Every winning line of the board, once.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// assert_eq!(Rules::classic().lines().len(), 8);
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
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

    /// The rotations and reflections of the board that leave the game the same, the identity
    /// first: eight on a square board, four on other boards, two with gravity.
    ///
    /// Each is a permutation of the cell indices: `symmetry[i]` is where the cell with index `i`
    /// ends up.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// let corner = Rules::classic().symmetries().map(|symmetry| symmetry[0]);
    /// assert_eq!(corner.collect::<Vec<_>>(), [0, 2, 6, 8, 0, 6, 2, 8]);
    /// ```
    pub fn symmetries(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let (grid, gravity) = (self.grid(), self.gravity());
        let Grid { rows, cols, .. } = grid;
        let flags = (0..8).map(|i| [i & 1 != 0, i & 2 != 0, i & 4 != 0]);
        flags
            .filter(move |&[_, flip_rows, transpose]| {
                (rows == cols || !transpose) && !(gravity && (flip_rows || transpose))
            })
            .map(move |[flip_cols, flip_rows, transpose]| {
                let image = |cell: Cell| {
                    let row = if flip_rows { rows - 1 - cell.row() } else { cell.row() };
                    let col = if flip_cols { cols - 1 - cell.col() } else { cell.col() };
                    let (row, col) = if transpose { (col, row) } else { (row, col) };
                    grid.index(Cell::on_board(row, col))
                };
                grid.cells().map(image).collect()
            })
    }

    #[inline]
    pub(crate) fn grid(&self) -> Grid {
        self.layout().grid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PositionParts, PositionPartsError, Seat};
    use std::collections::HashSet;

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn indices_follow_the_cells() {
        for text in ["3x3", "2x5:2", "26x25:5+wrap"] {
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
    }

    /// A line's cells, taken by one seat, win; without any one of them they do not.
    #[test]
    fn position_agrees_on_every_line() {
        for text in ["3x3", "4x5:3", "4x4:3+wrap", "3x6:4+exact", "3x5:3+wrap+exact", "6x7:4"] {
            let rules = rules(text);
            for line in rules.lines() {
                // The other seat has no stones, so both boards are refused: for the turn order
                // if there is a line, for having no turn if there is none.
                let error = |without: Option<Cell>| {
                    let taken = |cell: &Cell| line.cells().contains(cell) && Some(*cell) != without;
                    let board = rules.cells().map(|cell| taken(&cell).then_some(Seat::FIRST));
                    let (rules, board) = (rules.clone(), board.collect());
                    let parts = PositionParts { rules, board, turn: None, resigned: Vec::new() };
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
        for direction in [(1, 1), (1, -1)] {
            let lines = rules("26x25:25+wrap").grid().full_lines_along(direction);
            assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [650]);
        }
    }

    #[test]
    fn symmetries_are_distinct_permutations() {
        for (text, count) in
            [("3x3", 8), ("15x15:5", 8), ("4x3", 4), ("6x7:4+gravity", 2), ("4x4+gravity", 2)]
        {
            let rules = rules(text);
            let symmetries: HashSet<Vec<usize>> = rules.symmetries().collect();
            assert_eq!(symmetries.len(), count, "{text}");
            assert!(rules.symmetries().next().unwrap().into_iter().eq(0..rules.cell_count()));
            for mut symmetry in symmetries {
                symmetry.sort_unstable();
                assert!(symmetry.into_iter().eq(0..rules.cell_count()), "{text}");
            }
        }
    }
}

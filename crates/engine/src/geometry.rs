//! The board of some rules as tables for searching: cells and lines are small numbers.

use std::ops::Range;

use noughts_rules::{Cell, Rules};

/// Slots for the images of a position under the symmetries of its board.
pub(crate) const SYMMETRIES: usize = 8;

/// Which cells make which lines, and which cells are alike.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) cells: usize,
    pub(crate) lines: usize,
    pub(crate) k: usize,
    /// What the rules say, without the way to them.
    pub(crate) players: usize,
    pub(crate) gravity: bool,
    pub(crate) misere: bool,
    pub(crate) exact: bool,
    cols: usize,
    /// The cells of all lines, `k` for each.
    line_cells: Vec<u16>,
    /// The lines through each cell.
    through: Adjacency,
    /// With `exact`: the lines that do not count for a seat with a stone in this cell.
    beside: Adjacency,
    /// Where each symmetry of the board takes each cell. Always as many as there are slots:
    /// the identity fills what the board does not have.
    images: [Vec<u16>; SYMMETRIES],
}

/// Lists of numbers, one list for each cell, in one piece of memory.
#[derive(Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    items: Vec<u16>,
}

impl Geometry {
    pub(crate) fn new(rules: &Rules) -> Geometry {
        let cells = rules.cell_count();
        let cols = usize::from(rules.cols());
        let number = |cell: &Cell| usize::from(cell.row()) * cols + usize::from(cell.col());
        let lines = rules.lines();
        let list = |cells_of: fn(&noughts_rules::Line) -> &[Cell]| {
            let mut lists = vec![Vec::new(); cells];
            for (line, cells) in lines.iter().map(cells_of).enumerate() {
                cells.iter().for_each(|cell| lists[number(cell)].push(line as u16));
            }
            Adjacency::new(&lists)
        };
        Geometry {
            cells,
            lines: lines.len(),
            k: usize::from(rules.k()),
            players: rules.players(),
            gravity: rules.gravity(),
            misere: rules.misere(),
            exact: rules.exact(),
            cols,
            line_cells: lines
                .iter()
                .flat_map(|line| line.cells())
                .map(|c| number(c) as u16)
                .collect(),
            through: list(|line| line.cells()),
            beside: list(|line| line.ends()),
            images: images(rules),
        }
    }

    #[inline]
    pub(crate) fn cells_of(&self, line: usize) -> &[u16] {
        &self.line_cells[line * self.k..(line + 1) * self.k]
    }

    #[inline]
    pub(crate) fn lines_through(&self, cell: usize) -> &[u16] {
        self.through.of(cell)
    }

    #[inline]
    pub(crate) fn lines_beside(&self, cell: usize) -> &[u16] {
        self.beside.of(cell)
    }

    /// Where the symmetries take the cell.
    pub(crate) fn images_of(&self, cell: usize) -> [usize; SYMMETRIES] {
        std::array::from_fn(|i| usize::from(self.images[i][cell]))
    }

    /// The cell on top of this one, if the board goes on there.
    #[inline]
    pub(crate) fn above(&self, cell: usize) -> Option<usize> {
        cell.checked_sub(self.cols)
    }

    /// The cell below this one, if the board goes on there.
    #[inline]
    pub(crate) fn below(&self, cell: usize) -> Option<usize> {
        Some(cell + self.cols).filter(|&below| below < self.cells)
    }

    pub(crate) fn number(&self, cell: Cell) -> usize {
        usize::from(cell.row()) * self.cols + usize::from(cell.col())
    }

    pub(crate) fn cell(&self, number: usize) -> Cell {
        let (row, col) = self.row_col(number);
        Cell::new(row as u8, col as u8).expect("a number of the board")
    }

    /// The cells at most `reach` steps away, the cell itself included.
    pub(crate) fn around(&self, cell: usize, reach: usize) -> impl Iterator<Item = usize> + use<> {
        let (row, col) = self.row_col(cell);
        let cols = self.cols;
        let span = |at: usize, side: usize| -> Range<usize> {
            at.saturating_sub(reach)..(at + reach + 1).min(side)
        };
        let columns = span(col, cols);
        span(row, self.cells / cols)
            .flat_map(move |row| columns.clone().map(move |col| row * cols + col))
    }

    /// How far the cell is from the middle of the board, in half steps.
    pub(crate) fn off_centre(&self, cell: usize) -> usize {
        let (row, col) = self.row_col(cell);
        (2 * row + 1).abs_diff(self.cells / self.cols) + (2 * col + 1).abs_diff(self.cols)
    }

    /// How far the corners are from the middle of the board, in half steps.
    pub(crate) fn farthest_off_centre(&self) -> usize {
        self.off_centre(0)
    }

    fn row_col(&self, number: usize) -> (usize, usize) {
        (number / self.cols, number % self.cols)
    }
}

impl Adjacency {
    fn new(lists: &[Vec<u16>]) -> Adjacency {
        let mut starts = vec![0];
        for list in lists {
            starts.push(starts[starts.len() - 1] + list.len() as u32);
        }
        Adjacency { starts, items: lists.concat() }
    }

    #[inline]
    fn of(&self, cell: usize) -> &[u16] {
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// Reflections and, on square boards, rotations. Gravity leaves one reflection.
fn images(rules: &Rules) -> [Vec<u16>; SYMMETRIES] {
    let (rows, cols) = (usize::from(rules.rows()), usize::from(rules.cols()));
    std::array::from_fn(|i| {
        let mirrored = i & 1 != 0;
        let flipped = i & 2 != 0 && !rules.gravity();
        let transposed = i & 4 != 0 && !rules.gravity() && rows == cols;
        let image = |cell: usize| {
            let (mut row, mut col) = (cell / cols, cell % cols);
            if mirrored {
                col = cols - 1 - col;
            }
            if flipped {
                row = rows - 1 - row;
            }
            if transposed { col * cols + row } else { row * cols + col }
        };
        (0..rows * cols).map(|cell| image(cell) as u16).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetry takes lines to lines.
    #[test]
    fn images_of_lines_are_lines() {
        for text in ["3x3", "3x5:3", "4x4:3+gravity", "4x4:3+wrap", "3x4:3+wrap+gravity"] {
            let geometry = Geometry::new(&text.parse().unwrap());
            let sorted = |mut cells: Vec<usize>| {
                cells.sort_unstable();
                cells
            };
            let lines: Vec<Vec<usize>> = (0..geometry.lines)
                .map(|line| sorted(geometry.cells_of(line).iter().map(|&c| c.into()).collect()))
                .collect();
            for i in 0..SYMMETRIES {
                for line in &lines {
                    let image = line.iter().map(|&cell| geometry.images_of(cell)[i]).collect();
                    assert!(lines.contains(&sorted(image)), "{text}: {line:?} under {i}");
                }
            }
        }
    }
}

//! The geometry of a board as lookup tables for searching.

use noughts_rules::{Cell, Line, Rules};

/// The most symmetries that a board has.
pub(crate) const SYMMETRIES: usize = 8;

/// The cells and lines of a board by index, and the rules that a search needs.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) cells: usize,
    pub(crate) lines: usize,
    pub(crate) k: usize,
    pub(crate) players: usize,
    pub(crate) gravity: bool,
    pub(crate) misere: bool,
    pub(crate) exact: bool,
    cols: usize,
    rules: Rules,
    /// The cells of all lines, `k` for each.
    line_cells: Vec<u16>,
    /// The lines through each cell.
    through: Adjacency,
    /// With `exact`: the lines that a cell continues at an end.
    ending_at: Adjacency,
    /// The image of each cell under each symmetry; padded with the identity.
    images: Vec<[u16; SYMMETRIES]>,
}

/// A list of indices for each cell, stored contiguously.
#[derive(Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    items: Vec<u16>,
}

impl Geometry {
    pub(crate) fn new(rules: &Rules) -> Geometry {
        let cells = rules.cell_count();
        let lines = rules.lines();
        let indices = |cells: &[Cell]| -> Vec<u16> {
            cells.iter().filter_map(|&cell| rules.cell_index(cell)).map(|i| i as u16).collect()
        };
        let lines_by_cell = |cells_of: fn(&Line) -> &[Cell]| {
            let mut lists = vec![Vec::new(); cells];
            for (line, cells) in lines.iter().map(cells_of).enumerate() {
                indices(cells).iter().for_each(|&cell| lists[usize::from(cell)].push(line as u16));
            }
            Adjacency::new(&lists)
        };
        let mut images: Vec<_> = (0..cells).map(|cell| [cell as u16; SYMMETRIES]).collect();
        for (i, symmetry) in rules.symmetries().enumerate() {
            images.iter_mut().zip(symmetry).for_each(|(images, image)| images[i] = image as u16);
        }
        Geometry {
            cells,
            lines: lines.len(),
            k: rules.k().into(),
            players: rules.players(),
            gravity: rules.gravity(),
            misere: rules.misere(),
            exact: rules.exact(),
            cols: rules.cols().into(),
            line_cells: lines.iter().flat_map(|line| indices(line.cells())).collect(),
            through: lines_by_cell(Line::cells),
            ending_at: lines_by_cell(Line::ends),
            images,
            rules: rules.clone(),
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
    pub(crate) fn lines_ending_at(&self, cell: usize) -> &[u16] {
        self.ending_at.of(cell)
    }

    /// The images of the cell under the symmetries of the board.
    pub(crate) fn images_of(&self, cell: usize) -> [usize; SYMMETRIES] {
        self.images[cell].map(usize::from)
    }

    #[inline]
    pub(crate) fn above(&self, cell: usize) -> Option<usize> {
        cell.checked_sub(self.cols)
    }

    #[inline]
    pub(crate) fn below(&self, cell: usize) -> Option<usize> {
        Some(cell + self.cols).filter(|&below| below < self.cells)
    }

    /// The index of a cell of the board.
    pub(crate) fn index(&self, cell: Cell) -> usize {
        self.rules.cell_index(cell).expect("a cell of the board")
    }

    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.rules.cell_at(index).expect("an index of the board")
    }

    /// The adjacent cells and the cell itself.
    pub(crate) fn neighbourhood(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let (row, col) = (cell / self.cols, cell % self.cols);
        let span = |at: usize, side: usize| at.saturating_sub(1)..(at + 2).min(side);
        let cols = span(col, self.cols);
        let rows = span(row, self.cells / self.cols);
        rows.flat_map(move |row| cols.clone().map(move |col| row * self.cols + col))
    }

    /// The distance from the centre of the board, in half cells.
    pub(crate) fn off_centre(&self, cell: usize) -> usize {
        let (row, col) = (cell / self.cols, cell % self.cols);
        (2 * row + 1).abs_diff(self.cells / self.cols) + (2 * col + 1).abs_diff(self.cols)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_map_lines_to_lines() {
        for text in ["3x3", "3x5:3", "4x4:3+gravity", "4x4:3+wrap", "3x4:3+wrap+gravity"] {
            let geometry = Geometry::new(&text.parse().unwrap());
            let image = |line: usize, symmetry: usize| {
                let cells = geometry.cells_of(line).iter();
                let mut cells: Vec<usize> =
                    cells.map(|&cell| geometry.images_of(cell.into())[symmetry]).collect();
                cells.sort_unstable();
                cells
            };
            let lines: Vec<Vec<usize>> = (0..geometry.lines).map(|line| image(line, 0)).collect();
            for (line, symmetry) in (0..geometry.lines).flat_map(|l| (0..8).map(move |s| (l, s))) {
                assert!(lines.contains(&image(line, symmetry)), "{text}: {line} under {symmetry}");
            }
        }
    }
}

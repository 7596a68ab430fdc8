//! Lookup tables of a board for searching, built from the geometry of the rules.

use noughts_rules::{Cell, Line, Rules};

/// The most symmetries that a search uses: all of a flat board, and the reflections of a cube.
pub(crate) const MAX_SYMMETRIES: usize = 8;

/// The cells and lines of a board by index, and the rules that a search needs.
#[derive(Debug)]
pub(crate) struct BoardTables {
    pub(crate) cell_count: usize,
    pub(crate) line_count: usize,
    /// The length of the longest line.
    pub(crate) k: usize,
    pub(crate) players: usize,
    pub(crate) stones_per_turn: u8,
    pub(crate) gravity: bool,
    pub(crate) misere: bool,
    pub(crate) exact: bool,
    rules: Rules,
    /// The cells of each line.
    line_cells: Adjacency,
    /// The lines through each cell.
    through: Adjacency,
    /// With `exact`: the lines that a cell continues at an end.
    ending_at: Adjacency,
    /// The image of each cell under each symmetry; padded with the identity.
    images: Vec<[u16; MAX_SYMMETRIES]>,
    above: Vec<Option<u16>>,
    below: Vec<Option<u16>>,
    /// The distance of each cell from the centre of the board, in half cells.
    off_centre: Vec<u16>,
}

/// A list of indices for each cell or line, stored contiguously.
#[derive(Debug, Default)]
struct Adjacency {
    starts: Vec<u32>,
    items: Vec<u16>,
}

impl BoardTables {
    pub(crate) fn new(rules: &Rules) -> BoardTables {
        BoardTables::with_lines(rules, &rules.lines(), rules.symmetries())
    }

    /// The board as if it had only these lines of its own.
    pub(crate) fn with_fewer_lines(rules: &Rules, lines: &[Line]) -> BoardTables {
        BoardTables::with_lines(rules, lines, std::iter::empty())
    }

    /// The lines must have the symmetries.
    fn with_lines(
        rules: &Rules,
        lines: &[Line],
        symmetries: impl Iterator<Item = Vec<usize>>,
    ) -> BoardTables {
        let cell_count = rules.cell_count();
        let indices = |cells: &[Cell]| -> Vec<u16> {
            cells.iter().filter_map(|&cell| rules.cell_index(cell)).map(|i| i as u16).collect()
        };
        let lines_by_cell = |cells_of: fn(&Line) -> &[Cell]| {
            let mut lists = vec![Vec::new(); cell_count];
            for (line, cells) in lines.iter().map(cells_of).enumerate() {
                indices(cells).iter().for_each(|&cell| lists[usize::from(cell)].push(line as u16));
            }
            Adjacency::new(&lists)
        };
        let mut images: Vec<_> =
            (0..cell_count).map(|cell| [cell as u16; MAX_SYMMETRIES]).collect();
        // The first symmetries are a group: those that keep the axes of a cube.
        for (i, symmetry) in symmetries.take(MAX_SYMMETRIES).enumerate() {
            images.iter_mut().zip(symmetry).for_each(|(images, image)| images[i] = image as u16);
        }
        let vertical = |neighbour: fn(&Rules, Cell) -> Option<Cell>| {
            let index = |cell| Some(rules.cell_index(neighbour(rules, cell)?)? as u16);
            rules.cells().map(index).collect()
        };
        let off_centre = |cell: Cell| {
            let offset = |at: u8, side: u8| (2 * u16::from(at) + 1).abs_diff(side.into());
            offset(cell.level(), rules.levels())
                + offset(cell.row(), rules.rows())
                + offset(cell.col(), rules.cols())
        };
        let line_cells: Vec<Vec<u16>> = lines.iter().map(|line| indices(line.cells())).collect();
        BoardTables {
            cell_count,
            line_count: lines.len(),
            k: rules.k().into(),
            players: rules.players(),
            stones_per_turn: rules.parts().stones_per_turn,
            gravity: rules.gravity(),
            misere: rules.misere(),
            exact: rules.exact(),
            line_cells: Adjacency::new(&line_cells),
            through: lines_by_cell(Line::cells),
            ending_at: lines_by_cell(Line::ends),
            images,
            above: vertical(Rules::above),
            below: vertical(Rules::below),
            off_centre: rules.cells().map(off_centre).collect(),
            rules: rules.clone(),
        }
    }

    #[inline]
    pub(crate) fn cells_of(&self, line: usize) -> &[u16] {
        self.line_cells.of(line)
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
    pub(crate) fn images_of(&self, cell: usize) -> [usize; MAX_SYMMETRIES] {
        self.images[cell].map(usize::from)
    }

    #[inline]
    pub(crate) fn above(&self, cell: usize) -> Option<usize> {
        self.above[cell].map(usize::from)
    }

    #[inline]
    pub(crate) fn below(&self, cell: usize) -> Option<usize> {
        self.below[cell].map(usize::from)
    }

    /// The index of a cell of the board.
    pub(crate) fn index(&self, cell: Cell) -> usize {
        self.rules.cell_index(cell).expect("a cell of the board")
    }

    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.rules.cell_at(index).expect("an index of the board")
    }

    /// The distance from the centre of the board, in half cells.
    pub(crate) fn off_centre(&self, cell: usize) -> usize {
        self.off_centre[cell].into()
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
    fn of(&self, index: usize) -> &[u16] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_map_lines_to_lines() {
        for text in [
            "3x3",
            "3x5:3",
            "4x4:3+gravity",
            "4x4:3+wrap",
            "3x4:3+wrap+gravity",
            "3x3x3",
            "2x3x4:2",
            "3x3x3+gravity",
            "3x3:[A1-B2-C3,A3-B2-C1,B2-A1]",
        ] {
            let tables = BoardTables::new(&text.parse().unwrap());
            let image = |line: usize, symmetry: usize| {
                let cells = tables.cells_of(line).iter();
                let mut cells: Vec<usize> =
                    cells.map(|&cell| tables.images_of(cell.into())[symmetry]).collect();
                cells.sort_unstable();
                cells
            };
            let lines: Vec<Vec<usize>> =
                (0..tables.line_count).map(|line| image(line, 0)).collect();
            for (line, symmetry) in (0..tables.line_count).flat_map(|l| (0..8).map(move |s| (l, s)))
            {
                assert!(lines.contains(&image(line, symmetry)), "{text}: {line} under {symmetry}");
            }
        }
    }
}

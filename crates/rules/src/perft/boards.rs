//! Boards as compact keys of a hash map.

use std::hash::Hash;

use crate::geometry::Grid;
use crate::{Cell, Mark, Rules};

/// An encoding of the boards of some rules.
pub(super) trait BoardEncoding {
    type Board: Clone + Ord + Hash;

    fn empty(&self) -> Self::Board;

    /// The board with one more stone.
    fn place(&self, board: &Self::Board, cell: Cell, mark: Mark) -> Self::Board;

    fn stones(&self, board: &Self::Board) -> impl Iterator<Item = (Cell, Mark)>;

    /// The images of the board under all symmetries but the identity.
    fn images(&self, board: &Self::Board) -> impl Iterator<Item = Self::Board>;

    /// The least of the board and its images: one representative for all of them.
    fn canonical(&self, board: &Self::Board) -> Self::Board {
        self.images(board).fold(board.clone(), Ord::min)
    }

    /// How many distinct boards the symmetries make of this one, itself included.
    fn orbit_size(&self, board: &Self::Board) -> usize {
        let mut images: Vec<_> = self.images(board).chain([board.clone()]).collect();
        images.sort_unstable();
        images.dedup();
        images.len()
    }
}

/// Boards in 128 bits, a few per cell.
pub(super) struct PackedBoards {
    grid: Grid,
    bits_per_cell: u32,
    /// For each symmetry but the identity, each byte of a board and each value of that byte, the
    /// bits of the image.
    tables: Vec<Vec<[u128; 256]>>,
}

impl PackedBoards {
    /// `None` if the board does not fit.
    pub(super) fn new(rules: &Rules) -> Option<PackedBoards> {
        // Enough to tell the marks and an empty cell apart; a power of two, so that no cell
        // straddles two bytes.
        let bits =
            (rules.marks().len() + 1).next_power_of_two().trailing_zeros().next_power_of_two();
        if rules.cell_count() as u32 * bits > u128::BITS {
            return None;
        }
        let mut packed =
            PackedBoards { grid: rules.grid(), bits_per_cell: bits, tables: Vec::new() };
        packed.tables =
            rules.symmetries().skip(1).map(|symmetry| packed.table(&symmetry)).collect();
        Some(packed)
    }

    fn mask(&self) -> u128 {
        (1 << self.bits_per_cell) - 1
    }

    fn shift(&self, index: usize) -> u32 {
        index as u32 * self.bits_per_cell
    }

    fn table(&self, symmetry: &[usize]) -> Vec<[u128; 256]> {
        let bytes = self.shift(symmetry.len()).div_ceil(8);
        let mut table = vec![[0; 256]; bytes as usize];
        for (index, &image_index) in symmetry.iter().enumerate() {
            let (from, to) = (self.shift(index), self.shift(image_index));
            for (value, image) in table[from as usize / 8].iter_mut().enumerate() {
                *image |= (value as u128 >> (from % 8) & self.mask()) << to;
            }
        }
        table
    }
}

impl BoardEncoding for PackedBoards {
    type Board = u128;

    fn empty(&self) -> u128 {
        0
    }

    fn place(&self, board: &u128, cell: Cell, mark: Mark) -> u128 {
        board | (mark.index() as u128 + 1) << self.shift(self.grid.index(cell))
    }

    fn stones(&self, board: &u128) -> impl Iterator<Item = (Cell, Mark)> {
        self.grid.cells().enumerate().filter_map(move |(index, cell)| {
            let value = (board >> self.shift(index) & self.mask()) as u8;
            Some((cell, Mark::new(value.checked_sub(1)?)?))
        })
    }

    fn images(&self, board: &u128) -> impl Iterator<Item = u128> {
        let bytes = board.to_le_bytes();
        self.tables.iter().map(move |table| {
            let images = table.iter().zip(bytes).map(|(values, byte)| values[usize::from(byte)]);
            images.fold(0, |board, image| board | image)
        })
    }
}

/// Boards of any size, a byte per cell.
pub(super) struct ByteBoards {
    grid: Grid,
    /// All but the identity.
    symmetries: Vec<Vec<usize>>,
}

impl ByteBoards {
    pub(super) fn new(rules: &Rules) -> ByteBoards {
        ByteBoards { grid: rules.grid(), symmetries: rules.symmetries().skip(1).collect() }
    }
}

impl BoardEncoding for ByteBoards {
    type Board = Box<[u8]>;

    fn empty(&self) -> Box<[u8]> {
        vec![0; self.grid.cell_count()].into()
    }

    fn place(&self, board: &Box<[u8]>, cell: Cell, mark: Mark) -> Box<[u8]> {
        let mut board = board.clone();
        board[self.grid.index(cell)] = mark.index() as u8 + 1;
        board
    }

    fn stones(&self, board: &Box<[u8]>) -> impl Iterator<Item = (Cell, Mark)> {
        let stone = |(cell, value): (Cell, &u8)| Some((cell, Mark::new(value.checked_sub(1)?)?));
        self.grid.cells().zip(board).filter_map(stone)
    }

    fn images(&self, board: &Box<[u8]>) -> impl Iterator<Item = Box<[u8]>> {
        self.symmetries.iter().map(move |symmetry| {
            let mut image = vec![0; board.len()];
            symmetry.iter().zip(board).for_each(|(&to, &value)| image[to] = value);
            image.into()
        })
    }
}

//! Boards as compact keys of a hash map.

use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::{Cell, Rules, Seat, Symmetry};

/// A way to write boards of some rules as keys.
pub(super) trait Boards {
    type Board: Clone + Ord + Hash;

    fn empty(&self) -> Self::Board;

    /// The board with one more stone.
    fn put(&self, board: &Self::Board, cell: Cell, seat: Seat) -> Self::Board;

    fn stones(&self, board: &Self::Board) -> impl Iterator<Item = (Cell, Seat)>;

    /// The least of the board and its mirror images.
    fn canonical(&self, board: &Self::Board) -> Self::Board;

    /// How many different boards its mirror images are, itself included.
    fn images(&self, board: &Self::Board) -> usize;
}

/// Boards in 128 bits, a few for each cell.
pub(super) struct Packed {
    cells: Vec<Cell>,
    cols: usize,
    /// Bits for each cell: enough for the seats and for being empty.
    bits: u32,
    /// For each symmetry but the first, for each byte of a board and each value of that byte, the
    /// bits it turns into.
    images: Vec<Vec<[u128; 256]>>,
}

impl Packed {
    /// `None` where the board does not fit.
    pub(super) fn new(rules: &Rules) -> Option<Packed> {
        let bits = (rules.players() + 1).next_power_of_two().trailing_zeros();
        // A cell's bits must not straddle two bytes.
        let bits = bits.next_power_of_two();
        if rules.cell_count() as u32 * bits > u128::BITS {
            return None;
        }
        let cells: Vec<Cell> = rules.cells().collect();
        let cols = usize::from(rules.cols());
        let mut packed = Packed { cells, cols, bits, images: Vec::new() };
        packed.images =
            Symmetry::all(rules).skip(1).map(|symmetry| packed.table(rules, symmetry)).collect();
        Some(packed)
    }

    fn shift(&self, cell: Cell) -> u32 {
        let number = usize::from(cell.row()) * self.cols + usize::from(cell.col());
        number as u32 * self.bits
    }

    fn table(&self, rules: &Rules, symmetry: Symmetry) -> Vec<[u128; 256]> {
        let bytes = (self.cells.len() as u32 * self.bits).div_ceil(8);
        let mut table = vec![[0; 256]; bytes as usize];
        let mask = (1 << self.bits) - 1;
        for &cell in &self.cells {
            let (from, to) = (self.shift(cell), self.shift(symmetry.apply(rules, cell)));
            for (value, image) in table[from as usize / 8].iter_mut().enumerate() {
                *image |= (value as u128 >> (from % 8) & mask) << to;
            }
        }
        table
    }

    fn all_images(&self, board: u128) -> impl Iterator<Item = u128> {
        let bytes = board.to_le_bytes();
        self.images.iter().map(move |table| {
            table
                .iter()
                .zip(bytes)
                .fold(0, |image, (values, byte)| image | values[usize::from(byte)])
        })
    }
}

impl Boards for Packed {
    type Board = u128;

    fn empty(&self) -> u128 {
        0
    }

    fn put(&self, board: &u128, cell: Cell, seat: Seat) -> u128 {
        board | (seat.index() as u128 + 1) << self.shift(cell)
    }

    fn stones(&self, board: &u128) -> impl Iterator<Item = (Cell, Seat)> {
        let mask = (1 << self.bits) - 1;
        self.cells.iter().filter_map(move |&cell| {
            let value = (board >> self.shift(cell) & mask) as u8;
            Some((cell, Seat::new(value.checked_sub(1)?)?))
        })
    }

    fn canonical(&self, board: &u128) -> u128 {
        self.all_images(*board).fold(*board, u128::min)
    }

    fn images(&self, board: &u128) -> usize {
        distinct(self.all_images(*board).chain([*board]))
    }
}

/// Boards of any size, a byte for each cell.
pub(super) struct Bytes {
    cells: Vec<Cell>,
    cols: usize,
    /// For each symmetry but the first, where each cell comes to lie.
    images: Vec<Vec<usize>>,
}

impl Bytes {
    pub(super) fn new(rules: &Rules) -> Bytes {
        let cells: Vec<Cell> = rules.cells().collect();
        let mut bytes = Bytes { cells, cols: usize::from(rules.cols()), images: Vec::new() };
        bytes.images = Symmetry::all(rules)
            .skip(1)
            .map(|symmetry| {
                rules.cells().map(|cell| bytes.number(symmetry.apply(rules, cell))).collect()
            })
            .collect();
        bytes
    }

    fn number(&self, cell: Cell) -> usize {
        usize::from(cell.row()) * self.cols + usize::from(cell.col())
    }

    fn all_images(&self, board: &[u8]) -> impl Iterator<Item = Box<[u8]>> {
        self.images.iter().map(move |places| {
            let mut image = vec![0; board.len()];
            places.iter().zip(board).for_each(|(&place, &value)| image[place] = value);
            image.into()
        })
    }
}

impl Boards for Bytes {
    type Board = Box<[u8]>;

    fn empty(&self) -> Box<[u8]> {
        vec![0; self.cells.len()].into()
    }

    fn put(&self, board: &Box<[u8]>, cell: Cell, seat: Seat) -> Box<[u8]> {
        let mut board = board.clone();
        board[self.number(cell)] = seat.index() as u8 + 1;
        board
    }

    fn stones(&self, board: &Box<[u8]>) -> impl Iterator<Item = (Cell, Seat)> {
        let stone = |(&cell, value): (&Cell, &u8)| Some((cell, Seat::new(value.checked_sub(1)?)?));
        self.cells.iter().zip(board).filter_map(stone)
    }

    fn canonical(&self, board: &Box<[u8]>) -> Box<[u8]> {
        self.all_images(board).fold(board.clone(), Ord::min)
    }

    fn images(&self, board: &Box<[u8]>) -> usize {
        distinct(self.all_images(board).chain([board.clone()]))
    }
}

fn distinct<T: Ord>(images: impl Iterator<Item = T>) -> usize {
    let mut images: Vec<T> = images.collect();
    images.sort_unstable();
    images.dedup();
    images.len()
}

/// A quick hash for keys that nobody chooses to collide.
pub(super) type Mix = BuildHasherDefault<MixHasher>;

#[derive(Default)]
pub(super) struct MixHasher(u64);

impl Hasher for MixHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = mixed as u64 ^ (mixed >> 64) as u64;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

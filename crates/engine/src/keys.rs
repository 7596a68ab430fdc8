//! Hash keys of a board and of its mirror images, kept up to date cell by cell.

use std::sync::Arc;

use crate::geometry::{Geometry, SYMMETRIES};

/// What a cell holds, as far as it matters for what can still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    Empty,
    /// No open line needs the cell: whose it is, or that it is empty, makes no difference.
    Dead,
    Stone(u8),
}

/// The keys of a board as each symmetry shows it. The least of them stands for all.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    keys: [u64; SYMMETRIES],
    codes: Vec<Code>,
    /// For each code but `Empty` and each cell, what it adds to the keys.
    terms: Arc<[[u64; SYMMETRIES]]>,
}

impl Keys {
    /// The keys of the empty board.
    pub(crate) fn new(geometry: &Geometry, players: usize) -> Keys {
        let cells = geometry.cells;
        let term = |i: usize| {
            let (code, cell) = (i / cells, i % cells);
            geometry.images_of(cell).map(|image| scatter((code * cells + image) as u64 + 1))
        };
        Keys {
            keys: [0; SYMMETRIES],
            codes: vec![Code::Empty; cells],
            terms: (0..cells * (players + 1)).map(term).collect(),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, cell: usize, code: Code) {
        let old = std::mem::replace(&mut self.codes[cell], code);
        if old != code {
            self.flip(cell, old);
            self.flip(cell, code);
        }
    }

    /// The least key, with whose turn it is.
    #[inline]
    pub(crate) fn least(&self, turn: usize) -> u64 {
        let least = self.keys.iter().fold(u64::MAX, |least, &key| least.min(key));
        least ^ scatter(u64::MAX - turn as u64)
    }

    #[inline]
    fn flip(&mut self, cell: usize, code: Code) {
        let code = match code {
            Code::Empty => return,
            Code::Dead => 0,
            Code::Stone(seat) => usize::from(seat) + 1,
        };
        let terms = &self.terms[code * self.codes.len() + cell];
        for (key, term) in self.keys.iter_mut().zip(terms) {
            *key ^= term;
        }
    }
}

/// A fixed, well mixed number for each number (the finaliser of SplitMix64).
pub(crate) fn scatter(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

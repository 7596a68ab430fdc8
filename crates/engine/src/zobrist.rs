//! Incremental Zobrist keys of a board and its mirror images.

use std::sync::Arc;

use crate::board_tables::{BoardTables, MAX_SYMMETRIES};

/// The content of a cell, as far as it can still affect the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellState {
    Empty,
    /// On no open line, so neither its owner nor whether it is empty matters.
    Dead,
    Stone(u8),
}

/// One key for each symmetry of the board; the smallest is the canonical key.
#[derive(Debug, Clone)]
pub(crate) struct ZobristKeys {
    keys: [u64; MAX_SYMMETRIES],
    states: Vec<CellState>,
    /// The terms of each state but `Empty` and each cell.
    terms: Arc<[[u64; MAX_SYMMETRIES]]>,
}

impl ZobristKeys {
    /// The keys of the empty board.
    pub(crate) fn new(tables: &BoardTables) -> ZobristKeys {
        let cells = tables.cell_count;
        let term = |i: usize| {
            let (state, cell) = (i / cells, i % cells);
            tables.images_of(cell).map(|image| splitmix64((state * cells + image) as u64 + 1))
        };
        ZobristKeys {
            keys: [0; MAX_SYMMETRIES],
            states: vec![CellState::Empty; cells],
            terms: (0..cells * (tables.players + 1)).map(term).collect(),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, cell: usize, state: CellState) {
        let old = std::mem::replace(&mut self.states[cell], state);
        if old != state {
            self.toggle(cell, old);
            self.toggle(cell, state);
        }
    }

    /// The key shared by all mirror images, for the given turn.
    #[inline]
    pub(crate) fn canonical(&self, turn: usize) -> u64 {
        let least = self.keys.iter().fold(u64::MAX, |least, &key| least.min(key));
        least ^ splitmix64(u64::MAX - turn as u64)
    }

    #[inline]
    fn toggle(&mut self, cell: usize, state: CellState) {
        let state = match state {
            CellState::Empty => return,
            CellState::Dead => 0,
            CellState::Stone(seat) => usize::from(seat) + 1,
        };
        let terms = &self.terms[state * self.states.len() + cell];
        for (key, term) in self.keys.iter_mut().zip(terms) {
            *key ^= term;
        }
    }
}

/// The finaliser of SplitMix64: a fixed pseudo-random number for each input.
pub(crate) fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

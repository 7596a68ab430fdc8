//! Sets of cells.

use crate::Rules;
use crate::layout::{CellBits, SET_WORDS};

/// A set of cells of one board: a bit for each cell index.
#[derive(Clone)]
pub(crate) struct CellSet([u64; SET_WORDS]);

impl CellSet {
    /// All cells of the board.
    pub(crate) fn all(rules: &Rules) -> CellSet {
        let mut set = CellSet([0; SET_WORDS]);
        set.fill(rules);
        set
    }

    /// Adds all cells of the board.
    #[inline]
    pub(crate) fn fill(&mut self, rules: &Rules) {
        let cells = rules.cell_count();
        let last = (cells - 1) / 64;
        self.0[..last].fill(u64::MAX);
        self.0[last] = u64::MAX >> (64 * (last + 1) - cells);
    }

    #[inline]
    pub(crate) fn contains(&self, cell: &CellBits) -> bool {
        self.0[cell.set_word()] & cell.bit != 0
    }

    /// Adds the cell or removes it. Returns the word it is in.
    #[inline]
    pub(crate) fn flip(&mut self, cell: &CellBits) -> u64 {
        let word = &mut self.0[cell.set_word()];
        *word ^= cell.bit;
        *word
    }

    /// [`CellSet::flip`] for boards of at most 64 cells.
    #[inline]
    pub(crate) fn flip_first(&mut self, cell: &CellBits) -> u64 {
        self.0[0] ^= cell.bit;
        self.0[0]
    }

    /// Whether the set is empty, on a board whose sets take `words` words.
    #[inline]
    pub(crate) fn is_empty(&self, words: usize) -> bool {
        self.0.iter().take(words).all(|&word| word == 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// One word of the set.
    #[inline]
    pub(crate) fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// One word of the subset of cells whose lower neighbour is not in the set.
    #[inline]
    pub(crate) fn lowest_word(&self, i: usize, cols: u8) -> u64 {
        self.word(i) & !(self.word(i) >> cols | self.word(i + 1) << (64 - cols))
    }
}

//! Sets of cells.

use crate::layout::{CellBits, Layout, SET_WORDS};

/// A set of cells of one board: a bit for each cell index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellSet([u64; SET_WORDS]);

impl CellSet {
    pub(crate) const EMPTY: CellSet = CellSet([0; SET_WORDS]);

    /// All cells of the board.
    pub(crate) fn all(layout: &Layout) -> CellSet {
        let mut set = CellSet::EMPTY;
        set.fill(layout);
        set
    }

    /// Adds all cells of the board.
    #[inline]
    pub(crate) fn fill(&mut self, layout: &Layout) {
        let cells = layout.cell_count();
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

    /// Adds the cells of another set that are not in this one and removes those that are.
    pub(crate) fn flip_all(&mut self, other: &CellSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word ^= other);
    }

    /// Whether the set is empty, on a board whose sets take `words` words.
    #[inline]
    pub(crate) fn is_empty(&self, words: usize) -> bool {
        self.0.iter().take(words).all(|&word| word == 0)
    }

    /// Whether two sets have a cell in common.
    #[inline]
    pub(crate) fn intersects(&self, other: &CellSet, words: usize) -> bool {
        self.0.iter().zip(&other.0).take(words).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// One word of the set.
    #[inline]
    pub(crate) fn word(&self, i: usize) -> u64 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// One word of the set with each index increased by `by`.
    fn word_shifted_up(&self, i: usize, by: usize) -> u64 {
        let (words, bits) = (by / 64, by % 64);
        let word = |skipped: usize| i.checked_sub(skipped).map_or(0, |i| self.word(i));
        let carried = if bits == 0 { 0 } else { word(words + 1) >> (64 - bits) };
        word(words) << bits | carried
    }

    /// One word of the subset of cells without the next row's cell, `cols` indices later, in the set.
    #[inline]
    pub(crate) fn lowest_word(&self, i: usize, cols: usize) -> u64 {
        self.word(i) & !(self.word(i) >> cols | self.word(i + 1) << (64 - cols))
    }

    /// One word of the subset of cells without the lower level's cell, `level_size` indices earlier,
    /// in the set.
    pub(crate) fn lowest_level_word(&self, i: usize, level_size: usize) -> u64 {
        self.word(i) & !self.word_shifted_up(i, level_size)
    }
}

//! A set of cells of one board.

use std::fmt;

use crate::layout::SET_WORDS;
use crate::{Cell, Rules};

/// A set of cells of one board, in row order: what [`Position::legal_moves`] answers.
///
/// It is a value of its own, not a view, so the position can be played on while it is walked.
///
/// [`Position::legal_moves`]: crate::Position::legal_moves
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet {
    words: [u64; SET_WORDS],
    cols: u8,
    /// Words that can have bits; the rest need not be looked at.
    used: u8,
}

impl CellSet {
    /// Every cell of the board.
    pub(crate) fn all(rules: &Rules) -> CellSet {
        let cells = rules.cell_count();
        let mut words = [0; SET_WORDS];
        words[..cells / 64].fill(u64::MAX);
        if !cells.is_multiple_of(64) {
            words[cells / 64] = (1 << (cells % 64)) - 1;
        }
        CellSet { words, cols: rules.cols(), used: cells.div_ceil(64) as u8 }
    }

    /// No cell of the board.
    pub(crate) fn none(rules: &Rules) -> CellSet {
        CellSet { words: [0; SET_WORDS], cols: rules.cols(), used: 0 }
    }

    /// How many cells are in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set has no cell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether the cell is in the set.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.col() < self.cols
            && self.has(usize::from(cell.row()) * usize::from(self.cols) + usize::from(cell.col()))
    }

    #[inline]
    pub(crate) fn has(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    #[inline]
    pub(crate) fn flip(&mut self, index: usize) {
        self.words[index / 64] ^= 1 << (index % 64);
    }

    /// Those cells that have none of the set right below them.
    pub(crate) fn lowest(&self) -> CellSet {
        let mut lowest = *self;
        let shift = u32::from(self.cols);
        for (i, word) in lowest.words[..usize::from(self.used)].iter_mut().enumerate() {
            let above = self.words.get(i + 1).map_or(0, |next| next << (64 - shift));
            *word &= !(self.words[i] >> shift | above);
        }
        lowest
    }

    fn words(&self) -> &[u64] {
        &self.words[..usize::from(self.used)]
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = CellSetIter;

    #[inline]
    fn into_iter(self) -> CellSetIter {
        // For every index on a board, (index * inverse) >> 16 is index / cols.
        let inverse = 0x1_0000 / u32::from(self.cols) + 1;
        CellSetIter { word: self.words[0], at: 0, inverse, set: self }
    }
}

/// The cells of a [`CellSet`], row by row.
#[derive(Debug, Clone)]
pub struct CellSetIter {
    set: CellSet,
    word: u64,
    at: u8,
    inverse: u32,
}

impl Iterator for CellSetIter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.word == 0 {
            self.at += 1;
            if self.at >= self.set.used {
                self.at = self.set.used;
                return None;
            }
            self.word = self.set.words[usize::from(self.at)];
        }
        let index = u32::from(self.at) * 64 + self.word.trailing_zeros();
        self.word &= self.word - 1;
        let row = (index * self.inverse) >> 16;
        let col = index - row * u32::from(self.set.cols);
        Some(Cell::on_board(row as u8, col as u8))
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesParts;

    #[test]
    fn every_board_is_walked_row_by_row() {
        for rows in 1..=26 {
            for cols in 1..=26 {
                let rules = RulesParts { rows, cols, ..RulesParts::default() }.build().unwrap();
                let all = CellSet::all(&rules);
                assert!(all.into_iter().eq(rules.cells()), "{rules}");
                assert_eq!(all.len(), rules.cell_count());
                assert!(rules.cells().all(|cell| all.contains(cell)));
                let floor = all.lowest();
                assert!(floor.into_iter().eq(rules.cells().filter(|c| c.row() == rows - 1)));
            }
        }
    }

    #[test]
    fn a_cell_off_the_board_is_not_in_the_set() {
        let all = CellSet::all(&Rules::classic());
        for (row, col) in [(0, 3), (3, 0), (25, 25)] {
            assert!(!all.contains(Cell::new(row, col).unwrap()));
        }
    }
}

//! How the lines of a board lie in machine words.
//!
//! Every line that could hold a win is laid out as consecutive bits, with an unused bit between
//! two lines of one word. A seat's stones are then one such row of words, a move sets the bits of
//! its cell, and *k in a row* is *k consecutive bits*: a few shifts, whatever the direction and
//! the size of the board. The whole of 3x3 takes half a word.
//!
//! Where edges join, lines are rings. A ring is cut into pieces that overlap by `k - 1` cells, so
//! that each run of `k` lies whole in one piece; a cell then has several bits.

use crate::Cell;
use crate::rules::MAX_SIDE;

/// Words that hold one bit for each cell of the largest board.
pub(crate) const SET_WORDS: usize = (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(64);

/// The four ways a line can run, as steps of row and column.
pub(crate) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

pub(crate) struct Layout {
    rows: u8,
    cols: u8,
    wrap: bool,
    /// How many words hold a seat's lines.
    words: usize,
    /// The same for each cell: those that need fewer have slots that set no bit.
    slots_per_cell: usize,
    slots: Box<[Slot]>,
}

/// Bits that a cell has in one word.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) word: u32,
    pub(crate) mask: u64,
}

impl Layout {
    pub(crate) fn new(rows: u8, cols: u8, k: u8, wrap: bool) -> Layout {
        let mut layout =
            Layout { rows, cols, wrap, words: 1, slots_per_cell: 0, slots: Box::default() };
        let mut cells: Vec<Vec<Slot>> = vec![Vec::new(); layout.cell_count()];
        let mut used = 0;
        for piece in layout.pieces(usize::from(k)) {
            if used + piece.len() > 64 {
                layout.words += 1;
                used = 0;
            }
            let word = layout.words as u32 - 1;
            for (bit, &cell) in (used..).zip(&piece) {
                let slots = &mut cells[layout.index_on_board(cell)];
                let mask = 1 << bit;
                match slots.iter_mut().find(|slot| slot.word == word) {
                    Some(slot) => slot.mask |= mask,
                    None => slots.push(Slot { word, mask }),
                }
            }
            used += piece.len() + 1;
        }
        layout.slots_per_cell = cells.iter().map(Vec::len).max().unwrap_or(0);
        for slots in &mut cells {
            slots.resize(layout.slots_per_cell, Slot::default());
        }
        layout.slots = cells.concat().into();
        layout
    }

    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    /// The cell's number, row by row, if it is on the board.
    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> Option<usize> {
        (cell.row() < self.rows && cell.col() < self.cols).then(|| self.index_on_board(cell))
    }

    #[inline]
    fn index_on_board(&self, cell: Cell) -> usize {
        usize::from(cell.row()) * usize::from(self.cols) + usize::from(cell.col())
    }

    /// The bits of the cell with this number. The first slot always has some: `k` is at most the
    /// longer side, so all rows or all columns are laid out.
    #[inline]
    pub(crate) fn slots(&self, index: usize) -> &[Slot] {
        &self.slots[index * self.slots_per_cell..][..self.slots_per_cell]
    }

    /// The neighbour in a direction, around the edge where edges join.
    pub(crate) fn step(&self, cell: Cell, (down, right): (i8, i8)) -> Option<Cell> {
        let (rows, cols) = (self.rows as i8, self.cols as i8);
        let (row, col) = (cell.row() as i8 + down, cell.col() as i8 + right);
        if self.wrap {
            Some(Cell::on_board(row.rem_euclid(rows) as u8, col.rem_euclid(cols) as u8))
        } else if (0..rows).contains(&row) && (0..cols).contains(&col) {
            Some(Cell::on_board(row as u8, col as u8))
        } else {
            None
        }
    }

    /// The lines of at least `k` cells, cut so that each piece fits in a word and each run of `k`
    /// lies in one piece.
    fn pieces(&self, k: usize) -> Vec<Vec<Cell>> {
        let mut pieces = Vec::new();
        for direction in DIRECTIONS {
            for line in self.lines(direction) {
                if line.len() < k {
                    continue;
                }
                let starts = if self.wrap { line.len() } else { line.len() - k + 1 };
                let starts_per_piece = 64 - (k - 1);
                for first in (0..starts).step_by(starts_per_piece) {
                    let end = starts.min(first + starts_per_piece) + k - 1;
                    pieces.push((first..end).map(|i| line[i % line.len()]).collect());
                }
            }
        }
        pieces
    }

    /// All maximal lines in a direction; rings where edges join, each once.
    fn lines(&self, direction: (i8, i8)) -> Vec<Vec<Cell>> {
        let back = (-direction.0, -direction.1);
        let mut seen = vec![false; self.cell_count()];
        let mut lines = Vec::new();
        for row in 0..self.rows {
            for col in 0..self.cols {
                let cell = Cell::on_board(row, col);
                let begins = self.wrap || self.step(cell, back).is_none();
                if !begins || seen[self.index_on_board(cell)] {
                    continue;
                }
                let mut line = Vec::new();
                let mut next = Some(cell);
                while let Some(cell) = next.filter(|&c| !seen[self.index_on_board(c)]) {
                    seen[self.index_on_board(cell)] = true;
                    line.push(cell);
                    next = self.step(cell, direction);
                }
                lines.push(line);
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_3x3_take_half_a_word() {
        let layout = Layout::new(3, 3, 3, false);
        assert_eq!((layout.words, layout.slots_per_cell), (1, 1));
        assert!(layout.slots.iter().all(|slot| slot.mask < 1 << 32));
    }

    /// The longest rings: both diagonals of 26x25 run through all 650 cells.
    #[test]
    fn rings_are_cut_into_pieces_that_fit() {
        let layout = Layout::new(26, 25, 25, true);
        assert_eq!(layout.lines((1, 1)).len(), 1);
        for piece in layout.pieces(25) {
            assert!((25..=64).contains(&piece.len()));
        }
    }

    #[test]
    fn every_cell_of_every_board_has_a_bit() {
        for rows in 1..=MAX_SIDE {
            for cols in [1, 2, 3, 7, 26] {
                for k in [1, rows.min(cols), rows.max(cols)] {
                    let layout = Layout::new(rows, cols, k, (rows + cols) % 2 == 0);
                    assert!((0..layout.cell_count()).all(|i| layout.slots(i)[0].mask != 0));
                }
            }
        }
    }
}

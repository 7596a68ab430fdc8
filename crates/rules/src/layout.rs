//! How the lines of a board lie in machine words.
//!
//! Every line that could hold a win is laid out as consecutive bits, with an unused bit between
//! two lines of one word. A seat's stones are then a set of such words, a move sets the bits of its
//! cell, and *k in a row* is *k consecutive bits*: a few shifts, whatever the direction and
//! the size of the board. The whole of 3x3 takes half a word.
//!
//! Where edges join, lines are rings. A ring is cut into pieces that overlap by `k - 1` cells, so
//! that each run of `k` lies whole in one piece; a cell then has several bits.

use crate::rules::MAX_SIDE;
use crate::{Cell, RulesParts, Seat};

/// Words that hold one bit for each cell of the largest board.
pub(crate) const SET_WORDS: usize = (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(64);

/// The four ways a line can run, as steps of row and column.
pub(crate) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

pub(crate) struct Layout {
    rows: u8,
    cols: u8,
    wrap: bool,
    k: u32,
    set_words: usize,
    /// The cells of the board, row by row: a cell's number is its place here.
    numbered: Box<[Cell]>,
    /// By the cells' keys. Keys beside the board have no bits.
    cells: Box<[CellBits]>,
    players: usize,
    /// How many words hold the lines of all seats, without the first word of each. The seats'
    /// words of the same lines lie side by side.
    far_words: usize,
    far: Box<[Slot]>,
    far_per_cell: usize,
}

/// What a cell is in machine words.
#[derive(Clone, Copy, Default)]
pub(crate) struct CellBits {
    /// The cell's one bit in a set of cells.
    pub(crate) bit: u64,
    /// The cell's bits in the first word of a seat's lines, which is all there is on small boards.
    pub(crate) near: u64,
    set_word: u32,
    /// Where its slots in the other words begin.
    far: u32,
}

/// Bits that a cell has in one of the other words; the word given is that of the first seat.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) word: usize,
    pub(crate) mask: u64,
}

impl CellBits {
    /// Which word of a set has the cell's bit.
    #[inline]
    pub(crate) fn set_word(&self) -> usize {
        self.set_word as usize
    }
}

impl Layout {
    pub(crate) fn new(parts: &RulesParts, k: u8) -> Layout {
        let RulesParts { rows, cols, wrap, players, .. } = *parts;
        let cell_count = usize::from(rows) * usize::from(cols);
        let mut layout = Layout {
            rows,
            cols,
            wrap,
            k: u32::from(k),
            set_words: cell_count.div_ceil(64),
            numbered: (0..rows)
                .flat_map(|row| (0..cols).map(move |col| Cell::on_board(row, col)))
                .collect(),
            cells: Box::default(),
            players: usize::from(players),
            far_words: 0,
            far: Box::default(),
            far_per_cell: 0,
        };
        let mut cells = vec![CellBits::default(); usize::from(rows) * Cell::ROW_STRIDE];
        for (number, cell) in layout.numbered.iter().enumerate() {
            let bits = &mut cells[cell.key()];
            bits.bit = 1 << (number % 64);
            bits.set_word = (number / 64) as u32;
        }
        let mut far = vec![Vec::new(); cells.len()];
        layout.lay_out(&mut cells, &mut far);

        layout.far_per_cell = far.iter().map(Vec::len).max().unwrap_or(0);
        for (number, (bits, far)) in cells.iter_mut().zip(&mut far).enumerate() {
            // Cells that need fewer slots than others get some that set no bit.
            far.resize(layout.far_per_cell, Slot::default());
            bits.far = (number * layout.far_per_cell) as u32;
        }
        layout.cells = cells.into();
        layout.far = far.concat().into();
        layout
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> usize {
        self.numbered.len()
    }

    /// How many words the lines of all seats take beyond the first of each.
    pub(crate) fn far_words(&self) -> usize {
        self.far_words
    }

    /// How many words a set of the board's cells takes.
    #[inline]
    pub(crate) fn set_words(&self) -> usize {
        self.set_words
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        cell.row() < self.rows && cell.col() < self.cols
    }

    /// The bits of the cell with this key; no bits, or nothing, where it is off the board.
    #[inline]
    pub(crate) fn bits(&self, key: usize) -> Option<&CellBits> {
        self.cells.get(key)
    }

    /// The cell's slots beyond the first word; none on small boards.
    #[inline]
    pub(crate) fn far_slots(&self, cell: &CellBits) -> &[Slot] {
        let far = cell.far as usize;
        &self.far[far..far + self.far_per_cell]
    }

    /// Whether lines take more than one word.
    #[inline]
    pub(crate) fn has_far_slots(&self) -> bool {
        self.far_per_cell > 0
    }

    /// Bit `i` of the answer is set where bits `i` to `i + k - 1` of the word are.
    #[inline]
    pub(crate) fn starts_of_runs(&self, word: u64) -> u64 {
        match self.k {
            3 => runs_of_3(word),
            4 => runs_of_4(word),
            5 => runs_of_5(word),
            k => runs_of(word, k),
        }
    }

    /// Flips a cell's bits in the far words of a seat, and answers with the runs of `k` that there
    /// are then in these words. Small boards have no use for it, so it stands apart.
    #[inline(never)]
    pub(crate) fn flip_far(&self, far: &mut [u64], cell: &CellBits, seat: Seat) -> u64 {
        let slots = self.far_slots(cell);
        match self.k {
            3 => flip_slots(slots, far, seat, runs_of_3),
            4 => flip_slots(slots, far, seat, runs_of_4),
            5 => flip_slots(slots, far, seat, runs_of_5),
            k => flip_slots(slots, far, seat, |word| runs_of(word, k)),
        }
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

    /// Gives every cell its bits in the first word and its slots in the others.
    fn lay_out(&mut self, cells: &mut [CellBits], far: &mut [Vec<Slot>]) {
        let (mut word, mut used) = (None, 0);
        for piece in self.pieces() {
            if used + piece.len() > 64 {
                word = Some(self.far_words);
                self.far_words += self.players;
                used = 0;
            }
            for (bit, cell) in (used..).zip(&piece) {
                let mask = 1 << bit;
                let Some(word) = word else {
                    cells[cell.key()].near |= mask;
                    continue;
                };
                let slots = &mut far[cell.key()];
                match slots.iter_mut().find(|slot| slot.word == word) {
                    Some(slot) => slot.mask |= mask,
                    None => slots.push(Slot { word, mask }),
                }
            }
            used += piece.len() + 1;
        }
    }

    /// The lines of at least `k` cells, cut so that each piece fits in a word and each run of `k`
    /// lies in one piece.
    fn pieces(&self) -> Vec<Vec<Cell>> {
        let k = self.k as usize;
        let starts_per_piece = 64 - (k - 1);
        let mut pieces = Vec::new();
        let lines = DIRECTIONS.iter().flat_map(|&direction| self.lines(direction));
        for line in lines.filter(|line| line.len() >= k) {
            let starts = if self.wrap { line.len() } else { line.len() - k + 1 };
            for first in (0..starts).step_by(starts_per_piece) {
                let end = starts.min(first + starts_per_piece) + k - 1;
                pieces.push((first..end).map(|i| line[i % line.len()]).collect());
            }
        }
        pieces
    }

    /// All maximal lines in a direction; rings where edges join, each once.
    pub(crate) fn lines(&self, direction: (i8, i8)) -> Vec<Vec<Cell>> {
        let back = (-direction.0, -direction.1);
        let mut seen = vec![false; self.cell_count()];
        let mut lines = Vec::new();
        for &cell in &self.numbered {
            if !self.wrap && self.step(cell, back).is_some() {
                continue;
            }
            let mut line = Vec::new();
            let mut next = Some(cell);
            while let Some(cell) = next.filter(|&cell| !seen[self.number(cell)]) {
                seen[self.number(cell)] = true;
                line.push(cell);
                next = self.step(cell, direction);
            }
            lines.push(line);
        }
        lines
    }

    /// The number of a cell of the board, counted row by row.
    fn number(&self, cell: Cell) -> usize {
        usize::from(cell.row()) * usize::from(self.cols) + usize::from(cell.col())
    }

    /// The cell with a number of the board.
    #[inline]
    pub(crate) fn cell(&self, number: usize) -> Option<Cell> {
        self.numbered.get(number).copied()
    }
}

#[inline]
fn flip_slots(slots: &[Slot], far: &mut [u64], seat: Seat, runs: impl Fn(u64) -> u64) -> u64 {
    slots.iter().fold(0, |found, slot| {
        let word = &mut far[slot.word + seat.index()];
        *word ^= slot.mask;
        found | runs(*word)
    })
}

#[inline]
fn runs_of_3(word: u64) -> u64 {
    word & word >> 1 & word >> 2
}

#[inline]
fn runs_of_4(word: u64) -> u64 {
    let pairs = word & word >> 1;
    pairs & pairs >> 2
}

#[inline]
fn runs_of_5(word: u64) -> u64 {
    runs_of_4(word) & word >> 4
}

/// Each step lengthens the runs that are looked for, to twice their length or to `k`.
fn runs_of(mut word: u64, k: u32) -> u64 {
    let mut length = 1;
    while length < k {
        let shift = length.min(k - length);
        word &= word >> shift;
        length += shift;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: u8, cols: u8, k: u8, wrap: bool) -> Layout {
        Layout::new(&RulesParts { rows, cols, wrap, ..RulesParts::default() }, k)
    }

    #[test]
    fn the_lines_of_3x3_take_half_a_word() {
        let layout = layout(3, 3, 3, false);
        assert_eq!(layout.far_words, 0);
        assert!(layout.cells.iter().all(|cell| cell.near < 1 << 32));
    }

    /// The longest rings: both diagonals of 26x25 run through all 650 cells.
    #[test]
    fn rings_are_cut_into_pieces_that_fit() {
        let layout = layout(26, 25, 25, true);
        assert_eq!(layout.lines((1, 1)).iter().filter(|line| !line.is_empty()).count(), 1);
        for piece in layout.pieces() {
            assert!((25..=64).contains(&piece.len()));
        }
    }

    #[test]
    fn runs_of_every_length_are_found() {
        for k in 1..=MAX_SIDE {
            let layout = layout(1, 26, k, false);
            let run = |length: u32| ((1u64 << length) - 1) << 3;
            assert_eq!(layout.starts_of_runs(run(u32::from(k) - 1)), 0);
            assert_eq!(layout.starts_of_runs(run(u32::from(k))), 1 << 3);
            assert_eq!(layout.starts_of_runs(run(u32::from(k) + 1)), 0b11 << 3);
        }
    }

    #[test]
    fn every_cell_of_every_board_has_a_bit() {
        for rows in 1..=MAX_SIDE {
            for cols in [1, 2, 3, 7, 26] {
                for k in [1, rows.min(cols), rows.max(cols)] {
                    let layout = layout(rows, cols, k, (rows + cols) % 2 == 0);
                    for cell in &layout.numbered {
                        let bits = layout.bits(cell.key()).unwrap();
                        assert_ne!(bits.bit, 0);
                        assert!(bits.near != 0 || layout.far_slots(bits)[0].mask != 0);
                    }
                }
            }
        }
    }
}

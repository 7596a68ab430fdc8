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

/// Words that hold one bit for each cell of the largest board; a power of two, see
/// [`CellBits::set_word`].
pub(crate) const SET_WORDS: usize =
    (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(64).next_power_of_two();

/// The four ways a line can run, as steps of row and column.
pub(crate) const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

pub(crate) struct Layout {
    rows: u8,
    cols: u8,
    wrap: bool,
    k: u32,
    set_words: usize,
    cell_count: usize,
    /// The cells of the board, row by row: a cell's number is its place here. As large as can be,
    /// like the next.
    numbered: [Cell; Cell::KEYS],
    /// By the cells' keys. Keys beside the board have no bits. It is as large as for the largest
    /// board so that a look-up needs no check and no further pointer.
    cells: [CellBits; Cell::KEYS],
    players: usize,
    /// How many words hold the lines of all seats; none where one for each seat is enough. The
    /// seats' words of the same lines lie side by side.
    words: usize,
    slots: Box<[Slots]>,
    slots_per_cell: usize,
    /// Whether one word is enough for each seat and nothing but bits decides about a move.
    simple: bool,
}

/// What a cell is in machine words.
#[derive(Clone, Copy, Default)]
pub(crate) struct CellBits {
    /// The cell's one bit in a set of cells.
    pub(crate) bit: u64,
    /// Where all lines fit in one word, the cell's bits in it.
    pub(crate) mask: u64,
    set_word: u32,
    /// Where they do not, where the cell's slots begin.
    slots: u32,
}

/// Bits that a cell has in one of several words; the word given is that of the first seat.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) word: usize,
    pub(crate) mask: u64,
}

/// Slots for a line in each direction, which is enough where edges do not join. They share a line
/// of the cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Slots([Slot; 4]);

impl CellBits {
    /// Which word of a set has the cell's bit.
    #[inline]
    pub(crate) fn set_word(&self) -> usize {
        // Always below; saying so spares a check.
        self.set_word as usize % SET_WORDS
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
            cell_count,
            numbered: [Cell::on_board(0, 0); _],
            cells: [CellBits::default(); _],
            players: usize::from(players),
            words: 0,
            slots: Box::default(),
            slots_per_cell: 0,
            simple: false,
        };
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| Cell::on_board(row, col)));
        for (number, cell) in cells.enumerate() {
            layout.numbered[number] = cell;
            let bits = &mut layout.cells[cell.key()];
            bits.bit = 1 << (number % 64);
            bits.set_word = (number / 64) as u32;
        }
        let mut slots = layout.lay_out();
        if layout.words == layout.players {
            layout.words = 0;
            for (bits, slots) in layout.cells.iter_mut().zip(&slots) {
                bits.mask = slots.first().map_or(0, |slot| slot.mask);
            }
        } else {
            let most = slots.iter().map(Vec::len).max().unwrap_or(0);
            layout.slots_per_cell = most.div_ceil(4);
            for (key, (bits, slots)) in layout.cells.iter_mut().zip(&mut slots).enumerate() {
                bits.slots = (key * layout.slots_per_cell) as u32;
                // Cells that need fewer slots than others get some that set no bit.
                slots.resize(4 * layout.slots_per_cell, Slot::default());
            }
            let slots = slots.concat();
            layout.slots = slots.as_chunks().0.iter().map(|&four| Slots(four)).collect();
        }
        layout.simple = layout.is_small() && !parts.gravity && !parts.exact;
        layout
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// Whether the lines of a seat fit in one word.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.words == 0
    }

    /// Whether the lines of a seat fit in one word, and a move is legal where a cell is empty and
    /// wins where it makes a run.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        self.simple
    }

    /// How many words the lines of all seats take where one for each is not enough.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// How many words a set of the board's cells takes.
    #[inline]
    pub(crate) fn set_words(&self) -> usize {
        self.set_words
    }

    pub(crate) fn contains(&self, cell: Cell) -> bool {
        cell.row() < self.rows && cell.col() < self.cols
    }

    /// The cell's bits; none where it is off the board.
    #[inline]
    pub(crate) fn bits(&self, cell: Cell) -> &CellBits {
        &self.cells[cell.key()]
    }

    /// The bits of what is below the cell; none where that is the floor.
    #[inline]
    pub(crate) fn bits_below(&self, cell: Cell) -> &CellBits {
        &self.cells[(cell.key() + Cell::ROW_STRIDE) % Cell::KEYS]
    }

    #[inline]
    fn slots(&self, cell: &CellBits) -> &[Slots] {
        &self.slots[cell.slots as usize..][..self.slots_per_cell]
    }

    /// The first of the cell's slots. It has bits: `k` is at most the longer side, so all rows or
    /// all columns are laid out.
    pub(crate) fn first_slot(&self, cell: &CellBits) -> Slot {
        self.slots[cell.slots as usize].0[0]
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

    /// Sets a cell's bits in the words of a seat, where they are not set, and answers with the runs
    /// of `k` that there are then in these words.
    #[inline]
    pub(crate) fn put(&self, words: &mut [u64], cell: &CellBits, seat: Seat) -> u64 {
        let slots = &self.slots[cell.slots as usize];
        let found = match self.k {
            3 => put(slots, words, seat, runs_of_3),
            4 => put(slots, words, seat, runs_of_4),
            5 => put(slots, words, seat, runs_of_5),
            k => put(slots, words, seat, |word| runs_of(word, k)),
        };
        if self.slots_per_cell == 1 { found } else { found | self.put_rest(words, cell, seat) }
    }

    /// [`Layout::put`] for what the first slots of the cell do not hold.
    #[cold]
    fn put_rest(&self, words: &mut [u64], cell: &CellBits, seat: Seat) -> u64 {
        let slots = &self.slots(cell)[1..];
        slots.iter().fold(0, |found, slots| {
            found | put(slots, words, seat, |word| self.starts_of_runs(word))
        })
    }

    /// Sets a cell's bits in the words of a seat, or takes them away where they are set.
    pub(crate) fn flip(&self, words: &mut [u64], cell: &CellBits, seat: Seat) {
        for slot in self.slots(cell).iter().flat_map(|slots| &slots.0) {
            words[slot.word + seat.index()] ^= slot.mask;
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

    /// The slots of each cell, by its key.
    fn lay_out(&mut self) -> Vec<Vec<Slot>> {
        let mut cells = vec![Vec::<Slot>::new(); usize::from(self.rows) * Cell::ROW_STRIDE];
        let mut used = 64;
        for piece in self.pieces() {
            if used + piece.len() > 64 {
                self.words += self.players;
                used = 0;
            }
            let word = self.words - self.players;
            for (bit, cell) in (used..).zip(&piece) {
                let slots = &mut cells[cell.key()];
                let mask = 1 << bit;
                match slots.iter_mut().find(|slot| slot.word == word) {
                    Some(slot) => slot.mask |= mask,
                    None => slots.push(Slot { word, mask }),
                }
            }
            used += piece.len() + 1;
        }
        cells
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
        for cell in self.cells() {
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
    pub(crate) fn cell(&self, number: usize) -> Cell {
        // Always below; saying so spares a check.
        self.numbered[number % Cell::KEYS]
    }

    /// The cells of the board, row by row.
    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.numbered[..self.cell_count].iter().copied()
    }
}

#[inline(always)]
fn put(slots: &Slots, words: &mut [u64], seat: Seat, runs: impl Fn(u64) -> u64) -> u64 {
    let mut put = |slot: &Slot| {
        let word = &mut words[slot.word + seat.index()];
        *word |= slot.mask;
        runs(*word)
    };
    let Slots([a, b, c, d]) = slots;
    put(a) | put(b) | put(c) | put(d)
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
        assert!(layout.is_small());
        assert!(layout.cells.iter().all(|cell| cell.mask < 1 << 32));
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
                    for cell in layout.cells() {
                        let bits = layout.bits(cell);
                        assert_ne!(bits.bit, 0);
                        let small = layout.is_small();
                        assert!(if small {
                            bits.mask != 0
                        } else {
                            layout.first_slot(bits).mask != 0
                        });
                    }
                }
            }
        }
    }
}

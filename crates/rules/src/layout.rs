//! The lines of a board as bits of machine words.
//!
//! Every line that can hold a win is laid out as consecutive bits, with an unused bit between two
//! lines of a word. A seat's stones are then a set of such words, a move sets the bits of its
//! cell, and *k in a row* is *k consecutive bits*: a few shifts, whatever the direction and the
//! size of the board. All of 3x3 takes half a word.
//!
//! On a board that wraps, lines are rings. A ring is cut into segments that overlap by `k - 1`
//! cells, so that one segment contains each run of `k`; a cell then has several bits.

use crate::geometry::Grid;
use crate::rules::MAX_SIDE;
use crate::{Cell, RulesParts, Seat};

/// Words that hold one bit for each cell of the largest board; a power of two, see
/// [`CellBits::set_word`].
pub(crate) const SET_WORDS: usize =
    (MAX_SIDE as usize * MAX_SIDE as usize).div_ceil(64).next_power_of_two();

pub(crate) struct Layout {
    grid: Grid,
    k: u32,
    set_words: usize,
    cell_count: usize,
    /// The cells by index. This table and the next have the size of the largest board, so that a
    /// lookup needs neither a bounds check nor another pointer.
    cells: [Cell; Cell::KEYS],
    /// By cell key. Keys off the board have no bits.
    bits: [CellBits; Cell::KEYS],
    players: usize,
    /// How many words hold the lines of all seats; 0 if one word per seat is enough. The seats'
    /// words for the same lines are adjacent.
    word_count: usize,
    slots: Box<[SlotGroup]>,
    groups_per_cell: usize,
    simple: bool,
}

/// A cell's bits in machine words.
#[derive(Clone, Copy, Default)]
pub(crate) struct CellBits {
    /// The cell's one bit in a set of cells.
    pub(crate) bit: u64,
    /// The cell's bits in the line word, if one word holds all lines.
    pub(crate) mask: u64,
    set_word: u32,
    /// Otherwise the index of the cell's first slot group.
    first_group: u32,
}

/// A cell's bits in one of several line words; `word` is the first seat's.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) word: usize,
    pub(crate) mask: u64,
}

/// A slot for each direction, which is enough unless the board wraps. They share a cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct SlotGroup([Slot; 4]);

impl CellBits {
    /// Which word of a set has the cell's bit.
    #[inline]
    pub(crate) fn set_word(&self) -> usize {
        // Never out of range; the modulo removes the bounds check.
        self.set_word as usize % SET_WORDS
    }
}

impl Layout {
    pub(crate) fn new(parts: &RulesParts, k: u8) -> Layout {
        let RulesParts { rows, cols, wrap, players, .. } = *parts;
        let grid = Grid { rows, cols, wrap };
        let cell_count = grid.cell_count();
        let mut layout = Layout {
            grid,
            k: u32::from(k),
            set_words: cell_count.div_ceil(64),
            cell_count,
            cells: [Cell::on_board(0, 0); _],
            bits: [CellBits::default(); _],
            players: usize::from(players),
            word_count: 0,
            slots: Box::default(),
            groups_per_cell: 0,
            simple: false,
        };
        for (index, cell) in grid.cells().enumerate() {
            layout.cells[index] = cell;
            let bits = &mut layout.bits[cell.key()];
            bits.bit = 1 << (index % 64);
            bits.set_word = (index / 64) as u32;
        }
        let mut slots = layout.lay_out();
        if layout.word_count == layout.players {
            layout.word_count = 0;
            for (bits, slots) in layout.bits.iter_mut().zip(&slots) {
                bits.mask = slots.first().map_or(0, |slot| slot.mask);
            }
        } else {
            let max_slots = slots.iter().map(Vec::len).max().unwrap_or(0);
            layout.groups_per_cell = max_slots.div_ceil(4);
            for (key, (bits, slots)) in layout.bits.iter_mut().zip(&mut slots).enumerate() {
                bits.first_group = (key * layout.groups_per_cell) as u32;
                // Padding slots set no bit.
                slots.resize(4 * layout.groups_per_cell, Slot::default());
            }
            let slots = slots.concat();
            layout.slots = slots.as_chunks().0.iter().map(|&four| SlotGroup(four)).collect();
        }
        layout.simple = layout.is_small() && !parts.gravity && !parts.exact;
        layout
    }

    #[inline]
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// Whether one word holds all lines of a seat.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.word_count == 0
    }

    /// Whether the board is small, every empty cell is legal and every run wins.
    #[inline]
    pub(crate) fn is_simple(&self) -> bool {
        self.simple
    }

    /// How many words the lines of all seats take; 0 if the board is small.
    pub(crate) fn word_count(&self) -> usize {
        self.word_count
    }

    /// How many words a set of the board's cells takes.
    #[inline]
    pub(crate) fn set_words(&self) -> usize {
        self.set_words
    }

    /// The cell's bits; none if it is off the board.
    #[inline]
    pub(crate) fn bits(&self, cell: Cell) -> &CellBits {
        &self.bits[cell.key()]
    }

    /// The bits of the cell below; none at the bottom of the board.
    #[inline]
    pub(crate) fn bits_below(&self, cell: Cell) -> &CellBits {
        &self.bits[(cell.key() + Cell::ROW_STRIDE) % Cell::KEYS]
    }

    /// The cell with an index of the board.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell {
        // Never out of range; the modulo removes the bounds check.
        self.cells[index % Cell::KEYS]
    }

    #[inline]
    fn slots(&self, cell: &CellBits) -> &[SlotGroup] {
        &self.slots[cell.first_group as usize..][..self.groups_per_cell]
    }

    /// The first of the cell's slots. It has bits: `k` is at most the longer side, so all rows or
    /// all columns are laid out.
    pub(crate) fn first_slot(&self, cell: &CellBits) -> Slot {
        self.slots[cell.first_group as usize].0[0]
    }

    /// Finds runs: bit `i` of the result is set if bits `i` to `i + k - 1` of the word are.
    #[inline]
    pub(crate) fn runs(&self, word: u64) -> u64 {
        match self.k {
            3 => runs_of_3(word),
            4 => runs_of_4(word),
            5 => runs_of_5(word),
            k => runs_of(word, k),
        }
    }

    /// Sets a cell's bits, which were clear, in the words of a seat. Returns the runs of `k` in
    /// these words afterwards.
    #[inline]
    pub(crate) fn place(&self, words: &mut [u64], cell: &CellBits, seat: Seat) -> u64 {
        let slots = &self.slots[cell.first_group as usize];
        let found = match self.k {
            3 => place(slots, words, seat, runs_of_3),
            4 => place(slots, words, seat, runs_of_4),
            5 => place(slots, words, seat, runs_of_5),
            k => place(slots, words, seat, |word| runs_of(word, k)),
        };
        if self.groups_per_cell == 1 { found } else { found | self.place_rest(words, cell, seat) }
    }

    /// [`Layout::place`] for all but the first slot group.
    #[cold]
    fn place_rest(&self, words: &mut [u64], cell: &CellBits, seat: Seat) -> u64 {
        let groups = &self.slots(cell)[1..];
        groups
            .iter()
            .fold(0, |found, slots| found | place(slots, words, seat, |word| self.runs(word)))
    }

    /// Flips a cell's bits in the words of a seat.
    pub(crate) fn flip(&self, words: &mut [u64], cell: &CellBits, seat: Seat) {
        for slot in self.slots(cell).iter().flat_map(|slots| &slots.0) {
            words[slot.word + seat.index()] ^= slot.mask;
        }
    }

    /// Assigns bits to the cells of all segments. Returns the slots of each cell, by its key.
    fn lay_out(&mut self) -> Vec<Vec<Slot>> {
        let mut slots_by_key =
            vec![Vec::<Slot>::new(); usize::from(self.grid.rows) * Cell::ROW_STRIDE];
        let mut used_bits = 64;
        for segment in self.segments() {
            if used_bits + segment.len() > 64 {
                self.word_count += self.players;
                used_bits = 0;
            }
            let word = self.word_count - self.players;
            for (bit, cell) in (used_bits..).zip(&segment) {
                let slots = &mut slots_by_key[cell.key()];
                let mask = 1 << bit;
                match slots.iter_mut().find(|slot| slot.word == word) {
                    Some(slot) => slot.mask |= mask,
                    None => slots.push(Slot { word, mask }),
                }
            }
            used_bits += segment.len() + 1;
        }
        slots_by_key
    }

    /// The full lines of at least `k` cells, cut so that each segment fits in a word and one
    /// segment contains each run of `k`.
    fn segments(&self) -> Vec<Vec<Cell>> {
        let k = self.k as usize;
        let max_runs = 64 - (k - 1);
        let mut segments = Vec::new();
        for line in self.grid.full_lines() {
            let runs = self.grid.run_count(line.len(), k);
            for first in (0..runs).step_by(max_runs) {
                let end = runs.min(first + max_runs) + k - 1;
                segments.push((first..end).map(|i| line[i % line.len()]).collect());
            }
        }
        segments
    }
}

#[inline(always)]
fn place(slots: &SlotGroup, words: &mut [u64], seat: Seat, runs: impl Fn(u64) -> u64) -> u64 {
    let mut place = |slot: &Slot| {
        let word = &mut words[slot.word + seat.index()];
        *word |= slot.mask;
        runs(*word)
    };
    let SlotGroup([a, b, c, d]) = slots;
    place(a) | place(b) | place(c) | place(d)
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

/// Each step doubles the length of the runs it keeps, up to `k`.
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
    fn lines_of_3x3_take_half_a_word() {
        let layout = layout(3, 3, 3, false);
        assert!(layout.is_small());
        assert!(layout.bits.iter().all(|cell| cell.mask < 1 << 32));
    }

    /// The longest rings: each diagonal of 26x25 is a single ring of 650 cells.
    #[test]
    fn segments_of_rings_fit_in_words() {
        for segment in layout(26, 25, 25, true).segments() {
            assert!((25..=64).contains(&segment.len()));
        }
    }

    #[test]
    fn runs_of_every_length_are_found() {
        for k in 1..=MAX_SIDE {
            let layout = layout(1, 26, k, false);
            let run = |length: u32| ((1u64 << length) - 1) << 3;
            assert_eq!(layout.runs(run(u32::from(k) - 1)), 0);
            assert_eq!(layout.runs(run(u32::from(k))), 1 << 3);
            assert_eq!(layout.runs(run(u32::from(k) + 1)), 0b11 << 3);
        }
    }

    #[test]
    fn every_cell_has_line_bits() {
        for rows in 1..=MAX_SIDE {
            for cols in [1, 2, 3, 7, 26] {
                for k in [1, rows.min(cols), rows.max(cols)] {
                    let layout = layout(rows, cols, k, (rows + cols) % 2 == 0);
                    for cell in layout.grid.cells() {
                        let bits = layout.bits(cell);
                        assert_ne!(bits.bit, 0);
                        let small = layout.is_small();
                        let mask = if small { bits.mask } else { layout.first_slot(bits).mask };
                        assert_ne!(mask, 0);
                    }
                }
            }
        }
    }
}

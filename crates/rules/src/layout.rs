//! The lines of a board as bits of machine words.
//!
//! Every line that can hold a win is laid out as consecutive bits, with an unused bit between two
//! lines of a word. The stones of a mark are then a set of such words, a move sets the bits of its
//! cell, and *k in a row* is *k consecutive bits*: a few shifts, whatever the direction and the
//! size of the board. All of 3x3 takes half a word.
//!
//! On a board that wraps, lines are rings. A ring is cut into segments that overlap by `k - 1`
//! cells, so that one segment contains each run of `k`; a cell then has several bits. Lines that are
//! given as data are laid out one by one; those shorter than the longest are filled up with bits
//! that are always set.

use crate::geometry::Grid;
use crate::shape::{Extent, MAX_CELLS};
use crate::zobrist::mix;
use crate::{Cell, Mark, Marks, Opening, RulesParts, Shape, Win};

/// Words that hold one bit for each cell of the largest board; a power of two, see
/// [`CellBits::set_word`].
pub(crate) const SET_WORDS: usize = MAX_CELLS.div_ceil(64).next_power_of_two();

/// The number of [places](Layout::place_of) of a board.
pub(crate) const PLACES: usize = 1 << 10;

/// The place of cells that are off the board.
const NOWHERE: u16 = PLACES as u16 - 1;

/// How [`Position::play`](crate::Position::play) handles a move. Each path is compiled from the same
/// meaning with fewer questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Path {
    /// One word holds all lines of a mark, every empty cell is legal and every run wins.
    Simple,
    /// The line game: one stone of one's own mark a turn.
    Lines,
    /// Everything.
    General,
}

pub(crate) struct Layout {
    grid: Grid,
    k: u32,
    set_words: usize,
    cell_count: usize,
    /// The cells by index. This table and the next have the size of the largest board, so that a
    /// lookup needs neither a bounds check nor another pointer.
    cells: [Cell; PLACES],
    /// By place. Places off the board have no bits.
    bits: [CellBits; PLACES],
    /// The place of each cell by its code, on boards with levels; empty on flat boards.
    places: Box<[u16]>,
    mark_count: usize,
    /// How many words hold the lines of all marks; 0 if one word per mark is enough. The marks'
    /// words for the same lines are adjacent.
    word_count: usize,
    slots: Box<[SlotGroup]>,
    /// Bits that are always set, because their line is shorter than the longest: the word, the mask.
    padding: Vec<(usize, u64)>,
    /// Whether one slot group holds all lines of any cell.
    single_group: bool,
    path: Path,
}

/// A cell's bits in machine words.
#[derive(Clone, Copy, Default)]
pub(crate) struct CellBits {
    /// The cell's one bit in a set of cells.
    pub(crate) bit: u64,
    /// The cell's bits in the line word, if one word holds all lines.
    pub(crate) mask: u64,
    /// The Zobrist key of the first mark's stone in the cell.
    key: u64,
    /// Otherwise the index of the cell's first slot group, and their number.
    first_group: u32,
    group_count: u16,
    set_word: u16,
}

/// A cell's bits in one of several line words; `word` is the first mark's.
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
    /// The Zobrist key of a stone in the cell.
    #[inline]
    pub(crate) fn stone_key(&self, mark: Mark) -> u64 {
        self.key.rotate_left(u8::BITS * mark.index() as u32)
    }

    /// Which word of a set has the cell's bit.
    #[inline]
    pub(crate) fn set_word(&self) -> usize {
        // Never out of range; the modulo removes the bounds check.
        self.set_word as usize % SET_WORDS
    }
}

impl Layout {
    pub(crate) fn new(parts: &RulesParts, k: u8) -> Layout {
        let grid = Grid::new(parts);
        let cell_count = grid.cell_count();
        // A cell without a line is a run of one bit, which must not win.
        let k = if matches!(parts.win, Win::Lines(_)) { k.max(2) } else { k };
        let mut layout = Layout {
            grid,
            k: u32::from(k),
            set_words: cell_count.div_ceil(64),
            cell_count,
            cells: [Cell::on_board(0, 0, 0); _],
            bits: [CellBits::default(); _],
            places: places(grid),
            mark_count: usize::from(parts.mark_count()),
            word_count: 0,
            slots: Box::default(),
            padding: Vec::new(),
            single_group: true,
            path: Path::General,
        };
        for (index, cell) in grid.cells().enumerate() {
            layout.cells[index] = cell;
            let place = layout.place_of(cell);
            let bits = &mut layout.bits[place % PLACES];
            bits.bit = 1 << (index % 64);
            bits.set_word = (index / 64) as u16;
            bits.key = mix(1 << 32 | place as u64);
        }
        let slots = layout.lay_out(&layout.segments(parts));
        layout.store(slots);
        layout.path = layout.choose_path(parts);
        layout
    }

    fn choose_path(&self, parts: &RulesParts) -> Path {
        let is_line_game = matches!(parts.shape, Shape::Grid { .. })
            && parts.marks == Marks::Own
            && parts.opening == Opening::Free
            && parts.stones_per_turn == 1
            && parts.fade.is_none()
            && !parts.renju;
        if !is_line_game {
            Path::General
        } else if self.is_small() && self.places.is_empty() && !parts.gravity && !parts.exact {
            Path::Simple
        } else {
            Path::Lines
        }
    }

    /// The same layout for a position that takes the general path, to hold the paths together.
    #[cfg(test)]
    pub(crate) fn set_general(&mut self) {
        self.path = Path::General;
    }

    /// Fills the tables of bits from the slots of each place.
    fn store(&mut self, slots: Vec<Vec<Slot>>) {
        if self.word_count == self.mark_count {
            self.word_count = 0;
            for (bits, slots) in self.bits.iter_mut().zip(&slots) {
                bits.mask = slots.first().map_or(0, |slot| slot.mask);
            }
            return;
        }
        let mut groups = Vec::new();
        for (bits, mut slots) in self.bits.iter_mut().zip(slots) {
            // Padding slots set no bit. Every place has a group, so that lookups need no check.
            slots.resize(slots.len().max(1).next_multiple_of(4), Slot::default());
            bits.first_group = groups.len() as u32;
            bits.group_count = (slots.len() / 4) as u16;
            self.single_group &= bits.group_count == 1;
            groups.extend(slots.as_chunks().0.iter().map(|&four| SlotGroup(four)));
        }
        self.slots = groups.into();
    }

    /// The bytes of the tables behind pointers.
    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.places) + size_of_val(&*self.slots) + size_of_val(&*self.padding)
    }

    #[inline]
    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    #[inline]
    pub(crate) fn extent(&self) -> Extent {
        self.grid.extent
    }

    #[inline]
    pub(crate) fn cell_count(&self) -> usize {
        self.cell_count
    }

    /// Whether one word holds all lines of a mark.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.word_count == 0
    }

    /// How moves are handled.
    #[inline]
    pub(crate) fn path(&self) -> Path {
        self.path
    }

    /// How many words the lines of all marks take; 0 if the board is small.
    pub(crate) fn word_count(&self) -> usize {
        self.word_count
    }

    /// How many words a set of the board's cells takes.
    #[inline]
    pub(crate) fn set_words(&self) -> usize {
        self.set_words
    }

    /// The index of a cell in tables of the size [`PLACES`]; off the board, of an unused entry.
    #[inline]
    pub(crate) fn place_of(&self, cell: Cell) -> usize {
        if self.places.is_empty() {
            cell.code().min(usize::from(NOWHERE))
        } else {
            usize::from(self.places[cell.code() % Cell::CODES])
        }
    }

    /// The cell's bits; none if it is off the board.
    #[inline]
    pub(crate) fn bits(&self, cell: Cell) -> &CellBits {
        // Never out of range; the modulo removes the bounds check.
        &self.bits[self.place_of(cell) % PLACES]
    }

    /// [`Layout::bits`]; on [simple](Path::Simple) boards, which are flat, only for cells of the first
    /// level.
    #[inline]
    pub(crate) fn bits_on<const SIMPLE: bool>(&self, cell: Cell) -> &CellBits {
        if SIMPLE { &self.bits[cell.code() % PLACES] } else { self.bits(cell) }
    }

    /// The bits of the cell that supports a cell; none on the floor.
    #[inline]
    pub(crate) fn bits_below(&self, cell: Cell) -> &CellBits {
        if self.places.is_empty() {
            // Rows below the board have no bits.
            &self.bits[(cell.code() + Cell::ROW_STRIDE) % PLACES]
        } else {
            let below = self.grid.below(cell);
            below.map_or(&self.bits[usize::from(NOWHERE)], |below| self.bits(below))
        }
    }

    /// The cell with an index of the board.
    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell {
        // Never out of range; the modulo removes the bounds check.
        self.cells[index % PLACES]
    }

    #[inline]
    fn slots(&self, cell: &CellBits) -> &[SlotGroup] {
        &self.slots[cell.first_group as usize..][..usize::from(cell.group_count)]
    }

    /// The first of the cell's slots; without bits if no line runs through the cell.
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

    /// Sets a cell's bits, which were clear, in the words of a mark. Returns the runs of `k` in
    /// these words afterwards.
    #[inline]
    pub(crate) fn place(&self, words: &mut [u64], cell: &CellBits, mark: Mark) -> u64 {
        let slots = &self.slots[cell.first_group as usize];
        let found = match self.k {
            3 => place(slots, words, mark, runs_of_3),
            4 => place(slots, words, mark, runs_of_4),
            5 => place(slots, words, mark, runs_of_5),
            k => place(slots, words, mark, |word| runs_of(word, k)),
        };
        if self.single_group { found } else { found | self.place_rest(words, cell, mark) }
    }

    /// [`Layout::place`] for all but the first slot group.
    #[cold]
    fn place_rest(&self, words: &mut [u64], cell: &CellBits, mark: Mark) -> u64 {
        let groups = &self.slots(cell)[1..];
        groups
            .iter()
            .fold(0, |found, slots| found | place(slots, words, mark, |word| self.runs(word)))
    }

    /// Whether a run of `k` of the mark contains the cell, whose words are these.
    pub(crate) fn has_run(&self, words: &[u64], cell: &CellBits, mark: Mark) -> bool {
        let mut slots = self.slots(cell).iter().flat_map(|slots| &slots.0);
        slots.any(|slot| self.has_run_through(words[slot.word + mark.index()], slot.mask))
    }

    /// Whether a run of `k` bits of the word contains a bit of the mask.
    pub(crate) fn has_run_through(&self, word: u64, mask: u64) -> bool {
        let starts = (0..self.k).fold(0, |starts, i| starts | mask >> i);
        self.runs(word) & starts != 0
    }

    /// Flips a cell's bits in the words of a mark.
    pub(crate) fn flip(&self, words: &mut [u64], cell: &CellBits, mark: Mark) {
        for slot in self.slots(cell).iter().flat_map(|slots| &slots.0) {
            words[slot.word + mark.index()] ^= slot.mask;
        }
    }

    /// The words of all marks on the empty board.
    pub(crate) fn clear(&self, words: &mut [u64]) {
        words.fill(0);
        for &(word, mask) in &self.padding {
            words[word..word + self.mark_count].iter_mut().for_each(|word| *word |= mask);
        }
    }

    /// The line word of a mark on the empty board, if the board is small.
    #[inline]
    pub(crate) fn small_padding(&self) -> u64 {
        match &self.padding[..] {
            [] => 0,
            padding => padding.iter().fold(0, |all, (_, mask)| all | mask),
        }
    }

    /// Assigns bits to the cells of all segments. Returns the slots by place.
    fn lay_out(&mut self, segments: &[Segment]) -> Vec<Vec<Slot>> {
        let mut slots_by_place = vec![Vec::<Slot>::new(); PLACES];
        let mut used_bits = 64;
        for Segment { cells, padding } in segments {
            let length = cells.len() + padding;
            if used_bits + length > 64 {
                self.word_count += self.mark_count;
                used_bits = 0;
            }
            let word = self.word_count - self.mark_count;
            for (bit, &cell) in (used_bits..).zip(cells) {
                let slots = &mut slots_by_place[self.place_of(cell)];
                let mask = 1 << bit;
                match slots.iter_mut().find(|slot| slot.word == word) {
                    Some(slot) => slot.mask |= mask,
                    None => slots.push(Slot { word, mask }),
                }
            }
            if *padding > 0 {
                let mask = ((1 << padding) - 1) << (used_bits + cells.len());
                self.padding.push((word, mask));
            }
            used_bits += length + 1;
        }
        slots_by_place
    }

    /// The full lines of at least `k` cells, cut so that each segment fits in a word and one
    /// segment contains each run of `k`.
    fn segments(&self, parts: &RulesParts) -> Vec<Segment> {
        if let Win::Lines(lines) = &parts.win {
            return self.custom_segments(lines);
        }
        let k = self.k as usize;
        let max_runs = 64 - (k - 1);
        let mut segments = Vec::new();
        for line in self.grid.full_lines() {
            let runs = self.grid.run_count(line.len(), k);
            for first in (0..runs).step_by(max_runs) {
                let end = runs.min(first + max_runs) + k - 1;
                let cells = (first..end).map(|i| line[i % line.len()]).collect();
                segments.push(Segment { cells, padding: 0 });
            }
        }
        segments
    }

    /// A segment for each line, and one for each cell without a line, which never wins.
    fn custom_segments(&self, lines: &[Box<[Cell]>]) -> Vec<Segment> {
        let line = |cells: &[Cell]| Segment {
            padding: self.k as usize - cells.len(),
            cells: cells.to_vec(),
        };
        let mut segments: Vec<Segment> = lines.iter().map(|cells| line(cells)).collect();
        let is_free = |cell: &Cell| !lines.iter().any(|line| line.contains(cell));
        let free_cells = self.grid.cells().filter(is_free);
        segments.extend(free_cells.map(|cell| Segment { cells: vec![cell], padding: 0 }));
        segments
    }
}

/// Cells that are laid out as adjacent bits, followed by bits that are always set.
struct Segment {
    cells: Vec<Cell>,
    padding: usize,
}

/// The place of each cell by its code: its index, on boards with levels.
fn places(grid: Grid) -> Box<[u16]> {
    if grid.extent.levels == 1 {
        return Box::default();
    }
    let mut places = vec![NOWHERE; Cell::CODES];
    for (index, cell) in grid.cells().enumerate() {
        places[cell.code()] = index as u16;
    }
    places.into()
}

#[inline(always)]
fn place(slots: &SlotGroup, words: &mut [u64], mark: Mark, runs: impl Fn(u64) -> u64) -> u64 {
    let mut place = |slot: &Slot| {
        let word = &mut words[slot.word + mark.index()];
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
    use crate::MAX_SIDE;

    fn layout(rows: u8, cols: u8, k: u8, wrap: bool) -> Layout {
        Layout::new(&RulesParts::grid(rows, cols).k(k).wrap(wrap), k)
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
        let parts = RulesParts::grid(26, 25).k(25).wrap(true);
        for segment in layout(26, 25, 25, true).segments(&parts) {
            assert!((25..=64).contains(&segment.cells.len()));
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

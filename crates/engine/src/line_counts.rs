//! Incremental stone counts of every line, and the statistics derived from them.

use noughts_rules::MAX_PLAYERS;

use crate::board_tables::BoardTables;
use crate::zobrist::{CellState, ZobristKeys};

pub(crate) const MAX_SEATS: usize = MAX_PLAYERS as usize;

/// The owner of an empty cell.
const EMPTY: u8 = u8::MAX;

/// The stones on a board and their counts in each line. A stone changes only the lines through its
/// cell.
#[derive(Debug, Clone)]
pub(crate) struct LineCounts {
    /// The seat in each cell.
    owners: Vec<u8>,
    empty_count: usize,
    lines: Vec<LineCount>,
    seats: [SeatLines; MAX_SEATS],
    keys: ZobristKeys,
}

/// The stones of one line. A line shorter than the longest counts as having stones of every seat
/// in the missing cells, so that each line is complete with `k` stones.
#[derive(Debug, Clone, Copy, Default)]
struct LineCount {
    stones: u8,
    by_seat: [u8; MAX_SEATS],
    /// With `exact`: two bits for each seat, its stones in the cells next to the line's ends.
    ends: u16,
    /// XOR of the line's empty cells, which is the last of them when only one is left.
    empty: u16,
}

/// Statistics of one seat's open lines. A line is open to a seat that can still fill it: no other
/// seat has a stone in it and, with `exact`, the seat has none next to its ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeatLines {
    /// Open lines by their number of stones.
    pub(crate) lines_by_stones: Vec<u16>,
    /// The sum of 2^stones over the open lines (the Erdős–Selfridge potential).
    pub(crate) potential: u64,
    /// The sum of [`line_weight`] over the open lines through each cell.
    pub(crate) cell_weights: Vec<u32>,
    /// The number of open lines through each cell.
    pub(crate) open_lines: Vec<u16>,
    /// The number of open lines that each cell would complete.
    pub(crate) completions: Vec<u16>,
    /// The cells that complete a line, unordered, and the position of each in that list.
    pub(crate) winning_cells: Vec<u16>,
    winning_index: Vec<u16>,
}

/// What an open line adds to the weight of its cells: four times as much for each stone. The sum
/// over as many lines as a board may have fits.
#[inline]
pub(crate) fn line_weight(stones: u8) -> u32 {
    1 << (2 * stones.min(9))
}

impl LineCount {
    #[inline]
    fn is_open_to(&self, seat: usize) -> bool {
        self.by_seat[seat] == self.stones && self.ends >> (2 * seat) & 3 == 0
    }
}

impl LineCounts {
    /// The empty board.
    pub(crate) fn new(tables: &BoardTables) -> LineCounts {
        let players = tables.players;
        let line = |line| {
            let cells = tables.cells_of(line);
            let missing = (tables.k - cells.len()) as u8;
            let empty = cells.iter().fold(0, |all, cell| all ^ cell);
            LineCount {
                stones: missing,
                by_seat: [missing; MAX_SEATS],
                empty,
                ..LineCount::default()
            }
        };
        let seat = |seat| {
            if seat < players { SeatLines::new(tables) } else { SeatLines::default() }
        };
        let mut counts = LineCounts {
            owners: vec![EMPTY; tables.cell_count],
            empty_count: tables.cell_count,
            lines: (0..tables.line_count).map(line).collect(),
            seats: std::array::from_fn(seat),
            keys: ZobristKeys::new(tables),
        };
        for seat in 0..players {
            (0..tables.line_count).for_each(|line| counts.open_line(tables, seat, line));
        }
        (0..tables.cell_count).for_each(|cell| counts.update_key(tables, cell));
        counts
    }

    #[inline]
    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.owners[cell] == EMPTY
    }

    pub(crate) fn owner(&self, cell: usize) -> Option<usize> {
        (!self.is_empty(cell)).then(|| usize::from(self.owners[cell]))
    }

    #[inline]
    pub(crate) fn empty_count(&self) -> usize {
        self.empty_count
    }

    #[inline]
    pub(crate) fn seat(&self, seat: usize) -> &SeatLines {
        &self.seats[seat]
    }

    /// The seat's stones in a line that is open to it; `None` for other lines.
    #[inline]
    pub(crate) fn stones_if_open(&self, seat: usize, line: usize) -> Option<usize> {
        let line = &self.lines[line];
        line.is_open_to(seat).then_some(usize::from(line.stones))
    }

    /// XOR of the line's empty cells.
    #[inline]
    pub(crate) fn empty_xor(&self, line: usize) -> usize {
        usize::from(self.lines[line].empty)
    }

    #[inline]
    pub(crate) fn keys(&self) -> &ZobristKeys {
        &self.keys
    }

    /// Puts a stone of the seat into an empty cell. Returns whether it completes a line.
    pub(crate) fn add_stone(&mut self, tables: &BoardTables, cell: usize, seat: usize) -> bool {
        let mut completed = false;
        self.owners[cell] = seat as u8;
        self.empty_count -= 1;
        for line in tables.lines_through(cell).iter().map(|&line| usize::from(line)) {
            let before = self.lines[line];
            for other in (0..tables.players).filter(|&other| other != seat) {
                if before.is_open_to(other) {
                    self.close_line(tables, other, line);
                }
            }
            self.lines[line].stones += 1;
            self.lines[line].by_seat[seat] += 1;
            self.lines[line].empty ^= cell as u16;
            if before.is_open_to(seat) {
                let after = self.lines[line];
                self.seats[seat].recount_line(before, after, tables, line);
                completed |= usize::from(after.stones) == tables.k;
            }
        }
        for line in tables.lines_ending_at(cell).iter().map(|&line| usize::from(line)) {
            if self.lines[line].is_open_to(seat) {
                self.close_line(tables, seat, line);
            }
            self.lines[line].ends += 1 << (2 * seat);
        }
        self.update_key(tables, cell);
        completed
    }

    /// Reverts [`LineCounts::add_stone`].
    pub(crate) fn remove_stone(&mut self, tables: &BoardTables, cell: usize, seat: usize) {
        for line in tables.lines_ending_at(cell).iter().map(|&line| usize::from(line)) {
            self.lines[line].ends -= 1 << (2 * seat);
            if self.lines[line].is_open_to(seat) {
                self.open_line(tables, seat, line);
            }
        }
        for line in tables.lines_through(cell).iter().map(|&line| usize::from(line)) {
            let before = self.lines[line];
            self.lines[line].stones -= 1;
            self.lines[line].by_seat[seat] -= 1;
            self.lines[line].empty ^= cell as u16;
            let after = self.lines[line];
            if before.is_open_to(seat) {
                self.seats[seat].recount_line(before, after, tables, line);
            }
            for other in (0..tables.players).filter(|&other| other != seat) {
                if after.is_open_to(other) {
                    self.open_line(tables, other, line);
                }
            }
        }
        self.owners[cell] = EMPTY;
        self.empty_count += 1;
        self.update_key(tables, cell);
    }

    /// Adds a line that is open to the seat to its statistics.
    fn open_line(&mut self, tables: &BoardTables, seat: usize, line: usize) {
        let LineCount { stones, empty, .. } = self.lines[line];
        let own = &mut self.seats[seat];
        own.lines_by_stones[usize::from(stones)] += 1;
        own.potential += 1 << stones;
        if usize::from(stones) + 1 == tables.k {
            own.add_completion(empty.into());
        }
        for &cell in tables.cells_of(line) {
            let cell = usize::from(cell);
            let own = &mut self.seats[seat];
            own.cell_weights[cell] += line_weight(stones);
            own.open_lines[cell] += 1;
            if own.open_lines[cell] == 1 {
                self.update_key(tables, cell);
            }
        }
    }

    /// Removes a line that was open to the seat from its statistics.
    fn close_line(&mut self, tables: &BoardTables, seat: usize, line: usize) {
        let LineCount { stones, empty, .. } = self.lines[line];
        let own = &mut self.seats[seat];
        own.lines_by_stones[usize::from(stones)] -= 1;
        own.potential -= 1 << stones;
        if usize::from(stones) + 1 == tables.k {
            own.remove_completion(empty.into());
        }
        for &cell in tables.cells_of(line) {
            let cell = usize::from(cell);
            let own = &mut self.seats[seat];
            own.cell_weights[cell] -= line_weight(stones);
            own.open_lines[cell] -= 1;
            if own.open_lines[cell] == 0 {
                self.update_key(tables, cell);
            }
        }
    }

    /// Updates the Zobrist keys for a cell.
    ///
    /// A stone on no open line of its seat only blocks others, so its owner is irrelevant. An empty
    /// cell on no open line is as good as taken, unless filling it can be a useful waiting move (with
    /// gravity or misère). With `exact` a stone also affects lines it is not in, so all count.
    #[inline]
    fn update_key(&mut self, tables: &BoardTables, cell: usize) {
        let relevant = |seat: usize| tables.exact || self.seats[seat].open_lines[cell] > 0;
        let state = match self.owners[cell] {
            EMPTY if tables.gravity || tables.misere => CellState::Empty,
            EMPTY if (0..tables.players).any(relevant) => CellState::Empty,
            EMPTY => CellState::Dead,
            seat if relevant(seat.into()) => CellState::Stone(seat),
            _ => CellState::Dead,
        };
        self.keys.set(cell, state);
    }
}

impl SeatLines {
    fn new(tables: &BoardTables) -> SeatLines {
        SeatLines {
            lines_by_stones: vec![0; tables.k + 1],
            potential: 0,
            cell_weights: vec![0; tables.cell_count],
            open_lines: vec![0; tables.cell_count],
            completions: vec![0; tables.cell_count],
            winning_cells: Vec::with_capacity(tables.cell_count),
            winning_index: vec![0; tables.cell_count],
        }
    }

    /// Updates the statistics after the number of stones in an open line has changed.
    #[inline]
    fn recount_line(
        &mut self,
        before: LineCount,
        after: LineCount,
        tables: &BoardTables,
        line: usize,
    ) {
        let k = tables.k;
        self.lines_by_stones[usize::from(before.stones)] -= 1;
        self.lines_by_stones[usize::from(after.stones)] += 1;
        self.potential = self.potential + (1 << after.stones) - (1 << before.stones);
        let change = line_weight(after.stones).wrapping_sub(line_weight(before.stones));
        for &cell in tables.cells_of(line) {
            let weight = &mut self.cell_weights[usize::from(cell)];
            *weight = weight.wrapping_add(change);
        }
        if usize::from(before.stones) + 1 == k {
            self.remove_completion(before.empty.into());
        }
        if usize::from(after.stones) + 1 == k {
            self.add_completion(after.empty.into());
        }
    }

    #[inline]
    fn add_completion(&mut self, cell: usize) {
        self.completions[cell] += 1;
        if self.completions[cell] == 1 {
            self.winning_index[cell] = self.winning_cells.len() as u16;
            self.winning_cells.push(cell as u16);
        }
    }

    #[inline]
    fn remove_completion(&mut self, cell: usize) {
        self.completions[cell] -= 1;
        if self.completions[cell] == 0 {
            let index = usize::from(self.winning_index[cell]);
            self.winning_cells.swap_remove(index);
            if let Some(&moved) = self.winning_cells.get(index) {
                self.winning_index[usize::from(moved)] = index as u16;
            }
        }
    }
}

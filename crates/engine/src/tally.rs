//! What the lines of a board say: stones by line and seat, and what follows from them.

use noughts_rules::MAX_PLAYERS;

use crate::geometry::Geometry;
use crate::keys::{Code, Keys};

const SEATS: usize = MAX_PLAYERS as usize;

/// Nobody's.
const EMPTY: u8 = u8::MAX;

/// The stones on a board and their lines. A stone changes only the lines through its cell.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// Who has each cell.
    owner: Vec<u8>,
    empty: usize,
    lines: Vec<Line>,
    seats: [SeatLines; SEATS],
    keys: Keys,
}

/// The stones in one line.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    stones: u8,
    by_seat: [u8; SEATS],
    /// With `exact`: two bits a seat, how many of the cells beside the line it has.
    beside: u16,
    /// All empty cells of the line, XORed: the last of them when there is but one.
    empty: u16,
}

/// What one seat's open lines amount to. A line is open to a seat that can still fill it: no
/// other seat has a stone in it (and, with `exact`, the seat has none beside it).
#[derive(Debug, Clone, Default)]
pub(crate) struct SeatLines {
    /// By the number of the seat's stones in them, how many open lines there are.
    pub(crate) with_stones: Vec<u16>,
    /// The sum of 2^stones over the open lines.
    pub(crate) weight: u64,
    /// For each cell, what the open lines through it amount to, see [`stake`].
    pub(crate) stakes: Vec<u32>,
    /// How many open lines go through each cell.
    pub(crate) open: Vec<u16>,
    /// How many open lines lack but this cell.
    pub(crate) lacking: Vec<u8>,
    /// The cells that some open line lacks, in no order, and where each is in that list.
    pub(crate) winning: Vec<u16>,
    place: Vec<u16>,
}

/// What a line with so many stones adds to its cells: each stone makes it four times as much.
#[inline]
pub(crate) fn stake(stones: u8) -> u32 {
    1 << (2 * stones.min(11))
}

impl Line {
    #[inline]
    fn is_open_to(&self, seat: usize) -> bool {
        self.by_seat[seat] == self.stones && self.beside >> (2 * seat) & 3 == 0
    }
}

impl Tally {
    /// The empty board.
    pub(crate) fn new(geometry: &Geometry) -> Tally {
        let players = geometry.players;
        let line = |line| {
            let empty = geometry.cells_of(line).iter().fold(0, |all, cell| all ^ cell);
            Line { empty, ..Line::default() }
        };
        let seat = |seat| {
            if seat < players { SeatLines::new(geometry) } else { SeatLines::default() }
        };
        let mut tally = Tally {
            owner: vec![EMPTY; geometry.cells],
            empty: geometry.cells,
            lines: (0..geometry.lines).map(line).collect(),
            seats: std::array::from_fn(seat),
            keys: Keys::new(geometry, players),
        };
        for seat in 0..players {
            (0..geometry.lines).for_each(|line| tally.open_line(geometry, seat, line));
        }
        (0..geometry.cells).for_each(|cell| tally.recode(geometry, cell));
        tally
    }

    #[inline]
    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.owner[cell] == EMPTY
    }

    /// How many cells are empty.
    #[inline]
    pub(crate) fn empty(&self) -> usize {
        self.empty
    }

    #[inline]
    pub(crate) fn seat(&self, seat: usize) -> &SeatLines {
        &self.seats[seat]
    }

    /// How many stones the seat has in a line, if that is open to it.
    #[inline]
    pub(crate) fn stones_if_open(&self, seat: usize, line: usize) -> Option<usize> {
        let line = &self.lines[line];
        line.is_open_to(seat).then_some(usize::from(line.stones))
    }

    /// All empty cells of the line, XORed.
    #[inline]
    pub(crate) fn empty_of(&self, line: usize) -> usize {
        usize::from(self.lines[line].empty)
    }

    #[inline]
    pub(crate) fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Puts a stone of the seat into an empty cell. Answers whether that completes a line.
    pub(crate) fn put(&mut self, geometry: &Geometry, cell: usize, seat: usize) -> bool {
        let mut completed = false;
        self.owner[cell] = seat as u8;
        self.empty -= 1;
        for line in geometry.lines_through(cell).iter().map(|&line| usize::from(line)) {
            let before = self.lines[line];
            for other in (0..geometry.players).filter(|&other| other != seat) {
                if before.is_open_to(other) {
                    self.close_line(geometry, other, line);
                }
            }
            self.lines[line].stones += 1;
            self.lines[line].by_seat[seat] += 1;
            self.lines[line].empty ^= cell as u16;
            if before.is_open_to(seat) {
                let after = self.lines[line];
                self.seats[seat].grow(before, after, geometry.cells_of(line));
                completed |= usize::from(after.stones) == geometry.k;
            }
        }
        for line in geometry.lines_beside(cell).iter().map(|&line| usize::from(line)) {
            if self.lines[line].is_open_to(seat) {
                self.close_line(geometry, seat, line);
            }
            self.lines[line].beside += 1 << (2 * seat);
        }
        self.recode(geometry, cell);
        completed
    }

    /// What [`Tally::put`] does, backwards.
    pub(crate) fn take(&mut self, geometry: &Geometry, cell: usize, seat: usize) {
        for line in geometry.lines_beside(cell).iter().map(|&line| usize::from(line)) {
            self.lines[line].beside -= 1 << (2 * seat);
            if self.lines[line].is_open_to(seat) {
                self.open_line(geometry, seat, line);
            }
        }
        for line in geometry.lines_through(cell).iter().map(|&line| usize::from(line)) {
            let before = self.lines[line];
            self.lines[line].stones -= 1;
            self.lines[line].by_seat[seat] -= 1;
            self.lines[line].empty ^= cell as u16;
            let after = self.lines[line];
            if before.is_open_to(seat) {
                self.seats[seat].shrink(before, after, geometry.cells_of(line));
            }
            for other in (0..geometry.players).filter(|&other| other != seat) {
                if after.is_open_to(other) {
                    self.open_line(geometry, other, line);
                }
            }
        }
        self.owner[cell] = EMPTY;
        self.empty += 1;
        self.recode(geometry, cell);
    }

    /// Enters a line that is open to the seat into its books.
    fn open_line(&mut self, geometry: &Geometry, seat: usize, line: usize) {
        let Line { stones, empty, .. } = self.lines[line];
        let own = &mut self.seats[seat];
        own.with_stones[usize::from(stones)] += 1;
        own.weight += 1 << stones;
        if usize::from(stones) + 1 == geometry.k {
            own.lacks(empty.into());
        }
        for &cell in geometry.cells_of(line) {
            let cell = usize::from(cell);
            let own = &mut self.seats[seat];
            own.stakes[cell] += stake(stones);
            own.open[cell] += 1;
            if own.open[cell] == 1 {
                self.recode(geometry, cell);
            }
        }
    }

    /// Strikes a line that is open to the seat from its books.
    fn close_line(&mut self, geometry: &Geometry, seat: usize, line: usize) {
        let Line { stones, empty, .. } = self.lines[line];
        let own = &mut self.seats[seat];
        own.with_stones[usize::from(stones)] -= 1;
        own.weight -= 1 << stones;
        if usize::from(stones) + 1 == geometry.k {
            own.no_longer_lacks(empty.into());
        }
        for &cell in geometry.cells_of(line) {
            let cell = usize::from(cell);
            let own = &mut self.seats[seat];
            own.stakes[cell] -= stake(stones);
            own.open[cell] -= 1;
            if own.open[cell] == 0 {
                self.recode(geometry, cell);
            }
        }
    }

    /// Tells the keys what the cell holds.
    ///
    /// A stone through which its seat has no open line only stands in the way of others, whoever
    /// has it. An empty cell on nobody's open line is as good as taken, unless filling it is a move
    /// that someone may need (where moves rest on others, or where moving hurts). With `exact` a
    /// stone also works on lines that it is not in, so there every stone counts.
    #[inline]
    fn recode(&mut self, geometry: &Geometry, cell: usize) {
        let matters = |seat: usize| geometry.exact || self.seats[seat].open[cell] > 0;
        let code = match self.owner[cell] {
            EMPTY if geometry.gravity || geometry.misere => Code::Empty,
            EMPTY if (0..geometry.players).any(matters) => Code::Empty,
            EMPTY => Code::Dead,
            seat if matters(seat.into()) => Code::Stone(seat),
            _ => Code::Dead,
        };
        self.keys.set(cell, code);
    }
}

impl SeatLines {
    fn new(geometry: &Geometry) -> SeatLines {
        SeatLines {
            with_stones: vec![0; geometry.k + 1],
            weight: 0,
            stakes: vec![0; geometry.cells],
            open: vec![0; geometry.cells],
            lacking: vec![0; geometry.cells],
            winning: Vec::with_capacity(geometry.cells),
            place: vec![0; geometry.cells],
        }
    }

    /// Enters that an open line of these cells has one stone more.
    #[inline]
    fn grow(&mut self, before: Line, after: Line, cells: &[u16]) {
        let k = cells.len();
        self.with_stones[usize::from(before.stones)] -= 1;
        self.with_stones[usize::from(after.stones)] += 1;
        self.weight += 1 << before.stones;
        let more = stake(after.stones) - stake(before.stones);
        for &cell in cells {
            self.stakes[usize::from(cell)] += more;
        }
        if usize::from(before.stones) + 1 == k {
            self.no_longer_lacks(before.empty.into());
        }
        if usize::from(after.stones) + 1 == k {
            self.lacks(after.empty.into());
        }
    }

    /// Enters that an open line of these cells has one stone less.
    #[inline]
    fn shrink(&mut self, before: Line, after: Line, cells: &[u16]) {
        let k = cells.len();
        self.with_stones[usize::from(before.stones)] -= 1;
        self.with_stones[usize::from(after.stones)] += 1;
        self.weight -= 1 << after.stones;
        let less = stake(before.stones) - stake(after.stones);
        for &cell in cells {
            self.stakes[usize::from(cell)] -= less;
        }
        if usize::from(before.stones) + 1 == k {
            self.no_longer_lacks(before.empty.into());
        }
        if usize::from(after.stones) + 1 == k {
            self.lacks(after.empty.into());
        }
    }

    #[inline]
    fn lacks(&mut self, cell: usize) {
        self.lacking[cell] += 1;
        if self.lacking[cell] == 1 {
            self.place[cell] = self.winning.len() as u16;
            self.winning.push(cell as u16);
        }
    }

    #[inline]
    fn no_longer_lacks(&mut self, cell: usize) {
        self.lacking[cell] -= 1;
        if self.lacking[cell] == 0 {
            let place = usize::from(self.place[cell]);
            self.winning.swap_remove(place);
            if let Some(&moved) = self.winning.get(place) {
                self.place[usize::from(moved)] = place as u16;
            }
        }
    }
}

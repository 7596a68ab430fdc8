//! Renju: which moves the rules of the Renju International Federation (RIF) forbid to Black, the
//! first seat.
//!
//! The definitions follow sections 3 and 9 of the [rules](https://www.renju.net/rifrules/):
//!
//! - A *five* is an unbroken row of exactly five stones, an *overline* of six or more. A move that
//!   makes a five wins, whatever else it makes.
//! - A *four* is four stones that one more stone turns into a five. A *straight four* is an unbroken
//!   row of four that becomes a five at either end; it counts as one four.
//! - A *three* is three stones that one more stone turns into a straight four. That stone must make
//!   no five and must not be forbidden itself, as the board stands after the three is made.
//! - An overline, two or more fours, or two or more threes through the new stone are forbidden.
//!
//! White, the second seat, has no forbidden moves.

use std::fmt;

use crate::MAX_SIDE;

#[cfg(test)]
mod tests;

/// Why renju forbids a move to the first seat.
///
/// A move that is forbidden for several reasons has the first of them, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Six or more stones in a row.
    Overline,
    /// Two or more fours at once.
    DoubleFour,
    /// Two or more threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "an overline",
            Forbidden::DoubleFour => "a double four",
            Forbidden::DoubleThree => "a double three",
        })
    }
}

/// A stone on a renju board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stone {
    /// A stone of the first seat.
    Black,
    /// A stone of the second seat.
    White,
}

/// What the rules say about a move of Black's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The move makes five in a row and wins.
    Five,
    /// The move is forbidden.
    Forbidden(Forbidden),
    /// The move is an ordinary one.
    Allowed,
}

/// The stones of a renju board, as bits along its lines in every direction.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RenjuBoard {
    lines: [[Line; LINES_PER_DIRECTION]; 4],
}

/// As many diagonals as the largest board has.
const LINES_PER_DIRECTION: usize = 2 * MAX_SIDE as usize - 1;

/// A line of a board. Cells that are off the board are neither black nor empty.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Line {
    black: u32,
    empty: u32,
}

#[derive(Clone, Copy)]
enum Direction {
    Row,
    Column,
    Diagonal,
    Antidiagonal,
}

impl RenjuBoard {
    /// An empty board.
    pub(crate) fn new(rows: u8, cols: u8) -> RenjuBoard {
        let off_board = Line { black: 0, empty: 0 };
        let mut board = RenjuBoard { lines: [[off_board; LINES_PER_DIRECTION]; 4] };
        for row in 0..rows {
            for col in 0..cols {
                board.remove(row, col);
            }
        }
        board
    }

    /// Puts a stone on a cell.
    pub(crate) fn place(&mut self, row: u8, col: u8, stone: Stone) {
        self.update(row, col, |line, bit| {
            line.empty &= !bit;
            match stone {
                Stone::Black => line.black |= bit,
                Stone::White => line.black &= !bit,
            }
        });
    }

    /// Makes a cell empty.
    pub(crate) fn remove(&mut self, row: u8, col: u8) {
        self.update(row, col, |line, bit| {
            line.empty |= bit;
            line.black &= !bit;
        });
    }

    fn update(&mut self, row: u8, col: u8, change: impl Fn(&mut Line, u32)) {
        for direction in Direction::ALL {
            let (line, bit) = direction.locate(row, col);
            change(&mut self.lines[direction as usize][line], 1 << bit);
        }
    }

    /// Why Black may not play an empty cell, or `None`.
    pub(crate) fn forbidden(&self, row: u8, col: u8) -> Option<Forbidden> {
        match self.verdict(row, col) {
            Verdict::Forbidden(why) => Some(why),
            Verdict::Five | Verdict::Allowed => None,
        }
    }

    /// The verdict on Black playing an empty cell.
    pub(crate) fn verdict(&self, row: u8, col: u8) -> Verdict {
        let windows = Direction::ALL.map(|direction| {
            let (line, bit) = direction.locate(row, col);
            let line = self.lines[direction as usize][line];
            debug_assert!(line.empty & 1 << bit != 0, "verdicts are for empty cells");
            Window::with_stone_at(line, bit)
        });
        if !has_enough_stones(&windows) {
            return Verdict::Allowed;
        }
        let rows = windows.map(|window| window.unbroken_row().count_ones());
        if rows.contains(&5) {
            Verdict::Five
        } else if rows.iter().any(|&length| length > 5) {
            Verdict::Forbidden(Forbidden::Overline)
        } else if windows.map(Window::fours).iter().sum::<u32>() >= 2 {
            Verdict::Forbidden(Forbidden::DoubleFour)
        } else if self.is_double_three(row, col, windows.map(Window::straight_four_cells)) {
            Verdict::Forbidden(Forbidden::DoubleThree)
        } else {
            Verdict::Allowed
        }
    }

    /// Whether a stone makes two or more threes, given the window cells that turn each of its lines
    /// into a straight four.
    ///
    /// Asks for the verdict on those cells with the stone in place. The recursion ends because each
    /// level adds a stone.
    fn is_double_three(&self, row: u8, col: u8, straight_four_cells: [u32; 4]) -> bool {
        if straight_four_cells.iter().filter(|&&cells| cells != 0).count() < 2 {
            return false;
        }
        let mut board = self.clone();
        board.place(row, col, Stone::Black);
        let is_three = |&(direction, cells): &(Direction, u32)| {
            bits(cells).any(|bit| {
                let (row, col) = direction.step(row, col, bit.trailing_zeros() as i8 - CENTER);
                board.verdict(row, col) == Verdict::Allowed
            })
        };
        Direction::ALL.into_iter().zip(straight_four_cells).filter(is_three).nth(1).is_some()
    }
}

impl Direction {
    const ALL: [Direction; 4] =
        [Direction::Row, Direction::Column, Direction::Diagonal, Direction::Antidiagonal];

    /// The line of this direction through a cell, and the cell's bit in it.
    fn locate(self, row: u8, col: u8) -> (usize, u32) {
        let (line, bit) = match self {
            Direction::Row => (row, col),
            Direction::Column => (col, row),
            Direction::Diagonal => (MAX_SIDE - 1 + col - row, row),
            Direction::Antidiagonal => (row + col, row),
        };
        (line.into(), bit.into())
    }

    /// The cell some steps further along its line.
    fn step(self, row: u8, col: u8, steps: i8) -> (u8, u8) {
        let (down, right) = match self {
            Direction::Row => (0, 1),
            Direction::Column => (1, 0),
            Direction::Diagonal => (1, 1),
            Direction::Antidiagonal => (1, -1),
        };
        (row.strict_add_signed(down * steps), col.strict_add_signed(right * steps))
    }
}

/// The part of a line that decides what a stone in its centre makes there: five cells on either
/// side. A five through the centre ends within four cells, and the cell after it tells whether it
/// is an overline.
#[derive(Clone, Copy)]
struct Window {
    black: u32,
    empty: u32,
}

/// The bit of the centre.
const CENTER: i8 = 5;

impl Window {
    /// The window around a bit of a line, with a black stone there.
    fn with_stone_at(line: Line, bit: u32) -> Window {
        let around = |cells: u32| (u64::from(cells) << CENTER >> bit) as u32 & 0b111_1111_1111;
        Window { black: around(line.black), empty: around(line.empty) }.with(1 << CENTER)
    }

    /// The window with one more black stone.
    fn with(self, bit: u32) -> Window {
        Window { black: self.black | bit, empty: self.empty & !bit }
    }

    /// Black stones without a gap between them and the centre, the centre included.
    fn unbroken_row(self) -> u32 {
        let before = (self.black << (31 - CENTER)).leading_ones();
        let after = (self.black >> CENTER).trailing_ones();
        ((1 << (before + after - 1)) - 1) << (CENTER as u32 + 1 - before)
    }

    /// The empty cells at the ends of the unbroken row.
    fn open_ends(self) -> u32 {
        let row = self.unbroken_row();
        (row << 1 | row >> 1) & self.empty
    }

    /// The cells that turn a four through the centre into a five.
    fn five_cells(self) -> u32 {
        bits(self.open_ends())
            .filter(|&bit| self.with(bit).unbroken_row().count_ones() == 5)
            .fold(0, |cells, bit| cells | bit)
    }

    fn is_straight_four(self) -> bool {
        self.unbroken_row().count_ones() == 4 && self.five_cells().count_ones() == 2
    }

    /// The number of fours through the centre. Two different fours on one line share the centre,
    /// as in `X.XXX.X`; a straight four is the same four at both ends.
    fn fours(self) -> u32 {
        if self.black.count_ones() < 4 {
            return 0;
        }
        if self.is_straight_four() { 1 } else { self.five_cells().count_ones() }
    }

    /// The cells that make a straight four through the centre.
    fn straight_four_cells(self) -> u32 {
        if self.black.count_ones() < 3 {
            return 0;
        }
        bits(self.open_ends())
            .filter(|&bit| self.with(bit).is_straight_four())
            .fold(0, |cells, bit| cells | bit)
    }
}

/// Whether enough stones are near for a five or a forbidden move: besides the new one, four on one
/// line or two on each of two lines. Rejects most cells of a board.
fn has_enough_stones(windows: &[Window; 4]) -> bool {
    let stones = windows.map(|window| window.black.count_ones() - 1);
    stones.iter().any(|&n| n >= 4) || stones.iter().filter(|&&n| n >= 2).count() >= 2
}

/// The set bits, lowest first.
fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

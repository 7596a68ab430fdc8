//! A place on the board and its box name.

use std::fmt;
use std::str::FromStr;

use crate::rules::MAX_SIDE;

/// A place on a board: a row and a column, both counted from 0.
///
/// A cell can be named without a board, so it may lie off a given one; the rules say so when it
/// is played. Its *box name* is a row letter and a column number from 1.
///
/// ```
/// use noughts_rules::Cell;
///
/// let cell: Cell = "C2".parse()?;
/// assert_eq!((cell.row(), cell.col()), (2, 1));
/// assert_eq!(cell.to_string(), "C2");
/// assert_eq!("2,1".parse(), Ok(cell));
/// # Ok::<(), noughts_rules::CellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

/// A cell is its column in the low bits and its row above them.
const ROW_SHIFT: u32 = 5;

/// Why a text is not a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    /// The text is neither a box name nor a pair of numbers.
    #[error("expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0")]
    Malformed,
    /// The text is well formed, but no board is that large.
    #[error("no board has such a box: rows go from A to Z and columns from 1 to {MAX_SIDE}")]
    OutOfRange,
}

impl Cell {
    /// The cell at a row and a column from 0, or `None` where no board is that large.
    #[inline]
    #[must_use]
    pub const fn new(row: u8, col: u8) -> Option<Cell> {
        if row < MAX_SIDE && col < MAX_SIDE { Some(Cell::on_board(row, col)) } else { None }
    }

    /// The row, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        (self.0 >> ROW_SHIFT) as u8
    }

    /// The column, from 0.
    #[inline]
    #[must_use]
    pub const fn col(self) -> u8 {
        self.0 as u8 & (Cell::ROW_STRIDE as u8 - 1)
    }

    /// How far apart the keys of a cell and the one below it are.
    pub(crate) const ROW_STRIDE: usize = 1 << ROW_SHIFT;

    /// For callers that took the row and the column from a board.
    #[inline]
    pub(crate) const fn on_board(row: u8, col: u8) -> Cell {
        debug_assert!(row < MAX_SIDE && col < MAX_SIDE);
        Cell((row as u16) << ROW_SHIFT | col as u16)
    }

    /// A number under [`Cell::KEYS`] that is the cell's on every board: for tables.
    #[inline]
    pub(crate) const fn key(self) -> usize {
        // Always below; saying so spares whoever looks something up a check.
        self.0 as usize % Cell::KEYS
    }

    /// How many keys there can be.
    pub(crate) const KEYS: usize = 1 << 10;

    /// The cell with this key, which was a cell's.
    #[inline]
    pub(crate) const fn from_key(key: u16) -> Cell {
        Cell(key)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Boards are written cell by cell, and there are two digits at most.
        let (letter, number) = (b'A' + self.row(), self.col() + 1);
        let (long, short) =
            ([letter, b'0' + number / 10, b'0' + number % 10], [letter, b'0' + number]);
        let name = if number < 10 { &short[..] } else { &long[..] };
        f.pad(str::from_utf8(name).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Cell {
    type Err = CellError;

    /// Reads a box name in either case (`A1`, `a1`) or `row,col` / `row col` from 0.
    fn from_str(text: &str) -> Result<Cell, CellError> {
        let text = text.trim();
        let letter = text.bytes().next().ok_or(CellError::Malformed)?;
        let (row, col) = if letter.is_ascii_alphabetic() {
            let col = number(&text[1..])?.checked_sub(1);
            (u32::from(letter.to_ascii_uppercase() - b'A'), col.ok_or(CellError::OutOfRange)?)
        } else {
            let (row, col) = text
                .split_once(",")
                .or_else(|| text.split_once(char::is_whitespace))
                .ok_or(CellError::Malformed)?;
            (number(row.trim())?, number(col.trim())?)
        };
        let side = |n: u32| u8::try_from(n).map_err(|_| CellError::OutOfRange);
        Cell::new(side(row)?, side(col)?).ok_or(CellError::OutOfRange)
    }
}

/// Digits only; a number too large for any board is out of range however long it is.
fn number(digits: &str) -> Result<u32, CellError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(CellError::Malformed);
    }
    digits.parse().map_err(|_| CellError::OutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(u8, u8), CellError>) {
        let got = text.parse::<Cell>().map(|cell| (cell.row(), cell.col()));
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn reads_box_names_and_pairs() {
        check("A1", Ok((0, 0)));
        check(" c2 ", Ok((2, 1)));
        check("Z26", Ok((25, 25)));
        check("2,1", Ok((2, 1)));
        check("2 1", Ok((2, 1)));
        check("2 ,  1", Ok((2, 1)));
        check("2, 1", Ok((2, 1)));
    }

    #[test]
    fn names_read_back_and_keep_to_a_width() {
        for (row, col) in (0..26).flat_map(|row| (0..26).map(move |col| (row, col))) {
            let cell = Cell::new(row, col).unwrap();
            check(&cell.to_string(), Ok((row, col)));
        }
        let [short, long] = ["b2", "z26"].map(|text| text.parse::<Cell>().unwrap());
        assert_eq!(format!("{short:>4}{long:<4}|{short}{long:?}"), "  B2Z26 |B2Z26");
    }

    #[test]
    fn says_what_is_wrong() {
        for text in ["", "A", "1", "A1B", "AA1", "A-1", "1,", ",1", "1,2,3", "Ä1", "A１"] {
            check(text, Err(CellError::Malformed));
        }
        for text in ["A0", "A27", "26,0", "0,26", "A99999999999999999999"] {
            check(text, Err(CellError::OutOfRange));
        }
    }

    #[test]
    fn every_cell_reads_back() {
        for row in 0..MAX_SIDE {
            for col in 0..MAX_SIDE {
                let cell = Cell::new(row, col).unwrap();
                assert_eq!(cell.to_string().parse(), Ok(cell));
                assert_eq!(format!("{row} {col}").parse(), Ok(cell));
            }
        }
        assert_eq!(Cell::new(26, 0), None);
    }
}

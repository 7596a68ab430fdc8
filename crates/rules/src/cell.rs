//! Cells and their box names.

use std::fmt;
use std::str::FromStr;

use crate::rules::MAX_SIDE;

/// A cell of a board: a row and a column, both counted from 0.
///
/// A cell does not belong to a particular board, so it may be off a given one; playing it there is
/// refused. Its *box name* is a row letter and a column number from 1.
///
/// ```
/// use noughts_rules::Cell;
///
/// let cell: Cell = "C2".parse()?;
/// assert_eq!((cell.row(), cell.col()), (2, 1));
/// assert_eq!(cell.to_string(), "C2");
/// assert_eq!("2,1".parse(), Ok(cell));
/// # Ok::<(), noughts_rules::ParseCellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

/// The column is in the low bits, the row above them.
const ROW_SHIFT: u32 = 5;

/// Why a text does not parse as a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseCellError {
    /// The text is neither a box name nor a pair of numbers.
    #[error("expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0")]
    Malformed,
    /// The text is well formed, but no board is that large.
    #[error("box out of range: rows go from A to Z, columns from 1 to {MAX_SIDE}")]
    OutOfRange,
}

impl Cell {
    /// The cell at a row and a column from 0, or `None` if no board is that large.
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

    /// The difference between the keys of a cell and of the cell below it.
    pub(crate) const ROW_STRIDE: usize = 1 << ROW_SHIFT;

    /// For rows and columns that are known to be on a board.
    #[inline]
    pub(crate) const fn on_board(row: u8, col: u8) -> Cell {
        debug_assert!(row < MAX_SIDE && col < MAX_SIDE);
        Cell((row as u16) << ROW_SHIFT | col as u16)
    }

    /// A table index below [`Cell::KEYS`], the same on every board.
    #[inline]
    pub(crate) const fn key(self) -> usize {
        // Never out of range; the modulo removes bounds checks.
        self.0 as usize % Cell::KEYS
    }

    /// The number of keys.
    pub(crate) const KEYS: usize = 1 << 10;

    /// The cell with this key, which must be one that [`Cell::key`] returned.
    #[inline]
    pub(crate) const fn from_key(key: u16) -> Cell {
        Cell(key)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Faster than `write!`, which counts when whole boards are written.
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
    type Err = ParseCellError;

    /// Parses a box name in either case (`A1`, `a1`), or `row,col` or `row col` from 0.
    fn from_str(text: &str) -> Result<Cell, ParseCellError> {
        let text = text.trim();
        let letter = text.bytes().next().ok_or(ParseCellError::Malformed)?;
        let (row, col) = if letter.is_ascii_alphabetic() {
            let col = number(&text[1..])?.checked_sub(1);
            (u32::from(letter.to_ascii_uppercase() - b'A'), col.ok_or(ParseCellError::OutOfRange)?)
        } else {
            let (row, col) = text
                .split_once(",")
                .or_else(|| text.split_once(char::is_whitespace))
                .ok_or(ParseCellError::Malformed)?;
            (number(row.trim())?, number(col.trim())?)
        };
        let side = |n: u32| u8::try_from(n).map_err(|_| ParseCellError::OutOfRange);
        Cell::new(side(row)?, side(col)?).ok_or(ParseCellError::OutOfRange)
    }
}

/// Accepts digits only; a number of any length that is too large is out of range.
fn number(digits: &str) -> Result<u32, ParseCellError> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseCellError::Malformed);
    }
    digits.parse().map_err(|_| ParseCellError::OutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(u8, u8), ParseCellError>) {
        let got = text.parse::<Cell>().map(|cell| (cell.row(), cell.col()));
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn box_names_and_pairs_parse() {
        check("A1", Ok((0, 0)));
        check(" c2 ", Ok((2, 1)));
        check("Z26", Ok((25, 25)));
        check("2,1", Ok((2, 1)));
        check("2 1", Ok((2, 1)));
        check("2 ,  1", Ok((2, 1)));
        check("2, 1", Ok((2, 1)));
    }

    #[test]
    fn names_honour_the_format_width() {
        let [short, long] = ["b2", "z26"].map(|text| text.parse::<Cell>().unwrap());
        assert_eq!(format!("{short:>4}{long:<4}|{short}{long:?}"), "  B2Z26 |B2Z26");
    }

    #[test]
    fn malformed_and_out_of_range_differ() {
        for text in ["", "A", "1", "A1B", "AA1", "A-1", "1,", ",1", "1,2,3", "Ä1", "A１"] {
            check(text, Err(ParseCellError::Malformed));
        }
        for text in ["A0", "A27", "26,0", "0,26", "A99999999999999999999"] {
            check(text, Err(ParseCellError::OutOfRange));
        }
    }

    #[test]
    fn every_cell_round_trips() {
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

//! Cells and their box names.

use std::fmt;
use std::str::FromStr;

use crate::shape::{MAX_LEVELS, MAX_SIDE};

/// A cell of a board: a level, a row and a column, all counted from 0. Flat boards have only
/// level 0; where a game has several boards, the level is the number of the board.
///
/// A cell does not belong to a particular board, so it may be off a given one; playing it there is
/// refused. Its *box name* is a row letter and a column number from 1, after the number of the level
/// from 1 unless that is the first.
///
/// ```
/// use noughts_rules::Cell;
///
/// let cell: Cell = "C2".parse()?;
/// assert_eq!((cell.row(), cell.col()), (2, 1));
/// assert_eq!(cell.to_string(), "C2");
/// assert_eq!("2,1".parse(), Ok(cell));
///
/// let cell: Cell = "2B3".parse()?;
/// assert_eq!((cell.level(), cell.row(), cell.col()), (1, 1, 2));
/// # Ok::<(), noughts_rules::ParseCellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

/// The column is in the low bits, the row above them, then the level.
const ROW_SHIFT: u32 = 5;
const LEVEL_SHIFT: u32 = 10;

/// Why a text does not parse as a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCellError {
    /// The text is neither a box name nor a pair of numbers.
    #[error("expected a box such as A1 (row letter, column number) or row,col from 0 such as 0,0")]
    Malformed,
    /// The text is well formed, but no board is that large.
    #[error(
        "box out of range: rows go from A to Z, columns from 1 to {MAX_SIDE}, levels from 1 to {MAX_LEVELS}"
    )]
    OutOfRange,
}

impl Cell {
    /// The cell at a row and a column from 0, or `None` if no board is that large.
    #[inline]
    #[must_use]
    pub const fn new(row: u8, col: u8) -> Option<Cell> {
        Cell::in_space(0, row, col)
    }

    /// The cell at a level, a row and a column from 0, or `None` if no board is that large.
    #[inline]
    #[must_use]
    pub const fn in_space(level: u8, row: u8, col: u8) -> Option<Cell> {
        if level < MAX_LEVELS && row < MAX_SIDE && col < MAX_SIDE {
            Some(Cell::on_board(level, row, col))
        } else {
            None
        }
    }

    /// The level, from 0; always 0 on flat boards.
    #[inline]
    #[must_use]
    pub const fn level(self) -> u8 {
        (self.0 >> LEVEL_SHIFT) as u8
    }

    /// The row, from 0.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        (self.0 >> ROW_SHIFT) as u8 & (Cell::ROW_STRIDE as u8 - 1)
    }

    /// The column, from 0.
    #[inline]
    #[must_use]
    pub const fn col(self) -> u8 {
        self.0 as u8 & (Cell::ROW_STRIDE as u8 - 1)
    }

    /// The difference between the codes of a cell and of the cell below it.
    pub(crate) const ROW_STRIDE: usize = 1 << ROW_SHIFT;

    /// The number of codes of cells.
    pub(crate) const CODES: usize = (MAX_LEVELS as usize) << LEVEL_SHIFT;

    /// For levels, rows and columns that are known to be on a board.
    #[inline]
    pub(crate) const fn on_board(level: u8, row: u8, col: u8) -> Cell {
        debug_assert!(level < MAX_LEVELS && row < MAX_SIDE && col < MAX_SIDE);
        Cell((level as u16) << LEVEL_SHIFT | (row as u16) << ROW_SHIFT | col as u16)
    }

    /// The cell with a code, if there is one.
    #[cfg(feature = "serde")]
    pub(crate) const fn checked_from_code(code: u16) -> Option<Cell> {
        if (code as usize) < Cell::CODES {
            let cell = Cell::from_code(code);
            Cell::in_space(cell.level(), cell.row(), cell.col())
        } else {
            None
        }
    }

    /// For the codes of cells.
    #[inline]
    pub(crate) const fn from_code(code: u16) -> Cell {
        debug_assert!((code as usize) < Cell::CODES);
        Cell(code)
    }

    /// A number below [`Cell::CODES`], the same on every board; below 1,024 for level 0.
    #[inline]
    pub(crate) const fn code(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Faster than `write!`, which counts when whole boards are written.
        let mut name = [0; 5];
        let mut length = 0;
        let mut push = |byte: u8| {
            name[length] = byte;
            length += 1;
        };
        let push_number = |number: u8, push: &mut dyn FnMut(u8)| {
            if number >= 10 {
                push(b'0' + number / 10);
            }
            push(b'0' + number % 10);
        };
        if self.level() > 0 {
            push_number(self.level() + 1, &mut push);
        }
        push(b'A' + self.row());
        push_number(self.col() + 1, &mut push);
        f.pad(str::from_utf8(&name[..length]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Cell {
    type Err = ParseCellError;

    /// Parses a box name in either case (`A1`, `a1`, `2B3`), or two or three numbers from 0
    /// (`row,col`, `row col`, `level,row,col`).
    fn from_str(text: &str) -> Result<Cell, ParseCellError> {
        let text = text.trim();
        let small = |n: u32| u8::try_from(n).map_err(|_| ParseCellError::OutOfRange);
        let from_one = |n: u32| n.checked_sub(1).ok_or(ParseCellError::OutOfRange);
        let letter = text.find(|c: char| c.is_ascii_alphabetic());
        let [level, row, col] = match letter {
            Some(at) => {
                let level = if at == 0 { 1 } else { number(&text[..at])? };
                let row = text.as_bytes()[at].to_ascii_uppercase() - b'A';
                [from_one(level)?, row.into(), from_one(number(&text[at + 1..])?)?]
            }
            None => {
                let by_comma: Vec<&str> = text.splitn(4, ',').map(str::trim).collect();
                let by_space: Vec<&str> = text.split_whitespace().take(4).collect();
                match (&by_comma[..], &by_space[..]) {
                    ([row, col], _) | ([_], [row, col]) => [0, number(row)?, number(col)?],
                    ([level, row, col], _) | ([_], [level, row, col]) => {
                        [number(level)?, number(row)?, number(col)?]
                    }
                    _ => return Err(ParseCellError::Malformed),
                }
            }
        };
        Cell::in_space(small(level)?, small(row)?, small(col)?).ok_or(ParseCellError::OutOfRange)
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
        for text in ["", "A", "1", "A1B", "AA1", "A-1", "1,", ",1", "1,2,3,4", "Ä1", "A１", "x2B1"]
        {
            check(text, Err(ParseCellError::Malformed));
        }
        for text in ["A0", "A27", "26,0", "0,26", "A99999999999999999999", "0A1", "17A1", "16,0,0"]
        {
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
        for level in 1..MAX_LEVELS {
            let cell = Cell::in_space(level, 2, 11).unwrap();
            assert_eq!(cell.to_string(), format!("{}C12", level + 1));
            assert_eq!(cell.to_string().parse(), Ok(cell));
            assert_eq!(format!("{level},2,11").parse(), Ok(cell));
        }
        assert_eq!(Cell::in_space(MAX_LEVELS, 0, 0), None);
    }
}

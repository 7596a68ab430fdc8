//! The text form of positions: `RULES BOARD TURN [RESIGNED]`.
//!
//! The rows of the board go from top to bottom, separated by `/`. A seat letter (`x`, `o`, `a`,
//! `b`, `c`, `d`, `e`, `f` for seats 0 to 7) is a stone, a number is that many empty cells. The
//! turn is a seat letter, or `-` if the game is over. The letters of resigned seats follow, if any.

use std::fmt;
use std::str::FromStr;

use super::ParseRulesError;
use crate::text::excerpt;
use crate::{MAX_SIDE, Position, PositionParts, PositionPartsError, Rules, Seat};

const SEAT_LETTERS: [char; 8] = ['x', 'o', 'a', 'b', 'c', 'd', 'e', 'f'];

/// Why a text does not parse as a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Too few or too many parts.
    #[error("expected `RULES BOARD TURN [RESIGNED]` such as `3x3 x2/1o1/3 x`")]
    Parts,
    /// The rules do not parse.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// A row contains something else than seat letters and counts of empty cells.
    #[error("row `{0}`: expected seat letters (x o a b c d e f) and numbers of empty cells")]
    Row(String),
    /// A row or the whole board has the wrong number of cells.
    #[error("expected {rows} rows of {cols} cells, separated by `/`")]
    Size {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
    },
    /// The turn or the resigned seats are not seat letters.
    #[error("`{0}`: expected seat letters (x o a b c d e f), or `-` if the game is over")]
    Seat(String),
    /// The text is well formed, but play cannot lead to this position.
    #[error(transparent)]
    Position(#[from] PositionPartsError),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules();
        write!(f, "{rules} ")?;
        let mut empty = 0;
        for cell in rules.cells() {
            match self.seat_at(cell) {
                None => empty += 1,
                Some(seat) => {
                    write_count(f, &mut empty)?;
                    write!(f, "{}", SEAT_LETTERS[seat.index()])?;
                }
            }
            if cell.col() + 1 == rules.cols() {
                write_count(f, &mut empty)?;
                if cell.row() + 1 < rules.rows() {
                    f.write_str("/")?;
                }
            }
        }
        match self.turn() {
            Some(turn) => write!(f, " {}", SEAT_LETTERS[turn.index()])?,
            None => f.write_str(" -")?,
        }
        let resigned = || rules.seats().filter(|&seat| self.has_resigned(seat));
        if resigned().next().is_some() {
            f.write_str(" ")?;
        }
        resigned().try_for_each(|seat| write!(f, "{}", SEAT_LETTERS[seat.index()]))
    }
}

fn write_count(f: &mut fmt::Formatter<'_>, empty: &mut u32) -> fmt::Result {
    if *empty > 0 {
        write!(f, "{empty}")?;
    }
    *empty = 0;
    Ok(())
}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let mut words = text.split_whitespace();
        let (Some(rules), Some(board), Some(turn), resigned, None) =
            (words.next(), words.next(), words.next(), words.next(), words.next())
        else {
            return Err(ParsePositionError::Parts);
        };
        let rules: Rules = rules.parse()?;
        let board = parse_board(board, &rules)?;
        let seats = |text: &str| {
            let seats: Option<Vec<Seat>> =
                text.chars().take(SEAT_LETTERS.len() + 1).map(seat).collect();
            seats.filter(|seats| seats.len() <= SEAT_LETTERS.len())
        };
        let bad = |text: &str| ParsePositionError::Seat(excerpt(text));
        let turn = match turn {
            "-" => None,
            letter => match seats(letter).as_deref() {
                Some(&[seat]) => Some(seat),
                _ => return Err(bad(letter)),
            },
        };
        let resigned = resigned.unwrap_or_default();
        let resigned = seats(resigned).ok_or_else(|| bad(resigned))?;
        Ok(PositionParts { rules, board, turn, resigned }.build()?)
    }
}

fn parse_board(text: &str, rules: &Rules) -> Result<Vec<Option<Seat>>, ParsePositionError> {
    let (rows, cols) = (rules.rows(), rules.cols());
    let size = ParsePositionError::Size { rows, cols };
    let mut board = Vec::with_capacity(rules.cell_count());
    // Stops at the first surplus row.
    for (i, row) in text.split('/').take(usize::from(rows) + 1).enumerate() {
        parse_row(row, &mut board).ok_or_else(|| ParsePositionError::Row(excerpt(row)))?;
        if board.len() != (i + 1) * usize::from(cols) {
            return Err(size);
        }
    }
    if board.len() == rules.cell_count() { Ok(board) } else { Err(size) }
}

fn parse_row(row: &str, board: &mut Vec<Option<Seat>>) -> Option<()> {
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let empty: u8 = rest[..digits].parse().ok().filter(|n| (1..=MAX_SIDE).contains(n))?;
            board.extend(std::iter::repeat_n(None, usize::from(empty)));
            rest = &rest[digits..];
        } else {
            board.push(Some(seat(c)?));
            rest = &rest[c.len_utf8()..];
        }
        if row.len() > 4 * usize::from(MAX_SIDE) {
            return None;
        }
    }
    Some(())
}

fn seat(letter: char) -> Option<Seat> {
    let index = SEAT_LETTERS.iter().position(|&l| l == letter)?;
    Seat::new(index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for text in [
            "3x3 3/3/3 x",
            "3x3 x2/1o1/3 x",
            "3x3 xxx/oo1/3 -",
            "15x15:5 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o",
            "4x4:3+3p xoa1/4/4/4 x",
            "4x4:3+3p xoa1/4/4/4 o x",
        ] {
            let position: Position = text.parse().unwrap();
            assert_eq!(position.to_string(), text);
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Position>().unwrap_err().to_string(), expected, "{text:?}");
        };
        let parts = "expected `RULES BOARD TURN [RESIGNED]` such as `3x3 x2/1o1/3 x`";
        check("", parts);
        check("3x3 3/3/3", parts);
        check("3x3 3/3/3 x o o", parts);
        check("3x3 3/3 x", "expected 3 rows of 3 cells, separated by `/`");
        check("3x3 3/3/3/3 x", "expected 3 rows of 3 cells, separated by `/`");
        check("3x3 3/3/2 x", "expected 3 rows of 3 cells, separated by `/`");
        check("3x3 3/3/4 x", "expected 3 rows of 3 cells, separated by `/`");
        let row = "expected seat letters (x o a b c d e f) and numbers of empty cells";
        check("3x3 3/q2/3 x", &format!("row `q2`: {row}"));
        check("3x3 3/0xxx/3 x", &format!("row `0xxx`: {row}"));
        check("3x3 3/99999999999/3 x", &format!("row `99999999999`: {row}"));
        let seat = "expected seat letters (x o a b c d e f), or `-` if the game is over";
        check("3x3 3/3/3 xo", &format!("`xo`: {seat}"));
        check("3x3 3/3/3 X", &format!("`X`: {seat}"));
        check("3x3 3/3/3 x q", &format!("`q`: {seat}"));
    }
}

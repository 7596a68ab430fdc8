//! Moves and their text form.

use std::fmt;
use std::str::FromStr;

use crate::{Cell, Mark, ParseCellError, Rules, Shape};

/// Why a text does not parse as a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// The cell does not parse.
    #[error(transparent)]
    Cell(#[from] ParseCellError),
    /// What follows `=` is not a mark.
    #[error("expected x or o after `=`, as in B3=o")]
    Mark,
}

/// A move.
///
/// ```
/// use noughts_rules::{Cell, Mark, Move};
///
/// let cell: Cell = "B3".parse()?;
/// assert_eq!("B3".parse(), Ok(Move::from(cell)));
/// assert_eq!("B3=o".parse(), Ok(Move::Mark(cell, Mark::new(1).unwrap())));
/// assert_eq!(Move::Swap.to_string(), "swap");
/// # Ok::<(), noughts_rules::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Move {
    /// Take a cell with the mark that is due.
    Place(Cell),
    /// Take a cell with a mark of the mover's choice (wild, order and chaos).
    Mark(Cell, Mark),
    /// Opening choice: exchange the marks of the two seats.
    Swap,
    /// Opening choice: leave the marks as they are.
    Keep,
    /// Opening choice: place two more stones, and leave the choice to the other seat (swap2).
    More,
}

impl Move {
    /// The cell that the move takes; `None` for an opening choice.
    #[inline]
    #[must_use]
    pub const fn cell(self) -> Option<Cell> {
        match self {
            Move::Place(cell) | Move::Mark(cell, _) => Some(cell),
            Move::Swap | Move::Keep | Move::More => None,
        }
    }

    /// The mark that the mover chose, where the rules leave the choice.
    #[must_use]
    pub const fn chosen_mark(self) -> Option<Mark> {
        match self {
            Move::Mark(_, mark) => Some(mark),
            _ => None,
        }
    }
}

impl Rules {
    /// The move that a text names. Understands all that [`Move`] parses, and in ultimate a small board
    /// and a box of it: `B2.C1` is `F4` on 3x3 boards.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// let ultimate: Rules = "ultimate".parse()?;
    /// assert_eq!(ultimate.parse_move("B2.C1"), Ok("F4".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseMoveError> {
        let (Shape::Nested { rows, cols }, Some((board, text))) =
            (self.shape(), text.split_once('.'))
        else {
            return text.parse();
        };
        let (board, cell): (Cell, Cell) = (board.parse()?, text.parse()?);
        let is_inside = |cell: Cell| cell.level() == 0 && cell.row() < rows && cell.col() < cols;
        if !is_inside(board) || !is_inside(cell) {
            return Err(ParseCellError::OutOfRange.into());
        }
        let (row, col) = (board.row() * rows + cell.row(), board.col() * cols + cell.col());
        Ok(Move::Place(Cell::on_board(0, row, col)))
    }
}

impl From<Cell> for Move {
    #[inline]
    fn from(cell: Cell) -> Move {
        Move::Place(cell)
    }
}

/// Prints `B3`, `B3=o`, `swap`, `keep` or `more`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(cell) => cell.fmt(f),
            Move::Mark(cell, mark) => f.pad(&format!("{cell}={mark}")),
            Move::Swap => f.pad("swap"),
            Move::Keep => f.pad("keep"),
            Move::More => f.pad("more"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Parses the printed form in either case. Cells may be written in any form they parse from.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let text = text.trim();
        for choice in [Move::Swap, Move::Keep, Move::More] {
            if text.eq_ignore_ascii_case(&choice.to_string()) {
                return Ok(choice);
            }
        }
        let Some((cell, mark)) = text.split_once('=') else {
            return Ok(Move::Place(text.parse()?));
        };
        let mut letters = mark.trim().chars();
        match (letters.next().and_then(Mark::from_letter), letters.next()) {
            (Some(mark), None) => Ok(Move::Mark(cell.parse()?, mark)),
            _ => Err(ParseMoveError::Mark),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_move_reads_back() {
        assert_eq!(size_of::<Move>(), 4);
        for text in ["B3", "2B3", "B3=o", "3A12=x", "swap", "keep", "more"] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.to_string(), text);
        }
        assert_eq!(" 1,2 = O ".parse::<Move>(), "B3=o".parse());
        assert_eq!("SWAP".parse(), Ok(Move::Swap));
    }

    #[test]
    fn boxes_of_small_boards_are_moves() {
        let ultimate: Rules = "3x3+ultimate".parse().unwrap();
        for (text, expected) in [
            ("A1.A1", Ok("A1")),
            ("b2.c1", Ok("F4")),
            ("C3.C3", Ok("I9")),
            (" 1,1 . 2,0 ", Ok("F4")),
            ("F4", Ok("F4")),
            ("D1.A1", Err(ParseCellError::OutOfRange.into())),
            ("A1.A4", Err(ParseCellError::OutOfRange.into())),
            ("2A1.A1", Err(ParseCellError::OutOfRange.into())),
            ("A1.A1.A1", Err(ParseCellError::Malformed.into())),
            (".A1", Err(ParseCellError::Malformed.into())),
        ] {
            let expected = expected.map(|cell| cell.parse().unwrap());
            assert_eq!(ultimate.parse_move(text), expected, "{text}");
        }
        assert_eq!(Rules::classic().parse_move("A1.A1"), Err(ParseCellError::Malformed.into()));
        let wide: Rules = "2x3:2+ultimate".parse().unwrap();
        assert_eq!(wide.parse_move("B3.B3"), "D9".parse());
    }

    #[test]
    fn malformed_moves_are_refused() {
        for text in ["", "=x", "swapped"] {
            assert_eq!(text.parse::<Move>(), Err(ParseCellError::Malformed.into()), "{text}");
        }
        for text in ["B3=", "B3=q", "B3=xo", "B3=x=o"] {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError::Mark), "{text}");
        }
    }
}

//! Replaying a list of moves: a count, then that many lines `move r c`, each answered by a line.
//!
//! [`Replay`] takes the lines one at a time, so a list of any length needs no memory of its own.
//!
//! ```
//! use noughts_rules::replay::Replay;
//! use noughts_rules::Rules;
//!
//! let mut replay = Replay::new(&Rules::classic());
//! assert_eq!(replay.line("2")?, None);
//! assert_eq!(replay.line("move 0 0")?.unwrap().to_string(), "X placed at (0, 0)");
//! assert_eq!(replay.line("move 0 0")?.unwrap().to_string(), "Invalid move");
//! replay.end()?;
//! # Ok::<(), noughts_rules::replay::ReplayError>(())
//! ```

use std::fmt;

use crate::text::excerpt;
use crate::{Cell, Outcome, Position, Rules, Seat, Symbol};

/// A replay under way.
#[derive(Debug)]
pub struct Replay {
    position: Position,
    symbols: Vec<Symbol>,
    line: u64,
    /// How many moves were announced; unknown before the first line.
    count: Option<u64>,
    done: u64,
}

/// What a move did. It prints as the line that answers the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report<'a> {
    /// The cell was taken and the game goes on.
    Placed {
        /// Whose cell it is.
        symbol: &'a Symbol,
        /// Where.
        cell: Cell,
    },
    /// The move ended the game and this symbol has won.
    Wins(&'a Symbol),
    /// The move filled the board and nobody has won.
    Draw,
    /// The move is against the rules and changed nothing.
    Invalid,
    /// The game was over before the move.
    AlreadyOver,
}

/// Why a list of moves can't be replayed any further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first line is not a count.
    #[error("line 1: expected the number of moves, got `{0}`")]
    Count(String),
    /// A line is not a move.
    #[error("line {line}: expected `move ROW COL` with two whole numbers, got `{text}`")]
    Move {
        /// Which line, from 1.
        line: u64,
        /// The line, or the beginning of it.
        text: String,
    },
    /// More lines than the first one announced.
    #[error("line {line}: expected the end after {count} moves, got `{text}`")]
    TooMany {
        /// Which line, from 1.
        line: u64,
        /// How many moves were announced.
        count: u64,
        /// The line, or the beginning of it.
        text: String,
    },
    /// Fewer lines than the first one announced.
    #[error("line {line}: expected {left} more moves, got the end")]
    TooFew {
        /// The line that is missing, from 1.
        line: u64,
        /// How many moves were still to come.
        left: u64,
    },
    /// No line at all.
    #[error("line 1: expected the number of moves, got the end")]
    NoCount,
}

impl Replay {
    /// An empty board with the default symbols.
    #[must_use]
    pub fn new(rules: &Rules) -> Replay {
        let symbols = rules.seats().map(Symbol::default_for).collect();
        Replay { position: Position::new(rules), symbols, line: 0, count: None, done: 0 }
    }

    /// Takes the next line, without its end. Answers what a move did; the count and empty lines
    /// at the end have no answer.
    pub fn line(&mut self, text: &str) -> Result<Option<Report<'_>>, ReplayError> {
        self.line += 1;
        let text = text.trim();
        let Some(count) = self.count else {
            self.count = Some(text.parse().map_err(|_| ReplayError::Count(excerpt(text)))?);
            return Ok(None);
        };
        if self.done == count {
            if text.is_empty() {
                return Ok(None);
            }
            return Err(ReplayError::TooMany { line: self.line, count, text: excerpt(text) });
        }
        let target = parse_move(text)
            .ok_or_else(|| ReplayError::Move { line: self.line, text: excerpt(text) })?;
        self.done += 1;
        Ok(Some(self.play(target)))
    }

    /// Says that there are no more lines.
    pub fn end(&self) -> Result<(), ReplayError> {
        match self.count.map(|count| count - self.done) {
            None => Err(ReplayError::NoCount),
            Some(0) => Ok(()),
            Some(left) => Err(ReplayError::TooFew { line: self.line + 1, left }),
        }
    }

    /// `None` stands for a cell that no board has.
    fn play(&mut self, cell: Option<Cell>) -> Report<'_> {
        let Some(turn) = self.position.turn() else { return Report::AlreadyOver };
        let Some(cell) = cell else { return Report::Invalid };
        let symbol = |seat: Seat| &self.symbols[seat.index()];
        match self.position.play(cell) {
            Err(_) => Report::Invalid,
            Ok(None) => Report::Placed { symbol: symbol(turn), cell },
            Ok(Some(Outcome::Win(seat))) => Report::Wins(symbol(seat)),
            Ok(Some(Outcome::Draw)) => Report::Draw,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Report::Placed { symbol, cell } => {
                write!(f, "{symbol} placed at ({}, {})", cell.row(), cell.col())
            }
            Report::Wins(symbol) => write!(f, "{symbol} wins"),
            Report::Draw => f.write_str("Draw"),
            Report::Invalid => f.write_str("Invalid move"),
            Report::AlreadyOver => f.write_str("Game already over"),
        }
    }
}

/// The cell of `move r c`; `Some(None)` where the numbers are well formed but no board is that
/// large, `None` where the line is not a move.
fn parse_move(line: &str) -> Option<Option<Cell>> {
    let mut words = line.split_ascii_whitespace();
    let ("move", row, col, None) = (words.next()?, words.next()?, words.next()?, words.next())
    else {
        return None;
    };
    let (row, col) = (parse_index(row)?, parse_index(col)?);
    Some(row.zip(col).and_then(|(row, col)| Cell::new(row, col)))
}

/// A whole number, which may be too large or below 0 for a cell: `Some(None)`.
fn parse_index(word: &str) -> Option<Option<u8>> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // "-0" is 0 to whoever writes it.
    let negative = word.starts_with('-') && digits.bytes().any(|b| b != b'0');
    Some(if negative { None } else { digits.parse().ok() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, input: &str, expected: &str) {
        let mut replay = Replay::new(&rules.parse().unwrap());
        let mut output = String::new();
        let mut run = || {
            for line in input.lines() {
                if let Some(report) = replay.line(line)? {
                    output += &format!("{report}\n");
                }
            }
            replay.end()
        };
        if let Err(error) = run() {
            output += &format!("error: {error}\n");
        }
        assert_eq!(output, expected, "{input:?}");
    }

    #[test]
    fn one_line_a_move() {
        check(
            "3x3",
            "7\nmove 0 0\nmove 1 1\nmove 1 1\nmove 0 1\nmove 2 2\nmove 0 2\nmove 9 9\n",
            "X placed at (0, 0)\nO placed at (1, 1)\nInvalid move\nX placed at (0, 1)\n\
             O placed at (2, 2)\nX wins\nGame already over\n",
        );
        check("1x2:2", "2\nmove 0 0\nmove 0 1", "X placed at (0, 0)\nDraw\n");
        check(
            "2x2:2+misere",
            "3\nmove 0 0\nmove 0 1\nmove 1 0",
            "X placed at (0, 0)\nO placed at (0, 1)\nO wins\n",
        );
        check(
            "3x3+3p",
            "3\nmove 0 0\nmove 0 1\nmove 0 2",
            "X placed at (0, 0)\nO placed at (0, 1)\n△ placed at (0, 2)\n",
        );
        check("3x3", "0\n", "");
    }

    #[test]
    fn whole_numbers_off_the_board_are_invalid_moves() {
        check(
            "3x3",
            "5\nmove -1 0\nmove 3 0\nmove 0 99999999999999999999999\nmove 256 0\nmove -0 +0\n",
            "Invalid move\nInvalid move\nInvalid move\nInvalid move\nX placed at (0, 0)\n",
        );
    }

    #[test]
    fn what_is_malformed_is_named_with_its_line() {
        let expected = "expected `move ROW COL` with two whole numbers, got";
        check("3x3", "", "error: line 1: expected the number of moves, got the end\n");
        check("3x3", "x\n", "error: line 1: expected the number of moves, got `x`\n");
        check("3x3", "-1\n", "error: line 1: expected the number of moves, got `-1`\n");
        check("3x3", "1\n", "error: line 2: expected 1 more moves, got the end\n");
        check("3x3", "1\nmove 0", &format!("error: line 2: {expected} `move 0`\n"));
        check("3x3", "1\nmove 0 0 0", &format!("error: line 2: {expected} `move 0 0 0`\n"));
        check("3x3", "1\nplay 0 0", &format!("error: line 2: {expected} `play 0 0`\n"));
        check("3x3", "1\nmove a 0", &format!("error: line 2: {expected} `move a 0`\n"));
        check("3x3", "1\n\nmove 0 0", &format!("error: line 2: {expected} ``\n"));
        check(
            "3x3",
            "1\nmove 0 0\n\nmove 1 1\n",
            "X placed at (0, 0)\nerror: line 4: expected the end after 1 moves, got `move 1 1`\n",
        );
    }
}

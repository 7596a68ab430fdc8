//! Replays a list of moves: a count, then that many lines `move ROW COL`, each with one line of
//! output.
//!
//! [`Replay`] takes one line at a time, so a list of any length takes constant memory.
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

/// A replay in progress.
#[derive(Debug)]
pub struct Replay {
    position: Position,
    symbols: Vec<Symbol>,
    line: u64,
    /// The number of moves, from the first line.
    count: Option<u64>,
    replayed: u64,
}

/// The result of a move. Prints as its line of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveResult<'a> {
    /// The cell was taken and the game is not over.
    Placed {
        /// The symbol of the seat that moved.
        symbol: &'a Symbol,
        /// The cell it took.
        cell: Cell,
    },
    /// The move ended the game; this symbol won.
    Wins(&'a Symbol),
    /// The move filled the board and nobody won.
    Draw,
    /// The rules refuse the move.
    Invalid,
    /// The game was over before the move.
    AlreadyOver,
}

/// Why a list of moves is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The first line is not a count.
    #[error("line 1: expected the number of moves, got `{0}`")]
    Count(String),
    /// A line is not a move.
    #[error("line {line}: expected `move ROW COL` with two whole numbers, got `{text}`")]
    Move {
        /// The line number, from 1.
        line: u64,
        /// The beginning of the line.
        text: String,
    },
    /// There are more moves than the count.
    #[error("line {line}: expected the end after {count} moves, got `{text}`")]
    TooMany {
        /// The line number, from 1.
        line: u64,
        /// The count.
        count: u64,
        /// The beginning of the line.
        text: String,
    },
    /// There are fewer moves than the count.
    #[error("line {line}: expected {left} more moves, got the end")]
    TooFew {
        /// The number of the missing line, from 1.
        line: u64,
        /// How many moves are missing.
        left: u64,
    },
    /// There are no lines.
    #[error("line 1: expected the number of moves, got the end")]
    NoCount,
}

impl Replay {
    /// A replay from the empty board, with the default symbols.
    #[must_use]
    pub fn new(rules: &Rules) -> Replay {
        let symbols = rules.seats().map(Symbol::default_for).collect();
        Replay { position: Position::new(rules), symbols, line: 0, count: None, replayed: 0 }
    }

    /// Takes the next line, without its line ending. Returns the result of a move; the count and
    /// trailing empty lines have none.
    pub fn line(&mut self, text: &str) -> Result<Option<MoveResult<'_>>, ReplayError> {
        self.line += 1;
        let text = text.trim();
        let Some(count) = self.count else {
            self.count = Some(text.parse().map_err(|_| ReplayError::Count(excerpt(text)))?);
            return Ok(None);
        };
        if self.replayed == count {
            if text.is_empty() {
                return Ok(None);
            }
            return Err(ReplayError::TooMany { line: self.line, count, text: excerpt(text) });
        }
        let cell = parse_move(text)
            .ok_or_else(|| ReplayError::Move { line: self.line, text: excerpt(text) })?;
        self.replayed += 1;
        Ok(Some(self.play(cell)))
    }

    /// Checks at the end of the input that no move is missing.
    pub fn end(&self) -> Result<(), ReplayError> {
        match self.count.map(|count| count - self.replayed) {
            None => Err(ReplayError::NoCount),
            Some(0) => Ok(()),
            Some(left) => Err(ReplayError::TooFew { line: self.line + 1, left }),
        }
    }

    /// `None` stands for a cell that is off every board.
    fn play(&mut self, cell: Option<Cell>) -> MoveResult<'_> {
        let Some(turn) = self.position.turn() else { return MoveResult::AlreadyOver };
        let Some(cell) = cell else { return MoveResult::Invalid };
        let symbol = |seat: Seat| &self.symbols[seat.index()];
        match self.position.play(cell) {
            Err(_) => MoveResult::Invalid,
            Ok(None) => MoveResult::Placed { symbol: symbol(turn), cell },
            Ok(Some(Outcome::Win(seat))) => MoveResult::Wins(symbol(seat)),
            Ok(Some(Outcome::Draw)) => MoveResult::Draw,
        }
    }
}

impl fmt::Display for MoveResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveResult::Placed { symbol, cell } => {
                write!(f, "{symbol} placed at ({}, {})", cell.row(), cell.col())
            }
            MoveResult::Wins(symbol) => write!(f, "{symbol} wins"),
            MoveResult::Draw => f.write_str("Draw"),
            MoveResult::Invalid => f.write_str("Invalid move"),
            MoveResult::AlreadyOver => f.write_str("Game already over"),
        }
    }
}

/// The cell of `move ROW COL`: `None` if the line is malformed, `Some(None)` if no board is that
/// large.
fn parse_move(line: &str) -> Option<Option<Cell>> {
    let mut words = line.split_ascii_whitespace();
    let ("move", row, col, None) = (words.next()?, words.next()?, words.next()?, words.next())
    else {
        return None;
    };
    let (row, col) = (parse_index(row)?, parse_index(col)?);
    Some(row.zip(col).and_then(|(row, col)| Cell::new(row, col)))
}

/// A whole number: `None` if it is malformed, `Some(None)` if it is out of range.
fn parse_index(word: &str) -> Option<Option<u8>> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // "-0" is 0.
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
                if let Some(result) = replay.line(line)? {
                    output += &format!("{result}\n");
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
    fn each_move_has_one_result() {
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
    fn numbers_off_the_board_are_invalid() {
        check(
            "3x3",
            "5\nmove -1 0\nmove 3 0\nmove 0 99999999999999999999999\nmove 256 0\nmove -0 +0\n",
            "Invalid move\nInvalid move\nInvalid move\nInvalid move\nX placed at (0, 0)\n",
        );
    }

    #[test]
    fn errors_name_the_malformed_line() {
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

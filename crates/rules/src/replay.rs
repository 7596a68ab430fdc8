//! Replays a list of moves: a count, then that many lines `move ROW COL`, each with one line of
//! output. On boards with levels, or several boards, a line is `move LEVEL ROW COL`; where the mover
//! chooses the mark, its letter follows; opening choices are lines of their own (`swap`, `keep`,
//! `more`).
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
//! # Ok::<(), noughts_rules::replay::ParseReplayError>(())
//! ```

use std::fmt;

use crate::text::excerpt;
use crate::{Cell, Mark, Marks, Move, Outcome, Position, Rules, Seat, Symbol};

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
#[non_exhaustive]
pub enum MoveResult<'a> {
    /// The cell was taken and the game is not over.
    Placed {
        /// The symbol of the mark.
        symbol: &'a Symbol,
        /// The cell it took.
        cell: Cell,
        /// Whether the board has levels.
        levels: bool,
    },
    /// An opening choice was made.
    Chosen(Move),
    /// The move ended the game; this symbol won.
    Wins(&'a Symbol),
    /// The move ended the game; this player won, whose marks are nobody's.
    PlayerWins(Seat),
    /// The move ended the game and nobody won.
    Draw,
    /// The rules refuse the move.
    Invalid,
    /// The game was over before the move.
    AlreadyOver,
}

/// Why a list of moves is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseReplayError {
    /// The first line is not a count.
    #[error("line 1: expected the number of moves, got `{0}`")]
    Count(String),
    /// A line is not a move.
    #[error("line {line}: expected `{expected}, got `{text}`")]
    Move {
        /// The line number, from 1.
        line: u64,
        /// The form of a line.
        expected: &'static str,
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
    pub fn line(&mut self, text: &str) -> Result<Option<MoveResult<'_>>, ParseReplayError> {
        self.line += 1;
        let text = text.trim();
        let Some(count) = self.count else {
            self.count = Some(text.parse().map_err(|_| ParseReplayError::Count(excerpt(text)))?);
            return Ok(None);
        };
        if self.replayed == count {
            if text.is_empty() {
                return Ok(None);
            }
            return Err(ParseReplayError::TooMany { line: self.line, count, text: excerpt(text) });
        }
        let form = Form::of(self.position.rules());
        let mv = form.parse(text).ok_or_else(|| ParseReplayError::Move {
            line: self.line,
            expected: form.expected(),
            text: excerpt(text),
        })?;
        self.replayed += 1;
        Ok(Some(self.play(mv)))
    }

    /// Checks at the end of the input that no move is missing.
    pub fn end(&self) -> Result<(), ParseReplayError> {
        match self.count.map(|count| count - self.replayed) {
            None => Err(ParseReplayError::NoCount),
            Some(0) => Ok(()),
            Some(left) => Err(ParseReplayError::TooFew { line: self.line + 1, left }),
        }
    }

    /// `None` stands for a cell that is off every board.
    fn play(&mut self, mv: Option<Move>) -> MoveResult<'_> {
        if self.position.turn().is_none() {
            return MoveResult::AlreadyOver;
        }
        let Some(mv) = mv else { return MoveResult::Invalid };
        let mark = mv.chosen_mark().or(self.position.mark_to_place());
        let levels = self.position.rules().levels() > 1;
        let outcome = self.position.play(mv);
        let symbol = |mark: Mark| &self.symbols[mark.index()];
        match (outcome, mv.cell(), mark) {
            (Err(_), ..) => MoveResult::Invalid,
            (Ok(None), Some(cell), Some(mark)) => {
                MoveResult::Placed { symbol: symbol(mark), cell, levels }
            }
            (Ok(None), ..) => MoveResult::Chosen(mv),
            (Ok(Some(Outcome::Win(seat))), ..) => match self.position.mark_of(seat) {
                Some(mark) => MoveResult::Wins(symbol(mark)),
                None => MoveResult::PlayerWins(seat),
            },
            (Ok(Some(Outcome::Draw)), ..) => MoveResult::Draw,
        }
    }
}

impl fmt::Display for MoveResult<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveResult::Placed { symbol, cell, levels: false } => {
                write!(f, "{symbol} placed at ({}, {})", cell.row(), cell.col())
            }
            MoveResult::Placed { symbol, cell, levels: true } => {
                let (level, row, col) = (cell.level(), cell.row(), cell.col());
                write!(f, "{symbol} placed at ({level}, {row}, {col})")
            }
            MoveResult::Chosen(choice) => write!(f, "{choice}"),
            MoveResult::Wins(symbol) => write!(f, "{symbol} wins"),
            MoveResult::PlayerWins(seat) => write!(f, "Player {seat} wins"),
            MoveResult::Draw => f.write_str("Draw"),
            MoveResult::Invalid => f.write_str("Invalid move"),
            MoveResult::AlreadyOver => f.write_str("Game already over"),
        }
    }
}

/// The form of a line.
struct Form {
    levels: bool,
    marks: bool,
}

impl Form {
    fn of(rules: &Rules) -> Form {
        Form { levels: rules.levels() > 1, marks: rules.parts().marks == Marks::Any }
    }

    fn expected(&self) -> &'static str {
        match (self.levels, self.marks) {
            (false, false) => "move ROW COL` with two whole numbers",
            (true, false) => "move LEVEL ROW COL` with three whole numbers",
            (false, true) => "move ROW COL MARK` with two whole numbers and x or o",
            (true, true) => "move LEVEL ROW COL MARK` with three whole numbers and x or o",
        }
    }

    /// The move of a line: `None` if the line is malformed, `Some(None)` if no board is that large.
    fn parse(&self, line: &str) -> Option<Option<Move>> {
        if let Some(choice) = [Move::Swap, Move::Keep, Move::More]
            .into_iter()
            .find(|choice| line.eq_ignore_ascii_case(&choice.to_string()))
        {
            return Some(Some(choice));
        }
        let mut words = line.split_ascii_whitespace();
        if words.next()? != "move" {
            return None;
        }
        let level = if self.levels { parse_index(words.next()?)? } else { Some(0) };
        let (row, col) = (parse_index(words.next()?)?, parse_index(words.next()?)?);
        let mark = match self.marks {
            true => {
                let mut letters = words.next()?.chars();
                Some(Mark::from_letter(letters.next()?).filter(|_| letters.next().is_none())?)
            }
            false => None,
        };
        if words.next().is_some() {
            return None;
        }
        let cell = level.zip(row).zip(col);
        let cell = cell.and_then(|((level, row), col)| Cell::in_space(level, row, col));
        Some(cell.map(|cell| mark.map_or(Move::Place(cell), |mark| Move::Mark(cell, mark))))
    }
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
        check(
            "3x3x3",
            "3\nmove 1 1 1\nmove 2 0 0\nmove 1 1 1\n",
            "X placed at (1, 1, 1)\nO placed at (2, 0, 0)\nInvalid move\n",
        );
        check(
            "2x2+wild",
            "3\nmove 0 0 o\nmove 1 1 q\n",
            "O placed at (0, 0)\nerror: line 3: expected `move ROW COL MARK` with two whole \
             numbers and x or o, got `move 1 1 q`\n",
        );
        check("2x2+wild", "2\nmove 0 0 o\nmove 1 1 o\n", "O placed at (0, 0)\nPlayer 2 wins\n");
        check("3x3+swap", "2\nmove 0 0\nswap\n", "X placed at (0, 0)\nswap\n");
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

//! SGF, the Smart Game Format, for gomoku (`GM[4]`).
//!
//! Only the main line of the first game is read. The parser does not build a tree: SGF trees nest
//! one level per move, and dropping one from a hostile file can overflow the stack.

use std::fmt::Write;

use super::NotGomoku;
use super::gomoku;
use crate::text::excerpt;
use crate::{Action, Cell, Game, Outcome, Refusal, RulesError, Seat};

/// The board size if the file has none.
const DEFAULT_SIZE: &str = "15";

/// Why a text does not parse as an SGF game of gomoku.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSgfError {
    /// The text is not SGF.
    #[error("byte {offset}: expected {expected}")]
    Syntax {
        /// The byte offset, from 0.
        offset: usize,
        /// The expected syntax.
        expected: &'static str,
    },
    /// The game is not gomoku.
    #[error("expected a game of gomoku, GM[4], not GM[{0}]")]
    NotGomoku(String),
    /// The board size does not parse.
    #[error("SZ[{0}]: expected a size such as SZ[15] or SZ[20:15]")]
    Size(String),
    /// The board size is out of range.
    #[error(transparent)]
    Board(#[from] RulesError),
    /// The rule is not supported, such as caro.
    #[error("RU[{0}] is not supported: expected freestyle, standard or renju")]
    Rule(String),
    /// The file sets up stones that were not played.
    #[error("{0} sets up a position: expected a game from the empty board")]
    Setup(String),
    /// A move does not parse.
    #[error("move {number}, [{text}]: expected two letters, column and row, such as [hh]")]
    Point {
        /// The move number, from 1.
        number: usize,
        /// The beginning of its text.
        text: String,
    },
    /// The rules refuse a move.
    #[error("move {number}: {refusal}")]
    Refused {
        /// The move number, from 1.
        number: usize,
        /// The reason.
        refusal: Refusal,
    },
}

/// Reads a game. Black is the first seat; players get the names in the file and the default
/// symbols. If the file names a winner but nobody has five, the other player resigned.
pub fn read(text: &str) -> Result<Game, ParseSgfError> {
    let properties = main_line(text)?;
    let find = |name: &str| {
        properties.iter().find(|property| property.name == name).map(|p| p.value.as_str())
    };
    match find("GM") {
        Some("4") => {}
        other => return Err(ParseSgfError::NotGomoku(excerpt(other.unwrap_or("1")))),
    }
    let size = find("SZ").unwrap_or(DEFAULT_SIZE);
    let (cols, rows) = size.split_once(':').unwrap_or((size, size));
    let side = |text: &str| text.trim().parse().map_err(|_| ParseSgfError::Size(excerpt(size)));
    let rule = find("RU").unwrap_or_default();
    let rule = gomoku::Rule::named(rule).ok_or_else(|| ParseSgfError::Rule(excerpt(rule)))?;
    let rules = rule.on_board(side(rows)?, side(cols)?)?;

    let mut game = gomoku::game(&rules, [find("PB"), find("PW")]);
    let mut number = 0;
    for Property { name, value } in &properties {
        let seat = match name.as_str() {
            "B" => Seat::from_index(0),
            "W" => Seat::from_index(1),
            "AB" | "AW" | "AE" => return Err(ParseSgfError::Setup(name.clone())),
            _ => continue,
        };
        number += 1;
        let cell =
            point(value).ok_or_else(|| ParseSgfError::Point { number, text: excerpt(value) })?;
        game.play(seat, cell).map_err(|refusal| ParseSgfError::Refused { number, refusal })?;
    }
    let winner = match find("RE").and_then(|result| result.split_once('+')) {
        Some(("B", _)) => Seat::new(0),
        Some(("W", _)) => Seat::new(1),
        _ => None,
    };
    gomoku::resign_loser(&mut game, winner);
    Ok(game)
}

/// Writes a game of gomoku.
pub fn write(game: &Game) -> Result<String, NotGomoku> {
    gomoku::check(game)?;
    let rules = game.rules();
    let mut text = String::from("(;FF[4]CA[UTF-8]GM[4]");
    if rules.rows() == rules.cols() {
        let _ = write!(text, "SZ[{}]", rules.rows());
    } else {
        let _ = write!(text, "SZ[{}:{}]", rules.cols(), rules.rows());
    }
    let _ = write!(text, "RU[{}]", gomoku::rule_name(rules));
    for (name, player) in ["PB", "PW"].iter().zip(game.players()) {
        let _ = write!(text, "{name}[{}]", escape(player.name()));
    }
    let resigned = game.history().any(|action| matches!(action, Action::Resign { .. }));
    let how = if resigned { "R" } else { "" };
    match game.position().outcome() {
        Some(Outcome::Win(seat)) => {
            let _ = write!(text, "RE[{}+{how}]", COLOURS[seat.index()]);
        }
        Some(Outcome::Draw) => text.push_str("RE[0]"),
        None => {}
    }
    for action in game.history() {
        if let (seat, Some(cell)) = (action.seat(), action.cell()) {
            let [col, row] = [cell.col(), cell.row()].map(|n| char::from(b'a' + n));
            let _ = write!(text, "\n;{}[{col}{row}]", COLOURS[seat.index()]);
        }
    }
    text.push_str(")\n");
    Ok(text)
}

const COLOURS: [&str; 2] = ["B", "W"];

fn point(text: &str) -> Option<Cell> {
    let [col, row] = text.as_bytes() else { return None };
    Cell::new(row.checked_sub(b'a')?, col.checked_sub(b'a')?)
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

struct Property {
    name: String,
    /// The first of its values.
    value: String,
}

/// The properties of the main line, in order. The main line takes the first branch everywhere, so
/// it ends at the first closing parenthesis.
fn main_line(text: &str) -> Result<Vec<Property>, ParseSgfError> {
    let mut parser = Parser { text, offset: 0 };
    if text.starts_with('\u{feff}') {
        parser.next();
    }
    if parser.peek() != Some('(') {
        return Err(parser.expected("`(;`, the beginning of a game"));
    }
    let mut properties = Vec::new();
    loop {
        match parser.peek() {
            Some('(' | ';') => parser.next(),
            Some(')') => return Ok(properties),
            Some(c) if c.is_ascii_alphabetic() => {
                properties.push(parser.property()?);
                continue;
            }
            Some(_) => return Err(parser.expected("a property such as B[hh], `;`, `(` or `)`")),
            None => return Err(parser.expected("`)`, the end of the game")),
        };
    }
}

struct Parser<'a> {
    text: &'a str,
    offset: usize,
}

impl Parser<'_> {
    /// Skips white space and returns the next character without consuming it.
    fn peek(&mut self) -> Option<char> {
        self.offset = self.text.len() - self.text[self.offset..].trim_start().len();
        self.text[self.offset..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text[self.offset..].chars().next()?;
        self.offset += c.len_utf8();
        Some(c)
    }

    fn property(&mut self) -> Result<Property, ParseSgfError> {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            // Old files spell names out, as in `PlayerBlack`: only the capitals count.
            if c.is_ascii_uppercase() {
                name.push(c);
            }
            self.next();
        }
        let value = self.value()?;
        while self.peek() == Some('[') {
            self.value()?;
        }
        Ok(Property { name, value })
    }

    fn value(&mut self) -> Result<String, ParseSgfError> {
        if self.peek() != Some('[') {
            return Err(self.expected("`[`, the beginning of a value"));
        }
        self.next();
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => value.extend(self.next()),
                Some(c) => value.push(c),
                None => return Err(self.expected("`]`, the end of a value")),
            }
        }
    }

    fn expected(&self, expected: &'static str) -> ParseSgfError {
        ParseSgfError::Syntax { offset: self.offset, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_main_line_is_read() {
        let game = read(
            "\u{feff}(;FF[4]GM[4]SZ[15] PlayerBlack[Ann \\] B]PW[Bob]C[a comment: (;) ]
             ;B[hh]C[x][y](;W[hi];B[ii])(;W[ab]))(;GM[1])",
        )
        .unwrap();
        assert_eq!(
            game.to_string(),
            "rules 15x15:5\nplayer X Ann ] B\nplayer O Bob\nmoves H8 I8 I9\nresult in progress"
        );
    }

    #[test]
    fn writing_restores_the_file() {
        for text in [
            "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[Freestyle]PB[Ann \\]]PW[Bo\\\\b]\n;B[hh]\n;W[ab])\n",
            "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[Renju]PB[A]PW[B]\n;B[hh]\n;W[ih])\n",
            "(;FF[4]CA[UTF-8]GM[4]SZ[20:15]RU[Standard]PB[A]PW[B]RE[W+R]\n;B[to])\n",
            "(;FF[4]CA[UTF-8]GM[4]SZ[5:1]RU[Freestyle]PB[A]PW[B]RE[0]\n;B[aa]\n;W[ba]\n;B[ca]\n;W[da]\n;B[ea])\n",
        ] {
            assert_eq!(write(&read(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text:?}");
        };
        check("", "byte 0: expected `(;`, the beginning of a game");
        check("hello", "byte 0: expected `(;`, the beginning of a game");
        check("(;GM[4]", "byte 7: expected `)`, the end of the game");
        check("(;GM[4", "byte 6: expected `]`, the end of a value");
        check("(;GM)", "byte 4: expected `[`, the beginning of a value");
        check("(;GM[4]=)", "byte 7: expected a property such as B[hh], `;`, `(` or `)`");
        check("(;FF[4])", "expected a game of gomoku, GM[4], not GM[1]");
        check("(;GM[4]SZ[big])", "SZ[big]: expected a size such as SZ[15] or SZ[20:15]");
        check(
            "(;GM[4]SZ[99])",
            "board size 99x99 is out of range: expected 1 to 26 rows and 1 to 26 columns",
        );
        check(
            "(;GM[4]RU[Caro])",
            "RU[Caro] is not supported: expected freestyle, standard or renju",
        );
        check("(;GM[4]AB[hh])", "AB sets up a position: expected a game from the empty board");
        check("(;GM[4];B[h8])", "move 1, [h8]: expected two letters, column and row, such as [hh]");
        check("(;GM[4];W[hh])", "move 1: it is player 1's turn, not player 2's");
        check("(;GM[4];B[hh];W[hh])", "move 2: H8 is taken, choose an empty box");
        check(
            "(;GM[4];B[zz])",
            "move 1: Z26 is not on the board: rows go from A to O, columns from 1 to 15",
        );
    }
}

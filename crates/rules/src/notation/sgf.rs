//! SGF, the Smart Game Format, for gomoku (`GM[4]`).
//!
//! The main line of the first game is read. A reader of its own walks it without building a tree:
//! trees of this format nest one level a move, and dropping one that came from a hostile file can
//! overflow the stack.

use std::fmt::Write;

use super::NotGomoku;
use super::gomoku;
use crate::text::excerpt;
use crate::{Action, Cell, Game, Outcome, Refusal, RulesError, Seat};

/// The board where a file does not give its size.
const DEFAULT_SIZE: &str = "15";

/// Why a text is not an SGF game of gomoku.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The text is not SGF.
    #[error("character {at}: expected {expected}")]
    Syntax {
        /// How many bytes of the text come before.
        at: usize,
        /// What should have been there.
        expected: &'static str,
    },
    /// The game is not gomoku.
    #[error("expected a game of gomoku, GM[4], not GM[{0}]")]
    NotGomoku(String),
    /// The size of the board can't be read.
    #[error("SZ[{0}]: expected a size such as SZ[15] or SZ[20:15]")]
    Size(String),
    /// No board is of that size.
    #[error(transparent)]
    Board(#[from] RulesError),
    /// The file is of a game that has other rules, such as renju.
    #[error("RU[{0}] is not a rule that is known here: expected freestyle or standard")]
    Rule(String),
    /// The file puts stones on the board that were not played.
    #[error("{0} sets up a position: expected a game from the empty board")]
    Setup(String),
    /// A move can't be read.
    #[error("move {number}, [{text}]: expected two letters, column and row, such as [hh]")]
    Point {
        /// Which move, from 1.
        number: usize,
        /// Its text, or the beginning of it.
        text: String,
    },
    /// A move is against the rules.
    #[error("move {number}: {refusal}")]
    Refused {
        /// Which move, from 1.
        number: usize,
        /// What is wrong.
        refusal: Refusal,
    },
}

/// Reads a game. Black is the first seat; players get the names in the file and the default
/// symbols. A game that the file says was won although nobody has five was given up by the other
/// player.
pub fn read(text: &str) -> Result<Game, SgfError> {
    let properties = main_line(text)?;
    let find = |name: &str| {
        properties.iter().find(|property| property.name == name).map(|p| p.value.as_str())
    };
    match find("GM") {
        Some("4") => {}
        other => return Err(SgfError::NotGomoku(excerpt(other.unwrap_or("1")))),
    }
    let size = find("SZ").unwrap_or(DEFAULT_SIZE);
    let (cols, rows) = size.split_once(':').unwrap_or((size, size));
    let side = |text: &str| text.trim().parse().map_err(|_| SgfError::Size(excerpt(size)));
    let rule = find("RU").unwrap_or_default();
    let exact = gomoku::is_exact(rule).ok_or_else(|| SgfError::Rule(excerpt(rule)))?;
    let rules = gomoku::rules(side(rows)?, side(cols)?, exact)?;

    let mut game = gomoku::game(&rules, [find("PB"), find("PW")]);
    let mut number = 0;
    for Property { name, value } in &properties {
        let seat = match name.as_str() {
            "B" => Seat::of_game(0),
            "W" => Seat::of_game(1),
            "AB" | "AW" | "AE" => return Err(SgfError::Setup(name.clone())),
            _ => continue,
        };
        number += 1;
        let cell = point(value).ok_or_else(|| SgfError::Point { number, text: excerpt(value) })?;
        game.play(seat, cell).map_err(|refusal| SgfError::Refused { number, refusal })?;
    }
    let winner = match find("RE").and_then(|result| result.split_once('+')) {
        Some(("B", _)) => Seat::new(0),
        Some(("W", _)) => Seat::new(1),
        _ => None,
    };
    gomoku::give_up(&mut game, winner);
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
        if let Action::Move { seat, cell } = action {
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
    /// The first of its values; a game has no use for the others.
    value: String,
}

/// The properties of the main line, in order. The main line is the first branch everywhere, so it
/// ends where the first bracket closes.
fn main_line(text: &str) -> Result<Vec<Property>, SgfError> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        reader.next();
    }
    if reader.peek() != Some('(') {
        return Err(reader.expected("`(;`, the beginning of a game"));
    }
    let mut properties = Vec::new();
    loop {
        match reader.peek() {
            Some('(' | ';') => reader.next(),
            Some(')') => return Ok(properties),
            Some(c) if c.is_ascii_alphabetic() => {
                properties.push(reader.property()?);
                continue;
            }
            Some(_) => return Err(reader.expected("a property such as B[hh], `;`, `(` or `)`")),
            None => return Err(reader.expected("`)`, the end of the game")),
        };
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// The next character that is not white space, without taking it.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn property(&mut self) -> Result<Property, SgfError> {
        let mut name = String::new();
        while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
            // Older files write names out, as in `PlayerBlack`; only the capitals count.
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

    fn value(&mut self) -> Result<String, SgfError> {
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

    fn expected(&self, expected: &'static str) -> SgfError {
        SgfError::Syntax { at: self.at, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_main_line() {
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
    fn writes_what_it_reads() {
        for text in [
            "(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[Freestyle]PB[Ann \\]]PW[Bo\\\\b]\n;B[hh]\n;W[ab])\n",
            "(;FF[4]CA[UTF-8]GM[4]SZ[20:15]RU[Standard]PB[A]PW[B]RE[W+R]\n;B[to])\n",
            "(;FF[4]CA[UTF-8]GM[4]SZ[5:1]RU[Freestyle]PB[A]PW[B]RE[0]\n;B[aa]\n;W[ba]\n;B[ca]\n;W[da]\n;B[ea])\n",
        ] {
            assert_eq!(write(&read(text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn refusals_say_what_was_expected() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text).unwrap_err().to_string(), expected, "{text:?}");
        };
        check("", "character 0: expected `(;`, the beginning of a game");
        check("hello", "character 0: expected `(;`, the beginning of a game");
        check("(;GM[4]", "character 7: expected `)`, the end of the game");
        check("(;GM[4", "character 6: expected `]`, the end of a value");
        check("(;GM)", "character 4: expected `[`, the beginning of a value");
        check("(;GM[4]=)", "character 7: expected a property such as B[hh], `;`, `(` or `)`");
        check("(;FF[4])", "expected a game of gomoku, GM[4], not GM[1]");
        check("(;GM[4]SZ[big])", "SZ[big]: expected a size such as SZ[15] or SZ[20:15]");
        check("(;GM[4]SZ[99])", "a board of 99x99: expected 1 to 26 rows and 1 to 26 columns");
        check(
            "(;GM[4]RU[Renju])",
            "RU[Renju] is not a rule that is known here: expected freestyle or standard",
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

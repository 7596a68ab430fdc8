//! The text form of positions: `RULES BOARD TURN [RESIGNED] [DETAILS]`.
//!
//! The rows of the board go from top to bottom, separated by `/`, the levels or boards by `|`. A mark
//! letter (`x`, `o`, `a`, `b`, `c`, `d`, `e`, `f` for marks 0 to 7) is a stone, a number is that many
//! empty cells. The turn is the letter of a seat (the same letters), or `-` if the game is over. The
//! letters of resigned seats follow, if any.
//!
//! The details are what the stones don't tell: `in:B2`, the board to play;
//! `left:1`, the stones left in this turn; `old:A1-B2,A2-C1`, the fading cells of each mark, oldest
//! first; `stage:place`, `choose`, `more` or `last`, the stage of the opening; `swapped`, if the seats have
//! exchanged their marks; `draw:repetition` or `draw:length`.

use std::fmt;
use std::str::FromStr;

use super::ParseRulesError;
use crate::text::excerpt;
use crate::{
    Cell, DrawReason, MAX_SIDE, Mark, OpeningStage, Position, PositionParts, PositionPartsError,
    Rules, Seat,
};

/// Why a text does not parse as a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// Too few or too many parts.
    #[error("expected `RULES BOARD TURN [RESIGNED]` such as `3x3 x2/1o1/3 x`")]
    Parts,
    /// A detail is unknown, malformed or given twice.
    #[error(
        "`{0}`: expected details such as in:B2, left:1, old:A1-B2,A2, stage:choose, swapped or draw:repetition"
    )]
    Detail(String),
    /// The rules do not parse.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// A row contains something else than seat letters and counts of empty cells.
    #[error("row `{0}`: expected seat letters (x o a b c d e f) and numbers of empty cells")]
    Row(String),
    /// A row or the whole board has the wrong number of cells.
    #[error("expected {rows} rows of {cols} cells, separated by `/`{levels}",
        levels = if *levels > 1 { format!(", on {levels} levels or boards, separated by `|`") } else { String::new() })]
    Size {
        /// Rows of the board.
        rows: u8,
        /// Columns of the board.
        cols: u8,
        /// Levels or boards.
        levels: u8,
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
            match self.mark_at(cell) {
                None => empty += 1,
                Some(mark) => {
                    write_count(f, &mut empty)?;
                    write!(f, "{mark}")?;
                }
            }
            if cell.col() + 1 == rules.cols() {
                write_count(f, &mut empty)?;
                if cell.row() + 1 < rules.rows() {
                    f.write_str("/")?;
                } else if cell.level() + 1 < rules.levels() {
                    f.write_str("|")?;
                }
            }
        }
        match self.turn() {
            Some(turn) => write!(f, " {}", letter(turn))?,
            None => f.write_str(" -")?,
        }
        let resigned = || rules.seats().filter(|&seat| self.has_resigned(seat));
        if resigned().next().is_some() {
            f.write_str(" ")?;
        }
        resigned().try_for_each(|seat| write!(f, "{}", letter(seat)))?;
        if rules.is_plain() { Ok(()) } else { write_details(f, &PositionParts::of(self)) }
    }
}

/// The letter of a seat.
fn letter(seat: Seat) -> char {
    Mark::from_index(seat.index() as u8).letter()
}

fn seat(letter: char) -> Option<Seat> {
    letter.is_ascii_lowercase().then_some(())?;
    Seat::new(Mark::from_letter(letter)?.index() as u8)
}

fn write_count(f: &mut fmt::Formatter<'_>, empty: &mut u32) -> fmt::Result {
    if *empty > 0 {
        write!(f, "{empty}")?;
    }
    *empty = 0;
    Ok(())
}

fn write_details(f: &mut fmt::Formatter<'_>, parts: &PositionParts) -> fmt::Result {
    if let Some(zone) = parts.board_to_play {
        write!(f, " in:{}", parts.rules.zone_name(zone))?;
    }
    if let Some(left) = parts.stones_left {
        write!(f, " left:{left}")?;
    }
    if parts.fade_order.iter().any(|queue| !queue.is_empty()) {
        let names =
            |queue: &Vec<Cell>| -> Vec<String> { queue.iter().map(Cell::to_string).collect() };
        let queues: Vec<String> = parts.fade_order.iter().map(|q| names(q).join("-")).collect();
        write!(f, " old:{}", queues.join(","))?;
    }
    if let Some((_, name)) = STAGES.iter().find(|(stage, _)| *stage == parts.opening_stage) {
        write!(f, " stage:{name}")?;
    }
    if parts.swapped {
        write!(f, " {SWAPPED}")?;
    }
    match parts.draw_reason {
        Some(DrawReason::Repetition) => f.write_str(" draw:repetition"),
        Some(DrawReason::Length) => f.write_str(" draw:length"),
        Some(DrawReason::Full) | None => Ok(()),
    }
}

const STAGES: [(OpeningStage, &str); 4] = [
    (OpeningStage::Place, "place"),
    (OpeningStage::Choose, "choose"),
    (OpeningStage::PlaceMore, "more"),
    (OpeningStage::ChooseLast, "last"),
];

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let mut words = text.split_whitespace();
        let (Some(rules), Some(board), Some(turn)) = (words.next(), words.next(), words.next())
        else {
            return Err(ParsePositionError::Parts);
        };
        let mut rest = words.peekable();
        let resigned = rest.next_if(|word| !is_detail(word)).unwrap_or_default();
        let rules: Rules = rules.parse()?;
        let mut parts = PositionParts::new(&rules);
        // Unless a detail says so, the opening is over and nothing has faded.
        parts.opening_stage = OpeningStage::Done;
        parts.board = parse_board(board, &rules)?;
        let seats = |text: &str| -> Option<Vec<Seat>> {
            // Stops at the first surplus letter.
            let seats: Option<Vec<Seat>> = text.chars().take(MAX_LETTERS + 1).map(seat).collect();
            seats.filter(|seats| seats.len() <= MAX_LETTERS)
        };
        let bad = |text: &str| ParsePositionError::Seat(excerpt(text));
        parts.turn = match turn {
            "-" => None,
            letter => match seats(letter).as_deref() {
                Some(&[seat]) => Some(seat),
                _ => return Err(bad(letter)),
            },
        };
        parts.resigned = seats(resigned).ok_or_else(|| bad(resigned))?;
        let mut seen = Vec::new();
        for word in rest {
            let name = parse_detail(word, &mut parts)
                .filter(|name| !seen.contains(name))
                .ok_or_else(|| match is_detail(word) {
                    true => ParsePositionError::Detail(excerpt(word)),
                    false => ParsePositionError::Parts,
                })?;
            seen.push(name);
        }
        Ok(parts.build()?)
    }
}

const MAX_LETTERS: usize = crate::MAX_PLAYERS as usize;

const SWAPPED: &str = "swapped";

/// Whether a word is a detail, rather than resigned seats.
fn is_detail(word: &str) -> bool {
    word.contains(':') || word == SWAPPED
}

/// Sets what the detail tells. Returns its name.
fn parse_detail<'a>(word: &'a str, parts: &mut PositionParts) -> Option<&'a str> {
    if word == SWAPPED {
        parts.swapped = true;
        return Some(word);
    }
    let (name, value) = word.split_once(':')?;
    match (name, value) {
        ("in", zone) => parts.board_to_play = Some(parts.rules.parse_zone(zone)?),
        ("left", left) => parts.stones_left = Some(left.parse().ok()?),
        ("old", queues) => {
            let queue = |text: &str| -> Option<Vec<Cell>> {
                let cells = text.split('-').filter(|cell| !cell.is_empty());
                cells.take(parts.rules.cell_count() + 1).map(|cell| cell.parse().ok()).collect()
            };
            let queues: Option<Vec<_>> =
                queues.split(',').take(MAX_LETTERS + 1).map(queue).collect();
            parts.fade_order = queues?;
        }
        ("stage", stage) => {
            parts.opening_stage = STAGES.iter().find(|(_, name)| *name == stage)?.0;
        }
        ("draw", "repetition") => parts.draw_reason = Some(DrawReason::Repetition),
        ("draw", "length") => parts.draw_reason = Some(DrawReason::Length),
        _ => return None,
    }
    Some(name)
}

fn parse_board(text: &str, rules: &Rules) -> Result<Vec<Option<Mark>>, ParsePositionError> {
    let (rows, cols, levels) = (rules.rows(), rules.cols(), rules.levels());
    let size = ParsePositionError::Size { rows, cols, levels };
    let mut board = Vec::with_capacity(rules.cell_count());
    // Stops at the first surplus row or level.
    for (level, text) in text.split('|').take(usize::from(levels) + 1).enumerate() {
        for (row, text) in text.split('/').take(usize::from(rows) + 1).enumerate() {
            parse_row(text, &mut board).ok_or_else(|| ParsePositionError::Row(excerpt(text)))?;
            if board.len() != (level * usize::from(rows) + row + 1) * usize::from(cols) {
                return Err(size);
            }
        }
        if board.len() != (level + 1) * usize::from(rows) * usize::from(cols) {
            return Err(size);
        }
    }
    if board.len() == rules.cell_count() { Ok(board) } else { Err(size) }
}

fn parse_row(row: &str, board: &mut Vec<Option<Mark>>) -> Option<()> {
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let empty: u8 = rest[..digits].parse().ok().filter(|n| (1..=MAX_SIDE).contains(n))?;
            board.extend(std::iter::repeat_n(None, usize::from(empty)));
            rest = &rest[digits..];
        } else {
            board.push(Some(Mark::from_index(seat(c)?.index() as u8)));
            rest = &rest[c.len_utf8()..];
        }
        if row.len() > 4 * usize::from(MAX_SIDE) {
            return None;
        }
    }
    Some(())
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
            "2x2x2 2/2|1x/2 o",
            "3x3+ultimate 9/9/9/9/4x4/9/9/9/9 o in:B2",
            "3x3+fade3 xo1/3/3 x old:A1,A2",
            "19x19:6+2s 19/19/19/19/19/19/19/19/19/9xo8/19/19/19/19/19/19/19/19/19 o left:1",
            "3x3+swap 3/3/3 x stage:place",
            "3x3+swap 3/1x1/3 o stage:choose",
            "3x3+swap 3/1x1/3 x swapped",
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
        let detail = "expected details such as in:B2, left:1, old:A1-B2,A2, stage:choose, \
                      swapped or draw:repetition";
        check("3x3 3/3/3 x o:o", &format!("`o:o`: {detail}"));
        check("3x3+ultimate 9/9/9/9/9/9/9/9/9 x in:D4", &format!("`in:D4`: {detail}"));
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

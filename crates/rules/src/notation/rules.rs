//! The text form of rules, or a preset.
//!
//! `ROWSxCOLS[xLEVELS][:K|:[LINES]]`, then any of `+ultimate`, `+notakto`, `+Nb`, `+wild`, `+order`,
//! `+misere`, `+gravity`, `+wrap`, `+exact`, `+fadeN`, `+renju`, `+Ns`, `+swap`, `+swap2`, `+Np`.

use std::fmt;
use std::str::FromStr;

use crate::text::excerpt;
use crate::{
    Cell, Goal, MAX_CUSTOM_LINE_CELLS, MAX_CUSTOM_LINES, Marks, Opening, Rules, RulesError,
    RulesParts, Shape, Win,
};

/// The well-known games, by name and text form, in the order in which choosers offer them. The first
/// [`FEATURED_PRESETS`] are for short choosers.
pub const PRESETS: [(&str, &str); 16] = [
    ("classic", "3x3"),
    ("ultimate", "3x3+ultimate"),
    ("gomoku", "15x15:5"),
    ("connect4", "6x7:4+gravity"),
    ("qubic", "4x4x4"),
    ("misere", "3x3+misere"),
    ("fade", "3x3+fade3"),
    ("notakto", "3x3+notakto+3b"),
    ("wild", "3x3+wild"),
    ("order-and-chaos", "6x6:5+order"),
    ("3d", "3x3x3"),
    ("score-four", "4x4x4+gravity"),
    ("gomoku-standard", "15x15:5+exact"),
    ("swap2", "15x15:5+swap2"),
    ("renju", "15x15:5+renju"),
    ("connect6", "19x19:6+2s"),
];

/// How many of the [`PRESETS`] a short chooser offers.
pub const FEATURED_PRESETS: usize = 8;

/// More names that parse as rules, with the presets they stand for. Choosers don't list them.
pub const PRESET_ALIASES: [(&str, &str); 4] = [
    ("tictactoe", "classic"),
    ("tic-tac-toe", "classic"),
    ("five-in-a-row", "gomoku"),
    ("connect-four", "connect4"),
];

/// The text form that a preset or its alias stands for.
fn preset(name: &str) -> Option<&'static str> {
    let alias = PRESET_ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, preset)| preset);
    PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, text)| *text)
}

/// Why a text does not parse as rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRulesError {
    /// The part before the first `+` is neither a board nor a preset.
    #[error(
        "`{0}` is not a board: expected ROWSxCOLS or ROWSxCOLS:K such as 3x3 or 15x15:5, or one of {presets}",
        presets = PRESETS.map(|(name, _)| name).join(", ")
    )]
    Board(String),
    /// The list of lines does not parse.
    #[error("`{0}` is not a list of lines: expected boxes such as [A1-A2-A3,A1-B2-C3]")]
    Lines(String),
    /// A part after a `+` is not a variant.
    #[error("`+{0}` is not a variant: expected {EXPECTED}")]
    Variant(String),
    /// A variant is given twice.
    #[error("`+{0}` is given twice")]
    Duplicate(String),
    /// The text is well formed, but the parameters are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

const EXPECTED: &str = "+ultimate, +notakto, +Nb, +wild, +order, +misere, +gravity, +wrap, +exact, \
    +fadeN, +renju, +Ns, +swap, +swap2 or +Np (2p to 8p)";

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.parts();
        let shortest = match parts.shape {
            Shape::Grid { rows, cols, levels: 1 } => {
                write!(f, "{rows}x{cols}")?;
                rows.min(cols)
            }
            Shape::Grid { rows, cols, levels } => {
                write!(f, "{rows}x{cols}x{levels}")?;
                rows.min(cols).min(levels)
            }
            Shape::Nested { rows, cols } | Shape::Boards { rows, cols, .. } => {
                write!(f, "{rows}x{cols}")?;
                rows.min(cols)
            }
        };
        match &parts.win {
            Win::Row(k) if *k == shortest => {}
            Win::Row(k) => write!(f, ":{k}")?,
            Win::Lines(lines) => write_lines(f, lines)?,
        }
        for (on, name) in flags(parts) {
            if on {
                write!(f, "+{name}")?;
            }
            // The number of boards follows the game that has boards.
            if let (Shape::Boards { boards: 2.., .. }, "notakto") = (parts.shape, name) {
                write!(f, "+{}b", self.levels())?;
            }
        }
        if let Some(marks) = parts.fade {
            write!(f, "+fade{marks}")?;
        }
        if parts.renju {
            f.write_str("+renju")?;
        }
        if parts.stones_per_turn > 1 {
            write!(f, "+{}s", parts.stones_per_turn)?;
        }
        match parts.opening {
            Opening::Free => {}
            Opening::Swap => f.write_str("+swap")?,
            Opening::Swap2 => f.write_str("+swap2")?,
        }
        if parts.players != RulesParts::default().players {
            write!(f, "+{}p", parts.players)?;
        }
        Ok(())
    }
}

/// The variants without a number, in the order of the canonical text.
fn flags(parts: &RulesParts) -> [(bool, &'static str); 8] {
    [
        (matches!(parts.shape, Shape::Nested { .. }), "ultimate"),
        (parts.marks == Marks::One, "notakto"),
        (parts.marks == Marks::Any && parts.goal != Goal::Maker, "wild"),
        (parts.goal == Goal::Maker, "order"),
        (parts.goal == Goal::Avoid, "misere"),
        (parts.gravity, "gravity"),
        (parts.wrap, "wrap"),
        (parts.exact, "exact"),
    ]
}

fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[Box<[Cell]>]) -> fmt::Result {
    f.write_str(":[")?;
    for (i, line) in lines.iter().enumerate() {
        f.write_str(if i > 0 { "," } else { "" })?;
        for (j, cell) in line.iter().enumerate() {
            write!(f, "{}{cell}", if j > 0 { "-" } else { "" })?;
        }
    }
    f.write_str("]")
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let text = text.trim().to_ascii_lowercase();
        let (board, variants) = text.split_once('+').unwrap_or((&text, ""));
        let mut parts = match preset(board) {
            Some(text) => text.parse::<Rules>()?.parts().clone(),
            None => parse_board(board)?,
        };
        let mut boards = None;
        let mut seen = Vec::new();
        let words = (text.len() > board.len()).then(|| variants.split('+'));
        for word in words.into_iter().flatten() {
            let name = parse_variant(word, &mut parts, &mut boards)?;
            if seen.contains(&name) {
                return Err(ParseRulesError::Duplicate(name.into()));
            }
            seen.push(name);
        }
        apply_shape(&mut parts, seen.contains(&"ultimate"), boards)?;
        Ok(parts.build()?)
    }
}

/// Sets the shape that ultimate or a number of boards make of a board.
fn apply_shape(
    parts: &mut RulesParts,
    is_ultimate: bool,
    boards: Option<u8>,
) -> Result<(), RulesError> {
    let flat = |shape, first| match shape {
        Shape::Grid { levels: 2.., .. } => Err(RulesError::Combination {
            first,
            second: "a board with levels",
            reason: "its boards are flat",
        }),
        shape => Ok::<_, RulesError>(shape),
    };
    if is_ultimate && !matches!(parts.shape, Shape::Nested { .. }) {
        let (rows, cols) = flat(parts.shape, "ultimate")?.board_size();
        parts.shape = Shape::Nested { rows, cols };
    }
    if let Some(boards) = boards {
        let (rows, cols) = flat(parts.shape, "a game on several boards")?.board_size();
        if matches!(parts.shape, Shape::Nested { .. }) {
            return Err(RulesError::SeveralBoards);
        }
        parts.shape = Shape::Boards { rows, cols, boards };
    }
    Ok(())
}

fn parse_board(text: &str) -> Result<RulesParts, ParseRulesError> {
    let malformed = || ParseRulesError::Board(excerpt(text));
    let (size, win) = match text.split_once(':') {
        Some((size, win)) => (size, Some(win)),
        None => (text, None),
    };
    let sides: Option<Vec<u8>> = size.splitn(4, 'x').map(number).collect();
    let parts = match sides.as_deref() {
        Some(&[rows, cols]) => RulesParts::grid(rows, cols),
        Some(&[rows, cols, levels]) => RulesParts::space(rows, cols, levels),
        _ => return Err(malformed()),
    };
    match win {
        None => Ok(parts),
        Some(lines) if lines.starts_with('[') => {
            let lines = parse_lines(lines).ok_or_else(|| ParseRulesError::Lines(excerpt(lines)))?;
            Ok(parts.lines(lines))
        }
        Some(k) => Ok(parts.k(number(k).ok_or_else(malformed)?)),
    }
}

fn parse_lines(text: &str) -> Option<Vec<Vec<Cell>>> {
    let lines = text.strip_prefix('[')?.strip_suffix(']')?;
    // Stops at the first surplus line or cell.
    let line = |line: &str| -> Option<Vec<Cell>> {
        let cells = line.split('-').take(MAX_CUSTOM_LINE_CELLS + 1);
        cells.map(|cell| cell.parse().ok()).collect()
    };
    lines.split(',').take(MAX_CUSTOM_LINES + 1).map(line).collect()
}

/// Sets the parameter that the word names. Returns the name of the parameter.
fn parse_variant(
    word: &str,
    parts: &mut RulesParts,
    boards: &mut Option<u8>,
) -> Result<&'static str, ParseRulesError> {
    match word {
        // The shape is set once all variants are known.
        "ultimate" => return Ok("ultimate"),
        "notakto" => {
            set_goal(parts, Goal::LastBoard)?;
            set_marks(parts, Marks::One)?;
        }
        "wild" => set_marks(parts, Marks::Any)?,
        "order" => {
            set_goal(parts, Goal::Maker)?;
            set_marks(parts, Marks::Any)?;
        }
        "misere" => set_goal(parts, Goal::Avoid)?,
        "gravity" => parts.gravity = true,
        "wrap" => parts.wrap = true,
        "exact" => parts.exact = true,
        "renju" => parts.renju = true,
        "swap" => set_opening(parts, Opening::Swap)?,
        "swap2" => set_opening(parts, Opening::Swap2)?,
        _ => {
            return parse_number(word, parts, boards)
                .ok_or_else(|| ParseRulesError::Variant(excerpt(word)));
        }
    }
    let names = [
        "notakto", "wild", "order", "misere", "gravity", "wrap", "exact", "renju", "swap", "swap2",
    ];
    Ok(names.into_iter().find(|known| *known == word).unwrap_or("variant"))
}

/// Sets the parameter with a number that the word names.
fn parse_number(
    word: &str,
    parts: &mut RulesParts,
    boards: &mut Option<u8>,
) -> Option<&'static str> {
    if let Some(marks) = word.strip_prefix("fade") {
        parts.fade = Some(number(marks).filter(|_| !marks.is_empty())?);
        return Some("fadeN");
    }
    let value = number(word.get(..word.len().checked_sub(1)?)?)?;
    match word.as_bytes().last()? {
        b'p' => {
            parts.players = value;
            Some("Np")
        }
        b's' => {
            parts.stones_per_turn = value;
            Some("Ns")
        }
        b'b' => {
            *boards = Some(value);
            Some("Nb")
        }
        _ => None,
    }
}

fn set_marks(parts: &mut RulesParts, marks: Marks) -> Result<(), RulesError> {
    if parts.marks != Marks::Own && parts.marks != marks {
        let (first, second) = ("notakto", "wild");
        let reason = "everyone places the same mark";
        return Err(RulesError::Combination { first, second, reason });
    }
    parts.marks = marks;
    Ok(())
}

fn set_opening(parts: &mut RulesParts, opening: Opening) -> Result<(), RulesError> {
    if parts.opening != Opening::Free && parts.opening != opening {
        let (first, second) = ("swap", "swap2");
        let reason = "each is an opening of its own";
        return Err(RulesError::Combination { first, second, reason });
    }
    parts.opening = opening;
    Ok(())
}

fn set_goal(parts: &mut RulesParts, goal: Goal) -> Result<(), RulesError> {
    let name = |goal: Goal| match goal {
        Goal::Line => "a line wins",
        Goal::Avoid => "misere",
        Goal::Maker => "order",
        Goal::LastBoard => "notakto",
    };
    if parts.goal != Goal::Line && parts.goal != goal {
        let (first, second) = (name(parts.goal), name(goal));
        let reason = "each says what a completed line means";
        return Err(RulesError::Combination { first, second, reason });
    }
    parts.goal = goal;
    Ok(())
}

/// Accepts digits only; the standard parser would accept a sign.
fn number(digits: &str) -> Option<u8> {
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let got = match text.parse::<Rules>() {
            Ok(rules) => rules.to_string(),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn text_form_is_canonical() {
        check("3x3", "3x3");
        check("3x3:3", "3x3");
        check("15x15:5+exact", "15x15:5+exact");
        check("6x7:4+gravity", "6x7:4+gravity");
        check("7x7:4+3p", "7x7:4+3p");
        check("7x7:4+2p", "7x7:4");
        check(" 3X3+Wrap+MISERE ", "3x3+misere+wrap");
        check("1x26:26", "1x26:26");
        check("1x1", "1x1");
        check("3x3x1", "3x3");
        check("4x4x4:4+gravity", "4x4x4+gravity");
        check("3x3+3b+notakto", "3x3+notakto+3b");
        check("3x3+notakto+1b", "3x3+notakto");
        check("3x3:[c1-a1-b2,a1-a2,A2-A1]", "3x3:[A1-A2,A1-B2-C1]");
        check("15x15:5+swap2+renju", "15x15:5+renju+swap2");
        check("qubic+gravity+swap", "4x4x4+gravity+swap");
        check("6x6:5+wild+order", "6x6:5+order");
    }

    #[test]
    fn presets_parse_and_take_variants() {
        for (name, text) in PRESETS {
            check(name, text);
        }
        for (alias, name) in PRESET_ALIASES {
            check(alias, name.parse::<Rules>().unwrap().to_string().as_str());
        }
        check("Connect-Four+3p", "6x7:4+gravity+3p");
        check("gomoku+3p", "15x15:5+3p");
        check("misere+misere", "3x3+misere");
    }

    #[test]
    fn errors_say_what_was_expected() {
        let presets = PRESETS.map(|(name, _)| name).join(", ");
        let board = |text: &str| {
            format!(
                "`{text}` is not a board: expected ROWSxCOLS or ROWSxCOLS:K such as 3x3 or \
                 15x15:5, or one of {presets}"
            )
        };
        check("", &board(""));
        check("3", &board("3"));
        check("3x", &board("3x"));
        check("+3x3", &board(""));
        check("3x3:", &board("3x3:"));
        check("3x-3", &board("3x-3"));
        check("3x999", &board("3x999"));
        check("3x3x3x3", &board("3x3x3x3"));
        check("3x3x17", "expected 1 to 16 levels or boards, got 17");
        check(
            "26x26x2",
            "1352 cells are too many: expected at most 1000 on all levels and boards together",
        );
        check(
            "6x3+ultimate",
            "a board of 6x3 boards is too large: expected at most 5x5, so that rows can be named by letters",
        );
        let lines = "expected boxes such as [A1-A2-A3,A1-B2-C3]";
        check("3x3:[", &format!("`[` is not a list of lines: {lines}"));
        check("3x3:[A1-]", &format!("`[a1-]` is not a list of lines: {lines}"));
        check("3x3:[A1-A1]", "line 1: expected 1 to 26 different cells");
        check("3x3:[A1-D1]", "line 1: D1 is not on the board");
        check(
            "5x5+fade3",
            "with 3 marks left on the board nobody can complete a line: expected 5 to 127",
        );
        check("6x6:4+renju", "renju needs five in a row, got 4");
        check(
            "3x3+swap2",
            "swap2 needs lines of at least 4 cells and room for more than its opening stones",
        );
        check("3x3+5s", "expected 1 to 4 stones a turn, got 5");
        check("3x3+wild+3p", "wild needs exactly two players, got 3");
        check(
            "6x6:5+order+misere",
            "order does not go with misere: each says what a completed line means",
        );
        check(
            "3x3+ultimate+gravity",
            "ultimate does not go with gravity: stones would fall from board to board",
        );
        check("3x3+2b", "only notakto is played on several boards");
        check("3x3+swap+swap", "`+swap` is given twice");
        check("3x3+swap+swap2", "swap does not go with swap2: each is an opening of its own");
        check("27x3", "board size 27x3 is out of range: expected 1 to 26 rows and 1 to 26 columns");
        check("0x3", "board size 0x3 is out of range: expected 1 to 26 rows and 1 to 26 columns");
        check("3x4:5", "5 in a row does not fit: expected a win length of 1 to 4 on this board");
        check("3x3:0", "0 in a row does not fit: expected a win length of 1 to 3 on this board");
        check("3x3+1p", "expected 2 to 8 players, got 1");
        check("3x3+9p", "expected 2 to 8 players, got 9");
        check("5x5+misere+3p", "misere needs exactly two players, got 3");
        let variant = format!("expected {EXPECTED}");
        check("3x3+", &format!("`+` is not a variant: {variant}"));
        check("3x3+p", &format!("`+p` is not a variant: {variant}"));
        check("3x3+gravy", &format!("`+gravy` is not a variant: {variant}"));
        check("3x3+wrap+wrap", "`+wrap` is given twice");
        check("3x3+3p+4p", "`+Np` is given twice");
        check(&"9".repeat(100_000), &board(&format!("{}…", "9".repeat(24))));
    }
}

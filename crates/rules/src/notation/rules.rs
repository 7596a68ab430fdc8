//! The text form of rules: `ROWSxCOLS[:K][+misere][+gravity][+wrap][+exact][+Np]`, or a preset.

use std::fmt;
use std::str::FromStr;

use crate::text::excerpt;
use crate::{Rules, RulesError, RulesParts};

/// The presets: name and text form.
pub const PRESETS: [(&str, &str); 5] = [
    ("classic", "3x3"),
    ("misere", "3x3+misere"),
    ("gomoku", "15x15:5"),
    ("gomoku-standard", "15x15:5+exact"),
    ("connect4", "6x7:4+gravity"),
];

/// Why a text does not parse as rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesError {
    /// The part before the first `+` is neither a board nor a preset.
    #[error(
        "`{0}` is not a board: expected ROWSxCOLS or ROWSxCOLS:K such as 3x3 or 15x15:5, or one of {presets}",
        presets = PRESETS.map(|(name, _)| name).join(", ")
    )]
    Board(String),
    /// A part after a `+` is not a variant.
    #[error("`+{0}` is not a variant: expected +misere, +gravity, +wrap, +exact or +Np (2p to 8p)")]
    Variant(String),
    /// A variant is given twice.
    #[error("`+{0}` is given twice")]
    Duplicate(String),
    /// The text is well formed, but the parameters are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RulesParts { rows, cols, players, misere, gravity, wrap, exact, .. } = self.parts();
        write!(f, "{rows}x{cols}")?;
        if self.k() != rows.min(cols) {
            write!(f, ":{}", self.k())?;
        }
        let variants = [(misere, "misere"), (gravity, "gravity"), (wrap, "wrap"), (exact, "exact")];
        for (_, name) in variants.iter().filter(|(on, _)| *on) {
            write!(f, "+{name}")?;
        }
        if players != RulesParts::default().players {
            write!(f, "+{players}p")?;
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let text = text.trim().to_ascii_lowercase();
        let mut words = text.split('+');
        let board = words.next().unwrap_or_default();
        let mut parts = match PRESETS.iter().find(|(name, _)| *name == board) {
            Some((_, text)) => text.parse::<Rules>()?.parts(),
            None => parse_board(board).ok_or_else(|| ParseRulesError::Board(excerpt(board)))?,
        };
        let mut seen = Vec::new();
        for word in words {
            let word = parse_variant(word, &mut parts)
                .ok_or_else(|| ParseRulesError::Variant(excerpt(word)))?;
            if seen.contains(&word) {
                return Err(ParseRulesError::Duplicate(word.into()));
            }
            seen.push(word);
        }
        Ok(parts.build()?)
    }
}

fn parse_board(text: &str) -> Option<RulesParts> {
    let (size, k) = match text.split_once(':') {
        Some((size, k)) => (size, Some(number(k)?)),
        None => (text, None),
    };
    let (rows, cols) = size.split_once('x')?;
    Some(RulesParts { rows: number(rows)?, cols: number(cols)?, k, ..RulesParts::default() })
}

/// Sets the parameter that the word names. Returns the name.
fn parse_variant(word: &str, parts: &mut RulesParts) -> Option<&'static str> {
    match word {
        "misere" => parts.misere = true,
        "gravity" => parts.gravity = true,
        "wrap" => parts.wrap = true,
        "exact" => parts.exact = true,
        _ => {
            parts.players = number(word.strip_suffix('p')?)?;
            return Some("Np");
        }
    }
    ["misere", "gravity", "wrap", "exact"].into_iter().find(|name| *name == word)
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
    }

    #[test]
    fn presets_parse_and_take_variants() {
        for (name, text) in PRESETS {
            check(name, text);
        }
        check("gomoku+3p", "15x15:5+3p");
        check("misere+misere", "3x3+misere");
    }

    #[test]
    fn errors_say_what_was_expected() {
        let board = |text: &str| {
            format!(
                "`{text}` is not a board: expected ROWSxCOLS or ROWSxCOLS:K such as 3x3 or 15x15:5, \
                 or one of classic, misere, gomoku, gomoku-standard, connect4"
            )
        };
        check("", &board(""));
        check("3", &board("3"));
        check("3x", &board("3x"));
        check("+3x3", &board(""));
        check("3x3:", &board("3x3:"));
        check("3x-3", &board("3x-3"));
        check("3x999", &board("3x999"));
        check("3x3x3", &board("3x3x3"));
        check("27x3", "board size 27x3 is out of range: expected 1 to 26 rows and 1 to 26 columns");
        check("0x3", "board size 0x3 is out of range: expected 1 to 26 rows and 1 to 26 columns");
        check("3x4:5", "5 in a row does not fit: expected a win length of 1 to 4 on this board");
        check("3x3:0", "0 in a row does not fit: expected a win length of 1 to 3 on this board");
        check("3x3+1p", "expected 2 to 8 players, got 1");
        check("3x3+9p", "expected 2 to 8 players, got 9");
        check("5x5+misere+3p", "misere needs exactly two players, got 3");
        let variant = "expected +misere, +gravity, +wrap, +exact or +Np (2p to 8p)";
        check("3x3+", &format!("`+` is not a variant: {variant}"));
        check("3x3+p", &format!("`+p` is not a variant: {variant}"));
        check("3x3+gravy", &format!("`+gravy` is not a variant: {variant}"));
        check("3x3+wrap+wrap", "`+wrap` is given twice");
        check("3x3+3p+4p", "`+Np` is given twice");
        check(&"9".repeat(100_000), &board(&format!("{}…", "9".repeat(24))));
    }
}

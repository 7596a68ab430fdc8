//! Symbols: the marks of the players.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::Seat;
use crate::text::is_unprintable;

/// The mark of an empty cell wherever a board is shown; not allowed as a symbol.
pub const EMPTY_MARK: &str = "_";

/// Unicode does not limit the length of a grapheme.
const MAX_BYTES: usize = 32;

const DEFAULT_SYMBOLS: [&str; 8] = ["X", "O", "△", "□", "◇", "☆", "✚", "●"];

/// Characters that Unicode calls letters or symbols but that render as nothing.
const BLANKS: [char; 5] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];

/// One visible character that marks a player's cells: a letter, a sign or an emoji.
///
/// Two symbols are equal if they look the same: they are stored in Unicode NFC, and variation
/// selectors (text or emoji style) do not count.
///
/// ```
/// use noughts_rules::Symbol;
///
/// let flag: Symbol = "🇳🇴".parse()?;
/// assert_eq!(flag.width(), 2);
/// assert!("XO".parse::<Symbol>().is_err());
/// # Ok::<(), noughts_rules::ParseSymbolError>(())
/// ```
#[derive(Clone)]
pub struct Symbol(Box<str>);

/// Why a text does not parse as a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSymbolError {
    /// The text is empty.
    #[error("expected one character, got none")]
    Empty,
    /// The text is more than one character (grapheme).
    #[error("expected exactly one character, got more")]
    NotOneCharacter,
    /// The character renders as nothing or disturbs the line it is printed on.
    #[error("expected a visible character")]
    Invisible,
    /// The character is the mark of an empty cell.
    #[error("`{EMPTY_MARK}` marks an empty cell, choose another character")]
    EmptyMark,
    /// The character takes too many bytes.
    #[error("expected a character of at most {MAX_BYTES} bytes")]
    TooLong,
}

impl Symbol {
    /// The seat's symbol unless its player chose another.
    #[must_use]
    pub fn default_for(seat: Seat) -> Symbol {
        Symbol(DEFAULT_SYMBOLS[seat.index()].into())
    }

    /// The character.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The width of the character in terminal columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.width()
    }

    /// The characters without variation selectors: what equality compares.
    fn without_selectors(&self) -> impl Iterator<Item = char> {
        self.0.chars().filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}'))
    }
}

impl FromStr for Symbol {
    type Err = ParseSymbolError;

    fn from_str(text: &str) -> Result<Symbol, ParseSymbolError> {
        // Normalising takes time linear in the length, so long texts are refused first.
        if text.len() > MAX_BYTES {
            let first = text.graphemes(true).next().map_or(0, str::len);
            let one = first == text.len();
            return Err(if one {
                ParseSymbolError::TooLong
            } else {
                ParseSymbolError::NotOneCharacter
            });
        }
        let normal: String = text.nfc().collect();
        let mut graphemes = normal.graphemes(true);
        match (graphemes.next(), graphemes.next()) {
            (None, _) => Err(ParseSymbolError::Empty),
            (Some(_), Some(_)) => Err(ParseSymbolError::NotOneCharacter),
            (Some(EMPTY_MARK), None) => Err(ParseSymbolError::EmptyMark),
            (Some(one), None) if !is_visible(one) => Err(ParseSymbolError::Invisible),
            (Some(one), None) if one.len() > MAX_BYTES => Err(ParseSymbolError::TooLong),
            (Some(one), None) => Ok(Symbol(one.into())),
        }
    }
}

fn is_visible(grapheme: &str) -> bool {
    grapheme.width() > 0
        && !grapheme.chars().all(|c| c.is_whitespace() || BLANKS.contains(&c))
        && !grapheme.chars().any(is_unprintable)
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        self.without_selectors().eq(other.without_selectors())
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.without_selectors().for_each(|c| c.hash(state));
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<usize, ParseSymbolError>) {
        let got = text.parse::<Symbol>().map(|symbol| symbol.width());
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn one_visible_grapheme_is_accepted() {
        check("X", Ok(1));
        check("é", Ok(1));
        check("e\u{301}", Ok(1));
        check("漢", Ok(2));
        check("❎", Ok(2));
        check("🇳🇴", Ok(2));
        check("👩‍🚀", Ok(2));
        check("❤\u{fe0f}", Ok(2));
    }

    #[test]
    fn anything_else_is_refused() {
        check("", Err(ParseSymbolError::Empty));
        check("XO", Err(ParseSymbolError::NotOneCharacter));
        check(&"X".repeat(100), Err(ParseSymbolError::NotOneCharacter));
        check("_", Err(ParseSymbolError::EmptyMark));
        check(&format!("a{}", "\u{301}".repeat(100)), Err(ParseSymbolError::TooLong));
        for blank in [" ", "\t", "\u{7}", "\u{1b}", "\n", "\r\n", "\u{a0}", "\u{3000}"] {
            check(blank, Err(ParseSymbolError::Invisible));
        }
        for blank in ["\u{200b}", "\u{200d}", "\u{202e}", "\u{3164}", "\u{2800}", "\u{feff}"] {
            check(blank, Err(ParseSymbolError::Invisible));
        }
    }

    #[test]
    fn equivalent_spellings_are_equal_symbols() {
        let symbol = |text: &str| text.parse::<Symbol>().unwrap();
        assert_eq!(symbol("é"), symbol("e\u{301}"));
        assert_eq!(symbol("❤"), symbol("❤\u{fe0f}"));
        assert_ne!(symbol("e"), symbol("é"));
    }

    #[test]
    fn default_symbols_are_valid_and_distinct() {
        let all: std::collections::HashSet<Symbol> =
            DEFAULT_SYMBOLS.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(all.len(), DEFAULT_SYMBOLS.len());
    }
}

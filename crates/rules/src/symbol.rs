//! What a player's cells show.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::Seat;
use crate::text::is_unprintable;

/// What marks an empty cell wherever a board is shown, and so is nobody's symbol.
pub const EMPTY_MARK: &str = "_";

/// The longest symbol in bytes. A grapheme has no length limit of its own.
const MAX_BYTES: usize = 32;

const DEFAULTS: [&str; 8] = ["X", "O", "△", "□", "◇", "☆", "✚", "●"];

/// Characters that are letters or symbols to Unicode but leave nothing on the screen.
const BLANKS: [char; 5] = ['\u{115f}', '\u{1160}', '\u{2800}', '\u{3164}', '\u{ffa0}'];

/// One visible character that marks a player's cells: a letter, a sign or an emoji.
///
/// Two symbols are equal when a person sees the same character: they are kept in Unicode NFC,
/// and the selectors that ask for a text or an emoji style do not tell two symbols apart.
///
/// ```
/// use noughts_rules::Symbol;
///
/// let flag: Symbol = "🇳🇴".parse()?;
/// assert_eq!(flag.width(), 2);
/// assert!("XO".parse::<Symbol>().is_err());
/// # Ok::<(), noughts_rules::SymbolError>(())
/// ```
#[derive(Clone)]
pub struct Symbol(Box<str>);

/// Why a text is not a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SymbolError {
    /// The text is empty.
    #[error("expected one character, got none")]
    Empty,
    /// The text is more than one character (grapheme).
    #[error("expected exactly one character, got more")]
    NotOneCharacter,
    /// The character leaves nothing on the screen, or would disturb it.
    #[error("expected a visible character, this one can't be seen")]
    Invisible,
    /// The character is the mark of an empty cell.
    #[error("`{EMPTY_MARK}` marks an empty cell, choose another character")]
    EmptyMark,
    /// The character takes too many bytes.
    #[error("expected a character of at most {MAX_BYTES} bytes, this one is longer")]
    TooLong,
}

impl Symbol {
    /// The symbol a seat has unless its player chose another.
    #[must_use]
    pub fn default_for(seat: Seat) -> Symbol {
        Symbol(DEFAULTS[seat.index()].into())
    }

    /// The character.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many columns of a terminal the character takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.0.width()
    }

    /// The characters that count when two symbols are compared.
    fn seen(&self) -> impl Iterator<Item = char> {
        self.0.chars().filter(|c| !matches!(c, '\u{fe0e}' | '\u{fe0f}'))
    }
}

impl FromStr for Symbol {
    type Err = SymbolError;

    fn from_str(text: &str) -> Result<Symbol, SymbolError> {
        // Before the text is normalised or split, which takes time in its length.
        if text.len() > MAX_BYTES {
            let first = text.graphemes(true).next().map_or(0, str::len);
            let one = first == text.len();
            return Err(if one { SymbolError::TooLong } else { SymbolError::NotOneCharacter });
        }
        let normal: String = text.nfc().collect();
        let mut graphemes = normal.graphemes(true);
        match (graphemes.next(), graphemes.next()) {
            (None, _) => Err(SymbolError::Empty),
            (Some(_), Some(_)) => Err(SymbolError::NotOneCharacter),
            (Some(EMPTY_MARK), None) => Err(SymbolError::EmptyMark),
            (Some(one), None) if !is_visible(one) => Err(SymbolError::Invisible),
            (Some(one), None) if one.len() > MAX_BYTES => Err(SymbolError::TooLong),
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
        self.seen().eq(other.seen())
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seen().for_each(|c| c.hash(state));
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

    fn check(text: &str, expected: Result<usize, SymbolError>) {
        let got = text.parse::<Symbol>().map(|symbol| symbol.width());
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn one_visible_character_of_any_make() {
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
        check("", Err(SymbolError::Empty));
        check("XO", Err(SymbolError::NotOneCharacter));
        check(&"X".repeat(100), Err(SymbolError::NotOneCharacter));
        check("_", Err(SymbolError::EmptyMark));
        check(&format!("a{}", "\u{301}".repeat(100)), Err(SymbolError::TooLong));
        for blank in [" ", "\t", "\u{7}", "\u{1b}", "\n", "\r\n", "\u{a0}", "\u{3000}"] {
            check(blank, Err(SymbolError::Invisible));
        }
        for blank in ["\u{200b}", "\u{200d}", "\u{202e}", "\u{3164}", "\u{2800}", "\u{feff}"] {
            check(blank, Err(SymbolError::Invisible));
        }
    }

    #[test]
    fn the_same_character_written_two_ways_is_one_symbol() {
        let symbol = |text: &str| text.parse::<Symbol>().unwrap();
        assert_eq!(symbol("é"), symbol("e\u{301}"));
        assert_eq!(symbol("❤"), symbol("❤\u{fe0f}"));
        assert_ne!(symbol("e"), symbol("é"));
    }

    #[test]
    fn defaults_are_symbols_and_all_different() {
        let all: std::collections::HashSet<Symbol> =
            DEFAULTS.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(all.len(), DEFAULTS.len());
    }
}

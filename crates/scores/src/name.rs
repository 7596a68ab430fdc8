//! Player names that compare without regard to case.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use crate::NameError;

/// The longest name, in bytes. Which characters a name may have is up to the rules of the game;
/// a league only bounds the memory of a player.
pub const MAX_NAME_BYTES: usize = 1024;

/// A player's name.
///
/// Names keep their spelling but compare, hash and order by canonical caseless matching (Unicode
/// 3.13, D145): normalisation and full case folding.
///
/// ```
/// use noughts_scores::Name;
///
/// let name = Name::new("Straße")?;
/// assert_eq!(name, Name::new("STRASSE")?);
/// assert_eq!(name.as_str(), "Straße");
/// # Ok::<(), noughts_scores::NameError>(())
/// ```
#[derive(Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub struct Name {
    spelling: Box<str>,
    /// The folded form, unless it equals the spelling.
    folded: Option<Box<str>>,
}

impl Name {
    /// A name of 1 to [`MAX_NAME_BYTES`] bytes.
    ///
    /// # Errors
    ///
    /// Refuses an empty text and one that is too long.
    pub fn new(text: &str) -> Result<Self, NameError> {
        match text.len() {
            0 => Err(NameError::Empty),
            bytes if bytes > MAX_NAME_BYTES => Err(NameError::TooLong { bytes }),
            _ => Ok(Self {
                spelling: text.into(),
                folded: match fold(text) {
                    Cow::Borrowed(_) => None,
                    Cow::Owned(folded) => Some(folded.into()),
                },
            }),
        }
    }

    /// The name as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.spelling
    }

    /// What all spellings of this name have in common.
    fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.spelling)
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for Name {
    type Error = NameError;

    fn try_from(text: String) -> Result<Name, NameError> {
        Name::new(&text)
    }
}

#[cfg(feature = "serde")]
impl From<Name> for String {
    fn from(name: Name) -> String {
        name.spelling.into()
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.folded() == other.folded()
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.folded().cmp(other.folded())
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().hash(state);
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.spelling, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.spelling)
    }
}

/// Folds case and normalises. Borrows a text that is its own folded form.
fn fold(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() {
        // Decomposing before folding matters for a few Greek letters with iota subscript.
        Cow::Owned(text.nfd().default_case_fold().nfc().collect())
    } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_same(left: &str, right: &str) {
        assert_eq!(Name::new(left), Name::new(right), "{left} and {right}");
    }

    #[test]
    fn spellings_of_one_name() {
        check_same("Ann", "aNN");
        check_same("\u{c9}va", "E\u{301}va");
        check_same("\u{e9}va", "E\u{301}VA");
        check_same("Straße", "STRASSE");
        check_same("Straße", "STRAẞE");
        check_same("ΟΔΥΣΣΕΥΣ", "οδυσσευς");
        check_same("ﬃ", "FFI");
        check_same("\u{212a}im", "Kim");
        check_same("\u{1f82}", "\u{3b1}\u{345}\u{313}\u{300}");
    }

    #[test]
    fn different_names_stay_different() {
        // Full case folding is the same for every language: a dotless i stays its own
        // letter, and an accent is never dropped.
        for (left, right) in [("Ann", "Anna"), ("Eva", "Éva"), ("ı", "I"), ("Ann", "Ann ")] {
            assert_ne!(Name::new(left), Name::new(right));
        }
    }

    #[test]
    fn invalid_names_are_refused() {
        assert_eq!(Name::new(""), Err(NameError::Empty));
        assert!(Name::new(&"n".repeat(MAX_NAME_BYTES)).is_ok());
        assert_eq!(
            Name::new(&"n".repeat(MAX_NAME_BYTES + 1)),
            Err(NameError::TooLong { bytes: 1025 })
        );
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded.as_ref());
        }
    }
}

//! Who is who: names, and when two of them are the same person.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use crate::NameError;

/// The longest name, in bytes. What may stand *in* a name is for the rules of the game to
/// say; a league only bounds the memory that one player can take.
pub const MAX_NAME_BYTES: usize = 1024;

/// A player's name as written.
///
/// Two names are equal when they are a canonical caseless match (Unicode 3.13, D145): the
/// same after normalisation and full case folding. So `Name`s compare as people, not as
/// texts.
///
/// ```
/// use noughts_scores::Name;
///
/// let name = Name::new("Straße")?;
/// assert_eq!(name, Name::new("STRASSE")?);
/// assert_eq!(name.as_str(), "Straße");
/// # Ok::<(), noughts_scores::NameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Name {
    spelling: Box<str>,
    /// The folded form, where it is not the spelling itself.
    folded: Option<Box<str>>,
}

impl Name {
    /// Takes any text of 1 to [`MAX_NAME_BYTES`] bytes.
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

    /// What all spellings of this person have in common.
    pub(crate) fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.spelling)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.folded() == other.folded()
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.folded().hash(state);
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.spelling)
    }
}

/// Folds a text to what all its spellings have in common. Borrows only what is its own
/// folding already.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() {
        // Decomposing before folding matters for a few Greek letters with iota subscript.
        Cow::Owned(text.nfd().default_case_fold().nfc().collect())
    } else if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a spelling folds to the given text, without building the folded form of an
/// ASCII spelling.
pub(crate) fn folds_to(spelling: &str, folded: &str) -> bool {
    if spelling.is_ascii() {
        spelling.eq_ignore_ascii_case(folded)
    } else {
        fold(spelling) == folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_same(left: &str, right: &str) {
        assert_eq!(Name::new(left), Name::new(right), "{left} and {right}");
        assert!(folds_to(left, &fold(right)), "{left} and {right}");
        assert!(folds_to(right, &fold(left)), "{left} and {right}");
    }

    #[test]
    fn spellings_of_one_person() {
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
    fn people_who_are_not_the_same() {
        // Full case folding is the same for every language: a dotless i stays its own
        // letter, and an accent is never dropped.
        for (left, right) in [("Ann", "Anna"), ("Eva", "Éva"), ("ı", "I"), ("Ann", "Ann ")] {
            assert_ne!(Name::new(left), Name::new(right));
        }
    }

    #[test]
    fn texts_that_are_not_names() {
        assert_eq!(Name::new(""), Err(NameError::Empty));
        assert!(Name::new(&"n".repeat(MAX_NAME_BYTES)).is_ok());
        assert_eq!(
            Name::new(&"n".repeat(MAX_NAME_BYTES + 1)),
            Err(NameError::TooLong { bytes: 1025 })
        );
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in any::<String>()) {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded.as_ref());
            prop_assert!(folds_to(&text, &folded));
        }
    }
}

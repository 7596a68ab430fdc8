//! What online games are called by.

use std::fmt;
use std::str::FromStr;

/// Crockford's alphabet: no letter that could be read as another or as a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

const LETTERS: usize = 26;

/// The key of an online game: 48 bits of time and 80 random bits, so that games of the same time
/// stand together in the database and nobody guesses the key of a game that is shared by link.
///
/// Keys order by time. As text they are 26 letters and digits, in which case does not matter.
///
/// ```
/// use noughts_store::GameKey;
///
/// let key = GameKey::new(1_700_000_000_000, *b"0123456789");
/// assert_eq!(key.to_string(), "01hf7yat0060rk4csm6mv3ee1s");
/// assert_eq!("01HF7YAT0060RK4CSM6MV3EE1S".parse(), Ok(key));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameKey([u8; 16]);

impl GameKey {
    /// A key for a game that is made at a time, in milliseconds since 1970. The random bits must
    /// come from a source that can't be foretold.
    #[must_use]
    pub fn new(at: i64, random: [u8; 10]) -> GameKey {
        let time = at.clamp(0, (1 << 48) - 1).to_be_bytes();
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&time[2..]);
        bytes[6..].copy_from_slice(&random);
        GameKey(bytes)
    }

    /// The key as it is stored.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// A key as it was stored.
    #[must_use]
    pub fn from_bytes(bytes: [u8; 16]) -> GameKey {
        GameKey(bytes)
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = u128::from_be_bytes(self.0);
        let letter = |place: usize| {
            let index = (bits >> (5 * (LETTERS - 1 - place))) & 31;
            char::from(ALPHABET[index as usize])
        };
        f.pad(&(0..LETTERS).map(letter).collect::<String>())
    }
}

impl fmt::Debug for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the key of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the key of a game: {LETTERS} letters and digits")]
pub struct ParseGameKeyError;

impl FromStr for GameKey {
    type Err = ParseGameKeyError;

    fn from_str(text: &str) -> Result<GameKey, ParseGameKeyError> {
        // 26 letters have 130 bits, of which the first two must be 0.
        if text.len() != LETTERS || !(b'0'..=b'7').contains(&text.as_bytes()[0]) {
            return Err(ParseGameKeyError);
        }
        let bits = text.bytes().try_fold(0u128, |bits, letter| {
            let letter = letter.to_ascii_lowercase();
            let index = ALPHABET.iter().position(|&other| other == letter)?;
            Some(bits << 5 | index as u128)
        });
        bits.map(|bits| GameKey(bits.to_be_bytes())).ok_or(ParseGameKeyError)
    }
}

/// As text, which is how keys stand in addresses.
impl serde::Serialize for GameKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for GameKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<GameKey, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_by_time_and_read_back() {
        let early = GameKey::new(1, [255; 10]);
        let late = GameKey::new(2, [0; 10]);
        assert!(early < late && early.to_string() < late.to_string());
        for key in [early, late, GameKey([255; 16]), GameKey::new(i64::MIN, [0; 10])] {
            assert_eq!(key.to_string().parse(), Ok(key));
        }
    }

    #[test]
    fn texts_that_are_not_keys() {
        let long = "0".repeat(27);
        let overflow = "8".repeat(26);
        let foreign = "é".repeat(13);
        for text in ["", "0", "01hf7yat006bvrbhc5mcsmd3il", &long, &overflow, &foreign] {
            assert_eq!(text.parse::<GameKey>(), Err(ParseGameKeyError), "{text}");
        }
    }
}

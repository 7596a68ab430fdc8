//! Identifiers of games and players.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use ulid::Ulid;
use utoipa::ToSchema;

/// Implements an id that is a ULID.
macro_rules! ulid_id {
    ($name:ident, $error:ident, $subject:literal) => {
        impl $name {
            #[doc = concat!("An id for ", $subject, " created at `unix_ms`. The random bits must come from a secure source.")]
            #[must_use]
            pub fn new(unix_ms: i64, random: [u8; 10]) -> $name {
                let time = unix_ms.clamp(0, (1 << Ulid::TIME_BITS) - 1).unsigned_abs();
                let random = random.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
                $name(Ulid::from_parts(time, random).to_bytes())
            }

            /// The id as it is stored.
            #[must_use]
            pub fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }

            /// An id as it was stored.
            #[must_use]
            pub fn from_bytes(bytes: [u8; 16]) -> $name {
                $name(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut buffer = [0; ulid::ULID_LEN];
                let text = Ulid::from_bytes(self.0).array_to_str(&mut buffer);
                text.make_ascii_lowercase();
                f.pad(text)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        #[doc = concat!("A text that is not the id of ", $subject, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
        #[error("expected the id of {}: {} letters and digits", $subject, ulid::ULID_LEN)]
        pub struct $error;

        impl FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<$name, $error> {
                let id = Ulid::from_string(text).map(|ulid| $name(ulid.to_bytes()));
                // The decoder takes look-alike letters and drops overflowing bits; an id has one spelling.
                let is_canonical = |id: &$name| id.to_string().eq_ignore_ascii_case(text);
                id.ok().filter(is_canonical).ok_or($error)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }
    };
}

/// The id of an online game: a ULID, so ids order by creation time and can't be guessed.
///
/// As text, an id has 26 letters and digits. Case does not matter when it is parsed.
///
/// ```
/// use noughts_api::GameId;
///
/// let id = GameId::new(1_700_000_000_000, *b"0123456789");
/// assert_eq!(id.to_string(), "01hf7yat0060rk4csm6mv3ee1s");
/// assert_eq!("01HF7YAT0060RK4CSM6MV3EE1S".parse(), Ok(id));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, example = "01hf7yat0060rk4csm6mv3ee1s")]
pub struct GameId([u8; 16]);

ulid_id!(GameId, ParseGameIdError, "a game");

/// The id of an online tournament, in the same form as a [`GameId`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, example = "01hf7yat0060rk4csm6mv3ee1s")]
pub struct TournamentId([u8; 16]);

ulid_id!(TournamentId, ParseTournamentIdError, "a tournament");

/// The number of an identity: a guest, an account or a computer player. Seats, results and ratings
/// belong to it, whatever its name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(transparent)]
pub struct IdentityId(pub i64);

impl fmt::Display for IdentityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_order_by_time_and_read_back() {
        let early = GameId::new(1, [255; 10]);
        let late = GameId::new(2, [0; 10]);
        assert!(early < late && early.to_string() < late.to_string());
        for id in [early, late, GameId::from_bytes([255; 16]), GameId::new(i64::MIN, [0; 10])] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "0".repeat(27);
        let overflow = "8".repeat(26);
        let foreign = "é".repeat(13);
        for text in ["", "0", "01hf7yat006bvrbhc5mcsmd3il", &long, &overflow, &foreign] {
            assert_eq!(text.parse::<GameId>(), Err(ParseGameIdError), "{text}");
        }
    }
}

//! An online game: a fold of its events.
//!
//! Nothing here knows of networks, files or the time of day. A [`Command`] of someone is decided
//! against the state of the game and the time that the caller gives, and becomes events or a
//! [`Refusal`]; the state changes by events alone. What is legal and who has won is for
//! `noughts_rules` to say; this module knows of seats and who holds them, of agreement about
//! undo, of clocks, of leaving and of rematches.

mod clock;
mod command;
mod decide;
mod event;
mod refusal;
mod setup;
mod state;
mod view;

pub use clock::{ClockRule, Clocks};
pub use command::{Actor, Command, Order};
pub use decide::Decision;
pub use event::{CommandKey, Event, Seen, StoredCell, StoredSeat, Why};
pub use refusal::{Away, Refusal};
pub use setup::{Holder, Joining, PlayerType, SeatSetup, Setup};
pub use state::{BrokenLog, Ending, OnlineGame, Phase};
pub use view::{ClockView, GameView, PlayerView, ResultView, UndoView};

use std::fmt;
use std::str::FromStr;

/// The time in milliseconds since 1970.
pub type Millis = i64;

/// Who holds a seat or a token.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct AccountId(pub i64);

/// The name of a game in addresses: 128 random bits, so that a game that is played by link can't
/// be guessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub u128);

/// Letters that nobody mixes up when reading aloud, as in Crockford's base 32.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 26;

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; LENGTH];
        for (i, letter) in text.iter_mut().rev().enumerate() {
            *letter = LETTERS[(self.0 >> (5 * i) & 31) as usize];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the id of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the id of a game: {LENGTH} letters and digits")]
pub struct GameIdError;

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<GameId, GameIdError> {
        // The first letter stands for three bits only.
        if text.len() != LENGTH || !matches!(text.as_bytes()[0], b'0'..=b'7') {
            return Err(GameIdError);
        }
        let mut id = 0;
        for byte in text.bytes() {
            let value = LETTERS.iter().position(|letter| *letter == byte).ok_or(GameIdError)?;
            id = id << 5 | value as u128;
        }
        Ok(GameId(id))
    }
}

impl serde::Serialize for GameId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for GameId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<GameId, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_and_rubbish_does_not() {
        for id in [0, 1, 31, 32, u128::MAX, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef] {
            let text = GameId(id).to_string();
            assert_eq!((text.len(), text.parse()), (26, Ok(GameId(id))));
        }
        for text in ["", "0", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000000u", "Ä"] {
            assert_eq!(text.parse::<GameId>(), Err(GameIdError), "{text}");
        }
    }
}

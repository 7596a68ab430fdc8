//! What happens in an online game, as it is stored and told.

use std::borrow::Cow;
use std::sync::Arc;

use noughts_rules::{Cell, Seat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::ToSchema;

use super::{Joining, Setup};
use noughts_store::GameId;

/// Something that happened. The names are stable: logs are read for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game was made.
    Created(Box<Setup>),
    /// Someone sat down. When nobody is missing any more, the game begins.
    Joined {
        /// Where.
        seat: StoredSeat,
        /// Who.
        #[serde(flatten)]
        who: Joining,
        /// What their cells show, if they chose it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// A seat took a cell.
    Moved {
        /// Who.
        seat: StoredSeat,
        /// Where.
        cell: StoredCell,
    },
    /// A seat asks to take back its last move and what came after it.
    UndoAsked {
        /// Who asks.
        seat: StoredSeat,
        /// How many actions would be left.
        to: u16,
    },
    /// A seat agrees to that.
    UndoAgreed {
        /// Who agrees.
        seat: StoredSeat,
    },
    /// A seat does not, and the question is settled.
    UndoRefused {
        /// Who refuses.
        seat: StoredSeat,
    },
    /// Moves were taken back.
    Undone {
        /// Who asked for it.
        seat: StoredSeat,
        /// How many actions are left.
        to: u16,
    },
    /// A seat is out of the game.
    Resigned {
        /// Who.
        seat: StoredSeat,
        /// Why.
        why: Why,
    },
    /// The game ended before it really began, and does not count.
    Aborted {
        /// Who wanted that.
        seat: StoredSeat,
    },
    /// Nobody touched the game for too long; it does not count.
    Abandoned,
    /// A player is not connected any more.
    Left {
        /// Who.
        seat: StoredSeat,
    },
    /// A player is back.
    Returned {
        /// Who.
        seat: StoredSeat,
    },
    /// A player is called something else from now on.
    Renamed {
        /// Where they sit.
        seat: StoredSeat,
        /// Who they are now.
        #[serde(flatten)]
        who: Joining,
    },
    /// The servers were down for so long, which is taken off nobody's clock.
    ClockHeld {
        /// Milliseconds.
        ms: i64,
    },
    /// A player would play again.
    RematchAsked {
        /// Who.
        seat: StoredSeat,
    },
    /// A player who would play again has gone.
    RematchWithdrawn {
        /// Who.
        seat: StoredSeat,
    },
    /// Everyone would: the next game.
    Rematch {
        /// Who agreed last.
        seat: StoredSeat,
        /// The id of the next game.
        game: GameId,
    },
}

impl Event {
    /// The stored form.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an event has no keys that are not texts")
    }
}

/// Why a seat is out of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It gave up.
    Resigned,
    /// Its time was over.
    Time,
    /// It left, and another player claimed the game.
    Left,
    /// A computer player failed.
    Forfeit,
}

/// What the sender of a command saw, and the sender's name for the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seen {
    /// The sequence number of the last event that the sender has seen.
    #[schema(value_type = i64, minimum = 0, maximum = 4_294_967_295i64)]
    pub seq: u32,
    /// Anything, but another one for each command: sent again, it gets the same answer and
    /// nothing happens twice.
    #[schema(value_type = String, min_length = 1, max_length = 64, pattern = "^[ -~]*$")]
    pub key: CommandKey,
}

/// The name that a sender gives to a command: 1 to 64 printable ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandKey(Arc<str>);

impl CommandKey {
    /// The key with this text, if it is one.
    #[must_use]
    pub fn new(text: &str) -> Option<CommandKey> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|b| (b' '..=b'~').contains(&b));
        fits.then(|| CommandKey(text.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key as the store has it.
    pub(crate) fn shared(&self) -> noughts_store::IdempotencyKey {
        noughts_store::IdempotencyKey::new(&self.0).expect("both have the same rules")
    }
}

impl Serialize for CommandKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for CommandKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandKey, D::Error> {
        let Text(text) = Text::deserialize(deserializer)?;
        CommandKey::new(&text).ok_or_else(|| {
            de::Error::custom("expected a key of 1 to 64 printable ASCII characters")
        })
    }
}

/// A text that is copied only where it has escapes.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A seat as its index, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredSeat(pub Seat);

impl Serialize for StoredSeat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0.index() as u8)
    }
}

impl<'de> Deserialize<'de> for StoredSeat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredSeat, D::Error> {
        let index = u8::deserialize(deserializer)?;
        let seat = Seat::new(index).ok_or_else(|| de::Error::custom("expected a seat, 0 to 7"))?;
        Ok(StoredSeat(seat))
    }
}

/// A cell as its box name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredCell(pub Cell);

impl Serialize for StoredCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for StoredCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StoredCell, D::Error> {
        let Text(text) = Text::deserialize(deserializer)?;
        text.parse().map(StoredCell).map_err(de::Error::custom)
    }
}

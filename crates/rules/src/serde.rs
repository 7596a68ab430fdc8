//! Serde for the values that travel: seats, marks and sub-boards as their index, what has a text form as
//! that. Cells and moves are numbers in formats that people don't read.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use ::serde::de::{self, Deserialize, Deserializer, Visitor};
use ::serde::ser::{Serialize, Serializer};

use crate::shape::MAX_ZONES;
use crate::{Cell, Game, Mark, Move, NameError, Player, Position, Rules, Seat, Symbol, Zone};

/// A player whose name is not checked yet.
#[derive(::serde::Deserialize)]
pub(crate) struct RawPlayer {
    name: String,
    symbol: Symbol,
}

impl TryFrom<RawPlayer> for Player {
    type Error = NameError;

    fn try_from(raw: RawPlayer) -> Result<Player, NameError> {
        Player::new(&raw.name, raw.symbol)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u16(self.code() as u16)
        }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        if deserializer.is_human_readable() {
            return text(deserializer, "a box such as \"B2\"");
        }
        let cell = Cell::checked_from_code(u16::deserialize(deserializer)?);
        cell.ok_or_else(|| de::Error::custom("expected the number of a cell"))
    }
}

/// A move in formats that people don't read.
#[derive(::serde::Serialize, ::serde::Deserialize)]
enum CompactMove {
    Place(Cell),
    Mark(Cell, Mark),
    Swap,
    Keep,
    More,
}

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        let compact = match *self {
            Move::Place(cell) => CompactMove::Place(cell),
            Move::Mark(cell, mark) => CompactMove::Mark(cell, mark),
            Move::Swap => CompactMove::Swap,
            Move::Keep => CompactMove::Keep,
            Move::More => CompactMove::More,
        };
        compact.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move, D::Error> {
        if deserializer.is_human_readable() {
            return text(deserializer, "a move such as \"B2\", \"B2=o\" or \"swap\"");
        }
        Ok(match CompactMove::deserialize(deserializer)? {
            CompactMove::Place(cell) => Move::Place(cell),
            CompactMove::Mark(cell, mark) => Move::Mark(cell, mark),
            CompactMove::Swap => Move::Swap,
            CompactMove::Keep => Move::Keep,
            CompactMove::More => Move::More,
        })
    }
}

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Seat::new(index).ok_or_else(|| de::Error::custom("expected a seat, 0 to 7"))
    }
}

impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Mark, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Mark::new(index).ok_or_else(|| de::Error::custom("expected a mark, 0 to 7"))
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.index() as u8)
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Zone, D::Error> {
        let index = u8::deserialize(deserializer)?;
        let zone = Some(Zone::new(index)).filter(|_| index < MAX_ZONES);
        zone.ok_or_else(|| de::Error::custom("expected a sub-board, 0 to 24"))
    }
}

/// Parses any string, borrowed or owned, without copying it.
struct TextVisitor<T> {
    expected: &'static str,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Reads a value in its text form.
fn text<'de, T, D>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(TextVisitor { expected, value: PhantomData })
}

macro_rules! as_text {
    ($($type:ty, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                text(deserializer, $expected)
            }
        }
    )*};
}

as_text! {
    Game, "a game of lines such as \"rules 3x3\"";
    Position, "a position such as \"3x3 x2/1o1/3 x\"";
    Rules, "rules such as \"3x3\"";
    Symbol, "a symbol such as \"X\"";
}

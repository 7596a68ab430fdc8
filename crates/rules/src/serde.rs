//! Serde for the values that travel: seats, marks and sub-boards as their index, everything else as
//! its text form.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use ::serde::de::{self, Deserialize, Deserializer, Visitor};
use ::serde::ser::{Serialize, Serializer};

use crate::shape::MAX_ZONES;
use crate::{Cell, Mark, Move, Position, Rules, Seat, Symbol, Zone};

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

macro_rules! as_text {
    ($($type:ty, $expected:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(TextVisitor { expected: $expected, value: PhantomData })
            }
        }
    )*};
}

as_text! {
    Cell, "a box such as \"B2\"";
    Move, "a move such as \"B2\", \"B2=o\" or \"swap\"";
    Position, "a position such as \"3x3 x2/1o1/3 x\"";
    Rules, "rules such as \"3x3\"";
    Symbol, "a symbol such as \"X\"";
}

//! Seats: places in the turn order.

use std::fmt;

/// The maximum number of players.
pub const MAX_PLAYERS: u8 = 8;

/// A player's place in the turn order, from 0; seat 0 moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first.
    pub const FIRST: Seat = Seat(0);

    /// The seat with this index, or `None` if it is [`MAX_PLAYERS`] or more.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Seat> {
        if index < MAX_PLAYERS { Some(Seat(index)) } else { None }
    }

    /// The index in the turn order, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // Never out of range; the modulo removes bounds checks where this is an index.
        (self.0 % MAX_PLAYERS) as usize
    }

    /// For indices that are known to be in range.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Seat {
        debug_assert!(index < MAX_PLAYERS);
        Seat(index)
    }
}

/// Prints the number of the player, from 1.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat({})", self.0)
    }
}

//! A player's place in the turn order.

use std::fmt;

/// The most players a game can have.
pub const MAX_PLAYERS: u8 = 8;

/// A player's place in the turn order, from 0; seat 0 moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that moves first.
    pub const FIRST: Seat = Seat(0);

    /// The seat with this index, or `None` where no game has that many players.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Seat> {
        if index < MAX_PLAYERS { Some(Seat(index)) } else { None }
    }

    /// The place in the turn order, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // Always below; saying so spares whoever indexes by it a check.
        (self.0 % MAX_PLAYERS) as usize
    }

    /// For callers that took the index from a game's own seats.
    #[inline]
    pub(crate) const fn of_game(index: u8) -> Seat {
        debug_assert!(index < MAX_PLAYERS);
        Seat(index)
    }
}

/// A seat prints as people count it, from 1.
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

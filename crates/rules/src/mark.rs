//! Marks: what stands on a cell.

use std::fmt;

use crate::seat::MAX_PLAYERS;

/// What stands on a cell. In most games each seat has a mark of its own; a swap changes who owns
/// which, and in some games the mover chooses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(u8);

impl Mark {
    /// The first mark, X: of the seat that moves first, unless the seats have swapped.
    pub const FIRST: Mark = Mark(0);

    const LETTERS: [char; MAX_PLAYERS as usize] = ['x', 'o', 'a', 'b', 'c', 'd', 'e', 'f'];

    /// The mark with this index, or `None` if it is 8 or more.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Option<Mark> {
        if index < MAX_PLAYERS { Some(Mark(index)) } else { None }
    }

    /// The index, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // Never out of range; the modulo removes bounds checks where this is an index.
        (self.0 % MAX_PLAYERS) as usize
    }

    /// The letter in text forms: `x`, `o`, `a` to `f`.
    #[must_use]
    pub fn letter(self) -> char {
        Mark::LETTERS[self.index()]
    }

    /// The mark with this letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Mark> {
        let index = Mark::LETTERS.iter().position(|l| *l == letter.to_ascii_lowercase())?;
        Mark::new(index as u8)
    }

    /// For indices that are known to be in range.
    #[inline]
    pub(crate) const fn from_index(index: u8) -> Mark {
        debug_assert!(index < MAX_PLAYERS);
        Mark(index)
    }
}

/// Prints the letter.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mark({self})")
    }
}

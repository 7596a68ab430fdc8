//! The undo stack of a position.

use crate::action::{PackedEntry, UndoEntry};
use crate::position::variant::MAX_MOVES;
use crate::{MAX_PLAYERS, Rules};

/// The undo stack. It has room for a whole game from the start, so that a push is one write.
#[derive(Clone)]
pub(super) struct History {
    entries: Box<[PackedEntry]>,
    len: usize,
}

/// Swap, keep or more happen at most twice.
const MAX_CHOICES: usize = 2;

impl History {
    /// An empty stack with room for all moves, choices and resignations of a game.
    pub(super) fn new(rules: &Rules) -> History {
        let moves = if rules.repeats() { MAX_MOVES } else { rules.cell_count() };
        let capacity = moves + MAX_CHOICES + usize::from(MAX_PLAYERS);
        History { entries: vec![PackedEntry::new(UndoEntry::default()); capacity].into(), len: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, entry: PackedEntry) {
        self.entries[self.len] = entry;
        self.len += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<PackedEntry> {
        // If the stack is empty this index wraps out of range: one check covers both.
        let last = self.len.wrapping_sub(1);
        let entry = *self.entries.get(last)?;
        self.len = last;
        Some(entry)
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn entries(
        &self,
    ) -> impl DoubleEndedIterator<Item = UndoEntry> + ExactSizeIterator + '_ {
        self.entries[..self.len].iter().map(|entry| entry.entry())
    }
}

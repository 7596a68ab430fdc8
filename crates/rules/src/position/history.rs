//! The undo stack of a position.

use crate::action::UndoEntry;
use crate::{MAX_PLAYERS, Rules};

/// The undo stack. It has room for a whole game from the start, so that a push is two writes.
#[derive(Clone)]
pub(super) struct History {
    entries: Box<[UndoEntry]>,
    len: usize,
}

impl History {
    /// An empty stack with room for a move on each cell and a resignation of each seat.
    pub(super) fn new(rules: &Rules) -> History {
        let capacity = rules.cell_count() + usize::from(MAX_PLAYERS);
        History { entries: vec![UndoEntry::default(); capacity].into(), len: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, entry: UndoEntry) {
        self.entries[self.len] = entry;
        self.len += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<UndoEntry> {
        // If the stack is empty this index wraps out of range: one check covers both.
        let last = self.len.wrapping_sub(1);
        let entry = *self.entries.get(last)?;
        self.len = last;
        Some(entry)
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn entries(&self) -> &[UndoEntry] {
        &self.entries[..self.len]
    }
}

//! The way to a position.

use crate::action::Step;
use crate::{MAX_PLAYERS, Rules};

/// What was done on the way to a position, the last at the end.
///
/// It has room from the start for all that can be done in a game, so that remembering a move is
/// two writes.
#[derive(Clone)]
pub(super) struct Trail {
    steps: Box<[Step]>,
    len: usize,
}

impl Trail {
    /// An empty trail with room for each cell to be taken and each seat to resign.
    pub(super) fn new(rules: &Rules) -> Trail {
        let room = rules.cell_count() + usize::from(MAX_PLAYERS);
        Trail { steps: vec![Step::default(); room].into(), len: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, step: Step) {
        self.steps[self.len] = step;
        self.len += 1;
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<Step> {
        // Where the trail is empty this is a place that no trail has: one check does for both.
        let last = self.len.wrapping_sub(1);
        let step = *self.steps.get(last)?;
        self.len = last;
        Some(step)
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps[..self.len]
    }
}

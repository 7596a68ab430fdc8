//! Where computer players think, each in its turn.

use std::sync::Arc;

use noughts_store::IdentityId;

use super::pool::{Busy, Pool};
use crate::limits::KeyedSemaphore;

/// How many may wait who have hardly any time left: what they think is short.
const HURRIED_QUEUE: usize = 1_000;

/// Threads on which computer players think.
pub(crate) struct Thinkers {
    pool: Pool,
    hurried: Pool,
    thoughts: Arc<KeyedSemaphore<IdentityId>>,
    /// How many thoughts of one player's games may wait or be under way, so that nobody takes the
    /// computers from all others.
    most_each: usize,
}

impl Thinkers {
    /// So many threads, and a queue so long.
    pub(crate) fn new(threads: usize, queue: usize) -> Thinkers {
        Thinkers {
            pool: Pool::new("think", threads, queue),
            hurried: Pool::new("hurry", 1, HURRIED_QUEUE),
            thoughts: Arc::default(),
            most_each: threads + 1,
        }
    }

    /// Has a computer think in a game that somebody has made.
    pub(crate) fn submit(
        &self,
        creator: IdentityId,
        thought: impl FnOnce() + Send + 'static,
    ) -> Result<(), Busy> {
        let permit = self.thoughts.try_acquire(creator, self.most_each).ok_or(Busy)?;
        self.pool.submit(move || {
            let _permit = permit;
            thought();
        })
    }

    /// The same for a short thought that can't wait.
    pub(crate) fn hurry(&self, thought: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        self.hurried.submit(thought)
    }
}

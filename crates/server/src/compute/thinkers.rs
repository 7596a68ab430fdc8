//! The thread pools on which computer players think.

use std::sync::Arc;

use noughts_store::IdentityId;

use super::pool::{Busy, Pool};
use crate::limits::KeyedSemaphore;

/// Searches that may wait although hardly any clock time is left: each of them is short.
const URGENT_QUEUE: usize = 1_000;

pub(crate) struct Thinkers {
    pool: Pool,
    urgent: Pool,
    searches: Arc<KeyedSemaphore<IdentityId>>,
    /// Searches that may wait or run for the games of one creator, so that nobody occupies all
    /// threads.
    max_per_creator: usize,
}

impl Thinkers {
    pub(crate) fn new(threads: usize, queue_length: usize) -> Thinkers {
        Thinkers {
            pool: Pool::new("think", threads, queue_length),
            urgent: Pool::new("think urgently", 1, URGENT_QUEUE),
            searches: Arc::default(),
            max_per_creator: threads + 1,
        }
    }

    /// Queues a search for a game of this creator.
    pub(crate) fn submit(
        &self,
        creator: IdentityId,
        search: impl FnOnce() + Send + 'static,
    ) -> Result<(), Busy> {
        let permit = self.searches.try_acquire(creator, self.max_per_creator).ok_or(Busy)?;
        self.pool.submit(move || {
            let _permit = permit;
            search();
        })
    }

    /// Queues a short search that can't wait, on a thread of its own.
    pub(crate) fn submit_urgent(&self, search: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        self.urgent.submit(search)
    }
}

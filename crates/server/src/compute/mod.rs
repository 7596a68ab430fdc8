//! Threads for long computations, apart from those that serve requests.

mod pool;
mod thinkers;

pub(crate) use pool::{Busy, Pool};
pub(crate) use thinkers::Thinkers;

use std::sync::Arc;

use crate::config::Config;

/// Analyses, or passwords to hash, that may wait for a thread.
const COMPUTE_QUEUE: usize = 16;

pub(crate) struct Compute {
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) analysts: Pool,
    pub(crate) hashers: Pool,
}

impl Compute {
    pub(crate) fn new(config: &Config) -> Compute {
        Compute {
            thinkers: Arc::new(Thinkers::new(config.thinkers(), config.thinkers_queue())),
            analysts: Pool::new("analyse", 1, COMPUTE_QUEUE),
            hashers: Pool::new("hash", 1, COMPUTE_QUEUE),
        }
    }
}

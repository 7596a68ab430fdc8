//! Threads for long computations, apart from those that serve requests.

mod hashers;
mod pool;
mod thinkers;

pub(crate) use hashers::Hashers;
pub(crate) use pool::{Busy, Pool};
pub(crate) use thinkers::Thinkers;

use std::sync::Arc;

use crate::config::Config;

/// Analyses that may wait for a thread.
const ANALYSIS_QUEUE: usize = 16;

/// Each needs 19 MiB while it hashes.
const MAX_HASHERS: usize = 4;

pub(crate) struct Compute {
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) analysts: Pool,
    pub(crate) hashers: Hashers,
}

impl Compute {
    pub(crate) fn new(config: &Config) -> Compute {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Compute {
            thinkers: Arc::new(Thinkers::new(config.thinkers(), config.thinkers_queue())),
            analysts: Pool::new("analyse", 1, ANALYSIS_QUEUE),
            hashers: Hashers::new((cores / 2).clamp(1, MAX_HASHERS)),
        }
    }
}

//! Leagues in memory: who stands where.

use noughts_store::Store;

/// The tables of the leagues, read again when results have come.
#[derive(Debug)]
pub(crate) struct Standings {
    _store: Store,
}

impl Standings {
    pub(crate) fn new(store: Store) -> Standings {
        Standings { _store: store }
    }

    pub(crate) fn changed(&self, _league: &str) {}
}

//! The database, and what keeps this server in step with it.

pub(crate) mod heartbeat;
pub(crate) mod server_table;

use std::sync::Arc;

use noughts_store::{IdentityId, Log, Notices, Standings, Store, StoreError, Writer};

pub(crate) struct Storage {
    pub(crate) store: Store,
    /// The event log of games: the store's own, except in tests.
    pub(crate) log: Arc<dyn Log>,
    pub(crate) writer: Writer,
    pub(crate) notices: Notices,
    pub(crate) standings: Arc<Standings>,
    /// Whether other servers may use the same database.
    pub(crate) is_shared: bool,
    /// Whether the store has the results of the log; not so in simulations.
    pub(crate) has_results: bool,
}

impl Storage {
    pub(crate) async fn new(store: Store, log: Arc<dyn Log>) -> Result<Storage, StoreError> {
        let notices = Notices::start(&store);
        Ok(Storage {
            writer: Writer::start_with_notices(log.clone(), notices.clone()),
            standings: Arc::new(Standings::load(&store).await?),
            notices,
            log,
            is_shared: store.path().is_none(),
            has_results: true,
            store,
        })
    }

    /// A player's rating in a league, if they have one.
    pub(crate) fn rating(&self, league: &str, player: IdentityId) -> Option<i64> {
        self.standings.read(league, |league| Some(league.rating(&player)?.shown)).flatten()
    }
}

//! Heartbeats of this server in the database, and the outages between the heartbeats of all servers.
//! Downtime is never charged to a clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::{Outage, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::clock;

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// Without a heartbeat of any server for this long, there was an outage.
const OUTAGE_THRESHOLD_MS: Millis = 6_000;

/// Older outages concern no running clock.
const MAX_OUTAGE_AGE_MS: Millis = 30 * 24 * 3600 * 1000;

/// The outages that may concern unfinished games.
#[derive(Debug, Default)]
pub(crate) struct Outages {
    known: Mutex<Vec<Outage>>,
    /// When the last outage ended. Most games have changed since, which is quick to check.
    last_end: AtomicI64,
    /// When this server sent its last heartbeat.
    last_heartbeat: AtomicI64,
    /// Held while sending a heartbeat.
    sending: tokio::sync::Mutex<()>,
}

impl Outages {
    /// The total length of the outages after a time.
    pub(crate) fn since(&self, at: Millis) -> Millis {
        if self.last_end.load(Ordering::Acquire) <= at {
            return 0;
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|outage| (outage.ended - outage.began.max(at)).max(0)).sum()
    }

    /// Whether this server's heartbeat is overdue, so that there may be an outage.
    pub(crate) fn outage_possible(&self, now: Millis) -> bool {
        now - self.last_heartbeat.load(Ordering::Acquire) > OUTAGE_THRESHOLD_MS
    }

    /// Finds out whether a possible outage is one.
    pub(crate) async fn confirm(&self, store: &Store) {
        let _sending = self.sending.lock().await;
        if self.outage_possible(clock::now()) {
            self.send_heartbeat(store).await;
        }
    }

    /// Registers this server, before it serves anyone.
    pub(crate) async fn begin(&self, store: &Store) -> Result<(), StoreError> {
        let now = clock::now();
        let has_other = store.register_server(now, OUTAGE_THRESHOLD_MS).await?;
        if let Some(path) = store.path().filter(|_| has_other) {
            tracing::warn!(
                ?path,
                "another server used this file a moment ago: a file is for one server"
            );
        }
        self.read_outages(store, now).await
    }

    async fn send_heartbeat(&self, store: &Store) {
        if let Err(error) = self.try_send_heartbeat(store).await {
            tracing::warn!(%error, "could not send a heartbeat");
        }
    }

    async fn try_send_heartbeat(&self, store: &Store) -> Result<(), StoreError> {
        // An outage lasts until the database answers, which may take a while.
        store.ping().await?;
        let now = clock::now();
        store.heartbeat(now, OUTAGE_THRESHOLD_MS).await?;
        self.read_outages(store, now).await
    }

    async fn read_outages(&self, store: &Store, now: Millis) -> Result<(), StoreError> {
        self.set_known(store.outages(now - MAX_OUTAGE_AGE_MS).await?);
        self.last_heartbeat.store(now, Ordering::Release);
        Ok(())
    }

    fn set_known(&self, outages: Vec<Outage>) {
        let last_end = outages.iter().map(|outage| outage.ended).max().unwrap_or_default();
        self.last_end.store(last_end, Ordering::Release);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = outages;
    }
}

/// Sends heartbeats until the server stops.
pub(crate) async fn run_heartbeat(outages: Arc<Outages>, store: Store, stop: CancellationToken) {
    let mut interval = tokio::time::interval(HEARTBEAT_INTERVAL);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            () = stop.cancelled() => break,
        }
        let _sending = outages.sending.lock().await;
        outages.send_heartbeat(&store).await;
    }
    if let Err(error) = store.stop_server(clock::now()).await {
        tracing::warn!(%error, "could not send the last heartbeat");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_count_after_a_time() {
        let outages = Outages::default();
        assert_eq!(outages.since(0), 0);
        let known = vec![Outage { began: 100, ended: 200 }, Outage { began: 500, ended: 510 }];
        outages.set_known(known);
        let since = [0, 100, 199, 300, 510].map(|at| outages.since(at));
        assert_eq!(since, [110, 110, 11, 10, 0]);
    }
}

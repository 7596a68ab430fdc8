//! Heartbeats of this server in the database, and the outages between the heartbeats of all servers.
//! Downtime is never charged to a clock.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::{Outage, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::clock::{self, ServerClock};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// Without a heartbeat of any server for this long, there was an outage.
const OUTAGE_THRESHOLD_MS: Millis = 6_000;

/// Older outages concern no running clock.
const MAX_OUTAGE_AGE_MS: Millis = 30 * 24 * 3600 * 1000;

/// The outages that may concern unfinished games, on the clock of games.
#[derive(Debug)]
pub(crate) struct Outages {
    clock: ServerClock,
    known: Mutex<Vec<Outage>>,
    /// When the last outage ended. Most games have changed since, which is quick to check.
    last_end: AtomicI64,
    /// When this server sent its last heartbeat.
    last_heartbeat: AtomicI64,
    /// Held while sending a heartbeat.
    sending: tokio::sync::Mutex<()>,
}

impl Outages {
    /// Registers this server, before it serves anyone.
    pub(crate) async fn begin(store: &Store) -> Result<Outages, StoreError> {
        let reference = store.clock().await?;
        let outages = Outages {
            clock: ServerClock::starting_at(reference.unwrap_or_else(clock::now)),
            known: Mutex::default(),
            last_end: AtomicI64::default(),
            last_heartbeat: AtomicI64::default(),
            sending: tokio::sync::Mutex::default(),
        };
        let now = outages.now();
        store.register_server(now, OUTAGE_THRESHOLD_MS).await?;
        outages.read_outages(store, now).await?;
        Ok(outages)
    }

    /// The time of games.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

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
        if self.outage_possible(self.now()) {
            self.send_heartbeat(store).await;
        }
    }

    async fn send_heartbeat(&self, store: &Store) {
        if let Err(error) = self.try_send_heartbeat(store).await {
            tracing::warn!(%error, "could not send a heartbeat");
        }
    }

    async fn try_send_heartbeat(&self, store: &Store) -> Result<(), StoreError> {
        // An outage lasts until the database answers, which may take a while.
        match store.clock().await? {
            Some(reference) => self.clock.follow(reference),
            None => store.ping().await?,
        }
        let now = self.now();
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
    if let Err(error) = store.stop_server(outages.now()).await {
        tracing::warn!(%error, "could not send the last heartbeat");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn outages_count_after_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("noughts.db")).await.unwrap();
        let outages = Outages::begin(&store).await.unwrap();
        assert_eq!(outages.since(0), 0);
        let known = vec![Outage { began: 100, ended: 200 }, Outage { began: 500, ended: 510 }];
        outages.set_known(known);
        let since = [0, 100, 199, 300, 510].map(|at| outages.since(at));
        assert_eq!(since, [110, 110, 11, 10, 0]);
    }
}

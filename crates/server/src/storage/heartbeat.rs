//! Heartbeats of this server in the database, and the outages between the heartbeats of all servers.
//! Downtime is never charged to a clock.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::{LogThrottle, Outage, StoreError};
use tokio_util::sync::CancellationToken;

use super::server_table::ServerTable;
use crate::clock::ServerClock;

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);

/// Without a heartbeat of any server for this long, there was an outage.
const OUTAGE_THRESHOLD_MS: Millis = 6_000;

/// Older outages concern no running clock.
const MAX_OUTAGE_AGE_MS: Millis = 30 * 24 * 3600 * 1000;

/// The outages that may concern unfinished games, on the clock of games.
#[derive(Debug)]
pub(crate) struct Outages {
    servers: Arc<dyn ServerTable>,
    clock: ServerClock,
    known: Mutex<Vec<Outage>>,
    /// When the last outage ended. Most games have changed since, which is quick to check.
    last_end: AtomicI64,
    /// When this server sent its last heartbeat.
    last_heartbeat: AtomicI64,
    /// Whether the clock was set back, and the database may still have heartbeats from before: they would
    /// hide outages until then, and outages would last until then.
    was_set_back: AtomicBool,
    /// Held while sending a heartbeat.
    sending: tokio::sync::Mutex<()>,
    /// Every command would send one while the database is away.
    failures: LogThrottle,
}

impl Outages {
    /// Registers this server, before it serves anyone. Games go by the database's clock, or else start
    /// from the wall clock.
    pub(crate) async fn begin(
        servers: Arc<dyn ServerTable>,
        wall_clock: Millis,
    ) -> Result<Outages, StoreError> {
        let reference = servers.clock().await?;
        let outages = Outages {
            servers,
            clock: ServerClock::starting_at(reference.unwrap_or(wall_clock)),
            known: Mutex::default(),
            last_end: AtomicI64::default(),
            last_heartbeat: AtomicI64::default(),
            was_set_back: AtomicBool::default(),
            sending: tokio::sync::Mutex::default(),
            failures: LogThrottle::new(),
        };
        let now = outages.now();
        outages.servers.register_server(now, OUTAGE_THRESHOLD_MS).await?;
        outages.read_outages(now).await?;
        Ok(outages)
    }

    /// The time of games.
    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// A time that advances like that of games, and never goes back.
    pub(crate) fn steady(&self) -> Millis {
        self.clock.steady()
    }

    /// How far the time of games was set back since this server started.
    pub(crate) fn set_back(&self) -> Millis {
        self.clock.set_back()
    }

    /// Sets the time of games back if the database's clock was.
    pub(crate) async fn check_clock(&self) {
        let _sending = self.sending.lock().await;
        match self.servers.clock().await {
            Ok(Some(reference)) if self.clock.is_ahead_of(reference) => self.send_heartbeat().await,
            _ => {}
        }
    }

    /// The total length of the outages after a time. None of them lasts longer than until now, whatever
    /// a server whose clock was wrong has recorded.
    pub(crate) fn since(&self, at: Millis) -> Millis {
        if self.last_end.load(Ordering::Acquire) <= at {
            return 0;
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.now();
        known.iter().map(|outage| (outage.ended.min(now) - outage.began.max(at)).max(0)).sum()
    }

    /// Whether this server's heartbeat is overdue, so that there may be an outage.
    pub(crate) fn outage_possible(&self, now: Millis) -> bool {
        now - self.last_heartbeat.load(Ordering::Acquire) > OUTAGE_THRESHOLD_MS
    }

    /// The same by this server's clock. That of a game may be ahead of it.
    pub(crate) fn is_outage_possible_now(&self) -> bool {
        self.outage_possible(self.now())
    }

    /// Finds out whether a possible outage is one.
    pub(crate) async fn confirm(&self) {
        let _sending = self.sending.lock().await;
        if self.is_outage_possible_now() {
            self.send_heartbeat().await;
        }
    }

    async fn send_heartbeat(&self) {
        if let Err(error) = self.try_send_heartbeat().await
            && let Some(failures) = self.failures.count()
        {
            tracing::warn!(%error, failures, "could not send a heartbeat");
        }
    }

    async fn try_send_heartbeat(&self) -> Result<(), StoreError> {
        // An outage lasts until the database answers, which may take a while.
        match self.servers.clock().await? {
            Some(reference) if self.clock.follow(reference) => {
                self.was_set_back.store(true, Ordering::Relaxed);
            }
            Some(_) => {}
            None => self.servers.ping().await?,
        }
        let now = self.now();
        if self.was_set_back.load(Ordering::Relaxed) {
            self.servers.register_server(now, OUTAGE_THRESHOLD_MS).await?;
            self.was_set_back.store(false, Ordering::Relaxed);
        } else {
            self.servers.heartbeat(now, OUTAGE_THRESHOLD_MS).await?;
        }
        self.read_outages(now).await
    }

    async fn read_outages(&self, now: Millis) -> Result<(), StoreError> {
        self.set_known(self.servers.outages(now - MAX_OUTAGE_AGE_MS).await?);
        self.last_heartbeat.store(now, Ordering::Release);
        Ok(())
    }

    /// Notes the outages, in the order in which they began. Those that overlap, because a clock was set
    /// back, become one: no time is given back twice.
    fn set_known(&self, outages: Vec<Outage>) {
        let mut known: Vec<Outage> = Vec::with_capacity(outages.len());
        for outage in outages {
            match known.last_mut() {
                Some(last) if outage.began <= last.ended => {
                    last.ended = last.ended.max(outage.ended);
                }
                _ => known.push(outage),
            }
        }
        let last_end = known.last().map(|outage| outage.ended).unwrap_or_default();
        self.last_end.store(last_end, Ordering::Release);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

/// Sends heartbeats until the server stops.
pub(crate) async fn run_heartbeat(outages: Arc<Outages>, stop: CancellationToken) {
    let mut interval = tokio::time::interval(HEARTBEAT_INTERVAL);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            _ = interval.tick() => {}
        }
        let _sending = outages.sending.lock().await;
        outages.send_heartbeat().await;
    }
    if let Err(error) = outages.servers.stop_server(outages.now()).await {
        tracing::warn!(%error, "could not send the last heartbeat");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use noughts_store::Store;
    use noughts_testing::connection_lost;

    use super::*;
    use crate::clock;
    use crate::storage::server_table::TableFuture;

    /// A table whose clock a test sets, and which can refuse to be written to.
    #[derive(Debug, Default)]
    struct TestTable {
        clock: AtomicI64,
        refuses: AtomicBool,
        registrations: AtomicUsize,
    }

    impl TestTable {
        fn write(&self) -> TableFuture<'_, ()> {
            let refuses = self.refuses.load(Ordering::Relaxed);
            Box::pin(async move { if refuses { Err(connection_lost()) } else { Ok(()) } })
        }
    }

    impl ServerTable for TestTable {
        fn clock(&self) -> TableFuture<'_, Option<Millis>> {
            Box::pin(async { Ok(Some(self.clock.load(Ordering::Relaxed))) })
        }

        fn ping(&self) -> TableFuture<'_, ()> {
            self.write()
        }

        fn register_server(&self, _at: Millis, _tolerance: Millis) -> TableFuture<'_, ()> {
            self.registrations.fetch_add(1, Ordering::Relaxed);
            self.write()
        }

        fn heartbeat(&self, _at: Millis, _tolerance: Millis) -> TableFuture<'_, ()> {
            self.write()
        }

        fn stop_server(&self, _at: Millis) -> TableFuture<'_, ()> {
            self.write()
        }

        fn outages(&self, _since: Millis) -> TableFuture<'_, Vec<Outage>> {
            Box::pin(async { Ok(Vec::new()) })
        }
    }

    #[tokio::test]
    async fn registration_after_a_wrong_clock_is_tried_until_it_succeeds() {
        let table = Arc::new(TestTable::default());
        table.clock.store(3_600_000, Ordering::Relaxed);
        let outages = Outages::begin(table.clone(), 0).await.unwrap();
        let registrations = || table.registrations.load(Ordering::Relaxed);
        assert_eq!(registrations(), 1);
        // The clock is set right, and the database goes away before it hears of that.
        table.clock.store(0, Ordering::Relaxed);
        table.refuses.store(true, Ordering::Relaxed);
        assert!(outages.try_send_heartbeat().await.is_err());
        table.refuses.store(false, Ordering::Relaxed);
        outages.try_send_heartbeat().await.unwrap();
        assert_eq!(registrations(), 3, "the second was refused");
        outages.try_send_heartbeat().await.unwrap();
        assert_eq!(registrations(), 3);
    }

    #[tokio::test]
    async fn outages_count_after_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("noughts.db")).await.unwrap();
        let outages = Outages::begin(Arc::new(store), clock::now()).await.unwrap();
        assert_eq!(outages.since(0), 0);
        let known = vec![Outage { began: 100, ended: 200 }, Outage { began: 500, ended: 510 }];
        outages.set_known(known);
        let since = [0, 100, 199, 300, 510].map(|at| outages.since(at));
        assert_eq!(since, [110, 110, 11, 10, 0]);
        let overlapping = [(100, 200), (120, 150), (190, 230), (500, 510)];
        outages.set_known(overlapping.map(|(began, ended)| Outage { began, ended }).into());
        assert_eq!([0, 140, 300].map(|at| outages.since(at)), [140, 100, 10]);
    }
}

//! The simulated database: a log in memory, and the table of servers.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use noughts_api::Millis;
use noughts_store::{AppendError, Appended, Batch, Log, Outage, StoreError};
use noughts_testing::{LogContents, MemoryLog};

use super::Bug;
use super::world::{World, lock};

/// With [`Bug::LostTail`] the disk loses what was stored this recently, in milliseconds.
const UNSYNCED_MS: Millis = 300;

#[derive(Default)]
pub(super) struct Database {
    pub(super) log: MemoryLog,
    pub(super) table: Mutex<Table>,
    pub(super) health: Mutex<Health>,
    /// The longest time that a request takes, in milliseconds.
    pub(super) max_latency: AtomicU64,
    /// The contents before the latest appends.
    unsynced: Mutex<Vec<(Millis, LogContents)>>,
}

/// Whether the database answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Health {
    #[default]
    Up,
    /// Connections are refused.
    Refusing,
    /// Nothing answers.
    Silent,
}

/// The rows that servers write about themselves, as `noughts_store` has them.
#[derive(Debug, Default)]
pub(super) struct Table {
    servers: BTreeMap<u64, Row>,
    outages: Vec<Outage>,
}

#[derive(Debug)]
struct Row {
    seen_at: Millis,
    is_stopped: bool,
}

impl Table {
    pub(super) fn register(
        &mut self,
        id: u64,
        at: Millis,
        tolerance: Millis,
        is_connected: impl Fn(u64) -> bool,
        cuts_off_future: bool,
    ) {
        let is_running = |(other, row): (&u64, &Row)| {
            !row.is_stopped && row.seen_at >= at - tolerance && *other != id && is_connected(*other)
        };
        let has_others = self.servers.iter().any(is_running);
        if cuts_off_future {
            self.servers.values_mut().for_each(|row| row.seen_at = row.seen_at.min(at));
            self.outages.retain(|outage| outage.began < at);
            self.outages.iter_mut().for_each(|outage| outage.ended = outage.ended.min(at));
        }
        self.heartbeat(id, at, if has_others { tolerance } else { 0 }, false);
    }

    pub(super) fn heartbeat(&mut self, id: u64, at: Millis, tolerance: Millis, is_stopped: bool) {
        if let Some(last) = self.servers.values().map(|row| row.seen_at).max()
            && at.saturating_sub(last) > tolerance
            && !self.outages.iter().any(|outage| outage.began == last)
        {
            self.outages.push(Outage { began: last, ended: at });
        }
        self.servers.insert(id, Row { seen_at: at, is_stopped });
    }

    pub(super) fn outages(&self, since: Millis) -> Vec<Outage> {
        let mut found: Vec<Outage> =
            self.outages.iter().filter(|outage| outage.ended > since).copied().collect();
        found.sort_unstable_by_key(|outage| outage.began);
        found
    }
}

impl Database {
    /// Stores a batch, or does what the planted bug makes of it. `is_reply_lost` tells whether the
    /// server will hear of it.
    pub(super) async fn append(
        &self,
        world: &World,
        batch: &Batch,
        is_reply_lost: bool,
    ) -> Result<Vec<Result<Appended, AppendError>>, StoreError> {
        if world.has_bug(Bug::LostTail) {
            let mut unsynced = lock(&self.unsynced);
            unsynced.retain(|(at, _)| *at + UNSYNCED_MS >= world.elapsed());
            unsynced.push((world.elapsed(), self.log.contents()));
        }
        let mut stored = Batch::default();
        for (index, append) in batch.appends().iter().enumerate() {
            let mut append = append.clone();
            match world.bug {
                Some(Bug::TornBatch) if index > 0 => continue,
                Some(Bug::NoConcurrencyCheck) => {
                    let sequences = self.log.sequences(&[append.game]).await?;
                    append.expected = sequences.get(&append.game).copied().unwrap_or(0);
                }
                Some(Bug::ForgottenKeys) if append.expected > 0 => append.key = None,
                Some(Bug::SeparateResults) if is_reply_lost => append.result = None,
                _ => {}
            }
            // Valid, because it was so in the original batch.
            let _ = stored.push(append);
        }
        let mut outcomes = self.log.append(&stored).await?;
        if world.has_bug(Bug::TornBatch) {
            for append in batch.appends().iter().skip(1) {
                let last = append.expected + append.events.len() as u64;
                let first = append.expected + 1;
                outcomes.push(Ok(Appended { first, last, repeated: false }));
            }
        }
        Ok(outcomes)
    }

    /// The power fails: what was not synchronised is lost. A correct database loses nothing that it
    /// has acknowledged.
    pub(super) fn lose_unsynced(&self) {
        let lost = std::mem::take(&mut *lock(&self.unsynced)).into_iter().next();
        if let Some((_, contents)) = lost {
            self.log.restore(contents);
        }
    }

    pub(super) fn health(&self) -> Health {
        *lock(&self.health)
    }

    pub(super) fn set_health(&self, health: Health) {
        *lock(&self.health) = health;
    }

    pub(super) fn max_latency(&self) -> u64 {
        self.max_latency.load(Ordering::Relaxed)
    }

    pub(super) fn set_max_latency(&self, ms: u64) {
        self.max_latency.store(ms, Ordering::Relaxed);
    }
}

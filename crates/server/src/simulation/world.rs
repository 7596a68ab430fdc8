//! What all parts of a simulation share: time, randomness, and what happened.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_api::{CommandRequest, GameId, IdempotencyKey, Millis, PlayerCommand};
use noughts_checker::Record;
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tokio::time::{Duration, Instant, sleep};

use super::Bug;
use super::database::Database;
use super::server::Server;

/// The time at which every simulation starts, in milliseconds since 1970.
const START: Millis = 1_700_000_000_000;

pub(super) struct World {
    random: Mutex<StdRng>,
    started: Instant,
    /// How far the database's clock is off.
    clock_offset: AtomicI64,
    trace: Mutex<Vec<String>>,
    violations: Mutex<Vec<String>>,
    /// Moves that were refused for good.
    refused: Mutex<Vec<(GameId, IdempotencyKey)>>,
    /// For how long games could be played, in milliseconds.
    available: AtomicI64,
    /// What that was when events were stored.
    stored_at: Mutex<BTreeMap<(GameId, u64), Millis>>,
    /// Faults happen until it is set.
    pub(super) is_healed: AtomicBool,
    pub(super) bug: Option<Bug>,
    pub(super) is_shared: bool,
    pub(super) record: Record,
    pub(super) database: Database,
    /// The running servers; `None` for one that is down.
    servers: Mutex<Vec<Option<Arc<Server>>>>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    pub(super) fn new(seed: u64, bug: Option<Bug>) -> Arc<World> {
        let mut random = StdRng::seed_from_u64(seed);
        let is_shared = random.random_bool(0.7);
        Arc::new(World {
            random: Mutex::new(random),
            started: Instant::now(),
            clock_offset: AtomicI64::default(),
            trace: Mutex::default(),
            violations: Mutex::default(),
            refused: Mutex::default(),
            available: AtomicI64::default(),
            stored_at: Mutex::default(),
            is_healed: AtomicBool::default(),
            bug,
            is_shared,
            record: Record::default(),
            database: Database::default(),
            servers: Mutex::new(vec![None; if is_shared { 2 } else { 1 }]),
        })
    }

    /// Milliseconds since the simulation started.
    pub(super) fn elapsed(&self) -> Millis {
        i64::try_from(self.started.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// The true time.
    pub(super) fn now(&self) -> Millis {
        START + self.elapsed()
    }

    /// What the database's clock shows.
    pub(super) fn database_clock(&self) -> Millis {
        self.now() + self.clock_offset.load(Ordering::Relaxed)
    }

    pub(super) fn set_clock_offset(&self, offset: Millis) {
        self.clock_offset.store(offset, Ordering::Relaxed);
    }

    pub(super) fn has_bug(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// A random number from 0 to `limit`.
    pub(super) fn up_to(&self, limit: u64) -> u64 {
        lock(&self.random).random_range(0..=limit)
    }

    /// Whether something happens that does so in this percentage of cases.
    pub(super) fn chance(&self, percent: u64) -> bool {
        self.up_to(99) < percent
    }

    /// The same for faults, which end when the world is healed.
    pub(super) fn fault(&self, percent: u64) -> bool {
        self.chance(percent) && !self.is_healed()
    }

    pub(super) fn is_healed(&self) -> bool {
        self.is_healed.load(Ordering::Relaxed)
    }

    pub(super) fn pick<T: Copy>(&self, choices: &[T]) -> T {
        choices[self.up_to(choices.len() as u64 - 1) as usize]
    }

    pub(super) fn random_bytes(&self) -> [u8; 10] {
        let mut bytes = [0; 10];
        lock(&self.random).fill_bytes(&mut bytes);
        bytes
    }

    /// Waits for a random time.
    pub(super) async fn delay(&self, at_most_ms: u64) {
        sleep(Duration::from_millis(self.up_to(at_most_ms))).await;
    }

    pub(super) fn note(&self, what: impl FnOnce() -> String) {
        let line = format!("{:>8} {}", self.elapsed(), what());
        lock(&self.trace).push(line);
    }

    pub(super) fn trace(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.trace))
    }

    pub(super) fn violation(&self, game: GameId, what: impl ToString) {
        lock(&self.violations).push(format!("{game}: {}", what.to_string()));
    }

    pub(super) fn violations(&self) -> Vec<String> {
        lock(&self.violations).clone()
    }

    /// Notes that a command was refused for good. Others than moves may be possible later.
    pub(super) fn refused(&self, game: GameId, request: &CommandRequest) {
        if matches!(request.command, PlayerCommand::Move { .. }) {
            lock(&self.refused).push((game, request.key.clone()));
        }
    }

    pub(super) fn refused_moves(&self) -> Vec<(GameId, IdempotencyKey)> {
        lock(&self.refused).clone()
    }

    pub(super) fn add_available(&self, ms: Millis) {
        self.available.fetch_add(ms, Ordering::Relaxed);
    }

    /// Notes that an event was stored just now.
    pub(super) fn stored(&self, game: GameId, sequence: u64) {
        let available = self.available.load(Ordering::Relaxed);
        lock(&self.stored_at).insert((game, sequence), available);
    }

    /// For how long games could be played before an event was stored, in milliseconds.
    pub(super) fn stored_at(&self, game: GameId, sequence: u64) -> Millis {
        lock(&self.stored_at).get(&(game, sequence)).copied().unwrap_or_default()
    }

    pub(super) fn server_count(&self) -> usize {
        lock(&self.servers).len()
    }

    pub(super) fn server(&self, index: usize) -> Option<Arc<Server>> {
        lock(&self.servers)[index].clone()
    }

    pub(super) fn set_server(&self, index: usize, server: Option<Arc<Server>>) {
        lock(&self.servers)[index] = server;
    }
}

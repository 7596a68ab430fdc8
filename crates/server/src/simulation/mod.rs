//! Deterministic simulation: servers, players and a database in one thread, on a virtual clock, with
//! faults chosen by a seed.
//!
//! The game tasks, the writer, sweeps, heartbeats and outages are the real ones. The database is
//! simulated ([`database`]): a log in memory, which the store's tests hold to the real ones, and the
//! table of servers. Requests to it are late, get lost, or lose their answer ([`connection`]);
//! servers crash, the database stalls, and clocks jump ([`faults`]). Tokio's clock is paused, so
//! time passes only when everybody waits, and the same seed gives the same run.
//!
//! Afterwards the fault suite's checker compares the log with what the players received, and
//! [`checks`] the clocks.
//!
//! `NOUGHTS_SEEDS` sets how many seeds are run, `NOUGHTS_SEED` picks one.

mod checks;
mod connection;
mod database;
mod faults;
mod games;
mod player;
mod server;
mod tests;
mod world;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use world::World;

/// A planted bug of the simulated database. Each must be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bug {
    /// Success is reported before anything is stored.
    EarlyAcknowledgement,
    /// A crash loses what was stored last.
    LostTail,
    /// Appends go in wherever their game is.
    NoConcurrencyCheck,
    /// Events are stored without their idempotency keys.
    ForgottenKeys,
    /// Only the first append of a batch is stored.
    TornBatch,
    /// Results are not stored in the transaction of their events.
    SeparateResults,
    /// Each server goes by its own clock, although they share the database.
    OwnClocks,
    /// A server that starts leaves heartbeats in place that lie in the future.
    FutureHeartbeats,
    /// Heartbeats that do not reach the database are reported as stored, without outages.
    SwallowedHeartbeats,
}

/// What a simulation found.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    violations: Vec<String>,
    /// The number of acknowledged commands.
    acknowledged: usize,
    /// What happened, line by line.
    trace: Vec<String>,
}

/// Runs the simulation of a seed.
fn simulate(seed: u64, bug: Option<Bug>) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    let (report, world) = runtime.block_on(async {
        let world = World::new(seed, bug);
        let availability = tokio::spawn(checks::watch_availability(world.clone()));
        faults::start_servers(&world).await;
        let playing = tokio::spawn(games::play_all(world.clone()));
        faults::inject(&world).await;
        world.is_healed.store(true, Ordering::Relaxed);
        faults::heal(&world).await;
        games::wait_for_end(&world, playing).await;
        checks::clocks_run_everywhere(&world).await;
        let violations = checks::violations(&world).await;
        availability.abort();
        // The servers have the world, too.
        (0..world.server_count()).for_each(|index| world.set_server(index, None));
        let acknowledged = world.record.moves();
        let report = Report { violations, acknowledged, trace: world.trace() };
        (report, Arc::downgrade(&world))
    });
    drop(runtime);
    // A hundred thousand simulations must not fill the memory.
    assert!(world.upgrade().is_none(), "the simulation is still in memory");
    report
}

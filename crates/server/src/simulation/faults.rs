//! What goes wrong during a simulation, and when.

use std::sync::Arc;

use noughts_api::Millis;
use tokio::time::{Duration, sleep};

use super::database::Health;
use super::server::Server;
use super::world::World;

/// The longest time in which something goes wrong now and then, in milliseconds.
const MAX_DURATION_MS: u64 = 60_000;

/// The longest pause between two faults, in milliseconds.
const MAX_PAUSE_MS: u64 = 6_000;

/// The longest time that a request to a healthy database takes, in milliseconds.
const LATENCY_MS: u64 = 6;

/// How far clocks are off, in milliseconds.
const CLOCK_OFFSETS: [Millis; 7] = [0, 0, 1_000, 30_000, -30_000, 3_600_000, -3_600_000];

/// How long everything gets to recover after the last fault.
const RECOVERY: Duration = Duration::from_secs(15);

/// How far the clock of a server that starts is off. It does not matter where the database has one.
fn clock_offset(world: &World) -> Millis {
    if world.is_healed() { 0 } else { world.pick(&CLOCK_OFFSETS) }
}

pub(super) async fn start_servers(world: &Arc<World>) {
    world.database.set_max_latency(LATENCY_MS);
    for index in 0..world.server_count() {
        Server::start(world, index, clock_offset(world)).await;
    }
}

/// Lets things go wrong for a while.
pub(super) async fn inject(world: &Arc<World>) {
    let duration = Duration::from_millis(world.up_to(MAX_DURATION_MS));
    let injecting = async {
        loop {
            world.delay(MAX_PAUSE_MS).await;
            inject_one(world).await;
        }
    };
    let _ = tokio::time::timeout(duration, injecting).await;
}

async fn inject_one(world: &Arc<World>) {
    let index = world.up_to(world.server_count() as u64 - 1) as usize;
    match world.up_to(9) {
        0 | 1 => restart(world, index, 15_000, true).await,
        2 => restart(world, index, 3_000, false).await,
        3 => stay(world, Health::Refusing, 12_000).await,
        4 => stay(world, Health::Silent, 25_000).await,
        5 => slow_down(world).await,
        6 => {
            world.note(|| "the database crashes".into());
            world.database.lose_unsynced();
            stay(world, Health::Refusing, 3_000).await;
        }
        7 => cut_power(world).await,
        8 => jump_and_refuse(world).await,
        _ => {
            let offset = world.pick(&CLOCK_OFFSETS);
            world.note(|| format!("the database's clock is off by {offset}"));
            world.set_clock_offset(offset);
        }
    }
}

/// A server stops, by a crash or on request, and starts again.
async fn restart(world: &Arc<World>, index: usize, max_downtime_ms: u64, crashes: bool) {
    let Some(server) = world.server(index) else { return };
    world.set_server(index, None);
    // Should the last fault end before the server has stopped.
    let _gone = server.crashed.clone().drop_guard();
    world.note(|| format!("server {index}: {}", if crashes { "crashes" } else { "stops" }));
    if crashes {
        server.crash();
    } else {
        server.stop().await;
    }
    world.delay(max_downtime_ms).await;
    Server::start(world, index, clock_offset(world)).await;
}

/// The database is away for a while.
async fn stay(world: &World, health: Health, max_ms: u64) {
    world.note(|| format!("the database is {health:?}"));
    world.database.set_health(health);
    world.delay(max_ms).await;
    world.database.set_health(Health::Up);
    world.note(|| "the database is back".into());
}

/// The database's clock jumps, and before servers can note that, the database refuses connections.
async fn jump_and_refuse(world: &World) {
    let offset = world.pick(&CLOCK_OFFSETS);
    world.note(|| format!("the database is slow, its clock is off by {offset}"));
    world.database.set_max_latency(2_500);
    world.set_clock_offset(offset);
    world.delay(5_000).await;
    stay(world, Health::Refusing, 8_000).await;
    world.database.set_max_latency(LATENCY_MS);
}

/// The database is slow for a while.
async fn slow_down(world: &World) {
    world.note(|| "the database is slow".into());
    world.database.set_max_latency(2_500);
    world.delay(8_000).await;
    world.database.set_max_latency(LATENCY_MS);
}

/// Everything stops at once.
async fn cut_power(world: &Arc<World>) {
    world.note(|| "the power fails".into());
    for index in 0..world.server_count() {
        if let Some(server) = world.server(index) {
            world.set_server(index, None);
            server.crash();
        }
    }
    world.database.lose_unsynced();
    world.delay(20_000).await;
    start_missing(world).await;
}

async fn start_missing(world: &Arc<World>) {
    for index in 0..world.server_count() {
        if world.server(index).is_none() {
            Server::start(world, index, clock_offset(world)).await;
        }
    }
}

/// Repairs everything. The database's clock is right again.
pub(super) async fn heal(world: &Arc<World>) {
    world.note(|| "no more faults".into());
    world.database.set_health(Health::Up);
    world.database.set_max_latency(LATENCY_MS);
    world.set_clock_offset(0);
    start_missing(world).await;
    sleep(RECOVERY).await;
}

//! Fault injection: servers and databases are killed, connections and power cut, and disks filled during play.
//!
//! Afterwards `noughts_checker` compares the log with what the players received. `NOUGHTS_FAULTS` sets
//! how often each fault is injected.

mod checker;
mod clock;
mod cluster;
mod cut;
mod full;
mod killed;
mod planted;
mod player;
mod power;
mod race;
mod server;
mod silent;

/// How often to inject a fault.
fn fault_count(default: usize) -> usize {
    std::env::var("NOUGHTS_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

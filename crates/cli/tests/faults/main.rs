//! Servers that are killed, databases that fail, connections that break, while games are played.
//!
//! Afterwards every move that was acknowledged is in the log exactly once and in order, replaying
//! the log gives the state that is served, and ratings equal a recomputation. `NOUGHTS_FAULTS`
//! says how often each fault is caused; a few times if it is missing.

mod checker;
mod cut;
mod full;
mod killed;
mod planted;
mod player;
mod race;
mod record;
mod server;
mod silent;

/// How often a fault is caused.
fn count(few: usize) -> usize {
    std::env::var("NOUGHTS_FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

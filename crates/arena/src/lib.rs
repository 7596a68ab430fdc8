//! Tournaments between computer players.

#![forbid(unsafe_code)]

mod contest;
mod elo;
mod opening;
pub mod pool;
mod records;
mod report;
mod schedule;
mod sprt;
mod tally;

pub use contest::{Contest, Entrant, PairingResult, Played};
pub use opening::NoOpening;
pub use records::Records;
pub use report::Report;
pub use schedule::Schedule;
pub use sprt::{Accepted, Hypotheses, Sprt};
pub use tally::Tally;

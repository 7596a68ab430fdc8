#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod elo;
mod game_file;
mod openings;
mod parallel;
mod report;
mod results;
mod schedule;
mod sprt;
mod tournament;

pub use game_file::GameFile;
pub use openings::NoOpening;
pub use report::{PairingReport, PlayerReport, SprtReport, TournamentReport};
pub use schedule::Schedule;
pub use sprt::{Accepted, Hypotheses, HypothesesError, Sprt};
pub use tournament::{Entrant, PairingResult, PlayedGame, Tournament};

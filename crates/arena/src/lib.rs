#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod elo;
mod entrant;
mod game_file;
mod opening_file;
mod openings;
pub mod pairing;
mod parallel;
mod played_game;
mod report;
mod results;
mod schedule;
mod sprt;
mod tournament;

pub use entrant::Entrant;
pub use game_file::GameFile;
pub use opening_file::{OpeningFileError, read_openings};
pub use openings::{NoOpening, Openings};
pub use played_game::{PairingResult, PlayedGame};
pub use report::{PairingReport, PlayerReport, SprtReport, TournamentReport};
pub use schedule::Schedule;
pub use sprt::{Accepted, Hypotheses, ParseHypothesesError, Sprt};
pub use tournament::Tournament;

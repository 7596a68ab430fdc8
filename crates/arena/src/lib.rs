#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod adjudication;
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
mod seated;
mod sprt;
mod tournament;

pub use adjudication::{Adjudicated, Adjudication, DrawRule, ParseAdjudicationError, ResignRule};
pub use entrant::{Entrant, Seating};
pub use game_file::GameFile;
pub use opening_file::{OpeningFileError, read_openings};
pub use openings::{NoOpening, Openings};
pub use played_game::{Ending, MoveStatistics, PlayedGame};
pub use report::{PairingReport, PlayerReport, SprtReport, TournamentReport};
pub use schedule::Schedule;
pub use seated::MatchClock;
pub use sprt::{Accepted, Hypotheses, ParseHypothesesError, Sprt};
pub use tournament::{Tournament, TournamentError};

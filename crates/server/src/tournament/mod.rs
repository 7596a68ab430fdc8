//! An online tournament as a fold of its events.
//!
//! Nothing here knows of networks, files or the wall clock: callers pass the time and the ids of new games.
//! Requests of players, results of games and the passing of time become [`TournamentEvent`]s or a
//! [`TournamentRefusal`]; only events change the [`Tournament`]. Pairings come from
//! [`noughts_arena::pairing`], and for an arena from a matching of least cost.

mod arena;
mod decide;
mod event;
mod pairing;
mod standings;
mod state;

pub use decide::{MAX_PLAYERS, TournamentRefusal};
pub use event::{PairedGame, TournamentEvent, TournamentSetup, WithdrawalReason};
pub use standings::RankedPlayer;
pub use state::{BrokenTournamentLog, PlayedGame, Tournament, TournamentPlayer};

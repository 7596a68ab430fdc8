//! Who is better: leagues of players with ratings, ranks and records.
//!
//! A [`League`] takes the results of games and answers who stands where. Its rating
//! [`System`] is chosen when it is made; a result can be retracted, and the league is then
//! what it would be without it.
//!
//! ```
//! use noughts_scores::{GameResult, League, Outcome, Report, ResultId, System};
//!
//! let won = |id, players| -> Result<Report, noughts_scores::ResultError> {
//!     let result = GameResult::new(players, Outcome::Won { seat: 0 })?;
//!     Ok(Report { id: ResultId(id), at: 0, result })
//! };
//! let mut league = League::new(System::Elo);
//! league.report(&won(1, ["John", "Jane"])?)?;
//! league.report(&won(2, ["Zoë", "JOHN"])?)?;
//!
//! let rows: Vec<_> = league.top(3).map(|s| (s.rank, s.name, s.rating.shown)).collect();
//! assert_eq!(rows, [(1, "Zoë", 1517), (2, "John", 1499), (3, "Jane", 1484)]);
//!
//! league.retract(ResultId(2))?;
//! assert_eq!(league.rank("john"), Some(1));
//! assert_eq!(league.rank("Zoë"), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate keeps nothing on disk, has no clock, and draws no random numbers that could be
//! seen from outside. Whoever stores the results rebuilds a league by reporting them again
//! in the order of their ids, many at a time with [`League::report_all`].
//!
//! # Where things are
//!
//! Mathematics, policy and storage are three places: `math` turns skills before a game into
//! skills after it, by way of the crate `skillratings`; `policy` decides where people
//! start, how far ratings can go and what is shown; `players`, `history` and `table` keep it
//! all. `league` joins them.

#![forbid(unsafe_code)]

mod bits;
mod entries;
mod error;
mod group;
mod history;
mod league;
mod math;
mod name;
mod players;
mod policy;
mod result;
mod skill;
mod standing;
mod system;
mod table;

pub use error::{NameError, ParseSystemError, ReportError, ResultError, RetractError};
pub use league::{Change, League};
pub use name::{MAX_NAME_BYTES, Name};
pub use result::{GameResult, MAX_PLAYERS, Outcome, Record, Report, ResultId};
pub use standing::{Memory, Neighbours, Rating, RatingPoint, Standing};
pub use system::System;

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chart;
mod database;
mod describe;
mod duration;
mod league_table;
mod players;
mod recorder;
mod score;
mod series;
mod table;

pub use database::{Database, date, now};
pub use describe::{describe_move, describe_reason, describe_result, player_label};
pub use duration::duration;
pub use league_table::{league_table, player_record};
pub use players::{computer_name, free_symbol};
pub use recorder::{Counting, Recorder, not_stored};
pub use score::Score;
pub use series::{Series, UndoRefusal, capitalised, sentence};
pub use table::Table;

#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod chart;
mod clock;
mod database;
mod describe;
mod duration;
mod game_filter;
mod gravity;
mod league_table;
mod match_detail;
mod players;
mod puzzles;
mod recorder;
mod save;
mod score;
mod series;
mod table;
mod verdict;

pub use clock::{Clock, ClockDisplay, TimeControl};
pub use database::{Database, date, now};
pub use describe::{describe_move, describe_reason, describe_result, player_label};
pub use duration::{duration, short_duration};
pub use game_filter::{GameEnd, GameFilter, game_end};
pub use gravity::{column_cell, landing_cell, read_move, takes_columns};
pub use league_table::{league_table, player_record};
pub use match_detail::{Continuation, MatchDetail};
pub use players::{computer_name, free_symbol, is_computer_name};
pub use puzzles::{
    PuzzleChoice, PuzzleFilter, PuzzleSession, describe_feedback, describe_progress,
    describe_solution, puzzle_task,
};
pub use recorder::{Counting, Recorder, not_stored};
pub use save::{read_games, save_game};
pub use score::Score;
pub use series::{Series, UndoRefusal, capitalised, sentence};
pub use table::Table;
pub use verdict::{value_words, verdict_words, winner_moves};

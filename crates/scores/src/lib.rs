#![doc = include_str!("../README.md")]

mod bit_set;
mod bucket;
mod error;
mod history;
mod league;
mod math;
mod name;
mod policy;
mod ranking;
mod result;
mod skill;
mod solo;
mod standing;
mod system;
mod weight;

pub use error::{
    NameError, ParseSystemError, ReportError, ResultError, RetractError, SegmentError,
};
pub use league::{League, LeagueLoader, PlayerUpdate, Segment};
pub use name::{MAX_NAME_BYTES, Name};
pub use result::{GameResult, MAX_PLAYERS, Outcome, Record, Report, ResultId};
pub use solo::SoloRating;
pub use standing::{MemoryUsage, Neighbours, Rating, RatingChange, RatingPoint, Standing};
pub use system::System;
pub use weight::{Weight, weights};

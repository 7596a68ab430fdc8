#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod check;
mod record;

pub use check::{Check, CountedResult, serving_violation};
pub use record::{Acknowledged, GameRecord, Record};

#![doc = include_str!("../README.md")]

mod board;
mod budget;
mod geometry;
mod keys;
mod solve;
mod strategy;
mod tally;
mod verdict;

pub use budget::{Budget, OutOfBudget};
pub use solve::{Solution, SolveError, solve};
pub use strategy::{Choice, Strategy, StrategyError};
pub use verdict::{Value, Verdict};

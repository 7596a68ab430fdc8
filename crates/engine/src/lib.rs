#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod analysis;
mod board;
mod budget;
mod conduct;
mod geometry;
pub mod gomocup;
mod keys;
mod players;
mod search;
mod sight;
mod solve;
mod strategy;
mod tally;
mod threats;
mod verdict;

pub use analysis::{Analysis, CellVerdict, LosingMove, LosingMoveError, analyse, losing_move};
pub use budget::{Budget, OutOfBudget};
pub use conduct::{
    Audience, Computer, Decision, Ending, Forfeit, ForfeitReason, Host, carry_out, conduct, undo,
};
pub use players::{Easy, Hard, Medium, Perfect, PlayerKind, PlayerKindError, Random};
pub use solve::{Solution, SolveError, solve};
pub use strategy::{Choice, Strategy, StrategyError};
pub use verdict::{Value, Verdict};

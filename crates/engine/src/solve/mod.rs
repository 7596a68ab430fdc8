//! Exact solving: the value of a position with perfect play, proven.

mod attack;
mod candidates;
mod pairing;
mod prover;
mod table;
mod tiny;

use noughts_rules::{Cell, Position};

pub(crate) use prover::Prover;

use crate::{Budget, Value};
use tiny::Tiny;

/// Boards with more cells are rarely solved.
pub(crate) const SOLVABLE_CELLS: usize = 64;

/// What solving a position found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The value for the seat to move; `None` if the budget ran out before it was proven.
    pub value: Option<Value>,
    /// Best play from the position on, as far as the budget reached: the fastest win against
    /// the longest resistance.
    pub line: Vec<Cell>,
    /// How many positions were visited.
    pub nodes: u64,
}

/// Why a position can't be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// There is nothing to solve.
    #[error("the game is over")]
    GameOver,
    /// What is best for one of many depends on how the others choose among equals.
    #[error("{seats} seats are still playing: only positions with two can be solved")]
    ManySeats {
        /// How many have not resigned.
        seats: usize,
    },
}

/// Solves a position in which two seats are left.
///
/// ```
/// use noughts_engine::{Budget, Value, solve};
/// use noughts_rules::{Position, Rules};
///
/// let position = Position::new(&"3x4:3".parse::<Rules>()?);
/// let solution = solve(&position, &Budget::unlimited())?;
/// assert!(matches!(solution.value, Some(Value::Win { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(position: &Position, budget: &Budget) -> Result<Solution, SolveError> {
    let rules = position.rules();
    let goes_on = position.outcome().is_none();
    if goes_on && rules.players() == 2 && rules.cell_count() <= tiny::MOST_CELLS {
        return Ok(Tiny::new(position, budget).solve());
    }
    let mut prover = Prover::new(position, budget)?;
    let value = prover.value().ok();
    let line = match value {
        Some(value) => prover.line(value),
        None => Vec::new(),
    };
    Ok(Solution { value, line, nodes: prover.nodes() })
}

//! Exact solving: the value of a position with perfect play, proven.

mod attack;
mod candidates;
mod pairing;
mod proof_table;
mod prover;
mod small;

use noughts_rules::{Move, Position};

pub(crate) use prover::Prover;

use crate::{Budget, Value};
use small::SmallSolver;

/// Boards with more cells are rarely solved.
pub(crate) const MAX_SOLVABLE_CELLS: usize = 64;

/// The result of solving a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<M = Move> {
    /// The value for the seat to move; `None` if the budget ran out first.
    pub value: Option<Value>,
    /// The principal variation as far as the budget reached: the fastest win against the longest
    /// resistance.
    pub pv: Vec<M>,
    /// Positions visited.
    pub nodes: u64,
}

/// Why a position can't be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The position has no legal move.
    #[error("the game is over")]
    GameOver,
    /// With three seats or more, a value depends on how the others choose among equal moves.
    #[error("{seats} seats are still playing: only positions with two can be solved")]
    ManySeats {
        /// Seats that have not resigned.
        seats: usize,
    },
}

/// Solves a position with two seats left.
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
    let ongoing = position.outcome().is_none();
    if ongoing && SmallSolver::supports(position) {
        return Ok(SmallSolver::new(position, budget).solve());
    }
    let mut prover = Prover::new(position, budget)?;
    let value = prover.value().ok();
    let pv = value.map_or_else(Vec::new, |value| prover.pv(value));
    let pv = pv.into_iter().map(Move::from).collect();
    Ok(Solution { value, pv, nodes: prover.nodes() })
}

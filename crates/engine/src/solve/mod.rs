//! Exact solving: the value of a position with perfect play, proven.

mod attack;
mod candidates;
mod gravity;
mod pairing;
mod proof_search;
mod proof_table;
mod prover;
mod small;

use std::time::Instant;

use noughts_rules::{Move, Position};

pub use gravity::Connect4BookBuilder;
pub(crate) use prover::Prover;

use crate::method::Method;
use crate::opening::solve_opening;
use crate::search::{Search, SearchLimits};
use crate::{Budget, Value, solve_game};
use small::SmallSolver;

/// Boards with more cells are rarely solved.
pub(crate) const MAX_SOLVABLE_CELLS: usize = 64;

/// The result of solving a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[non_exhaustive]
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

/// Renju is solved by forced wins alone while more cells than this are empty.
const MAX_EMPTY_RENJU_CELLS: usize = 16;

/// Solves a position of any game with two seats left.
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
    if position.outcome().is_some() {
        return Err(SolveError::GameOver);
    }
    let seats = position.rules().seats().filter(|&seat| !position.has_resigned(seat)).count();
    if seats != 2 {
        return Err(SolveError::ManySeats { seats });
    }
    match Method::of(position) {
        Method::Opening => Ok(solve_opening(position, budget)),
        Method::Lines if SmallSolver::supports(position) => {
            Ok(SmallSolver::new(position, budget).solve())
        }
        Method::Lines if Prover::supports(position) => solve_lines(position, budget),
        Method::Renju => solve_renju(position, budget),
        Method::Lines | Method::AnyGame => solve_game(position, budget),
    }
}

fn solve_lines(position: &Position, budget: &Budget) -> Result<Solution, SolveError> {
    let mut prover = Prover::new(position, budget)?;
    let value = prover.value().ok();
    let pv = value.map_or_else(Vec::new, |value| prover.pv(value));
    let pv = pv.into_iter().map(Move::from).collect();
    Ok(Solution { value, pv, nodes: prover.nodes() })
}

/// By a forced win, or else by search if few cells are left.
fn solve_renju(position: &Position, budget: &Budget) -> Result<Solution, SolveError> {
    let start = Instant::now();
    let mut search = Search::new(position, budget, SearchLimits::FULL);
    if let Some(win) = search.forced_win() {
        let cells = search.principal_variation(win).into_iter();
        let pv = cells.filter_map(|index| position.rules().cell_at(index).map(Move::Place));
        let (pv, nodes) = (pv.collect(), search.nodes());
        return Ok(Solution { value: win.verdict.proven(), pv, nodes });
    }
    let nodes = search.nodes();
    if position.rules().cell_count() - position.stone_count() > MAX_EMPTY_RENJU_CELLS {
        return Ok(Solution { value: None, pv: Vec::new(), nodes });
    }
    let solution = solve_game(position, &budget.remaining(start, nodes))?;
    Ok(Solution { nodes: nodes + solution.nodes, ..solution })
}

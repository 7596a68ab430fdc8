//! Searches for any game that implements [`State`](noughts_rules::State).

mod evaluate;
mod graph;
mod line_tallies;
mod mcts;
mod move_order;
mod position_evaluation;
mod search;
mod solver;
mod ultimate;

mod alpha_beta;

pub use alpha_beta::{AlphaBeta, SearchResult};
pub use evaluate::{Evaluate, NoKnowledge};
pub use mcts::{Mcts, MctsMove, MctsResult};
pub use position_evaluation::{PositionAlphaBeta, PositionEvaluation};
pub use solver::{GameSolver, solve_game};

use noughts_rules::{Outcome, Seat};

use crate::Value;

/// The value of a finished game for a seat, `plies` moves before its end.
fn value_of_outcome(outcome: Outcome, seat: Seat, plies: u16) -> Value {
    match outcome {
        Outcome::Draw => Value::Draw,
        Outcome::Win(winner) if winner == seat => Value::Win { plies },
        Outcome::Win(_) => Value::Loss { plies },
    }
}

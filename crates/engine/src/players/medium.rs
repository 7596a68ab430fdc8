//! Knows the tactics but does not search.

use noughts_rules::{Move, Position};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::board::Board;
use crate::generic::{Evaluate, PositionEvaluation};
use crate::method::Method;
use crate::search::SearchLimits;
use crate::tactics::{Tactics, opening_move};
use crate::threats::{forks, threats_apply, urgency};
use crate::{Budget, Choice, Strategy, StrategyError, opening};

/// Takes wins, blocks lines, prefers cells on promising lines, and sees some forks.
#[derive(Debug)]
pub struct Medium {
    rng: SmallRng,
}

const FORK_SEEN_PROBABILITY: f64 = 0.4;

/// Evaluations count up to this.
const MAX_WEIGHED_SCORE: f64 = 2_000.0;

/// Opening choices are searched this far.
const MAX_OPENING_NODES: u64 = 2_000;
const SHALLOW: SearchLimits = SearchLimits { max_depth: 2, root_width: 24, width: 12 };

impl Medium {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Medium {
        Medium { rng: SmallRng::seed_from_u64(seed) }
    }

    /// The moves to choose from.
    fn candidates(&mut self, tactics: Tactics, board: Option<&Board>) -> Vec<Move> {
        let Tactics { sound, wins, blocks, safe } = tactics;
        for moves in [wins, blocks] {
            if !moves.is_empty() {
                return moves;
            }
        }
        if let Some(board) = board.filter(|board| threats_apply(board))
            && self.rng.random_bool(FORK_SEEN_PROBABILITY)
        {
            if let Some(fork) = forks(board, board.turn()).next() {
                return vec![board.cell(fork.cell).into()];
            }
            let threats: Vec<_> = forks(board, board.opponent()).collect();
            let meets_all = |mv: &Move| {
                let cell = mv.cell().map(|cell| board.tables().index(cell));
                threats.iter().all(|fork| cell.is_some_and(|cell| fork.is_met_by(cell)))
            };
            let answers: Vec<Move> = sound.into_iter().filter(meets_all).collect();
            if !answers.is_empty() {
                return answers;
            }
        }
        safe
    }
}

/// The weights of moves by the lines through their cells. Squared, so that the many unimportant cells
/// of a large board do not outweigh the few important ones.
fn weights_by_lines(board: &Board, moves: &[Move]) -> Vec<f64> {
    let weight = |mv: &Move| {
        let Some(cell) = mv.cell() else { return 1.0 };
        let urgency = f64::from(urgency(board, board.tables().index(cell)));
        let weight = (urgency + 1.0).powi(2);
        if board.tables().misere { weight.recip() } else { weight }
    };
    moves.iter().map(weight).collect()
}

/// The weights of moves by the evaluation of the positions after them: 100 points double the weight.
fn weights_by_evaluation(position: &Position, moves: &[Move]) -> Vec<f64> {
    let evaluation = PositionEvaluation::new(position.rules());
    let weight = |&mv: &Move| {
        let mut after = position.clone();
        match after.play(mv) {
            Ok(None) => {
                let score = f64::from(evaluation.evaluate(&after));
                let score = if after.turn() == position.turn() { score } else { -score };
                (score.clamp(-MAX_WEIGHED_SCORE, MAX_WEIGHED_SCORE) / 100.0).exp2()
            }
            _ => 1.0,
        }
    };
    moves.iter().map(weight).collect()
}

impl Strategy for Medium {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        let tactics = Tactics::new(position)?;
        if Method::of(position) == Method::Opening {
            let budget = budget.clone().with_nodes(MAX_OPENING_NODES);
            return opening::choose(position, &budget, SHALLOW, self.rng.random());
        }
        let board = Board::counting(position);
        if let Some(board) = &board
            && let Some(cell) = opening_move(board)
        {
            return Ok(Choice::without_verdict(board.cell(cell)));
        }
        let exact = board.as_ref().filter(|_| Method::of(position) == Method::Lines);
        let moves = self.candidates(tactics, exact);
        let weights = match &board {
            Some(board) => weights_by_lines(board, &moves),
            None => weights_by_evaluation(position, &moves),
        };
        let moves: Vec<(Move, f64)> = moves.into_iter().zip(weights).collect();
        let mv = moves.choose_weighted(&mut self.rng, |&(_, weight)| weight);
        mv.map(|&(mv, _)| Choice::without_verdict(mv)).map_err(|_| StrategyError::GameOver)
    }
}

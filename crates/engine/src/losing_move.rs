//! The move that lost a game.

use std::time::Instant;

use noughts_rules::{Action, Move, Outcome, Position, Seat};

use crate::best_line::{DEFAULT_NODES, search_best_line};
use crate::search::SearchLimits;
use crate::solve::Prover;
use crate::{Budget, OutOfBudget, SolveError, Value, Verdict, solve};

/// The move that lost a game between two seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LosingMove {
    /// The number of actions before it.
    pub ply: usize,
    /// The seat that made it and lost.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
    /// The value that the seat gave away. An estimate means that a search saw no loss before the
    /// move, without a proof.
    pub missed: Verdict,
    /// A move that would have kept that value.
    pub better: Move,
}

/// Why the losing move is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LosingMoveError {
    /// The game is still on.
    #[error("the game is not over")]
    NotOver,
    /// The game can't be solved.
    #[error(transparent)]
    Unsolvable(#[from] SolveError),
    /// The search was stopped, or the budget did not even allow an estimate.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// The share of the budget for proving losses; estimates take the rest.
const PROOF_SHARE: f64 = 0.6;
/// The seed of random play in estimates, which are the same every time.
const SEED: u64 = 1;
/// The node limit of a search for a proof, in games that are rarely solved, if the budget is unlimited.
const MAX_PROOF_NODES: u64 = 2_000_000;
/// The share of the remaining budget for the estimate of one position.
const ESTIMATE_SHARE: f64 = 0.5;

/// The last move of the loser before which the game was not lost. `None` if the game is a draw, was
/// lost from the start of its history, or was resigned before it was lost.
///
/// Where proofs are out of reach, it is the last move before which a search sees no loss.
///
/// ```
/// use noughts_engine::{Budget, Value, Verdict, losing_move};
/// use noughts_rules::{Cell, Position, Rules};
///
/// let mut game = Position::new(&Rules::classic());
/// for cell in ["A1", "A2", "B2", "C3", "B1", "B3", "C1"] {
///     game.play(cell.parse::<Cell>()?)?;
/// }
/// let lost = losing_move(&game, &Budget::unlimited())?.expect("O could have drawn");
/// assert_eq!((lost.ply, lost.mv.to_string()), (1, "A2".to_owned()));
/// assert_eq!(lost.missed, Verdict::Proven(Value::Draw));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn losing_move(
    game: &Position,
    budget: &Budget,
) -> Result<Option<LosingMove>, LosingMoveError> {
    let winner = match game.outcome() {
        None => return Err(LosingMoveError::NotOver),
        Some(Outcome::Draw) => return Ok(None),
        Some(Outcome::Win(seat)) => seat,
    };
    let mut position = game.clone();
    let mut evaluator = Evaluator { budget, start: Instant::now(), nodes: 0, can_prove: true };
    // From the end, because late positions are easier to prove.
    while let Ok(action) = position.undo() {
        if action.seat() == winner {
            continue;
        }
        let Evaluation { verdict, best } = evaluator.evaluate(&position)?;
        let is_lost = match verdict.proven().or(verdict.estimated_value()) {
            Some(Value::Loss { .. }) => position.turn() != Some(winner),
            Some(Value::Win { .. }) => position.turn() == Some(winner),
            Some(Value::Draw) | None => false,
        };
        if is_lost {
            continue;
        }
        // The game was resigned before it was lost.
        let Action::Move { seat, mv } = action else { return Ok(None) };
        let ply = position.history().len();
        return Ok(Some(LosingMove { ply, seat, mv, missed: verdict, better: best }));
    }
    Ok(None)
}

/// The verdict on a position for the seat to move, and a move that keeps it.
struct Evaluation {
    verdict: Verdict,
    best: Move,
}

/// Evaluates the positions of a game from the end: by proof, and by search after a proof failed.
struct Evaluator<'a> {
    budget: &'a Budget,
    start: Instant,
    nodes: u64,
    can_prove: bool,
}

impl Evaluator<'_> {
    fn evaluate(&mut self, position: &Position) -> Result<Evaluation, LosingMoveError> {
        if self.can_prove {
            if let Some(proven) = self.prove(position)? {
                return Ok(proven);
            }
            // Earlier positions are harder.
            self.can_prove = false;
        }
        if self.budget.is_stopped() {
            return Err(OutOfBudget.into());
        }
        self.estimate(position)
    }

    /// `None` if the budget for proofs runs out. Each proof may use all that is left.
    fn prove(&mut self, position: &Position) -> Result<Option<Evaluation>, SolveError> {
        let budget = self.budget.share(PROOF_SHARE).remaining(self.start, self.nodes);
        if !Prover::supports(position) {
            let solution = solve(position, &budget.or_nodes(MAX_PROOF_NODES))?;
            self.nodes += solution.nodes;
            let proven = solution.value.zip(solution.pv.first());
            return Ok(
                proven.map(|(value, &best)| Evaluation { verdict: Verdict::Proven(value), best })
            );
        }
        // The first move is enough, and the whole variation would take longer.
        let mut prover = Prover::new(position, &budget)?;
        let proven = prover.value().ok().and_then(|value| {
            let best = Move::from(*prover.pv(value).first()?);
            Some(Evaluation { verdict: Verdict::Proven(value), best })
        });
        self.nodes += prover.nodes();
        Ok(proven)
    }

    fn estimate(&mut self, position: &Position) -> Result<Evaluation, LosingMoveError> {
        let budget = self.budget.remaining(self.start, self.nodes);
        let budget = budget.or_nodes(DEFAULT_NODES).share(ESTIMATE_SHARE);
        let line = search_best_line(position, &budget, SearchLimits::FULL, SEED);
        let line = line.map_err(|_| OutOfBudget)?;
        self.nodes += line.nodes;
        Ok(Evaluation { verdict: line.verdict, best: line.mv })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noughts_rules::Rules;

    #[test]
    fn budget_covers_the_whole_game() {
        let mut game = Position::new(&"3x3".parse::<Rules>().unwrap());
        let mut needed = Vec::new();
        for cell in ["A1", "B2", "C3", "A3", "C1", "B1", "C2"] {
            if game.turn() == Seat::new(1) && game.stone_count() > 1 {
                let mut prover = Prover::new(&game, &Budget::unlimited()).unwrap();
                prover.value().unwrap();
                needed.push(prover.nodes());
            }
            game.play(cell.parse::<Move>().unwrap()).unwrap();
        }
        assert_eq!(needed.len(), 2);
        let budget = |nodes| Budget::unlimited().with_nodes(nodes);
        let all: u64 = needed.iter().sum();
        let missed = |nodes: u64| {
            let shared = (nodes as f64 / PROOF_SHARE).ceil() as u64;
            losing_move(&game, &budget(shared)).unwrap().unwrap().missed
        };
        assert!(matches!(missed(all - 2), Verdict::Estimate(_)));
        assert!(matches!(missed(2 * all), Verdict::Proven(_)));
    }
}

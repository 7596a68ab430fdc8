//! Analysis by the searches for any game.

use std::time::Instant;

use noughts_rules::{Move, Position};

use super::{Analysis, MoveVerdict, SEED, rank};
use crate::best_line::{BestLine, DEFAULT_NODES, graph_solver, search_best_line};
use crate::generic::{AlphaBeta, Mcts, PositionEvaluation};
use crate::search::SearchLimits;
use crate::{Budget, StrategyError, Verdict};

/// The share of the budget for retrograde analysis, then for a verdict on each move; the best move
/// gets the rest.
const GRAPH_SHARE: f64 = 0.6;
const EACH_MOVE_SHARE: f64 = 0.5;

pub(super) fn analyse(position: &Position, budget: &Budget) -> Result<Analysis, StrategyError> {
    let start = Instant::now();
    let budget = budget.clone().or_nodes(DEFAULT_NODES);
    let mut nodes = 0;
    let legal: Vec<Move> = position.legal_moves().collect();
    if let Some(mut solver) = graph_solver(position, &budget.share(GRAPH_SHARE)) {
        let values = legal.iter().map(|&mv| Some((mv, solver.value_of(mv).ok()?)));
        let values: Option<Vec<_>> = values.collect();
        nodes += solver.nodes();
        let pv = solver.pv();
        if let (Some(values), Some(&best)) = (values, pv.first()) {
            let verdict = |(mv, value)| MoveVerdict { mv, verdict: Verdict::Proven(value) };
            let moves = values.into_iter().map(verdict).collect();
            return Ok(Analysis { moves, best, pv, nodes });
        }
    }
    let share = budget.remaining(start, nodes).share(EACH_MOVE_SHARE);
    let (mut moves, judged) = judge_moves(position, &share)?;
    nodes += judged;
    let is_settled = moves.iter().all(|at| at.verdict.proven().is_some());
    let left = budget.remaining(start, nodes);
    let line = search_best_line(position, &left, SearchLimits::FULL, SEED)?;
    nodes += line.nodes;
    // A proof stands, whatever a search with less time for the move has found.
    if let Some(at) = moves.iter_mut().find(|at| at.mv == line.mv)
        && at.verdict.proven().is_none()
    {
        at.verdict = line.verdict;
    }
    let highest = moves.iter().max_by_key(|at| rank(at.verdict)).copied();
    let highest = highest.ok_or(StrategyError::GameOver)?;
    let of_line = moves.iter().find(|at| at.mv == line.mv).map(|at| at.verdict);
    let is_best = of_line.map(rank) == Some(rank(highest.verdict));
    let is_won = highest.verdict.proven().is_some_and(|value| value > crate::Value::Draw);
    let is_lost = of_line.and_then(Verdict::proven).is_some_and(|value| value < crate::Value::Draw);
    let BestLine { mv, pv, .. } = line;
    if is_best || (!is_settled && !is_won && !is_lost) {
        return Ok(Analysis { moves, best: mv, pv, nodes });
    }
    Ok(Analysis { moves, best: highest.mv, pv: vec![highest.mv], nodes })
}

/// A verdict on every legal move, and the nodes searched: by alpha-beta for two seats, and by MCTS for
/// more, or if nothing is known about positions.
fn judge_moves(
    position: &Position,
    budget: &Budget,
) -> Result<(Vec<MoveVerdict>, u64), StrategyError> {
    let start = Instant::now();
    let evaluation = PositionEvaluation::new(position.rules());
    let two_seats = position.rules().players() == 2;
    let is_blind = evaluation.is_blind();
    let share = if is_blind { budget.share(0.5) } else { budget.clone() };
    let (proofs, nodes) = match two_seats {
        true => AlphaBeta::new(evaluation).judge_moves(position, &share)?,
        false => (Vec::new(), 0),
    };
    if two_seats && (!is_blind || proofs.iter().all(|at| at.verdict.proven().is_some())) {
        return Ok((proofs, nodes));
    }
    let found = Mcts::new(SEED).search(position, &budget.remaining(start, nodes))?;
    let estimates = found.moves.iter().map(|at| MoveVerdict { mv: at.mv, verdict: at.verdict });
    let moves = estimates.enumerate().map(|(i, estimate)| match proofs.get(i) {
        Some(at) if at.verdict.proven().is_some() => *at,
        _ => estimate,
    });
    Ok((moves.collect(), nodes + found.playouts))
}

//! The best move of a position by search, whatever the game.

use std::time::Instant;

use noughts_rules::{Move, Position};

use crate::board::Board;
use crate::generic::{AlphaBeta, GameSolver, Mcts, PositionEvaluation};
use crate::method::Method;
use crate::search::{ScoredMove, Search, SearchLimits};
use crate::tactics::opening_move;
use crate::{Budget, StrategyError, Verdict, opening};

/// The result of a search for the best move.
#[derive(Debug, Clone)]
pub(crate) struct BestLine {
    /// The best move.
    pub(crate) mv: Move,
    /// Its value for the seat to move.
    pub(crate) verdict: Verdict,
    /// The principal variation, starting with the best move.
    pub(crate) pv: Vec<Move>,
    pub(crate) nodes: u64,
    /// The depth in plies that a search reached on all moves; 0 without such a search.
    pub(crate) depth: u32,
}

impl BestLine {
    /// A move that was played without a search.
    pub(crate) fn without_search(mv: Move) -> BestLine {
        BestLine { mv, verdict: Verdict::Estimate(0), pv: vec![mv], nodes: 0, depth: 0 }
    }
}

/// The node limit of a search if the budget is unlimited.
pub(crate) const DEFAULT_NODES: u64 = 200_000;

/// The share of the budget for retrograde analysis, and for alpha-beta before MCTS.
const GRAPH_SHARE: f64 = 0.6;
const ALPHA_BETA_SHARE: f64 = 0.6;

/// Games in which positions can repeat are solved if they have about this many positions at most.
const MAX_GRAPH_POSITIONS: f64 = 2e7;

/// Searches for the best move. The seed is for games that are searched with random play.
pub(crate) fn search_best_line(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Result<BestLine, StrategyError> {
    if position.outcome().is_some() {
        return Err(StrategyError::GameOver);
    }
    match Method::of(position) {
        Method::Lines | Method::Renju => on_lines(position, budget, limits),
        Method::Opening => opening::search_best_line(position, budget, limits, seed),
        Method::AnyGame => in_any_game(position, budget, seed),
    }
}

/// Plays the fixed opening move of large boards if it is due, and searches otherwise.
fn on_lines(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
) -> Result<BestLine, StrategyError> {
    let move_at = |index| position.rules().cell_at(index).map(Move::Place);
    let opening = opening_move(&Board::new(position)).and_then(move_at);
    if let Some(mv) = opening {
        return Ok(BestLine::without_search(mv));
    }
    let mut search = Search::new(position, budget, limits);
    let best = search.best_move().ok_or(StrategyError::GameOver)?;
    let pv = search.principal_variation(best).into_iter().filter_map(move_at).collect();
    let ScoredMove { cell, verdict } = best;
    let mv = move_at(cell).ok_or(StrategyError::GameOver)?;
    Ok(BestLine { mv, verdict, pv, nodes: search.nodes(), depth: search.depth() })
}

/// Retrograde analysis if positions can repeat and are few; then alpha-beta for two seats; then MCTS
/// if nothing is known about positions, or for more seats.
fn in_any_game(position: &Position, budget: &Budget, seed: u64) -> Result<BestLine, StrategyError> {
    let start = Instant::now();
    let budget = budget.clone().or_nodes(DEFAULT_NODES);
    let mut nodes = 0;
    if let Some(mut solver) = graph_solver(position, &budget.share(GRAPH_SHARE)) {
        let value = solver.value();
        nodes += solver.nodes();
        let pv = solver.pv();
        if let (Ok(value), Some(&mv)) = (value, pv.first()) {
            return Ok(BestLine { mv, verdict: Verdict::Proven(value), pv, nodes, depth: 0 });
        }
    }
    let evaluation = PositionEvaluation::new(position.rules());
    let random_play = evaluation.is_blind() || position.rules().players() > 2;
    if position.rules().players() == 2 {
        let left = budget.remaining(start, nodes);
        let share = if random_play { left.share(ALPHA_BETA_SHARE) } else { left };
        let found = AlphaBeta::new(evaluation).search(position, &share)?;
        nodes += found.nodes;
        if !random_play || found.verdict.proven().is_some() {
            let (mv, verdict, depth) = (found.mv, found.verdict, found.depth);
            return Ok(BestLine { mv, verdict, pv: found.pv, nodes, depth });
        }
    }
    let found = Mcts::new(seed).search(position, &budget.remaining(start, nodes))?;
    nodes += found.playouts;
    Ok(BestLine { mv: found.mv, verdict: found.verdict, pv: found.pv, nodes, depth: 0 })
}

/// A solver by retrograde analysis, if that is possible and promising.
pub(crate) fn graph_solver(position: &Position, budget: &Budget) -> Option<GameSolver<Position>> {
    let rules = position.rules();
    let marks = u32::from(rules.parts().fade?) * rules.players() as u32;
    let positions = (rules.cell_count() as f64).powf(marks.into());
    if positions > MAX_GRAPH_POSITIONS { None } else { GameSolver::new(position, budget).ok() }
}

//! Analysis of all moves of a position, and of the move that lost a game.

use std::time::Instant;

use noughts_rules::{Action, Cell, Outcome, Position, Seat};

use crate::board::Board;
use crate::search::{ScoredMove, Search, SearchLimits};
use crate::solve::{MAX_SOLVABLE_CELLS, Prover};
use crate::tactics::opening_move;
use crate::threats::urgency;
use crate::{Budget, OutOfBudget, SolveError, StrategyError, Value, Verdict};

/// Verdicts on all moves of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Every legal cell, row by row, with its verdict for the seat to move.
    pub cells: Vec<CellVerdict>,
    /// The best cell: a proven win, else the best draw or estimate, else the latest loss.
    pub best: Cell,
    /// The principal variation, starting with the best cell.
    pub pv: Vec<Cell>,
    /// Positions visited.
    pub nodes: u64,
}

/// The share of the budget for proofs, on solvable boards and on larger ones.
const SMALL_BOARD_PROOF_SHARE: f64 = 0.5;
const LARGE_BOARD_PROOF_SHARE: f64 = 0.2;
/// The share of the remaining budget for finding the best move; the rest estimates all moves.
const BEST_MOVE_SHARE: f64 = 0.6;

/// A legal cell and its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellVerdict {
    /// The cell.
    pub cell: Cell,
    /// The value of playing there, for the seat to move.
    pub verdict: Verdict,
}

/// Analyses every legal cell of a position.
///
/// With two seats left, each cell is solved if the budget allows; the rest are estimated by search,
/// all to the same depth. With more seats all verdicts are estimates. Unless a proof decides it, the
/// best cell comes from a deeper search of fewer cells, so its estimate need not be the highest.
///
/// ```
/// use noughts_engine::{Budget, Value, analyse};
/// use noughts_rules::Position;
///
/// let position: Position = "3x3 x2/1o1/2x o".parse()?;
/// let analysis = analyse(&position, &Budget::unlimited())?;
/// let proven = |name: &str| {
///     let at = analysis.cells.iter().find(|at| at.cell.to_string() == name);
///     at.and_then(|at| at.verdict.proven())
/// };
/// assert_eq!(proven("A2"), Some(Value::Draw));
/// assert_eq!(proven("A3"), Some(Value::Loss { plies: 4 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(position: &Position, budget: &Budget) -> Result<Analysis, StrategyError> {
    let board = Board::of_ongoing(position)?;
    let legal: Vec<usize> = board.legal_moves().collect();
    let start = Instant::now();
    let small = board.tables().cell_count <= MAX_SOLVABLE_CELLS;
    let share = budget.share(if small { SMALL_BOARD_PROOF_SHARE } else { LARGE_BOARD_PROOF_SHARE });
    let mut prover = Prover::new(position, &share).ok();
    let mut verdicts: Vec<Option<Verdict>> = vec![None; legal.len()];
    if let Some(prover) = &mut prover {
        for (i, (&cell, verdict)) in legal.iter().zip(&mut verdicts).enumerate() {
            // Each cell gets an equal part of what is left, and so does the principal variation.
            let parts = legal.len() - i + legal.len().div_ceil(4);
            let value = prover.within_part(parts, |prover| prover.value_of(cell));
            *verdict = value.ok().map(Verdict::Proven);
        }
    }
    let mut nodes = prover.as_ref().map_or(0, Prover::nodes);

    let values = verdicts.iter().map(|verdict| verdict.and_then(Verdict::proven));
    let proven = legal.iter().zip(values).filter_map(|(&cell, value)| Some((cell, value?)));
    // Among equal moves, the most urgent is the hardest to answer.
    let urgency_of = |cell: usize| {
        let urgency = i64::from(urgency(&board, cell));
        if board.tables().misere { -urgency } else { urgency }
    };
    let best_proven = proven.max_by_key(|&(cell, value)| (value, urgency_of(cell)));
    let is_won = best_proven.is_some_and(|(_, value)| value > Value::Draw);
    let is_settled = is_won || verdicts.iter().all(Option::is_some);
    let mut searched = None;
    if !is_settled {
        let share = bounded(&budget.remaining(start, nodes)).share(BEST_MOVE_SHARE);
        let (found, pv, spent) = search_best_move(position, &board, &share)?;
        nodes += spent;
        let verdict = legal.iter().position(|&cell| cell == found.cell).map(|i| &mut verdicts[i]);
        if let (Some(verdict), Verdict::Proven(_)) = (verdict, found.verdict) {
            *verdict = Some(found.verdict);
        }
        searched = Some((found, pv));
    }
    // A proof overrules the search.
    let known = |cell: usize| legal.iter().zip(&verdicts).find(|at| *at.0 == cell)?.1.as_ref();
    let agrees_with_proofs = |found: &ScoredMove| match (known(found.cell), found.verdict) {
        (Some(Verdict::Proven(Value::Loss { .. })), _) => false,
        (_, Verdict::Estimate(..0)) => best_proven.is_none_or(|(_, value)| value < Value::Draw),
        _ => true,
    };
    let best =
        match (searched.filter(|(found, _)| agrees_with_proofs(found)), best_proven, &mut prover) {
            (Some((found, pv)), _, _) => {
                Some((found.cell, pv.into_iter().map(|cell| board.cell(cell)).collect()))
            }
            (None, Some((cell, value)), Some(prover)) if is_settled || value == Value::Draw => {
                let before = prover.nodes();
                let pv = prover.pv_from(cell, value);
                nodes += prover.nodes() - before;
                Some((cell, pv))
            }
            _ => None,
        };

    let unproven = legal.iter().zip(&verdicts).filter(|(_, verdict)| verdict.is_none());
    let unproven: Vec<usize> = unproven.map(|(&cell, _)| cell).collect();
    let mut search =
        Search::new(position, &bounded(&budget.remaining(start, nodes)), SearchLimits::FULL);
    let mut estimates = search.scores(&unproven).into_iter().map(Verdict::Estimate);
    nodes += search.nodes();
    let cells: Vec<CellVerdict> = legal
        .iter()
        .zip(verdicts)
        .filter_map(|(&cell, verdict)| {
            let verdict = verdict.or_else(|| estimates.next())?;
            Some(CellVerdict { cell: board.cell(cell), verdict })
        })
        .collect();
    let (best, pv) = match best {
        Some((cell, pv)) => (board.cell(cell), pv),
        None => {
            let best = cells.iter().max_by_key(|at| rank(at.verdict));
            let best = best.ok_or(StrategyError::GameOver)?.cell;
            (best, vec![best])
        }
    };
    Ok(Analysis { cells, best, pv, nodes })
}

/// The best move of a search, its principal variation and the nodes visited.
fn search_best_move(
    position: &Position,
    board: &Board,
    budget: &Budget,
) -> Result<(ScoredMove, Vec<usize>, u64), StrategyError> {
    if let Some(cell) = opening_move(board) {
        return Ok((ScoredMove { cell, verdict: Verdict::Estimate(0) }, vec![cell], 0));
    }
    let mut search = Search::new(position, budget, SearchLimits::FULL);
    let best = search.best_move().ok_or(StrategyError::GameOver)?;
    Ok((best, search.principal_variation(best), search.nodes()))
}

/// The move that lost a game between two seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LosingMove {
    /// The number of actions before it.
    pub ply: usize,
    /// The seat that made it and lost.
    pub seat: Seat,
    /// The move.
    pub cell: Cell,
    /// The value that the seat gave away. An estimate means that a search saw no loss before the
    /// move, without a proof.
    pub missed: Verdict,
    /// A move that would have kept that value.
    pub better: Cell,
}

/// Why the losing move is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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
const LOSS_PROOF_SHARE: f64 = 0.6;
/// The share of the remaining budget for the estimate of one position.
const LOSS_ESTIMATE_SHARE: f64 = 0.5;

/// The last move of the loser before which the game was not lost. `None` if the game is a draw, was
/// lost from the start of its history, or was resigned before it was lost.
///
/// Where proofs are out of reach, it is the last move before which a search sees no loss.
///
/// ```
/// use noughts_engine::{Budget, Value, Verdict, losing_move};
/// use noughts_rules::{Position, Rules};
///
/// let mut game = Position::new(&Rules::classic());
/// for cell in ["A1", "A2", "B2", "C3", "B1", "B3", "C1"] {
///     game.play(cell.parse()?)?;
/// }
/// let lost = losing_move(&game, &Budget::unlimited())?.expect("O could have drawn");
/// assert_eq!((lost.ply, lost.cell.to_string()), (1, "A2".to_owned()));
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
    let (start, mut nodes) = (Instant::now(), 0);
    let (proving, mut can_prove) = (budget.share(LOSS_PROOF_SHARE), true);
    // From the end, because late positions are easier to prove. If a proof fails, earlier ones
    // would too, so each proof may use all that is left.
    while let Ok(action) = position.undo() {
        if action.seat() == winner {
            continue;
        }
        let mut evaluated = None;
        if can_prove {
            let (proven, spent) = prove(&position, &proving.remaining(start, nodes))?;
            can_prove = proven.is_some();
            nodes += spent;
            evaluated = proven;
        }
        let (verdict, better) = match evaluated {
            Some(evaluated) => evaluated,
            None if budget.is_stopped() => return Err(OutOfBudget.into()),
            None => {
                let share = bounded(&budget.remaining(start, nodes)).share(LOSS_ESTIMATE_SHARE);
                let (evaluated, spent) = estimate(&position, &share)?;
                nodes += spent;
                evaluated
            }
        };
        let is_lost = match verdict.proven().or(verdict.unproven()) {
            Some(Value::Loss { .. }) => position.turn() != Some(winner),
            Some(Value::Win { .. }) => position.turn() == Some(winner),
            Some(Value::Draw) | None => false,
        };
        if is_lost {
            continue;
        }
        // The game was resigned before it was lost.
        let Action::Move { seat, cell } = action else { return Ok(None) };
        let ply = position.history().len();
        return Ok(Some(LosingMove { ply, seat, cell, missed: verdict, better }));
    }
    Ok(None)
}

/// A verdict, a move that keeps it, and the nodes visited; `None` if the budget runs out.
fn prove(
    position: &Position,
    budget: &Budget,
) -> Result<(Option<(Verdict, Cell)>, u64), SolveError> {
    let mut prover = Prover::new(position, budget)?;
    let proven = prover.value().ok().and_then(|value| {
        let best = *prover.pv(value).first()?;
        Some((Verdict::Proven(value), best))
    });
    Ok((proven, prover.nodes()))
}

fn estimate(
    position: &Position,
    budget: &Budget,
) -> Result<((Verdict, Cell), u64), LosingMoveError> {
    let board = Board::of_ongoing(position).map_err(|_| OutOfBudget)?;
    let (best, _, nodes) = search_best_move(position, &board, budget).map_err(|_| OutOfBudget)?;
    Ok(((best.verdict, board.cell(best.cell)), nodes))
}

/// Limits the nodes of an estimate if the budget is unlimited.
fn bounded(budget: &Budget) -> Budget {
    const DEFAULT_NODES: u64 = 200_000;
    let limited = budget.nodes().is_some() || budget.time().is_some();
    if limited { budget.clone() } else { budget.clone().with_nodes(DEFAULT_NODES) }
}

/// Sort key: proven wins, then draws and estimates by score, then proven losses.
fn rank(verdict: Verdict) -> (i32, Option<Value>, i32) {
    match verdict {
        Verdict::Proven(value @ Value::Win { .. }) => (1, Some(value), 0),
        Verdict::Proven(value @ Value::Loss { .. }) => (-1, Some(value), 0),
        Verdict::Proven(Value::Draw) => (0, None, 0),
        Verdict::Estimate(score) => (0, None, score),
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
            if game.turn() == Seat::new(1) && game.stones() > 1 {
                let mut prover = Prover::new(&game, &Budget::unlimited()).unwrap();
                prover.value().unwrap();
                needed.push(prover.nodes());
            }
            game.play(cell.parse().unwrap()).unwrap();
        }
        assert_eq!(needed.len(), 2);
        let budget = |nodes| Budget::unlimited().with_nodes(nodes);
        let all: u64 = needed.iter().sum();
        let missed = |nodes: u64| {
            let shared = (nodes as f64 / LOSS_PROOF_SHARE).ceil() as u64;
            losing_move(&game, &budget(shared)).unwrap().unwrap().missed
        };
        assert!(matches!(missed(all - 2), Verdict::Estimate(_)));
        assert!(matches!(missed(2 * all), Verdict::Proven(_)));
    }
}

//! What every move of a position is worth, and where a game was lost.

use std::time::Instant;

use noughts_rules::{Action, Cell, Outcome, Position, Seat};

use crate::board::Board;
use crate::search::{Effort, Found, Search};
use crate::sight::opening_move;
use crate::solve::{Prover, SOLVABLE_CELLS};
use crate::threats::urgency;
use crate::{Budget, OutOfBudget, SolveError, StrategyError, Value, Verdict};

/// What the moves of a position are worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Every legal cell, row by row, with what the seat to move gets by playing it.
    pub cells: Vec<CellVerdict>,
    /// The best cell: a proven win, or else the best of draws and good estimates, or else the
    /// latest loss.
    pub best: Cell,
    /// Best play from here on, as far as it was found; it begins with the best cell.
    pub line: Vec<Cell>,
    /// How many positions were visited.
    pub nodes: u64,
}

/// The parts of the budget that go into proofs, where they can be hoped for and where not.
const PROVING_ON_SMALL_BOARDS: f64 = 0.5;
const PROVING: f64 = 0.2;
/// The part of what is left then that goes into the best move; the rest is for all others.
const PLAYING: f64 = 0.6;

/// A legal cell and what it is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellVerdict {
    /// Where to move.
    pub cell: Cell,
    /// What the seat to move gets by it.
    pub verdict: Verdict,
}

/// Judges every legal cell of a position.
///
/// With two seats each cell is solved if the budget allows; what could not be proven is estimated
/// by search, all such cells equally deep. With more seats all verdicts are estimates. Where nothing
/// proven decides it, the best cell is what a computer player would choose, who looks deeper at
/// fewer cells; its estimate need not be the highest.
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
    let board = Board::of_game(position)?;
    let legal: Vec<usize> = board.legal_moves().collect();
    let start = Instant::now();
    let small = board.geometry().cells <= SOLVABLE_CELLS;
    let share = budget.share(if small { PROVING_ON_SMALL_BOARDS } else { PROVING });
    let mut prover = Prover::new(position, &share).ok();
    let mut verdicts: Vec<Option<Verdict>> = vec![None; legal.len()];
    if let Some(prover) = &mut prover {
        for (i, (&cell, verdict)) in legal.iter().zip(&mut verdicts).enumerate() {
            // Each cell gets its share of what the others left, and so does the best line.
            let parts = legal.len() - i + legal.len().div_ceil(4);
            let value = prover.within_part(parts, |prover| prover.value_of(cell));
            *verdict = value.ok().map(Verdict::Proven);
        }
    }
    let mut nodes = prover.as_ref().map_or(0, Prover::nodes);

    let values = verdicts.iter().map(|verdict| verdict.and_then(Verdict::proven));
    let proven = legal.iter().zip(values).filter_map(|(&cell, value)| Some((cell, value?)));
    // Of moves that are worth the same, the one where most is at stake is hardest to answer.
    let stakes = |cell: usize| {
        let urgency = i64::from(urgency(&board, cell));
        if board.geometry().misere { -urgency } else { urgency }
    };
    let best_proven = proven.max_by_key(|&(cell, value)| (value, stakes(cell)));
    let is_won = best_proven.is_some_and(|(_, value)| value > Value::Draw);
    let is_settled = is_won || verdicts.iter().all(Option::is_some);
    let mut played = None;
    if !is_settled {
        let share = bounded(&budget.left(start, nodes)).share(PLAYING);
        let (found, line, spent) = play(position, &board, &share)?;
        nodes += spent;
        let verdict = legal.iter().position(|&cell| cell == found.cell).map(|i| &mut verdicts[i]);
        if let (Some(verdict), Verdict::Proven(_)) = (verdict, found.verdict) {
            *verdict = Some(found.verdict);
        }
        played = Some((found, line));
    }
    // What is proven to be better than the player thought is what it would play, had it known.
    let known = |cell: usize| legal.iter().zip(&verdicts).find(|at| *at.0 == cell)?.1.as_ref();
    let is_sound = |found: &Found| match (known(found.cell), found.verdict) {
        (Some(Verdict::Proven(Value::Loss { .. })), _) => false,
        (_, Verdict::Estimate(..0)) => best_proven.is_none_or(|(_, value)| value < Value::Draw),
        _ => true,
    };
    let best = match (played.filter(|(found, _)| is_sound(found)), best_proven, &mut prover) {
        (Some((found, line)), _, _) => {
            Some((found.cell, line.into_iter().map(|cell| board.cell(cell)).collect()))
        }
        (None, Some((cell, value)), Some(prover)) if is_settled || value == Value::Draw => {
            let before = prover.nodes();
            let line = prover.line_from(cell, value);
            nodes += prover.nodes() - before;
            Some((cell, line))
        }
        _ => None,
    };

    let unproven = legal.iter().zip(&verdicts).filter(|(_, verdict)| verdict.is_none());
    let unproven: Vec<usize> = unproven.map(|(&cell, _)| cell).collect();
    let mut search = Search::new(position, &bounded(&budget.left(start, nodes)), Effort::FULL);
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
    let (best, line) = match best {
        Some((cell, line)) => (board.cell(cell), line),
        None => {
            let best = cells.iter().max_by_key(|at| rank(at.verdict));
            let best = best.ok_or(StrategyError::GameOver)?.cell;
            (best, vec![best])
        }
    };
    Ok(Analysis { cells, best, line, nodes })
}

/// What a computer player would do, the moves that it expects then, and how many positions it
/// visited.
fn play(
    position: &Position,
    board: &Board,
    budget: &Budget,
) -> Result<(Found, Vec<usize>, u64), StrategyError> {
    if let Some(cell) = opening_move(board) {
        return Ok((Found { cell, verdict: Verdict::Estimate(0) }, vec![cell], 0));
    }
    let mut search = Search::new(position, budget, Effort::FULL);
    let found = search.best_move().ok_or(StrategyError::GameOver)?;
    Ok((found, search.line(found), search.nodes()))
}

/// The move at which a game between two was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LosingMove {
    /// How many actions were before it.
    pub ply: usize,
    /// Who made it, and lost.
    pub seat: Seat,
    /// The move.
    pub cell: Cell,
    /// What the seat could still have had. An estimate says that nothing is proven of the position
    /// before the move, in which a search saw no loss; everything after it is lost.
    pub missed: Verdict,
    /// A move that would have kept it.
    pub better: Cell,
}

/// Why it can't be said where a game was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LosingMoveError {
    /// The game goes on.
    #[error("the game is not over")]
    NotOver,
    /// The game can't be solved.
    #[error(transparent)]
    Unsolvable(#[from] SolveError),
    /// Someone has stopped it, or there was not even time for an estimate.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// The part of the budget that goes into proofs of where a game was lost. Estimates take the rest.
const PROVING_LOSSES: f64 = 0.6;
/// The part of what is left that goes into the estimate of one position of a game.
const ESTIMATING: f64 = 0.5;

/// The last move before which the loser of a finished game need not have lost. None, if the game
/// is a draw, was lost where its history begins, or was resigned before it was lost.
///
/// On large boards the proof of that ends somewhere: the move is then the last before which a search
/// sees no loss.
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
    let (proving, mut can_prove) = (budget.share(PROVING_LOSSES), true);
    // From the end, because late positions are the easy ones. Where one of them can't be proven
    // those before it can't either, so each may have all that is left.
    while let Ok(action) = position.undo() {
        if action.seat() == winner {
            continue;
        }
        let mut judged = None;
        if can_prove {
            let (proven, spent) = prove(&position, &proving.left(start, nodes))?;
            can_prove = proven.is_some();
            nodes += spent;
            judged = proven;
        }
        let (verdict, better) = match judged {
            Some(judged) => judged,
            None if budget.is_stopped() => return Err(OutOfBudget.into()),
            None => {
                let share = bounded(&budget.left(start, nodes)).share(ESTIMATING);
                let (judged, spent) = estimate(&position, &share)?;
                nodes += spent;
                judged
            }
        };
        let is_lost = match verdict.proven().or(verdict.seen()) {
            Some(Value::Loss { .. }) => position.turn() != Some(winner),
            Some(Value::Win { .. }) => position.turn() == Some(winner),
            Some(Value::Draw) | None => false,
        };
        if is_lost {
            continue;
        }
        // Who resigns what is not lost has lost it by no move.
        let Action::Move { seat, cell } = action else { return Ok(None) };
        let ply = position.history().len();
        return Ok(Some(LosingMove { ply, seat, cell, missed: verdict, better }));
    }
    Ok(None)
}

/// What a position is worth and a move that keeps it, and how many positions were visited.
type Judged<T> = (T, u64);

/// None where the budget runs out.
fn prove(
    position: &Position,
    budget: &Budget,
) -> Result<Judged<Option<(Verdict, Cell)>>, SolveError> {
    let mut prover = Prover::new(position, budget)?;
    let proven = prover.value().ok().and_then(|value| {
        let best = *prover.line(value).first()?;
        Some((Verdict::Proven(value), best))
    });
    Ok((proven, prover.nodes()))
}

fn estimate(
    position: &Position,
    budget: &Budget,
) -> Result<Judged<(Verdict, Cell)>, LosingMoveError> {
    let board = Board::of_game(position).map_err(|_| OutOfBudget)?;
    let (found, _, nodes) = play(position, &board, budget).map_err(|_| OutOfBudget)?;
    Ok(((found.verdict, board.cell(found.cell)), nodes))
}

/// Estimates are of use only if they come.
fn bounded(budget: &Budget) -> Budget {
    const NODES: u64 = 200_000;
    let limited = budget.nodes().is_some() || budget.time().is_some();
    if limited { budget.clone() } else { budget.clone().with_nodes(NODES) }
}

/// Proven wins first, proven losses last, and what is between by how good it looks.
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

    /// The budget is for the whole game: what each of O's positions takes adds up.
    #[test]
    fn a_game_has_one_budget() {
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
            let shared = (nodes as f64 / PROVING_LOSSES).ceil() as u64;
            losing_move(&game, &budget(shared)).unwrap().unwrap().missed
        };
        assert!(matches!(missed(all - 2), Verdict::Estimate(_)));
        assert!(matches!(missed(2 * all), Verdict::Proven(_)));
    }
}

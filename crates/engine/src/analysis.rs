//! What every move of a position is worth, and where a game was lost.

use noughts_rules::{Action, Cell, Outcome, Position, Seat};

use crate::board::Board;
use crate::search::{Effort, Search};
use crate::solve::Prover;
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
/// by search. With more seats all verdicts are estimates.
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
    let mut prover = Prover::new(position, &budget.share(0.5)).ok();
    let mut verdicts: Vec<Option<Verdict>> = vec![None; legal.len()];
    if let Some(prover) = &mut prover {
        for (i, (&cell, verdict)) in legal.iter().zip(&mut verdicts).enumerate() {
            // Each cell gets its share of what the others left.
            let value = prover.within_part(legal.len() - i, |prover| prover.value_of(cell));
            *verdict = value.ok().map(Verdict::Proven);
        }
    }

    let unproven: Vec<usize> =
        legal.iter().zip(&verdicts).filter(|(_, v)| v.is_none()).map(|(&cell, _)| cell).collect();
    let mut search = Search::new(position, &bounded(&budget.share(0.5)), Effort::FULL);
    let mut estimates = search.scores(&unproven).into_iter().map(Verdict::Estimate);
    let cells: Vec<CellVerdict> = legal
        .iter()
        .zip(verdicts)
        .filter_map(|(&cell, verdict)| {
            let verdict = verdict.or_else(|| estimates.next())?;
            Some(CellVerdict { cell: board.cell(cell), verdict })
        })
        .collect();

    let best = *cells.iter().max_by_key(|at| rank(at.verdict)).ok_or(StrategyError::GameOver)?;
    let mut line = vec![best.cell];
    if let (Some(prover), Some(value)) = (&mut prover, best.verdict.proven()) {
        line = prover.line_from(board.number(best.cell), value);
    }
    let nodes = prover.map_or(0, |prover| prover.nodes()) + search.nodes();
    Ok(Analysis { cells, best: best.cell, line, nodes })
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
    /// What the seat could still have had.
    pub missed: Value,
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
    /// The proof takes more than the budget.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// The last move before which the loser of a finished game need not have lost. None, if the game
/// is a draw, was lost where its history begins, or was resigned before it was lost.
///
/// ```
/// use noughts_engine::{Budget, Value, losing_move};
/// use noughts_rules::{Position, Rules};
///
/// let mut game = Position::new(&Rules::classic());
/// for cell in ["A1", "A2", "B2", "C3", "B1", "B3", "C1"] {
///     game.play(cell.parse()?)?;
/// }
/// let lost = losing_move(&game, &Budget::unlimited())?.expect("O could have drawn");
/// assert_eq!((lost.ply, lost.cell.to_string()), (1, "A2".to_owned()));
/// assert_eq!(lost.missed, Value::Draw);
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
    // From the end, because late positions are the easy ones.
    while let Ok(action) = position.undo() {
        if action.seat() == winner {
            continue;
        }
        let mut prover = Prover::new(&position, budget)?;
        let value = prover.value()?;
        let turn = position.turn();
        let is_lost = match value {
            Value::Loss { .. } => turn != Some(winner),
            Value::Win { .. } => turn == Some(winner),
            Value::Draw => false,
        };
        if is_lost {
            continue;
        }
        // Who resigns what is not lost has lost it by no move.
        let Action::Move { seat, cell } = action else { return Ok(None) };
        let better = *prover.line(value).first().ok_or(OutOfBudget)?;
        let ply = position.history().len();
        return Ok(Some(LosingMove { ply, seat, cell, missed: value, better }));
    }
    Ok(None)
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

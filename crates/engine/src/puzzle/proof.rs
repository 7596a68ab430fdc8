//! Proofs that a position has exactly one right move.

use noughts_rules::{Move, Position};

use super::{PuzzleKind, own_moves};
use crate::generic::GameSolver;
use crate::method::Method;
use crate::search::{Search, SearchLimits};
use crate::solve::{MAX_SOLVABLE_CELLS, Prover};
use crate::{Budget, OutOfBudget, SolveError, Value, solve_game};

/// What was proven about the position of a puzzle.
#[derive(Debug, Clone)]
pub(super) struct Proof {
    pub(super) kind: PuzzleKind,
    pub(super) plies: u16,
    pub(super) solution: Vec<Move>,
}

/// Longer wins, and longer losses after a wrong move, are nothing that people see.
const MAX_WIN_PLIES: u16 = 10;

/// The nodes in which another win must stay unseen on such a board.
const OTHER_WIN_NODES: u64 = 20_000;

/// A search that sees no win scores below this.
const WIN_SCORE: i32 = 500_000;

/// Proves a puzzle; `None` if the position is none.
pub(super) fn prove(position: &Position, budget: &Budget) -> Result<Option<Proof>, ProveError> {
    let Some(mut solver) = Solver::new(position, budget)? else { return Ok(None) };
    let Some(value) = solver.value()? else { return Ok(None) };
    let kind = match value {
        Value::Win { plies } if plies <= MAX_WIN_PLIES => PuzzleKind::Win,
        Value::Draw => PuzzleKind::Draw,
        Value::Win { .. } | Value::Loss { .. } => return Ok(None),
    };
    let mut right = None;
    let legal: Vec<Move> = position.legal_moves().collect();
    for &mv in &legal {
        let is_right = match value {
            Value::Win { plies } => solver.wins_within(mv, plies)?,
            _ => solver.value_of(mv)? == Value::Draw,
        };
        if is_right && right.replace(mv).is_some() {
            return Ok(None);
        }
    }
    let Some(right) = right else { return Ok(None) };
    let others: Vec<Move> = legal.into_iter().filter(|&mv| mv != right).collect();
    let (plies, solution) = match value {
        Value::Win { plies } => (plies, solver.winning_line(right, plies)?),
        _ => (1, vec![right]),
    };
    if others.is_empty() {
        return Ok(None);
    }
    let is_puzzle = match kind {
        PuzzleKind::Win => own_moves(position, &solution) > 1 && !solver.may_win_later(&others)?,
        // Blocking the one line that is about to be completed is no puzzle.
        PuzzleKind::Draw => {
            let values = others.iter().map(|&mv| solver.value_of(mv));
            let values = values.collect::<Result<Vec<Value>, _>>()?;
            values.iter().any(|&value| value > Value::Loss { plies: 2 })
                && values.iter().all(|&value| value <= Value::Loss { plies: MAX_WIN_PLIES })
        }
    };
    Ok(is_puzzle.then_some(Proof { kind, plies, solution }))
}

/// Whether a move wins within this many plies.
pub(super) fn wins_within(
    position: &Position,
    mv: Move,
    plies: u16,
    budget: &Budget,
) -> Result<bool, OutOfBudget> {
    match Solver::new(position, budget) {
        Ok(Some(mut solver)) => solver.wins_within(mv, plies),
        _ => Err(OutOfBudget),
    }
}

/// The longest resistance after a move that wins in exactly this many plies, the move included.
pub(super) fn winning_line(
    position: &Position,
    mv: Move,
    plies: u16,
    budget: &Budget,
) -> Result<Vec<Move>, OutOfBudget> {
    let Ok(Some(mut solver)) = Solver::new(position, budget) else { return Err(OutOfBudget) };
    solver.winning_line(mv, plies)
}

/// The value for the seat to move and the principal variation, where the game can be solved.
pub(super) fn solved_line(position: &Position, budget: &Budget) -> Option<(Value, Vec<Move>)> {
    if is_large(position) {
        return None;
    }
    let solution = crate::solve(position, budget).ok()?;
    Some((solution.value?, solution.pv))
}

fn is_large(position: &Position) -> bool {
    position.rules().cell_count() >= MAX_SOLVABLE_CELLS && Prover::supports(position)
}

/// Why nothing was proven.
#[derive(Debug, thiserror::Error)]
pub(super) enum ProveError {
    #[error(transparent)]
    Unsolvable(#[from] SolveError),
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl From<ProveError> for super::PuzzleError {
    fn from(error: ProveError) -> super::PuzzleError {
        match error {
            ProveError::Unsolvable(error) => error.into(),
            ProveError::OutOfBudget(error) => error.into(),
        }
    }
}

/// Answers questions on one position, with one budget for all of them.
struct Solver<'a> {
    position: &'a Position,
    budget: &'a Budget,
    method: SolverMethod,
}

enum SolverMethod {
    Lines(Prover),
    AnyGame(Box<GameSolver<Position>>),
}

impl Solver<'_> {
    /// `None` for positions about which too little can be proven: openings and renju.
    fn new<'a>(
        position: &'a Position,
        budget: &'a Budget,
    ) -> Result<Option<Solver<'a>>, SolveError> {
        if position.outcome().is_some() {
            return Err(SolveError::GameOver);
        }
        let method = match Method::of(position) {
            Method::Opening | Method::Renju => return Ok(None),
            Method::Lines if Prover::supports(position) => {
                SolverMethod::Lines(Prover::new(position, budget)?)
            }
            Method::Lines | Method::AnyGame => {
                SolverMethod::AnyGame(Box::new(GameSolver::new(position, budget)?))
            }
        };
        Ok(Some(Solver { position, budget, method }))
    }

    /// The value; on a large board, that of a short win only.
    fn value(&mut self) -> Result<Option<Value>, OutOfBudget> {
        match &mut self.method {
            SolverMethod::Lines(prover) if is_large(self.position) => {
                for plies in (3..=MAX_WIN_PLIES).step_by(2) {
                    if prover.wins_within(plies)? {
                        return Ok(Some(Value::Win { plies }));
                    }
                }
                Ok(None)
            }
            SolverMethod::Lines(prover) => prover.value().map(Some),
            SolverMethod::AnyGame(solver) => solver.value().map(Some),
        }
    }

    fn value_of(&mut self, mv: Move) -> Result<Value, OutOfBudget> {
        match &mut self.method {
            SolverMethod::Lines(prover) => prover.value_of(index(prover, mv)?),
            SolverMethod::AnyGame(solver) => solver.value_of(mv),
        }
    }

    fn wins_within(&mut self, mv: Move, plies: u16) -> Result<bool, OutOfBudget> {
        match &mut self.method {
            SolverMethod::Lines(prover) => prover.move_wins_within(index(prover, mv)?, plies),
            SolverMethod::AnyGame(solver) => Ok(solver.value_of(mv)? >= Value::Win { plies }),
        }
    }

    /// Whether one of these moves wins, if later. On a large board, whether a search sees a win.
    fn may_win_later(&mut self, moves: &[Move]) -> Result<bool, OutOfBudget> {
        if is_large(self.position) {
            let budget = self.budget.clone().with_nodes(OTHER_WIN_NODES);
            let mut search = Search::new(self.position, &budget, SearchLimits::FULL);
            let rules = self.position.rules();
            let cells: Vec<usize> =
                moves.iter().filter_map(|mv| rules.cell_index(mv.cell()?)).collect();
            return Ok(search.scores(&cells).into_iter().any(|score| score > WIN_SCORE));
        }
        for &mv in moves {
            if self.value_of(mv)? > Value::Draw {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The principal variation from a winning move on.
    fn winning_line(&mut self, mv: Move, plies: u16) -> Result<Vec<Move>, OutOfBudget> {
        let line = match &mut self.method {
            SolverMethod::Lines(prover) => {
                let line = prover.pv_from(index(prover, mv)?, Value::Win { plies });
                line.into_iter().map(Move::from).collect()
            }
            SolverMethod::AnyGame(_) => {
                let mut after = self.position.clone();
                _ = after.play(mv);
                let rest = solve_game(&after, self.budget).map_or_else(|_| Vec::new(), |s| s.pv);
                std::iter::once(mv).chain(rest).collect::<Vec<Move>>()
            }
        };
        if line.len() == usize::from(plies) { Ok(line) } else { Err(OutOfBudget) }
    }
}

fn index(prover: &Prover, mv: Move) -> Result<usize, OutOfBudget> {
    mv.cell().map(|cell| prover.index(cell)).ok_or(OutOfBudget)
}

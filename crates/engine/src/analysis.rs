//! Analysis of all moves of a position.

mod any_game;

use std::time::Instant;

use noughts_rules::{Move, Position};

use crate::best_line::{BestLine, DEFAULT_NODES, search_best_line};
use crate::board::Board;
use crate::method::Method;
use crate::search::{Search, SearchLimits};
use crate::solve::{MAX_SOLVABLE_CELLS, Prover};
use crate::threats::urgency;
use crate::{Budget, StrategyError, Value, Verdict, opening};

/// Verdicts on all moves of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Analysis {
    /// Every legal move, in the order of the cells, with its verdict for the seat to move.
    pub moves: Vec<MoveVerdict>,
    /// The best move: a proven win, else the best draw or estimate, else the latest loss.
    pub best: Move,
    /// The principal variation, starting with the best move.
    pub pv: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
}

/// A legal move and its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MoveVerdict<M = Move> {
    /// The move.
    pub mv: M,
    /// The value of making it, for the seat to move.
    pub verdict: Verdict,
}

/// The share of the budget for proofs, on solvable boards and on larger ones.
const SMALL_BOARD_PROOF_SHARE: f64 = 0.5;
const LARGE_BOARD_PROOF_SHARE: f64 = 0.2;
/// The share of the remaining budget for finding the best move; the rest estimates all moves.
const BEST_MOVE_SHARE: f64 = 0.6;
/// The seed of random play in analyses, which are the same every time.
const SEED: u64 = 1;

/// Analyses every legal move of a position.
///
/// Any game can be analysed. With two seats left, each move is solved if the budget allows; the rest
/// are estimated by search, all to the same depth. With more seats all verdicts are estimates. Unless a proof decides it, the
/// best move comes from a deeper search of fewer moves, so its estimate need not be the highest.
///
/// ```
/// use noughts_engine::{Budget, Value, analyse};
/// use noughts_rules::Position;
///
/// let position: Position = "3x3 x2/1o1/2x o".parse()?;
/// let analysis = analyse(&position, &Budget::unlimited())?;
/// let proven = |name: &str| {
///     let at = analysis.moves.iter().find(|at| at.mv.to_string() == name);
///     at.and_then(|at| at.verdict.proven())
/// };
/// assert_eq!(proven("A2"), Some(Value::Draw));
/// assert_eq!(proven("A3"), Some(Value::Loss { plies: 4 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn analyse(position: &Position, budget: &Budget) -> Result<Analysis, StrategyError> {
    if position.outcome().is_some() {
        return Err(StrategyError::GameOver);
    }
    match Method::of(position) {
        Method::Lines | Method::Renju => LineAnalyser::new(position, budget).run(),
        Method::Opening => analyse_opening(position, budget),
        Method::AnyGame => any_game::analyse(position, budget),
    }
}

/// Whether Black or White is better is searched once; stones are judged by that, too.
fn analyse_opening(position: &Position, budget: &Budget) -> Result<Analysis, StrategyError> {
    let start = Instant::now();
    let share = budget.clone().or_nodes(DEFAULT_NODES).share(BEST_MOVE_SHARE);
    let best = search_best_line(position, &share, SearchLimits::FULL, SEED)?;
    let rest = budget.remaining(start, best.nodes);
    let (moves, nodes) = opening::judge_moves(position, &best, &rest, SEED);
    Ok(Analysis { moves, best: best.mv, pv: best.pv, nodes: best.nodes + nodes })
}

/// Analyses games that are searched on boards of lines.
struct LineAnalyser<'a> {
    position: &'a Position,
    budget: &'a Budget,
    board: Board,
    start: Instant,
    legal: Vec<usize>,
    /// The verdict on each legal move, as far as it is known.
    verdicts: Vec<Option<Verdict>>,
    nodes: u64,
}

impl<'a> LineAnalyser<'a> {
    fn new(position: &'a Position, budget: &'a Budget) -> LineAnalyser<'a> {
        let legal: Vec<usize> = position
            .legal_moves()
            .filter_map(|mv| position.rules().cell_index(mv.cell()?))
            .collect();
        LineAnalyser {
            position,
            budget,
            board: Board::new(position),
            start: Instant::now(),
            verdicts: vec![None; legal.len()],
            legal,
            nodes: 0,
        }
    }

    fn run(mut self) -> Result<Analysis, StrategyError> {
        let mut prover = self.prove_moves();
        let best_proven = self.best_proven();
        let is_won = best_proven.is_some_and(|(_, value)| value > Value::Draw);
        let is_settled = is_won || self.verdicts.iter().all(Option::is_some);
        let searched = if is_settled { None } else { Some(self.search_best()?) };
        let searched = searched.filter(|line| self.agrees_with_proofs(line, best_proven));
        let best_line = match (searched, best_proven, &mut prover) {
            (Some(line), _, _) => Some(line.pv),
            (None, Some((cell, value)), Some(prover)) if is_settled || value == Value::Draw => {
                let before = prover.nodes();
                let pv = prover.pv_from(cell, value);
                self.nodes += prover.nodes() - before;
                Some(pv.into_iter().map(Move::from).collect())
            }
            _ => None,
        };
        self.estimate_rest();
        let moves = self.legal.iter().zip(self.verdicts).filter_map(|(&cell, verdict)| {
            Some(MoveVerdict { mv: self.board.cell(cell).into(), verdict: verdict? })
        });
        let moves: Vec<MoveVerdict> = moves.collect();
        let highest = || moves.iter().max_by_key(|at| rank(at.verdict)).map(|at| vec![at.mv]);
        let pv: Vec<Move> = best_line.or_else(highest).ok_or(StrategyError::GameOver)?;
        Ok(Analysis { moves, best: pv[0], pv, nodes: self.nodes })
    }

    /// Solves each move for which the budget is enough. `None` if the position can't be solved.
    fn prove_moves(&mut self) -> Option<Prover> {
        let small = self.board.tables().cell_count <= MAX_SOLVABLE_CELLS;
        let share = if small { SMALL_BOARD_PROOF_SHARE } else { LARGE_BOARD_PROOF_SHARE };
        if !Prover::supports(self.position) {
            return None;
        }
        let mut prover = Prover::new(self.position, &self.budget.share(share)).ok()?;
        let count = self.legal.len();
        for (i, (&cell, verdict)) in self.legal.iter().zip(&mut self.verdicts).enumerate() {
            // Each move gets an equal part of what is left, and so does the principal variation.
            let parts = count - i + count.div_ceil(4);
            let value = prover.within_part(parts, |prover| prover.value_of(cell));
            *verdict = value.ok().map(Verdict::Proven);
        }
        self.nodes += prover.nodes();
        Some(prover)
    }

    /// The best proven move and its value. Of equal moves the most urgent is the hardest to answer.
    fn best_proven(&self) -> Option<(usize, Value)> {
        let urgency_of = |cell: usize| {
            let urgency = i64::from(urgency(&self.board, cell));
            if self.board.tables().misere { -urgency } else { urgency }
        };
        let moves = self.legal.iter().zip(&self.verdicts);
        let proven = moves.filter_map(|(&cell, verdict)| Some((cell, verdict.as_ref()?.proven()?)));
        proven.max_by_key(|&(cell, value)| (value, urgency_of(cell)))
    }

    /// The best move by search. If that proves a win, it becomes the verdict on the move.
    fn search_best(&mut self) -> Result<BestLine, StrategyError> {
        let budget = self.estimate_budget().share(BEST_MOVE_SHARE);
        let line = search_best_line(self.position, &budget, SearchLimits::FULL, SEED)?;
        self.nodes += line.nodes;
        if let (Some(index), Verdict::Proven(_)) = (self.index_of(line.mv), line.verdict) {
            self.verdicts[index] = Some(line.verdict);
        }
        Ok(line)
    }

    /// The place of a legal move in the list.
    fn index_of(&self, mv: Move) -> Option<usize> {
        let cell = self.position.rules().cell_index(mv.cell()?);
        self.legal.iter().position(|&legal| Some(legal) == cell)
    }

    /// Whether the proofs leave the result of a search possible.
    fn agrees_with_proofs(&self, found: &BestLine, best_proven: Option<(usize, Value)>) -> bool {
        let known = self.index_of(found.mv).and_then(|index| self.verdicts[index]);
        match (known.and_then(Verdict::proven), found.verdict) {
            (Some(Value::Loss { .. }), _) => false,
            (_, Verdict::Estimate(_)) => best_proven.is_none_or(|(_, value)| value < Value::Draw),
            _ => true,
        }
    }

    /// Estimates all moves that are not proven, to the same depth.
    fn estimate_rest(&mut self) {
        let moves = self.legal.iter().zip(&self.verdicts);
        let unproven = moves.filter(|(_, verdict)| verdict.is_none());
        let unproven: Vec<usize> = unproven.map(|(&cell, _)| cell).collect();
        let mut search = Search::new(self.position, &self.estimate_budget(), SearchLimits::FULL);
        let estimates = search.scores(&unproven).into_iter().map(Verdict::Estimate);
        let missing = self.verdicts.iter_mut().filter(|verdict| verdict.is_none());
        missing.zip(estimates).for_each(|(verdict, estimate)| *verdict = Some(estimate));
        self.nodes += search.nodes();
    }

    fn estimate_budget(&self) -> Budget {
        self.budget.remaining(self.start, self.nodes).or_nodes(DEFAULT_NODES)
    }
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

//! Alpha-beta with a transposition table, for any two-seat game.

use noughts_rules::{Outcome, Seat, State};

use super::evaluate::Evaluate;
use super::move_order::{MoveOrder, Ranked};
use crate::budget::{Meter, OutOfBudget};
use crate::search::MATE;
use crate::search::transposition_table::{Bound, TranspositionTable, TtEntry};
use crate::{Budget, Value, Verdict};

/// The deepest search.
pub(super) const MAX_DEPTH: u32 = 250;

/// The depth of table entries that hold at any depth.
const ANY_DEPTH: u8 = u8::MAX;

const INFINITE: i32 = 2 * MATE;

/// Scores beyond these are wins and losses.
const MIN_MATE: i32 = MATE / 2;
const MAX_MATED: i32 = -MIN_MATE;

/// Static evaluations are cut to this range.
const MAX_ESTIMATE: i32 = 100_000;

/// A search with its table and budget. Its scores are for the seat to move; wins and losses are
/// `MATE` less the plies to the end, counted from the node.
///
/// A score at depth `d` is right about wins and losses within `d` plies. A win or loss that is found
/// through a deeper table entry is true, but may not be the fastest win or the slowest loss.
///
/// In games that repeat, a position that occurs on the path to a node counts as a draw there. Scores
/// that rest on such a draw are not stored.
pub(super) struct AlphaBetaSearch<'e, S: State, E> {
    evaluation: &'e E,
    state: S,
    pub(super) meter: Meter,
    table: TranspositionTable,
    order: MoveOrder<S::Move>,
    /// Move lists to reuse, by ply.
    lists: Vec<MoveLists<S::Move>>,
    /// The keys from the root to the current node, in games that repeat.
    path: Vec<u64>,
}

struct MoveLists<M> {
    moves: Vec<M>,
    ranked: Vec<Ranked>,
}

/// The result of iterative deepening.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deepened {
    /// The index of the best move.
    pub(super) best: usize,
    pub(super) score: i32,
    pub(super) depth: u32,
    /// Whether a deeper search would give the same.
    pub(super) settled: bool,
}

impl Deepened {
    pub(super) fn verdict(&self) -> Verdict {
        match value(self.score) {
            Some(value) => Verdict::Proven(value),
            None if self.settled => Verdict::Proven(Value::Draw),
            None => Verdict::Estimate(self.score),
        }
    }
}

/// The score of a node, fail-soft: exact inside (alpha, beta), otherwise a bound.
#[derive(Debug, Clone, Copy)]
struct Scored {
    score: i32,
    best: u16,
    /// Whether the score, or bound, holds at any depth.
    holds_at_any_depth: bool,
    /// Whether the score rests on a repetition on the path to the node.
    path_dependent: bool,
}

impl Scored {
    fn leaf(score: i32, holds_at_any_depth: bool) -> Scored {
        Scored { score, best: 0, holds_at_any_depth, path_dependent: false }
    }

    /// The same, one ply before, for the same seat or the other.
    fn before_move(self, same_seat: bool) -> Scored {
        let score = if same_seat { self.score } else { -self.score };
        let score = match score {
            MIN_MATE.. => score - 1,
            ..=MAX_MATED => score + 1,
            _ => score,
        };
        Scored { score, ..self }
    }
}

/// The window of a child, so that its scores are inside exactly if they are inside the parent's one
/// ply before.
fn child_window(alpha: i32, beta: i32, same_seat: bool) -> (i32, i32) {
    let after_move = |bound: i32| match bound {
        MIN_MATE.. => bound + 1,
        ..=MAX_MATED => bound - 1,
        _ => bound,
    };
    let (alpha, beta) = (after_move(alpha), after_move(beta));
    if same_seat { (alpha, beta) } else { (-beta, -alpha) }
}

/// The score of a game that the mover's move ended.
fn terminal_score(outcome: Outcome, mover: Seat) -> i32 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(seat) if seat == mover => MATE - 1,
        Outcome::Win(_) => 1 - MATE,
    }
}

/// The win or loss that a score stands for.
pub(super) fn value(score: i32) -> Option<Value> {
    let plies = u16::try_from(MATE - score.abs()).unwrap_or(u16::MAX);
    match score {
        MIN_MATE.. => Some(Value::Win { plies }),
        ..=MAX_MATED => Some(Value::Loss { plies }),
        _ => None,
    }
}

/// Whether a search to this depth is right about the distance of a win or loss.
fn is_within(score: i32, depth: u32) -> bool {
    MATE - score.abs() <= depth as i32
}

impl<'e, S: State, E: Evaluate<S>> AlphaBetaSearch<'e, S, E> {
    const MAX_TABLE_SLOTS: u64 = 1 << 20;

    pub(super) fn new(root: &S, evaluation: &'e E, budget: &Budget) -> Self {
        let max_slots = budget.nodes().unwrap_or(u64::MAX).clamp(1, Self::MAX_TABLE_SLOTS);
        let slots = budget.table_slots(max_slots, TranspositionTable::SLOT_BYTES);
        AlphaBetaSearch {
            evaluation,
            state: root.clone(),
            meter: Meter::new(budget),
            table: TranspositionTable::new(slots as usize),
            order: MoveOrder::new(),
            lists: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Iterative deepening until the score is settled or the budget is used up; `None` if it is not
    /// enough for depth 1. The state must not be over.
    pub(super) fn deepen(&mut self, root: &S) -> Option<Deepened> {
        let mut deepest = None;
        for depth in 1..=MAX_DEPTH {
            let Ok(found) = self.search_to_depth(root, depth) else { break };
            let settled = found.settled;
            deepest = Some(found);
            if settled {
                break;
            }
        }
        deepest
    }

    /// Iterative deepening of all moves together, until they are settled or the budget is used up.
    /// Moves keep the verdict of the last depth that all of them reached, or their proof.
    pub(super) fn deepen_each(&mut self, root: &S, moves: &[S::Move], verdicts: &mut [Verdict]) {
        let Some(mover) = root.turn() else { return };
        let mut open: Vec<usize> = (0..moves.len()).collect();
        for depth in 0..MAX_DEPTH {
            let mut scores = Vec::with_capacity(open.len());
            for &index in &open {
                match self.score_move(root, moves[index], mover, depth) {
                    Ok(found) => scores.push(found),
                    Err(OutOfBudget) => {
                        // Proofs count even if the depth is not complete.
                        let proven = open.iter().zip(scores).filter(|(_, found)| found.settled);
                        proven.for_each(|(&index, found)| verdicts[index] = found.verdict());
                        return;
                    }
                }
            }
            open.iter().zip(&scores).for_each(|(&index, found)| verdicts[index] = found.verdict());
            let mut scores = scores.iter();
            open.retain(|_| scores.next().is_some_and(|found| !found.settled));
            if open.is_empty() {
                return;
            }
        }
    }

    /// The score of a move, searched to this depth after the move.
    fn score_move(
        &mut self,
        root: &S,
        mv: S::Move,
        mover: Seat,
        depth: u32,
    ) -> Result<Deepened, OutOfBudget> {
        let mut child = root.clone();
        if let Some(outcome) = child.play(mv).expect("the move is in the list of moves") {
            let score = terminal_score(outcome, mover);
            return Ok(Deepened { best: 0, score, depth, settled: true });
        }
        let found = self.search_to_depth(&child, depth)?;
        let scored = Scored::leaf(found.score, found.settled);
        let score = scored.before_move(child.turn() == Some(mover)).score;
        Ok(Deepened { score, ..found })
    }

    /// Searches to one depth, with a full window.
    pub(super) fn search_to_depth(
        &mut self,
        root: &S,
        depth: u32,
    ) -> Result<Deepened, OutOfBudget> {
        self.state = root.clone();
        self.path.clear();
        let Scored { score, best, holds_at_any_depth, .. } =
            self.search(depth, 0, -INFINITE, INFINITE)?;
        let settled = match value(score) {
            Some(_) => is_within(score, depth),
            None => holds_at_any_depth,
        };
        Ok(Deepened { best: best.into(), score, depth, settled })
    }

    /// The best move of a position in the table.
    pub(super) fn table_move(&self, state: &S) -> Option<usize> {
        self.table.get(state.key()).map(|entry| entry.best.into())
    }

    fn search(
        &mut self,
        depth: u32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<Scored, OutOfBudget> {
        self.meter.spend()?;
        let key = self.state.key();
        if self.path.contains(&key) {
            return Ok(Scored { path_dependent: true, ..Scored::leaf(0, false) });
        }
        let entry = self.table.get(key);
        if let Some(entry) = entry
            && let Some(score) = entry.cutoff(depth, alpha, beta)
        {
            let holds_at_any_depth = entry.depth == ANY_DEPTH;
            return Ok(Scored { best: entry.best, ..Scored::leaf(score, holds_at_any_depth) });
        }
        if depth == 0 {
            let estimate = self.evaluation.evaluate(&self.state);
            return Ok(Scored::leaf(estimate.clamp(-MAX_ESTIMATE, MAX_ESTIMATE), false));
        }
        let Some(mover) = self.state.turn() else { return Ok(Scored::leaf(0, true)) };

        let mut lists = self.lists.get_mut(ply).map(std::mem::take).unwrap_or_default();
        lists.moves.clear();
        self.state.moves(&mut lists.moves);
        let table_move = entry.map(|entry| entry.best.into());
        self.order.sort(&lists.moves, table_move, ply, &mut lists.ranked);
        if self.state.repeats() {
            self.path.push(key);
        }
        let found = self.search_moves(&lists, mover, depth, ply, (alpha, beta))?;
        if self.state.repeats() {
            self.path.pop();
        }
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, MoveLists::default);
        }
        self.lists[ply] = lists;
        Ok(self.store(key, found, depth, (alpha, beta)))
    }

    fn search_moves(
        &mut self,
        lists: &MoveLists<S::Move>,
        mover: Seat,
        depth: u32,
        ply: usize,
        (mut alpha, beta): (i32, i32),
    ) -> Result<Scored, OutOfBudget> {
        let mut best = Scored::leaf(-INFINITE, true);
        for &Ranked { index, .. } in &lists.ranked {
            let mv = lists.moves[index as usize];
            let child = match self.state.play(mv).expect("the move is in the list of moves") {
                Some(outcome) => {
                    self.meter.spend()?;
                    Scored::leaf(terminal_score(outcome, mover), true)
                }
                None => {
                    let same_seat = self.state.turn() == Some(mover);
                    let (alpha, beta) = child_window(alpha, beta, same_seat);
                    self.search(depth - 1, ply + 1, alpha, beta)?.before_move(same_seat)
                }
            };
            self.state.undo();
            if child.score >= beta {
                self.order.cutoff(mv, ply, depth);
                return Ok(Scored { best: index as u16, ..child });
            }
            if child.score > best.score {
                (best.score, best.best) = (child.score, index as u16);
                alpha = alpha.max(child.score);
            }
            best.holds_at_any_depth &= child.holds_at_any_depth;
            best.path_dependent |= child.path_dependent;
        }
        Ok(if lists.moves.is_empty() { Scored::leaf(0, true) } else { best })
    }

    /// Stores a score with what it is worth: wins and losses hold at any depth, as bounds at least.
    fn store(&mut self, key: u64, found: Scored, depth: u32, (alpha, beta): (i32, i32)) -> Scored {
        let Scored { score, best, holds_at_any_depth, path_dependent } = found;
        let bound = match score {
            _ if score >= beta => Bound::Lower,
            _ if score <= alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        // A win stays a win, and a loss a loss, whatever else is found deeper or on other paths.
        let proof = match value(score) {
            Some(Value::Win { .. }) if bound != Bound::Upper => Some(Bound::Lower),
            Some(Value::Loss { .. }) if bound != Bound::Lower => Some(Bound::Upper),
            _ => None,
        };
        let exact_distance = value(score).is_some() && is_within(score, depth);
        let at_any_depth = match value(score) {
            Some(_) => exact_distance || proof.is_some(),
            None => holds_at_any_depth,
        };
        let stored = match proof {
            Some(proof) if path_dependent || !exact_distance => Some((proof, ANY_DEPTH)),
            _ if path_dependent => None,
            _ if at_any_depth => Some((bound, ANY_DEPTH)),
            _ => Some((bound, depth as u8)),
        };
        if let Some((bound, depth)) = stored {
            self.table.insert(key, TtEntry { score, best, depth, bound });
        }
        Scored {
            holds_at_any_depth: at_any_depth,
            path_dependent: path_dependent && proof.is_none(),
            ..found
        }
    }
}

impl<M> Default for MoveLists<M> {
    fn default() -> Self {
        MoveLists { moves: Vec::new(), ranked: Vec::new() }
    }
}

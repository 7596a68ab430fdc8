//! Openings with a choice of marks.
//!
//! The chooser takes the better side of the game beneath, so whoever places the opening stones wants
//! them balanced.

use std::collections::HashMap;
use std::time::Instant;

use noughts_rules::{Action, Cell, Move, Opening, OpeningStage, Position, Rules};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::best_line::{self, BestLine, DEFAULT_NODES};
use crate::budget::OutOfBudget;
use crate::search::SearchLimits;
use crate::solve::MAX_SOLVABLE_CELLS;
use crate::{Budget, Choice, MoveVerdict, Solution, StrategyError, Value, Verdict, solve};

/// The share of the budget for a proof, on boards on which one is possible.
const PROOF_SHARE: f64 = 0.4;

/// Balanced openings for large boards, near an edge, where stones are worth least. Each stone is its
/// column, counted from the middle, and its row.
const OPENINGS: [[(i16, u8); 3]; 6] = [
    [(-3, 0), (-1, 2), (2, 0)],
    [(0, 1), (1, 0), (-2, 1)],
    [(-4, 0), (0, 1), (4, 0)],
    [(2, 1), (0, 0), (-1, 2)],
    [(-5, 1), (1, 1), (3, 0)],
    [(0, 2), (1, 1), (0, 0)],
];

/// The opening stones that fit on the board, in the order of moves.
pub(crate) fn openings(rules: &Rules) -> impl Iterator<Item = [Cell; 3]> + '_ {
    let cell = |(offset, row): (i16, u8)| {
        let col = u8::try_from(i16::from(rules.cols() / 2) + offset).ok()?;
        Cell::new(row, col).filter(|&cell| rules.contains(cell))
    };
    let stones = move |opening: &[(i16, u8); 3]| {
        Some([cell(opening[0])?, cell(opening[1])?, cell(opening[2])?])
    };
    OPENINGS.iter().filter_map(stones)
}

/// The best move of the opening: the better side of a choice, or a stone that leaves the game balanced.
pub(crate) fn search_best_line(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Result<BestLine, StrategyError> {
    let start = Instant::now();
    let budget = budget.clone().or_nodes(DEFAULT_NODES);
    let mut proof_nodes = 0;
    if position.rules().cell_count() <= MAX_SOLVABLE_CELLS {
        let Solution { value, pv, nodes } = solve_opening(position, &budget.share(PROOF_SHARE));
        proof_nodes = nodes;
        if let (Some(value), Some(&mv)) = (value, pv.first()) {
            return Ok(BestLine { mv, verdict: Verdict::Proven(value), pv, nodes, depth: 0 });
        }
    }
    let budget = budget.remaining(start, proof_nodes);
    let line = without_proof(position, &budget, limits, seed)?;
    Ok(BestLine { nodes: line.nodes + proof_nodes, ..line })
}

fn without_proof(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Result<BestLine, StrategyError> {
    if is_choice(position) {
        return choose_mark(position, budget, limits, seed);
    }
    if let Some(mv) = stone_without_search(position, seed) {
        return Ok(BestLine::without_search(mv));
    }
    let moves = essential_moves(position);
    let lines = judge_stones(position, &moves, budget, limits, seed);
    let nodes = lines.iter().map(|line| line.nodes).sum();
    let best = lines.into_iter().max_by_key(|line| score(line.verdict));
    best.map(|best| BestLine { nodes, ..best }).ok_or(StrategyError::GameOver)
}

/// [`search_best_line`] as the choice of a player.
pub(crate) fn choose(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Result<Choice, StrategyError> {
    let line = search_best_line(position, budget, limits, seed)?;
    Ok(Choice { mv: line.mv, verdict: Some(line.verdict) })
}

/// A verdict on every legal move, and the nodes searched.
pub(crate) fn judge_moves(
    position: &Position,
    best: &BestLine,
    budget: &Budget,
    seed: u64,
) -> (Vec<MoveVerdict>, u64) {
    let moves: Vec<Move> = position.legal_moves().collect();
    let (verdicts, nodes) = if is_choice(position) {
        (moves.iter().map(|&mv| choice_verdict(position, best, mv)).collect(), 0)
    } else if is_last_stone(position) {
        let budget = budget.clone().or_nodes(DEFAULT_NODES);
        let lines = judge_stones(position, &moves, &budget, SearchLimits::FULL, seed);
        let nodes = lines.iter().map(|line| line.nodes).sum();
        (lines.into_iter().map(|line| line.verdict).collect(), nodes)
    } else {
        // The stones after this one can still balance the game.
        (vec![Verdict::Estimate(0); moves.len()], 0)
    };
    let judged: Vec<MoveVerdict> = moves
        .into_iter()
        .zip(verdicts)
        .map(|(mv, verdict)| MoveVerdict {
            mv,
            verdict: if mv == best.mv { best.verdict } else { verdict },
        })
        .collect();
    (judged, nodes)
}

/// Searches the game beneath once: its value decides between both marks.
fn choose_mark(
    position: &Position,
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Result<BestLine, StrategyError> {
    let after = after(position, Move::Keep).ok_or(StrategyError::GameOver)?;
    let beneath = best_line::search_best_line(&after, budget, limits, seed)?;
    let keep = before_choice(position, &after, beneath.verdict);
    let swap = match keep {
        Verdict::Estimate(score) => Verdict::Estimate(-score),
        Verdict::Proven(value) => Verdict::Proven(for_other_seat(value)),
    };
    let (mv, verdict) =
        if score(swap) > score(keep) { (Move::Swap, swap) } else { (Move::Keep, keep) };
    let mut pv = vec![mv];
    pv.extend(beneath.pv);
    Ok(BestLine { mv, verdict, pv, nodes: beneath.nodes, depth: beneath.depth })
}

/// The verdict on a choice, if that on the best one is known. Two more stones leave the better side to
/// the opponent.
fn choice_verdict(position: &Position, best: &BestLine, choice: Move) -> Verdict {
    if choice == best.mv {
        return best.verdict;
    }
    if choice == Move::More || !position.is_legal(choice) {
        return Verdict::Estimate(0);
    }
    match best.verdict {
        Verdict::Estimate(score) => Verdict::Estimate(-score),
        Verdict::Proven(value) => Verdict::Proven(for_other_seat(value)),
    }
}

/// The line from each of these last stones of an opening stage on. Each gets an equal part of the
/// budget.
fn judge_stones(
    position: &Position,
    moves: &[Move],
    budget: &Budget,
    limits: SearchLimits,
    seed: u64,
) -> Vec<BestLine> {
    let start = Instant::now();
    let mut nodes = 0;
    let line = |(i, &mv): (usize, &Move)| {
        let unknown = BestLine::without_search(mv);
        let part = budget.remaining(start, nodes).share(1.0 / (moves.len() - i) as f64);
        let Some(after) = after(position, mv) else { return unknown };
        let Ok(chosen) = choose_mark(&after, &part, limits, seed) else { return unknown };
        nodes += chosen.nodes;
        let mut pv = vec![mv];
        pv.extend(chosen.pv);
        let verdict = before_move(chosen.verdict, after.turn() == position.turn());
        BestLine { mv, verdict, pv, nodes: chosen.nodes, depth: chosen.depth }
    };
    moves.iter().enumerate().map(line).collect()
}

/// A stone of a known opening, or a random one if it is not the last of its stage.
fn stone_without_search(position: &Position, seed: u64) -> Option<Move> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let known: Vec<Cell> = known_stones(position).collect();
    match known.choose(&mut rng) {
        Some(&cell) => Some(Move::Place(cell)),
        None if is_last_stone(position) => None,
        None => position.nth_move(rng.random_range(0..position.move_count())),
    }
}

/// The next stones of the known openings that begin with the stones so far.
fn known_stones(position: &Position) -> impl Iterator<Item = Cell> + '_ {
    let rules = position.rules();
    let applies = rules.parts().opening == Opening::Swap2
        && rules.k() == 5
        && position.opening_stage() == OpeningStage::Place
        && position.history().len() == position.stone_count();
    let placed: Vec<Cell> = position.history().filter_map(Action::cell).collect();
    openings(rules)
        .filter(move |opening| applies && opening.starts_with(&placed))
        .filter_map(|opening| opening.get(position.stone_count()).copied())
        .filter(|&cell| position.is_legal(cell))
}

/// Legal moves of which no two are mirror images.
fn essential_moves(position: &Position) -> Vec<Move> {
    let rules = position.rules();
    let mut marks = vec![0; rules.cell_count()];
    position.fill_marks(&mut marks);
    let keeps_marks = |symmetry: &Vec<usize>| {
        symmetry.iter().enumerate().all(|(cell, &image)| marks[cell] == marks[image])
    };
    let symmetries: Vec<Vec<usize>> = rules.symmetries().filter(keeps_marks).collect();
    let is_first = |mv: &Move| {
        let cell = mv.cell().and_then(|cell| rules.cell_index(cell));
        cell.is_none_or(|cell| symmetries.iter().all(|symmetry| symmetry[cell] >= cell))
    };
    position.legal_moves().filter(is_first).collect()
}

/// The exact value, by the values of the games beneath.
pub(crate) fn solve_opening(position: &Position, budget: &Budget) -> Solution {
    let start = Instant::now();
    let mut solver = OpeningSolver { budget, start, nodes: 0, known: HashMap::new() };
    let value = solver.value(position).ok();
    let pv = value.map_or_else(Vec::new, |value| solver.pv(position, value));
    Solution { value, pv, nodes: solver.nodes }
}

struct OpeningSolver<'a> {
    budget: &'a Budget,
    start: Instant,
    nodes: u64,
    /// The values of positions by their keys.
    known: HashMap<u64, Value>,
}

impl OpeningSolver<'_> {
    fn value(&mut self, position: &Position) -> Result<Value, OutOfBudget> {
        if let Some(&value) = self.known.get(&position.key()) {
            return Ok(value);
        }
        let value = match position.opening_stage() {
            OpeningStage::Done => self.value_beneath(position)?,
            _ => self.value_of_opening(position)?,
        };
        self.known.insert(position.key(), value);
        Ok(value)
    }

    fn value_beneath(&mut self, position: &Position) -> Result<Value, OutOfBudget> {
        let budget = self.budget.remaining(self.start, self.nodes);
        if budget.nodes() == Some(0) || budget.is_stopped() {
            return Err(OutOfBudget);
        }
        let solution = solve(position, &budget).map_err(|_| OutOfBudget)?;
        self.nodes += solution.nodes;
        solution.value.ok_or(OutOfBudget)
    }

    fn value_of_opening(&mut self, position: &Position) -> Result<Value, OutOfBudget> {
        if is_choice(position) {
            let keep = self.value_of(position, Move::Keep)?;
            // Two more stones leave the better side to the opponent.
            return Ok(keep.max(for_other_seat(keep)));
        }
        // The opponent chooses, so a draw is the best that opening stones can achieve.
        let mut best = None;
        for mv in essential_moves(position) {
            best = best.max(Some(self.value_of(position, mv)?));
            if best == Some(Value::Draw) {
                break;
            }
        }
        best.ok_or(OutOfBudget)
    }

    fn value_of(&mut self, position: &Position, mv: Move) -> Result<Value, OutOfBudget> {
        let after = after(position, mv).ok_or(OutOfBudget)?;
        let value = self.value(&after)?;
        let verdict = before_move(Verdict::Proven(value), after.turn() == position.turn());
        verdict.proven().ok_or(OutOfBudget)
    }

    fn pv(&mut self, position: &Position, value: Value) -> Vec<Move> {
        if position.opening_stage() == OpeningStage::Done {
            let budget = self.budget.remaining(self.start, self.nodes);
            return solve(position, &budget).map_or_else(|_| Vec::new(), |solution| solution.pv);
        }
        let moves = if is_choice(position) {
            vec![Move::Keep, Move::Swap]
        } else {
            essential_moves(position)
        };
        let keeps_value = |&mv: &Move| self.value_of(position, mv) == Ok(value);
        let Some(mv) = moves.into_iter().find(keeps_value) else {
            return Vec::new();
        };
        let Some(after) = after(position, mv) else { return Vec::new() };
        let mut pv = vec![mv];
        if let Some(&value) = self.known.get(&after.key()) {
            pv.extend(self.pv(&after, value));
        }
        pv
    }
}

fn is_choice(position: &Position) -> bool {
    matches!(position.opening_stage(), OpeningStage::Choose | OpeningStage::ChooseLast)
}

/// Whether a choice follows the next stone.
fn is_last_stone(position: &Position) -> bool {
    let mut moves = position.legal_moves();
    !is_choice(position)
        && moves.next().and_then(|mv| after(position, mv)).is_some_and(|after| is_choice(&after))
}

/// The position after a move, if that is legal and does not end the game.
fn after(position: &Position, mv: Move) -> Option<Position> {
    let mut after = position.clone();
    matches!(after.play(mv), Ok(None)).then_some(after)
}

/// The verdict on a choice of marks, from that on the position after it.
fn before_choice(position: &Position, after: &Position, verdict: Verdict) -> Verdict {
    before_move(verdict, after.turn() == position.turn())
}

/// The verdict on a move, from that on the position after it, in which the same seat or the other is
/// to move.
pub(crate) fn before_move(verdict: Verdict, same_seat: bool) -> Verdict {
    match verdict {
        Verdict::Estimate(score) => Verdict::Estimate(if same_seat { score } else { -score }),
        Verdict::Proven(value) if same_seat => Verdict::Proven(for_other_seat(value.before_move())),
        Verdict::Proven(value) => Verdict::Proven(value.before_move()),
    }
}

/// The value for the other of two seats.
fn for_other_seat(value: Value) -> Value {
    match value {
        Value::Win { plies } => Value::Loss { plies },
        Value::Draw => Value::Draw,
        Value::Loss { plies } => Value::Win { plies },
    }
}

/// The verdict as a number: positive if the seat to move is better.
pub(crate) fn score(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Estimate(score) => score,
        Verdict::Proven(Value::Win { plies }) => i32::MAX - i32::from(plies),
        Verdict::Proven(Value::Draw) => 0,
        Verdict::Proven(Value::Loss { plies }) => i32::from(plies) - i32::MAX,
    }
}

//! Alpha-beta on bitboards for tiny boards, where setting up the [`Prover`] would
//! take longer than the search.

use noughts_rules::{Cell, Move, Position, Rules};

use super::{Prover, Solution};
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Value;

/// The most cells that this solver handles.
const MAX_CELLS: usize = 12;

/// A set of cells, one bit for each cell index.
type Bitboard = u16;

/// The score for the seat to move: 0 for a draw, `MATE` minus the plies for a win, negative for a
/// loss.
type Score = i8;

const MATE: Score = 100;

/// A seat has a line if it holds all `cells` and none of the `ends`.
#[derive(Debug, Clone, Copy)]
struct LineMask {
    cells: Bitboard,
    ends: Bitboard,
}

#[derive(Debug)]
pub(super) struct SmallSolver {
    rules: Rules,
    own: Bitboard,
    other: Bitboard,
    full: Bitboard,
    lines: Vec<LineMask>,
    /// The cells, those on most lines first.
    move_order: Vec<u8>,
    /// The symmetries of the board without the identity.
    symmetries: Vec<Vec<usize>>,
    meter: Meter,
    table: Vec<BoundsEntry>,
    /// For each set of own cells, the cells that complete a line; computed on demand.
    completions: Vec<Bitboard>,
}

/// A slot of the transposition table: bounds on the score of a position.
#[derive(Debug, Clone, Copy)]
struct BoundsEntry {
    own: Bitboard,
    other: Bitboard,
    lower: Score,
    upper: Score,
}

/// An empty slot, which matches no position.
const FREE: BoundsEntry =
    BoundsEntry { own: Bitboard::MAX, other: Bitboard::MAX, lower: 0, upper: 0 };

/// Marks completions that are not computed yet.
const UNCOMPUTED: Bitboard = Bitboard::MAX;

const TABLE_SLOTS: usize = 1 << 8;

impl SmallSolver {
    /// Whether this solver handles the position: two seats, few cells, and no stacked levels.
    pub(super) fn supports(position: &Position) -> bool {
        let rules = position.rules();
        Prover::supports(position)
            && rules.players() == 2
            && rules.cell_count() <= MAX_CELLS
            && !(rules.gravity() && rules.levels() > 1)
    }

    /// For an ongoing game that is [supported](SmallSolver::supports).
    pub(super) fn new(position: &Position, budget: &Budget) -> SmallSolver {
        let rules = position.rules();
        let mask = |cells: &[Cell]| -> Bitboard {
            let bits = cells.iter().filter_map(|&cell| rules.cell_index(cell));
            bits.fold(0, |mask, index| mask | 1 << index)
        };
        let lines: Vec<LineMask> = rules
            .lines()
            .iter()
            .map(|line| LineMask { cells: mask(line.cells()), ends: mask(line.ends()) })
            .collect();
        let lines_through = |cell: u8| lines.iter().filter(|l| l.cells >> cell & 1 == 1).count();
        let mut move_order: Vec<u8> = (0..rules.cell_count() as u8).collect();
        move_order.sort_unstable_by_key(|&cell| std::cmp::Reverse(lines_through(cell)));
        let turn = position.turn();
        let stones = |is_own: bool| {
            let matches = |mark| (position.owner(mark) == turn) == is_own;
            let cells = rules.cells().filter(|&cell| position.mark_at(cell).is_some_and(matches));
            mask(&cells.collect::<Vec<Cell>>())
        };
        SmallSolver {
            own: stones(true),
            other: stones(false),
            full: (1 << rules.cell_count()) - 1,
            lines,
            move_order,
            symmetries: rules.symmetries().skip(1).collect(),
            meter: Meter::new(budget),
            table: vec![FREE; TABLE_SLOTS],
            completions: vec![UNCOMPUTED; 1 << rules.cell_count()],
            rules: rules.clone(),
        }
    }

    pub(super) fn solve(mut self) -> Solution {
        let score = self.root_score();
        let pv = score.map_or_else(|_| Vec::new(), |score| self.pv(score));
        let pv = pv.into_iter().map(Move::from).collect();
        Solution { value: score.ok().map(value), pv, nodes: self.meter.nodes() }
    }

    /// First searches for a win of the seat to move, then for a loss.
    fn root_score(&mut self) -> Result<Score, OutOfBudget> {
        let (own, other) = (self.own, self.other);
        let score = self.search(own, other, 0, MATE)?;
        // Strategy stealing: the first player cannot lose from the empty board.
        let rules = &self.rules;
        let stones_help = !rules.misere() && !rules.gravity() && !rules.exact();
        if score > 0 || (stones_help && own | other == 0) {
            return Ok(score.max(0));
        }
        self.search(own, other, -MATE, 0)
    }

    /// Fail-soft: exact inside (alpha, beta), otherwise a bound.
    fn search(
        &mut self,
        own: Bitboard,
        other: Bitboard,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, OutOfBudget> {
        self.meter.spend()?;
        let empty = self.full & !(own | other);
        if empty == 0 {
            return Ok(0);
        }
        let mut moves = self.legal_moves(empty);
        if self.rules.misere() {
            moves &= !self.completions(own, other);
            if moves == 0 {
                return Ok(-(MATE - 1));
            }
        } else {
            if moves & self.completions(own, other) != 0 {
                return Ok(MATE - 1);
            }
            let threats = moves & self.completions(other, own);
            if threats & threats.wrapping_sub(1) != 0 {
                return Ok(-(MATE - 2));
            }
            if threats != 0 {
                moves = threats;
            }
            // A win takes three plies or more, and an open line.
            beta = beta.min(MATE - 3);
            if alpha >= 0 && !self.has_open_line(other) {
                return Ok(0);
            }
            if beta <= 0 && !self.has_open_line(own) {
                return Ok(0);
            }
        }
        if alpha >= beta {
            return Ok(beta);
        }
        if own | other == 0 || (own | other).is_power_of_two() {
            moves = self.without_symmetric_moves(own, other, moves);
        }
        let slot = table_slot(own, other);
        let mut entry = BoundsEntry { own, other, lower: -MATE, upper: MATE };
        let found = self.table[slot];
        if (found.own, found.other) == (own, other) {
            entry = found;
            alpha = alpha.max(entry.lower);
            beta = beta.min(entry.upper);
            if alpha >= beta {
                return Ok(if entry.lower >= beta { entry.lower } else { entry.upper });
            }
        }
        let low = alpha;
        let mut best = -MATE;
        for i in 0..self.move_order.len() {
            let cell = self.move_order[i];
            if moves >> cell & 1 == 0 {
                continue;
            }
            let window = (to_child(-beta), to_child(-alpha.max(best)));
            let score = self.search(other, own | 1 << cell, window.0, window.1)?;
            best = best.max(to_parent(-score));
            if best >= beta {
                break;
            }
        }
        if best > low {
            entry.lower = entry.lower.max(best);
        }
        if best < beta {
            entry.upper = entry.upper.min(best);
        }
        self.table[slot] = entry;
        Ok(best)
    }

    /// The principal variation of a position with this score, as far as the budget goes.
    fn pv(&mut self, score: Score) -> Vec<Cell> {
        let (mut own, mut other, mut score) = (self.own, self.other, score);
        let mut pv = Vec::new();
        while let Some(cell) = self.move_keeping(own, other, score) {
            pv.extend(self.rules.cell_at(cell.into()));
            let completes = self.completions(own, other) >> cell & 1 == 1;
            (own, other) = (other, own | 1 << cell);
            score = to_child(-score);
            if completes || own | other == self.full {
                break;
            }
        }
        pv
    }

    /// A move that keeps the score of the position.
    fn move_keeping(&mut self, own: Bitboard, other: Bitboard, score: Score) -> Option<u8> {
        let moves = self.legal_moves(self.full & !(own | other));
        let completions = self.completions(own, other);
        let win = if self.rules.misere() { -(MATE - 1) } else { MATE - 1 };
        self.move_order.clone().into_iter().filter(|&cell| moves >> cell & 1 == 1).find(|&cell| {
            if completions >> cell & 1 == 1 {
                return score == win;
            }
            // A null-window search: the opponent must not get more than the score leaves it.
            let rest = to_child(-score);
            self.search(other, own | 1 << cell, rest, rest + 1).is_ok_and(|after| after <= rest)
        })
    }

    #[inline]
    fn legal_moves(&self, empty: Bitboard) -> Bitboard {
        if !self.rules.gravity() {
            return empty;
        }
        // The cell below is occupied or the floor.
        let cols = self.rules.cols();
        let occupied = self.full & !empty;
        let floor = self.full & !(self.full >> cols);
        empty & (occupied >> cols | floor)
    }

    /// The empty cells in which a seat completes a line.
    #[inline]
    fn completions(&mut self, own: Bitboard, other: Bitboard) -> Bitboard {
        let slot = usize::from(own);
        if self.completions[slot] == UNCOMPUTED {
            let missing = |line: &LineMask| line.cells & !own;
            let completable =
                |line: &&LineMask| missing(line).count_ones() == 1 && line.ends & own == 0;
            let lines = self.lines.iter().filter(completable);
            self.completions[slot] = lines.fold(0, |cells, line| cells | missing(line));
        }
        self.completions[slot] & !other
    }

    /// Whether a line has no stone of the given opponent.
    #[inline]
    fn has_open_line(&self, opponent: Bitboard) -> bool {
        self.lines.iter().any(|line| line.cells & opponent == 0)
    }

    /// Keeps one of each group of moves that a symmetry of the position maps to each other.
    fn without_symmetric_moves(&self, own: Bitboard, other: Bitboard, moves: Bitboard) -> Bitboard {
        let mut kept = moves;
        for symmetry in &self.symmetries {
            let image = |mask: Bitboard| {
                let cells = (0..symmetry.len()).filter(|cell| mask >> cell & 1 == 1);
                cells.fold(0, |image: Bitboard, cell| image | 1 << symmetry[cell])
            };
            if image(own) != own || image(other) != other {
                continue;
            }
            for (cell, &image) in symmetry.iter().enumerate() {
                if image < cell {
                    kept &= !(1 << cell);
                }
            }
        }
        kept
    }
}

#[inline]
fn table_slot(own: Bitboard, other: Bitboard) -> usize {
    let mixed = (u32::from(own) << 16 | u32::from(other)).wrapping_mul(0x9E37_79B9);
    (mixed >> 24) as usize % TABLE_SLOTS
}

/// Converts a child's score to its parent, where a mate is one ply farther away.
#[inline]
fn to_parent(score: Score) -> Score {
    score - score.signum()
}

/// The inverse of [`to_parent`].
#[inline]
fn to_child(score: Score) -> Score {
    score + score.signum()
}

fn value(score: Score) -> Value {
    let plies = u16::from((MATE - score.abs()).unsigned_abs());
    match score {
        0 => Value::Draw,
        1.. => Value::Win { plies },
        _ => Value::Loss { plies },
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Goal, RulesParts};
    use proptest::prelude::*;

    use super::*;

    fn any_rules() -> impl Strategy<Value = Rules> {
        let sides = (1u8..=4, 1u8..=4, 1u8..=3);
        let sides =
            sides.prop_filter("few cells", |(rows, cols, levels)| rows * cols * levels <= 12);
        (sides, 1u8..=4, any::<[bool; 4]>()).prop_map(|((rows, cols, levels), k, flags)| {
            let [misere, gravity, wrap, exact] = flags;
            let goal = if misere { Goal::Avoid } else { Goal::Line };
            let parts = RulesParts::space(rows, cols, levels).k(k.min(rows.max(cols).max(levels)));
            let parts = parts.goal(goal).gravity(gravity && levels == 1);
            parts.wrap(wrap).exact(exact).build().unwrap()
        })
    }

    proptest! {
        /// Both solvers agree on the value, and the principal variation has the right length.
        #[test]
        fn small_solver_agrees_with_prover(
            rules in any_rules(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 0..9),
        ) {
            let mut position = Position::new(&rules);
            for choice in moves {
                let legal: Vec<Move> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            let solution = SmallSolver::new(&position, &Budget::unlimited()).solve();
            let value = Prover::new(&position, &Budget::unlimited()).unwrap().value().unwrap();
            prop_assert_eq!(solution.value, Some(value), "{}", position);
            let left = rules.cell_count() - position.stone_count();
            let plies = value.plies().map_or(left, usize::from);
            prop_assert_eq!(solution.pv.len(), plies, "{}", position);
            for cell in solution.pv {
                position.play(cell).unwrap();
            }
            prop_assert!(position.outcome().is_some());
        }
    }
}

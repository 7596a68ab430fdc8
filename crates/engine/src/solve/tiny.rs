//! Boards of a few cells, solved on two machine words: setting up the books that larger boards
//! need would take longer than the search.

use noughts_rules::{Cell, Position, Seat};

use super::Solution;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Value;

/// The most cells of a board that is solved here.
pub(super) const MOST_CELLS: usize = 12;

/// Cells as bits.
type Cells = u16;

/// What a position is worth for the seat to move: 0 for a draw, the more the sooner it wins, below
/// that the sooner it loses.
type Score = i8;

/// A win at once is worth one less. No game is this long.
const TOP: Score = 100;

/// Where a seat has every one of `cells` and none of `ends`, it has a line.
#[derive(Debug, Clone, Copy)]
struct Line {
    cells: Cells,
    ends: Cells,
}

#[derive(Debug)]
pub(super) struct Tiny {
    own: Cells,
    other: Cells,
    cells: usize,
    full: Cells,
    cols: usize,
    gravity: bool,
    misere: bool,
    exact: bool,
    lines: Vec<Line>,
    /// The cells, those on most lines first.
    order: [u8; MOST_CELLS],
    /// Where the symmetries of the board take each cell, the identity left out.
    images: Vec<[u8; MOST_CELLS]>,
    meter: Meter,
    known: Vec<Known>,
    /// For each set of cells of a seat, those with which it would complete a line, once asked.
    completing: Vec<Cells>,
}

/// What was found out about a position, with the largest score and the least that it may have.
#[derive(Debug, Clone, Copy)]
struct Known {
    own: Cells,
    other: Cells,
    least: Score,
    most: Score,
}

/// What stands for no position.
const NOTHING: Known = Known { own: Cells::MAX, other: Cells::MAX, least: 0, most: 0 };

/// Stands for cells that nobody has asked for.
const UNASKED: Cells = Cells::MAX;

/// Positions that are remembered at a time.
const REMEMBERED: usize = 1 << 8;

impl Tiny {
    /// For a position of a game between the two seats that goes on.
    pub(super) fn new(position: &Position, budget: &Budget) -> Tiny {
        let rules = position.rules();
        let cols = usize::from(rules.cols());
        let bit = |cell: &Cell| -> Cells { 1 << place(*cell, cols) };
        let all = |cells: &[Cell]| cells.iter().fold(0, |all, cell| all | bit(cell));
        let lines: Vec<Line> = rules
            .lines()
            .iter()
            .map(|line| Line { cells: all(line.cells()), ends: all(line.ends()) })
            .collect();
        let through = |cell: u8| lines.iter().filter(|line| line.cells >> cell & 1 == 1).count();
        let mut order = std::array::from_fn(|i| i as u8);
        order[..rules.cell_count()].sort_unstable_by_key(|&cell| std::cmp::Reverse(through(cell)));
        let of = |seat: Option<Seat>| {
            let cells =
                rules.cells().filter(|&cell| seat.is_some_and(|s| is_of(position, cell, s)));
            cells.fold(0, |all, cell| all | bit(&cell))
        };
        let turn = position.turn();
        Tiny {
            own: of(turn),
            other: of(rules.seats().find(|&seat| Some(seat) != turn)),
            cells: rules.cell_count(),
            full: (1 << rules.cell_count()) - 1,
            cols,
            gravity: rules.gravity(),
            misere: rules.misere(),
            exact: rules.exact(),
            lines,
            order,
            images: rules.symmetries().skip(1).map(|symmetry| images(&symmetry)).collect(),
            meter: Meter::new(budget),
            known: vec![NOTHING; REMEMBERED],
            completing: vec![UNASKED; 1 << rules.cell_count()],
        }
    }

    pub(super) fn solve(mut self) -> Solution {
        let score = self.root_score();
        let line = score.map_or_else(|_| Vec::new(), |score| self.line(score));
        Solution { value: score.ok().map(value), line, nodes: self.meter.nodes() }
    }

    /// Can the seat to move win? If not, can the other?
    fn root_score(&mut self) -> Result<Score, OutOfBudget> {
        let (own, other) = (self.own, self.other);
        let score = self.score(own, other, 0, TOP)?;
        // Who moves first on an empty board need not lose where stones only help their seat.
        let stones_help = !self.misere && !self.gravity && !self.exact;
        if score > 0 || (stones_help && own | other == 0) {
            return Ok(score.max(0));
        }
        self.score(own, other, -TOP, 0)
    }

    /// The score, exact if it is between the bounds, else beyond the one that it is beyond of.
    fn score(
        &mut self,
        own: Cells,
        other: Cells,
        mut alpha: Score,
        mut beta: Score,
    ) -> Result<Score, OutOfBudget> {
        self.meter.spend()?;
        let empty = self.full & !(own | other);
        if empty == 0 {
            return Ok(0);
        }
        let mut moves = self.legal(empty);
        if self.misere {
            moves &= !self.completing(own, other);
            if moves == 0 {
                return Ok(-(TOP - 1));
            }
        } else {
            if moves & self.completing(own, other) != 0 {
                return Ok(TOP - 1);
            }
            let threats = moves & self.completing(other, own);
            if threats & threats.wrapping_sub(1) != 0 {
                return Ok(-(TOP - 2));
            }
            if threats != 0 {
                moves = threats;
            }
            // Nobody wins sooner than by the next move but one, or without a line that is open.
            beta = beta.min(TOP - 3);
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
            moves = self.unlike(own, other, moves);
        }
        let index = index(own, other);
        let mut known = Known { own, other, least: -TOP, most: TOP };
        let found = self.known[index];
        if (found.own, found.other) == (own, other) {
            known = found;
            alpha = alpha.max(known.least);
            beta = beta.min(known.most);
            if alpha >= beta {
                return Ok(if known.least >= beta { known.least } else { known.most });
            }
        }
        let low = alpha;
        let mut best = -TOP;
        for i in 0..self.cells {
            let cell = self.order[i];
            if moves >> cell & 1 == 0 {
                continue;
            }
            let (alpha, beta) = (alpha.max(best), beta);
            let after = self.score(other, own | 1 << cell, earlier(-beta), earlier(-alpha))?;
            best = best.max(later(-after));
            if best >= beta {
                break;
            }
        }
        if best > low {
            known.least = known.least.max(best);
        }
        if best < beta {
            known.most = known.most.min(best);
        }
        self.known[index] = known;
        Ok(best)
    }

    /// Best play from a position with this score, as far as the budget goes.
    fn line(&mut self, score: Score) -> Vec<Cell> {
        let (mut own, mut other, mut score) = (self.own, self.other, score);
        let mut line = Vec::new();
        while let Some(cell) = self.move_with(own, other, score) {
            line.push(self.cell(cell));
            let completes = self.completing(own, other) >> cell & 1 == 1;
            (own, other) = (other, own | 1 << cell);
            score = earlier(-score);
            if completes || own | other == self.full {
                break;
            }
        }
        line
    }

    /// A move that keeps the score of the position.
    fn move_with(&mut self, own: Cells, other: Cells, score: Score) -> Option<u8> {
        let moves = self.legal(self.full & !(own | other));
        let completing = self.completing(own, other);
        self.order.into_iter().filter(|&cell| moves >> cell & 1 == 1).find(|&cell| {
            if completing >> cell & 1 == 1 {
                return score == if self.misere { -(TOP - 1) } else { TOP - 1 };
            }
            // One question: does the other seat get no more than the score leaves it?
            let left = earlier(-score);
            self.score(other, own | 1 << cell, left, left + 1).is_ok_and(|after| after <= left)
        })
    }

    #[inline]
    fn legal(&self, empty: Cells) -> Cells {
        if !self.gravity {
            return empty;
        }
        // What lies below is taken, or is the floor.
        let taken = self.full & !empty;
        let floor = self.full & !(self.full >> self.cols);
        empty & (taken >> self.cols | floor)
    }

    /// The empty cells with which a seat completes a line.
    #[inline]
    fn completing(&mut self, own: Cells, other: Cells) -> Cells {
        let own_place = usize::from(own);
        if self.completing[own_place] == UNASKED {
            let lacking = |line: &Line| line.cells & !own;
            let completable =
                |line: &&Line| lacking(line).count_ones() == 1 && line.ends & own == 0;
            let lines = self.lines.iter().filter(completable);
            self.completing[own_place] = lines.fold(0, |cells, line| cells | lacking(line));
        }
        self.completing[own_place] & !other
    }

    /// Whether a seat can still fill a line, whatever it takes.
    #[inline]
    fn has_open_line(&self, other: Cells) -> bool {
        self.lines.iter().any(|line| line.cells & other == 0)
    }

    /// Without the moves that a symmetry of the position takes to others of them.
    fn unlike(&self, own: Cells, other: Cells, moves: Cells) -> Cells {
        let mut unlike = moves;
        for image in &self.images {
            let of = |cells: Cells| {
                let places = (0..MOST_CELLS).filter(|place| cells >> place & 1 == 1);
                places.fold(0, |all: Cells, place| all | 1 << image[place])
            };
            if of(own) != own || of(other) != other {
                continue;
            }
            for (place, &image) in image.iter().enumerate() {
                if usize::from(image) < place {
                    unlike &= !(1 << place);
                }
            }
        }
        unlike
    }

    fn cell(&self, place: u8) -> Cell {
        let (row, col) = (usize::from(place) / self.cols, usize::from(place) % self.cols);
        Cell::new(row as u8, col as u8).expect("a cell of the board")
    }
}

fn place(cell: Cell, cols: usize) -> usize {
    usize::from(cell.row()) * cols + usize::from(cell.col())
}

/// Where the symmetry takes each cell; places beyond the board stay where they are.
fn images(symmetry: &[usize]) -> [u8; MOST_CELLS] {
    std::array::from_fn(|place| symmetry.get(place).map_or(place, |&image| image) as u8)
}

fn is_of(position: &Position, cell: Cell, seat: Seat) -> bool {
    position.seat_at(cell) == Some(seat)
}

#[inline]
fn index(own: Cells, other: Cells) -> usize {
    let mixed = (u32::from(own) << 16 | u32::from(other)).wrapping_mul(0x9E37_79B9);
    (mixed >> 24) as usize % REMEMBERED
}

/// A score one ply before, which is farther from the end.
#[inline]
fn later(score: Score) -> Score {
    score - score.signum()
}

/// A score one ply after, which is closer to the end.
#[inline]
fn earlier(score: Score) -> Score {
    score + score.signum()
}

fn value(score: Score) -> Value {
    let plies = u16::from((TOP - score.abs()).unsigned_abs());
    match score {
        0 => Value::Draw,
        1.. => Value::Win { plies },
        _ => Value::Loss { plies },
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Rules, RulesParts};
    use proptest::prelude::*;

    use super::*;
    use crate::solve::Prover;

    fn any_rules() -> impl Strategy<Value = Rules> {
        let sides = (1u8..=4, 1u8..=4).prop_filter("few cells", |(rows, cols)| rows * cols <= 12);
        (sides, 1u8..=4, any::<[bool; 4]>()).prop_map(|((rows, cols), k, flags)| {
            let [misere, gravity, wrap, exact] = flags;
            let k = Some(k.min(rows.max(cols)));
            let parts = RulesParts { rows, cols, k, players: 2, misere, gravity, wrap, exact };
            parts.build().unwrap()
        })
    }

    proptest! {
        /// The same values as on larger boards, and lines that end when they should.
        #[test]
        fn agrees_with_the_prover(
            rules in any_rules(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 0..9),
        ) {
            let mut position = Position::new(&rules);
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            let solution = Tiny::new(&position, &Budget::unlimited()).solve();
            let value = Prover::new(&position, &Budget::unlimited()).unwrap().value().unwrap();
            prop_assert_eq!(solution.value, Some(value), "{}", position);
            let left = rules.cell_count() - position.stones();
            let plies = value.plies().map_or(left, usize::from);
            prop_assert_eq!(solution.line.len(), plies, "{}", position);
            for cell in solution.line {
                position.play(cell).unwrap();
            }
            prop_assert!(position.outcome().is_some());
        }
    }
}

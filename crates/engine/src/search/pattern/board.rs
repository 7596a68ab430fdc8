//! A board for two that knows the shape of every empty cell, direction and seat. A move updates only
//! the cells within reach.

use std::sync::Arc;

use noughts_rules::Position;

use super::super::threat_board::{CellIndex, ThreatBoard};
use super::shape::{ShapeTable, digit_index};
use super::threat::{CellScore, CellShapes, ScoreTable, THREAT_COUNT, Threat};
use crate::zobrist::splitmix64;

const EMPTY: u8 = 2;
const WALL: u8 = 3;

/// The lowest neighbourhood digit of a wall cell, for both seats.
const WALL_DIGIT: u32 = 2 | 2 << 16;

/// Cells are numbered with a wall around the board, so that no update leaves the array.
#[derive(Debug, Clone)]
pub(in super::super) struct PatternBoard {
    tables: Arc<Tables>,
    cells: Vec<PatternCell>,
    sides: [Side; 2],
    turn: usize,
    empty_count: usize,
    key: u64,
    moves: Vec<Move>,
    /// The shapes that the moves replaced, for undo.
    changes: Vec<Change>,
}

/// A move and the state before it.
#[derive(Debug, Clone, Copy)]
struct Move {
    cell: CellIndex,
    totals: [Totals; 2],
    change_count: usize,
}

/// A seat's shapes in an empty cell before a move.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: CellIndex,
    seat: u8,
    before: CellShapes,
}

#[derive(Debug, Clone, Copy)]
struct PatternCell {
    owner: u8,
    /// The neighbourhood in each direction: the first seat's view in the lower half, the second's
    /// in the upper.
    neighbourhoods: [u32; 4],
    /// The shapes that each seat's stone would make, if the cell is empty.
    shapes: [CellShapes; 2],
}

/// Constant data.
#[derive(Debug)]
struct Tables {
    shapes: ShapeTable,
    scores: ScoreTable,
    stride: usize,
    cols: usize,
    /// The cells of the board, row by row.
    cells: Vec<CellIndex>,
    /// For each seat, what its stone adds to a neighbourhood at each digit.
    stone_digits: [Vec<u32>; 2],
}

/// One seat's threats in all empty cells.
#[derive(Debug, Clone)]
struct Side {
    threats: Vec<Threat>,
    totals: Totals,
}

#[derive(Debug, Clone, Copy)]
struct Totals {
    /// The number of cells with each threat.
    threat_counts: [u16; THREAT_COUNT],
    /// The summed evaluation when the seat is to move, and when it is not.
    eval: [i32; 2],
}

impl PatternBoard {
    /// `None` for unsupported rules.
    pub(in super::super) fn new(position: &Position) -> Option<PatternBoard> {
        let rules = position.rules();
        let shapes =
            super::supports(rules).then(|| ShapeTable::new(rules.k().into(), rules.exact()))?;
        let (rows, cols) = (usize::from(rules.rows()), usize::from(rules.cols()));
        let reach = shapes.reach;
        let stride = cols + reach;
        let size = (rows + 2 * reach + 1) * stride;
        let padded = |cell: usize| ((cell / cols + reach) * stride + reach + cell % cols) as u16;
        let tables = Tables {
            stride,
            cols,
            cells: (0..rows * cols).map(padded).collect(),
            stone_digits: [0, 1].map(|seat| stone_digits(reach, seat)),
            shapes,
            scores: ScoreTable::new(),
        };
        let wall =
            PatternCell { owner: WALL, neighbourhoods: [0; 4], shapes: [CellShapes::DEAD; 2] };
        let mut board = PatternBoard {
            cells: vec![wall; size],
            sides: [Side::new(size), Side::new(size)],
            turn: position.turn()?.index(),
            empty_count: tables.cells.len(),
            key: 0,
            moves: Vec::with_capacity(tables.cells.len()),
            changes: Vec::new(),
            tables: Arc::new(tables),
        };
        board.set_up(position);
        Some(board)
    }

    fn set_up(&mut self, position: &Position) {
        let tables = Arc::clone(&self.tables);
        let owners = || position.rules().cells().map(|cell| position.seat_at(cell));
        for (owner, &cell) in owners().zip(&tables.cells) {
            self.cells[usize::from(cell)].owner = owner.map_or(EMPTY, |seat| seat.index() as u8);
        }
        for (owner, &cell) in owners().zip(&tables.cells) {
            let cell = usize::from(cell);
            for (direction, step) in tables.steps().into_iter().enumerate() {
                let digits = tables.neighbours(cell, step).map(|(digit, near)| {
                    match self.cells[near].owner {
                        EMPTY => 0,
                        WALL => WALL_DIGIT * 3u32.pow(digit as u32),
                        seat => tables.stone_digits[usize::from(seat)][digit],
                    }
                });
                self.cells[cell].neighbourhoods[direction] = digits.sum();
            }
            match owner {
                None => self.init_shapes(cell),
                Some(seat) => {
                    self.empty_count -= 1;
                    self.key ^= stone_key(cell, seat.index());
                }
            }
        }
    }

    /// The number of empty cells.
    #[inline]
    pub(super) fn empty_count(&self) -> usize {
        self.empty_count
    }

    /// The number of cells in which the seat has exactly this threat.
    #[inline]
    pub(super) fn count(&self, seat: usize, threat: Threat) -> usize {
        self.sides[seat].totals.threat_counts[threat as usize].into()
    }

    /// The seat's threat in this cell.
    #[inline]
    pub(super) fn threat(&self, seat: usize, cell: CellIndex) -> Threat {
        self.sides[seat].threats[usize::from(cell)]
    }

    /// Move ordering for the seat in this cell.
    #[inline]
    pub(super) fn urgency(&self, seat: usize, cell: CellIndex) -> u16 {
        self.tables.scores.get(self.cells[usize::from(cell)].shapes[seat]).urgency
    }

    /// The static evaluation for the seat to move.
    #[inline]
    pub(super) fn static_eval(&self) -> i32 {
        self.sides[self.turn].totals.eval[0] - self.sides[1 - self.turn].totals.eval[1]
    }

    /// The empty cells, row by row.
    pub(in super::super) fn empty_cells(&self) -> impl Iterator<Item = CellIndex> + '_ {
        let cells = self.tables.cells.iter().copied();
        cells.filter(|&cell| self.cells[usize::from(cell)].owner == EMPTY)
    }

    /// The empty cells in which the seat has at least this threat.
    pub(super) fn with_threat(
        &self,
        seat: usize,
        least: Threat,
    ) -> impl Iterator<Item = CellIndex> + '_ {
        let threats = &self.sides[seat].threats;
        let cells = self.tables.cells.iter().copied();
        cells.filter(move |&cell| threats[usize::from(cell)] >= least)
    }

    /// The first cell with at least this threat, if any has exactly this one.
    #[inline]
    pub(super) fn find_threat(&self, seat: usize, threat: Threat) -> Option<CellIndex> {
        if self.count(seat, threat) == 0 { None } else { self.with_threat(seat, threat).next() }
    }

    /// The cell's place on the board, row by row, without the wall.
    pub(in super::super) fn number(&self, cell: CellIndex) -> usize {
        let reach = self.tables.shapes.reach;
        let (row, col) =
            (usize::from(cell) / self.tables.stride, usize::from(cell) % self.tables.stride);
        (row - reach) * self.tables.cols + col - reach
    }

    /// The inverse of [`number`](PatternBoard::number).
    pub(super) fn cell(&self, number: usize) -> CellIndex {
        self.tables.cells[number]
    }

    fn distance(&self, one: CellIndex, other: CellIndex) -> usize {
        let stride = self.tables.stride;
        let (one, other) = (usize::from(one), usize::from(other));
        (one / stride).abs_diff(other / stride).max((one % stride).abs_diff(other % stride))
    }

    /// Updates the cells within reach of a new stone.
    fn add_stone(&mut self, cell: usize, seat: usize) {
        let PatternBoard { tables, cells, sides, changes, .. } = self;
        let Tables { shapes, scores, .. } = &**tables;
        for (direction, digits, step) in tables.rays(seat) {
            let mut near = cell;
            // The shapes of a seat do not extend past the other's stones.
            let mut visible = [true; 2];
            for &digit in digits {
                near = near.wrapping_add(step);
                let pattern = &mut cells[near];
                let neighbourhood = pattern.neighbourhoods[direction].wrapping_add(digit);
                match pattern.owner {
                    WALL => break,
                    EMPTY => pattern.neighbourhoods[direction] = neighbourhood,
                    owner => {
                        pattern.neighbourhoods[direction] = neighbourhood;
                        visible[1 - usize::from(owner)] = false;
                        continue;
                    }
                }
                for seat in 0..2 {
                    if !visible[seat] {
                        continue;
                    }
                    let shape = shapes.get((neighbourhood >> (16 * seat)) as u16);
                    let before = pattern.shapes[seat];
                    if before.shape(direction) != shape {
                        let cell = near as CellIndex;
                        changes.push(Change { cell, seat: seat as u8, before });
                        pattern.shapes[seat].set(direction, shape);
                        let after = scores.get(pattern.shapes[seat]);
                        sides[seat].replace(near, scores.get(before), after);
                    }
                }
            }
        }
    }

    /// Removes a stone from the neighbourhoods within reach, but not from the shapes.
    fn remove_stone(&mut self, cell: usize, seat: usize) {
        let PatternBoard { tables, cells, .. } = self;
        for (direction, digits, step) in tables.rays(seat) {
            let mut near = cell;
            for &digit in digits {
                near = near.wrapping_add(step);
                let pattern = &mut cells[near];
                if pattern.owner == WALL {
                    break;
                }
                let neighbourhood = &mut pattern.neighbourhoods[direction];
                *neighbourhood = neighbourhood.wrapping_sub(digit);
            }
        }
    }

    /// Computes the shapes of an empty cell from its neighbourhoods.
    fn init_shapes(&mut self, cell: usize) {
        let PatternBoard { tables, cells, sides, .. } = self;
        let pattern = &mut cells[cell];
        for (seat, side) in sides.iter_mut().enumerate() {
            for direction in 0..4 {
                let view = (pattern.neighbourhoods[direction] >> (16 * seat)) as u16;
                pattern.shapes[seat].set(direction, tables.shapes.get(view));
            }
            side.replace(cell, CellScore::NONE, tables.scores.get(pattern.shapes[seat]));
        }
    }
}

impl ThreatBoard for PatternBoard {
    #[inline]
    fn turn(&self) -> usize {
        self.turn
    }

    #[inline]
    fn opponent(&self) -> usize {
        1 - self.turn
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key ^ (self.turn as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn play(&mut self, cell: CellIndex) {
        let totals = [self.sides[0].totals, self.sides[1].totals];
        self.moves.push(Move { cell, totals, change_count: self.changes.len() });
        let (seat, cell) = (self.turn, usize::from(cell));
        let shapes = self.cells[cell].shapes;
        for (side, shapes) in self.sides.iter_mut().zip(shapes) {
            side.replace(cell, self.tables.scores.get(shapes), CellScore::NONE);
        }
        self.cells[cell].owner = seat as u8;
        self.add_stone(cell, seat);
        self.key ^= stone_key(cell, seat);
        self.empty_count -= 1;
        self.turn = 1 - seat;
    }

    fn undo(&mut self) {
        let Some(Move { cell, totals, change_count }) = self.moves.pop() else { return };
        let cell = usize::from(cell);
        self.turn = 1 - self.turn;
        self.remove_stone(cell, self.turn);
        self.cells[cell].owner = EMPTY;
        let PatternBoard { tables, cells, sides, .. } = self;
        for (seat, side) in sides.iter_mut().enumerate() {
            side.threats[cell] = tables.scores.get(cells[cell].shapes[seat]).threat;
            side.totals = totals[seat];
        }
        for Change { cell, seat, before } in self.changes.drain(change_count..).rev() {
            let (cell, seat) = (usize::from(cell), usize::from(seat));
            cells[cell].shapes[seat] = before;
            sides[seat].threats[cell] = tables.scores.get(before).threat;
        }
        self.key ^= stone_key(cell, self.turn);
        self.empty_count += 1;
    }

    #[inline]
    fn completion_count(&self, seat: usize) -> usize {
        self.count(seat, Threat::Line)
    }

    fn completion(&self, seat: usize) -> Option<CellIndex> {
        self.find_threat(seat, Threat::Line)
    }

    fn double_four(&self, seat: usize) -> Option<CellIndex> {
        self.find_threat(seat, Threat::DoubleFour)
    }

    fn makes_four(&self, seat: usize, cell: CellIndex) -> bool {
        self.threat(seat, cell) >= Threat::Four
    }

    /// Fours that also make a three first, then those near the last move.
    fn four_moves(&self, last: Option<CellIndex>) -> Vec<CellIndex> {
        let mut moves: Vec<CellIndex> = self.with_threat(self.turn, Threat::Four).collect();
        moves.sort_by_key(|&cell| {
            let makes_three = self.threat(self.turn, cell) > Threat::Four;
            (!makes_three, last.map_or(0, |last| self.distance(last, cell)))
        });
        moves
    }

    fn three_moves(&self) -> Vec<CellIndex> {
        let mut moves: Vec<CellIndex> = self.with_threat(self.turn, Threat::Three).collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(self.urgency(self.turn, cell)));
        moves
    }

    /// Only a move that makes or prevents a four stops a double four.
    fn defences(&self) -> Vec<CellIndex> {
        let makes_four = |&cell: &CellIndex| (0..2).any(|seat| self.makes_four(seat, cell));
        self.empty_cells().filter(makes_four).collect()
    }
}

impl Tables {
    /// The index difference of neighbours in each direction.
    #[inline]
    fn steps(&self) -> [usize; 4] {
        [1, self.stride, self.stride + 1, self.stride - 1]
    }

    /// The eight rays from a stone of the seat: the direction, the digits it adds to the cells along
    /// the ray, and the step between them.
    #[inline(always)]
    fn rays(&self, seat: usize) -> [(usize, &[u32], usize); 8] {
        let (before, behind) = self.stone_digits[seat].split_at(self.shapes.reach);
        let [a, b, c, d] = self.steps();
        // Seen from the cells on one side, the stone is on the other.
        [
            (0, before, a),
            (0, behind, a.wrapping_neg()),
            (1, before, b),
            (1, behind, b.wrapping_neg()),
            (2, before, c),
            (2, behind, c.wrapping_neg()),
            (3, before, d),
            (3, behind, d.wrapping_neg()),
        ]
    }

    /// The cells within reach along one direction, with their digits.
    fn neighbours(&self, cell: usize, step: usize) -> impl Iterator<Item = (usize, usize)> {
        let reach = self.shapes.reach;
        (0..2).flat_map(move |side| {
            (0..reach).map(move |i| {
                let offset = (i + 1) * step;
                let near = if side == 0 { cell - offset } else { cell + offset };
                (digit_index(reach, side, i), near)
            })
        })
    }
}

impl Side {
    fn new(size: usize) -> Side {
        let totals = Totals { threat_counts: [0; THREAT_COUNT], eval: [0; 2] };
        Side { threats: vec![Threat::None; size], totals }
    }

    #[inline]
    fn replace(&mut self, cell: usize, before: CellScore, after: CellScore) {
        let Totals { threat_counts, eval } = &mut self.totals;
        eval[0] += i32::from(after.eval[0]) - i32::from(before.eval[0]);
        eval[1] += i32::from(after.eval[1]) - i32::from(before.eval[1]);
        if before.threat != after.threat {
            self.threats[cell] = after.threat;
            // Wrapping, because cells without a threat are never counted up.
            let [lost, gained] = [before.threat, after.threat].map(|threat| threat as usize);
            threat_counts[lost] = threat_counts[lost].wrapping_sub(1);
            threat_counts[gained] = threat_counts[gained].wrapping_add(1);
        }
    }
}

/// What a stone adds to a neighbourhood at each digit: 1 in its own seat's view, 2 in the other's.
fn stone_digits(reach: usize, seat: usize) -> Vec<u32> {
    let digit = if seat == 0 { 1 | 2 << 16 } else { 2 | 1 << 16 };
    (0..2 * reach).map(|index| digit * 3u32.pow(index as u32)).collect()
}

fn stone_key(cell: usize, seat: usize) -> u64 {
    splitmix64((2 * cell + seat) as u64 + 1)
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Cell, Rules};
    use proptest::prelude::*;

    use super::*;
    use crate::board::Board;

    /// All incremental state of the empty cells.
    fn snapshot(board: &PatternBoard) -> Vec<String> {
        let cell = |cell: CellIndex| {
            let cell = usize::from(cell);
            let threats = [&board.sides[0], &board.sides[1]].map(|side| side.threats[cell]);
            format!("{cell} {:?} {threats:?}", board.cells[cell].shapes)
        };
        let totals = board
            .sides
            .iter()
            .map(|side| format!("{:?} {:?}", side.totals.eval, &side.totals.threat_counts[1..]));
        let key = format!("{} {} {}", board.key(), board.turn(), board.empty_count());
        board.empty_cells().map(cell).chain(totals).chain([key]).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// The incremental state equals that of a board built from scratch, and both boards agree
        /// on the cells that complete a line.
        #[test]
        fn pattern_board_agrees_with_board(
            (rows, cols, k) in (1u8..=9, 1u8..=9, 3u8..=6),
            exact in any::<bool>(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 60),
        ) {
            prop_assume!(k <= rows.max(cols) && (k < 6 || !exact));
            let exact = if exact { "+exact" } else { "" };
            let rules: Rules = format!("{rows}x{cols}:{k}{exact}").parse().unwrap();
            let mut position = Position::new(&rules);
            let mut patterns = PatternBoard::new(&position).unwrap();
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if legal.is_empty() {
                    break;
                }
                let board = Board::new(&position);
                for cell in patterns.empty_cells().collect::<Vec<_>>() {
                    for seat in 0..2 {
                        let completes = patterns.threat(seat, cell) == Threat::Line;
                        let number = patterns.number(cell);
                        prop_assert_eq!(completes, board.completes(seat, number), "{}", position);
                        prop_assert_eq!(patterns.cell(number), cell);
                    }
                    patterns.play(cell);
                    patterns.undo();
                }
                prop_assert_eq!(snapshot(&patterns), snapshot(&PatternBoard::new(&position).unwrap()));
                let cell = *choice.get(&legal);
                patterns.play(patterns.cell(board.tables().index(cell)));
                if position.play(cell).unwrap().is_some() {
                    break;
                }
            }
        }
    }
}

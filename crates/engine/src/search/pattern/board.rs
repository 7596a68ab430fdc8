//! A board for two that knows the shape of every empty cell, direction and seat. A move updates only
//! the cells within reach.

use std::sync::Arc;

use noughts_rules::{Cell, Mark, Position, Rules};

use super::network::{Accumulator, Network};
use super::seat_threats::{SeatThreats, ThreatTotals};
use super::tables::PatternTables;
use super::threat::{CellScore, CellShapes, Threat};
use crate::search::threat_search::{CellIndex, ThreatBoard};
use crate::zobrist::splitmix64;

const EMPTY: u8 = 2;
const WALL: u8 = 3;

/// The lowest neighbourhood digit of a wall cell, for both seats.
const WALL_DIGIT: u32 = 2 | 2 << 16;

/// Cells are numbered with a wall around the board, so that no update leaves the array.
#[derive(Debug, Clone)]
pub(in crate::search) struct PatternBoard {
    tables: Arc<PatternTables>,
    cells: Vec<PatternCell>,
    threats: [SeatThreats; 2],
    turn: usize,
    empty_count: usize,
    key: u64,
    moves: Vec<Move>,
    /// The shapes that the moves replaced, for undo.
    changes: Vec<Change>,
    network: Option<NetworkState>,
    renju: Option<Box<Renju>>,
}

/// The network, and for each seat its accumulators of the positions on the current path, as far as
/// they were needed.
#[derive(Debug, Clone)]
struct NetworkState {
    network: &'static Network,
    by_ply: [Vec<Accumulator>; 2],
}

/// The restrictions of renju.
#[derive(Debug, Clone)]
struct Renju {
    /// The seat with the first mark.
    restricted: usize,
    /// The position on the board, which knows the forbidden cells.
    position: Position,
}

/// A move and the state before it.
#[derive(Debug, Clone, Copy)]
struct Move {
    cell: CellIndex,
    totals: [ThreatTotals; 2],
    change_count: usize,
}

/// A seat's shapes in an empty cell before and after a move.
#[derive(Debug, Clone, Copy)]
struct Change {
    cell: CellIndex,
    seat: u8,
    before: CellShapes,
    after: CellShapes,
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

impl PatternBoard {
    /// `None` for unsupported rules.
    pub(in crate::search) fn new(position: &Position) -> Option<PatternBoard> {
        let renju = Renju::new(position);
        let restricted = renju.as_ref().map(|renju| renju.restricted);
        let tables = PatternTables::new(position.rules(), restricted)?;
        let wall =
            PatternCell { owner: WALL, neighbourhoods: [0; 4], shapes: [CellShapes::DEAD; 2] };
        let mut board = PatternBoard {
            cells: vec![wall; tables.padded_count],
            threats: [0; 2].map(|_| SeatThreats::new(tables.padded_count)),
            turn: position.turn()?.index(),
            empty_count: tables.cells.len(),
            key: 0,
            moves: Vec::with_capacity(tables.cells.len()),
            changes: Vec::new(),
            tables: Arc::new(tables),
            network: None,
            renju: renju.map(Box::new),
        };
        board.set_up(position);
        if let Some(network) = Network::shared().filter(|_| is_trained_for(position.rules())) {
            board.set_up_network(network);
        }
        Some(board)
    }

    fn set_up(&mut self, position: &Position) {
        let tables = Arc::clone(&self.tables);
        let owners = || {
            position
                .rules()
                .cells()
                .map(|cell| position.mark_at(cell).and_then(|mark| position.owner(mark)))
        };
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

    fn set_up_network(&mut self, network: &'static Network) {
        let by_ply = [0, 1].map(|point_of_view| {
            let mut accumulator = network.empty(point_of_view);
            for cell in self.empty_cells() {
                for (seat, &shapes) in self.cells[usize::from(cell)].shapes.iter().enumerate() {
                    network.add(&mut accumulator, seat, shapes);
                }
            }
            vec![accumulator]
        });
        self.network = Some(NetworkState { network, by_ply });
    }

    /// The number of empty cells.
    #[inline]
    pub(super) fn empty_count(&self) -> usize {
        self.empty_count
    }

    /// The number of cells in which the seat has exactly this threat.
    #[inline]
    pub(super) fn count(&self, seat: usize, threat: Threat) -> usize {
        self.threats[seat].totals.counts[threat as usize].into()
    }

    /// The seat's threat in this cell.
    #[inline]
    pub(super) fn threat(&self, seat: usize, cell: CellIndex) -> Threat {
        self.threats[seat].by_cell[usize::from(cell)]
    }

    /// Move ordering for the seat in this cell.
    #[inline]
    pub(super) fn urgency(&self, seat: usize, cell: CellIndex) -> u16 {
        self.tables.scores[seat].get(self.cells[usize::from(cell)].shapes[seat]).urgency
    }

    /// The shapes that the seat would make in this cell, whatever their directions.
    #[cfg(feature = "training")]
    pub(super) fn shape_class(&self, seat: usize, cell: CellIndex) -> u16 {
        self.cells[usize::from(cell)].shapes[seat].sorted_digits()
    }

    /// The static evaluation for the seat to move, by the network if it was trained for the game.
    pub(super) fn static_eval(&mut self) -> i32 {
        let PatternBoard { network, cells, moves, changes, turn, .. } = self;
        let Some(NetworkState { network, by_ply }) = network else {
            return self.pattern_eval();
        };
        let by_ply = &mut by_ply[*turn];
        for ply in by_ply.len()..=moves.len() {
            let mut accumulator = by_ply[ply - 1];
            let Move { cell, change_count, .. } = moves[ply - 1];
            for (seat, &shapes) in cells[usize::from(cell)].shapes.iter().enumerate() {
                network.remove(&mut accumulator, seat, shapes);
            }
            let end = moves.get(ply).map_or(changes.len(), |next| next.change_count);
            for &Change { seat, before, after, .. } in &changes[change_count..end] {
                network.replace(&mut accumulator, seat.into(), before, after);
            }
            by_ply.push(accumulator);
        }
        network.evaluate(&by_ply[moves.len()])
    }

    /// The sum of the evaluations of all shapes, for the seat to move.
    #[inline]
    pub(super) fn pattern_eval(&self) -> i32 {
        self.threats[self.turn].totals.eval[0] - self.threats[1 - self.turn].totals.eval[1]
    }

    /// The empty cells, row by row.
    pub(in crate::search) fn empty_cells(&self) -> impl Iterator<Item = CellIndex> + '_ {
        let cells = self.tables.cells.iter().copied();
        cells.filter(|&cell| self.cells[usize::from(cell)].owner == EMPTY)
    }

    /// The empty cells in which the seat has at least this threat.
    pub(super) fn with_threat(
        &self,
        seat: usize,
        least: Threat,
    ) -> impl Iterator<Item = CellIndex> + '_ {
        let threats = &self.threats[seat].by_cell;
        let cells = self.tables.cells.iter().copied();
        cells.filter(move |&cell| threats[usize::from(cell)] >= least)
    }

    /// The first cell with at least this threat, if any has exactly this one.
    #[inline]
    pub(super) fn find_threat(&self, seat: usize, threat: Threat) -> Option<CellIndex> {
        if self.count(seat, threat) == 0 { None } else { self.with_threat(seat, threat).next() }
    }

    /// The index of the cell in the rules, without the wall.
    pub(in crate::search) fn unpadded(&self, cell: CellIndex) -> usize {
        self.tables.cells.binary_search(&cell).expect("a cell of the board")
    }

    /// The inverse of [`unpadded`](PatternBoard::unpadded).
    pub(super) fn padded(&self, index: usize) -> CellIndex {
        self.tables.cells[index]
    }

    /// Whether renju forbids the seat some moves.
    #[inline]
    pub(super) fn is_restricted(&self, seat: usize) -> bool {
        self.renju.as_ref().is_some_and(|renju| renju.restricted == seat)
    }

    /// Whether the game is renju.
    #[inline]
    pub(super) fn is_renju(&self) -> bool {
        self.renju.is_some()
    }

    /// Whether the seat may take an empty cell, if it is its turn.
    #[inline]
    fn may_take(&self, seat: usize, cell: CellIndex) -> bool {
        match &self.renju {
            Some(renju) if renju.restricted == seat => {
                renju.position.renju_forbids(self.tables.cell(cell.into())).is_none()
            }
            _ => true,
        }
    }

    /// Whether the seat has a cell for a double four.
    #[inline]
    pub(super) fn has_double_four(&self, seat: usize) -> bool {
        self.count(seat, Threat::DoubleFour) > 0
            && (!self.is_restricted(seat) || self.double_four(seat).is_some())
    }

    fn distance(&self, one: CellIndex, other: CellIndex) -> usize {
        let stride = self.tables.stride;
        let (one, other) = (usize::from(one), usize::from(other));
        (one / stride).abs_diff(other / stride).max((one % stride).abs_diff(other % stride))
    }

    /// Updates the cells within reach of a new stone.
    fn add_stone(&mut self, cell: usize, seat: usize) {
        let PatternBoard { tables, cells, threats, changes, .. } = self;
        let PatternTables { shapes, scores, .. } = &**tables;
        // References to the tables, without a detour by way of the `Arc`s in the loop.
        let (shapes, scores) = (shapes.each_ref().map(|s| &**s), scores.each_ref().map(|s| &**s));
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
                    let shape = shapes[seat].get((neighbourhood >> (16 * seat)) as u16);
                    let before = pattern.shapes[seat];
                    if before.shape(direction) != shape {
                        pattern.shapes[seat].set(direction, shape);
                        let after = pattern.shapes[seat];
                        let cell = near as CellIndex;
                        changes.push(Change { cell, seat: seat as u8, before, after });
                        let scores = scores[seat];
                        threats[seat].replace(near, scores.get(before), scores.get(after));
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
        let PatternBoard { tables, cells, threats, .. } = self;
        let pattern = &mut cells[cell];
        for (seat, threats) in threats.iter_mut().enumerate() {
            for direction in 0..4 {
                let view = (pattern.neighbourhoods[direction] >> (16 * seat)) as u16;
                pattern.shapes[seat].set(direction, tables.shapes[seat].get(view));
            }
            threats.replace(cell, CellScore::NONE, tables.scores[seat].get(pattern.shapes[seat]));
        }
    }
}

impl Renju {
    fn new(position: &Position) -> Option<Renju> {
        let restricted = position.owner(Mark::FIRST).filter(|_| position.rules().parts().renju)?;
        Some(Renju { restricted: restricted.index(), position: position.clone() })
    }

    /// Not inlined, to keep it out of the way of plain boards.
    #[inline(never)]
    fn play(&mut self, cell: Cell) {
        let played = self.position.play(cell);
        debug_assert!(played.is_ok(), "{played:?}");
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
        let totals = [self.threats[0].totals, self.threats[1].totals];
        self.moves.push(Move { cell, totals, change_count: self.changes.len() });
        let (seat, cell) = (self.turn, usize::from(cell));
        let shapes = self.cells[cell].shapes;
        for (seat, threats) in self.threats.iter_mut().enumerate() {
            threats.replace(cell, self.tables.scores[seat].get(shapes[seat]), CellScore::NONE);
        }
        self.cells[cell].owner = seat as u8;
        self.add_stone(cell, seat);
        self.key ^= stone_key(cell, seat);
        self.empty_count -= 1;
        self.turn = 1 - seat;
        if let Some(renju) = &mut self.renju {
            renju.play(self.tables.cell(cell));
        }
    }

    fn undo(&mut self) {
        let Some(Move { cell, totals, change_count }) = self.moves.pop() else { return };
        let cell = usize::from(cell);
        if let Some(NetworkState { by_ply, .. }) = &mut self.network {
            by_ply.iter_mut().for_each(|by_ply| by_ply.truncate(self.moves.len() + 1));
        }
        if let Some(renju) = &mut self.renju {
            _ = renju.position.undo();
        }
        self.turn = 1 - self.turn;
        self.remove_stone(cell, self.turn);
        self.cells[cell].owner = EMPTY;
        let PatternBoard { tables, cells, threats, .. } = self;
        let scores = tables.scores.each_ref().map(|scores| &**scores);
        for (seat, threats) in threats.iter_mut().enumerate() {
            threats.by_cell[cell] = scores[seat].get(cells[cell].shapes[seat]).threat;
            threats.totals = totals[seat];
        }
        for Change { cell, seat, before, .. } in self.changes.drain(change_count..).rev() {
            let (cell, seat) = (usize::from(cell), usize::from(seat));
            cells[cell].shapes[seat] = before;
            threats[seat].by_cell[cell] = scores[seat].get(before).threat;
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

    #[inline]
    fn double_four(&self, seat: usize) -> Option<CellIndex> {
        if !self.is_restricted(seat) {
            return self.find_threat(seat, Threat::DoubleFour);
        }
        let mut cells = self.with_threat(seat, Threat::DoubleFour);
        cells.find(|&cell| {
            self.threat(seat, cell) == Threat::DoubleFour && self.may_take(seat, cell)
        })
    }

    #[inline]
    fn may_play(&self, cell: CellIndex) -> bool {
        self.may_take(self.turn, cell)
    }

    #[inline]
    fn has_moves(&self) -> bool {
        self.renju.as_ref().is_none_or(|renju| renju.position.outcome().is_none())
    }

    /// In renju a stone elsewhere can make a move forbidden, so the defences of the other seat are
    /// more than those to its fours.
    fn knows_all_defences(&self, attacker: usize) -> bool {
        !self.is_restricted(attacker)
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
        self.empty_cells().filter(makes_four).filter(|&cell| self.may_play(cell)).collect()
    }
}

/// Whether the evaluation by the network fits the rules: five in a row on boards of about the size on
/// which it was trained.
fn is_trained_for(rules: &Rules) -> bool {
    const MIN_SIDE: u8 = 11;

    rules.k() == 5 && rules.rows().min(rules.cols()) >= MIN_SIDE && !rules.parts().renju
}

fn stone_key(cell: usize, seat: usize) -> u64 {
    splitmix64((2 * cell + seat) as u64 + 1)
}

#[cfg(test)]
mod tests;

//! A board for two that knows, for each empty cell, direction and seat, what a stone there would
//! make. A move changes only what lies within reach of its cell.

use std::sync::Arc;

use noughts_rules::Position;

use super::shape::{Shapes, place};
use super::threat::{DEAD, Fourfold, Summaries, Summary, THREATS, Threat};
use crate::keys::scatter;

const EMPTY: u8 = 2;
const WALL: u8 = 3;

/// What a cell of the wall adds to surroundings at their first place.
const IN_THE_WAY_OF_BOTH: u32 = 2 | 2 << 16;

/// A cell of the board or of the wall around it, by its place in memory.
pub(super) type Spot = u16;

#[derive(Debug, Clone)]
pub(super) struct Field {
    tables: Arc<Tables>,
    places: Vec<Place>,
    sides: [Side; 2],
    turn: usize,
    empty: usize,
    key: u64,
    played: Vec<Played>,
    /// What the moves changed, for when they are taken back.
    changes: Vec<Change>,
}

/// A move, and how things were before it.
#[derive(Debug, Clone, Copy)]
struct Played {
    spot: Spot,
    totals: [Totals; 2],
    /// How many changes there were.
    changes: usize,
}

/// What a seat's stone in an empty cell promised before a move.
#[derive(Debug, Clone, Copy)]
struct Change {
    spot: Spot,
    seat: u8,
    before: Fourfold,
}

/// What is known of one cell.
#[derive(Debug, Clone, Copy)]
struct Place {
    owner: u8,
    /// For each direction the surroundings as the first seat sees them and, in the upper half, as
    /// the second does.
    around: [u32; 4],
    /// What each seat's stone would make, if the cell is empty.
    promises: [Fourfold; 2],
}

/// What does not change in the course of a game.
#[derive(Debug)]
struct Tables {
    shapes: Shapes,
    summaries: Summaries,
    stride: usize,
    cols: usize,
    /// The cells of the board, row by row.
    spots: Vec<Spot>,
    /// For each seat and place, what a stone there adds to the surroundings.
    terms: [Vec<u32>; 2],
}

/// What the empty cells are to one seat.
#[derive(Debug, Clone)]
struct Side {
    threats: Vec<Threat>,
    totals: Totals,
}

#[derive(Debug, Clone, Copy)]
struct Totals {
    /// How many cells there are with each threat.
    counts: [u16; THREATS],
    /// The sum of all worths, for when the seat is to move and when not.
    worth: [i32; 2],
}

impl Field {
    /// `None` for rules that this is not made for.
    pub(super) fn new(position: &Position) -> Option<Field> {
        let rules = position.rules();
        let shapes = super::are_for(rules).then(|| Shapes::new(rules.k().into(), rules.exact()))?;
        let (rows, cols) = (usize::from(rules.rows()), usize::from(rules.cols()));
        let reach = shapes.reach;
        let stride = cols + reach;
        let size = (rows + 2 * reach + 1) * stride;
        let spot = |cell: usize| ((cell / cols + reach) * stride + reach + cell % cols) as Spot;
        let tables = Tables {
            stride,
            cols,
            spots: (0..rows * cols).map(spot).collect(),
            terms: [0, 1].map(|seat| terms(reach, seat)),
            shapes,
            summaries: Summaries::new(),
        };
        let mut field = Field {
            places: vec![Place { owner: WALL, around: [0; 4], promises: [DEAD; 2] }; size],
            sides: [Side::new(size), Side::new(size)],
            turn: position.turn()?.index(),
            empty: tables.spots.len(),
            key: 0,
            played: Vec::with_capacity(tables.spots.len()),
            changes: Vec::new(),
            tables: Arc::new(tables),
        };
        field.set_up(position);
        Some(field)
    }

    fn set_up(&mut self, position: &Position) {
        let tables = Arc::clone(&self.tables);
        for (cell, &spot) in position.rules().cells().zip(&tables.spots) {
            let seat = position.seat_at(cell).map_or(EMPTY, |seat| seat.index() as u8);
            self.places[usize::from(spot)].owner = seat;
        }
        for (cell, &spot) in position.rules().cells().zip(&tables.spots) {
            let spot = usize::from(spot);
            for (direction, step) in tables.steps().into_iter().enumerate() {
                let mut around = 0;
                for (place, near) in tables.near(spot, step) {
                    around += match self.places[near].owner {
                        EMPTY => 0,
                        WALL => IN_THE_WAY_OF_BOTH * 3u32.pow(place as u32),
                        seat => tables.terms[usize::from(seat)][place],
                    };
                }
                self.places[spot].around[direction] = around;
            }
            match position.seat_at(cell) {
                None => self.enter(spot),
                Some(seat) => {
                    self.empty -= 1;
                    self.key ^= term_of_key(spot, seat.index());
                }
            }
        }
    }

    /// The seat to move.
    #[inline]
    pub(super) fn turn(&self) -> usize {
        self.turn
    }

    /// How many cells are empty.
    #[inline]
    pub(super) fn empty(&self) -> usize {
        self.empty
    }

    /// How many moves have been made here.
    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.played.len()
    }

    /// A number that stands for the position.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key ^ (self.turn as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// How many cells there are in which the seat would threaten this.
    #[inline]
    pub(super) fn count(&self, seat: usize, threat: Threat) -> usize {
        self.sides[seat].totals.counts[threat as usize].into()
    }

    /// What the seat would threaten in this cell.
    #[inline]
    pub(super) fn threat(&self, seat: usize, spot: Spot) -> Threat {
        self.sides[seat].threats[usize::from(spot)]
    }

    /// How soon the seat should look at this cell.
    #[inline]
    pub(super) fn urgency(&self, seat: usize, spot: Spot) -> u16 {
        self.tables.summaries.of(self.places[usize::from(spot)].promises[seat]).urgency
    }

    /// How good the position looks for the seat to move.
    #[inline]
    pub(super) fn estimate(&self) -> i32 {
        self.sides[self.turn].totals.worth[0] - self.sides[1 - self.turn].totals.worth[1]
    }

    /// The empty cells, row by row.
    pub(super) fn empties(&self) -> impl Iterator<Item = Spot> + '_ {
        let spots = self.tables.spots.iter().copied();
        spots.filter(|&spot| self.places[usize::from(spot)].owner == EMPTY)
    }

    /// The empty cells in which the seat would threaten at least this.
    pub(super) fn with_threat(
        &self,
        seat: usize,
        least: Threat,
    ) -> impl Iterator<Item = Spot> + '_ {
        let threats = &self.sides[seat].threats;
        let spots = self.tables.spots.iter().copied();
        spots.filter(move |&spot| threats[usize::from(spot)] >= least)
    }

    /// The cell as the board of the other searches counts it.
    pub(super) fn number(&self, spot: Spot) -> usize {
        let reach = self.tables.shapes.reach;
        let (row, col) =
            (usize::from(spot) / self.tables.stride, usize::from(spot) % self.tables.stride);
        (row - reach) * self.tables.cols + col - reach
    }

    /// The other way round.
    pub(super) fn spot(&self, number: usize) -> Spot {
        self.tables.spots[number]
    }

    /// How many steps apart two cells are.
    pub(super) fn distance(&self, one: Spot, other: Spot) -> usize {
        let stride = self.tables.stride;
        let (one, other) = (usize::from(one), usize::from(other));
        (one / stride).abs_diff(other / stride).max((one % stride).abs_diff(other % stride))
    }

    /// The seat to move takes an empty cell.
    pub(super) fn play(&mut self, spot: Spot) {
        let totals = [self.sides[0].totals, self.sides[1].totals];
        self.played.push(Played { spot, totals, changes: self.changes.len() });
        let (seat, spot) = (self.turn, usize::from(spot));
        let promises = self.places[spot].promises;
        for (side, promise) in self.sides.iter_mut().zip(promises) {
            side.replace(spot, self.tables.summaries.of(promise), Summary::NOTHING);
        }
        self.places[spot].owner = seat as u8;
        self.tell(spot, seat);
        self.key ^= term_of_key(spot, seat);
        self.empty -= 1;
        self.turn = 1 - seat;
    }

    /// Takes back the last move.
    pub(super) fn undo(&mut self) {
        let Some(Played { spot, totals, changes }) = self.played.pop() else { return };
        let spot = usize::from(spot);
        self.turn = 1 - self.turn;
        self.forget(spot, self.turn);
        self.places[spot].owner = EMPTY;
        let Field { tables, places, sides, .. } = self;
        for (seat, side) in sides.iter_mut().enumerate() {
            side.threats[spot] = tables.summaries.of(places[spot].promises[seat]).threat;
            side.totals = totals[seat];
        }
        for Change { spot, seat, before } in self.changes.drain(changes..).rev() {
            let (spot, seat) = (usize::from(spot), usize::from(seat));
            places[spot].promises[seat] = before;
            sides[seat].threats[spot] = tables.summaries.of(before).threat;
        }
        self.key ^= term_of_key(spot, self.turn);
        self.empty += 1;
    }

    /// Takes moves back until only so many are left.
    pub(super) fn undo_to(&mut self, depth: usize) {
        while self.played.len() > depth {
            self.undo();
        }
    }

    /// Tells the cells within reach that a stone came.
    fn tell(&mut self, spot: usize, seat: usize) {
        let Field { tables, places, sides, changes, .. } = self;
        let Tables { shapes, summaries, .. } = &**tables;
        for (direction, terms, step) in tables.rays(seat) {
            let mut near = spot;
            // A seat does not see past stones of the other.
            let mut sees = [true; 2];
            for &term in terms {
                near = near.wrapping_add(step);
                let place = &mut places[near];
                let around = place.around[direction].wrapping_add(term);
                match place.owner {
                    WALL => break,
                    EMPTY => place.around[direction] = around,
                    owner => {
                        place.around[direction] = around;
                        sees[1 - usize::from(owner)] = false;
                        continue;
                    }
                }
                for seat in 0..2 {
                    if !sees[seat] {
                        continue;
                    }
                    let shape = shapes.of((around >> (16 * seat)) as u16);
                    let before = place.promises[seat];
                    if before.shape(direction) != shape {
                        changes.push(Change { spot: near as Spot, seat: seat as u8, before });
                        place.promises[seat].set(direction, shape);
                        let after = summaries.of(place.promises[seat]);
                        sides[seat].replace(near, summaries.of(before), after);
                    }
                }
            }
        }
    }

    /// Tells the cells within reach that a stone went, but not what follows from that.
    fn forget(&mut self, spot: usize, seat: usize) {
        let Field { tables, places, .. } = self;
        for (direction, terms, step) in tables.rays(seat) {
            let mut near = spot;
            for &term in terms {
                near = near.wrapping_add(step);
                let place = &mut places[near];
                if place.owner == WALL {
                    break;
                }
                place.around[direction] = place.around[direction].wrapping_sub(term);
            }
        }
    }

    /// Enters a cell that is empty into the books.
    fn enter(&mut self, spot: usize) {
        let Field { tables, places, sides, .. } = self;
        let place = &mut places[spot];
        for (seat, side) in sides.iter_mut().enumerate() {
            for direction in 0..4 {
                let view = (place.around[direction] >> (16 * seat)) as u16;
                place.promises[seat].set(direction, tables.shapes.of(view));
            }
            side.replace(spot, Summary::NOTHING, tables.summaries.of(place.promises[seat]));
        }
    }
}

impl Tables {
    /// How far apart neighbours are in each direction.
    #[inline]
    fn steps(&self) -> [usize; 4] {
        [1, self.stride, self.stride + 1, self.stride - 1]
    }

    /// The eight ways from a cell: the direction, what a stone of the seat in that cell adds to the
    /// surroundings of those on the way, and the step from one to the next.
    #[inline(always)]
    fn rays(&self, seat: usize) -> [(usize, &[u32], usize); 8] {
        let (before, behind) = self.terms[seat].split_at(self.shapes.reach);
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

    /// The cells within reach in one direction, with their places.
    fn near(&self, spot: usize, step: usize) -> impl Iterator<Item = (usize, usize)> {
        let reach = self.shapes.reach;
        (0..2).flat_map(move |side| {
            (0..reach).map(move |i| {
                let away = (i + 1) * step;
                let near = if side == 0 { spot - away } else { spot + away };
                (place(reach, side, i), near)
            })
        })
    }
}

impl Side {
    fn new(size: usize) -> Side {
        let totals = Totals { counts: [0; THREATS], worth: [0; 2] };
        Side { threats: vec![Threat::Nothing; size], totals }
    }

    #[inline]
    fn replace(&mut self, spot: usize, before: Summary, after: Summary) {
        let Totals { counts, worth } = &mut self.totals;
        worth[0] += i32::from(after.worth[0]) - i32::from(before.worth[0]);
        worth[1] += i32::from(after.worth[1]) - i32::from(before.worth[1]);
        if before.threat != after.threat {
            self.threats[spot] = after.threat;
            // What threatens nothing is not counted, wherever it comes from.
            counts[before.threat as usize] = counts[before.threat as usize].wrapping_sub(1);
            counts[after.threat as usize] = counts[after.threat as usize].wrapping_add(1);
        }
    }
}

/// What a stone of the seat adds to the surroundings, for each place that it can be in: one for
/// the seat itself, two for the other.
fn terms(reach: usize, seat: usize) -> Vec<u32> {
    let digits = if seat == 0 { 1 | 2 << 16 } else { 2 | 1 << 16 };
    (0..2 * reach).map(|place| digits * 3u32.pow(place as u32)).collect()
}

fn term_of_key(spot: usize, seat: usize) -> u64 {
    scatter((2 * spot + seat) as u64 + 1)
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Cell, Rules};
    use proptest::prelude::*;

    use super::*;
    use crate::board::Board;

    /// Everything that is kept up to date for the empty cells.
    fn books(field: &Field) -> Vec<String> {
        let of = |spot: Spot| {
            let spot = usize::from(spot);
            let threats = [&field.sides[0], &field.sides[1]].map(|side| side.threats[spot]);
            format!("{spot} {:?} {threats:?}", field.places[spot].promises)
        };
        let sums = field
            .sides
            .iter()
            .map(|side| format!("{:?} {:?}", side.totals.worth, &side.totals.counts[1..]));
        let key = format!("{} {} {}", field.key(), field.turn(), field.empty());
        field.empties().map(of).chain(sums).chain([key]).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Moves and undone moves leave the books as if the position had been set up, and the
        /// cells that complete a line are those that the board of all rules knows.
        #[test]
        fn agrees_with_the_board(
            (rows, cols, k) in (1u8..=9, 1u8..=9, 3u8..=6),
            exact in any::<bool>(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 60),
        ) {
            prop_assume!(k <= rows.max(cols) && (k < 6 || !exact));
            let exact = if exact { "+exact" } else { "" };
            let rules: Rules = format!("{rows}x{cols}:{k}{exact}").parse().unwrap();
            let mut position = Position::new(&rules);
            let mut field = Field::new(&position).unwrap();
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if legal.is_empty() {
                    break;
                }
                let board = Board::new(&position);
                for spot in field.empties().collect::<Vec<_>>() {
                    for seat in 0..2 {
                        let completes = field.threat(seat, spot) == Threat::Line;
                        let number = field.number(spot);
                        prop_assert_eq!(completes, board.completes(seat, number), "{}", position);
                        prop_assert_eq!(field.spot(number), spot);
                    }
                    field.play(spot);
                    field.undo();
                }
                prop_assert_eq!(books(&field), books(&Field::new(&position).unwrap()));
                let cell = *choice.get(&legal);
                field.play(field.spot(board.geometry().number(cell)));
                if position.play(cell).unwrap().is_some() {
                    break;
                }
            }
        }
    }
}

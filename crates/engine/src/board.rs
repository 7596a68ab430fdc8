//! The board that every search plays on: a position, with what its lines say kept up to date.
//!
//! A move changes only the lines through its cell, so that is what it costs. For each line the
//! board knows how many stones of which seat are in it; from that follow where a seat wins at
//! once, which lines it can still fill, and how many cells still matter.
//!
//! Legality and outcome are the rules' (see the tests, which hold the two together); this is the
//! same knowledge in a form that a search can ask a million times a second.

use std::sync::Arc;

use noughts_rules::{Cell, Position, Seat};

use crate::StrategyError;
use crate::geometry::Geometry;
use crate::tally::Tally;

#[derive(Debug, Clone)]
pub(crate) struct Board {
    geometry: Arc<Geometry>,
    tally: Tally,
    /// The seats that have not resigned, in turn order, and whose turn it is among them.
    order: Vec<u8>,
    at: usize,
    played: Vec<u16>,
}

impl Board {
    pub(crate) fn new(position: &Position) -> Board {
        Board::with_geometry(position, &Arc::new(Geometry::new(position.rules())))
    }

    /// The board of a game that goes on.
    pub(crate) fn of_game(position: &Position) -> Result<Board, StrategyError> {
        match position.outcome() {
            None => Ok(Board::new(position)),
            Some(_) => Err(StrategyError::GameOver),
        }
    }

    /// For callers that have the tables of the position's rules.
    pub(crate) fn with_geometry(position: &Position, geometry: &Arc<Geometry>) -> Board {
        let rules = position.rules();
        let mut tally = Tally::new(geometry);
        for cell in rules.cells() {
            if let Some(seat) = position.seat_at(cell) {
                tally.put(geometry, geometry.number(cell), seat.index());
            }
        }
        let active = rules.seats().filter(|&seat| !position.has_resigned(seat));
        let order: Vec<u8> = active.map(|seat| seat.index() as u8).collect();
        let turn = position.turn().map_or(0, Seat::index);
        Board {
            at: order.iter().position(|&seat| usize::from(seat) == turn).unwrap_or(0),
            order,
            played: Vec::with_capacity(tally.empty()),
            tally,
            geometry: Arc::clone(geometry),
        }
    }

    #[inline]
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The seat to move.
    #[inline]
    pub(crate) fn turn(&self) -> usize {
        usize::from(self.order[self.at])
    }

    /// The seats that have not resigned, in turn order.
    pub(crate) fn order(&self) -> &[u8] {
        &self.order
    }

    /// The seat that moves after the one to move.
    pub(crate) fn next_turn(&self) -> usize {
        usize::from(self.order[(self.at + 1) % self.order.len()])
    }

    /// With two seats left: the one that is not to move.
    #[inline]
    pub(crate) fn opponent(&self) -> usize {
        debug_assert_eq!(self.order.len(), 2);
        usize::from(self.order[1 - self.at])
    }

    /// How many cells are empty.
    #[inline]
    pub(crate) fn empty(&self) -> usize {
        self.tally.empty()
    }

    #[inline]
    pub(crate) fn is_empty(&self, cell: usize) -> bool {
        self.tally.is_empty(cell)
    }

    /// Whether the cell can be played, in a game that goes on.
    #[inline]
    pub(crate) fn is_legal(&self, cell: usize) -> bool {
        self.is_empty(cell)
            && (!self.geometry.gravity
                || self.geometry.below(cell).is_none_or(|below| !self.is_empty(below)))
    }

    /// The cells that can be played, in a game that goes on.
    pub(crate) fn legal_moves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.geometry.cells).filter(|&cell| self.is_legal(cell))
    }

    /// The seat to move takes a legal cell. Answers whether that completes a line.
    #[inline]
    pub(crate) fn play(&mut self, cell: usize) -> bool {
        let seat = self.turn();
        let completed = self.tally.put(&self.geometry, cell, seat);
        self.at = if self.at + 1 == self.order.len() { 0 } else { self.at + 1 };
        self.played.push(cell as u16);
        completed
    }

    /// Takes back the last move.
    #[inline]
    pub(crate) fn undo(&mut self) {
        let Some(cell) = self.played.pop() else { return };
        self.at = if self.at == 0 { self.order.len() - 1 } else { self.at - 1 };
        let seat = self.turn();
        self.tally.take(&self.geometry, cell.into(), seat);
    }

    /// Hands the turn to the next seat without a move, to see what it would do. Between two seats,
    /// doing so twice is as if nothing had been done.
    pub(crate) fn pass(&mut self) {
        self.at = (self.at + 1) % self.order.len();
    }

    /// How many moves have been made on this board.
    pub(crate) fn depth(&self) -> usize {
        self.played.len()
    }

    /// Takes moves back until only so many are left.
    pub(crate) fn undo_to(&mut self, depth: usize) {
        while self.played.len() > depth {
            self.undo();
        }
    }

    /// The empty cells with which the seat completes a line, in no order.
    #[inline]
    pub(crate) fn winning(&self, seat: usize) -> &[u16] {
        &self.tally.seat(seat).winning
    }

    /// Whether the seat completes a line in this cell.
    #[inline]
    pub(crate) fn completes(&self, seat: usize, cell: usize) -> bool {
        self.tally.seat(seat).lacking[cell] > 0
    }

    /// The sum of 2^stones over the lines that are open to the seat.
    #[inline]
    pub(crate) fn weight(&self, seat: usize) -> u64 {
        self.tally.seat(seat).weight
    }

    /// How many lines with so many stones of the seat are open to it.
    #[inline]
    pub(crate) fn open_with(&self, seat: usize, stones: usize) -> usize {
        usize::from(self.tally.seat(seat).with_stones[stones])
    }

    /// How many stones the fullest line that is open to the seat has; `None` without any.
    #[inline]
    pub(crate) fn fullest(&self, seat: usize) -> Option<usize> {
        self.tally.seat(seat).with_stones.iter().rposition(|&lines| lines > 0)
    }

    /// How many lines through the cell are open to the seat.
    #[inline]
    pub(crate) fn open_through(&self, seat: usize, cell: usize) -> usize {
        usize::from(self.tally.seat(seat).open[cell])
    }

    /// What the open lines through the cell amount to for the seat.
    #[inline]
    pub(crate) fn stakes(&self, seat: usize, cell: usize) -> u32 {
        self.tally.seat(seat).stakes[cell]
    }

    /// The lines that are open to the seat.
    pub(crate) fn open_lines(&self, seat: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.geometry.lines).filter(move |&line| self.stones_if_open(seat, line).is_some())
    }

    /// How many stones the seat has in a line, if that is open to it.
    #[inline]
    pub(crate) fn stones_if_open(&self, seat: usize, line: usize) -> Option<usize> {
        self.tally.stones_if_open(seat, line)
    }

    /// The other empty cell of a line that has two.
    #[inline]
    pub(crate) fn other_empty(&self, line: usize, cell: usize) -> usize {
        self.tally.empty_of(line) ^ cell
    }

    /// A number that positions share if they are alike: by a symmetry of the board, or because
    /// they differ only in cells that no longer matter. Whose turn it is counts too.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.tally.keys().least(self.at)
    }

    pub(crate) fn cell(&self, number: usize) -> Cell {
        self.geometry.cell(number)
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Outcome, Rules, RulesParts};
    use proptest::prelude::*;

    use super::*;

    fn any_rules() -> impl Strategy<Value = Rules> {
        let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
        (1u8..=8, 1u8..=8, 1u8..=6, 2u8..=4, flags).prop_map(|(rows, cols, k, players, flags)| {
            let (misere, gravity, wrap, exact) = flags;
            let misere = misere && players == 2;
            let k = Some(k.min(rows.max(cols)));
            let parts = RulesParts { rows, cols, k, players, misere, gravity, wrap, exact };
            parts.build().unwrap()
        })
    }

    /// How the rules would put it that the last mover, given, completed a line or did not.
    fn outcome(board: &Board, mover: Seat, completed: bool) -> Option<Outcome> {
        if completed {
            let misere = board.geometry.misere;
            let winner = if misere { 1 - mover.index() } else { mover.index() };
            return Seat::new(winner as u8).map(Outcome::Win);
        }
        (board.empty() == 0).then_some(Outcome::Draw)
    }

    /// Everything that is kept up to date, in a form that does not depend on the way here.
    fn books(board: &Board) -> Vec<String> {
        let seat = |seat: usize| {
            let lines = board.tally.seat(seat);
            let mut winning = lines.winning.clone();
            winning.sort_unstable();
            let (weight, stakes) = (lines.weight, &lines.stakes);
            format!("{:?} {weight} {stakes:?} {:?} {winning:?}", lines.with_stones, lines.open)
        };
        let key = format!("{} {} {}", board.key(), board.turn(), board.empty());
        (0..board.geometry.players).map(seat).chain([key]).collect()
    }

    proptest! {
        /// Legality and outcome are as the rules say at every step of any game, and playing and
        /// taking back leaves the books as if the position had been set up.
        #[test]
        fn agrees_with_the_rules(
            rules in any_rules(),
            choices in proptest::collection::vec(any::<prop::sample::Index>(), 64),
        ) {
            let mut position = Position::new(&rules);
            let mut board = Board::new(&position);
            for choice in choices {
                let Some(mover) = position.turn() else { break };
                prop_assert_eq!(board.turn(), mover.index());
                let legal: Vec<Cell> = position.legal_moves().collect();
                let ours: Vec<Cell> = board.legal_moves().map(|cell| board.cell(cell)).collect();
                prop_assert_eq!(&ours, &legal);
                for &cell in &legal {
                    let number = board.geometry().number(cell);
                    let expected = board.completes(mover.index(), number);
                    let completed = board.play(number);
                    prop_assert_eq!(completed, expected);
                    let ours = outcome(&board, mover, completed);
                    prop_assert_eq!(ours, position.play(cell).unwrap(), "{} {}", position, cell);
                    board.undo();
                    position.undo().unwrap();
                }
                prop_assert_eq!(books(&board), books(&Board::new(&position)), "{}", position);
                let cell = *choice.get(&legal);
                position.play(cell).unwrap();
                board.play(board.geometry().number(cell));
            }
        }
    }

    /// Mirror images, and cells that can no longer matter, make no difference to the key.
    #[test]
    fn alike_positions_share_a_key() {
        let key = |text: &str| Board::new(&text.parse::<Position>().unwrap()).key();
        assert_eq!(key("3x3 x2/3/3 o"), key("3x3 2x/3/3 o"));
        assert_eq!(key("3x3 1x1/3/3 o"), key("3x3 3/2x/3 o"));
        assert_ne!(key("3x3 x2/3/3 o"), key("3x3 1x1/3/3 o"));
        assert_ne!(key("3x3+gravity 3/3/x2 o"), key("3x3+gravity 3/3/1x1 o"));
        assert_eq!(key("3x3+gravity 3/3/x2 o"), key("3x3+gravity 3/3/2x o"));
        // Only the last column is still open to anyone.
        assert_eq!(key("3x3 xo1/ox1/xo1 x"), key("3x3 xo1/ox1/xo1 x"));
        assert_eq!(key("1x7:3 xo1xoxo x"), key("1x7:3 1oxxoxo x"));
    }
}

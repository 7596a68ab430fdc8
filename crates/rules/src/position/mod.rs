//! The board and whose turn it is.

mod parts;
mod stones;
mod trail;
mod walk;

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::geometry::DIRECTIONS;
use crate::layout::CellBits;
pub use parts::{PositionParts, PositionPartsError};
use stones::Stones;
use trail::Trail;
pub use walk::Walk;

use crate::action::Step;
use crate::{Action, Cell, MAX_PLAYERS, Outcome, Refusal, Rules, Seat, Status};

/// A board, whose turn it is, and the way back to where play began.
///
/// This is what decides: legality, turns and outcomes of every game are settled here. It knows no
/// names; [`Game`](crate::Game) adds them. Two positions are equal when board, turn and rules
/// are, however they were reached.
///
/// ```
/// use noughts_rules::{Outcome, Position, Rules, Seat};
///
/// let mut position = Position::new(&Rules::classic());
/// for cell in ["A1", "B1", "A2", "B2"] {
///     assert_eq!(position.play(cell.parse()?)?, None);
/// }
/// assert_eq!(position.play("A3".parse()?)?, Some(Outcome::Win(Seat::FIRST)));
/// position.undo()?;
/// assert_eq!(position.turn(), Some(Seat::FIRST));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    rules: Rules,
    stones: Stones,
    /// Whose turn it is, or whose it was when the game ended.
    turn: Seat,
    /// Who moves after each seat: the next that has not resigned.
    after: [Seat; MAX_PLAYERS as usize],
    /// A bit for each seat that has not resigned.
    active: u8,
    outcome: Option<Outcome>,
    trail: Trail,
}

impl Position {
    /// The empty board with the first seat to move.
    #[must_use]
    pub fn new(rules: &Rules) -> Position {
        let mut position = Position {
            stones: Stones::new(rules),
            turn: Seat::FIRST,
            after: [Seat::FIRST; _],
            active: u8::MAX >> (8 - rules.players()),
            outcome: None,
            trail: Trail::new(rules),
            rules: rules.clone(),
        };
        position.order_turns();
        position
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whose turn it is, or `None` when the game is over.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        match self.outcome {
            None => Some(self.turn),
            Some(_) => None,
        }
    }

    /// How the game ended, or `None` while it goes on.
    #[inline]
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How the game stands, with the winning cells.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.outcome {
            None => Status::InProgress { turn: self.turn },
            Some(Outcome::Win(seat)) => Status::Won { seat, cells: self.lined_cells() },
            Some(Outcome::Draw) => Status::Draw,
        }
    }

    /// Who has taken the cell; `None` where it is empty or off the board.
    #[must_use]
    pub fn seat_at(&self, cell: Cell) -> Option<Seat> {
        self.rules.seats().find(|&seat| self.holds(seat, cell))
    }

    /// Why [`Position::play`] would refuse the cell, if it would.
    pub fn check(&self, cell: Cell) -> Result<(), Refusal> {
        if self.is_legal(cell) { Ok(()) } else { Err(self.refusal(cell)) }
    }

    /// How many cells are taken.
    #[must_use]
    pub fn stones(&self) -> usize {
        self.rules.cell_count() - self.stones.empty.len()
    }

    /// Whether the seat has left the game.
    #[must_use]
    pub fn has_resigned(&self, seat: Seat) -> bool {
        seat.index() < self.rules.players() && self.active >> seat.index() & 1 == 0
    }

    /// The cells that [`Position::play`] accepts, row by row; none when the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Cell> + '_ {
        let mut walk = self.walk();
        std::iter::from_fn(move || walk.next(self))
    }

    /// Begins a walk over the legal moves, on which the position may be played on and taken back.
    #[inline]
    #[must_use]
    pub fn walk(&self) -> Walk {
        let word = if self.outcome.is_none() { self.legal_word(0) } else { 0 };
        Walk { word, at: 0 }
    }

    /// Whether [`Position::play`] accepts the cell.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, cell: Cell) -> bool {
        self.takes::<false>(cell, self.rules.layout().bits(cell))
    }

    /// What was done on the way here since the position was made, in order.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Action> + ExactSizeIterator + '_ {
        self.trail.steps().iter().map(|step| step.action())
    }

    /// The seat to move takes the cell. Answers how the game ended, if it did.
    #[inline]
    pub fn play(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        if self.rules.layout().is_simple() {
            self.play_on::<true>(cell)
        } else {
            self.play_on_any(cell)
        }
    }

    /// Apart, so that it takes no registers from the simple boards.
    #[inline(never)]
    fn play_on_any(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        self.play_on::<false>(cell)
    }

    /// [`Position::play`], made twice: without the questions that boards which are
    /// [simple](crate::layout::Layout::is_simple) need not ask, and with them.
    #[inline(always)]
    fn play_on<const SIMPLE: bool>(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        let layout = self.rules.layout();
        let bits = layout.bits(cell);
        if !self.takes::<SIMPLE>(cell, bits) {
            return Err(self.refusal(cell));
        }
        let seat = self.turn;
        let (left, runs) = self.stones.put::<SIMPLE>(layout, bits, seat);
        self.trail.push(Step::played(seat, cell));

        // While the game goes on no seat has a line, so a run of k bits is due to this move. Runs
        // that `exact` does not count stay on the board, so there the move itself is looked at.
        let outcome = if runs != 0 && (SIMPLE || !self.rules.exact() || self.in_line(seat, cell)) {
            self.won_by_line(seat)
        } else if left == 0 && (SIMPLE || self.is_full()) {
            Outcome::Draw
        } else {
            self.turn = self.after[seat.index()];
            return Ok(None);
        };
        self.outcome = Some(outcome);
        Ok(Some(outcome))
    }

    /// Takes back the last action: the cell empties, or the resigned seat is back, and the turn
    /// is whose it was.
    #[inline]
    pub fn undo(&mut self) -> Result<Action, Refusal> {
        let step = self.trail.pop().ok_or(Refusal::NothingToUndo)?;
        let action = step.action();
        self.outcome = None;
        match action {
            Action::Move { seat, cell } => {
                self.turn = seat;
                self.flip_stone(seat, cell);
            }
            Action::Resign { seat } => {
                self.active |= 1 << seat.index();
                self.turn = step.turn_before();
                self.order_turns();
            }
        }
        Ok(action)
    }

    /// Goes back to the empty board, keeping the memory.
    pub fn clear(&mut self) {
        self.stones.clear(&self.rules);
        self.turn = Seat::FIRST;
        self.outcome = None;
        self.trail.clear();
        let everybody = u8::MAX >> (8 - self.rules.players());
        if self.active != everybody {
            self.active = everybody;
            self.order_turns();
        }
    }

    /// Goes to a board with these stones, from which play goes on. The caller knows that there is
    /// no line on it and that it is not full.
    pub(crate) fn set_up(&mut self, turn: Seat, stones: impl Iterator<Item = (Cell, Seat)>) {
        self.clear();
        for (cell, seat) in stones {
            self.flip_stone(seat, cell);
        }
        self.turn = turn;
    }

    /// The seat leaves the game; its cells stay and the turn order passes over it. The last seat
    /// left wins. A seat may resign whoever's turn it is.
    pub fn resign(&mut self, seat: Seat) -> Result<Option<Outcome>, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if self.active >> seat.index() & 1 == 0 {
            return Err(Refusal::NotPlaying { seat });
        }
        self.trail.push(Step::resigned(seat, self.turn));
        self.active &= !(1 << seat.index());
        self.order_turns();
        if self.active.is_power_of_two() {
            self.outcome = Some(Outcome::Win(self.after[seat.index()]));
        } else if self.turn == seat {
            self.turn = self.after[seat.index()];
        }
        Ok(self.outcome)
    }

    /// Finds who moves after each seat, knowing who has resigned.
    fn order_turns(&mut self) {
        let mut next = self.rules.seats().find(|&seat| !self.has_resigned(seat));
        for seat in self.rules.seats().rev() {
            self.after[seat.index()] = next.unwrap_or(seat);
            if !self.has_resigned(seat) {
                next = Some(seat);
            }
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.stones.empty.is_empty(self.rules.layout().set_words())
    }

    /// One word of the set of cells that may be taken while the game goes on.
    #[inline]
    fn legal_word(&self, i: usize) -> u64 {
        if self.rules.gravity() {
            self.stones.empty.lowest_word(i, self.rules.cols())
        } else {
            self.stones.empty.word(i)
        }
    }

    /// What it means that the seat completed a line.
    #[inline]
    fn won_by_line(&self, seat: Seat) -> Outcome {
        // Misère games have two seats.
        Outcome::Win(Seat::of_game(seat.index() as u8 ^ u8::from(self.rules.misere())))
    }

    /// Puts a stone of the seat in the cell, or takes it away.
    #[inline]
    fn flip_stone(&mut self, seat: Seat, cell: Cell) {
        let layout = self.rules.layout();
        self.stones.flip(layout, layout.bits(cell), seat);
    }

    /// Whether a stone of the seat is in the cell.
    fn holds(&self, seat: Seat, cell: Cell) -> bool {
        let layout = self.rules.layout();
        self.stones.holds(layout, layout.bits(cell), seat)
    }

    /// Whether a stone in this cell has the floor or another stone below it.
    #[inline]
    fn rests(&self, cell: Cell) -> bool {
        !self.stones.empty.contains(self.rules.layout().bits_below(cell))
    }

    /// Whether the seat to move may take the cell, whose bits are given.
    #[inline]
    fn takes<const SIMPLE: bool>(&self, cell: Cell, bits: &CellBits) -> bool {
        self.stones.is_empty::<SIMPLE>(bits)
            && self.outcome.is_none()
            && (SIMPLE || !self.rules.gravity() || self.rests(cell))
    }

    /// Why the cell can't be played, knowing that it can't.
    #[cold]
    fn refusal(&self, cell: Cell) -> Refusal {
        let (rows, cols) = (self.rules.rows(), self.rules.cols());
        if self.outcome.is_some() {
            Refusal::GameOver
        } else if !self.rules.contains(cell) {
            Refusal::OffBoard { cell, rows, cols }
        } else if self.seat_at(cell).is_some() {
            Refusal::Taken { cell }
        } else {
            let lowest = self.legal_moves().find(|lowest| lowest.col() == cell.col());
            Refusal::Floating { cell, lowest: lowest.unwrap_or(cell) }
        }
    }

    /// The cells of all lines, row by row.
    fn lined_cells(&self) -> Vec<Cell> {
        match self.history().next_back() {
            // Nobody had a line before it.
            Some(Action::Move { seat, cell }) => {
                let mut cells: Vec<Cell> = self.lines_through(seat, cell).flatten().collect();
                cells.sort_unstable();
                cells.dedup();
                cells
            }
            Some(Action::Resign { .. }) => Vec::new(),
            None => self.rules.cells().filter(|&cell| self.is_lined(cell)).collect(),
        }
    }

    /// Whether there is a stone in the cell that is part of a line.
    fn is_lined(&self, cell: Cell) -> bool {
        self.seat_at(cell).is_some_and(|seat| self.in_line(seat, cell))
    }

    /// Whether a stone of the seat in this cell is part of a line. Apart, so that moves which make
    /// no run do not make room for it.
    #[cold]
    #[inline(never)]
    fn in_line(&self, seat: Seat, cell: Cell) -> bool {
        DIRECTIONS.iter().any(|&way| self.makes_line(self.run_through(seat, cell, way).count()))
    }

    /// The lines of the seat through a cell of its own.
    fn lines_through(&self, seat: Seat, cell: Cell) -> impl Iterator<Item = Vec<Cell>> + '_ {
        let runs = DIRECTIONS.iter().map(move |&way| self.run_through(seat, cell, way));
        runs.map(Iterator::collect).filter(|run: &Vec<_>| self.makes_line(run.len()))
    }

    fn makes_line(&self, run: usize) -> bool {
        let k = usize::from(self.rules.k());
        run == k || (run > k && !self.rules.exact())
    }

    /// The seat's stones on both sides of a cell, and the cell.
    fn run_through(
        &self,
        seat: Seat,
        cell: Cell,
        (down, right): (i8, i8),
    ) -> impl Iterator<Item = Cell> + '_ {
        let ahead = self.reach(seat, cell, (down, right), cell);
        let stop = ahead.clone().last().unwrap_or(cell);
        ahead.chain(self.reach(seat, cell, (-down, -right), stop)).chain([cell])
    }

    /// The seat's stones that go on from a cell. Where they fill a ring the walk ends at `stop`;
    /// after `k` of them the run is longer than a line in any case.
    fn reach(
        &self,
        seat: Seat,
        from: Cell,
        way: (i8, i8),
        stop: Cell,
    ) -> impl Iterator<Item = Cell> + Clone + '_ {
        let grid = self.rules.grid();
        let theirs = move |&cell: &Cell| cell != from && cell != stop && self.holds(seat, cell);
        let step = move |&cell: &Cell| grid.step(cell, way).filter(theirs);
        std::iter::successors(step(&from), step).take(usize::from(self.rules.k()))
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.rules == other.rules
            && (self.stones.small, &self.stones.large) == (other.stones.small, &other.stones.large)
            && (self.turn(), self.active) == (other.turn(), other.active)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rules.hash(state);
        self.stones.small.hash(state);
        self.stones.large.hash(state);
        (self.turn(), self.active).hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

//! The board and whose turn it is.

mod parts;

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::cell_set::CellSet;
use crate::layout::DIRECTIONS;
pub use parts::{PositionParts, PositionPartsError};

use crate::action::Step;
use crate::{Action, Cell, Outcome, Refusal, Rules, Seat, Status};

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
    /// Each seat's stones as line words, seat after seat; see `layout`.
    lines: Box<[u64]>,
    empty: CellSet,
    /// Empty cells.
    left: u16,
    /// Whose turn it is, or whose it was when the game ended.
    turn: u8,
    /// A bit for each seat that has not resigned.
    active: u8,
    outcome: Option<Outcome>,
    trail: Vec<Step>,
}

impl Position {
    /// The empty board with the first seat to move.
    #[must_use]
    pub fn new(rules: &Rules) -> Position {
        Position {
            lines: vec![0; rules.players() * rules.layout().words()].into(),
            empty: CellSet::all(rules),
            left: rules.cell_count() as u16,
            turn: 0,
            active: u8::MAX >> (8 - rules.players()),
            outcome: None,
            trail: Vec::with_capacity(rules.cell_count()),
            rules: rules.clone(),
        }
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
            None => Some(Seat::of_game(self.turn)),
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
            None => Status::InProgress { turn: Seat::of_game(self.turn) },
            Some(Outcome::Win(seat)) => {
                let cells = self.rules.cells().filter(|&cell| self.is_lined(cell)).collect();
                Status::Won { seat, cells }
            }
            Some(Outcome::Draw) => Status::Draw,
        }
    }

    /// Who has taken the cell; `None` where it is empty or off the board.
    #[must_use]
    pub fn seat_at(&self, cell: Cell) -> Option<Seat> {
        let index = self.rules.layout().index(cell)?;
        self.rules.seats().find(|&seat| self.holds(seat, index))
    }

    /// How many cells are taken.
    #[inline]
    #[must_use]
    pub fn stones(&self) -> usize {
        self.rules.cell_count() - usize::from(self.left)
    }

    /// Whether the seat has left the game.
    #[must_use]
    pub fn has_resigned(&self, seat: Seat) -> bool {
        seat.index() < self.rules.players() && self.active >> seat.index() & 1 == 0
    }

    /// The cells that [`Position::play`] accepts; none when the game is over.
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> CellSet {
        if self.outcome.is_some() {
            CellSet::none(&self.rules)
        } else if self.rules.gravity() {
            self.empty.lowest()
        } else {
            self.empty
        }
    }

    /// What was done on the way here since the position was made, in order.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Action> + ExactSizeIterator + '_ {
        self.trail.iter().map(|step| step.action(&self.rules))
    }

    /// The seat to move takes the cell. Answers how the game ended, if it did.
    #[inline]
    pub fn play(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        let layout = self.rules.layout();
        let Some(index) = layout.index(cell).filter(|&i| self.empty.has(i)) else {
            return Err(self.refusal(cell));
        };
        if self.outcome.is_some() || (self.rules.gravity() && !self.rests(index)) {
            return Err(self.refusal(cell));
        }

        self.trail.push(Step::played(self.turn, index));
        self.empty.flip(index);
        self.left -= 1;

        let k = u32::from(self.rules.k());
        let words = layout.words();
        let lines = &mut self.lines[usize::from(self.turn) * words..][..words];
        let mut runs = 0;
        for slot in layout.slots(index) {
            let word = &mut lines[slot.word as usize];
            *word |= slot.mask;
            runs |= starts_of_runs(*word, k);
        }

        // While the game goes on no seat has a line, so a run of k bits is due to this move. Runs
        // that `exact` does not count stay on the board, so there the move itself is looked at.
        if runs != 0 && (!self.rules.exact() || self.in_line(Seat::of_game(self.turn), cell)) {
            self.outcome = Some(self.won_by_line(Seat::of_game(self.turn)));
        } else if self.left == 0 {
            self.outcome = Some(Outcome::Draw);
        } else {
            self.turn = self.seat_after(self.turn);
        }
        Ok(self.outcome)
    }

    /// Takes back the last action: the cell empties, or the resigned seat is back, and the turn
    /// is whose it was.
    #[inline]
    pub fn undo(&mut self) -> Result<Action, Refusal> {
        let step = self.trail.pop().ok_or(Refusal::NothingToUndo)?;
        self.outcome = None;
        if step.is_resignation() {
            self.active |= 1 << step.seat();
            self.turn = step.turn_before();
        } else {
            let index = step.index();
            self.turn = step.seat();
            self.empty.flip(index);
            self.left += 1;
            self.flip_stone(Seat::of_game(self.turn), index);
        }
        Ok(step.action(&self.rules))
    }

    /// Goes back to the empty board, keeping the memory.
    pub fn clear(&mut self) {
        self.lines.fill(0);
        self.empty = CellSet::all(&self.rules);
        self.left = self.rules.cell_count() as u16;
        self.turn = 0;
        self.active = u8::MAX >> (8 - self.rules.players());
        self.outcome = None;
        self.trail.clear();
    }

    /// The seat leaves the game; its cells stay and the turn order passes over it. The last seat
    /// left wins. A seat may resign whoever's turn it is.
    pub fn resign(&mut self, seat: Seat) -> Result<Option<Outcome>, Refusal> {
        let index = seat.index() as u8;
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if self.active >> index & 1 == 0 {
            return Err(Refusal::NotPlaying { seat });
        }
        self.trail.push(Step::resigned(index, self.turn));
        self.active &= !(1 << index);
        if self.active.is_power_of_two() {
            let last = self.active.trailing_zeros() as u8;
            self.outcome = Some(Outcome::Win(Seat::of_game(last)));
        } else if self.turn == index {
            self.turn = self.seat_after(index);
        }
        Ok(self.outcome)
    }

    /// The next seat in turn order that has not resigned.
    #[inline]
    fn seat_after(&self, seat: u8) -> u8 {
        let mut next = seat;
        loop {
            next += 1;
            if usize::from(next) == self.rules.players() {
                next = 0;
            }
            if self.active >> next & 1 == 1 {
                return next;
            }
        }
    }

    /// What it means that the seat completed a line.
    #[inline]
    fn won_by_line(&self, seat: Seat) -> Outcome {
        let misere = self.rules.misere();
        Outcome::Win(if misere { Seat::of_game(1 - seat.index() as u8) } else { seat })
    }

    /// Sets or clears the bits of a cell in the seat's lines.
    #[inline]
    fn flip_stone(&mut self, seat: Seat, index: usize) {
        let layout = self.rules.layout();
        let words = layout.words();
        let lines = &mut self.lines[seat.index() * words..][..words];
        for slot in layout.slots(index) {
            lines[slot.word as usize] ^= slot.mask;
        }
    }

    fn holds(&self, seat: Seat, index: usize) -> bool {
        let layout = self.rules.layout();
        let slot = layout.slots(index)[0];
        self.lines[seat.index() * layout.words() + slot.word as usize] & slot.mask != 0
    }

    /// Whether a stone in this cell has the floor or another stone below it.
    #[inline]
    fn rests(&self, index: usize) -> bool {
        !self.empty.has(index + usize::from(self.rules.cols()))
    }

    /// Why the cell can't be played, knowing that it can't.
    #[cold]
    fn refusal(&self, cell: Cell) -> Refusal {
        let (rows, cols) = (self.rules.rows(), self.rules.cols());
        if self.outcome.is_some() {
            Refusal::GameOver
        } else if !self.rules.contains(cell) {
            Refusal::OffBoard { cell, rows, cols }
        } else if !self.empty.contains(cell) {
            Refusal::Taken { cell }
        } else {
            let column = self.empty.lowest().into_iter();
            let lowest = column.filter(|c| c.col() == cell.col()).last().unwrap_or(cell);
            Refusal::Floating { cell, lowest }
        }
    }

    /// Whether there is a stone in the cell that is part of a line.
    fn is_lined(&self, cell: Cell) -> bool {
        self.seat_at(cell).is_some_and(|seat| self.in_line(seat, cell))
    }

    /// Whether a stone of the seat in this cell is part of a line.
    fn in_line(&self, seat: Seat, cell: Cell) -> bool {
        !self.line_through(seat, cell).is_empty()
    }

    /// The cells of a line of the seat through a cell of its own; none where there is no line.
    fn line_through(&self, seat: Seat, cell: Cell) -> Vec<Cell> {
        let k = usize::from(self.rules.k());
        for (down, right) in DIRECTIONS {
            let mut line = self.reach(seat, cell, (down, right), cell);
            let stop = line.last().copied().unwrap_or(cell);
            line.extend(self.reach(seat, cell, (-down, -right), stop));
            line.push(cell);
            if line.len() == k || (line.len() > k && !self.rules.exact()) {
                return line;
            }
        }
        Vec::new()
    }

    /// The seat's stones that go on from a cell. Where they fill a ring the walk ends at `stop`;
    /// after `k` of them the run is longer than a line in any case.
    fn reach(&self, seat: Seat, from: Cell, way: (i8, i8), stop: Cell) -> Vec<Cell> {
        let layout = self.rules.layout();
        let theirs = |&cell: &Cell| {
            cell != from
                && cell != stop
                && layout.index(cell).is_some_and(|index| self.holds(seat, index))
        };
        let step = |&cell: &Cell| layout.step(cell, way).filter(theirs);
        std::iter::successors(step(&from), step).take(usize::from(self.rules.k())).collect()
    }
}

/// Bit `i` of the answer is set where bits `i` to `i + k - 1` of the word are: each step doubles
/// the length of the runs that are left.
#[inline]
fn starts_of_runs(mut word: u64, k: u32) -> u64 {
    let mut length = 1;
    while length < k {
        let shift = length.min(k - length);
        word &= word >> shift;
        length += shift;
    }
    word
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.rules == other.rules
            && self.lines == other.lines
            && (self.turn(), self.active) == (other.turn(), other.active)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rules.hash(state);
        self.lines.hash(state);
        (self.turn(), self.active).hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

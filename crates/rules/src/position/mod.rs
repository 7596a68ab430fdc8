//! Positions: here legality, turns and outcomes are decided.

mod cursor;
mod history;
mod parts;
mod stones;

use std::fmt;
use std::hash::{Hash, Hasher};

pub use cursor::MoveCursor;
use history::History;
pub use parts::{PositionParts, PositionPartsError};
use stones::Stones;

use crate::action::UndoEntry;
use crate::geometry::DIRECTIONS;
use crate::layout::CellBits;
use crate::{Action, Cell, MAX_PLAYERS, Outcome, Refusal, Rules, Seat, Status};

/// A board, the seat to move, and the history of actions for undo.
///
/// This type is the authority on legality, turns and outcomes. It has no players;
/// [`Game`](crate::Game) adds them. Two positions are equal if rules, board, turn and resigned
/// seats are, whatever their history.
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
    /// The seat to move, or that was to move when the game ended.
    turn: Seat,
    /// The next seat after each one that has not resigned.
    next_seat: [Seat; MAX_PLAYERS as usize],
    /// A bit for each seat that has not resigned.
    active: u8,
    outcome: Option<Outcome>,
    history: History,
}

impl Position {
    /// The empty board with the first seat to move.
    #[must_use]
    pub fn new(rules: &Rules) -> Position {
        let mut position = Position {
            stones: Stones::new(rules),
            turn: Seat::FIRST,
            next_seat: [Seat::FIRST; _],
            active: u8::MAX >> (8 - rules.players()),
            outcome: None,
            history: History::new(rules),
            rules: rules.clone(),
        };
        position.update_turn_order();
        position
    }

    /// The rules.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seat to move, or `None` if the game is over.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        match self.outcome {
            None => Some(self.turn),
            Some(_) => None,
        }
    }

    /// The outcome, or `None` if the game is not over.
    #[inline]
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The state of the game, with the winning cells.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.outcome {
            None => Status::InProgress { turn: self.turn },
            Some(Outcome::Win(seat)) => Status::Won { seat, cells: self.line_cells() },
            Some(Outcome::Draw) => Status::Draw,
        }
    }

    /// The seat that has taken the cell; `None` if it is empty or off the board.
    #[must_use]
    pub fn seat_at(&self, cell: Cell) -> Option<Seat> {
        self.rules.seats().find(|&seat| self.holds(seat, cell))
    }

    /// Whether [`Position::play`] would accept the cell, or why not.
    pub fn check(&self, cell: Cell) -> Result<(), Refusal> {
        if self.is_legal(cell) { Ok(()) } else { Err(self.refusal(cell)) }
    }

    /// The number of taken cells.
    #[must_use]
    pub fn stone_count(&self) -> usize {
        self.rules.cell_count() - self.stones.empty.len()
    }

    /// Whether the seat has resigned.
    #[must_use]
    pub fn has_resigned(&self, seat: Seat) -> bool {
        seat.index() < self.rules.players() && self.active >> seat.index() & 1 == 0
    }

    /// The cells that [`Position::play`] accepts, row by row; none if the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Cell> + '_ {
        let mut cursor = self.move_cursor();
        std::iter::from_fn(move || cursor.next(self))
    }

    /// A cursor over the legal moves that does not borrow the position.
    #[inline]
    #[must_use]
    pub fn move_cursor(&self) -> MoveCursor {
        let word = if self.outcome.is_none() { self.legal_word(0) } else { 0 };
        MoveCursor { word, word_index: 0 }
    }

    /// Whether [`Position::play`] accepts the cell.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, cell: Cell) -> bool {
        self.accepts::<false>(cell, self.rules.layout().bits(cell))
    }

    /// The actions since the position was made, in order, without undone ones.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Action> + ExactSizeIterator + '_ {
        self.history.entries().iter().map(|entry| entry.action())
    }

    /// The seat to move takes the cell. Returns the outcome if that ends the game.
    #[inline]
    pub fn play(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        if self.rules.layout().is_simple() {
            self.play_on::<true>(cell)
        } else {
            self.play_on_any(cell)
        }
    }

    /// Not inlined, so that simple boards keep their registers.
    #[inline(never)]
    fn play_on_any(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        self.play_on::<false>(cell)
    }

    /// [`Position::play`], compiled twice: once for [simple](crate::layout::Layout::is_simple)
    /// boards, without the checks they do not need, and once for all.
    #[inline(always)]
    fn play_on<const SIMPLE: bool>(&mut self, cell: Cell) -> Result<Option<Outcome>, Refusal> {
        let layout = self.rules.layout();
        let bits = layout.bits(cell);
        if !self.accepts::<SIMPLE>(cell, bits) {
            return Err(self.refusal(cell));
        }
        let seat = self.turn;
        let (empty_word, runs) = self.stones.place::<SIMPLE>(layout, bits, seat);
        self.history.push(UndoEntry::played(seat, cell));

        // No seat had a line before, so a run of k bits is this move's. But with `exact`, runs that
        // are too long stay on the board, so the runs through the cell are measured.
        let outcome = if runs != 0 && (SIMPLE || !self.rules.exact() || self.is_in_line(seat, cell))
        {
            self.line_outcome(seat)
        } else if empty_word == 0 && (SIMPLE || self.is_full()) {
            Outcome::Draw
        } else {
            self.turn = self.next_seat[seat.index()];
            return Ok(None);
        };
        self.outcome = Some(outcome);
        Ok(Some(outcome))
    }

    /// Undoes the last action and returns it.
    #[inline]
    pub fn undo(&mut self) -> Result<Action, Refusal> {
        let entry = self.history.pop().ok_or(Refusal::NothingToUndo)?;
        let action = entry.action();
        self.outcome = None;
        match action {
            Action::Move { seat, cell } => {
                self.turn = seat;
                self.flip_stone(seat, cell);
            }
            Action::Resign { seat } => {
                self.active |= 1 << seat.index();
                self.turn = entry.turn_before();
                self.update_turn_order();
            }
        }
        Ok(action)
    }

    /// Resets to the empty board without reallocating.
    pub fn clear(&mut self) {
        self.stones.clear(&self.rules);
        self.turn = Seat::FIRST;
        self.outcome = None;
        self.history.clear();
        let all_seats = u8::MAX >> (8 - self.rules.players());
        if self.active != all_seats {
            self.active = all_seats;
            self.update_turn_order();
        }
    }

    /// Resets to a board with these stones, which must not be full or contain a line.
    pub(crate) fn set_up(&mut self, turn: Seat, stones: impl Iterator<Item = (Cell, Seat)>) {
        self.clear();
        for (cell, seat) in stones {
            self.flip_stone(seat, cell);
        }
        self.turn = turn;
    }

    /// The seat leaves the game, even out of turn: its stones stay and the turn order skips it. The
    /// last seat left wins.
    pub fn resign(&mut self, seat: Seat) -> Result<Option<Outcome>, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::GameOver);
        }
        if self.active >> seat.index() & 1 == 0 {
            return Err(Refusal::NotPlaying { seat });
        }
        self.history.push(UndoEntry::resigned(seat, self.turn));
        self.active &= !(1 << seat.index());
        self.update_turn_order();
        if self.active.is_power_of_two() {
            self.outcome = Some(Outcome::Win(self.next_seat[seat.index()]));
        } else if self.turn == seat {
            self.turn = self.next_seat[seat.index()];
        }
        Ok(self.outcome)
    }

    /// Recomputes the turn order after a change of the active seats.
    fn update_turn_order(&mut self) {
        let mut next = self.rules.seats().find(|&seat| !self.has_resigned(seat));
        for seat in self.rules.seats().rev() {
            self.next_seat[seat.index()] = next.unwrap_or(seat);
            if !self.has_resigned(seat) {
                next = Some(seat);
            }
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.stones.empty.is_empty(self.rules.layout().set_words())
    }

    /// One word of the set of legal cells, if the game is not over.
    #[inline]
    fn legal_word(&self, i: usize) -> u64 {
        if self.rules.gravity() {
            self.stones.empty.lowest_word(i, self.rules.cols())
        } else {
            self.stones.empty.word(i)
        }
    }

    /// The outcome after the seat completed a line.
    #[inline]
    fn line_outcome(&self, seat: Seat) -> Outcome {
        // Misère games have two seats: the other one wins.
        Outcome::Win(Seat::from_index(seat.index() as u8 ^ u8::from(self.rules.misere())))
    }

    /// Adds a stone of the seat or removes it.
    #[inline]
    fn flip_stone(&mut self, seat: Seat, cell: Cell) {
        let layout = self.rules.layout();
        self.stones.flip(layout, layout.bits(cell), seat);
    }

    /// Whether the seat has a stone in the cell.
    fn holds(&self, seat: Seat, cell: Cell) -> bool {
        let layout = self.rules.layout();
        self.stones.holds(layout, layout.bits(cell), seat)
    }

    /// Whether the cell is in the bottom row or has a stone below it.
    #[inline]
    fn is_supported(&self, cell: Cell) -> bool {
        !self.stones.empty.contains(self.rules.layout().bits_below(cell))
    }

    /// Whether the seat to move may take the cell, which has these bits.
    #[inline]
    fn accepts<const SIMPLE: bool>(&self, cell: Cell, bits: &CellBits) -> bool {
        self.stones.is_empty::<SIMPLE>(bits)
            && self.outcome.is_none()
            && (SIMPLE || !self.rules.gravity() || self.is_supported(cell))
    }

    /// Why the cell, which is not legal, is refused.
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

    /// The cells of all completed lines, row by row.
    fn line_cells(&self) -> Vec<Cell> {
        match self.history().next_back() {
            // There was no line before this move.
            Some(Action::Move { seat, cell }) => {
                let mut cells: Vec<Cell> = self.lines_through(seat, cell).flatten().collect();
                cells.sort_unstable();
                cells.dedup();
                cells
            }
            Some(Action::Resign { .. }) => Vec::new(),
            None => self.rules.cells().filter(|&cell| self.is_in_any_line(cell)).collect(),
        }
    }

    /// Whether the cell has a stone that is part of a line.
    fn is_in_any_line(&self, cell: Cell) -> bool {
        self.seat_at(cell).is_some_and(|seat| self.is_in_line(seat, cell))
    }

    /// Whether a stone of the seat in this cell is part of a line. Not inlined, so that moves
    /// without a run do not pay for its stack frame.
    #[cold]
    #[inline(never)]
    fn is_in_line(&self, seat: Seat, cell: Cell) -> bool {
        DIRECTIONS
            .iter()
            .any(|&direction| self.is_line_length(self.run_through(seat, cell, direction).count()))
    }

    /// The lines of the seat through its stone in the cell.
    fn lines_through(&self, seat: Seat, cell: Cell) -> impl Iterator<Item = Vec<Cell>> + '_ {
        let runs = DIRECTIONS.iter().map(move |&direction| self.run_through(seat, cell, direction));
        runs.map(Iterator::collect).filter(|run: &Vec<_>| self.is_line_length(run.len()))
    }

    fn is_line_length(&self, length: usize) -> bool {
        let k = usize::from(self.rules.k());
        length == k || (length > k && !self.rules.exact())
    }

    /// The run of the seat's stones through a cell, the cell included.
    fn run_through(
        &self,
        seat: Seat,
        cell: Cell,
        (down, right): (i8, i8),
    ) -> impl Iterator<Item = Cell> + '_ {
        let ahead = self.stones_beyond(seat, cell, (down, right), cell);
        let stop = ahead.clone().last().unwrap_or(cell);
        ahead.chain(self.stones_beyond(seat, cell, (-down, -right), stop)).chain([cell])
    }

    /// The seat's adjacent stones from a cell onwards, at most `k`. If they fill a ring, they end
    /// before `stop`.
    fn stones_beyond(
        &self,
        seat: Seat,
        from: Cell,
        direction: (i8, i8),
        stop: Cell,
    ) -> impl Iterator<Item = Cell> + Clone + '_ {
        let grid = self.rules.grid();
        let continues = move |&cell: &Cell| cell != from && cell != stop && self.holds(seat, cell);
        let step = move |&cell: &Cell| grid.step(cell, direction).filter(continues);
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

//! Positions: here legality, turns and outcomes are decided.

mod bulk;
mod cursor;
mod general;
mod history;
mod lines;
mod parts;
#[cfg(test)]
mod path_tests;
mod stones;
mod variant;

use std::fmt;
use std::hash::{Hash, Hasher};

pub use cursor::MoveCursor;
use history::History;
pub use parts::{PositionParts, PositionPartsError};
use stones::Stones;
use variant::Variant;
pub(crate) use variant::ZoneTables;
pub use variant::{MAX_MOVES, OpeningStage};

use crate::action::{ActionKind, PackedEntry, UndoEntry};
use crate::layout::{CellBits, Path};
use crate::zobrist::mix;
use crate::{
    Action, Cell, MAX_PLAYERS, Mark, Marks, Move, Outcome, Refusal, Rules, Seat, State, Status,
    Zone,
};

/// A board, the seat to move, and the history of actions for undo.
///
/// This type is the authority on legality, turns and outcomes. It has no players;
/// [`Game`](crate::Game) adds them. Two positions are equal if rules, board, turn, resigned seats
/// and whatever else decides how the game can go on are, whatever their history.
///
/// ```
/// use noughts_rules::{Cell, Outcome, Position, Rules, Seat};
///
/// let mut position = Position::new(&Rules::classic());
/// for cell in ["A1", "B1", "A2", "B2"] {
///     assert_eq!(position.play(cell.parse::<Cell>()?)?, None);
/// }
/// assert_eq!(position.play("A3".parse::<Cell>()?)?, Some(Outcome::Win(Seat::FIRST)));
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
    /// The Zobrist key of the stones.
    stone_key: u64,
    history: History,
    variant: Variant,
}

impl Position {
    /// The empty board with the first seat to move.
    #[must_use]
    pub fn new(rules: &Rules) -> Position {
        let mut position = Position {
            stones: Stones::new(rules.layout()),
            turn: Seat::FIRST,
            next_seat: [Seat::FIRST; _],
            active: u8::MAX >> (8 - rules.players()),
            outcome: None,
            stone_key: 0,
            history: History::new(rules),
            variant: Variant::new(rules),
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
            Some(Outcome::Draw) => Status::Draw { reason: self.variant.draw_reason },
        }
    }

    /// What stands on the cell; `None` if it is empty or off the board.
    #[must_use]
    pub fn mark_at(&self, cell: Cell) -> Option<Mark> {
        self.rules.marks().find(|&mark| self.holds(mark, cell))
    }

    /// The seat whose mark this is; `None` if the mark belongs to nobody.
    #[must_use]
    pub fn owner(&self, mark: Mark) -> Option<Seat> {
        (self.rules.parts().marks == Marks::Own && mark.index() < self.rules.players())
            .then(|| Seat::from_index(self.variant.exchange(mark.index())))
    }

    /// The mark of a seat; `None` if the rules give nobody a mark of their own.
    #[must_use]
    pub fn mark_of(&self, seat: Seat) -> Option<Mark> {
        (self.rules.parts().marks == Marks::Own && seat.index() < self.rules.players())
            .then(|| Mark::from_index(self.variant.exchange(seat.index())))
    }

    /// The mark that [`Move::Place`] places; `None` where the mover chooses, or a choice of marks is
    /// due, or the game is over.
    #[must_use]
    pub fn mark_to_place(&self) -> Option<Mark> {
        let placing = self.turn().is_some() && !self.variant.stage.is_choice();
        (placing && self.rules.parts().marks != Marks::Any).then(|| self.next_mark())
    }

    /// The sub-board in which the seat to move must move; `None` if it may choose.
    #[must_use]
    pub fn board_to_play(&self) -> Option<Zone> {
        self.variant.zones.as_ref()?.board_to_play.filter(|_| self.outcome.is_none())
    }

    /// The mark that has won a sub-board (ultimate).
    #[must_use]
    pub fn zone_winner(&self, zone: Zone) -> Option<Mark> {
        let claims = self.variant.zones.as_ref()?.claims.as_ref()?;
        let outer = self.rules.zone_tables()?.outer.as_ref()?;
        let bits = outer.bits(variant::outer_cell(outer, zone));
        self.rules.marks().find(|&mark| claims.holds(outer, bits, mark))
    }

    /// Whether no more moves are possible in a sub-board, because it has a line or is full.
    #[must_use]
    pub fn is_closed(&self, zone: Zone) -> bool {
        let (Some(zones), Some(tables)) = (&self.variant.zones, self.rules.zone_tables()) else {
            return false;
        };
        let words = self.rules.layout().set_words();
        tables.cells.get(zone.index()).is_some_and(|cells| !zones.open.intersects(cells, words))
    }

    /// How many stones the seat to move may place in this turn; 0 if the game is over.
    #[must_use]
    pub fn stones_left(&self) -> u8 {
        if self.outcome.is_some() { 0 } else { self.variant.stones_left }
    }

    /// How far the opening has come, where it has a choice of marks.
    #[must_use]
    pub fn opening_stage(&self) -> OpeningStage {
        self.variant.stage
    }

    /// Whether the two seats have exchanged their marks.
    #[must_use]
    pub fn is_swapped(&self) -> bool {
        self.variant.swapped
    }

    /// The cells of a mark in the order in which they will disappear, the next first; empty where
    /// marks stay.
    #[must_use]
    pub fn fade_order(&self, mark: Mark) -> &[Cell] {
        let queues = self.variant.fading.as_ref().map(|fading| &fading.queues);
        queues.and_then(|queues| queues.get(mark.index())).map_or(&[], Vec::as_slice)
    }

    /// The cell whose mark disappears with the next move, if one does.
    #[must_use]
    pub fn fading_cell(&self) -> Option<Cell> {
        let keeps = usize::from(self.rules.parts().fade?);
        let queue = self.fade_order(self.mark_to_place()?);
        if queue.len() >= keeps { queue.first().copied() } else { None }
    }

    /// Whether [`Position::play`] would accept the move, or why not.
    pub fn check(&self, mv: impl Into<Move>) -> Result<(), Refusal> {
        let mv = mv.into();
        if self.is_legal(mv) { Ok(()) } else { Err(self.refusal(mv)) }
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

    /// The moves that [`Position::play`] accepts, in the order of the cells; none if the game is
    /// over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let mut cursor = self.move_cursor();
        std::iter::from_fn(move || cursor.next(self))
    }

    /// A cursor over the legal moves that does not borrow the position.
    #[inline]
    #[must_use]
    pub fn move_cursor(&self) -> MoveCursor {
        MoveCursor::new(self)
    }

    /// Whether [`Position::play`] accepts the move.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: impl Into<Move>) -> bool {
        let mv = mv.into();
        match (self.rules.layout().path(), mv) {
            (Path::General, _) => self.accepts_general(mv),
            (_, Move::Place(cell)) => self.accepts::<false>(self.rules.layout().bits(cell), cell),
            _ => false,
        }
    }

    /// A hash of everything that decides how the game can go on, the turn included; kept up to date
    /// move by move.
    ///
    /// ```
    /// use noughts_rules::{Cell, Position, Rules};
    ///
    /// let play = |cells: [&str; 3]| {
    ///     let mut position = Position::new(&Rules::classic());
    ///     cells.map(|cell| position.play(cell.parse::<Cell>().unwrap()).unwrap());
    ///     position.key()
    /// };
    /// assert_eq!(play(["A1", "B2", "C3"]), play(["C3", "B2", "A1"]));
    /// ```
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        let key = self.stone_key ^ mix(u64::from(self.active) << 8);
        if self.outcome.is_some() {
            return key;
        }
        let key = key ^ mix(self.turn.index() as u64);
        if self.rules.layout().path() == Path::General { key ^ self.variant_key() } else { key }
    }

    /// The actions since the position was made, in order, without undone ones.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = Action> + ExactSizeIterator + '_ {
        self.history.entries().map(UndoEntry::action)
    }

    /// The seat to move makes the move. Returns the outcome if that ends the game.
    #[inline]
    pub fn play(&mut self, mv: impl Into<Move>) -> Result<Option<Outcome>, Refusal> {
        let mv = mv.into();
        match self.rules.layout().path() {
            Path::Simple => self.play_on::<true>(mv),
            Path::Lines => self.play_on_lines(mv),
            Path::General => self.play_general(mv),
        }
    }

    /// Not inlined, so that simple boards keep their registers.
    #[inline(never)]
    fn play_on_lines(&mut self, mv: Move) -> Result<Option<Outcome>, Refusal> {
        self.play_on::<false>(mv)
    }

    /// [`Position::play`] for line games, compiled twice: once for [simple](Path::Simple) boards,
    /// without the checks they do not need, and once for all.
    #[inline(always)]
    fn play_on<const SIMPLE: bool>(&mut self, mv: Move) -> Result<Option<Outcome>, Refusal> {
        let Move::Place(cell) = mv else { return Err(self.refusal(mv)) };
        let layout = self.rules.layout();
        let bits = layout.bits_on::<SIMPLE>(cell);
        if !self.accepts::<SIMPLE>(bits, cell) {
            return Err(self.refusal(mv));
        }
        let seat = self.turn;
        let mark = Mark::from_index(seat.index() as u8);
        let (empty_word, runs) = self.stones.place::<SIMPLE>(layout, bits, mark);
        self.stone_key ^= bits.stone_key(mark);
        self.history.push(PackedEntry::placed(seat, cell));

        // No seat had a line before, so a run of k bits is this move's. But with `exact`, runs that
        // are too long stay on the board, so the runs through the cell are measured.
        let outcome = if runs != 0 && (SIMPLE || !self.rules.exact() || self.is_in_line(mark, cell))
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
        match self.rules.layout().path() {
            Path::Simple => self.undo_on::<true>(),
            Path::Lines => self.undo_on_lines(),
            Path::General => self.undo_general(),
        }
    }

    /// Not inlined, as [`Position::play_on_lines`].
    #[inline(never)]
    fn undo_on_lines(&mut self) -> Result<Action, Refusal> {
        self.undo_on::<false>()
    }

    /// [`Position::undo`] for line games.
    #[inline(always)]
    fn undo_on<const SIMPLE: bool>(&mut self) -> Result<Action, Refusal> {
        let entry = self.history.pop().ok_or(Refusal::NothingToUndo)?;
        let turn = entry.turn_before();
        self.turn = turn;
        self.outcome = None;
        let Some(cell) = entry.placed_cell() else {
            let seat = entry.entry().seat;
            self.rejoin(seat);
            return Ok(Action::Resign { seat });
        };
        self.flip_stone_on::<SIMPLE>(Mark::from_index(turn.index() as u8), cell);
        Ok(Action::Move { seat: turn, mv: Move::Place(cell) })
    }

    /// Takes back a resignation.
    #[cold]
    fn rejoin(&mut self, seat: Seat) {
        self.active |= 1 << seat.index();
        self.update_turn_order();
    }

    /// Resets to the empty board without reallocating.
    pub fn clear(&mut self) {
        self.stones.clear(self.rules.layout());
        self.turn = Seat::FIRST;
        self.outcome = None;
        self.stone_key = 0;
        self.history.clear();
        if self.rules.layout().path() == Path::General {
            self.variant.clear(&self.rules);
        }
        let all_seats = u8::MAX >> (8 - self.rules.players());
        if self.active != all_seats {
            self.active = all_seats;
            self.update_turn_order();
        }
    }

    /// Resets to a board of a line game with these stones, which must not be full or contain a line.
    pub(crate) fn set_up(&mut self, turn: Seat, stones: impl Iterator<Item = (Cell, Mark)>) {
        self.clear();
        for (cell, mark) in stones {
            self.flip_stone(mark, cell);
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
        let before = self.variant.before(self.turn);
        let kind = ActionKind::Resign;
        let entry = UndoEntry { kind, seat, before, ..UndoEntry::default() };
        self.history.push(PackedEntry::new(entry));
        self.active &= !(1 << seat.index());
        self.update_turn_order();
        if self.active.is_power_of_two() {
            self.outcome = Some(Outcome::Win(self.next_seat[seat.index()]));
        } else if self.turn == seat {
            self.turn = self.next_seat[seat.index()];
            self.variant.stones_left = self.stones_of_new_turn();
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

    /// One word of the set of cells in which a stone of a line game can be placed, if the game is not
    /// over.
    #[inline]
    fn legal_word(&self, i: usize) -> u64 {
        let empty = &self.stones.empty;
        if !self.rules.gravity() {
            empty.word(i)
        } else if self.rules.levels() == 1 {
            empty.lowest_word(i, self.rules.cols().into())
        } else {
            empty.lowest_level_word(i, self.rules.layout().extent().level_size())
        }
    }

    /// The outcome after the seat completed a line.
    #[inline]
    fn line_outcome(&self, seat: Seat) -> Outcome {
        // Misère games have two seats: the other one wins.
        Outcome::Win(Seat::from_index(seat.index() as u8 ^ u8::from(self.rules.misere())))
    }

    /// Adds a stone of the mark or removes it.
    fn flip_stone(&mut self, mark: Mark, cell: Cell) {
        self.flip_stone_on::<false>(mark, cell);
    }

    /// [`Position::flip_stone`], compiled for [simple](Path::Simple) boards and for all.
    #[inline(always)]
    fn flip_stone_on<const SIMPLE: bool>(&mut self, mark: Mark, cell: Cell) {
        let layout = self.rules.layout();
        let bits = layout.bits_on::<SIMPLE>(cell);
        self.stones.flip::<SIMPLE>(layout, bits, mark);
        self.stone_key ^= bits.stone_key(mark);
    }

    /// Whether the mark stands in the cell.
    fn holds(&self, mark: Mark, cell: Cell) -> bool {
        let layout = self.rules.layout();
        self.stones.holds(layout, layout.bits(cell), mark)
    }

    /// Whether the cell is on the floor or has a stone below it.
    #[inline]
    fn is_supported(&self, cell: Cell) -> bool {
        !self.stones.empty.contains(self.rules.layout().bits_below(cell))
    }

    /// Whether the seat to move may take the cell, which has these bits, in a line game.
    #[inline]
    fn accepts<const SIMPLE: bool>(&self, bits: &CellBits, cell: Cell) -> bool {
        self.stones.is_empty::<SIMPLE>(bits)
            && self.outcome.is_none()
            && if SIMPLE {
                cell.level() == 0
            } else {
                !self.rules.gravity() || self.is_supported(cell)
            }
    }

    /// Why the move, which is not legal, is refused.
    #[cold]
    fn refusal(&self, mv: Move) -> Refusal {
        if self.outcome.is_some() {
            return Refusal::GameOver;
        }
        let stage = self.variant.stage;
        let Some(cell) = mv.cell().filter(|_| !stage.is_choice()) else {
            let more = self.accepts_general(Move::More);
            return if stage.is_choice() {
                Refusal::ChoiceDue { more }
            } else {
                Refusal::NoChoiceDue
            };
        };
        let (rows, cols, levels) = (self.rules.rows(), self.rules.cols(), self.rules.levels());
        if !self.rules.contains(cell) {
            return Refusal::OffBoard { cell, rows, cols, levels };
        }
        if self.mark_at(cell).is_some() {
            return Refusal::Taken { cell };
        }
        if let Some(refusal) = self.zone_refusal(cell) {
            return refusal;
        }
        if self.rules.gravity() && !self.is_supported(cell) {
            let mut below = std::iter::successors(Some(cell), |&cell| self.rules.below(cell));
            let lowest = below.find(|&cell| self.is_supported(cell));
            return Refusal::Floating { cell, lowest: lowest.unwrap_or(cell) };
        }
        match (self.rules.parts().marks, mv.chosen_mark()) {
            (Marks::Any, _) => Refusal::WhichMark { cell },
            (_, Some(_)) => Refusal::NoChoiceOfMark { cell },
            (_, None) => match self.forbidden(cell) {
                Some(why) => Refusal::Forbidden { cell, why },
                None => Refusal::Taken { cell },
            },
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.rules == other.rules
            && (self.stones.small, &self.stones.large) == (other.stones.small, &other.stones.large)
            && (self.turn(), self.active) == (other.turn(), other.active)
            && self.outcome == other.outcome
            && (self.outcome.is_some() || self.variant.continues_like(&other.variant))
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

impl State for Position {
    type Move = Move;
    type Refusal = Refusal;

    fn seats(&self) -> usize {
        self.rules.players()
    }

    fn playing(&self) -> usize {
        self.active.count_ones() as usize
    }

    fn turn(&self) -> Option<Seat> {
        Position::turn(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Position::outcome(self)
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.legal_moves());
    }

    fn play(&mut self, mv: Move) -> Result<Option<Outcome>, Refusal> {
        Position::play(self, mv)
    }

    fn undo(&mut self) -> bool {
        Position::undo(self).is_ok()
    }

    fn key(&self) -> u64 {
        Position::key(self)
    }

    fn repeats(&self) -> bool {
        self.rules.repeats()
    }

    fn move_count(&self) -> usize {
        Position::move_count(self)
    }

    fn nth_move(&self, n: usize) -> Option<Move> {
        Position::nth_move(self, n)
    }
}

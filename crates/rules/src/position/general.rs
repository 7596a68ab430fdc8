//! The general path of a move: every rule of the family.

use super::variant::outer_cell;
use super::{MAX_MOVES, OpeningStage, Position};
use crate::action::{ActionKind, Before, PackedEntry, UndoEntry};
use crate::renju::Forbidden;
use crate::zobrist::mix;
use crate::{
    Action, Cell, DrawReason, Goal, Mark, Marks, Move, Opening, Outcome, Refusal, Seat, Zone,
};

impl Position {
    /// Whether [`Position::play`] accepts the move, on the general path.
    pub(super) fn accepts_general(&self, mv: Move) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        let parts = self.rules.parts();
        let is_choice = self.variant.stage.is_choice();
        let cell = match (mv, parts.marks) {
            (Move::Swap | Move::Keep, _) => return is_choice,
            (Move::More, _) => {
                return parts.opening == Opening::Swap2
                    && self.variant.stage == OpeningStage::Choose;
            }
            (Move::Place(cell), Marks::Own | Marks::One) => cell,
            (Move::Mark(cell, mark), Marks::Any) if mark.index() < 2 => cell,
            _ => return false,
        };
        let bits = self.rules.layout().bits(cell);
        !is_choice
            && self.stones.empty.contains(bits)
            && self.is_open(cell)
            && (!parts.gravity || self.is_supported(cell))
            && self.forbidden(cell).is_none()
    }

    /// [`Position::play`] on the general path.
    #[inline(never)]
    pub(super) fn play_general(&mut self, mv: Move) -> Result<Option<Outcome>, Refusal> {
        if !self.accepts_general(mv) {
            return Err(self.refusal(mv));
        }
        match mv {
            Move::Place(cell) => self.place(cell, self.next_mark(), ActionKind::Place),
            Move::Mark(cell, mark) => self.place(cell, mark, ActionKind::Mark),
            Move::Swap => self.choose(ActionKind::Swap),
            Move::Keep => self.choose(ActionKind::Keep),
            Move::More => self.choose(ActionKind::More),
        }
        Ok(self.outcome)
    }

    /// The mark that is due.
    pub(super) fn next_mark(&self) -> Mark {
        let parts = self.rules.parts();
        match parts.marks {
            Marks::One => Mark::FIRST,
            _ if self.variant.stage.is_placing() => Mark::from_index(self.stone_count() as u8 % 2),
            _ => Mark::from_index(self.variant.exchange(self.turn.index())),
        }
    }

    /// Whether moves in the sub-board of the cell are possible now.
    fn is_open(&self, cell: Cell) -> bool {
        let Some(zones) = &self.variant.zones else { return true };
        zones.open.contains(self.rules.layout().bits(cell))
            && zones.board_to_play.is_none_or(|zone| self.rules.zone(cell) == Some(zone))
    }

    /// Why moves in the sub-board of the cell are not possible now.
    pub(super) fn zone_refusal(&self, cell: Cell) -> Option<Refusal> {
        let board = self.rules.zone(cell)?;
        if self.is_closed(board) {
            return Some(Refusal::ClosedBoard { cell, board });
        }
        let board = self.board_to_play().filter(|&due| due != board)?;
        let cells: Vec<Cell> = self.rules.zone_cells(board).collect();
        Some(Refusal::OtherBoard { cell, board, first: *cells.first()?, last: *cells.last()? })
    }

    /// Why renju forbids the first mark to take an empty cell, whoever is to move; `None` for other
    /// cells and other rules.
    ///
    /// ```
    /// use noughts_rules::{Cell, Forbidden, Position};
    ///
    /// // D4 makes two open threes. White is to move.
    /// let position: Position = "7x7:5+renju 7/3x3/3x3/1xx4/7/1o4o/o6 o".parse()?;
    /// let cell: Cell = "D4".parse()?;
    /// assert_eq!(position.renju_forbids(cell), Some(Forbidden::DoubleThree));
    /// assert!(position.is_legal(cell));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn renju_forbids(&self, cell: Cell) -> Option<Forbidden> {
        let renju = self.variant.renju.as_ref()?;
        let is_empty = self.rules.contains(cell) && self.mark_at(cell).is_none();
        if is_empty { renju.forbidden(cell.row(), cell.col()) } else { None }
    }

    /// Why renju forbids the seat to move to take an empty cell.
    #[inline]
    pub(super) fn forbidden(&self, cell: Cell) -> Option<Forbidden> {
        let renju = self.variant.renju.as_ref()?;
        if self.next_mark() == Mark::FIRST { renju.forbidden(cell.row(), cell.col()) } else { None }
    }

    /// One word of the set of cells that are empty, open and supported, if the game is not over and no
    /// choice is due.
    pub(super) fn playable_word(&self, i: usize) -> u64 {
        let word = self.legal_word(i);
        let Some(zones) = &self.variant.zones else { return word };
        let word = word & zones.open.word(i);
        match (zones.board_to_play, self.rules.zone_tables()) {
            (Some(zone), Some(tables)) => word & tables.cells[zone.index()].word(i),
            _ => word,
        }
    }

    /// Whether no cell is left to play.
    fn nothing_is_left(&self) -> bool {
        let words = self.rules.layout().set_words();
        match &self.variant.zones {
            Some(zones) => !self.stones.empty.intersects(&zones.open, words),
            None if self.variant.renju.is_some() => self.legal_moves().next().is_none(),
            None => self.stones.empty.is_empty(words),
        }
    }

    fn place(&mut self, cell: Cell, mark: Mark, kind: ActionKind) {
        let seat = self.turn;
        let mut before = self.variant.before(seat);
        let key = if self.variant.fading.is_some() { self.key() } else { 0 };
        let faded = self.fade_oldest(mark, key);
        let layout = self.rules.layout();
        let bits = layout.bits(cell);
        let (_, runs) = self.stones.place::<false>(layout, bits, mark);
        self.stone_key ^= bits.stone_key(mark);
        self.variant.place_renju(cell, mark);
        if let Some(fading) = &mut self.variant.fading {
            fading.queues[mark.index()].push(cell);
        }
        let is_line = runs != 0 && self.completes_line(cell, mark);
        let outcome = if self.line_decides() {
            is_line.then(|| self.decided_by_line(seat))
        } else {
            before.closed = self.close_zone(cell, mark, is_line);
            self.decided_by_zones(cell, seat, mark, is_line)
        };
        if self.variant.zones.is_some() {
            self.send_next(cell);
        }
        let entry = UndoEntry { cell, faded, kind, seat, mark, before };
        self.history.push(PackedEntry::new(entry));
        self.outcome = outcome;
        if outcome.is_none() {
            self.pass_turn();
            self.end_without_line();
        }
    }

    /// Whether a stone whose words have runs of `k` is in a line: the runs may be older, in closed
    /// sub-boards, or too long.
    fn completes_line(&self, cell: Cell, mark: Mark) -> bool {
        if self.rules.exact() || self.variant.renju.is_some() {
            return self.is_in_line(mark, cell);
        }
        let layout = self.rules.layout();
        self.variant.zones.is_none() || self.stones.has_run(layout, layout.bits(cell), mark)
    }

    /// Removes the oldest stone of the mark if it has as many as stay. Notes the key of the position
    /// before the move.
    fn fade_oldest(&mut self, mark: Mark, key: u64) -> Option<Cell> {
        let keeps = usize::from(self.rules.parts().fade?);
        let fading = self.variant.fading.as_mut()?;
        fading.earlier_keys.push(key);
        let queue = &mut fading.queues[mark.index()];
        if queue.len() < keeps {
            return None;
        }
        let oldest = queue.remove(0);
        self.flip_stone(mark, oldest);
        Some(oldest)
    }

    /// The outcome after the seat completed a line, where lines decide.
    fn decided_by_line(&self, seat: Seat) -> Outcome {
        match self.rules.parts().goal {
            Goal::Maker => Outcome::Win(Seat::FIRST),
            _ => self.line_outcome(seat),
        }
    }

    /// Closes the sub-board of a cell if it has a line or is full. Returns whether it does.
    fn close_zone(&mut self, cell: Cell, mark: Mark, is_line: bool) -> bool {
        let (Some(zone), Some(tables)) = (self.rules.zone(cell), self.rules.zone_tables()) else {
            return is_line;
        };
        let cells = &tables.cells[zone.index()];
        let words = self.rules.layout().set_words();
        let closes = is_line || !self.stones.empty.intersects(cells, words);
        if closes && let Some(zones) = &mut self.variant.zones {
            zones.open.flip_all(cells);
            if let (true, Some(claims), Some(outer)) = (is_line, &mut zones.claims, &tables.outer) {
                claims.flip::<false>(outer, outer.bits(outer_cell(outer, zone)), mark);
            }
        }
        closes
    }

    /// The outcome after a move in a sub-board.
    fn decided_by_zones(
        &self,
        cell: Cell,
        seat: Seat,
        mark: Mark,
        is_line: bool,
    ) -> Option<Outcome> {
        if self.rules.parts().goal == Goal::LastBoard {
            let nothing_is_open = self.rules.zones().all(|zone| self.is_closed(zone));
            let loses = is_line && nothing_is_open;
            return loses.then(|| Outcome::Win(self.next_seat[seat.index()]));
        }
        let zone = self.rules.zone(cell).filter(|_| is_line)?;
        let outer = self.rules.zone_tables()?.outer.as_ref()?;
        let claims = self.variant.zones.as_ref()?.claims.as_ref()?;
        let has_run = claims.has_run(outer, outer.bits(outer_cell(outer, zone)), mark);
        has_run.then(|| self.line_outcome(seat))
    }

    /// Sets the sub-board to play after a move.
    fn send_next(&mut self, cell: Cell) {
        let target = self.rules.sends_to(cell).filter(|&zone| !self.is_closed(zone));
        if let Some(zones) = &mut self.variant.zones {
            zones.board_to_play = target;
        }
    }

    /// Hands the turn on after a stone, or the next stage of the opening.
    fn pass_turn(&mut self) {
        let opening_stones = match (self.variant.stage, self.rules.parts().opening) {
            (OpeningStage::Place, Opening::Swap) => Some((1, OpeningStage::Choose)),
            (OpeningStage::Place, _) => Some((3, OpeningStage::Choose)),
            (OpeningStage::PlaceMore, _) => Some((5, OpeningStage::ChooseLast)),
            _ => None,
        };
        if let Some((stones, next)) = opening_stones {
            if self.stone_count() == stones {
                self.variant.stage = next;
                self.turn = self.next_seat[self.turn.index()];
            }
            return;
        }
        self.variant.stones_left -= 1;
        if self.variant.stones_left == 0 {
            self.turn = self.next_seat[self.turn.index()];
            self.variant.stones_left = self.stones_of_new_turn();
        }
    }

    /// How many stones a turn has: one if it is the first of the game.
    pub(super) fn stones_of_new_turn(&self) -> u8 {
        if self.stone_count() == 0 { 1 } else { self.rules.parts().stones_per_turn }
    }

    /// Ends the game if no move is left, or the position has occurred too often.
    fn end_without_line(&mut self) {
        if let Some(fading) = &self.variant.fading {
            let key = self.key();
            let occurred = fading.earlier_keys.iter().filter(|&&earlier| earlier == key).count();
            let reason = if occurred >= 2 {
                DrawReason::Repetition
            } else if fading.earlier_keys.len() >= MAX_MOVES {
                DrawReason::Length
            } else {
                DrawReason::Full
            };
            if reason != DrawReason::Full {
                self.variant.draw_reason = reason;
                self.outcome = Some(Outcome::Draw);
                return;
            }
        }
        if !self.variant.stage.is_choice() && self.nothing_is_left() {
            let breaker_wins = self.rules.parts().goal == Goal::Maker;
            let second = Outcome::Win(Seat::from_index(1));
            self.outcome = Some(if breaker_wins { second } else { Outcome::Draw });
        }
    }

    /// An opening choice.
    fn choose(&mut self, kind: ActionKind) {
        let (seat, before) = (self.turn, self.variant.before(self.turn));
        let entry = UndoEntry { kind, seat, before, ..UndoEntry::default() };
        self.history.push(PackedEntry::new(entry));
        if kind == ActionKind::More {
            self.variant.stage = OpeningStage::PlaceMore;
            return;
        }
        self.variant.swapped = kind == ActionKind::Swap;
        self.variant.stage = OpeningStage::Done;
        // The second mark is next after one, three or five stones.
        self.turn = Seat::from_index(self.variant.exchange(1));
        self.variant.stones_left = self.rules.parts().stones_per_turn;
    }

    /// [`Position::undo`] on the general path.
    #[inline(never)]
    pub(super) fn undo_general(&mut self) -> Result<Action, Refusal> {
        let entry = self.history.pop().ok_or(Refusal::NothingToUndo)?.entry();
        let UndoEntry { cell, faded, kind, mark, before, seat } = entry;
        self.outcome = None;
        self.turn = before.turn;
        match kind {
            ActionKind::Place | ActionKind::Mark => self.unplace(cell, mark, faded, before),
            ActionKind::Resign => self.rejoin(seat),
            ActionKind::Swap => self.variant.swapped = false,
            ActionKind::Keep | ActionKind::More => {}
        }
        self.variant.draw_reason = DrawReason::Full;
        self.variant.restore(before);
        Ok(entry.action())
    }

    fn unplace(&mut self, cell: Cell, mark: Mark, faded: Option<Cell>, before: Before) {
        if before.closed {
            self.reopen_zone(cell, mark);
        }
        self.flip_stone(mark, cell);
        self.variant.remove_renju(cell);
        if let Some(fading) = &mut self.variant.fading {
            fading.earlier_keys.pop();
            let queue = &mut fading.queues[mark.index()];
            queue.pop();
            if let Some(faded) = faded {
                queue.insert(0, faded);
            }
        }
        if let Some(faded) = faded {
            self.flip_stone(mark, faded);
        }
    }

    fn reopen_zone(&mut self, cell: Cell, mark: Mark) {
        let (Some(zone), Some(tables)) = (self.rules.zone(cell), self.rules.zone_tables()) else {
            return;
        };
        let Some(zones) = &mut self.variant.zones else { return };
        zones.open.flip_all(&tables.cells[zone.index()]);
        if let (Some(claims), Some(outer)) = (&mut zones.claims, &tables.outer) {
            let bits = outer.bits(outer_cell(outer, zone));
            if claims.holds(outer, bits, mark) {
                claims.flip::<false>(outer, bits, mark);
            }
        }
    }

    /// The part of the key that the stones, the turn and resignations do not tell.
    pub(super) fn variant_key(&self) -> u64 {
        let variant = &self.variant;
        let board_to_play = self.board_to_play().map_or(0, |zone: Zone| zone.index() as u64 + 1);
        let scalars = u64::from(variant.stones_left)
            | (variant.stage as u64) << 8
            | u64::from(variant.swapped) << 16
            | board_to_play << 24;
        let mut key = mix(!scalars);
        let queues =
            variant.fading.iter().flat_map(|fading| self.rules.marks().zip(&fading.queues));
        for (mark, queue) in queues {
            for (&cell, age) in queue.iter().zip(1..) {
                let stone = self.rules.layout().bits(cell).stone_key(mark);
                key ^= mix(stone ^ age);
            }
        }
        key
    }
}

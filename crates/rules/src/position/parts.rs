//! Positions that are set up rather than played.

use super::variant::outer_cell;
use super::{OpeningStage, Position};
use crate::layout::Path;
use crate::{Cell, DrawReason, Goal, Mark, Marks, Opening, Outcome, Rules, Seat, Shape, Zone};

/// The parts of a position. [`PositionParts::build`] checks that they fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PositionParts {
    /// The rules.
    pub rules: Rules,
    /// What stands on each cell, by cell index.
    pub board: Vec<Option<Mark>>,
    /// The seat to move; `None` if the game is over.
    pub turn: Option<Seat>,
    /// The resigned seats.
    pub resigned: Vec<Seat>,
    /// The sub-board in which the seat to move must move (ultimate).
    pub board_to_play: Option<Zone>,
    /// The stones left in this turn; `None` if the turn has just begun.
    pub stones_left: Option<u8>,
    /// Where marks fade: the cells of each mark, oldest first.
    pub fade_order: Vec<Vec<Cell>>,
    /// How far the opening has come, where there is a choice of marks.
    pub opening_stage: OpeningStage,
    /// Whether the two seats have exchanged their marks.
    pub swapped: bool,
    /// Why the game is drawn, if the board does not tell.
    pub draw_reason: Option<DrawReason>,
}

/// Why parts do not make a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionPartsError {
    /// The board has the wrong size.
    #[error("expected {expected} cells, got {got}")]
    CellCount {
        /// The number of cells in the rules.
        expected: usize,
        /// The number of cells given.
        got: usize,
    },
    /// A seat that the rules do not have.
    #[error("there is no player {seat}: the rules are for {players} players")]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
        /// The number of players in the rules.
        players: usize,
    },
    /// A mark that the rules do not have.
    #[error("there is no mark {mark}: the rules have {marks}")]
    NoSuchMark {
        /// The mark.
        mark: Mark,
        /// The number of marks in the rules.
        marks: usize,
    },
    /// With gravity: a stone has an empty cell below it.
    #[error("{0} has nothing below it: with gravity it needs a stone there")]
    Floating(Cell),
    /// All seats have resigned.
    #[error("all players have resigned: the last one left wins and can't resign")]
    NobodyLeft,
    /// There are lines that one last move cannot have completed together.
    #[error("no single last move can have completed these lines")]
    Lines,
    /// A mark has more or fewer stones than the turn order allows.
    #[error("the numbers of stones do not match the turn order")]
    Turns,
    /// The game is over, but there is a seat to move.
    #[error("the game is over, so it is nobody's turn")]
    Over,
    /// The game is not over, but there is no seat to move, or it has resigned.
    #[error("the game is not over, so it must be the turn of a player who has not resigned")]
    NotOver,
    /// The board to play is closed, or the rules have none, or the player can't have a free choice.
    #[error("the board to play must be an open board of these rules")]
    BoardToPlay,
    /// The stones left are more than a turn has.
    #[error("the stones left must be at most those of a turn")]
    StonesLeft,
    /// The fading marks are not those on the board.
    #[error("the order of the fading marks must list exactly the marks on the board")]
    FadeOrder,
    /// A draw that only games with fading marks have.
    #[error("only games in which marks fade are drawn by repetition or length")]
    DrawReason,
    /// The opening stage does not fit the rules or the stones.
    #[error("the stage of the opening does not match the rules and the stones")]
    Opening,
}

use PositionPartsError as Error;

impl PositionParts {
    /// The parts of the start position.
    #[must_use]
    pub fn new(rules: &Rules) -> PositionParts {
        PositionParts::of(&Position::new(rules))
    }

    /// The parts of a position.
    #[must_use]
    pub fn of(position: &Position) -> PositionParts {
        let rules = position.rules().clone();
        let full_turn = position.stones_of_new_turn();
        PositionParts {
            board: rules.cells().map(|cell| position.mark_at(cell)).collect(),
            turn: position.turn(),
            resigned: rules.seats().filter(|&seat| position.has_resigned(seat)).collect(),
            board_to_play: position.board_to_play(),
            stones_left: Some(position.stones_left()).filter(|&left| left != full_turn && left > 0),
            fade_order: match &position.variant.fading {
                Some(fading) => fading.queues.clone(),
                None => Vec::new(),
            },
            opening_stage: position.variant.stage,
            swapped: position.variant.swapped,
            draw_reason: Some(position.variant.draw_reason).filter(|&r| r != DrawReason::Full),
            rules,
        }
    }

    /// Checks the parts and makes a position of them.
    ///
    /// Positions of line games are accepted if play can lead to them. For other games the checks are
    /// weaker, but the rules apply to what follows all the same.
    pub fn build(&self) -> Result<Position, PositionPartsError> {
        let mut position = self.set_up()?;
        if self.rules.gravity()
            && let Some(cell) = self.rules.cells().find(|&cell| position.floats(cell))
        {
            return Err(Error::Floating(cell));
        }
        self.set_up_variant(&mut position)?;

        // The seat that would move next, if the board tells.
        let (outcome, next) = match self.decided(&mut position)? {
            Some((outcome, next)) => (Some(outcome), next),
            None if position.active == 0 => return Err(Error::NobodyLeft),
            None if position.active.is_power_of_two() => {
                let last = Seat::from_index(position.active.trailing_zeros() as u8);
                (Some(Outcome::Win(last)), Some(last))
            }
            None => (None, self.turn.filter(|&turn| !position.has_resigned(turn))),
        };
        match outcome {
            Some(_) if self.turn.is_some() => return Err(Error::Over),
            None if next.is_none() => return Err(Error::NotOver),
            _ => {}
        }
        let matches = |seat| !position.has_resigned(seat) && self.turns_match(&position, seat);
        if !next.map_or_else(|| self.rules.seats().any(matches), matches) {
            return Err(Error::Turns);
        }
        position.outcome = outcome;
        position.turn = next.unwrap_or(Seat::FIRST);
        Ok(position)
    }

    /// The board and the active seats; checks only that cells, marks and seats exist.
    fn set_up(&self) -> Result<Position, PositionPartsError> {
        let (expected, got) = (self.rules.cell_count(), self.board.len());
        if expected != got {
            return Err(Error::CellCount { expected, got });
        }
        let (players, marks) = (self.rules.players(), self.rules.marks().len());
        let mut mentioned = self.turn.iter().chain(&self.resigned);
        if let Some(&seat) = mentioned.find(|seat| seat.index() >= players) {
            return Err(Error::NoSuchSeat { seat, players });
        }
        if let Some(&mark) = self.board.iter().flatten().find(|mark| mark.index() >= marks) {
            return Err(Error::NoSuchMark { mark, marks });
        }
        let mut position = Position::new(&self.rules);
        for seat in &self.resigned {
            position.active &= !(1 << seat.index());
        }
        position.update_turn_order();
        for (cell, mark) in self.rules.cells().zip(&self.board) {
            if let Some(mark) = mark {
                position.flip_stone(*mark, cell);
                position.variant.place_renju(cell, *mark);
            }
        }
        Ok(position)
    }

    /// What the stones do not tell.
    fn set_up_variant(&self, position: &mut Position) -> Result<(), PositionPartsError> {
        self.set_up_zones(position)?;
        self.set_up_fading(position)?;
        let full_turn = position.stones_of_new_turn();
        let stones_left = self.stones_left.unwrap_or(full_turn);
        if !(1..=full_turn).contains(&stones_left) {
            return Err(Error::StonesLeft);
        }
        let variant = &mut position.variant;
        variant.stones_left = stones_left;
        variant.stage = self.opening_stage;
        variant.swapped = self.swapped;
        let stones = self.board.iter().flatten().count();
        let fits = match (self.rules.parts().opening, self.opening_stage) {
            (Opening::Free, stage) => stage == OpeningStage::Done && !self.swapped,
            (Opening::Swap, OpeningStage::Done) => stones >= 1,
            (Opening::Swap2, OpeningStage::Done) => stones >= 3,
            (_, _) if self.swapped => false,
            (Opening::Swap, OpeningStage::Place) => stones == 0,
            (Opening::Swap, stage) => stage == OpeningStage::Choose && stones == 1,
            (Opening::Swap2, OpeningStage::Place) => stones < 3,
            (Opening::Swap2, OpeningStage::Choose) => stones == 3,
            (Opening::Swap2, OpeningStage::PlaceMore) => (3..5).contains(&stones),
            (Opening::Swap2, OpeningStage::ChooseLast) => stones == 5,
        };
        if fits { Ok(()) } else { Err(Error::Opening) }
    }

    /// Closes the sub-boards that have a line or are full.
    fn set_up_zones(&self, position: &mut Position) -> Result<(), PositionPartsError> {
        let is_nested = matches!(self.rules.shape(), Shape::Nested { .. });
        let is_known = |zone| is_nested && self.rules.zones().any(|other| other == zone);
        if self.board_to_play.is_some_and(|zone| !is_known(zone)) {
            return Err(Error::BoardToPlay);
        }
        let Some(tables) = self.rules.zone_tables() else { return Ok(()) };
        for zone in self.rules.zones() {
            let cells: Vec<Cell> = self.rules.zone_cells(zone).collect();
            let mut marks: Vec<Mark> = cells
                .iter()
                .filter(|&&cell| position.is_in_any_line(cell))
                .filter_map(|&cell| position.mark_at(cell))
                .collect();
            marks.dedup();
            let is_full = cells.iter().all(|&cell| position.mark_at(cell).is_some());
            let Some(zones) = &mut position.variant.zones else { continue };
            if marks.is_empty() && !is_full {
                continue;
            }
            zones.open.flip_all(&tables.cells[zone.index()]);
            match (&marks[..], &mut zones.claims, &tables.outer) {
                ([mark], Some(claims), Some(outer)) => {
                    claims.flip::<false>(outer, outer.bits(outer_cell(outer, zone)), *mark);
                }
                ([], _, _) | (_, None, _) => {}
                _ => return Err(Error::Lines),
            }
        }
        if self.board_to_play.is_some_and(|zone| position.is_closed(zone)) {
            return Err(Error::BoardToPlay);
        }
        let has_closed = self.rules.zones().any(|zone| position.is_closed(zone));
        let is_start = self.board.iter().all(Option::is_none);
        let may_be_free = !is_nested || has_closed || is_start || self.turn.is_none();
        if self.board_to_play.is_none() && !may_be_free {
            return Err(Error::BoardToPlay);
        }
        if let Some(zones) = &mut position.variant.zones {
            zones.board_to_play = self.board_to_play;
        }
        Ok(())
    }

    fn set_up_fading(&self, position: &mut Position) -> Result<(), PositionPartsError> {
        let keeps = self.rules.parts().fade;
        let (Some(keeps), Some(fading)) = (keeps, &mut position.variant.fading) else {
            return match (&self.fade_order[..], self.early_draw()) {
                ([], None) => Ok(()),
                ([], Some(_)) => Err(Error::DrawReason),
                _ => Err(Error::FadeOrder),
            };
        };
        let stones = self.rules.cells().zip(&self.board);
        let mut on_board: Vec<(Mark, Cell)> =
            stones.filter_map(|(cell, mark)| Some(((*mark)?, cell))).collect();
        let queues = self.rules.marks().zip(&self.fade_order);
        let mut listed: Vec<(Mark, Cell)> =
            queues.flat_map(|(mark, queue)| queue.iter().map(move |&cell| (mark, cell))).collect();
        on_board.sort_unstable();
        listed.sort_unstable();
        let fits = self.fade_order.len() == self.rules.marks().len()
            && self.fade_order.iter().all(|queue| queue.len() <= usize::from(keeps));
        if on_board != listed || !fits {
            return Err(Error::FadeOrder);
        }
        fading.queues.clone_from(&self.fade_order);
        Ok(())
    }

    /// Why the game is drawn although moves are left.
    fn early_draw(&self) -> Option<DrawReason> {
        self.draw_reason.filter(|&reason| reason != DrawReason::Full)
    }

    /// The outcome and the seat that would move next, if the stones decide the game.
    fn decided(
        &self,
        position: &mut Position,
    ) -> Result<Option<(Outcome, Option<Seat>)>, PositionPartsError> {
        if let Some(reason) = self.early_draw() {
            position.variant.draw_reason = reason;
            return Ok(Some((Outcome::Draw, None)));
        }
        if position.rules.layout().path() == Path::General {
            return self.decided_general(position);
        }
        if let Some(cell) = self.rules.cells().find(|&cell| position.is_in_any_line(cell)) {
            let mark = position.completed_by_one_move(cell).ok_or(Error::Lines)?;
            let seat = Seat::from_index(mark.index() as u8);
            let next = position.next_seat[seat.index()];
            return Ok(Some((position.line_outcome(seat), Some(next))));
        }
        let is_full = position.active.count_ones() > 1 && position.is_full();
        Ok(is_full.then_some((Outcome::Draw, None)))
    }

    /// [`PositionParts::decided`] for games that are more than a line game.
    fn decided_general(
        &self,
        position: &Position,
    ) -> Result<Option<(Outcome, Option<Seat>)>, PositionPartsError> {
        if position.active.count_ones() < 2 {
            return Ok(None);
        }
        let parts = self.rules.parts();
        let other = |seat: Seat| position.next_seat[seat.index()];
        if !position.line_decides() {
            return Ok(self.decided_by_zones(position));
        }
        let mut marks: Vec<Mark> = self
            .rules
            .cells()
            .filter(|&cell| position.is_in_any_line(cell))
            .filter_map(|cell| position.mark_at(cell))
            .collect();
        marks.sort_unstable();
        marks.dedup();
        let mover = match (&marks[..], parts.marks) {
            ([], _) => {
                let is_full = self.opening_stage == OpeningStage::Done
                    && (position.is_full() || self.all_forbidden(position));
                let breaker_wins = parts.goal == Goal::Maker;
                let second = Outcome::Win(Seat::from_index(1));
                let outcome = if breaker_wins { second } else { Outcome::Draw };
                return Ok(is_full.then_some((outcome, None)));
            }
            (_, Marks::Any) if parts.goal == Goal::Maker => {
                return Ok(Some((Outcome::Win(Seat::FIRST), None)));
            }
            (_, Marks::Any | Marks::One) => self.last_mover(),
            ([mark], Marks::Own) => position.owner(*mark).ok_or(Error::Lines)?,
            _ => return Err(Error::Lines),
        };
        let next = (parts.marks == Marks::Own && parts.stones_per_turn == 1).then(|| other(mover));
        Ok(Some((position.line_outcome(mover), next)))
    }

    /// Whether renju forbids every empty cell to the mark that is next.
    fn all_forbidden(&self, position: &Position) -> bool {
        let Some(renju) = &position.variant.renju else { return false };
        let stones = self.board.iter().flatten().count();
        let mut empty = self.rules.cells().filter(|&cell| position.mark_at(cell).is_none());
        stones.is_multiple_of(2)
            && empty.all(|cell| renju.forbidden(cell.row(), cell.col()).is_some())
    }

    fn decided_by_zones(&self, position: &Position) -> Option<(Outcome, Option<Seat>)> {
        let all_closed = match self.rules.zones().len() {
            0 => self.rules.cells().any(|cell| position.is_in_any_line(cell)),
            _ => self.rules.zones().all(|zone| position.is_closed(zone)),
        };
        if self.rules.parts().goal == Goal::LastBoard {
            let winner = position.next_seat[self.last_mover().index()];
            return all_closed.then_some((Outcome::Win(winner), None));
        }
        let outer = self.rules.zone_tables()?.outer.as_ref()?;
        let claims = position.variant.zones.as_ref()?.claims.as_ref()?;
        let has_line = |&mark: &Mark| {
            self.rules
                .zones()
                .any(|zone| claims.has_run(outer, outer.bits(outer_cell(outer, zone)), mark))
        };
        match self.rules.marks().find(has_line).and_then(|mark| position.owner(mark)) {
            Some(mover) => {
                Some((position.line_outcome(mover), Some(position.next_seat[mover.index()])))
            }
            None => all_closed.then_some((Outcome::Draw, None)),
        }
    }

    /// The seat that placed the last stone, in games of two seats with one kind of turn.
    fn last_mover(&self) -> Seat {
        let stones = self.board.iter().flatten().count();
        let turns = if stones == 0 {
            0
        } else {
            1 + (stones - 1).div_ceil(self.rules.parts().stones_per_turn.into())
        };
        Seat::from_index(((turns + 1) % 2) as u8)
    }

    /// Whether the numbers of stones are right if `next` is to move. Resigned seats may have fewer.
    fn turns_match(&self, position: &Position, next: Seat) -> bool {
        let parts = self.rules.parts();
        let per_turn = usize::from(parts.stones_per_turn);
        let stones = self.board.iter().flatten().count();
        let count = |mark: Mark| self.board.iter().filter(|at| **at == Some(mark)).count();
        if self.opening_stage != OpeningStage::Done {
            let seat = match self.opening_stage {
                OpeningStage::Choose | OpeningStage::PlaceMore => Seat::from_index(1),
                _ => Seat::FIRST,
            };
            let [first, second] = [0, 1].map(|i| count(Mark::from_index(i)));
            let seat_matches = seat == next || position.active.count_ones() < 2;
            return seat_matches && first == stones.div_ceil(2) && first + second == stones;
        }
        if parts.marks != Marks::Own || per_turn > 1 {
            // With more seats, resignations blur whose turn it is.
            return position.active.count_ones() < 2
                || self.rules.players() > 2
                || position.outcome.is_some()
                || self.turn.is_none()
                || self.seat_after(stones, position) == next;
        }
        let keeps = parts.fade.map_or(usize::MAX, usize::from);
        let due = position.mark_of(next).unwrap_or(Mark::FIRST);
        let rounds = count(due);
        let owner_resigned =
            |mark| position.owner(mark).is_some_and(|seat| position.has_resigned(seat));
        self.rules.marks().all(|mark| {
            let expected = (rounds + usize::from(mark < due)).min(keeps);
            // Once the marks of the seat to move fade, the others' may be as many or one fewer.
            count(mark) == expected || (owner_resigned(mark) && count(mark) < expected)
        })
    }

    /// The seat to move after this many stones, with two seats.
    fn seat_after(&self, stones: usize, position: &Position) -> Seat {
        let turns = match stones {
            0 => 0,
            _ => 1 + (stones - 1) / usize::from(self.rules.parts().stones_per_turn),
        };
        Seat::from_index(position.variant.exchange(turns % 2))
    }
}

impl Position {
    /// Whether the cell has a stone with nothing below it.
    fn floats(&self, cell: Cell) -> bool {
        self.mark_at(cell).is_some() && !self.is_supported(cell)
    }

    /// The mark of the line through this cell, if one move can have completed all lines.
    fn completed_by_one_move(&mut self, cell: Cell) -> Option<Mark> {
        let mark = self.mark_at(cell)?;
        if self.has_resigned(self.owner(mark)?) || self.active.count_ones() < 2 {
            return None;
        }
        let line = self.lines_through(mark, cell).into_iter().next()?;
        line.into_iter().any(|last| self.can_be_last(mark, last)).then_some(mark)
    }

    /// Whether all lines contain the mark's stone in this cell and, with gravity, nothing is on it.
    fn can_be_last(&mut self, mark: Mark, cell: Cell) -> bool {
        let above = self.rules.above(cell);
        if self.rules.gravity() && above.is_some_and(|above| self.mark_at(above).is_some()) {
            return false;
        }
        self.flip_stone(mark, cell);
        let no_line = !self.rules.cells().any(|cell| self.is_in_any_line(cell));
        self.flip_stone(mark, cell);
        no_line
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;

    fn check(text: &str, expected: &str) {
        let got = match text.parse::<Position>() {
            Ok(position) => format!("{:?}", position.status()),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expected, "{text:?}");
    }

    #[test]
    fn reachable_positions_are_accepted() {
        check("3x3 3/3/3 x", "InProgress { turn: Seat(0) }");
        check("3x3 x2/1o1/3 x", "InProgress { turn: Seat(0) }");
        check("3x3 xxx/oo1/3 -", "Won { seat: Seat(0), cells: [A1, A2, A3] }");
        check("3x3+misere xxx/oo1/3 -", "Won { seat: Seat(1), cells: [A1, A2, A3] }");
        check("3x3 xox/xoo/oxx -", "Draw { reason: Full }");
        check("3x3 x2/3/3 - x", "Won { seat: Seat(1), cells: [] }");
        check("4x4:3+3p x3/4/4/4 a o", "InProgress { turn: Seat(2) }");
        check("1x9:3+exact xxxxo1ooo -", "Won { seat: Seat(1), cells: [A7, A8, A9] }");
        check("3x3+ultimate 9/9/9/9/4x4/9/9/9/9 - o", "Won { seat: Seat(0), cells: [] }");
        check("3x3+swap 3/1x1/3 - o stage:choose", "Won { seat: Seat(0), cells: [] }");
    }

    /// A stone in the only empty cell would make seven in a row.
    #[test]
    fn renju_without_allowed_moves_is_drawn() {
        let board = "3x7:5+renju xxx1xxx/oooxoox/ooxooxo";
        check(&format!("{board} -"), "Draw { reason: Full }");
        check(&format!("{board} x"), "the game is over, so it is nobody's turn");
    }

    #[test]
    fn details_must_fit_the_rules() {
        let opening = "the stage of the opening does not match the rules and the stones";
        check("3x3 3/3/3 x swapped", opening);
        check("3x3 3/3/3 x stage:place", opening);
        check("5x5:4+swap2 x4/5/5/5/5 o", opening);
        check("3x3+swap 3/3/3 x", opening);
        let draw = "only games in which marks fade are drawn by repetition or length";
        check("3x3 3/3/3 - draw:length", draw);
        check("3x3 3/3/3 x left:2", "the stones left must be at most those of a turn");
        let order = "the order of the fading marks must list exactly the marks on the board";
        check("3x3 3/3/3 x old:A1", order);
        check("3x3+fade3 x2/3/3 o old:B1,", order);
        let board = "the board to play must be an open board of these rules";
        check("3x3+notakto+2b xx1/3/3|3/3/3 x in:2", board);
        check("3x3+ultimate 9/9/9/9/4x4/9/9/9/9 o", board);
        check("3x3+ultimate xxxoo4/9/9/9/9/9/9/9/9 o in:A1", board);
    }

    #[test]
    fn unreachable_positions_are_refused() {
        check("3x3 xxx/ooo/3 -", "no single last move can have completed these lines");
        check("3x3 xxx/oo1/3 o", "the game is over, so it is nobody's turn");
        check("3x3 xxx/1o1/1o1 x", "the game is over, so it is nobody's turn");
        check("3x3 ooo/xxo/3 -", "the numbers of stones do not match the turn order");
        check("3x3 x2/3/3 x", "the numbers of stones do not match the turn order");
        check(
            "3x3 x2/3/3 -",
            "the game is not over, so it must be the turn of a player who has not resigned",
        );
        check(
            "3x3 x2/3/3 - xo",
            "all players have resigned: the last one left wins and can't resign",
        );
        check("3x3 oxo/oxo/xox -", "the numbers of stones do not match the turn order");
        check("3x3 a2/3/3 o", "there is no mark a: the rules have 2");
        check(
            "3x3+gravity x2/3/3 o",
            "A1 has nothing below it: with gravity it needs a stone there",
        );
        check("4x4:2 x3/x3/3x/3x -", "no single last move can have completed these lines");
    }
}

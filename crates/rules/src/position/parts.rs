//! Positions that are set up rather than played.

use super::Position;
use crate::{Cell, Outcome, Rules, Seat};

/// The parts of a position. [`PositionParts::build`] checks that turns, lines and gravity are as
/// play leaves them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionParts {
    /// The rules.
    pub rules: Rules,
    /// The seat that has taken each cell, by cell index.
    pub board: Vec<Option<Seat>>,
    /// The seat to move; `None` if the game is over.
    pub turn: Option<Seat>,
    /// The resigned seats.
    pub resigned: Vec<Seat>,
}

/// Why parts do not make a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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
    /// With gravity: a stone has an empty cell below it.
    #[error("{0} has nothing below it: with gravity it needs a stone there")]
    Floating(Cell),
    /// All seats have resigned.
    #[error("all players have resigned: the last one left wins and can't resign")]
    NobodyLeft,
    /// There are lines that one last move cannot have completed together.
    #[error("no single last move can have completed these lines")]
    Lines,
    /// A seat has more or fewer stones than the turn order allows.
    #[error("the numbers of stones do not match the turn order")]
    Turns,
    /// The game is over, but there is a seat to move.
    #[error("the game is over, so it is nobody's turn")]
    Over,
    /// The game is not over, but there is no seat to move, or it has resigned.
    #[error("the game is not over, so it must be the turn of a player who has not resigned")]
    NotOver,
}

use PositionPartsError as Error;

impl PositionParts {
    /// Checks the parts and makes a position of them.
    pub fn build(&self) -> Result<Position, PositionPartsError> {
        let mut position = self.set_up()?;
        if self.rules.gravity()
            && let Some(cell) = self.rules.cells().find(|&cell| position.floats(cell))
        {
            return Err(Error::Floating(cell));
        }

        // The seat that would move next, if the board tells.
        let (outcome, next) = match self.rules.cells().find(|&cell| position.is_in_any_line(cell)) {
            Some(cell) => {
                let seat = position.completed_by_one_move(cell).ok_or(Error::Lines)?;
                (Some(position.line_outcome(seat)), Some(position.next_seat[seat.index()]))
            }
            None if position.active == 0 => return Err(Error::NobodyLeft),
            None if position.active.is_power_of_two() => {
                let last = Seat::from_index(position.active.trailing_zeros() as u8);
                (Some(Outcome::Win(last)), Some(last))
            }
            None if position.is_full() => (Some(Outcome::Draw), None),
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

    /// The board and the active seats; checks only that cells and seats exist.
    fn set_up(&self) -> Result<Position, PositionPartsError> {
        let (expected, got) = (self.rules.cell_count(), self.board.len());
        if expected != got {
            return Err(Error::CellCount { expected, got });
        }
        let players = self.rules.players();
        let mentioned = self.board.iter().flatten().chain(&self.turn).chain(&self.resigned);
        if let Some(&seat) = mentioned.into_iter().find(|seat| seat.index() >= players) {
            return Err(Error::NoSuchSeat { seat, players });
        }
        let mut position = Position::new(&self.rules);
        for seat in &self.resigned {
            position.active &= !(1 << seat.index());
        }
        position.update_turn_order();
        for (cell, seat) in self.rules.cells().zip(&self.board) {
            if let Some(seat) = seat {
                position.flip_stone(*seat, cell);
            }
        }
        Ok(position)
    }

    /// Whether the numbers of stones are right if `next` is to move. Resigned seats may have fewer.
    fn turns_match(&self, position: &Position, next: Seat) -> bool {
        let count = |seat: Seat| self.board.iter().filter(|at| **at == Some(seat)).count();
        let rounds = count(next);
        self.rules.seats().all(|seat| {
            let expected = rounds + usize::from(seat < next);
            count(seat) == expected || (position.has_resigned(seat) && count(seat) < expected)
        })
    }
}

impl Position {
    /// Whether the cell has a stone with nothing below it.
    fn floats(&self, cell: Cell) -> bool {
        self.seat_at(cell).is_some() && !self.is_supported(cell)
    }

    /// The owner of the line through this cell, if one move can have completed all lines.
    fn completed_by_one_move(&mut self, cell: Cell) -> Option<Seat> {
        let seat = self.seat_at(cell)?;
        if self.has_resigned(seat) || self.active.count_ones() < 2 {
            return None;
        }
        let line = self.lines_through(seat, cell).next()?;
        line.into_iter().any(|last| self.can_be_last(seat, last)).then_some(seat)
    }

    /// Whether all lines contain the seat's stone in this cell and, with gravity, nothing is on it.
    fn can_be_last(&mut self, seat: Seat, cell: Cell) -> bool {
        let above = cell.row().checked_sub(1).map(|row| Cell::on_board(row, cell.col()));
        if self.rules.gravity() && above.is_some_and(|above| self.seat_at(above).is_some()) {
            return false;
        }
        self.flip_stone(seat, cell);
        let no_line = !self.rules.cells().any(|cell| self.is_in_any_line(cell));
        self.flip_stone(seat, cell);
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
        check("3x3 xox/xoo/oxx -", "Draw");
        check("3x3 x2/3/3 - x", "Won { seat: Seat(1), cells: [] }");
        check("4x4:3+3p x3/4/4/4 a o", "InProgress { turn: Seat(2) }");
        check("1x9:3+exact xxxxo1ooo -", "Won { seat: Seat(1), cells: [A7, A8, A9] }");
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
        check("3x3 a2/3/3 o", "there is no player 3: the rules are for 2 players");
        check(
            "3x3+gravity x2/3/3 o",
            "A1 has nothing below it: with gravity it needs a stone there",
        );
        check("4x4:2 x3/x3/3x/3x -", "no single last move can have completed these lines");
    }
}

//! Positions that were not reached by play.

use super::Position;
use crate::{Cell, Outcome, Rules, Seat};

/// The parts of a position, free to set; [`PositionParts::build`] checks that turns, lines and
/// gravity are as play by the rules leaves them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionParts {
    /// The rules.
    pub rules: Rules,
    /// Who has taken each cell, row by row.
    pub board: Vec<Option<Seat>>,
    /// Whose turn it is; nobody's when the game is over.
    pub turn: Option<Seat>,
    /// Who has left the game.
    pub resigned: Vec<Seat>,
}

/// Why parts do not make a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionPartsError {
    /// The board is not that of the rules.
    #[error("{got} cells: the board of these rules has {expected}")]
    CellCount {
        /// How many the rules ask for.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// A seat that the rules do not have.
    #[error("there is no player {seat}: these rules are for {players}")]
    NoSuchSeat {
        /// The seat that was named.
        seat: Seat,
        /// How many play.
        players: usize,
    },
    /// With gravity: a stone has an empty cell below it.
    #[error("{0} hangs in the air: with gravity it needs a stone below it")]
    Floating(Cell),
    /// Everybody has resigned.
    #[error("everybody has resigned: the last seat left wins and stays")]
    NobodyLeft,
    /// There are lines, but not as one last move leaves them.
    #[error("there are lines that no single last move can have completed")]
    Lines,
    /// Seats have moved more or less often than the turn order allows.
    #[error("the numbers of stones do not fit the turn order")]
    Turns,
    /// The game is over, but it is said to be a seat's turn.
    #[error("the game is over, so it is nobody's turn")]
    Over,
    /// The game goes on, but it is said to be nobody's turn, or that of a seat that has left.
    #[error("the game goes on, so it is the turn of a seat that has not resigned")]
    NotOver,
}

use PositionPartsError as Error;

impl PositionParts {
    /// The position with these parts, or why there is none.
    pub fn build(&self) -> Result<Position, PositionPartsError> {
        let mut position = self.stones()?;
        if self.rules.gravity()
            && let Some(cell) = self.rules.cells().find(|&cell| position.floats(cell))
        {
            return Err(Error::Floating(cell));
        }

        // Whose turn comes next, as far as that shows.
        let (outcome, next) = match self.rules.cells().find(|&cell| position.is_lined(cell)) {
            Some(cell) => {
                let seat = position.completed_by_one_move(cell).ok_or(Error::Lines)?;
                (Some(position.won_by_line(seat)), Some(position.after[seat.index()]))
            }
            None if position.active == 0 => return Err(Error::NobodyLeft),
            None if position.active.is_power_of_two() => {
                let last = Seat::of_game(position.active.trailing_zeros() as u8);
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
        let fits = |seat| !position.has_resigned(seat) && self.turns_fit(&position, seat);
        if !next.map_or_else(|| self.rules.seats().any(fits), fits) {
            return Err(Error::Turns);
        }
        position.outcome = outcome;
        position.turn = next.unwrap_or(Seat::FIRST);
        Ok(position)
    }

    /// The stones on the board and the seats that are left, nothing checked but that they exist.
    fn stones(&self) -> Result<Position, PositionPartsError> {
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
        position.order_turns();
        for (cell, seat) in self.rules.cells().zip(&self.board) {
            if let Some(seat) = seat {
                position.flip_stone(*seat, cell);
            }
        }
        Ok(position)
    }

    /// Whether each seat has moved as often as when the turn comes to `next`. Seats that resigned
    /// may have moved less often.
    fn turns_fit(&self, position: &Position, next: Seat) -> bool {
        let count = |seat: Seat| self.board.iter().filter(|at| **at == Some(seat)).count();
        let rounds = count(next);
        self.rules.seats().all(|seat| {
            let due = rounds + usize::from(seat < next);
            count(seat) == due || (position.has_resigned(seat) && count(seat) < due)
        })
    }
}

impl Position {
    /// Whether there is a stone in the cell and nothing below it.
    fn floats(&self, cell: Cell) -> bool {
        self.seat_at(cell).is_some() && !self.rests(cell)
    }

    /// The seat that has the line through this cell, if its last move can have completed all the
    /// lines on the board.
    fn completed_by_one_move(&mut self, cell: Cell) -> Option<Seat> {
        let seat = self.seat_at(cell)?;
        if self.has_resigned(seat) || self.active.count_ones() < 2 {
            return None;
        }
        let line = self.lines_through(seat, cell).next()?;
        line.into_iter().any(|last| self.can_be_last(seat, last)).then_some(seat)
    }

    /// Whether there is no line without the seat's stone in this cell, and no stone on top of it.
    fn can_be_last(&mut self, seat: Seat, cell: Cell) -> bool {
        let above = cell.row().checked_sub(1).map(|row| Cell::on_board(row, cell.col()));
        if self.rules.gravity() && above.is_some_and(|above| self.seat_at(above).is_some()) {
            return false;
        }
        self.flip_stone(seat, cell);
        let no_line = !self.rules.cells().any(|cell| self.is_lined(cell));
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
    fn what_play_can_lead_to() {
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
    fn what_play_cannot_lead_to() {
        check("3x3 xxx/ooo/3 -", "there are lines that no single last move can have completed");
        check("3x3 xxx/oo1/3 o", "the game is over, so it is nobody's turn");
        check("3x3 xxx/1o1/1o1 x", "the game is over, so it is nobody's turn");
        check("3x3 ooo/xxo/3 -", "the numbers of stones do not fit the turn order");
        check("3x3 x2/3/3 x", "the numbers of stones do not fit the turn order");
        check(
            "3x3 x2/3/3 -",
            "the game goes on, so it is the turn of a seat that has not resigned",
        );
        check("3x3 x2/3/3 - xo", "everybody has resigned: the last seat left wins and stays");
        check("3x3 oxo/oxo/xox -", "the numbers of stones do not fit the turn order");
        check("3x3 a2/3/3 o", "there is no player 3: these rules are for 2");
        check(
            "3x3+gravity x2/3/3 o",
            "A1 hangs in the air: with gravity it needs a stone below it",
        );
        check("4x4:2 x3/x3/3x/3x -", "there are lines that no single last move can have completed");
    }
}

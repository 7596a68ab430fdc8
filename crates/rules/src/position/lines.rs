//! The completed lines of a position.

use super::Position;
use crate::geometry::Direction;
use crate::{Action, Cell, Goal, Mark, Shape, Win};

impl Position {
    /// The cells of all completed lines in the order of the board; in ultimate, those of the boards
    /// that decided the game.
    pub(super) fn line_cells(&self) -> Vec<Cell> {
        let mut cells = match self.history().next_back() {
            Some(Action::Resign { .. }) => Vec::new(),
            _ if matches!(self.rules.shape(), Shape::Nested { .. }) => self.cells_of_won_boards(),
            // There was no line before this move.
            Some(Action::Move { mv, .. }) => {
                let placed = mv.cell().and_then(|cell| Some((self.mark_at(cell)?, cell)));
                placed.map_or(Vec::new(), |(mark, cell)| self.lines_through(mark, cell).concat())
            }
            None => self.rules.cells().filter(|&cell| self.is_in_any_line(cell)).collect(),
        };
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// The lines in the sub-boards that make a line of sub-boards.
    fn cells_of_won_boards(&self) -> Vec<Cell> {
        let (Shape::Nested { rows, cols }, Win::Row(k)) =
            (self.rules.shape(), &self.rules.parts().win)
        else {
            return Vec::new();
        };
        let outer = crate::RulesParts::grid(rows, cols).k(*k).build();
        let outer_lines = outer.map(|outer| outer.lines()).unwrap_or_default();
        let zone_of =
            |cell: Cell| self.rules.zones().nth(usize::from(cell.row() * cols + cell.col()));
        let winner = |cell: &Cell| zone_of(*cell).and_then(|zone| self.zone_winner(zone));
        let is_won = |cells: &[Cell]| {
            let first = winner(&cells[0]);
            first.is_some() && cells.iter().all(|cell| winner(cell) == first)
        };
        let boards = outer_lines.iter().filter(|line| is_won(line.cells())).flat_map(|l| l.cells());
        let boards: Vec<_> = boards.filter_map(|&cell| zone_of(cell)).collect();
        let in_boards =
            |cell: &Cell| self.rules.zone(*cell).is_some_and(|zone| boards.contains(&zone));
        self.rules.cells().filter(|cell| in_boards(cell) && self.is_in_any_line(*cell)).collect()
    }

    /// Whether the cell has a stone that is part of a completed line.
    #[must_use]
    pub fn is_on_line(&self, cell: Cell) -> bool {
        self.rules.contains(cell) && self.is_in_any_line(cell)
    }

    /// Whether the cell has a stone that is part of a line.
    pub(super) fn is_in_any_line(&self, cell: Cell) -> bool {
        self.mark_at(cell).is_some_and(|mark| self.is_in_line(mark, cell))
    }

    /// Whether a stone of the mark in this cell is part of a line. Not inlined, so that moves
    /// without a run do not pay for its stack frame.
    #[cold]
    #[inline(never)]
    pub(super) fn is_in_line(&self, mark: Mark, cell: Cell) -> bool {
        if matches!(self.rules.parts().win, Win::Lines(_)) {
            return !self.lines_through(mark, cell).is_empty();
        }
        let mut directions = self.rules.grid().directions().iter();
        directions.any(|&direction| {
            self.is_line_length(mark, self.run_through(mark, cell, direction).count())
        })
    }

    /// The lines of the mark through its stone in the cell.
    pub(super) fn lines_through(&self, mark: Mark, cell: Cell) -> Vec<Vec<Cell>> {
        if let Win::Lines(lines) = &self.rules.parts().win {
            let is_complete = |line: &[Cell]| {
                line.contains(&cell) && line.iter().all(|&cell| self.holds(mark, cell))
            };
            let complete = lines.iter().filter(|line| is_complete(line));
            return complete.map(|line| line.to_vec()).collect();
        }
        let directions = self.rules.grid().directions().iter();
        let runs = directions.map(|&direction| self.run_through(mark, cell, direction).collect());
        runs.filter(|run: &Vec<Cell>| self.is_line_length(mark, run.len())).collect()
    }

    fn is_line_length(&self, mark: Mark, length: usize) -> bool {
        let k = usize::from(self.rules.k());
        // In renju only the first mark needs exactly five.
        let exact = self.rules.exact() || (self.rules.parts().renju && mark == Mark::FIRST);
        length == k || (length > k && !exact)
    }

    /// The run of the mark's stones through a cell, the cell included.
    fn run_through(
        &self,
        mark: Mark,
        cell: Cell,
        direction: Direction,
    ) -> impl Iterator<Item = Cell> + '_ {
        let back = (-direction.0, -direction.1, -direction.2);
        let ahead = self.stones_beyond(mark, cell, direction, cell);
        let stop = ahead.clone().last().unwrap_or(cell);
        ahead.chain(self.stones_beyond(mark, cell, back, stop)).chain([cell])
    }

    /// The mark's adjacent stones from a cell onwards, at most `k`. If they fill a ring, they end
    /// before `stop`.
    fn stones_beyond(
        &self,
        mark: Mark,
        from: Cell,
        direction: Direction,
        stop: Cell,
    ) -> impl Iterator<Item = Cell> + Clone + '_ {
        let grid = self.rules.grid();
        let continues = move |&cell: &Cell| cell != from && cell != stop && self.holds(mark, cell);
        let step = move |&cell: &Cell| grid.step(cell, direction).filter(continues);
        std::iter::successors(step(&from), step).take(usize::from(self.rules.k()))
    }

    /// Whether a completed line ends the game, rather than closing a sub-board.
    pub(super) fn line_decides(&self) -> bool {
        self.rules.parts().goal != Goal::LastBoard
            && !matches!(self.rules.shape(), Shape::Nested { .. })
    }
}

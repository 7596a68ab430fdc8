//! Evaluation by counting the stones of lines.

use noughts_rules::{Goal, MAX_CELLS, Marks, Position, Rules, Seat};

/// The lines of a board, each worth more the fewer cells it lacks.
pub(super) struct LineTallies {
    /// The cell indices of all lines, one line after the other.
    cells: Vec<u16>,
    /// Where each line ends in `cells`.
    ends: Vec<usize>,
    goal: Goal,
    marks: Marks,
}

/// The value of a line without stones of another mark, by the number of cells that it lacks.
const VALUES: [i32; 6] = [1000, 200, 40, 8, 2, 1];

/// What a line that nobody can complete is worth in order and chaos.
const DEAD_LINE: i32 = 12;

/// The value of a line with this many cells, that holds this many stones of one mark and no others.
pub(super) fn line_value(cells: usize, stones: usize) -> i32 {
    if stones == 0 { 0 } else { VALUES[(cells - stones).min(VALUES.len() - 1)] }
}

impl LineTallies {
    pub(super) fn new(rules: &Rules) -> LineTallies {
        let mut tallies = LineTallies {
            cells: Vec::new(),
            ends: Vec::new(),
            goal: rules.parts().goal,
            marks: rules.parts().marks,
        };
        for line in rules.lines() {
            let indices = line.cells().iter().filter_map(|&cell| rules.cell_index(cell));
            tallies.cells.extend(indices.map(|index| index as u16));
            tallies.ends.push(tallies.cells.len());
        }
        tallies
    }

    /// The score for the seat to move.
    pub(super) fn evaluate(&self, position: &Position) -> i32 {
        let Some(turn) = position.turn() else { return 0 };
        let mut board = [0; MAX_CELLS];
        position.fill_marks(&mut board);
        if self.marks == Marks::Any {
            let maker = self.maker_score(&board);
            return if turn == Seat::FIRST { maker } else { -maker };
        }
        let own = position.mark_of(turn).map_or(0, |mark| mark.index() as u8 + 1);
        let score = self.own_score(&board, own);
        if self.goal == Goal::Avoid { -score } else { score }
    }

    /// The lines that hold only this mark, less those of others.
    fn own_score(&self, board: &[u8; MAX_CELLS], own: u8) -> i32 {
        let lines = self.lines().filter_map(|line| {
            let (mark, stones) = only_mark(board, line)?;
            let value = line_value(line.len(), stones);
            Some(if mark == own { value } else { -value })
        });
        lines.sum()
    }

    /// The lines that can still be completed, with either mark, less those that can not.
    fn maker_score(&self, board: &[u8; MAX_CELLS]) -> i32 {
        let value = |line: &[u16]| {
            only_mark(board, line).map_or(-DEAD_LINE, |(_, stones)| line_value(line.len(), stones))
        };
        self.lines().map(value).sum()
    }

    fn lines(&self) -> impl Iterator<Item = &[u16]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.cells[start..end])
    }
}

/// The mark of the stones of a line and their number, 0 if there are none; `None` with two marks.
fn only_mark(board: &[u8; MAX_CELLS], line: &[u16]) -> Option<(u8, usize)> {
    let mut found = 0;
    let mut stones = 0;
    for &cell in line {
        match board[usize::from(cell)] {
            0 => {}
            mark if found == 0 || mark == found => {
                found = mark;
                stones += 1;
            }
            _ => return None,
        }
    }
    Some((found, stones))
}

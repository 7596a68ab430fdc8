//! The lines of a board, one by one: for those who search and evaluate rather than play.

use crate::layout::DIRECTIONS;
use crate::{Cell, Rules};

/// Cells that win for the seat that takes them all (or lose, in misère games).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    cells: Vec<Cell>,
    ends: Vec<Cell>,
}

impl Line {
    /// The `k` cells, in board order.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// With `exact`: the cells that continue the line on either side. Where the seat has one of
    /// these too, its run is longer than `k` and does not count. Without `exact` there are none.
    #[must_use]
    pub fn ends(&self) -> &[Cell] {
        &self.ends
    }
}

impl Rules {
    /// Every line of the board, once.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// assert_eq!(Rules::classic().lines().len(), 8);
    /// ```
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let k = usize::from(self.k());
        let mut lines = Vec::new();
        for run in DIRECTIONS.iter().flat_map(|&way| self.layout().lines(way)) {
            let starts = match run.len() {
                length if length < k => 0,
                length if self.wrap() => length,
                length => length - k + 1,
            };
            lines.extend((0..starts).map(|start| self.line(&run, start)));
        }
        // A ring of k cells is one line wherever it starts, and on narrow boards whose edges join
        // two directions can run through the same cells.
        lines.sort_by(|a, b| (&a.cells, &a.ends).cmp(&(&b.cells, &b.ends)));
        lines.dedup();
        lines
    }

    /// The line that begins at a place of a maximal run of cells, which is a ring with `wrap`.
    fn line(&self, run: &[Cell], start: usize) -> Line {
        let k = usize::from(self.k());
        let length = run.len();
        let mut cells: Vec<Cell> = (start..start + k).map(|i| run[i % length]).collect();
        let mut ends = Vec::new();
        if self.exact() && length > k {
            if self.wrap() || start > 0 {
                ends.push(run[(start + length - 1) % length]);
            }
            if self.wrap() || start + k < length {
                ends.push(run[(start + k) % length]);
            }
        }
        for part in [&mut cells, &mut ends] {
            part.sort();
            part.dedup();
        }
        Line { cells, ends }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PositionParts, PositionPartsError, Seat};

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn counts_of_lines() {
        let check =
            |text: &str, lines: usize| assert_eq!(rules(text).lines().len(), lines, "{text}");
        check("3x3", 8);
        check("4x4", 10);
        check("6x7:4", 69);
        check("15x15:5", 572);
        check("4x4+wrap", 16);
        check("3x3+wrap", 12);
        check("1x5:3", 3);
        check("1x5:3+wrap", 5);
        check("2x2:1", 4);
    }

    /// A line's cells, taken by one seat, win; without any one of them they do not.
    #[test]
    fn lines_are_what_wins() {
        for text in ["3x3", "4x5:3", "4x4:3+wrap", "3x6:4+exact", "3x5:3+wrap+exact", "6x7:4"] {
            let rules = rules(text);
            for line in rules.lines() {
                let board = |without: Option<Cell>| -> Vec<Option<Seat>> {
                    let taken = |cell: &Cell| line.cells().contains(cell) && Some(*cell) != without;
                    rules.cells().map(|cell| taken(&cell).then_some(Seat::FIRST)).collect()
                };
                let position = |board| {
                    let resigned = Vec::new();
                    PositionParts { rules: rules.clone(), board, turn: None, resigned }
                };
                // The other seat has no stones, so the parts are refused in any case: for the
                // turn order where there is a line, and for going on where there is none.
                let error = |board| position(board).build().unwrap_err();
                assert_eq!(error(board(None)), PositionPartsError::Turns, "{text} {line:?}");
                for &cell in line.cells() {
                    let error = error(board(Some(cell)));
                    assert_eq!(error, PositionPartsError::NotOver, "{text} {line:?}");
                }
            }
        }
    }

    #[test]
    fn a_stone_beyond_the_ends_is_no_concern_without_exact() {
        assert!(rules("5x5:3").lines().iter().all(|line| line.ends().is_empty()));
        let exact = rules("1x5:3+exact").lines();
        let ends: Vec<usize> = exact.iter().map(|line| line.ends().len()).collect();
        assert_eq!(ends, [1, 2, 1]);
    }
}

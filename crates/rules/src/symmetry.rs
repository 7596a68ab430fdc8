//! The ways a board can be turned and mirrored without changing the game.

use crate::{Cell, Rules};

/// A turn or mirroring of a board that leaves the game the same.
///
/// ```
/// use noughts_rules::{Rules, Symmetry};
///
/// let rules = Rules::classic();
/// let corners: Vec<_> = Symmetry::all(&rules).map(|s| s.apply(&rules, "A1".parse().unwrap())).collect();
/// assert_eq!(corners.len(), 8);
/// assert!(corners.contains(&"C3".parse().unwrap()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    flip_rows: bool,
    flip_cols: bool,
    /// Rows become columns, after the flips.
    transpose: bool,
}

impl Symmetry {
    /// The symmetries of a game, the one that changes nothing first: eight on a square board, four
    /// on one that is longer than wide, and two where gravity says what is below.
    pub fn all(rules: &Rules) -> impl Iterator<Item = Symmetry> + use<> {
        let gravity = rules.gravity();
        let square = rules.rows() == rules.cols();
        (0..8)
            .map(|i| Symmetry {
                flip_cols: i & 1 != 0,
                flip_rows: i & 2 != 0,
                transpose: i & 4 != 0,
            })
            .filter(move |s| square || !s.transpose)
            .filter(move |s| !gravity || !(s.flip_rows || s.transpose))
    }

    /// Where a cell of the board comes to lie.
    #[must_use]
    pub fn apply(self, rules: &Rules, cell: Cell) -> Cell {
        // A cell off the board stays off it: it is not moved at all.
        if !rules.contains(cell) {
            return cell;
        }
        let (mut row, mut col) = (cell.row(), cell.col());
        if self.flip_rows {
            row = rules.rows() - 1 - row;
        }
        if self.flip_cols {
            col = rules.cols() - 1 - col;
        }
        if self.transpose { Cell::on_board(col, row) } else { Cell::on_board(row, col) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn each_is_a_permutation_and_no_two_are_the_same() {
        for (text, count) in
            [("3x3", 8), ("15x15:5", 8), ("4x3", 4), ("6x7:4+gravity", 2), ("4x4+gravity", 2)]
        {
            let rules: Rules = text.parse().unwrap();
            let images: HashSet<Vec<Cell>> = Symmetry::all(&rules)
                .map(|symmetry| rules.cells().map(|cell| symmetry.apply(&rules, cell)).collect())
                .collect();
            assert_eq!(images.len(), count, "{text}");
            for image in images {
                assert!(image.iter().all(|&cell| rules.contains(cell)));
                assert_eq!(image.iter().collect::<HashSet<_>>().len(), rules.cell_count());
            }
        }
    }
}

//! The symmetries of a board.

use crate::geometry::Grid;
use crate::shape::Extent;
use crate::{Cell, Rules, Shape, Win};

/// A way to turn and mirror a board: for each axis of the image, the axis it comes from and whether
/// it is mirrored. The axes are level, row and column.
type Isometry = [(usize, bool); 3];

const AXIS_ORDERS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Rules {
    /// The rotations and reflections of the board that leave the game the same, the identity
    /// first: eight on a square board, four on other boards, two with gravity, 48 in a cube. Boards
    /// side by side turn together.
    ///
    /// Each is a permutation of the cell indices: `symmetry[i]` is where the cell with index `i`
    /// ends up.
    ///
    /// ```
    /// use noughts_rules::Rules;
    ///
    /// let corner = Rules::classic().symmetries().map(|symmetry| symmetry[0]);
    /// assert_eq!(corner.collect::<Vec<_>>(), [0, 2, 6, 8, 0, 6, 2, 8]);
    /// ```
    pub fn symmetries(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let (grid, gravity) = (self.grid(), self.gravity());
        let isometries = AXIS_ORDERS.into_iter().flat_map(|axes| {
            (0..8).map(move |mirrored: u8| axes.map(|axis| (axis, mirrored >> (2 - axis) & 1 != 0)))
        });
        let fits = isometries.filter(move |isometry| is_symmetry(grid, gravity, isometry));
        let permutations = fits.map(move |isometry| permutation(grid, &isometry));
        let lines = match &self.parts().win {
            Win::Lines(_) => Some(self.line_indices()),
            Win::Row(_) => None,
        };
        permutations.filter(move |permutation| {
            lines.as_ref().is_none_or(|lines| image_of(lines, permutation) == *lines)
        })
    }

    /// The lines as sorted lists of sorted cell indices.
    fn line_indices(&self) -> Vec<Vec<usize>> {
        let grid = self.grid();
        let line = |cells: &[Cell]| cells.iter().map(|&cell| grid.index(cell)).collect();
        let mut lines: Vec<Vec<usize>> = self.lines().iter().map(|l| line(l.cells())).collect();
        lines.iter_mut().for_each(|line| line.sort_unstable());
        lines.sort_unstable();
        lines
    }
}

fn image_of(lines: &[Vec<usize>], permutation: &[usize]) -> Vec<Vec<usize>> {
    let mut images: Vec<Vec<usize>> =
        lines.iter().map(|line| line.iter().map(|&i| permutation[i]).collect()).collect();
    images.iter_mut().for_each(|line| line.sort_unstable());
    images.sort_unstable();
    images
}

/// Whether the isometry maps the board to itself, keeps lines and leaves down where it is.
fn is_symmetry(grid: Grid, gravity: bool, isometry: &Isometry) -> bool {
    let sides = sides(grid.extent);
    let keeps = |axis: usize| isometry[axis] == (axis, false);
    let is_cubic = matches!(grid.shape, Shape::Grid { levels: 2.., .. });
    (0..3).all(|axis| sides[isometry[axis].0] == sides[axis])
        // The mirror image of a side of 1 is the identity, and boards side by side are no axis.
        && (is_cubic || keeps(0))
        && (!gravity || if is_cubic { keeps(0) } else { keeps(1) })
}

fn sides(extent: Extent) -> [u8; 3] {
    [extent.levels, extent.rows, extent.cols]
}

fn permutation(grid: Grid, isometry: &Isometry) -> Vec<usize> {
    let sides = sides(grid.extent);
    let image = |cell: Cell| {
        let from = [cell.level(), cell.row(), cell.col()];
        let [level, row, col] =
            isometry.map(
                |(axis, mirrored)| {
                    if mirrored { sides[axis] - 1 - from[axis] } else { from[axis] }
                },
            );
        grid.index(Cell::on_board(level, row, col))
    };
    grid.cells().map(image).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn symmetries_are_distinct_permutations() {
        for (text, count) in [
            ("3x3", 8),
            ("15x15:5", 8),
            ("4x3", 4),
            ("6x7:4+gravity", 2),
            ("4x4+gravity", 2),
            ("4x4x4", 48),
            ("4x4x4+gravity", 8),
            ("4x4x3", 16),
            ("2x3x4", 8),
            ("3x3+ultimate", 8),
            ("3x3+notakto+3b", 8),
            ("3x3:[A1-A2-A3]", 2),
            ("3x3:[A1-B2-C3,A3-B2-C1]", 8),
        ] {
            let rules: Rules = text.parse().unwrap();
            let symmetries: HashSet<Vec<usize>> = rules.symmetries().collect();
            assert_eq!(symmetries.len(), count, "{text}");
            assert_eq!(rules.symmetries().count(), count, "{text}");
            assert!(rules.symmetries().next().unwrap().into_iter().eq(0..rules.cell_count()));
            for mut symmetry in symmetries {
                symmetry.sort_unstable();
                assert!(symmetry.into_iter().eq(0..rules.cell_count()), "{text}");
            }
        }
    }
}

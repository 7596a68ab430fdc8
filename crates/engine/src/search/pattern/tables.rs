//! Lookup tables of a pattern board: padded cell indices, shapes and scores.

use std::sync::Arc;

use noughts_rules::{Cell, Rules};

use super::shape::{ShapeTable, digit_index, reach};
use super::threat::ScoreTable;
use crate::search::threat_search::CellIndex;

/// The constant data of a [`PatternBoard`](super::board::PatternBoard).
#[derive(Debug)]
pub(super) struct PatternTables {
    /// How many cells on either side of a cell matter.
    pub(super) reach: usize,
    /// For each seat, the shapes of neighbourhoods. Both seats share a table except in renju.
    pub(super) shapes: [Arc<ShapeTable>; 2],
    /// For each seat, the scores of shapes.
    pub(super) scores: [Arc<ScoreTable>; 2],
    /// The difference between the indices of a cell and of the cell below it.
    pub(super) stride: usize,
    /// The number of cells including the wall.
    pub(super) padded_count: usize,
    /// The cells of the board, row by row.
    pub(super) cells: Vec<CellIndex>,
    /// For each seat, what its stone adds to a neighbourhood at each digit.
    pub(super) stone_digits: [Vec<u32>; 2],
}

impl PatternTables {
    /// `None` for unsupported rules. `restricted` is the seat that renju restricts.
    pub(super) fn new(rules: &Rules, restricted: Option<usize>) -> Option<PatternTables> {
        if !super::supports(rules) {
            return None;
        }
        let (k, exact) = (rules.k().into(), rules.exact());
        let reach = reach(k, exact || restricted.is_some());
        let shapes = ShapeTable::shared(k, exact, reach);
        let scores = ScoreTable::shared(false);
        let mut tables_of_seats = [0; 2].map(|_| (Arc::clone(&shapes), Arc::clone(&scores)));
        if let Some(seat) = restricted {
            tables_of_seats[seat] = (ShapeTable::shared(k, true, reach), ScoreTable::shared(true));
        }
        let [(shapes, scores), (other_shapes, other_scores)] = tables_of_seats;
        let stride = usize::from(rules.cols()) + reach;
        let padded = |cell: Cell| {
            let (row, col) = (usize::from(cell.row()), usize::from(cell.col()));
            ((row + reach) * stride + reach + col) as CellIndex
        };
        Some(PatternTables {
            stride,
            padded_count: (usize::from(rules.rows()) + 2 * reach + 1) * stride,
            cells: rules.cells().map(padded).collect(),
            stone_digits: [0, 1].map(|seat| stone_digits(reach, seat)),
            reach,
            shapes: [shapes, other_shapes],
            scores: [scores, other_scores],
        })
    }

    /// The cell with a padded index.
    pub(super) fn cell(&self, padded: usize) -> Cell {
        let (row, col) = (padded / self.stride - self.reach, padded % self.stride - self.reach);
        Cell::new(row as u8, col as u8).expect("a cell of the board")
    }

    /// The index difference of neighbours in each direction.
    #[inline]
    pub(super) fn steps(&self) -> [usize; 4] {
        [1, self.stride, self.stride + 1, self.stride - 1]
    }

    /// The eight rays from a stone of the seat: the direction, the digits it adds to the cells along
    /// the ray, and the step between them.
    #[inline(always)]
    pub(super) fn rays(&self, seat: usize) -> [(usize, &[u32], usize); 8] {
        let (before, behind) = self.stone_digits[seat].split_at(self.reach);
        let [a, b, c, d] = self.steps();
        // Seen from the cells on one side, the stone is on the other.
        [
            (0, before, a),
            (0, behind, a.wrapping_neg()),
            (1, before, b),
            (1, behind, b.wrapping_neg()),
            (2, before, c),
            (2, behind, c.wrapping_neg()),
            (3, before, d),
            (3, behind, d.wrapping_neg()),
        ]
    }

    /// The cells within reach along one direction, with their digits.
    pub(super) fn neighbours(
        &self,
        cell: usize,
        step: usize,
    ) -> impl Iterator<Item = (usize, usize)> {
        let reach = self.reach;
        (0..2).flat_map(move |side| {
            (0..reach).map(move |i| {
                let offset = (i + 1) * step;
                let near = if side == 0 { cell - offset } else { cell + offset };
                (digit_index(reach, side, i), near)
            })
        })
    }
}

/// What a stone adds to a neighbourhood at each digit: 1 in its own seat's view, 2 in the other's.
fn stone_digits(reach: usize, seat: usize) -> Vec<u32> {
    let digit = if seat == 0 { 1 | 2 << 16 } else { 2 | 1 << 16 };
    (0..2 * reach).map(|index| digit * 3u32.pow(index as u32)).collect()
}

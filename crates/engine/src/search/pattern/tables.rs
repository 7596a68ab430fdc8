//! Lookup tables of a pattern board: padded cell indices, shapes and scores.

use noughts_rules::{Cell, Rules};

use super::shape::{ShapeTable, digit_index};
use super::threat::ScoreTable;
use crate::search::threat_search::CellIndex;

/// The constant data of a [`PatternBoard`](super::board::PatternBoard).
#[derive(Debug)]
pub(super) struct PatternTables {
    pub(super) shapes: ShapeTable,
    pub(super) scores: ScoreTable,
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
    /// `None` for unsupported rules.
    pub(super) fn new(rules: &Rules) -> Option<PatternTables> {
        let supported = super::supports(rules);
        let shapes = supported.then(|| ShapeTable::new(rules.k().into(), rules.exact()))?;
        let reach = shapes.reach;
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
            shapes,
            scores: ScoreTable::new(),
        })
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
        let (before, behind) = self.stone_digits[seat].split_at(self.shapes.reach);
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
        let reach = self.shapes.reach;
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

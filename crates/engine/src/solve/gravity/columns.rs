//! Stones in columns as bitboards.
//!
//! A column takes `rows` bits, the lowest for its bottom cell, and one more that is never set, which
//! keeps lines from continuing in the next column.

use noughts_rules::{Cell, Rules};

/// A set of cells.
pub(super) type Bitboard = u64;

/// The most columns of a board.
pub(super) const MAX_COLS: usize = 16;

/// The geometry of a board with gravity.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    rows: u32,
    cols: u32,
    /// The bottom cell of each column.
    bottom: Bitboard,
    /// All cells.
    pub(super) board: Bitboard,
    /// The lower cells, if the cells of each column form pairs from the top.
    pub(super) lower_of_pairs: Bitboard,
    /// The columns, from the centre outwards.
    pub(super) from_centre: Vec<Bitboard>,
}

impl Columns {
    /// Whether the board of the rules fits.
    pub(super) fn fit(rules: &Rules) -> bool {
        let (rows, cols) = (u32::from(rules.rows()), u32::from(rules.cols()));
        rules.levels() == 1
            && (2..=MAX_COLS as u32).contains(&cols)
            && (rows + 1) * cols <= Bitboard::BITS
    }

    /// For rules that [fit](Columns::fit).
    pub(super) fn new(rules: &Rules) -> Columns {
        let (rows, cols) = (u32::from(rules.rows()), u32::from(rules.cols()));
        let stride = rows + 1;
        let bottom = (0..cols).fold(0, |cells, col| cells | 1 << (col * stride));
        let column = (1 << rows) - 1;
        let mut order: Vec<u32> = (0..cols).collect();
        order.sort_by_key(|&col| (2 * col + 1).abs_diff(cols));
        Columns {
            rows,
            cols,
            bottom,
            board: bottom * column,
            lower_of_pairs: (rows % 2..rows).step_by(2).fold(0, |cells, row| cells | bottom << row),
            from_centre: order.into_iter().map(|col| column << (col * stride)).collect(),
        }
    }

    pub(super) fn bit(&self, cell: Cell) -> Bitboard {
        let height = self.rows - 1 - u32::from(cell.row());
        1 << (u32::from(cell.col()) * (self.rows + 1) + height)
    }

    pub(super) fn cell_count(&self) -> u32 {
        self.rows * self.cols
    }

    /// The lowest empty cell of each column that has one.
    #[inline]
    pub(super) fn playable(&self, occupied: Bitboard) -> Bitboard {
        (occupied + self.bottom) & self.board
    }

    /// A different number, not zero, for every position: the stones of one seat, and all stones.
    #[inline]
    pub(super) fn key(&self, own: Bitboard, occupied: Bitboard) -> u64 {
        own + occupied + self.bottom
    }

    /// The same number for a position and its mirror image.
    pub(super) fn symmetric_key(&self, own: Bitboard, occupied: Bitboard) -> u64 {
        self.key(own, occupied).min(self.key(self.mirrored(own), self.mirrored(occupied)))
    }

    fn mirrored(&self, cells: Bitboard) -> Bitboard {
        let stride = self.rows + 1;
        let column = (1 << self.rows) - 1;
        (0..self.cols)
            .fold(0, |mirrored, col| mirrored << stride | cells >> (col * stride) & column)
    }

    /// The cells, occupied or not, in which a seat with these stones completes `K` in a row.
    #[inline]
    pub(super) fn completions<const K: usize>(&self, own: Bitboard) -> Bitboard {
        let mut below = own << 1;
        for _ in 2..K {
            below = (below & own) << 1;
        }
        let mut completions = below;
        for step in [self.rows, self.rows + 1, self.rows + 2] {
            // `before[n]` holds the cells that follow a run of at least `n` own stones; `after[n]`
            // holds those that precede one.
            let (mut before, mut after) = ([Bitboard::MAX; K], [Bitboard::MAX; K]);
            for count in 1..K {
                before[count] = (before[count - 1] & own) << step;
                after[count] = (after[count - 1] & own) >> step;
            }
            for count in 0..K {
                completions |= before[count] & after[K - 1 - count];
            }
        }
        completions & self.board
    }

    /// Whether `K` of the cells are in a row.
    #[inline]
    pub(super) fn has_line<const K: usize>(&self, cells: Bitboard) -> bool {
        [1, self.rows, self.rows + 1, self.rows + 2].into_iter().any(|step| {
            let mut starts = cells;
            for _ in 1..K {
                starts = cells & starts >> step;
            }
            starts != 0
        })
    }
}

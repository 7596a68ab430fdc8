//! The stones on a board, in machine words.

use crate::cell_set::CellSet;
use crate::layout::{CellBits, Layout, Slot};
use crate::{MAX_PLAYERS, Rules, Seat};

/// Who has taken which cells.
///
/// What is `SIMPLE` in the methods is whether the layout is [simple](Layout::is_simple): such
/// boards need only one word of each kind.
#[derive(Clone)]
pub(super) struct Stones {
    pub(super) empty: CellSet,
    /// The seats' stones as lines, see `layout`: one word for each seat where that is enough, else
    /// all the words there are.
    pub(super) small: [u64; MAX_PLAYERS as usize],
    pub(super) large: Box<[u64]>,
}

impl Stones {
    /// The empty board.
    pub(super) fn new(rules: &Rules) -> Stones {
        Stones {
            empty: CellSet::all(rules),
            small: [0; _],
            large: vec![0; rules.layout().word_count()].into(),
        }
    }

    /// Takes all stones away.
    #[inline]
    pub(super) fn clear(&mut self, rules: &Rules) {
        self.empty.fill(rules);
        self.small = [0; _];
        if !rules.layout().is_small() {
            self.large.fill(0);
        }
    }

    #[inline]
    pub(super) fn is_empty<const SIMPLE: bool>(&self, cell: &CellBits) -> bool {
        if SIMPLE { self.empty.word(0) & cell.bit != 0 } else { self.empty.contains(cell) }
    }

    /// Puts a stone of the seat in the cell. Answers which cells are left in the word of the set
    /// that has this one, and which runs of `k` there are in the lines through it.
    #[inline]
    pub(super) fn put<const SIMPLE: bool>(
        &mut self,
        layout: &Layout,
        cell: &CellBits,
        seat: Seat,
    ) -> (u64, u64) {
        if SIMPLE || layout.is_small() {
            let left = self.flip_small(cell, seat);
            (left, layout.runs(self.small[seat.index()]))
        } else {
            (self.empty.flip(cell), layout.place(&mut self.large, cell, seat))
        }
    }

    /// Puts a stone of the seat in the cell, or takes it away.
    #[inline]
    pub(super) fn flip(&mut self, layout: &Layout, cell: &CellBits, seat: Seat) {
        if layout.is_small() {
            self.flip_small(cell, seat);
        } else {
            self.empty.flip(cell);
            layout.flip(&mut self.large, cell, seat);
        }
    }

    /// [`Stones::flip`] where one word is enough for each seat, which then also is for all cells.
    #[inline]
    fn flip_small(&mut self, cell: &CellBits, seat: Seat) -> u64 {
        self.small[seat.index()] ^= cell.mask;
        self.empty.flip_first(cell)
    }

    /// Whether a stone of the seat is in the cell.
    pub(super) fn holds(&self, layout: &Layout, cell: &CellBits, seat: Seat) -> bool {
        if layout.is_small() {
            return self.small[seat.index()] & cell.mask != 0;
        }
        let Slot { word, mask } = layout.first_slot(cell);
        self.large[word + seat.index()] & mask != 0
    }
}

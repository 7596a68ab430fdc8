//! The stones on a board, as machine words.

use crate::cell_set::CellSet;
use crate::layout::{CellBits, Layout, Slot};
use crate::{MAX_PLAYERS, Rules, Seat};

/// The stones of all seats.
///
/// `SIMPLE` stands for [`Layout::is_simple`]: such boards need one word of each kind.
#[derive(Clone)]
pub(super) struct Stones {
    pub(super) empty: CellSet,
    /// The line words of a small board, one for each seat.
    pub(super) small: [u64; MAX_PLAYERS as usize],
    /// The line words of any other board.
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

    /// Removes all stones.
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

    /// Adds a stone of the seat. Returns the word of the empty cells that had this one, and the runs
    /// of `k` in the lines through it.
    #[inline]
    pub(super) fn place<const SIMPLE: bool>(
        &mut self,
        layout: &Layout,
        cell: &CellBits,
        seat: Seat,
    ) -> (u64, u64) {
        if SIMPLE || layout.is_small() {
            let empty_word = self.flip_small(cell, seat);
            (empty_word, layout.runs(self.small[seat.index()]))
        } else {
            (self.empty.flip(cell), layout.place(&mut self.large, cell, seat))
        }
    }

    /// Adds a stone of the seat or removes it.
    #[inline]
    pub(super) fn flip(&mut self, layout: &Layout, cell: &CellBits, seat: Seat) {
        if layout.is_small() {
            self.flip_small(cell, seat);
        } else {
            self.empty.flip(cell);
            layout.flip(&mut self.large, cell, seat);
        }
    }

    /// [`Stones::flip`] on small boards. Their cell sets take one word too.
    #[inline]
    fn flip_small(&mut self, cell: &CellBits, seat: Seat) -> u64 {
        self.small[seat.index()] ^= cell.mask;
        self.empty.flip_first(cell)
    }

    /// Whether the seat has a stone in the cell.
    pub(super) fn holds(&self, layout: &Layout, cell: &CellBits, seat: Seat) -> bool {
        if layout.is_small() {
            return self.small[seat.index()] & cell.mask != 0;
        }
        let Slot { word, mask } = layout.first_slot(cell);
        self.large[word + seat.index()] & mask != 0
    }
}

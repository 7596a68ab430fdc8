//! The stones on a board, as machine words.

use crate::cell_set::CellSet;
use crate::layout::{CellBits, Layout, Slot};
use crate::{MAX_PLAYERS, Mark};

/// The stones of all marks.
///
/// `SIMPLE` stands for [`Path::Simple`](crate::layout::Path): such boards need one word of each kind.
#[derive(Clone)]
pub(super) struct Stones {
    pub(super) empty: CellSet,
    /// The line words of a small board, one for each mark.
    pub(super) small: [u64; MAX_PLAYERS as usize],
    /// The line words of any other board.
    pub(super) large: Box<[u64]>,
}

impl Stones {
    /// The empty board.
    pub(super) fn new(layout: &Layout) -> Stones {
        let large = vec![0; layout.word_count()].into();
        let mut stones = Stones { empty: CellSet::EMPTY, small: [0; _], large };
        stones.clear(layout);
        stones
    }

    /// Removes all stones.
    #[inline]
    pub(super) fn clear(&mut self, layout: &Layout) {
        self.empty.fill(layout);
        if layout.is_small() {
            self.small = [layout.small_padding(); _];
        } else {
            layout.clear(&mut self.large);
        }
    }

    #[inline]
    pub(super) fn is_empty<const SIMPLE: bool>(&self, cell: &CellBits) -> bool {
        if SIMPLE { self.empty.word(0) & cell.bit != 0 } else { self.empty.contains(cell) }
    }

    /// Adds a stone of the mark. Returns the word of the empty cells that had this one, and the runs
    /// of `k` in the lines through it.
    #[inline]
    pub(super) fn place<const SIMPLE: bool>(
        &mut self,
        layout: &Layout,
        cell: &CellBits,
        mark: Mark,
    ) -> (u64, u64) {
        if SIMPLE || layout.is_small() {
            let empty_word = self.flip_small(cell, mark);
            (empty_word, layout.runs(self.small[mark.index()]))
        } else {
            (self.empty.flip(cell), layout.place(&mut self.large, cell, mark))
        }
    }

    /// Adds a stone of the mark or removes it.
    #[inline]
    pub(super) fn flip<const SIMPLE: bool>(
        &mut self,
        layout: &Layout,
        cell: &CellBits,
        mark: Mark,
    ) {
        if SIMPLE || layout.is_small() {
            self.flip_small(cell, mark);
        } else {
            self.empty.flip(cell);
            layout.flip(&mut self.large, cell, mark);
        }
    }

    /// [`Stones::flip`] on small boards. Their cell sets take one word too.
    #[inline]
    fn flip_small(&mut self, cell: &CellBits, mark: Mark) -> u64 {
        self.small[mark.index()] ^= cell.mask;
        self.empty.flip_first(cell)
    }

    /// Whether a run of the mark contains the cell.
    pub(super) fn has_run(&self, layout: &Layout, cell: &CellBits, mark: Mark) -> bool {
        if layout.is_small() {
            return layout.has_run_through(self.small[mark.index()], cell.mask);
        }
        layout.has_run(&self.large, cell, mark)
    }

    /// Whether the mark stands in the cell.
    pub(super) fn holds(&self, layout: &Layout, cell: &CellBits, mark: Mark) -> bool {
        if layout.is_small() {
            return self.small[mark.index()] & cell.mask != 0;
        }
        let Slot { word, mask } = layout.first_slot(cell);
        self.large[word + mark.index()] & mask != 0
    }
}

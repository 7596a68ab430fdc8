//! Rules: the immutable description of a game.

mod combinations;
mod parts;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use parts::{
    Goal, MAX_CUSTOM_LINE_CELLS, MAX_CUSTOM_LINES, MAX_STONES_PER_TURN, Marks, Opening, RulesError,
    RulesParts, Win,
};

use crate::layout::Layout;
use crate::position::ZoneTables;
use crate::{Mark, Seat, Shape};

/// The checked, immutable description of a game: board, win length, players and variants.
///
/// Cloning is cheap. The text form parses back to the same value; the names of
/// [presets](crate::notation::PRESETS) parse too, and take variants like any other board.
///
/// ```
/// use noughts_rules::Rules;
///
/// let rules: Rules = "15x15:5+exact".parse()?;
/// assert_eq!((rules.rows(), rules.cols(), rules.k()), (15, 15, 5));
/// assert_eq!("gomoku-standard".parse(), Ok(rules));
/// assert!("3x3:4".parse::<Rules>().is_err());
/// # Ok::<(), noughts_rules::ParseRulesError>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<Inner>);

struct Inner {
    parts: RulesParts,
    /// The length of the longest line.
    k: u8,
    layout: Layout,
    zones: Option<ZoneTables>,
}

impl Rules {
    /// Classic tic-tac-toe: 3x3, three in a row, two players.
    #[must_use]
    pub fn classic() -> Rules {
        RulesParts::default().build().expect("the default parts are valid")
    }

    /// The parameters.
    #[must_use]
    pub fn parts(&self) -> &RulesParts {
        &self.0.parts
    }

    /// The shape of the board.
    #[inline]
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.0.parts.shape
    }

    /// Rows of a level; of all boards together in ultimate.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> u8 {
        self.layout().extent().rows
    }

    /// Columns of a level; of all boards together in ultimate.
    #[inline]
    #[must_use]
    pub fn cols(&self) -> u8 {
        self.layout().extent().cols
    }

    /// Levels, or boards side by side; 1 for flat boards.
    #[inline]
    #[must_use]
    pub fn levels(&self) -> u8 {
        self.layout().extent().levels
    }

    /// How many cells make a line: the win length, or the length of the longest of listed lines.
    #[inline]
    #[must_use]
    pub fn k(&self) -> u8 {
        self.0.k
    }

    /// The number of players.
    #[inline]
    #[must_use]
    pub fn players(&self) -> usize {
        usize::from(self.0.parts.players)
    }

    /// Whether the seat that completes a line loses.
    #[inline]
    #[must_use]
    pub fn misere(&self) -> bool {
        self.0.parts.goal == Goal::Avoid
    }

    /// Whether a stone must be in the bottom row or on top of another stone.
    #[inline]
    #[must_use]
    pub fn gravity(&self) -> bool {
        self.0.parts.gravity
    }

    /// Whether opposite edges are joined.
    #[inline]
    #[must_use]
    pub fn wrap(&self) -> bool {
        self.0.parts.wrap
    }

    /// Whether a run longer than the win length does not win.
    #[inline]
    #[must_use]
    pub fn exact(&self) -> bool {
        self.0.parts.exact
    }

    /// Whether positions can repeat. Such games end as a draw when a position occurs for the third
    /// time, or after [`MAX_MOVES`](crate::MAX_MOVES).
    #[inline]
    #[must_use]
    pub fn repeats(&self) -> bool {
        self.0.parts.fade.is_some()
    }

    /// Whether these are the plain k-in-a-row rules: everyone places one stone of their own mark in
    /// turn on one flat board, and any row of `k` decides the game. The flags misère, gravity,
    /// wrap and exact may be set.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let parts = self.parts();
        matches!(parts.shape, Shape::Grid { levels: 1, .. })
            && matches!(parts.win, Win::Row(_))
            && self.is_line_game()
            && parts.opening == Opening::Free
            && !parts.renju
    }

    /// Whether everyone places one stone of their own mark in turn until someone completes a line:
    /// any board in one piece, any lines. Openings and renju count too, as they only restrict moves.
    #[must_use]
    pub fn is_line_game(&self) -> bool {
        let parts = self.parts();
        matches!(parts.shape, Shape::Grid { .. })
            && parts.marks == Marks::Own
            && parts.stones_per_turn == 1
            && parts.fade.is_none()
    }

    /// Roughly how many bytes the rules occupy with their tables, for caches that are bounded in
    /// bytes. Clones share them.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let zones = self.zone_tables().map_or(0, ZoneTables::heap_bytes);
        let lines = match &self.parts().win {
            Win::Row(_) => 0,
            Win::Lines(lines) => {
                lines.iter().map(|line| size_of_val(line) + size_of_val(&**line)).sum()
            }
        };
        size_of::<Inner>() + self.layout().heap_bytes() + zones + lines
    }

    /// The seats in turn order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        (0..self.0.parts.players).map(Seat::from_index)
    }

    /// The marks: one for each seat, unless the rules give a choice (two) or none (one).
    pub fn marks(&self) -> impl DoubleEndedIterator<Item = Mark> + ExactSizeIterator + use<> {
        (0..self.0.parts.mark_count()).map(Mark::from_index)
    }

    #[inline]
    pub(crate) fn layout(&self) -> &Layout {
        &self.0.layout
    }

    /// The tables of the sub-boards, if the board has any.
    #[inline]
    pub(crate) fn zone_tables(&self) -> Option<&ZoneTables> {
        self.0.zones.as_ref()
    }

    /// These rules on the general path, to hold the paths together.
    #[cfg(test)]
    pub(crate) fn on_general_path(&self) -> Rules {
        let (parts, k) = (self.parts().clone(), self.k());
        let mut layout = Layout::new(&parts, k);
        layout.set_general();
        Rules(Arc::new(Inner { parts, k, layout, zones: None }))
    }
}

impl RulesParts {
    pub(crate) fn mark_count(&self) -> u8 {
        match self.marks {
            Marks::Own => self.players,
            Marks::Any => 2,
            Marks::One => 1,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Rules::classic()
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.parts == other.0.parts
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.parts.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({self})")
    }
}

//! Search for two seats and lines of three to six on plain boards, and for renju.
//!
//! The board knows the shapes that a stone would make in every empty cell, so threats are known
//! without searching for them.

mod board;
mod network;
mod ordering;
mod search;
mod seat_threats;
mod shape;
mod tables;
mod threat;
#[cfg(feature = "training")]
mod training;

use noughts_rules::{Rules, Shape, Win};

#[cfg(test)]
pub(super) use board::PatternBoard;
pub(super) use search::PatternSearch;
use shape::ShapeTable;
#[cfg(feature = "training")]
pub use training::EvalInputs;

/// Whether this search supports the rules, once the opening choices are made.
pub(super) fn supports(rules: &Rules) -> bool {
    let plain = rules.is_line_game()
        && matches!(rules.shape(), Shape::Grid { levels: 1, .. })
        && matches!(rules.parts().win, Win::Row(_))
        && !rules.misere()
        && !rules.gravity()
        && !rules.wrap()
        && rules.players() == 2;
    // In renju the first mark wins with exactly five.
    plain && ShapeTable::supports(rules.k().into(), rules.exact() || rules.parts().renju)
}

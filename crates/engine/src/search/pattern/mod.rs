//! Search for two seats and lines of three to six on plain boards.
//!
//! The board knows the shapes that a stone would make in every empty cell, so threats are known
//! without searching for them.

mod board;
mod ordering;
mod search;
mod seat_threats;
mod shape;
mod tables;
mod threat;

use noughts_rules::Rules;

#[cfg(test)]
pub(super) use board::PatternBoard;
pub(super) use search::PatternSearch;
use shape::ShapeTable;

/// Whether this search supports the rules.
pub(super) fn supports(rules: &Rules) -> bool {
    let plain = rules.is_plain()
        && !rules.misere()
        && !rules.gravity()
        && !rules.wrap()
        && rules.players() == 2;
    plain && ShapeTable::supports(rules.k().into(), rules.exact())
}

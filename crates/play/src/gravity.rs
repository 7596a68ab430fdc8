//! Moves in games with gravity, as people name them.

use noughts_rules::{Cell, Position, Rules};

/// The cell that a mark comes to rest in: with gravity, any cell of a column names the column. The
/// cell itself if the column is full, or if marks do not fall.
pub fn landing_cell(position: &Position, cell: Cell) -> Cell {
    let rules = position.rules();
    if !rules.gravity() {
        return cell;
    }
    let floor = std::iter::successors(Some(cell), |&cell| rules.below(cell)).last();
    let mut column = std::iter::successors(floor, |&cell| rules.above(cell));
    column.find(|&cell| position.mark_at(cell).is_none()).unwrap_or(cell)
}

/// Whether a column number alone names a move: marks fall on one level.
pub fn takes_columns(rules: &Rules) -> bool {
    rules.gravity() && rules.levels() == 1
}

/// The top cell of a column, numbered from 1, where [`takes_columns`] holds.
pub fn column_cell(rules: &Rules, number: u8) -> Option<Cell> {
    let is_column = takes_columns(rules) && (1..=rules.cols()).contains(&number);
    is_column.then(|| Cell::new(0, number - 1)).flatten()
}

//! Moves in games with gravity, as people name them.

use noughts_rules::{Cell, Move, ParseMoveError, Position, Rules};

/// Reads a move as people name it. Where marks fall on one level, a column's number or any of its cells
/// names the column.
///
/// ```
/// use noughts_play::read_move;
/// use noughts_rules::Position;
///
/// let position = Position::new(&"connect4".parse()?);
/// assert_eq!(read_move(&position, "4")?.to_string(), "F4");
/// assert_eq!(read_move(&position, "A4")?.to_string(), "F4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_move(position: &Position, text: &str) -> Result<Move, ParseMoveError> {
    let rules = position.rules();
    let column = text.trim().parse().ok().and_then(|number| column_cell(rules, number));
    Ok(match column.map_or_else(|| rules.parse_move(text), |cell| Ok(Move::Place(cell)))? {
        Move::Place(cell) if takes_columns(rules) => Move::Place(landing_cell(position, cell)),
        mv => mv,
    })
}

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

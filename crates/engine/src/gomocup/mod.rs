//! The Gomocup (Piskvork) protocol, both sides: [`Brain`] answers a manager, [`External`] asks
//! someone else's engine.
//!
//! The protocol speaks of five in a row for two on any board, with coordinates `x,y` from 0, `x`
//! being the column.

mod board_setup;
mod brain;
mod external;
mod process_group;
mod protocol;
mod swap2;

pub use brain::{Brain, Reply};
pub use external::{EngineError, External};

use noughts_rules::Cell;

/// The number of stones in a row that the protocol is about.
const FIVE: u8 = 5;

/// The bit of `INFO rule` that says that only exactly five win.
const EXACT: u32 = 1;

/// The bits of `INFO rule` that ask for other games: renju and caro.
const OTHER_GAMES: u32 = 4 | 8;

/// Time left when there is no limit, in milliseconds.
const UNLIMITED: u64 = 2_147_483_647;

/// Reads `x,y`.
fn parse_cell(text: &str) -> Option<Cell> {
    let (x, y) = text.trim().split_once(',')?;
    Cell::new(y.trim().parse().ok()?, x.trim().parse().ok()?)
}

/// Writes `x,y`.
fn cell_text(cell: Cell) -> String {
    format!("{},{}", cell.col(), cell.row())
}

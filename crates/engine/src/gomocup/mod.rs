//! The Gomocup (Piskvork) protocol, both sides: [`Brain`] answers a manager, [`ExternalEngine`]
//! manages another program's engine.
//!
//! The protocol covers five in a row and renju between two sides on any flat board. Coordinates are `x,y` from 0,
//! where `x` is the column.

mod board_setup;
mod brain;
mod engine_log;
mod external;
mod message;
mod process_group;
mod protocol;
mod settings;
mod swap2;

pub use brain::{Brain, Reply};
pub use engine_log::EngineLog;
pub use external::{EngineError, ExternalEngine};

use noughts_rules::Cell;

/// The win length of every game in the protocol.
const WIN_LENGTH: u8 = 5;

/// The value of `INFO time_left` for an unlimited game.
const UNLIMITED_MILLIS: u64 = 2_147_483_647;

/// Parses `x,y`.
fn parse_cell(text: &str) -> Option<Cell> {
    let (x, y) = text.trim().split_once(',')?;
    Cell::new(y.trim().parse().ok()?, x.trim().parse().ok()?)
}

/// Formats a cell as `x,y`.
fn cell_text(cell: Cell) -> String {
    format!("{},{}", cell.col(), cell.row())
}

//! Text forms of rules, positions and games.

mod position;
mod rules;

pub use position::PositionError;
pub use rules::{PRESETS, RulesTextError};

//! Text forms of rules, positions and games.
//!
//! [`Rules`](crate::Rules), [`Position`](crate::Position) and [`Game`](crate::Game) print and
//! parse as text of their own. Games of gomoku also travel as Piskvork's [`psq`] files and as
//! [`sgf`].

mod game;
mod gomoku;
mod position;
pub mod psq;
mod rules;
pub mod sgf;

pub use game::ParseGameError;
pub use gomoku::NotGomoku;
pub use position::ParsePositionError;
pub use rules::{FEATURED_PRESETS, PRESET_ALIASES, PRESETS, ParseRulesError};

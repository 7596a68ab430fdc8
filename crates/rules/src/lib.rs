#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod action;
mod cell;
mod cell_set;
mod event;
mod game;
mod geometry;
mod layout;
pub mod notation;
pub mod perft;
mod player;
mod position;
mod refusal;
#[cfg_attr(not(test), expect(dead_code, reason = "positions do not apply these rules yet"))]
mod renju;
pub mod replay;
mod rules;
mod seat;
#[cfg(feature = "serde")]
mod serde;
mod state;
mod status;
mod symbol;
mod text;

pub use action::Action;
pub use cell::{Cell, ParseCellError};
pub use event::Event;
pub use game::Game;
pub use geometry::Line;
pub use notation::{ParseGameError, ParsePositionError, ParseRulesError};
pub use player::{NameError, Player, PlayersError};
pub use position::{MoveCursor, Position, PositionParts, PositionPartsError};
pub use refusal::Refusal;
pub use renju::Forbidden;
pub use rules::{MAX_SIDE, Rules, RulesError, RulesParts};
pub use seat::{MAX_PLAYERS, Seat};
pub use state::State;
pub use status::{Outcome, Status};
pub use symbol::{EMPTY_MARK, ParseSymbolError, Symbol};
pub use text::is_unprintable;

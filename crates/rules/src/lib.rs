#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod action;
#[cfg(feature = "arbitrary")]
mod arbitrary;
mod cell;
mod cell_set;
pub mod describe;
mod event;
mod game;
mod geometry;
pub mod laws;
mod layout;
mod mark;
mod moves;
pub mod notation;
pub mod perft;
mod player;
mod position;
mod refusal;
mod renju;
pub mod replay;
mod rules;
mod seat;
#[cfg(feature = "serde")]
mod serde;
mod shape;
mod state;
mod status;
mod symbol;
mod symmetry;
mod text;
mod zobrist;

pub use action::Action;
pub use cell::{Cell, ParseCellError};
pub use event::Event;
pub use game::Game;
pub use geometry::Line;
pub use mark::Mark;
pub use moves::{Move, ParseMoveError};
pub use notation::{ParseGameError, ParsePositionError, ParseRulesError};
pub use player::{NameError, Player, PlayersError};
pub use position::{
    MAX_MOVES, MoveCursor, OpeningStage, Position, PositionParts, PositionPartsError,
};
pub use refusal::Refusal;
pub use renju::Forbidden;
pub use rules::{
    Goal, MAX_CUSTOM_LINE_CELLS, MAX_CUSTOM_LINES, MAX_STONES_PER_TURN, Marks, Opening, Rules,
    RulesError, RulesParts, Win,
};
pub use seat::{MAX_PLAYERS, Seat};
pub use shape::{MAX_CELLS, MAX_LEVELS, MAX_SIDE, Shape, Zone};
pub use state::State;
pub use status::{DrawReason, Outcome, Status};
pub use symbol::{EMPTY_MARK, ParseSymbolError, Symbol};
pub use text::is_unprintable;

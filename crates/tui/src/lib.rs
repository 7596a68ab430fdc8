#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analysis_cache;
mod ansi16;
mod dialog;
mod emoji;
mod game;
mod game_options;
mod help;
mod input;
mod keys;
mod local_match;
mod move_picker;
#[cfg(feature = "online")]
mod online;
mod position_notes;
mod puzzles;
mod review;
mod run;
mod scoreboard;
mod screen;
mod screen_layout;
mod screenshot;
mod scroll_view;
mod select_list;
mod setup;
mod start;
mod storage;
mod stored;
mod terminal;
#[cfg(test)]
mod tests;
mod theme;
mod widgets;
mod workers;

pub use game_options::{DEFAULT_THINK, GameOptions, PlayerOptions};
pub use keys::Keys;
pub use local_match::ComputerSettings;
#[cfg(feature = "online")]
pub use online::{Preferences, join, lobby::lobby};
pub use run::run;
pub use screenshot::screenshot;
pub use setup::{FirstPage, Setup};
pub use storage::StorageOptions;
pub use theme::{Palette, Theme};

#[cfg(feature = "online")]
use screen::Page;
use screen::{LoopAction, Navigation, Screen};

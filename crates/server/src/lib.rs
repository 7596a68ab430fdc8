#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod accept;
mod accounts;
mod app;
mod cache;
mod clock;
mod compute;
mod config;
mod director;
pub mod game;
mod http;
mod legacy;
mod lifecycle;
mod limits;
mod live;
mod metrics;
mod online;
mod puzzles;
mod registry;
mod retention;
mod serve;
#[cfg(test)]
mod simulation;
mod storage;
pub mod tournament;

pub use accounts::recovery::reset_account;
pub use config::Config;
pub use live::{LoadError, read_game};
pub use metrics::MetricsAddress;
pub use retention::{CleanedUp, clean_up};
pub use serve::{ServeError, serve, serve_log};

//! Who meets whom: games online, for browsers, terminals and programs.
//!
//! [`serve()`] takes its listener, its store and its shutdown signal from outside:
//!
//! ```no_run
//! use noughts_server::{Config, serve};
//! use noughts_store::Store;
//! use tokio_util::sync::CancellationToken;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::open("noughts.db".as_ref()).await?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
//! serve(listener, store, Config::default(), CancellationToken::new()).await?;
//! # Ok(()) }
//! ```
//!
//! The way of a command: authenticate → check the sequence number that the sender saw → rules →
//! append to the log → memory → tell everyone → acknowledge. Nothing is told before it is stored.

#![forbid(unsafe_code)]

mod accept;
mod accounts;
mod app;
mod cache;
mod compute;
mod config;
pub mod game;
mod http;
mod limits;
mod live;
mod serve;
mod sessions;
mod storage;

pub use config::{Config, LEAGUE, MULTIPLAYER_LEAGUE};
pub use live::{LoadError, read_game};
pub use serve::{ServeError, serve, serve_log};

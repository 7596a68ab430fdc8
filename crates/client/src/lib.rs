//! A client of the game server.

#![forbid(unsafe_code)]

mod client;
mod events;
mod link;
mod order;
mod reply;
mod view;
mod words;

pub use client::{Address, Client, Failed};
pub use events::{Happened, Heard, Listening, listen};
pub use link::{Ask, Link, News};
pub use order::Order;
pub use reply::printable;
pub use view::{Phase, Refused, View};
pub use words::{ending, happened, missed, reason, sentence};

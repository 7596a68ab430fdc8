//! Playing at a server: what `noughts join` and `noughts bot` share.

pub(crate) mod bot;
mod client;
mod dialogue;
mod events;
pub(crate) mod join;
mod link;
mod order;
mod password;
mod reply;
mod sessions;
mod view;
mod words;

pub(crate) use client::Client;
pub(crate) use events::{Happened, Heard};
pub(crate) use link::{Ask, Link, News};
pub(crate) use order::Order;
pub(crate) use view::{Phase, View};
pub(crate) use words::{ending, happened, missed, reason};

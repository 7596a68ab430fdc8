//! Playing at a server: what `noughts join` and `noughts bot` share.

pub(crate) mod bot;
mod client;
mod events;
pub(crate) mod join;
mod sessions;
mod view;

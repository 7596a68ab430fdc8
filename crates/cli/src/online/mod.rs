//! Playing at a server: `noughts join` and `noughts bot`.

pub(crate) mod bot;
mod dialogue;
pub(crate) mod join;
mod password;
mod sessions;

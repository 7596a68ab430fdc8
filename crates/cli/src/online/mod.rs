//! Playing at a server: `noughts join`, with its lobby, and `noughts bot`.

pub(crate) mod bot;
mod dialogue;
pub(crate) mod join;
mod lobby;
mod password;

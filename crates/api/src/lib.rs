//! The protocol between Noughts servers and their clients.

#![forbid(unsafe_code)]

mod id;

pub use id::{GameId, IdentityId, ParseGameIdError};

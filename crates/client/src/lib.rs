#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod client;
mod connection;
mod describe;
mod lobby;
mod random;
mod sanitize;
mod sessions;

pub use address::{Address, ParseAddressError};
pub use client::{Client, ClientError, GameFilter};
pub use connection::{ConnectionEvent, GameConnection};
pub use describe::{
    InconsistentGame, describe_event, describe_missed, describe_ratings, describe_reason,
    describe_result, opponent_names, player_label, replay,
};
pub use lobby::{Attention, Lobby, LobbyConnection, LobbyEvent, LobbyLists, rules_and_level};
pub use sanitize::printable;
pub use sessions::{SessionError, Sessions};

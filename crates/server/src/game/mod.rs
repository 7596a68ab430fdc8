//! An online game as a fold of its events.
//!
//! Nothing here knows of networks, files or the wall clock: callers pass the time. A player's
//! [`CommandRequest`](noughts_api::CommandRequest) or a [`ServerCommand`] is decided against the
//! current state and becomes [`Event`](noughts_api::Event)s or a [`Refusal`]; only events change the
//! state. `noughts_rules` decides which moves are legal and who has won. This module adds seats and
//! their holders, undo by agreement, clocks, absence and rematches.

mod apply;
mod clock;
mod command;
mod decide;
mod online_game;
mod rating;
mod refusal;
mod setup;
mod view;

pub use clock::Clocks;
pub use command::ServerCommand;
pub use decide::Decision;
pub(crate) use online_game::COMPUTER_OVERDUE_MS;
pub use online_game::{BrokenLog, Ending, OnlineGame};
pub(crate) use rating::uncounted;
pub use refusal::{Away, Refusal};
pub use setup::check_setup;

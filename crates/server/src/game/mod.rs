//! An online game: a fold of its events.
//!
//! Nothing here knows of networks, files or the time of day. A [`Command`] of someone is decided
//! against the state of the game and the time that the caller gives, and becomes events or a
//! [`Refusal`]; the state changes by events alone. What is legal and who has won is for
//! `noughts_rules` to say; this module knows of seats and who holds them, of agreement about
//! undo, of clocks, of leaving and of rematches.

mod apply;
mod clock;
mod command;
mod decide;
mod event;
mod refusal;
mod setup;
mod state;
mod view;

pub use clock::{ClockRule, Clocks};
pub use command::{Actor, Command, Order};
pub use decide::{Decision, Events};
pub(crate) use event::Text;
pub use event::{CommandKey, Event, Seen, StoredCell, StoredSeat, Why};
pub use refusal::{Away, Refusal};
pub(crate) use setup::computer;
pub use setup::{Holder, Joining, PlayerType, SeatSetup, Series, Setup};
pub(crate) use state::THINKING;
pub use state::{BrokenLog, Ending, OnlineGame, Phase};
pub use view::{ClockView, GameView, PlayerView, ResultView, UndoView};

/// The time in milliseconds since 1970.
pub type Millis = i64;

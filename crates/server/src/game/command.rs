//! What the server itself does in a game.

use noughts_api::{Millis, Participant};
use noughts_rules::{Move, Seat};

/// A command of the server. No request of a player becomes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerCommand {
    /// End what is overdue: a turn without time left, or an abandoned game.
    Tick,
    /// Give back the time of an outage to the running clock.
    HoldClock {
        /// The length of the outage.
        ms: Millis,
    },
    /// Note that the player at a seat disconnected.
    Leave {
        /// The seat.
        seat: Seat,
    },
    /// Note that the player at a seat reconnected.
    Return {
        /// The seat.
        seat: Seat,
    },
    /// Change the name of a player.
    Rename {
        /// The player under the new name.
        player: Participant,
    },
    /// Make the move that a computer player chose.
    ComputerMove {
        /// The computer's seat.
        seat: Seat,
        /// The move.
        mv: Move,
    },
    /// Let a computer player lose that failed to choose a legal move.
    Forfeit {
        /// The computer's seat.
        seat: Seat,
    },
}

//! What someone wants of a game.

use noughts_rules::{Cell, Seat};

use super::{Joining, Seen};
use noughts_store::{GameId, IdentityId};

/// Who wants something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A person or a program.
    Identity(IdentityId),
    /// The computer player at a seat.
    Computer(Seat),
    /// The server itself.
    Server,
}

/// A command with who sent it, and what they saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Who wants it.
    pub actor: Actor,
    /// What they saw; the server and its computers need not say.
    pub seen: Option<Seen>,
    /// For which of the sender's seats, where there are several.
    pub seat: Option<Seat>,
    /// What they want.
    pub command: Command,
}

/// What someone wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To sit down: at the order's seat, or at any that is free.
    Join {
        /// As whom.
        who: Joining,
        /// What their cells shall show.
        symbol: Option<String>,
    },
    /// To take a cell.
    Move {
        /// Which.
        cell: Cell,
    },
    /// To take back the sender's last move.
    AskUndo,
    /// To let another player take back a move, or not.
    AnswerUndo {
        /// Whether they may.
        agree: bool,
    },
    /// To give up.
    Resign,
    /// To end the game before it really begins.
    Abort,
    /// To win because others have left.
    Claim,
    /// To play again.
    Rematch {
        /// The id that the next game would have.
        next: GameId,
    },
    /// The computer at the seat has failed, for which it loses.
    Forfeit,
    /// To end what is overdue.
    Tick,
    /// To give back the time of an outage.
    HoldClock {
        /// Milliseconds.
        ms: i64,
    },
    /// The player at a seat is not connected any more.
    Leave {
        /// Where.
        seat: Seat,
    },
    /// Someone has taken a name.
    Rename {
        /// Who they are now.
        who: Joining,
    },
    /// The player at a seat is connected again.
    Return {
        /// Where.
        seat: Seat,
    },
}

impl Order {
    /// What the server itself wants.
    #[must_use]
    pub fn of_server(command: Command) -> Order {
        Order { actor: Actor::Server, seen: None, seat: None, command }
    }
}

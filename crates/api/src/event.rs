//! What happens in an online game, as it is stored and sent.

use noughts_rules::{Cell, Mark, Move, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    ClockView, ExitReason, GameId, GamePhase, GameResult, GameSetup, Millis, Participant,
    PlayerView, RatingChange, TurnDetails,
};

/// Something that happened in a game. Logs are read for ever, so the names are stable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game was created.
    #[schema(title = "CreatedEvent")]
    Created(Box<GameSetup>),
    /// A player took a seat. The game begins when every seat is taken.
    #[schema(title = "JoinedEvent")]
    Joined {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// The player.
        player: Participant,
        /// The symbol the player chose.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
    },
    /// A seat made a move.
    #[schema(title = "MovedEvent")]
    Moved {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// The move. Older logs call it `cell`.
        #[serde(rename = "move", alias = "cell")]
        #[schema(value_type = String, example = "A1")]
        mv: Move,
    },
    /// A seat asks to take back its last turn and everything after it.
    #[schema(title = "UndoRequestedEvent")]
    UndoRequested {
        /// The seat that asks.
        #[schema(value_type = u8)]
        seat: Seat,
        /// How many actions would remain.
        to: u16,
    },
    /// A seat accepts the undo request.
    #[schema(title = "UndoAcceptedEvent")]
    UndoAccepted {
        /// The seat that accepts.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// A seat declines the undo request, which ends it.
    #[schema(title = "UndoDeclinedEvent")]
    UndoDeclined {
        /// The seat that declines.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// Moves were taken back.
    #[schema(title = "UndoneEvent")]
    Undone {
        /// The seat that asked.
        #[schema(value_type = u8)]
        seat: Seat,
        /// How many actions remain.
        to: u16,
    },
    /// A seat is out of the game.
    #[schema(title = "EliminatedEvent")]
    Eliminated {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// Why.
        reason: ExitReason,
    },
    /// The game was aborted and does not count.
    #[schema(title = "AbortedEvent")]
    Aborted {
        /// The seat that aborted it.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// Nobody touched the game for too long; it does not count.
    #[schema(title = "AbandonedEvent")]
    Abandoned,
    /// A player disconnected.
    #[schema(title = "LeftEvent")]
    Left {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// A player reconnected.
    #[schema(title = "ReturnedEvent")]
    Returned {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// A player changed their name.
    #[schema(title = "RenamedEvent")]
    Renamed {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
        /// The player under the new name.
        player: Participant,
    },
    /// The servers were down for this long, which is not charged to any clock.
    #[schema(title = "ClockHeldEvent")]
    ClockHeld {
        /// Milliseconds.
        ms: i64,
    },
    /// A player offers a rematch.
    #[schema(title = "RematchOfferedEvent")]
    RematchOffered {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// A player who offered a rematch disconnected.
    #[schema(title = "RematchWithdrawnEvent")]
    RematchWithdrawn {
        /// The seat.
        #[schema(value_type = u8)]
        seat: Seat,
    },
    /// Everyone agreed to a rematch.
    #[schema(title = "RematchStartedEvent")]
    RematchStarted {
        /// The seat that agreed last.
        #[schema(value_type = u8)]
        seat: Seat,
        /// The next game.
        game: GameId,
    },
}

impl Event {
    /// The seat that acted, if one did. Acting ends a seat's absence.
    #[must_use]
    pub fn actor(&self) -> Option<Seat> {
        match self {
            Event::Joined { seat, .. }
            | Event::Moved { seat, .. }
            | Event::UndoRequested { seat, .. }
            | Event::UndoAccepted { seat }
            | Event::UndoDeclined { seat }
            | Event::Undone { seat, .. }
            | Event::Eliminated { seat, .. }
            | Event::Aborted { seat }
            | Event::Left { seat }
            | Event::Returned { seat }
            | Event::RematchOffered { seat }
            | Event::RematchWithdrawn { seat }
            | Event::RematchStarted { seat, .. } => Some(*seat),
            Event::Created(_)
            | Event::Abandoned
            | Event::ClockHeld { .. }
            | Event::Renamed { .. } => None,
        }
    }
}

/// An event with its place in the game and what follows from it, so that no client has to know the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameUpdate {
    /// The sequence number. Numbers have no gaps.
    pub seq: u32,
    /// When it happened, in milliseconds since 1970.
    pub at: Millis,
    /// What happened.
    pub event: Event,
    /// The phase afterwards.
    pub phase: GamePhase,
    /// The seat to move afterwards.
    #[schema(value_type = Option<u8>)]
    pub turn: Option<Seat>,
    /// The result, if the game is finished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// What the result did to the players' ratings, in seat order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Vec<RatingChange>>,
    /// The cells that the event changed; all taken cells if the game starts with this event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<CellChange>,
    /// The legal moves, if they are not simply the empty cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>)]
    pub legal: Option<Vec<Move>>,
    /// The details of the turn, if the event may have changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<TurnDetails>,
    /// The clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// All players, if the event changed who sits where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Vec<PlayerView>>,
    /// The moves the game starts with, if it starts with this event from a given position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub opening: Vec<Move>,
}

/// What stands on a cell after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CellChange {
    /// The cell.
    #[schema(value_type = String)]
    pub cell: Cell,
    /// The mark on it; null if it is empty again.
    #[schema(value_type = Option<u8>)]
    pub mark: Option<Mark>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_older_logs_are_read() {
        let text = r#"{"type":"moved","seat":1,"cell":"B2"}"#;
        let event: Event = serde_json::from_str(text).unwrap();
        let expected = r#"{"type":"moved","seat":1,"move":"B2"}"#;
        assert_eq!(serde_json::to_string(&event).unwrap(), expected);
    }
}

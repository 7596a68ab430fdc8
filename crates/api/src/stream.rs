//! Lines of a player's event stream.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::GameView;

/// A line of `GET /api/v1/stream`: something in a game of yours that may need an answer. Each has the
/// game as you see it; answer with commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StreamEvent {
    /// You are invited: `join` accepts, `abort` declines.
    #[schema(title = "ChallengeStreamEvent")]
    Challenge {
        /// The game.
        game: Box<GameView>,
    },
    /// A game of yours has begun, or was going on when you connected.
    #[schema(title = "GameStartedStreamEvent")]
    GameStarted {
        /// The game.
        game: Box<GameView>,
    },
    /// A game waits for your move, or for your answer to an undo request.
    #[schema(title = "YourTurnStreamEvent")]
    YourTurn {
        /// The game.
        game: Box<GameView>,
    },
    /// A game of yours is over, or an invitation was withdrawn.
    #[schema(title = "GameEndedStreamEvent")]
    GameEnded {
        /// The game.
        game: Box<GameView>,
    },
    /// Another player offers a rematch: `rematch` accepts.
    #[schema(title = "RematchOfferedStreamEvent")]
    RematchOffered {
        /// The game that is over.
        game: Box<GameView>,
    },
}

impl StreamEvent {
    /// The game.
    #[must_use]
    pub fn game(&self) -> &GameView {
        match self {
            StreamEvent::Challenge { game }
            | StreamEvent::GameStarted { game }
            | StreamEvent::YourTurn { game }
            | StreamEvent::GameEnded { game }
            | StreamEvent::RematchOffered { game } => game,
        }
    }
}

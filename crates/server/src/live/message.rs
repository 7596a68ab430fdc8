//! What a game's task receives.

use std::sync::Arc;

use noughts_api::{
    CommandRequest, Emote, ErrorBody, ErrorCode, GameView, IdempotencyKey, IdentityId, Participant,
    ServerMessage,
};
use noughts_rules::Seat;
use tokio::sync::oneshot;

use super::subscribers::{Resume, Subscriber, Text};
use crate::game::{OnlineGame, Refusal};
use crate::limits::GamePermit;

/// A message to a game's task. Large ones are boxed: every inbox has room for many.
pub(crate) enum GameMessage {
    /// A player's command.
    Command(Box<PlayerMessage>),
    /// Give a player a new name.
    Rename { player: Box<Participant>, reply: oneshot::Sender<Result<(), Failure>> },
    /// Somebody looks at the game, and has seen it up to `seq`.
    View { viewer: Option<IdentityId>, seq: u32, reply: oneshot::Sender<Result<Snapshot, Failure>> },
    /// A socket wants updates from now on, after those it missed.
    Subscribe {
        subscriber: Box<Subscriber>,
        resume: Resume,
        reply: oneshot::Sender<Result<Vec<Text>, Failure>>,
    },
    /// A socket closed.
    Unsubscribe { id: u64 },
    /// The round-trip time of a player.
    Lag { identity: IdentityId, ms: u64 },
    /// A player says something, perhaps on another server.
    Emote { seat: Seat, emote: Emote },
    /// How many spectators other servers have.
    SpectatorsElsewhere { count: u32 },
    /// The log has this event, probably from another server.
    CatchUp { seq: u64 },
    /// Something may be overdue.
    Tick,
}

/// A player's command on its way to the game's task.
pub(crate) struct PlayerMessage {
    pub(crate) player: Arc<Participant>,
    pub(crate) request: CommandRequest,
    pub(crate) reply_to: ReplyTo,
    /// Counts the game that the command is about to start, until it has.
    pub(crate) permit: Option<GamePermit>,
}

/// Who gets the reply to a command.
pub(crate) enum ReplyTo {
    /// A request that waits for it.
    Request(oneshot::Sender<Result<Accepted, Failure>>),
    /// The subscriber with this id.
    Subscriber(u64),
}

/// A command was accepted.
pub(crate) struct Accepted {
    /// The sequence number right after it.
    pub(crate) seq: u32,
    /// The game as it is now.
    pub(crate) game: Box<OnlineGame>,
}

/// A game at a moment.
pub(crate) struct Snapshot {
    pub(crate) game: Box<OnlineGame>,
    /// The players that are connected to this server, or were a moment ago.
    pub(crate) present: Vec<IdentityId>,
}

/// Why a message failed.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Failure {
    /// The game refuses the command. The view is for senders who did not know the game's state.
    #[error("{0}")]
    Refused(Refusal, Option<Box<GameView>>),
    #[error("there is no such game")]
    NoGame,
    #[error("the game has too many spectators")]
    TooManySpectators,
    #[error("the game is at event {at}, not yet at {seq}: try again in a moment")]
    Behind { at: u64, seq: u32 },
    #[error("the database can't be reached: send the command again with the same key")]
    Unavailable,
}

impl Failure {
    fn code(&self) -> ErrorCode {
        match self {
            Failure::Refused(refusal, _) => refusal.code(),
            Failure::NoGame => ErrorCode::NoGame,
            Failure::TooManySpectators => ErrorCode::TooMany,
            Failure::Behind { .. } => ErrorCode::Behind,
            Failure::Unavailable => ErrorCode::Unavailable,
        }
    }

    /// The message to the sender of a command.
    pub(super) fn into_message(self, key: IdempotencyKey) -> ServerMessage {
        let mut error = ErrorBody::new(self.code(), &self);
        if let Failure::Refused(_, game) = self {
            error.game = game;
        }
        ServerMessage::Refused { key: Some(key), error }
    }
}

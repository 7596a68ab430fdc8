//! What a tournament's task receives.

use std::sync::Arc;

use noughts_api::IdentityId;
use tokio::sync::{oneshot, watch};

use super::snapshot::Snapshot;
use crate::live::EndedGame;
use crate::tournament::TournamentRefusal;

/// A message to a tournament's task.
pub(super) enum TournamentMessage {
    /// Somebody asks for something.
    Request {
        request: TournamentRequest,
        reply: oneshot::Sender<Result<Arc<Snapshot>, TournamentFailure>>,
    },
    /// Somebody looks at the tournament, and has seen it up to `seq`.
    View { seq: u32, reply: oneshot::Sender<Result<Arc<Snapshot>, TournamentFailure>> },
    /// Somebody wants to know when it changes.
    Follow { reply: oneshot::Sender<Result<watch::Receiver<u32>, TournamentFailure>> },
    /// One of its games ended.
    GameEnded(EndedGame),
    /// The log may have events from another server, up to this one.
    CatchUp { seq: u32 },
    /// Something may be overdue.
    Tick,
}

/// What somebody asks of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TournamentRequest {
    Join { player: IdentityId, bot: bool },
    Leave { player: IdentityId },
    Start { by: IdentityId },
    Cancel { by: IdentityId },
}

/// Why a message failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TournamentFailure {
    Refused(TournamentRefusal),
    NoTournament,
    Unavailable,
}

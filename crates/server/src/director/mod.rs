//! Directing tournaments: one task for each that somebody looks at or that is being played.
//!
//! The task decides with [`Tournament`] what a request, a game's end or the passing of time becomes, and
//! appends the events to the tournament's log before anybody sees them. Of several servers that direct the
//! same tournament, the second to append gets a conflict and reads what the first has done. Games are
//! created after their pairing is stored, under the ids that it names, so that any server can make up for
//! what another one did not get to.

mod follow;
mod games;
mod load;
mod message;
mod snapshot;
mod task;

pub(crate) use follow::{run_follower, run_sweeps};
pub(crate) use message::{TournamentFailure, TournamentRequest};
pub(crate) use snapshot::{Snapshot, TournamentDetail, game_view};

use std::sync::Arc;

use noughts_api::{IdempotencyKey, IdentityId, TournamentId, TournamentSettings};
use noughts_store::{StoreError, TournamentCreation};
use tokio::sync::{mpsc, oneshot, watch};

use crate::accounts::Accounts;
use crate::config::Config;
use crate::lifecycle::Lifecycle;
use crate::live::LiveGames;
use crate::registry::Registry;
use crate::storage::Storage;
use crate::tournament::{Tournament, TournamentEvent, TournamentSetup};
use message::TournamentMessage;
use task::TournamentTask;

/// The tournaments with a task on this server, and what the tasks use.
pub(crate) struct Directors {
    registry: Registry<TournamentId, TournamentMessage>,
    config: Arc<Config>,
    storage: Arc<Storage>,
    accounts: Arc<Accounts>,
    games: Arc<LiveGames>,
    lifecycle: Lifecycle,
}

impl Directors {
    pub(crate) fn new(
        config: Arc<Config>,
        storage: Arc<Storage>,
        accounts: Arc<Accounts>,
        games: Arc<LiveGames>,
        lifecycle: Lifecycle,
    ) -> Directors {
        let registry = Registry::default();
        Directors { registry, config, storage, accounts, games, lifecycle }
    }

    /// Creates a tournament. The same request again returns the same tournament.
    pub(crate) async fn create(
        &self,
        settings: TournamentSettings,
        creator: IdentityId,
        key: Option<IdempotencyKey>,
    ) -> Result<TournamentId, StoreError> {
        let at = self.games.now();
        let tournament = TournamentId::new(at, (self.games.random_id)());
        let public = settings.public;
        let setup = TournamentSetup {
            v: 1,
            settings,
            creator,
            break_ms: self.config.tournament_break_ms(),
            first_move_ms: self.config.first_move_ms(),
            waiting_ms: self.config.abandon_ms(),
            away_ms: self.config.away_ms(),
            idle_ms: self.config.abandon_ms(),
        };
        let event = load::event_json(&TournamentEvent::Created(Box::new(setup.clone())));
        let state = Tournament::create(tournament, setup, at).expect("the version is this one's");
        let listing = self.listing(&state, at);
        let creation = TournamentCreation { tournament, creator, key, public, event, at, listing };
        self.storage.store.create_tournament(&creation).await
    }

    /// Sends a request and waits for the tournament as it is then.
    pub(crate) async fn request(
        self: &Arc<Directors>,
        tournament: TournamentId,
        request: TournamentRequest,
    ) -> Result<Arc<Snapshot>, TournamentFailure> {
        let (reply, replied) = oneshot::channel();
        self.send(tournament, TournamentMessage::Request { request, reply }).await;
        replied.await.map_err(|_| TournamentFailure::Unavailable)?
    }

    /// The tournament as it is now, with everything up to an event that somebody has seen.
    pub(crate) async fn snapshot(
        self: &Arc<Directors>,
        tournament: TournamentId,
        seq: u32,
    ) -> Result<Arc<Snapshot>, TournamentFailure> {
        let (reply, replied) = oneshot::channel();
        self.send(tournament, TournamentMessage::View { seq, reply }).await;
        replied.await.map_err(|_| TournamentFailure::Unavailable)?
    }

    /// The sequence number of the tournament as it changes. Ends if its task does.
    pub(crate) async fn follow(
        self: &Arc<Directors>,
        tournament: TournamentId,
    ) -> Result<watch::Receiver<u32>, TournamentFailure> {
        let (reply, replied) = oneshot::channel();
        self.send(tournament, TournamentMessage::Follow { reply }).await;
        replied.await.map_err(|_| TournamentFailure::Unavailable)?
    }

    fn start_task(
        self: &Arc<Directors>,
        tournament: TournamentId,
        inbox: mpsc::Receiver<TournamentMessage>,
    ) {
        self.lifecycle.tasks.spawn(TournamentTask::run(self.clone(), tournament, inbox));
    }

    /// Sends a message to a tournament's task, and starts the task if none is running.
    async fn send(self: &Arc<Directors>, tournament: TournamentId, mut message: TournamentMessage) {
        loop {
            let (inbox, receiver) = self.registry.inbox(tournament);
            if let Some(receiver) = receiver {
                self.start_task(tournament, receiver);
            }
            match inbox.send(message).await {
                Ok(()) => return,
                // The task ended just before: the next one gets the message.
                Err(mpsc::error::SendError(unsent)) => message = unsent,
            }
        }
    }
}

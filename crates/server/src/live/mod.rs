//! Live games: one task for each, started by the first message and ended when nobody needs it.
//!
//! A player's command reaches the task as a [`GameMessage`], is decided by
//! [`OnlineGame`], and its events are appended to the log. Only then do
//! subscribers receive them.

mod append;
mod attendance;
mod computer;
mod create;
mod ended;
mod game_task;
mod load;
mod message;
mod player_streams;
mod presence;
mod ratings;
mod spectators;
mod subscribers;
mod sweep;
mod sync;
mod timers;

pub(crate) use append::summary;
pub(crate) use ended::{EndedGame, ended_game};
pub use load::{LoadError, read_game};
pub(crate) use message::{Accepted, Failure, Snapshot};
pub(crate) use player_streams::Changes;
pub(crate) use subscribers::{Resume, Subscription, Text, text};
pub(crate) use sweep::run_sweeps;
pub(crate) use sync::follow_notices;

use std::sync::Arc;
use std::time::Duration;

use metrics::Counter;
use noughts_api::{CommandRequest, GameId, IdentityId, Millis, Participant, SeatHolder};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::time::Instant;

use crate::accounts::{Accounts, secrets};
use crate::cache::RulesCache;
use crate::compute::Thinkers;
use crate::config::Config;
use crate::game::OnlineGame;
use crate::lifecycle::Lifecycle;
use crate::limits::GamePermit;
use crate::registry::Registry;
use crate::storage::Storage;
use crate::storage::heartbeat::Outages;
use create::CommandLocks;
use ended::MAX_WAITING_ENDED_GAMES;
use game_task::GameTask;
use message::{GameMessage, PlayerMessage, ReplyTo};
use player_streams::PlayerStreams;
use ratings::ResultCache;
use spectators::SpectatorCounts;

/// How long a request waits for an event that the log does not have. An acknowledged event is there
/// at once.
const MAX_EVENT_WAIT: Duration = Duration::from_secs(2);

/// The pause before the log is read again, doubled each time.
const FIRST_EVENT_PAUSE: Duration = Duration::from_millis(25);

/// The live games of this server, and what their tasks use.
pub(crate) struct LiveGames {
    registry: Registry<GameId, GameMessage>,
    streams: PlayerStreams,
    /// Games of tournaments that ended here.
    ended_games: broadcast::Sender<EndedGame>,
    creations: CommandLocks,
    event_counter: Counter,
    results: ResultCache,
    spectators: SpectatorCounts,
    pub(crate) config: Arc<Config>,
    pub(crate) storage: Arc<Storage>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) rules: Arc<RulesCache>,
    pub(crate) outages: Arc<Outages>,
    pub(crate) thinkers: Arc<Thinkers>,
    pub(crate) lifecycle: Lifecycle,
    /// Makes the random part of a game's id: from the system's source, except in simulations.
    pub(crate) random_id: Box<dyn Fn() -> [u8; 10] + Send + Sync>,
}

impl LiveGames {
    pub(crate) fn new(
        config: Arc<Config>,
        storage: Arc<Storage>,
        accounts: Arc<Accounts>,
        rules: Arc<RulesCache>,
        outages: Arc<Outages>,
        thinkers: Arc<Thinkers>,
        lifecycle: Lifecycle,
    ) -> LiveGames {
        LiveGames {
            registry: Registry::default(),
            streams: PlayerStreams::default(),
            ended_games: broadcast::channel(MAX_WAITING_ENDED_GAMES).0,
            creations: CommandLocks::default(),
            event_counter: metrics::counter!("noughts_events_total"),
            results: ResultCache::default(),
            spectators: SpectatorCounts::default(),
            config,
            storage,
            accounts,
            rules,
            outages,
            thinkers,
            lifecycle,
            random_id: Box::new(secrets::random),
        }
    }

    /// Sends a message to a game's task, and starts the task if none is running. Returns the inbox
    /// that took the message.
    async fn send(
        self: &Arc<LiveGames>,
        game: GameId,
        mut message: GameMessage,
    ) -> mpsc::Sender<GameMessage> {
        loop {
            let (inbox, receiver) = self.registry.inbox(game);
            if let Some(receiver) = receiver {
                self.start_task(game, receiver, None);
            }
            match inbox.send(message).await {
                Ok(()) => return inbox,
                // The task ended just before: the next one gets the message.
                Err(mpsc::error::SendError(unsent)) => message = unsent,
            }
        }
    }

    fn start_task(
        self: &Arc<LiveGames>,
        game: GameId,
        inbox: mpsc::Receiver<GameMessage>,
        created: Option<oneshot::Receiver<Box<OnlineGame>>>,
    ) {
        self.lifecycle.tasks.spawn(GameTask::run(self.clone(), game, inbox, created));
    }

    /// Sends a player's command and waits for the outcome.
    pub(crate) async fn command(
        self: &Arc<LiveGames>,
        game: GameId,
        player: Arc<Participant>,
        request: CommandRequest,
        permit: Option<GamePermit>,
    ) -> Result<Accepted, Failure> {
        let (reply, replied) = oneshot::channel();
        let reply_to = ReplyTo::Request(reply);
        let message = PlayerMessage { player, request, reply_to, permit };
        self.send(game, GameMessage::Command(Box::new(message))).await;
        replied.await.map_err(|_| Failure::Unavailable)?
    }

    /// Gives a player a new name in a game.
    pub(crate) async fn rename(
        self: &Arc<LiveGames>,
        game: GameId,
        player: Participant,
    ) -> Result<(), Failure> {
        let (reply, replied) = oneshot::channel();
        self.send(game, GameMessage::Rename { player: Box::new(player), reply }).await;
        replied.await.map_err(|_| Failure::Unavailable)?
    }

    /// The game as it is now. If the viewer plays in it, they are present.
    pub(crate) async fn snapshot(
        self: &Arc<LiveGames>,
        game: GameId,
        viewer: Option<IdentityId>,
    ) -> Result<Snapshot, Failure> {
        self.snapshot_after(game, viewer, 0).await
    }

    /// The game as it is now, with everything up to an event that somebody has seen, perhaps on
    /// another server. Waits a little for an event that the log does not have yet.
    pub(crate) async fn snapshot_after(
        self: &Arc<LiveGames>,
        game: GameId,
        viewer: Option<IdentityId>,
        seq: u32,
    ) -> Result<Snapshot, Failure> {
        let snapshot = self.view(game, viewer, seq).await?;
        if snapshot.game.seq() >= seq {
            return Ok(snapshot);
        }
        self.await_event(game, seq).await?;
        self.view(game, viewer, seq).await
    }

    async fn view(
        self: &Arc<LiveGames>,
        game: GameId,
        viewer: Option<IdentityId>,
        seq: u32,
    ) -> Result<Snapshot, Failure> {
        let (reply, replied) = oneshot::channel();
        self.send(game, GameMessage::View { viewer, seq, reply }).await;
        replied.await.map_err(|_| Failure::Unavailable)?
    }

    /// Waits until the log has an event.
    pub(crate) async fn await_event(&self, game: GameId, seq: u32) -> Result<(), Failure> {
        let deadline = Instant::now() + MAX_EVENT_WAIT;
        let mut pause = FIRST_EVENT_PAUSE;
        loop {
            let sequences = self.storage.log.sequences(&[game]).await;
            let sequences = sequences.map_err(|_| Failure::Unavailable)?;
            let at = *sequences.get(&game).ok_or(Failure::NoGame)?;
            if at >= u64::from(seq) {
                return Ok(());
            }
            if Instant::now() + pause > deadline {
                return Err(Failure::Behind { at, seq });
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
    }

    /// The identity under which results of a seat count.
    fn seated_identity(&self, holder: &SeatHolder) -> Option<IdentityId> {
        match holder {
            SeatHolder::Taken(player) => Some(player.identity),
            SeatHolder::Computer { level } => self.accounts.computer(*level),
            SeatHolder::Open | SeatHolder::Invited { .. } => None,
        }
    }

    /// The time of games.
    pub(crate) fn now(&self) -> Millis {
        self.outages.now()
    }

    pub(crate) fn new_game_id(&self) -> GameId {
        GameId::new(self.now(), (self.random_id)())
    }
}

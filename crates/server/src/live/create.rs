//! Creating games, and rematches.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};

use noughts_api::{
    Event, GameId, GameSetup, IdempotencyKey, IdentityId, IdentityKind, Participant, SeatHolder,
};
use noughts_store::{Append, AppendError, CommandKey};
use tokio::sync::{Notify, oneshot};

use super::LiveGames;
use super::append::{command_key, event_json};
use crate::accounts::player_kind;
use crate::game::OnlineGame;

/// Commands that are creating a game at this moment. Sent twice at once, they create one game.
#[derive(Default)]
pub(super) struct CommandLocks {
    running: Mutex<HashSet<CommandKey>>,
    released: Notify,
}

/// The only running execution of a command.
struct CommandLock {
    games: Arc<LiveGames>,
    command: CommandKey,
}

impl CommandLock {
    async fn acquire(games: Arc<LiveGames>, command: CommandKey) -> CommandLock {
        loop {
            let mut released = pin!(games.creations.released.notified());
            // From here on, no release is missed.
            released.as_mut().enable();
            let is_first = {
                let mut running =
                    games.creations.running.lock().unwrap_or_else(PoisonError::into_inner);
                running.insert(command.clone())
            };
            if is_first {
                break;
            }
            released.await;
        }
        CommandLock { games, command }
    }
}

impl Drop for CommandLock {
    fn drop(&mut self) {
        let CommandLocks { running, released } = &self.games.creations;
        running.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.command);
        released.notify_waiters();
    }
}

/// Why a game could not be created.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct CreateError(String);

impl LiveGames {
    /// Creates a game for a player. The same command again returns the same game.
    pub(crate) async fn create_once(
        self: &Arc<LiveGames>,
        setup: GameSetup,
        sender: IdentityId,
        key: &IdempotencyKey,
    ) -> Result<GameId, CreateError> {
        let lock = CommandLock::acquire(self.clone(), command_key(sender, key)).await;
        // In a task of its own, so that it goes on if the client goes away.
        let creating = self.lifecycle.tasks.spawn(async move {
            let CommandLock { games, command } = &lock;
            let created = games.storage.store.game_created_by(command).await;
            if let Some(game) = created.map_err(|error| CreateError(error.to_string()))? {
                return Ok(game);
            }
            games.create(games.new_game_id(), setup, Some(command.clone())).await
        });
        creating.await.map_err(|error| CreateError(error.to_string()))?
    }

    /// Creates a game, unless one with this id exists. Its task is running afterwards: the creator
    /// comes to see it.
    pub(crate) async fn create(
        self: &Arc<LiveGames>,
        game: GameId,
        setup: GameSetup,
        key: Option<CommandKey>,
    ) -> Result<GameId, CreateError> {
        let rules = self.rules.get(&setup.rules).map_err(|error| CreateError(error.to_string()))?;
        let at = self.now();
        let created = Event::Created(Box::new(setup.clone()));
        let state = OnlineGame::create(game, rules, setup, at);
        let state = state.map_err(|error| CreateError(error.to_string()))?;
        let append = Append {
            game,
            expected: 0,
            events: [event_json(&created)].into_iter().collect(),
            at,
            due: state.wake_at(),
            key,
            key_is_fresh: false,
            listing: Some(Box::new(self.listing(&state))),
            result: None,
        };
        // Other servers may play as soon as the game is in the log, and their notices must reach it.
        let task = self.expect_created(game);
        match self.storage.writer.append(append).await {
            Ok(appended) => {
                self.tell_players(&state);
                if let Some(task) = task.filter(|_| !appended.repeated) {
                    let _ = task.send(Box::new(state));
                }
                metrics::counter!("noughts_games_created_total").increment(1);
                Ok(game)
            }
            Err(AppendError::Conflict { .. }) => Ok(game),
            // Another server was faster with the same command.
            Err(AppendError::AlreadyCreated { game }) => Ok(game),
            Err(error) => Err(CreateError(error.to_string())),
        }
    }

    /// Starts the task of a game that is about to be created. It waits for the state, and loads the
    /// game if it gets none. None if the game has a task.
    fn expect_created(
        self: &Arc<LiveGames>,
        game: GameId,
    ) -> Option<oneshot::Sender<Box<OnlineGame>>> {
        let (_, receiver) = self.registry.inbox(game);
        let (sender, created) = oneshot::channel();
        self.start_task(game, receiver?, Some(created));
        Some(sender)
    }

    /// Creates the rematch of a game, unless it exists.
    pub(super) async fn create_rematch(self: &Arc<LiveGames>, game: &OnlineGame) {
        let Some(rematch) = game.rematch() else { return };
        let mut setup = game.rematch_setup();
        for seat in &mut setup.seats {
            if let SeatHolder::Taken(player) = &mut seat.holder
                && player.kind == IdentityKind::Guest
                && game.seats_of(player.identity).count() == 1
            {
                self.update_name(player).await;
            }
        }
        if let Err(error) = self.create(rematch, setup, None).await {
            tracing::error!(%error, game = %game.id(), "could not create a rematch");
        }
    }

    /// A guest may have another name by now, or have become an account.
    async fn update_name(&self, player: &mut Participant) {
        match self.accounts.identity(player.identity).await {
            Ok(Some(identity)) => {
                player.name = identity.name;
                player.kind = player_kind(identity.kind);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!(%error, "could not look up a name"),
        }
    }
}

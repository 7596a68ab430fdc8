//! Which players follow all of their games at once, and which games have changed for them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_api::{GameId, IdentityId, SeatHolder};
use tokio::sync::Notify;

use super::LiveGames;
use crate::game::OnlineGame;

/// The open streams of all players.
#[derive(Default)]
pub(super) struct PlayerStreams {
    open: Mutex<HashMap<IdentityId, Vec<Arc<StreamInbox>>>>,
}

/// What changed since a stream looked last. Changes to the same game are one.
#[derive(Default)]
struct StreamInbox {
    changes: Mutex<Changes>,
    changed: Notify,
    /// Whether the player is at all of their games.
    present: bool,
}

/// What a stream has to look at.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Games that have changed.
    pub(crate) games: HashSet<GameId>,
    /// Whether changes may have been missed: all games must be compared.
    pub(crate) missed: bool,
}

/// A player's stream, until it is dropped.
pub(crate) struct PlayerStream {
    games: Arc<LiveGames>,
    identity: IdentityId,
    inbox: Arc<StreamInbox>,
}

impl LiveGames {
    /// Follows the games of a player, who is at all of them if `present`.
    pub(crate) fn follow_player(
        self: &Arc<LiveGames>,
        identity: IdentityId,
        present: bool,
    ) -> PlayerStream {
        let inbox = Arc::new(StreamInbox { present, ..StreamInbox::default() });
        self.streams.lock().entry(identity).or_default().push(inbox.clone());
        PlayerStream { games: self.clone(), identity, inbox }
    }

    /// Tells the players of a game that it has changed.
    pub(super) fn tell_players(&self, game: &OnlineGame) {
        let identities = game.seats().iter().filter_map(|seat| match &seat.holder {
            SeatHolder::Taken(player) => Some(player.identity),
            SeatHolder::Invited { identity, .. } => Some(*identity),
            SeatHolder::Open | SeatHolder::Computer { .. } => None,
        });
        self.streams.tell(game.id(), identities);
    }

    /// Tells the players of a game that has no task here that another server changed it.
    pub(super) async fn tell_listed_players(&self, game: GameId) {
        if self.streams.is_empty() {
            return;
        }
        match self.storage.log.game(game).await {
            Ok(listed) => {
                let seats = listed.into_iter().flat_map(|listed| listed.listing.seats);
                self.streams.tell(game, seats.flatten());
            }
            Err(error) => {
                tracing::warn!(%error, "could not read a game for streams");
                self.streams.tell_missed();
            }
        }
    }
}

impl PlayerStreams {
    fn lock(&self) -> MutexGuard<'_, HashMap<IdentityId, Vec<Arc<StreamInbox>>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Whether a player has a stream open by which they are at their games.
    pub(super) fn includes(&self, identity: IdentityId) -> bool {
        self.lock().get(&identity).is_some_and(|open| open.iter().any(|inbox| inbox.present))
    }

    fn tell(&self, game: GameId, identities: impl Iterator<Item = IdentityId>) {
        let open = self.lock();
        if open.is_empty() {
            return;
        }
        for inbox in identities.filter_map(|identity| open.get(&identity)).flatten() {
            inbox.add(|changes| changes.games.extend([game]));
        }
    }

    /// Tells all players that changes may have been missed.
    pub(super) fn tell_missed(&self) {
        for inbox in self.lock().values().flatten() {
            inbox.add(|changes| changes.missed = true);
        }
    }
}

impl StreamInbox {
    fn lock(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, change: impl FnOnce(&mut Changes)) {
        change(&mut self.lock());
        self.changed.notify_one();
    }
}

impl PlayerStream {
    /// What has changed since the last call; waits until something has.
    pub(crate) async fn changes(&mut self) -> Changes {
        self.inbox.changed.notified().await;
        std::mem::take(&mut *self.inbox.lock())
    }
}

impl Drop for PlayerStream {
    fn drop(&mut self) {
        let mut open = self.games.streams.lock();
        if let Some(inboxes) = open.get_mut(&self.identity) {
            inboxes.retain(|inbox| !Arc::ptr_eq(inbox, &self.inbox));
            if inboxes.is_empty() {
                open.remove(&self.identity);
            }
        }
    }
}

//! Which players are connected, to this server and to others on the same database.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noughts_api::{GameId, IdentityId, IdentityKind};
use noughts_store::{ServerPresence, StoreError};

use crate::app::App;

/// How often servers that share a database tell each other who is connected.
const EXCHANGE_INTERVAL: Duration = Duration::from_secs(2);

/// How long they believe a server that says nothing, in milliseconds.
const MAX_SILENCE_MS: i64 = 15_000;

/// The connected players.
#[derive(Debug, Default)]
pub(crate) struct OnlinePlayers {
    here: Mutex<HashMap<IdentityId, Connections>>,
    /// Of other servers, and whether only a bot of theirs is connected.
    elsewhere: Mutex<HashMap<IdentityId, bool>>,
}

/// The open connections of an identity.
#[derive(Debug, Clone, Copy, Default)]
struct Connections {
    people: u32,
    bots: u32,
}

/// Counts a connection until it is dropped.
#[derive(Debug)]
pub(crate) struct OnlineGuard {
    players: Arc<OnlinePlayers>,
    identity: IdentityId,
    is_bot: bool,
}

impl OnlinePlayers {
    fn here(&self) -> MutexGuard<'_, HashMap<IdentityId, Connections>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elsewhere(&self) -> MutexGuard<'_, HashMap<IdentityId, bool>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a connection of a player.
    pub(crate) fn connect(
        self: &Arc<OnlinePlayers>,
        identity: IdentityId,
        kind: IdentityKind,
    ) -> OnlineGuard {
        let is_bot = kind == IdentityKind::Bot;
        let mut here = self.here();
        *here.entry(identity).or_default().of(is_bot) += 1;
        OnlineGuard { players: self.clone(), identity, is_bot }
    }

    /// Whether only a bot of a player is connected. None if the player is not connected at all.
    pub(crate) fn is_bot(&self, identity: IdentityId) -> Option<bool> {
        let here = self.here().get(&identity).map(|connections| connections.people == 0);
        let elsewhere = self.elsewhere().get(&identity).copied();
        match (here, elsewhere) {
            (Some(here), Some(elsewhere)) => Some(here && elsewhere),
            (here, elsewhere) => here.or(elsewhere),
        }
    }

    /// The connected players, and whether only a bot of theirs is.
    pub(crate) fn all(&self) -> HashMap<IdentityId, bool> {
        let mut all = self.elsewhere().clone();
        for (identity, connections) in self.here().iter() {
            let is_bot = connections.people == 0;
            all.entry(*identity).and_modify(|bot| *bot &= is_bot).or_insert(is_bot);
        }
        all
    }
}

impl Connections {
    fn of(&mut self, is_bot: bool) -> &mut u32 {
        if is_bot { &mut self.bots } else { &mut self.people }
    }
}

impl Drop for OnlineGuard {
    fn drop(&mut self) {
        let mut here = self.players.here();
        if let Some(connections) = here.get_mut(&self.identity) {
            *connections.of(self.is_bot) -= 1;
            if connections.people + connections.bots == 0 {
                here.remove(&self.identity);
            }
        }
    }
}

/// Tells other servers who is connected here, and learns from them, until the server stops.
pub(crate) async fn run_exchange(app: Arc<App>) {
    if !app.storage.is_shared {
        return;
    }
    let mut interval = tokio::time::interval(EXCHANGE_INTERVAL);
    let mut watched = HashSet::new();
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            () = app.lifecycle.stop.cancelled() => break,
        }
        match exchange(&app).await {
            Ok(spectators) => {
                // Games that nobody watches elsewhere any more are told once.
                let games: HashSet<GameId> = spectators.keys().copied().collect();
                for game in games.union(&watched) {
                    let count = spectators.get(game).copied().unwrap_or(0);
                    app.games.set_spectators_elsewhere(*game, count);
                }
                watched = games;
            }
            Err(error) => tracing::warn!(%error, "could not exchange who is connected"),
        }
    }
    let long_ago = app.games.now() - MAX_SILENCE_MS;
    if let Err(error) = app.storage.store.remove_presence(long_ago).await {
        tracing::warn!(%error, "could not tell that nobody is connected");
    }
}

/// Returns how many spectators games have elsewhere.
async fn exchange(app: &App) -> Result<HashMap<GameId, u32>, StoreError> {
    let now = app.games.now();
    let mut here = ServerPresence { spectators: app.games.spectators_here(), ..Default::default() };
    for (identity, connections) in app.online.here().iter() {
        let list = if connections.people > 0 { &mut here.people } else { &mut here.bots };
        list.push(*identity);
    }
    app.storage.store.set_presence(&here, now).await?;
    let (mut players, mut spectators) = (HashMap::new(), HashMap::<GameId, u32>::new());
    for server in app.storage.store.presence_elsewhere(now - MAX_SILENCE_MS).await? {
        for bot in server.bots {
            players.entry(bot).or_insert(true);
        }
        for person in server.people {
            players.insert(person, false);
        }
        for (game, count) in server.spectators {
            *spectators.entry(game).or_default() += count;
        }
    }
    *app.online.elsewhere() = players;
    Ok(spectators)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_there_until_their_last_connection_ends() {
        let players = Arc::<OnlinePlayers>::default();
        let ann = IdentityId(1);
        let bot = players.connect(ann, IdentityKind::Bot);
        assert_eq!(players.all().get(&ann), Some(&true));
        let person = players.connect(ann, IdentityKind::Account);
        assert_eq!(players.all().get(&ann), Some(&false));
        drop(person);
        assert_eq!(players.is_bot(ann), Some(true));
        drop(bot);
        assert!(players.is_bot(ann).is_none() && players.all().is_empty());
    }
}

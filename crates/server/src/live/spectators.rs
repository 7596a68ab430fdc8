//! How many people watch a game without playing in it.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_api::{GameId, ServerMessage};

use super::LiveGames;
use super::game_task::GameTask;
use super::message::GameMessage;

/// Up to here, every change is announced.
const MAX_EXACT_COUNT: u32 = 20;

/// Beyond that, changes by this fraction of the number.
const ANNOUNCED_FRACTION: u32 = 10;

/// The spectators of one game.
#[derive(Debug, Default)]
pub(super) struct Spectators {
    /// Those of other servers.
    pub(super) elsewhere: u32,
    /// The number that was announced last.
    announced: u32,
}

/// The spectators of all games at this server, for the others that share the database.
#[derive(Debug, Default)]
pub(super) struct SpectatorCounts {
    here: Mutex<HashMap<GameId, u32>>,
}

impl SpectatorCounts {
    fn here(&self) -> MutexGuard<'_, HashMap<GameId, u32>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, game: GameId, count: u32) {
        match count {
            0 => drop(self.here().remove(&game)),
            count => drop(self.here().insert(game, count)),
        }
    }

    /// Forgets a game that has no task any more.
    pub(super) fn forget(&self, game: GameId) {
        self.set(game, 0);
    }
}

impl LiveGames {
    /// The spectators at this server, by game.
    pub(crate) fn spectators_here(&self) -> Vec<(GameId, u32)> {
        self.spectators.here().iter().map(|(game, count)| (*game, *count)).collect()
    }

    /// Tells a game how many spectators other servers have, if it has a task here.
    pub(crate) fn set_spectators_elsewhere(&self, game: GameId, count: u32) {
        if let Some(inbox) = self.registry.running(game) {
            // A full inbox gets the next count.
            let _ = inbox.try_send(GameMessage::SpectatorsElsewhere { count });
        }
    }
}

impl GameTask {
    fn count_spectators(&self) -> u32 {
        let mut known = HashSet::new();
        let mut count = 0;
        for identity in self.subscribers.identities() {
            count += u32::from(match identity {
                None => true,
                Some(identity) => !self.is_player(identity) && known.insert(identity),
            });
        }
        count
    }

    /// Tells everyone the number of spectators if it has changed, and a new subscriber in any case.
    pub(super) fn announce_spectators(&mut self, new_subscriber: Option<u64>) {
        let here = self.count_spectators();
        if self.games.storage.is_shared {
            self.games.spectators.set(self.game.id(), here);
        }
        let count = here + self.spectators.elsewhere;
        let announced = self.spectators.announced;
        let step = match count.max(announced) {
            0..=MAX_EXACT_COUNT => 1,
            larger => larger / ANNOUNCED_FRACTION,
        };
        if count.abs_diff(announced) >= step {
            self.spectators.announced = count;
            self.subscribers.broadcast(&ServerMessage::Spectators { count });
        } else if let Some(id) = new_subscriber
            && announced > 0
        {
            self.subscribers.send_to(id, &ServerMessage::Spectators { count: announced });
        }
    }
}

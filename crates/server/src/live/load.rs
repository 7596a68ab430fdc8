//! Loading games from the log.

use noughts_api::{Event, GameId, GameUpdate, IdentityId};
use noughts_store::{Log, LoggedEvent, StoreError};

use super::LiveGames;
use crate::cache::RulesCache;
use crate::game::{BrokenLog, OnlineGame};

/// Events read from the log at once.
const PAGE_SIZE: u32 = 1024;

/// Why a game can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such game.
    #[error("there is no such game")]
    NoGame,
    /// The log can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The events don't make a game.
    #[error(transparent)]
    Broken(#[from] BrokenLog),
}

/// Loads a game from its log.
///
/// # Errors
///
/// There is no such game, the log can't be read, or its events don't make a game.
pub async fn read_game(log: &dyn Log, id: GameId) -> Result<OnlineGame, LoadError> {
    Ok(load(log, &RulesCache::default(), id, u32::MAX, usize::MAX).await?.0)
}

impl LiveGames {
    /// Loads a game, with the updates after a sequence number.
    pub(crate) async fn load_since(
        &self,
        id: GameId,
        since: u32,
    ) -> Result<(OnlineGame, Vec<GameUpdate>), LoadError> {
        let (game, mut updates) =
            load(&*self.storage.log, &self.rules, id, since, usize::MAX).await?;
        self.find_result(&game).await;
        self.add_ratings_to(&game, &mut updates);
        Ok((game, updates))
    }

    /// The first updates after a sequence number, at most `limit`.
    pub(crate) async fn updates_since(
        &self,
        id: GameId,
        since: u32,
        limit: usize,
    ) -> Result<Vec<GameUpdate>, LoadError> {
        let (game, mut updates) = load(&*self.storage.log, &self.rules, id, since, limit).await?;
        updates.truncate(limit);
        self.find_result(&game).await;
        self.add_ratings_to(&game, &mut updates);
        Ok(updates)
    }

    /// Applies what the log has beyond a game's last event.
    pub(super) async fn catch_up(
        &self,
        game: &mut OnlineGame,
    ) -> Result<Vec<GameUpdate>, LoadError> {
        let mut updates = Vec::new();
        let since = game.seq();
        loop {
            let events =
                self.storage.log.events(game.id(), u64::from(game.seq()), PAGE_SIZE).await?;
            apply(game, &events, since, &mut updates)?;
            if events.len() < PAGE_SIZE as usize {
                return Ok(updates);
            }
        }
    }
}

/// Loads a game with the updates after a sequence number, or, if there are at least `limit` of them,
/// the game as it was then.
async fn load(
    log: &dyn Log,
    rules: &RulesCache,
    id: GameId,
    since: u32,
    limit: usize,
) -> Result<(OnlineGame, Vec<GameUpdate>), LoadError> {
    let mut events = log.events(id, 0, PAGE_SIZE).await?;
    let first = events.first().ok_or(LoadError::NoGame)?;
    let event = parse(first)?;
    let Event::Created(setup) = &event else {
        return Err(BrokenLog { seq: 1, reason: "expected `created`".into() }.into());
    };
    let rules =
        rules.get(&setup.rules).map_err(|error| BrokenLog { seq: 1, reason: error.to_string() })?;
    let mut game = OnlineGame::create(id, rules, (**setup).clone(), first.at)?;
    let mut updates = Vec::new();
    if since == 0 {
        updates.push(game.update(event, first.at, Vec::new()));
    }
    events.remove(0);
    loop {
        let is_last_page = events.len() + 1 < PAGE_SIZE as usize;
        apply(&mut game, &events, since, &mut updates)?;
        if is_last_page || updates.len() >= limit {
            return Ok((game, updates));
        }
        events = log.events(id, u64::from(game.seq()), PAGE_SIZE).await?;
        if events.is_empty() {
            return Ok((game, updates));
        }
    }
}

/// Applies events, and adds updates for those after `since`.
fn apply(
    game: &mut OnlineGame,
    events: &[LoggedEvent],
    since: u32,
    updates: &mut Vec<GameUpdate>,
) -> Result<(), LoadError> {
    for logged in events {
        let event = parse(logged)?;
        // Keys of the server itself serve the writer's retries only.
        let key = logged.key.as_ref().filter(|key| key.sender != IdentityId(0));
        let changed = game.apply(&event, logged.at, key.map(|key| (key.sender, &key.key)))?;
        if game.seq() > since {
            updates.push(game.update(event, logged.at, changed));
        }
    }
    Ok(())
}

fn parse(logged: &LoggedEvent) -> Result<Event, BrokenLog> {
    serde_json::from_str(&logged.body).map_err(|error| BrokenLog {
        seq: u32::try_from(logged.sequence).unwrap_or(u32::MAX),
        reason: error.to_string(),
    })
}

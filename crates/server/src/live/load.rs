//! Reading games from the log.

use noughts_store::{GameId, IdentityId, Log, LoggedEvent, StoreError};

use super::wire;
use crate::app::App;
use crate::cache::RulesCache;
use crate::game::{BrokenLog, CommandKey, Event, OnlineGame};

/// How many events are read at once.
const PAGE: u32 = 1024;

/// Why a game can't be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is none.
    #[error("there is no such game")]
    NoGame,
    /// The store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The events make no game.
    #[error(transparent)]
    Broken(#[from] BrokenLog),
}

/// An event that watchers have not been told, as they will be.
pub(crate) struct Untold {
    pub(super) seq: u32,
    pub(crate) text: String,
}

/// The game as the log has it.
///
/// # Errors
///
/// There is no such game, the log can't be read, or its events make no game.
pub async fn read_game(log: &dyn Log, key: GameId) -> Result<OnlineGame, LoadError> {
    fold(log, &RulesCache::default(), key, u32::MAX).await.map(|(game, _)| game)
}

/// The game as the log has it, and what happened in it after a sequence number.
pub(crate) async fn load_since(
    app: &App,
    key: GameId,
    since: u32,
) -> Result<(OnlineGame, Vec<Untold>), LoadError> {
    fold(&*app.storage.log, &app.rules, key, since).await
}

async fn fold(
    log: &dyn Log,
    rules: &RulesCache,
    key: GameId,
    since: u32,
) -> Result<(OnlineGame, Vec<Untold>), LoadError> {
    let mut events = log.events(key, 0, PAGE).await?;
    let first = events.first().ok_or(LoadError::NoGame)?;
    let Event::Created(setup) = read(first)? else {
        return Err(BrokenLog { seq: 1, reason: "a log begins with `created`".into() }.into());
    };
    let rules =
        rules.get(&setup.rules).map_err(|error| BrokenLog { seq: 1, reason: error.to_string() })?;
    let mut game = OnlineGame::create(key, rules, *setup, first.at)?;
    let mut untold = Vec::new();
    if since == 0 {
        untold.push(Untold { seq: 1, text: wire::event(&first.body, first.at, &game) });
    }
    events.remove(0);
    loop {
        let full = events.len() + 1 >= PAGE as usize;
        apply(&mut game, &events, since, &mut untold)?;
        if !full {
            return Ok((game, untold));
        }
        events = log.events(key, u64::from(game.seq()), PAGE).await?;
        if events.is_empty() {
            return Ok((game, untold));
        }
    }
}

/// Brings a game up to what the log has. Answers what was not known before.
pub(super) async fn catch_up(app: &App, game: &mut OnlineGame) -> Result<Vec<Untold>, LoadError> {
    let mut untold = Vec::new();
    loop {
        let known = game.seq();
        let events = app.storage.log.events(game.id(), u64::from(known), PAGE).await?;
        apply(game, &events, known, &mut untold)?;
        if events.len() < PAGE as usize {
            return Ok(untold);
        }
    }
}

fn apply(
    game: &mut OnlineGame,
    events: &[LoggedEvent],
    since: u32,
    untold: &mut Vec<Untold>,
) -> Result<(), LoadError> {
    for logged in events {
        let event = read(logged)?;
        // What the server itself did has no sender who could send it again.
        let key = logged.key.as_ref().filter(|key| key.sender != IdentityId(0));
        let key = key.and_then(|key| Some((key.sender, CommandKey::new(key.key.as_str())?)));
        game.apply(&event, logged.at, key.as_ref().map(|(sender, key)| (*sender, key)))?;
        if game.seq() > since {
            untold
                .push(Untold { seq: game.seq(), text: wire::event(&logged.body, logged.at, game) });
        }
    }
    Ok(())
}

fn read(logged: &LoggedEvent) -> Result<Event, BrokenLog> {
    serde_json::from_str(&logged.body).map_err(|error| BrokenLog {
        seq: u32::try_from(logged.sequence).unwrap_or(u32::MAX),
        reason: error.to_string(),
    })
}

//! How many unfinished games somebody may have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_store::{CommandKey as StoredKey, GameKey, GameQuery, IdentityId, State as ListState};

use super::error::ApiError;
use crate::backend::Backend;
use crate::game::CommandKey;
use crate::live::Summary;

/// When so many are known, all are forgotten.
const MOST: usize = 20_000;

/// How many games everybody has. Counting takes time, so it is done only where somebody may have come
/// to the limit: until then, every game that they begin is added, and none that ends is taken off.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    /// Held for moments only: nobody counts while holding it.
    known: Mutex<HashMap<IdentityId, u32>>,
    /// One is counted at a time, so that those who ask at once do not all find the same.
    counting: tokio::sync::Mutex<()>,
}

impl Shares {
    fn known(&self) -> MutexGuard<'_, HashMap<IdentityId, u32>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_take(&self, who: IdentityId, most: u32) -> bool {
        match self.known().get_mut(&who) {
            Some(count) if *count < most => {
                *count += 1;
                true
            }
            _ => false,
        }
    }
}

/// Whether someone may have one more game, which they are about to begin.
pub(super) async fn take(backend: &Backend, who: IdentityId) -> Result<(), ApiError> {
    let (shares, most) = (&backend.shares, backend.config.games_per_player());
    if shares.try_take(who, most) {
        return Ok(());
    }
    let _counting = shares.counting.lock().await;
    if shares.try_take(who, most) {
        return Ok(());
    }
    let count = u32::try_from(unfinished_games(backend, who).await?.len()).unwrap_or(u32::MAX);
    {
        let mut known = shares.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(who, count);
    }
    match shares.try_take(who, most) {
        true => Ok(()),
        false => Err(ApiError::TooMany("you have too many unfinished games: end some first")),
    }
}

/// The same for a game that a command makes. One that has made it already gets the same answer.
pub(super) async fn take_once(
    backend: &Backend,
    who: IdentityId,
    key: Option<&CommandKey>,
) -> Result<(), ApiError> {
    let taken = take(backend, who).await;
    match key {
        Some(key) if taken.is_err() => {
            let command = StoredKey { sender: who, key: key.shared() };
            backend.store.game_made_by(&command).await?.map_or(taken, |_| Ok(()))
        }
        _ => taken,
    }
}

/// The same for a command to a game by which one plays in it, or in the next one.
pub(super) async fn take_by(
    backend: &Arc<Backend>,
    who: IdentityId,
    game: GameKey,
    key: Option<&CommandKey>,
) -> Result<(), ApiError> {
    let taken = take(backend, who).await;
    match key {
        Some(key) if taken.is_err() => {
            backend.live.look(backend, game).await?.done(who, key).map_or(taken, |_| Ok(()))
        }
        _ => taken,
    }
}

/// Whether someone may be invited once more. There is an end to it, because nobody can keep others
/// from inviting them.
pub(super) async fn check_invitations(backend: &Backend, who: IdentityId) -> Result<(), ApiError> {
    let invitations = games(backend, who, ListState::Open, true).await?;
    if invitations.len() >= backend.config.games_per_player() as usize {
        return Err(ApiError::TooMany("they have too many invitations already"));
    }
    Ok(())
}

/// The games in which someone sits that have not ended, or as many as they may have.
pub(super) async fn unfinished_games(
    backend: &Backend,
    player: IdentityId,
) -> Result<Vec<GameKey>, ApiError> {
    let mut unfinished = games(backend, player, ListState::Open, false).await?;
    unfinished.extend(games(backend, player, ListState::Live, false).await?);
    Ok(unfinished)
}

/// Games in which someone sits, or to which they are only invited.
async fn games(
    backend: &Backend,
    player: IdentityId,
    state: ListState,
    is_invited: bool,
) -> Result<Vec<GameKey>, ApiError> {
    let query = GameQuery {
        state: Some(state),
        player: Some(player),
        public_only: false,
        rules: None,
        before: None,
        // As many of either kind.
        most: backend.config.games_per_player().saturating_mul(2),
    };
    let games = backend.log.games(&query).await?;
    let fitting = games.iter().filter(|game| {
        let summary: Option<Summary> = serde_json::from_str(&game.listing.detail).ok();
        let players = summary.map(|summary| summary.players).unwrap_or_default();
        let waits = |place: usize| players.get(place).is_some_and(|seat| seat.invited.is_some());
        let mut own = (0..).zip(&game.listing.seats).filter(|(_, seat)| **seat == Some(player));
        own.all(|(place, _)| waits(place)) == is_invited
    });
    Ok(fitting.map(|game| game.game).collect())
}

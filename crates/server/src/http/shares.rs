//! How many unfinished games somebody may have.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_store::{
    CommandKey as StoredKey, GameId, GameQuery, IdentityId, ListedGame, State as ListState,
};

use super::error::ApiError;
use crate::app::App;
use crate::counted::{Counted, Counts};
use crate::game::{CommandKey, Holder, Setup};
use crate::live::Summary;

/// When so many are known, all are forgotten.
const MOST: usize = 20_000;

/// How many games everybody has. Counting takes time, so it is done only where somebody may have come
/// to the limit: until then, every game that they begin is added, and none that ends is taken off.
///
/// What is offered, a rematch or an invitation, counts for everybody once it is agreed to. Whoever agrees
/// is held to the limit, and whoever has offered much may come to a few more. Servers that share a
/// database add for themselves until they count.
#[derive(Default)]
pub(crate) struct Shares {
    /// Held for moments only: nobody counts while holding it.
    known: Mutex<HashMap<IdentityId, u32>>,
    /// Games that may not have been stored yet, so that counting would miss them.
    under_way: Arc<Counts<IdentityId>>,
    /// One is counted at a time, so that those who ask at once do not all find the same.
    counting: tokio::sync::Mutex<()>,
}

/// A game that someone is about to begin, until it is stored.
pub(super) type Taken = Counted<IdentityId>;

impl Shares {
    fn known(&self) -> MutexGuard<'_, HashMap<IdentityId, u32>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_take(&self, who: IdentityId, most: u32) -> Option<Taken> {
        let mut known = self.known();
        let games = known.get_mut(&who).filter(|games| **games < most)?;
        *games += 1;
        self.under_way.count(who, usize::MAX)
    }

    fn learn(&self, who: IdentityId, games: usize) {
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(who, u32::try_from(games).unwrap_or(u32::MAX));
    }
}

/// Whether someone may have one more game, which they are about to begin.
pub(super) async fn take(app: &App, who: IdentityId) -> Result<Taken, ApiError> {
    let (shares, most) = (&app.shares, app.config.games_per_player());
    if let Some(taken) = shares.try_take(who, most) {
        return Ok(taken);
    }
    let _counting = shares.counting.lock().await;
    if let Some(taken) = shares.try_take(who, most) {
        return Ok(taken);
    }
    // First what is under way: what is stored meanwhile counts twice, and not never.
    let under_way = shares.under_way.of(who);
    shares.learn(who, under_way + unfinished_games(app, who).await?.len());
    let too_many = ApiError::TooMany("you have too many unfinished games: end some first");
    shares.try_take(who, most).ok_or(too_many)
}

/// The same for a game that a command makes, to which others may be invited. One that has made it
/// already gets the same answer, and takes nothing.
pub(super) async fn take_once(
    app: &App,
    who: IdentityId,
    setup: &Setup,
    key: Option<&CommandKey>,
) -> Result<Option<Taken>, ApiError> {
    let taken = match check_invitations(app, who, setup).await {
        Ok(()) => take(app, who).await,
        Err(error) => Err(error),
    };
    match key {
        Some(key) if taken.is_err() => {
            let command = StoredKey { sender: who, key: key.shared() };
            let made = app.storage.store.game_made_by(&command).await?;
            made.map_or(taken.map(Some), |_| Ok(None))
        }
        _ => taken.map(Some),
    }
}

/// The same for a command to a game by which one plays in it, or in the next one.
pub(super) async fn take_by(
    app: &Arc<App>,
    who: IdentityId,
    game: GameId,
    key: Option<&CommandKey>,
) -> Result<Option<Taken>, ApiError> {
    let taken = take(app, who).await;
    match key {
        Some(key) if taken.is_err() => {
            let done = app.rooms.look(app, game).await?.done(who, key).is_some();
            if done { Ok(None) } else { taken.map(Some) }
        }
        _ => taken.map(Some),
    }
}

/// To how many games that have not begun one player can invite another.
const INVITATIONS: usize = 5;

/// Whether those who are invited may be once more. There is an end to it, because nobody can keep
/// others from inviting them.
async fn check_invitations(app: &App, by: IdentityId, setup: &Setup) -> Result<(), ApiError> {
    for seat in &setup.seats {
        let Holder::Invited { account, .. } = seat.holder else { continue };
        let invitations = games(app, account, ListState::Open, true).await?;
        if invitations.len() >= app.config.games_per_player() as usize {
            return Err(ApiError::TooMany("they have too many invitations already"));
        }
        let own = invitations.iter().filter(|game| game.listing.seats.contains(&Some(by)));
        if own.count() >= INVITATIONS {
            let wait = "you have invited them often enough: wait until they answer";
            return Err(ApiError::TooMany(wait));
        }
    }
    Ok(())
}

/// The games in which someone sits that have not ended, or as many as they may have.
pub(super) async fn unfinished_games(
    app: &App,
    player: IdentityId,
) -> Result<Vec<GameId>, ApiError> {
    let open = games(app, player, ListState::Open, false).await?;
    let live = games(app, player, ListState::Live, false).await?;
    Ok(open.iter().chain(&live).map(|game| game.game).collect())
}

/// Games in which someone sits, or to which they are only invited.
async fn games(
    app: &App,
    player: IdentityId,
    state: ListState,
    is_invited: bool,
) -> Result<Vec<ListedGame>, ApiError> {
    let query = GameQuery {
        state: Some(state),
        player: Some(player),
        public_only: false,
        rules: None,
        before: None,
        // As many of either kind.
        most: app.config.games_per_player().saturating_mul(2),
    };
    let mut games = app.storage.log.games(&query).await?;
    games.retain(|game| {
        let summary: Option<Summary> = serde_json::from_str(&game.listing.detail).ok();
        let players = summary.map(|summary| summary.players).unwrap_or_default();
        let waits = |place: usize| players.get(place).is_some_and(|seat| seat.invited.is_some());
        let mut own = (0..).zip(&game.listing.seats).filter(|(_, seat)| **seat == Some(player));
        own.all(|(place, _)| waits(place)) == is_invited
    });
    Ok(games)
}

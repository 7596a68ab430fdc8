//! The ratings of a game's players, and what its result did to them.

use std::time::Duration;

use noughts_api::{GameId, GameUpdate, GameView, IdentityId, PlayerView, RatingChange};
use noughts_scores::ResultId;
use tokio::time::timeout;

use super::LiveGames;
use crate::cache::Cache;
use crate::game::OnlineGame;

/// The results of rated games with their leagues. They never change, unlike the ratings.
pub(super) type ResultCache = Cache<GameId, (String, ResultId)>;

/// How long the last update of a game waits for the ratings. It is stored already.
const RATING_TIMEOUT: Duration = Duration::from_secs(1);

impl LiveGames {
    /// A game as a viewer sees it, with the players' ratings.
    pub(crate) fn view_for(&self, game: &OnlineGame, viewer: Option<IdentityId>) -> GameView {
        let mut view = game.view(viewer, self.now());
        self.add_ratings(game, &mut view.players);
        view.ratings = self.rating_changes(game);
        view
    }

    pub(super) fn add_ratings_to(&self, game: &OnlineGame, updates: &mut [GameUpdate]) {
        for update in updates {
            if let Some(players) = &mut update.players {
                self.add_ratings(game, players);
            }
            if update.result.is_some() {
                update.ratings = self.rating_changes(game);
            }
        }
    }

    fn add_ratings(&self, game: &OnlineGame, players: &mut [PlayerView]) {
        let Some(league) = game.league() else { return };
        for (player, seat) in players.iter_mut().zip(game.seats()) {
            let identity = self.seated_identity(&seat.holder);
            player.rating = identity.and_then(|identity| self.storage.rating(league, identity));
        }
    }

    /// What the result of a game did to the ratings, as far as it is known here.
    fn rating_changes(&self, game: &OnlineGame) -> Option<Vec<RatingChange>> {
        let (league, result) = self.results.peek(&game.id())?;
        let changes: Vec<RatingChange> = self.storage.standings.read(&league, |league| {
            let change = |change: noughts_scores::RatingChange| RatingChange {
                before: change.before.shown,
                after: change.after.shown,
                weight: change.weight.percent(),
            };
            league.changes(result).map(change).collect()
        })?;
        (!changes.is_empty()).then_some(changes)
    }

    /// Makes the standings count the result of a game that has just ended.
    pub(super) async fn count_result(&self, game: &OnlineGame) {
        let Some(league) = game.rated_outcome().and(game.league()) else { return };
        if !self.storage.has_results {
            return;
        }
        let counting = async {
            if let Err(error) = self.storage.standings.refresh(league).await {
                tracing::warn!(%error, "could not read results");
            }
            self.find_result(game).await;
        };
        // Clients see the ratings when they show the game again.
        let _ = timeout(RATING_TIMEOUT, counting).await;
    }

    /// Finds the result of a finished game, so that its views have the changes of ratings.
    pub(super) async fn find_result(&self, game: &OnlineGame) {
        if game.rated_outcome().is_none() || !self.storage.has_results {
            return;
        }
        let found = self.results.get(game.id(), self.storage.store.result_of(game.id())).await;
        if let Err(error) = found {
            tracing::warn!(%error, game = %game.id(), "could not read the result of a game");
        }
    }
}

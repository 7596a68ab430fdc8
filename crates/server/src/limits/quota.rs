//! How many unfinished games a player may have.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use noughts_api::{GameSetup, IdempotencyKey, SeatHolder, SummaryDetails};
use noughts_store::{
    CommandKey, GameId, GameQuery, IdentityId, ListedGame, Log, State as ListState, Store,
    StoreError,
};
use quick_cache::unsync::Cache;

use super::LimitError;
use super::semaphore::{KeyedSemaphore, Permit};

const MAX_CACHED_COUNTS: usize = 20_000;

/// Games not yet begun to which one player can invite another.
const MAX_INVITATIONS_PER_INVITER: usize = 5;

/// Limits the unfinished games of each player.
///
/// Counting takes a query, so a cached count grows with every game that a player starts and is
/// corrected only once it reaches the limit. Rematch offers and invitations count when they are
/// accepted: the limit binds the player who accepts, and one who offered may exceed it slightly.
/// Servers that share a database cache separately.
pub(crate) struct GameQuota {
    store: Store,
    log: Arc<dyn Log>,
    max_games: u32,
    /// Never held while querying.
    cached: Mutex<Cache<IdentityId, u32>>,
    /// Games that are being stored, which a query may miss.
    starting: Arc<KeyedSemaphore<IdentityId>>,
    /// Serializes queries, so that concurrent requests don't all start from the same count.
    counting: tokio::sync::Mutex<()>,
}

/// Held while a game is being started, until it is stored.
pub(crate) type GamePermit = Permit<IdentityId>;

impl GameQuota {
    pub(crate) fn new(store: Store, log: Arc<dyn Log>, max_games: u32) -> GameQuota {
        GameQuota {
            store,
            log,
            max_games,
            cached: Mutex::new(Cache::new(MAX_CACHED_COUNTS)),
            starting: Arc::default(),
            counting: tokio::sync::Mutex::default(),
        }
    }

    fn cached(&self) -> MutexGuard<'_, Cache<IdentityId, u32>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_acquire(&self, player: IdentityId) -> Option<GamePermit> {
        let mut cached = self.cached();
        let mut games = cached.get_mut(&player).filter(|games| **games < self.max_games)?;
        *games += 1;
        self.starting.try_acquire(player, usize::MAX)
    }

    /// Counts one more game, which the player is about to start.
    pub(crate) async fn acquire(&self, player: IdentityId) -> Result<GamePermit, LimitError> {
        if let Some(permit) = self.try_acquire(player) {
            return Ok(permit);
        }
        let _counting = self.counting.lock().await;
        if let Some(permit) = self.try_acquire(player) {
            return Ok(permit);
        }
        // In this order, a game stored meanwhile is counted twice instead of not at all.
        let starting = self.starting.held(player);
        let games = starting + self.unfinished_games(player).await?.len();
        self.cached().insert(player, u32::try_from(games).unwrap_or(u32::MAX));
        let too_many = LimitError::TooMany("you have too many unfinished games: finish some first");
        self.try_acquire(player).ok_or(too_many)
    }

    /// Counts a game that is about to be created, with its invitations. A command that has created
    /// its game before gets the same answer again and needs no permit.
    pub(crate) async fn acquire_to_create(
        &self,
        creator: IdentityId,
        setup: &GameSetup,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<GamePermit>, LimitError> {
        let permit = match self.check_invitations(creator, setup).await {
            Ok(()) => self.acquire(creator).await,
            Err(error) => Err(error),
        };
        if let (Err(_), Some(key)) = (&permit, key) {
            let command = CommandKey { sender: creator, key: key.as_str().into() };
            if self.store.game_made_by(&command).await?.is_some() {
                return Ok(None);
            }
        }
        permit.map(Some)
    }

    /// Limits invitations, because the invited player can't prevent them.
    async fn check_invitations(
        &self,
        inviter: IdentityId,
        setup: &GameSetup,
    ) -> Result<(), LimitError> {
        for seat in &setup.seats {
            let SeatHolder::Invited { identity, .. } = seat.holder else { continue };
            let invitations = self.games(identity, ListState::Open, true).await?;
            if invitations.len() >= self.max_games as usize {
                return Err(LimitError::TooMany("this player has too many open invitations"));
            }
            let own = invitations.iter().filter(|game| game.listing.seats.contains(&Some(inviter)));
            if own.count() >= MAX_INVITATIONS_PER_INVITER {
                return Err(LimitError::TooMany(
                    "you have invited this player too often: wait for an answer",
                ));
            }
        }
        Ok(())
    }

    /// The unfinished games in which a player has a seat, up to the limit.
    pub(crate) async fn unfinished_games(
        &self,
        player: IdentityId,
    ) -> Result<Vec<GameId>, StoreError> {
        let open = self.games(player, ListState::Open, false).await?;
        let live = self.games(player, ListState::Live, false).await?;
        Ok(open.iter().chain(&live).map(|game| game.game).collect())
    }

    /// Games in which a player has a seat, or else only an invitation.
    async fn games(
        &self,
        player: IdentityId,
        state: ListState,
        only_invited: bool,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let query = GameQuery {
            state: Some(state),
            player: Some(player),
            public_only: false,
            rules: None,
            before: None,
            // Up to the limit of seats and as many invitations.
            most: self.max_games.saturating_mul(2),
        };
        let mut games = self.log.games(&query).await?;
        games.retain(|game| {
            let summary: Option<SummaryDetails> = serde_json::from_str(&game.listing.detail).ok();
            let players = summary.map(|summary| summary.players).unwrap_or_default();
            let invited = |place: usize| players.get(place).is_some_and(|p| p.invited.is_some());
            let mut own = (0..).zip(&game.listing.seats).filter(|(_, seat)| **seat == Some(player));
            own.all(|(place, _)| invited(place)) == only_invited
        });
        Ok(games)
    }
}

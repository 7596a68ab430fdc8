//! The handles that all requests share.

use std::sync::Arc;

use noughts_api::{GameId, GameView, IdentityId, Millis};
use noughts_store::{Log, Notice, Store, StoreError, TokenHash};

use crate::accounts::{Accounts, Sessions};
use crate::cache::RulesCache;
use crate::clock;
use crate::compute::Compute;
use crate::config::Config;
use crate::game::OnlineGame;
use crate::lifecycle::Lifecycle;
use crate::limits::{GameQuota, Limits};
use crate::live::LiveGames;
use crate::storage::Storage;
use crate::storage::heartbeat::Outages;

pub(crate) struct App {
    pub(crate) config: Arc<Config>,
    pub(crate) storage: Arc<Storage>,
    pub(crate) games: Arc<LiveGames>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) compute: Compute,
    pub(crate) limits: Arc<Limits>,
    pub(crate) quota: GameQuota,
    pub(crate) rules: Arc<RulesCache>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) outages: Arc<Outages>,
    pub(crate) lifecycle: Lifecycle,
}

impl App {
    pub(crate) async fn new(
        store: Store,
        log: Arc<dyn Log>,
        config: Config,
    ) -> Result<App, StoreError> {
        // A rated game can't end without its league.
        for league in config.leagues() {
            store.claim_league(&league, !config.is_built_in(&league.name)).await?;
        }
        let config = Arc::new(config);
        let accounts = Arc::new(Accounts::new(store.clone()).await?);
        let quota = GameQuota::new(store.clone(), log.clone(), config.games_per_player());
        let storage = Arc::new(Storage::new(store, log).await?);
        let compute = Compute::new(&config);
        let (rules, outages) = (Arc::<RulesCache>::default(), Arc::<Outages>::default());
        let lifecycle = Lifecycle::default();
        let games = LiveGames::new(
            config.clone(),
            storage.clone(),
            accounts.clone(),
            rules.clone(),
            outages.clone(),
            compute.thinkers.clone(),
            lifecycle.clone(),
        );
        Ok(App {
            games: Arc::new(games),
            limits: Arc::new(Limits::new(&config)),
            sessions: Arc::default(),
            config,
            storage,
            accounts,
            compute,
            quota,
            rules,
            outages,
            lifecycle,
        })
    }

    /// The current time.
    pub(crate) fn now(&self) -> Millis {
        clock::now()
    }

    pub(crate) fn new_game_id(&self) -> GameId {
        self.games.new_game_id()
    }

    /// A game as one viewer sees it, with the players' current ratings.
    pub(crate) fn view_for(&self, game: &OnlineGame, viewer: Option<IdentityId>) -> GameView {
        self.games.view_for(game, viewer)
    }

    /// Applies a change of an identity or its tokens: drops cached entries, here at once and on
    /// other servers soon, and closes the connections of revoked tokens.
    pub(crate) fn identity_changed(&self, identity: IdentityId, revoked: &[TokenHash]) {
        self.accounts.forget(Some(identity));
        for token in revoked {
            self.sessions.end(*token);
        }
        self.storage.notices.tell(Notice::Identity { identity });
    }

    /// Closes the connections of a token that was revoked before they were registered.
    pub(crate) async fn check_session(&self, token: TokenHash) {
        if !self.accounts.is_cached(token)
            && matches!(self.accounts.authenticate(token).await, Ok(None))
        {
            self.sessions.end(token);
        }
    }
}

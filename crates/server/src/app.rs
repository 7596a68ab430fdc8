//! The handles that all requests and tasks share.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use noughts_store::{
    GameId, IdentityId, Log, Notice, Notices, Standings, Store, StoreError, TokenHash, Writer,
};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::accounts::{Accounts, secrets};
use crate::cache::RulesCache;
use crate::config::Config;
use crate::game::{GameView, Holder, Millis, OnlineGame};
use crate::limits::{GameQuota, Limits};
use crate::live::Live;
use crate::outages::Outages;
use crate::pool::Pool;
use crate::sessions::Sessions;
use crate::thinkers::Thinkers;

/// Analyses, or passwords to hash, that may wait for a thread.
const COMPUTE_QUEUE: usize = 16;

pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) storage: Storage,
    pub(crate) rooms: Live,
    pub(crate) accounts: Accounts,
    pub(crate) compute: Compute,
    pub(crate) limits: Arc<Limits>,
    pub(crate) quota: GameQuota,
    pub(crate) rules: RulesCache,
    pub(crate) sessions: Sessions,
    pub(crate) outages: Outages,
    pub(crate) lifecycle: Lifecycle,
}

/// The database, and what keeps this server in step with it.
pub(crate) struct Storage {
    pub(crate) store: Store,
    /// The event log of games: the store's own, except in tests.
    pub(crate) log: Arc<dyn Log>,
    pub(crate) writer: Writer,
    pub(crate) notices: Notices,
    pub(crate) standings: Standings,
}

/// Threads for long computations, apart from those that serve requests.
pub(crate) struct Compute {
    pub(crate) thinkers: Thinkers,
    pub(crate) analysts: Pool,
    pub(crate) hashers: Pool,
}

/// What runs, and how it stops: connections first, then games and background tasks.
#[derive(Default)]
pub(crate) struct Lifecycle {
    pub(crate) connections: TaskTracker,
    pub(crate) tasks: TaskTracker,
    /// Cancelled to end connections.
    pub(crate) closing: CancellationToken,
    /// Cancelled to end games and background tasks.
    pub(crate) stop: CancellationToken,
}

impl App {
    pub(crate) async fn new(
        store: Store,
        log: Arc<dyn Log>,
        config: Config,
    ) -> Result<App, StoreError> {
        // A rated game can't end without its league.
        for league in config.leagues() {
            store.reserve_online_league(&league, !config.is_always_there(&league.name)).await?;
        }
        Ok(App {
            accounts: Accounts::new(store.clone()).await?,
            quota: GameQuota::new(store.clone(), log.clone(), config.games_per_player()),
            storage: Storage::new(store, log).await?,
            rooms: Live::new(),
            compute: Compute::new(&config),
            limits: Arc::new(Limits::new(&config)),
            rules: RulesCache::default(),
            sessions: Sessions::default(),
            outages: Outages::default(),
            lifecycle: Lifecycle::default(),
            config,
        })
    }

    /// The current time.
    pub(crate) fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    pub(crate) fn new_game_id(&self) -> GameId {
        GameId::new(self.now(), secrets::random())
    }

    /// A game as one viewer sees it, with the players' current ratings.
    pub(crate) fn view_for(&self, game: &OnlineGame, viewer: Option<IdentityId>) -> GameView {
        let mut view = game.view(viewer, self.now());
        if let Some(league) = &game.setup().league {
            for (player, seat) in view.players.iter_mut().zip(game.seats()) {
                let identity = match &seat.holder {
                    Holder::Taken(joining) => Some(joining.account),
                    Holder::Computer { level } => self.accounts.computer(level),
                    Holder::Open | Holder::Invited { .. } => None,
                };
                player.rating = identity.and_then(|identity| self.storage.rating(league, identity));
            }
        }
        view
    }

    /// Applies a change of an identity or its tokens: drops cached entries, here at once and on
    /// other servers soon, and closes the connections of revoked tokens.
    pub(crate) fn identity_changed(&self, identity: IdentityId, revoked: &[TokenHash]) {
        self.accounts.forget(Some(identity));
        for token in revoked {
            self.sessions.end(*token);
        }
        self.storage.notices.publish(Notice::Identity { identity });
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

impl Storage {
    async fn new(store: Store, log: Arc<dyn Log>) -> Result<Storage, StoreError> {
        let notices = Notices::start(&store);
        Ok(Storage {
            writer: Writer::start_with_notices(log.clone(), notices.clone()),
            standings: Standings::load(&store).await?,
            notices,
            log,
            store,
        })
    }

    /// A player's rating in a league, if they have one.
    pub(crate) fn rating(&self, league: &str, player: IdentityId) -> Option<i64> {
        self.standings.read(league, |league| Some(league.standing(&player)?.rating.shown)).flatten()
    }
}

impl Compute {
    fn new(config: &Config) -> Compute {
        Compute {
            thinkers: Thinkers::new(config.thinkers(), config.thinkers_queue()),
            analysts: Pool::new("analyse", 1, COMPUTE_QUEUE),
            hashers: Pool::new("hash", 1, COMPUTE_QUEUE),
        }
    }
}

//! What all requests share.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use metrics::Counter;
use noughts_engine::PlayerKind;
use noughts_scores::League;
use noughts_store::{
    GameId, IdentityId, IdentityKind, Log, Notice, Notices, Standings, Store, StoreError,
    TokenHash, Writer,
};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::callers::Callers;
use crate::config::Config;
use crate::game::{GameView, Holder, Millis, OnlineGame};
use crate::http::{Limits, Shares};
use crate::identities::Identities;
use crate::live::{Creating, Live};
use crate::names;
use crate::outages::Outages;
use crate::pool::Pool;
use crate::rules_cache::RulesCache;
use crate::secret::random;
use crate::sessions::Sessions;
use crate::thinkers::Thinkers;

/// How many analyses and passwords may wait.
const SHORT_QUEUE: usize = 16;

/// What all requests share.
pub(crate) struct Backend {
    pub(crate) config: Config,
    pub(crate) store: Store,
    pub(crate) log: Arc<dyn Log>,
    pub(crate) writer: Writer,
    pub(crate) live: Live,
    pub(crate) limits: Arc<Limits>,
    pub(crate) shares: Shares,
    pub(crate) rules: RulesCache,
    pub(crate) sessions: Sessions,
    pub(crate) identities: Identities,
    pub(crate) callers: Callers,
    pub(crate) standings: Standings,
    pub(crate) notices: Notices,
    pub(crate) creating: Creating,
    pub(crate) outages: Outages,
    /// Computers think here, analyses and passwords are computed there: none of them takes the
    /// threads that serve.
    pub(crate) thinkers: Thinkers,
    pub(crate) analysts: Pool,
    pub(crate) hashers: Pool,
    /// Games and whatever else runs until the very end.
    pub(crate) tasks: TaskTracker,
    /// Connections, which end first.
    pub(crate) connections: TaskTracker,
    /// Ends connections.
    pub(crate) closing: CancellationToken,
    /// Ends games.
    pub(crate) stop: CancellationToken,
    /// Counts what happens in games.
    pub(crate) events: Counter,
    computers: HashMap<String, IdentityId>,
}

impl Backend {
    pub(crate) async fn new(
        store: Store,
        log: Arc<dyn Log>,
        config: Config,
    ) -> Result<Backend, StoreError> {
        // A game that could not count could not end.
        for league in config.leagues() {
            store.claim_league(&league, !config.is_always_there(&league.name)).await?;
        }
        let computers = computers(&store).await?;
        let notices = Notices::start(&store);
        Ok(Backend {
            writer: Writer::start_telling(log.clone(), notices.clone()),
            notices,
            creating: Creating::default(),
            log,
            live: Live::new(),
            limits: Arc::new(Limits::new(&config)),
            shares: Shares::default(),
            rules: RulesCache::default(),
            sessions: Sessions::default(),
            identities: Identities::default(),
            callers: Callers::default(),
            standings: Standings::load(&store).await?,
            outages: Outages::default(),
            thinkers: Thinkers::new(config.thinkers(), config.thinkers_queue()),
            analysts: Pool::new("analyse", 1, SHORT_QUEUE),
            hashers: Pool::new("hash", 1, SHORT_QUEUE),
            tasks: TaskTracker::new(),
            connections: TaskTracker::new(),
            closing: CancellationToken::new(),
            stop: CancellationToken::new(),
            events: metrics::counter!("noughts_events_total"),
            computers,
            store,
            config,
        })
    }

    /// The time.
    pub(crate) fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    /// A key for a game that begins.
    pub(crate) fn game_key(&self) -> GameId {
        GameId::new(self.now(), random())
    }

    /// Under which identity a computer player's results count.
    pub(crate) fn computer(&self, level: &str) -> Option<IdentityId> {
        self.computers.get(level).copied()
    }

    /// A player's rating in a league, if they have one.
    pub(crate) fn rating(&self, league: &str, player: IdentityId) -> Option<i64> {
        let standing = |league: &League| Some(league.standing(&player.to_string())?.rating.shown);
        self.standings.read(league, standing).flatten()
    }

    /// A game as someone sees it, with the ratings of those who play for them.
    pub(crate) fn shown(&self, game: &OnlineGame, whose: Option<IdentityId>) -> GameView {
        let mut view = game.view(whose, self.now());
        if let Some(league) = &game.setup().league {
            for (player, seat) in view.players.iter_mut().zip(game.seats()) {
                let identity = match &seat.holder {
                    Holder::Taken(joining) => Some(joining.account),
                    Holder::Computer { level } => self.computer(level),
                    Holder::Open | Holder::Invited { .. } => None,
                };
                player.rating = identity.and_then(|identity| self.rating(league, identity));
            }
        }
        view
    }

    /// An identity or its tokens are not what they were, and these are revoked: what was known is
    /// forgotten, here at once and elsewhere soon, and the connections of the tokens end.
    pub(crate) fn changed(&self, identity: IdentityId, revoked: &[TokenHash]) {
        self.identities.forget(Some(identity));
        self.callers.forget(Some(identity));
        for token in revoked {
            self.sessions.end(*token);
        }
        self.notices.tell(Notice::Identity { identity });
    }

    /// Ends the connections of a token that was revoked when nobody knew of them yet.
    pub(crate) async fn check_session(&self, token: TokenHash) {
        if !self.callers.knows(token)
            && matches!(self.callers.find(&self.store, token).await, Ok(None))
        {
            self.sessions.end(token);
        }
    }
}

/// Each computer player has an identity, made by whichever server comes first.
async fn computers(store: &Store) -> Result<HashMap<String, IdentityId>, StoreError> {
    let mut computers = HashMap::new();
    for level in PlayerKind::computers().map(|kind| kind.to_string()) {
        let name = names::of_computer(&level);
        let found = store.identity_named(&name.skeleton).await?;
        let identity = match found {
            Some((identity, _)) => identity,
            None => match store.create_identity(IdentityKind::Computer, &name, None, 0).await {
                Err(StoreError::NameTaken { .. }) => {
                    let found = store.identity_named(&name.skeleton).await?;
                    found.map(|(identity, _)| identity).ok_or(StoreError::NotAnAccount)?
                }
                made => made?,
            },
        };
        computers.insert(level, identity.id);
    }
    Ok(computers)
}

//! The handles that all requests share.

use std::sync::Arc;

use noughts_rules::Rules;
use noughts_store::{Log, Store, StoreError};

use crate::accounts::{Accounts, Expiry};
use crate::cache::RulesCache;
use crate::clock;
use crate::compute::Compute;
use crate::config::Config;
use crate::director::Directors;
use crate::legacy::move_legacy_results;
use crate::lifecycle::Lifecycle;
use crate::limits::{GameQuota, Limits};
use crate::live::LiveGames;
use crate::online::OnlinePlayers;
use crate::puzzles::Puzzles;
use crate::storage::Storage;
use crate::storage::heartbeat::Outages;

pub(crate) struct App {
    pub(crate) config: Arc<Config>,
    pub(crate) storage: Arc<Storage>,
    pub(crate) games: Arc<LiveGames>,
    pub(crate) directors: Arc<Directors>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) compute: Compute,
    pub(crate) limits: Arc<Limits>,
    pub(crate) quota: GameQuota,
    pub(crate) online: Arc<OnlinePlayers>,
    pub(crate) rules: Arc<RulesCache>,
    pub(crate) outages: Arc<Outages>,
    pub(crate) rated_rules: RatedRules,
    pub(crate) puzzles: Puzzles,
    pub(crate) lifecycle: Lifecycle,
}

/// The rules that can be rated.
pub(crate) struct RatedRules(Vec<Rules>);

impl RatedRules {
    pub(crate) fn contains(&self, rules: &Rules) -> bool {
        self.0.contains(rules)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Rules> {
        self.0.iter()
    }
}

impl App {
    pub(crate) async fn new(
        store: Store,
        log: Arc<dyn Log>,
        config: Config,
    ) -> Result<App, StoreError> {
        // A rated game can't end without its league.
        for league in config.leagues() {
            store.reserve_online_league(&league, !config.is_built_in(&league.name)).await?;
        }
        move_legacy_results(&store, &config).await?;
        let rated_rules = RatedRules(config.rated_rules().unwrap_or_default());
        // A file that does not parse was refused before.
        let puzzles = config.puzzles().unwrap_or_default();
        let puzzles = tokio::task::spawn_blocking(move || puzzles.verified()).await;
        let puzzles = puzzles.unwrap_or_default();
        let config = Arc::new(config);
        let lifecycle = Lifecycle::default();
        let quota = GameQuota::new(store.clone(), log.clone(), config.games_per_player());
        let storage = Arc::new(Storage::new(store.clone(), log).await?);
        let (notices, tasks) = (storage.notices.clone(), lifecycle.tasks.clone());
        let accounts =
            Arc::new(Accounts::new(store.clone(), notices, Expiry::new(&config), tasks).await?);
        let compute = Compute::new(&config);
        let outages = Arc::new(Outages::begin(Arc::new(store.clone()), clock::now()).await?);
        let rules = Arc::<RulesCache>::default();
        let games = Arc::new(LiveGames::new(
            config.clone(),
            storage.clone(),
            accounts.clone(),
            rules.clone(),
            outages.clone(),
            compute.thinkers.clone(),
            lifecycle.clone(),
        ));
        let directors = Directors::new(
            config.clone(),
            storage.clone(),
            accounts.clone(),
            games.clone(),
            lifecycle.clone(),
        );
        Ok(App {
            games,
            directors: Arc::new(directors),
            limits: Arc::new(Limits::new(&config)),
            config,
            storage,
            accounts,
            compute,
            quota,
            online: Arc::default(),
            rules,
            outages,
            rated_rules,
            puzzles,
            lifecycle,
        })
    }
}

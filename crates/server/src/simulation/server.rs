//! A simulated server: the real game tasks, writer, sweeps and heartbeats on a simulated database.

use std::sync::{Arc, OnceLock};

use noughts_api::Millis;
use noughts_store::{Notice, Notices, Standings, Store, Writer};
use tokio::time::{Duration, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::world::World;
use crate::accounts::{Accounts, Expiry};
use crate::cache::RulesCache;
use crate::compute::Thinkers;
use crate::config::Config;
use crate::lifecycle::Lifecycle;
use crate::live::{self, LiveGames};
use crate::storage::Storage;
use crate::storage::heartbeat::{Outages, run_heartbeat};

/// How soon a server that can't start is started again, as by a service manager.
const RESTART_INTERVAL: Duration = Duration::from_secs(1);

/// How often servers compare their games with a shared database, in case a notice was lost.
const RESYNC_INTERVAL: Duration = Duration::from_secs(10);

pub(super) struct Server {
    pub(super) games: Arc<LiveGames>,
    pub(super) notices: Notices,
    pub(super) instance: u64,
    /// No client is connected any more.
    pub(super) disconnected: CancellationToken,
    /// Nothing of it reaches the database any more.
    pub(super) crashed: CancellationToken,
}

/// What no simulation changes: servers need it to be built, and all of them share it.
struct Unchanged {
    config: Arc<Config>,
    store: Store,
    accounts: Arc<Accounts>,
    standings: Arc<Standings>,
    thinkers: Arc<Thinkers>,
    rules: Arc<RulesCache>,
}

fn unchanged() -> &'static Unchanged {
    static UNCHANGED: OnceLock<Unchanged> = OnceLock::new();
    UNCHANGED.get_or_init(|| {
        // On another thread, because this one runs a simulation.
        let built = std::thread::spawn(|| {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
            runtime.expect("a runtime").block_on(build_unchanged())
        });
        built.join().expect("the parts of a server")
    })
}

async fn build_unchanged() -> Unchanged {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(&folder.path().join("noughts.db")).await.expect("a store");
    let config = Arc::new(Config::default());
    let lifecycle = Lifecycle::default();
    let accounts =
        Accounts::new(store.clone(), Notices::local(), Expiry::new(&config), lifecycle.tasks);
    Unchanged {
        accounts: Arc::new(accounts.await.expect("accounts")),
        standings: Arc::new(Standings::load(&store).await.expect("standings")),
        thinkers: Arc::new(Thinkers::new(1, 1)),
        rules: Arc::default(),
        config,
        store,
    }
}

impl Server {
    /// Starts a server in a place. Its own clock is off by `clock_offset`.
    pub(super) async fn start(world: &Arc<World>, index: usize, clock_offset: Millis) {
        let crashed = CancellationToken::new();
        let instance = u64::from_le_bytes(world.random_bytes()[..8].try_into().expect("8 bytes"));
        let (table, log) = (crashed.clone(), crashed.clone());
        let connection = |crashed| {
            let world = world.clone();
            Arc::new(Connection { world, index, instance, clock_offset, crashed })
        };
        let (table, log) = (connection(table), connection(log));
        let outages = loop {
            match Outages::begin(table.clone(), world.now() + clock_offset).await {
                Ok(outages) => break Arc::new(outages),
                Err(_) => sleep(RESTART_INTERVAL).await,
            }
        };
        let unchanged = unchanged();
        let notices = Notices::local();
        let storage = Storage {
            store: unchanged.store.clone(),
            writer: Writer::start_with_notices(log.clone(), notices.clone()),
            log,
            notices: notices.clone(),
            standings: unchanged.standings.clone(),
            is_shared: world.is_shared,
            has_results: false,
        };
        let lifecycle = Lifecycle::default();
        let mut games = LiveGames::new(
            unchanged.config.clone(),
            Arc::new(storage),
            unchanged.accounts.clone(),
            unchanged.rules.clone(),
            outages.clone(),
            unchanged.thinkers.clone(),
            lifecycle.clone(),
        );
        let ids = world.clone();
        games.random_id = Box::new(move || ids.random_bytes());
        let games = Arc::new(games);
        lifecycle.tasks.spawn(run_heartbeat(outages, lifecycle.stop.clone()));
        lifecycle.tasks.spawn(live::follow_notices(games.clone()));
        lifecycle.tasks.spawn(live::run_sweeps(games.clone()));
        if world.is_shared {
            lifecycle.tasks.spawn(resynchronise(notices.clone(), lifecycle.stop.clone()));
        }
        let disconnected = CancellationToken::new();
        let server = Server { games, notices, instance, disconnected, crashed };
        world.note(|| format!("server {index}: started, its clock off by {clock_offset}"));
        world.set_server(index, Some(Arc::new(server)));
    }

    /// Ends the server between two instructions.
    pub(super) fn crash(&self) {
        self.crashed.cancel();
        self.disconnected.cancel();
        // What is left of it reaches nobody.
        self.games.lifecycle.stop.cancel();
    }

    /// Stops the server as a service manager does.
    pub(super) async fn stop(&self) {
        let Lifecycle { tasks, closing, stop, .. } = &self.games.lifecycle;
        closing.cancel();
        self.disconnected.cancel();
        stop.cancel();
        tasks.close();
        let _ = timeout(self.games.config.shutdown_time(), tasks.wait()).await;
        self.crashed.cancel();
    }
}

async fn resynchronise(notices: Notices, stop: CancellationToken) {
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => return,
            () = sleep(RESYNC_INTERVAL) => notices.publish(Notice::Resync),
        }
    }
}

//! Starting and stopping a server.

use std::sync::Arc;
use std::time::Duration;

use noughts_store::{Log, Store, StoreError};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::accept::accept;
use crate::accounts::erasure;
use crate::app::App;
use crate::config::Config;
use crate::metrics::{self, MetricsAddress};
use crate::online::run_exchange;
use crate::retention::run_clean_up;
use crate::storage::heartbeat::run_heartbeat;
use crate::{director, http, live};

/// The interval of evicting idle rate limiters and old metrics.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(10);

/// The interval of checking the sessions of open connections.
const ACCOUNTS_UPKEEP_INTERVAL: Duration = Duration::from_secs(3600);

/// The interval of storing snapshots of ratings.
const SNAPSHOT_INTERVAL: Duration = Duration::from_secs(60);

/// How many results a snapshot of ratings has. A server that starts rates up to twice as many again.
const RESULTS_PER_SNAPSHOT: usize = 10_000;

/// How long to wait for the database to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Why a server could not start or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The listener failed, or the files of the page are missing or invalid.
    #[error("can't serve")]
    Network(#[from] std::io::Error),
}

/// Serves until `shutdown` is cancelled, then stops gracefully: refuses new connections, finishes
/// running requests and games, tells clients to reconnect, and closes the store.
pub async fn serve(
    listener: TcpListener,
    store: Store,
    config: Config,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let log = store.log();
    serve_log(listener, store, log, config, shutdown).await
}

/// Like [`serve`], with an event log other than the store's own. Tests pass one that fails on demand.
pub async fn serve_log(
    listener: TcpListener,
    store: Store,
    log: Arc<dyn Log>,
    config: Config,
    shutdown: CancellationToken,
) -> Result<(), ServeError> {
    let shutdown_timeout = config.shutdown_time();
    // Before anything is counted.
    let metrics = match config.metrics {
        Some(MetricsAddress::At(address)) => {
            let listener = TcpListener::bind(address).await?;
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            Some((listener, metrics::recorder()))
        }
        Some(MetricsAddress::Off) | None => None,
    };
    let app = Arc::new(App::new(store.clone(), log, config).await?);
    let router = http::router(app.clone())?;
    let stop = app.lifecycle.stop.clone();
    app.lifecycle.tasks.spawn(run_heartbeat(app.outages.clone(), stop));
    app.lifecycle.tasks.spawn(follow_leagues(app.clone()));
    app.lifecycle.tasks.spawn(store_snapshots(app.clone()));
    app.lifecycle.tasks.spawn(live::follow_notices(app.games.clone()));
    app.lifecycle.tasks.spawn(live::run_sweeps(app.games.clone()));
    app.lifecycle.tasks.spawn(director::run_follower(app.directors.clone()));
    app.lifecycle.tasks.spawn(director::run_sweeps(app.directors.clone()));
    app.lifecycle.tasks.spawn(run_upkeep(app.clone()));
    app.lifecycle.tasks.spawn(run_accounts_upkeep(app.clone()));
    app.lifecycle.tasks.spawn(run_clean_up(app.clone()));
    app.lifecycle.tasks.spawn(run_exchange(app.clone()));

    let closing = app.lifecycle.closing.clone();
    let request_time = app.config.request_time();
    let limits = app.limits.clone();
    if let Some((listener, metrics)) = metrics {
        let router = http::metrics_router(metrics);
        let (limits, closing) = (limits.clone(), closing.clone());
        app.lifecycle.tasks.spawn(accept(listener, router, limits, request_time, closing));
    }
    let served = tokio::spawn(accept(listener, router, limits, request_time, closing.clone()));
    shutdown.cancelled().await;

    tracing::info!("stopping");
    closing.cancel();
    app.lifecycle.connections.close();
    // Connections first: accepted moves are in the log by then.
    let connections = async {
        app.lifecycle.connections.wait().await;
        served.await
    };
    match tokio::time::timeout(shutdown_timeout, connections).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "the server failed"),
        Err(_) => tracing::warn!("some connections did not end in time"),
    }
    app.lifecycle.stop.cancel();
    app.lifecycle.tasks.close();
    if tokio::time::timeout(shutdown_timeout, app.lifecycle.tasks.wait()).await.is_err() {
        tracing::warn!("some games did not end in time");
    }
    drop(app);
    // What was acknowledged is stored: a database that does not answer is not worth waiting for.
    if tokio::time::timeout(CLOSE_TIMEOUT, store.close()).await.is_err() {
        tracing::warn!("the database did not close in time");
    }
    tracing::info!("stopped");
    Ok(())
}

async fn run_upkeep(app: Arc<App>) {
    let mut interval = tokio::time::interval(UPKEEP_INTERVAL);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            () = app.lifecycle.stop.cancelled() => return app.accounts.store_uses().await,
        }
        app.limits.evict_idle();
        app.accounts.store_uses().await;
        if matches!(app.config.metrics, Some(MetricsAddress::At(_)))
            && let Some(handle) = metrics::recorder()
        {
            handle.run_upkeep();
        }
    }
}

/// Ends sessions that have expired while they were connected, finishes deletions that another run began,
/// and forgets what only mattered on the day.
async fn run_accounts_upkeep(app: Arc<App>) {
    let mut interval = tokio::time::interval(ACCOUNTS_UPKEEP_INTERVAL);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            () = app.lifecycle.stop.cancelled() => return,
        }
        app.accounts.refresh_sessions().await;
        if let Err(error) = app.storage.store.forget_daily_games(app.games.now()).await {
            tracing::warn!(%error, "could not forget who met on earlier days");
        }
        if let Err(error) = erasure::erase_deleted(&app.storage).await {
            tracing::warn!(%error, "could not take deleted players' names out of games");
        }
    }
}

async fn follow_leagues(app: Arc<App>) {
    tokio::select! {
        () = app.storage.standings.follow(app.storage.notices.subscribe()) => {}
        () = app.lifecycle.stop.cancelled() => {}
    }
}

async fn store_snapshots(app: Arc<App>) {
    let mut interval = tokio::time::interval(SNAPSHOT_INTERVAL);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            () = app.lifecycle.stop.cancelled() => return,
        }
        if let Err(error) = app.storage.standings.store_snapshots(RESULTS_PER_SNAPSHOT).await {
            tracing::warn!(%error, "could not store snapshots of ratings");
        }
    }
}

//! When no server was there: that time is nobody's.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_store::{Outage, StoreError};

use crate::app::App;
use crate::game::Millis;

/// How often a server says that it is there.
const PERIOD: Duration = Duration::from_secs(2);

/// After how many milliseconds without a word from any server they were all gone.
const TOLERANCE: i64 = 6_000;

/// Games that were not touched for longer have no running clock.
const REMEMBERED: i64 = 30 * 24 * 3600 * 1000;

/// The outages that matter to games which may still be played.
#[derive(Debug, Default)]
pub(crate) struct Outages {
    known: Mutex<Vec<Outage>>,
    /// When the last of them ended. Most games were touched since, and need not look further.
    last_end: AtomicI64,
    /// When this server last said that it is there.
    said: AtomicI64,
    /// One at a time says so.
    saying: tokio::sync::Mutex<()>,
}

impl Outages {
    /// For how many milliseconds no server was there after a time at which one was.
    pub(crate) fn since(&self, at: Millis) -> i64 {
        if self.last_end.load(Ordering::Acquire) <= at {
            return 0;
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|outage| (outage.ended - outage.began.max(at)).max(0)).sum()
    }

    /// Whether it has been too long since this server could say that it is there: perhaps there is
    /// an outage.
    pub(crate) fn may_be_one(&self, now: Millis) -> bool {
        now - self.said.load(Ordering::Acquire) > TOLERANCE
    }

    fn learn(&self, outages: Vec<Outage>) {
        let last_end = outages.iter().map(|outage| outage.ended).max().unwrap_or_default();
        self.last_end.store(last_end, Ordering::Release);
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = outages;
    }
}

/// Says that this server is there, before it serves anyone.
pub(crate) async fn begin(app: &App) -> Result<(), StoreError> {
    let now = app.now();
    let is_another_there = app.storage.store.register_server(now, TOLERANCE).await?;
    if let Some(path) = app.storage.store.path().filter(|_| is_another_there) {
        tracing::warn!(
            ?path,
            "another server used this file a moment ago: a file is for one server"
        );
    }
    app.outages.learn(app.storage.store.outages(now - REMEMBERED).await?);
    app.outages.said.store(now, Ordering::Release);
    Ok(())
}

/// Where there may be an outage, asks whether there was: before anything happens in a game, which
/// ends what is known of its time.
pub(crate) async fn be_sure(app: &App) {
    let _saying = app.outages.saying.lock().await;
    if app.outages.may_be_one(app.now()) {
        say(app).await;
    }
}

async fn say(app: &App) {
    if let Err(error) = try_to_say(app).await {
        tracing::warn!(%error, "could not say that the server is there");
    }
}

async fn try_to_say(app: &App) -> Result<(), StoreError> {
    // An outage lasts until the database answers, which may take its time.
    app.storage.store.ping().await?;
    let now = app.now();
    app.storage.store.heartbeat(now, TOLERANCE).await?;
    app.outages.learn(app.storage.store.outages(now - REMEMBERED).await?);
    app.outages.said.store(now, Ordering::Release);
    Ok(())
}

/// Says so again and again, until the server stops.
pub(crate) async fn beat(app: Arc<App>) {
    let mut period = tokio::time::interval(PERIOD);
    period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = period.tick() => {}
            () = app.lifecycle.stop.cancelled() => break,
        }
        let _saying = app.outages.saying.lock().await;
        say(&app).await;
    }
    if let Err(error) = app.storage.store.stop_server(app.now()).await {
        tracing::warn!(%error, "could not say that the server ends");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outages_count_from_when_a_game_was_last_touched() {
        let outages = Outages::default();
        assert_eq!(outages.since(0), 0);
        outages.learn(vec![Outage { began: 100, ended: 200 }, Outage { began: 500, ended: 510 }]);
        let since = [0, 100, 199, 300, 510].map(|at| outages.since(at));
        assert_eq!(since, [110, 110, 11, 10, 0]);
    }
}

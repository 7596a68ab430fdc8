//! What has to happen although nobody asks: flags fall, games are abandoned, computers move in
//! games that a restart interrupted.

use std::sync::Arc;
use std::time::Duration;

use super::Letter;
use crate::backend::Backend;

/// How often a server looks for games in which something is overdue.
const PERIOD: Duration = Duration::from_secs(1);

/// How many of them it wakes at a time.
const AT_ONCE: u32 = 200;

/// Looks again and again, until the server stops.
pub(crate) async fn sweep(backend: Arc<Backend>) {
    let mut period = tokio::time::interval(PERIOD);
    period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = period.tick() => {}
            () = backend.stop.cancelled() => return,
        }
        match backend.log.due(backend.now(), AT_ONCE).await {
            Ok(games) => {
                for due in games {
                    backend.live.send(&backend, due.game, Letter::Tick).await;
                }
            }
            Err(error) => tracing::warn!(%error, "could not look for overdue games"),
        }
    }
}

//! When no server was there: that time is nobody's.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noughts_store::Outage;

use crate::backend::Backend;
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
}

impl Outages {
    /// For how many milliseconds no server was there after a time at which one was.
    pub(crate) fn since(&self, at: Millis) -> i64 {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().map(|outage| (outage.ended - outage.began.max(at)).max(0)).sum()
    }

    fn learn(&self, outages: Vec<Outage>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = outages;
    }
}

/// Says that this server is there, before it serves anyone.
pub(crate) async fn begin(backend: &Backend) -> Result<(), noughts_store::StoreError> {
    let now = backend.now();
    backend.store.begin_serving(now, TOLERANCE).await?;
    backend.outages.learn(backend.store.outages(now - REMEMBERED).await?);
    Ok(())
}

/// Says so again and again, until the server stops.
pub(crate) async fn beat(backend: Arc<Backend>) {
    let mut period = tokio::time::interval(PERIOD);
    period.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = period.tick() => {}
            () = backend.stop.cancelled() => break,
        }
        let now = backend.now();
        let kept = backend.store.keep_serving(now, TOLERANCE).await;
        let learned = match kept {
            Ok(()) => backend.store.outages(now - REMEMBERED).await,
            Err(error) => Err(error),
        };
        match learned {
            Ok(outages) => backend.outages.learn(outages),
            Err(error) => tracing::warn!(%error, "could not say that the server is there"),
        }
    }
    if let Err(error) = backend.store.end_serving(backend.now()).await {
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

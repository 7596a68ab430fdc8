//! What has to happen although nobody asks: flags fall, games are abandoned, computers move in
//! games that a restart interrupted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Letter;
use crate::backend::Backend;
use crate::game::THINKING;

/// How long a server waits before it looks again for games in which something is overdue.
const PERIOD: Duration = Duration::from_secs(1);

/// The more games there are, the longer looking takes: it waits so many times as long.
const SHARE: u32 = 20;

/// How many of them it wakes at a time.
const AT_ONCE: u32 = 200;

/// Looks again and again, until the server stops.
pub(crate) async fn sweep(backend: Arc<Backend>) {
    // Computers that thought when the last server ended have no time to lose.
    let mut ahead = THINKING;
    loop {
        let start = Instant::now();
        match backend.log.due(backend.now() + std::mem::take(&mut ahead), AT_ONCE).await {
            Ok(games) => {
                for due in games {
                    backend.live.send(&backend, due.game, Letter::Tick).await;
                }
            }
            Err(error) => tracing::warn!(%error, "could not look for overdue games"),
        }
        tokio::select! {
            () = tokio::time::sleep(PERIOD.max(start.elapsed() * SHARE)) => {}
            () = backend.stop.cancelled() => return,
        }
    }
}

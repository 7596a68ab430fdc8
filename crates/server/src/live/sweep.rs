//! What has to happen although nobody asks: flags fall, games are abandoned, computers move in
//! games that a restart interrupted.

use std::sync::Arc;
use std::time::{Duration, Instant};

use noughts_store::StoreError;

use super::Letter;
use crate::app::App;
use crate::game::{Millis, THINKING};

/// How long a server waits before it looks again for games in which something is overdue.
const PERIOD: Duration = Duration::from_secs(1);

/// The more games there are, the longer looking takes: it waits so many times as long.
const SHARE: u32 = 20;

/// How many of them it reads at a time.
const PAGE: u32 = 500;

/// Looks again and again, until the server stops.
pub(crate) async fn sweep(app: Arc<App>) {
    // Computers that thought when the last server ended have no time to lose.
    let mut ahead = THINKING;
    loop {
        let start = Instant::now();
        let until = app.now() + std::mem::take(&mut ahead);
        if let Err(error) = wake(&app, until).await {
            tracing::warn!(%error, "could not look for overdue games");
        }
        tokio::select! {
            () = tokio::time::sleep(PERIOD.max(start.elapsed() * SHARE)) => {}
            () = app.lifecycle.stop.cancelled() => return,
        }
    }
}

/// Wakes all games in which something is overdue, however many there are: the most urgent may be those
/// that wait for something else.
async fn wake(app: &Arc<App>, until: Millis) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let page = app.storage.log.due(until, after, PAGE).await?;
        for due in &page {
            match app.rooms.find(due.game).filter(|room| room.is_in_memory()) {
                // One that has too much to do hears of it the next time.
                Some(room) => drop(room.post(Letter::Tick)),
                None => app.rooms.send(app, due.game, Letter::Tick).await,
            }
        }
        after = page.last().copied();
        if page.len() < PAGE as usize || app.lifecycle.stop.is_cancelled() {
            return Ok(());
        }
    }
}

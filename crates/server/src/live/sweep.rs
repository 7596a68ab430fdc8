//! Waking games in which something is overdue although nobody asks: a clock has run out, a game is
//! abandoned, or a restart interrupted a computer's turn.

use std::sync::Arc;
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::StoreError;
use tokio::time::Instant;

use super::LiveGames;
use super::message::GameMessage;
use crate::game::COMPUTER_OVERDUE_MS;

/// The pause between two sweeps.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// The pause is at least this many times the duration of the last sweep.
const SWEEP_PAUSE_RATIO: u32 = 20;

/// Overdue games read at once.
const PAGE_SIZE: u32 = 500;

/// Sweeps until the server stops.
pub(crate) async fn run_sweeps(games: Arc<LiveGames>) {
    // The first sweep also wakes games whose computers were thinking when the last server stopped.
    let mut lookahead = COMPUTER_OVERDUE_MS;
    loop {
        let start = Instant::now();
        let until = games.now() + std::mem::take(&mut lookahead);
        if let Err(error) = sweep(&games, until).await {
            tracing::warn!(%error, "could not look for overdue games");
        }
        tokio::select! {
            biased;
            () = games.lifecycle.stop.cancelled() => return,
            () = tokio::time::sleep(SWEEP_INTERVAL.max(start.elapsed() * SWEEP_PAUSE_RATIO)) => {}
        }
    }
}

async fn sweep(games: &Arc<LiveGames>, until: Millis) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let page = games.storage.log.due(until, after, PAGE_SIZE).await?;
        for due in &page {
            match games.registry.running(due.game) {
                // A full inbox gets the message with the next sweep.
                Some(inbox) => drop(inbox.try_send(GameMessage::Tick)),
                None => drop(games.send(due.game, GameMessage::Tick).await),
            }
        }
        after = page.last().copied();
        if page.len() < PAGE_SIZE as usize || games.lifecycle.stop.is_cancelled() {
            return Ok(());
        }
    }
}

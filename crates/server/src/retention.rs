//! Removing what is no longer needed, and folding finished games, so that the database does not grow
//! without bound.

use std::sync::Arc;
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::{Store, StoreError, TokenCutoffs};
use tokio::time::Instant;

use crate::app::App;
use crate::config::Config;

/// The pause between two runs. The first begins this long after the start.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Rows that are removed, or games that are folded, in one transaction or a few.
const BATCH_SIZE: u32 = 100;

/// The pause after a batch is this many times as long as the batch took: players come first.
const PAUSE_RATIO: u32 = 4;

const DAY: Millis = 24 * 3600 * 1000;

/// Servers with a heartbeat within this time are running.
const HEARTBEAT_TIMEOUT: Millis = 60_000;

/// Repeats a step until it has less than a batch to do. Returns how much it did in all.
macro_rules! in_batches {
    ($step:expr) => {{
        let mut total = 0;
        loop {
            let start = Instant::now();
            let done: u32 = $step.await?;
            total += done;
            if done < BATCH_SIZE {
                break total;
            }
            tokio::time::sleep(start.elapsed() * PAUSE_RATIO).await;
        }
    }};
}

/// What a run has removed and folded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CleanedUp {
    /// Games without a result that were removed.
    pub aborted_games: u32,
    /// Guests that were removed.
    pub unused_guests: u32,
    /// Tokens that were removed.
    pub tokens: u32,
    /// Finished games that were folded.
    pub folded_games: u32,
}

/// Removes what a server with these settings keeps no longer, and folds finished games. `now` is in
/// milliseconds since 1970. Works beside running servers.
///
/// # Errors
///
/// The store failed. What was done until then stays done.
pub async fn clean_up(
    store: &Store,
    config: &Config,
    now: Millis,
) -> Result<CleanedUp, StoreError> {
    // Without the setting, nothing is old enough.
    let before = |days: u32| if days == 0 { 0 } else { now - Millis::from(days) * DAY };
    let aborted = before(config.aborted_days());
    let aborted_games = in_batches!(store.remove_aborted_games(aborted, BATCH_SIZE));
    let unused = before(config.unused_guest_days());
    let unused_guests = in_batches!(store.remove_unused_guests(unused, BATCH_SIZE));
    let token_days = |more: u32| match config.token_days() {
        0 => 0,
        days => before(days.saturating_add(more)),
    };
    let cutoffs = TokenCutoffs {
        revoked: token_days(0),
        accounts: token_days(config.session_days()),
        guests: token_days(config.guest_days()),
    };
    let tokens = in_batches!(store.remove_tokens(cutoffs, BATCH_SIZE));
    store.remove_former_names(now).await?;
    let folded_games = fold(store, before(config.fold_days()), now).await?;
    Ok(CleanedUp { aborted_games, unused_guests, tokens, folded_games })
}

/// Folds games that ended before a time, unless a server is running that could not read them. Returns
/// how many were folded.
async fn fold(store: &Store, before: Millis, now: Millis) -> Result<u32, StoreError> {
    let now = store.clock().await?.unwrap_or(now);
    if !store.all_servers_unfold(now - HEARTBEAT_TIMEOUT).await? {
        return Ok(0);
    }
    Ok(in_batches!(store.fold_games(before, BATCH_SIZE)))
}

/// Cleans up from time to time until the server stops.
pub(crate) async fn run_clean_up(app: Arc<App>) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(INTERVAL) => {}
            () = app.lifecycle.stop.cancelled() => return,
        }
        let cleaned_up = tokio::select! {
            cleaned_up = clean_up(&app.storage.store, &app.config, app.outages.now()) => cleaned_up,
            () = app.lifecycle.stop.cancelled() => return,
        };
        match cleaned_up {
            Ok(done) if done == CleanedUp::default() => {}
            Ok(CleanedUp { aborted_games, unused_guests, tokens, folded_games }) => {
                tracing::info!(aborted_games, unused_guests, tokens, folded_games, "cleaned up");
            }
            Err(error) => tracing::warn!(%error, "could not clean up"),
        }
    }
}

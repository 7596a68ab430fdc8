//! What wakes tournaments: games that end, notices of other servers, and time.

use std::sync::Arc;
use std::time::Duration;

use noughts_api::Millis;
use noughts_store::{Notice, StoreError};
use tokio::sync::broadcast::error::RecvError;

use super::Directors;
use super::message::TournamentMessage;
use super::snapshot::CHECK_INTERVAL_MS;

/// How often tournaments are looked for that are due although no server has them in memory.
const SWEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Due tournaments read at once.
const PAGE_SIZE: u32 = 500;

/// Passes ended games and notices on to tournaments until the server stops.
pub(crate) async fn run_follower(directors: Arc<Directors>) {
    let mut ended_games = directors.games.follow_ended_games();
    let mut notices = directors.storage.notices.subscribe();
    loop {
        tokio::select! {
            biased;
            () = directors.lifecycle.stop.cancelled() => return,
            ended = ended_games.recv() => match ended {
                Ok(ended) => {
                    let message = TournamentMessage::GameEnded(ended);
                    directors.send(ended.tournament, message).await;
                }
                // They are found when the tournaments look after their games.
                Err(RecvError::Lagged(missed)) => {
                    tracing::warn!(missed, "ended games of tournaments were missed");
                }
                Err(RecvError::Closed) => return,
            },
            notice = notices.next() => match notice {
                Some(Notice::Tournament { tournament, sequence }) => {
                    if let Some(inbox) = directors.registry.running(tournament) {
                        let _ = inbox.send(TournamentMessage::CatchUp { seq: sequence }).await;
                    }
                }
                Some(Notice::Resync) => {
                    for tournament in directors.registry.keys() {
                        if let Some(inbox) = directors.registry.running(tournament) {
                            let message = TournamentMessage::CatchUp { seq: u32::MAX };
                            let _ = inbox.send(message).await;
                        }
                    }
                }
                Some(
                    Notice::Game { .. }
                    | Notice::League { .. }
                    | Notice::Identity { .. }
                    | Notice::Emote { .. },
                ) => {}
                None => return,
            },
        }
    }
}

/// Wakes tournaments that are due, until the server stops. Those in memory wake by themselves.
pub(crate) async fn run_sweeps(directors: Arc<Directors>) {
    // The first sweep also looks after games that went on when the last server stopped.
    let mut lookahead = CHECK_INTERVAL_MS;
    loop {
        if let Err(error) = sweep(&directors, std::mem::take(&mut lookahead)).await {
            tracing::warn!(%error, "could not look for due tournaments");
        }
        tokio::select! {
            biased;
            () = directors.lifecycle.stop.cancelled() => return,
            () = tokio::time::sleep(SWEEP_INTERVAL) => {}
        }
    }
}

async fn sweep(directors: &Arc<Directors>, lookahead: Millis) -> Result<(), StoreError> {
    let until = directors.games.now() + lookahead;
    for tournament in directors.storage.store.due_tournaments(until, PAGE_SIZE).await? {
        directors.send(tournament, TournamentMessage::Tick).await;
    }
    Ok(())
}

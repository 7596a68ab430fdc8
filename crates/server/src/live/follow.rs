//! Keeping up with other servers: notices are hints, the log is the truth.

use std::sync::Arc;

use noughts_store::{GameId, IdentityId, Notice};

use super::Letter;
use crate::backend::Backend;

/// How many games, or tokens, are compared at a time.
const AT_ONCE: usize = 500;

/// Follows what other servers do, until this one stops.
pub(crate) async fn follow(backend: Arc<Backend>) {
    let mut notices = backend.notices.subscribe();
    loop {
        let notice = tokio::select! {
            notice = notices.next() => match notice {
                Some(notice) => notice,
                None => return,
            },
            () = backend.stop.cancelled() => return,
        };
        match notice {
            Notice::Game { game, sequence } => look(&backend, game, sequence).await,
            Notice::Identity { identity } => {
                backend.identities.forget(Some(identity));
                backend.callers.forget(Some(identity));
                check_sessions(&backend, Some(identity)).await;
            }
            Notice::League { .. } => {}
            Notice::Resync => {
                backend.identities.forget(None);
                backend.callers.forget(None);
                compare(&backend).await;
                check_sessions(&backend, None).await;
            }
        }
    }
}

/// Has a game catch up that is behind.
async fn look(backend: &Arc<Backend>, game: GameId, sequence: u64) {
    if let Some(room) = backend.live.find(game)
        && u64::from(room.told()) < sequence
        && !room.is_empty()
    {
        backend.live.send_to(backend, &room, Letter::CatchUp).await;
    }
}

async fn compare(backend: &Arc<Backend>) {
    for games in backend.live.games().chunks(AT_ONCE) {
        match backend.log.sequences(games).await {
            Ok(sequences) => {
                for (game, sequence) in sequences {
                    look(backend, game, sequence).await;
                }
            }
            Err(error) => tracing::warn!(%error, "could not compare games with the log"),
        }
    }
}

/// Ends connections whose tokens were revoked elsewhere.
async fn check_sessions(backend: &Backend, identity: Option<IdentityId>) {
    for tokens in backend.sessions.tokens(identity).chunks(AT_ONCE) {
        match backend.store.tokens_not_in_force(tokens).await {
            Ok(ended) => ended.into_iter().for_each(|token| backend.sessions.end(token)),
            Err(error) => {
                tracing::warn!(%error, "could not look at tokens");
                return;
            }
        }
    }
}

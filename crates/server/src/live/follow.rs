//! Keeping up with other servers: notices are hints, the log is the truth.

use std::sync::Arc;

use noughts_store::{GameId, IdentityId, Notice};

use super::Letter;
use crate::app::App;

/// How many games, or tokens, are compared at a time.
const AT_ONCE: usize = 500;

/// Follows what other servers do, until this one stops.
pub(crate) async fn follow(app: Arc<App>) {
    let mut notices = app.storage.notices.subscribe();
    loop {
        let notice = tokio::select! {
            notice = notices.next() => match notice {
                Some(notice) => notice,
                None => return,
            },
            () = app.lifecycle.stop.cancelled() => return,
        };
        match notice {
            Notice::Game { game, sequence } => look(&app, game, sequence).await,
            Notice::Identity { identity } => {
                app.accounts.forget(Some(identity));
                check_sessions(&app, Some(identity)).await;
            }
            Notice::League { .. } => {}
            Notice::Resync => {
                app.accounts.forget(None);
                compare(&app).await;
                check_sessions(&app, None).await;
            }
        }
    }
}

/// Has a game catch up that is behind.
async fn look(app: &Arc<App>, game: GameId, sequence: u64) {
    if let Some(room) = app.rooms.find(game)
        && u64::from(room.told()) < sequence
        && !room.is_empty()
    {
        app.rooms.send_to(app, &room, Letter::CatchUp).await;
    }
}

async fn compare(app: &Arc<App>) {
    for games in app.rooms.games().chunks(AT_ONCE) {
        match app.storage.log.sequences(games).await {
            Ok(sequences) => {
                for (game, sequence) in sequences {
                    look(app, game, sequence).await;
                }
            }
            Err(error) => tracing::warn!(%error, "could not compare games with the log"),
        }
    }
}

/// Ends connections whose tokens were revoked elsewhere.
async fn check_sessions(app: &App, identity: Option<IdentityId>) {
    for tokens in app.sessions.tokens(identity).chunks(AT_ONCE) {
        match app.storage.store.inactive_tokens(tokens).await {
            Ok(ended) => ended.into_iter().for_each(|token| app.sessions.end(token)),
            Err(error) => {
                tracing::warn!(%error, "could not look at tokens");
                return;
            }
        }
    }
}

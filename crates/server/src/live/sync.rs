//! Following other servers on the same database: notices are hints, the log is the truth.

use std::sync::Arc;

use noughts_api::GameId;
use noughts_store::Notice;

use super::LiveGames;
use super::message::GameMessage;

/// Games compared with the database at once.
const PAGE_SIZE: usize = 500;

/// Follows notices until the server stops.
pub(crate) async fn follow_notices(games: Arc<LiveGames>) {
    let mut notices = games.storage.notices.subscribe();
    loop {
        let notice = tokio::select! {
            biased;
            () = games.lifecycle.stop.cancelled() => return,
            notice = notices.next() => match notice {
                Some(notice) => notice,
                None => return,
            },
        };
        match notice {
            Notice::Game { game, sequence } => {
                if !catch_up(&games, game, sequence).await {
                    games.tell_listed_players(game).await;
                }
            }
            Notice::Identity { identity } => {
                games.accounts.forget(Some(identity));
                games.accounts.check_sessions(Some(identity)).await;
            }
            Notice::Emote { game, seat, emote } => {
                if let Some(inbox) = games.registry.running(game) {
                    let _ = inbox.send(GameMessage::Emote { seat, emote }).await;
                }
            }
            Notice::League { .. } | Notice::Tournament { .. } => {}
            Notice::Resync => {
                games.accounts.forget(None);
                compare_games(&games).await;
                games.streams.tell_missed();
                games.accounts.check_sessions(None).await;
            }
        }
    }
}

/// Tells a running task how far the log is. Other games are read when somebody asks for them. Returns
/// whether there is a task.
async fn catch_up(games: &LiveGames, game: GameId, seq: u64) -> bool {
    let Some(inbox) = games.registry.running(game) else { return false };
    inbox.send(GameMessage::CatchUp { seq }).await.is_ok()
}

async fn compare_games(games: &LiveGames) {
    for page in games.registry.keys().chunks(PAGE_SIZE) {
        match games.storage.log.sequences(page).await {
            Ok(sequences) => {
                for game in page {
                    if let Some(seq) = sequences.get(game) {
                        catch_up(games, *game, *seq).await;
                    }
                }
            }
            Err(error) => tracing::warn!(%error, "could not compare games with the log"),
        }
    }
}

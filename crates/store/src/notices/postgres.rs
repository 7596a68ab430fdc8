//! Notices between servers on PostgreSQL.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use noughts_rules::Seat;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{Notice, Shared, payload};
use crate::database::Database;
use crate::{Emote, GameId, IdentityId, Store};
use noughts_api::TournamentId;

const CHANNEL: &str = "noughts";

/// How long notices are coalesced before they are sent.
const COALESCE_INTERVAL: Duration = Duration::from_millis(4);

/// How long to wait after a failure.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// How often a server resynchronises in case a notice was lost.
const RESYNC_INTERVAL: Duration = Duration::from_secs(10);

/// Notices to be sent, one for each game, league, identity and seat that says something, so that it
/// stays bounded.
#[derive(Debug)]
pub(super) struct Outbox {
    /// Identifies this server's own notices.
    server: u64,
    pending: Mutex<Pending>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Pending {
    games: HashMap<GameId, u64>,
    tournaments: HashMap<TournamentId, u32>,
    leagues: HashSet<String>,
    identities: HashSet<IdentityId>,
    emotes: HashMap<(GameId, Seat), Emote>,
}

impl Outbox {
    pub(super) fn new() -> Outbox {
        let server = RandomState::new().hash_one(std::process::id());
        Outbox { server, pending: Mutex::default(), filled: Notify::new() }
    }

    pub(super) fn server(&self) -> u64 {
        self.server
    }

    pub(super) fn push(&self, notice: &Notice) {
        self.pending().push(notice.clone());
        self.filled.notify_one();
    }

    fn requeue(&self, notices: Vec<Notice>) {
        let mut pending = self.pending();
        notices.into_iter().for_each(|notice| pending.push(notice));
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    fn push(&mut self, notice: Notice) {
        match notice {
            Notice::Game { game, sequence } => {
                let latest = self.games.entry(game).or_default();
                *latest = sequence.max(*latest);
            }
            Notice::Tournament { tournament, sequence } => {
                let latest = self.tournaments.entry(tournament).or_default();
                *latest = sequence.max(*latest);
            }
            Notice::League { name } => drop(self.leagues.insert(name)),
            Notice::Identity { identity } => drop(self.identities.insert(identity)),
            Notice::Emote { game, seat, emote } => drop(self.emotes.insert((game, seat), emote)),
            Notice::Resync => {}
        }
    }

    fn take(&mut self) -> Vec<Notice> {
        let Pending { games, tournaments, leagues, identities, emotes } = std::mem::take(self);
        let games = games.into_iter().map(|(game, sequence)| Notice::Game { game, sequence });
        let tournaments = tournaments
            .into_iter()
            .map(|(tournament, sequence)| Notice::Tournament { tournament, sequence });
        let leagues = leagues.into_iter().map(|name| Notice::League { name });
        let identities = identities.into_iter().map(|identity| Notice::Identity { identity });
        let emotes =
            emotes.into_iter().map(|((game, seat), emote)| Notice::Emote { game, seat, emote });
        games.chain(tournaments).chain(leagues).chain(identities).chain(emotes).collect()
    }
}

/// Sends the notices of the outbox until it is dropped.
pub(super) async fn send(store: Store, outbox: Weak<Outbox>) {
    let Database::Postgres(database) = &*store.database else { return };
    loop {
        // With a timeout, because the outbox may be dropped meanwhile.
        match outbox.upgrade() {
            Some(outbox) => drop(timeout(RETRY_INTERVAL, outbox.filled.notified()).await),
            None => return,
        }
        sleep(COALESCE_INTERVAL).await;
        let Some(outbox) = outbox.upgrade() else { return };
        let notices = outbox.pending().take();
        if notices.is_empty() {
            continue;
        }
        let payloads = payload::encode(outbox.server, notices.iter().cloned());
        let sent = sqlx::query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload")
            .bind(CHANNEL)
            .bind(payloads)
            .execute(database.pool())
            .await;
        if let Err(error) = sent {
            tracing::warn!(%error, "could not send notices");
            outbox.requeue(notices);
            sleep(RETRY_INTERVAL).await;
        }
    }
}

/// Publishes the notices of other servers until all `Notices` are dropped.
pub(super) async fn listen(store: Store, server: u64, shared: Weak<Shared>) {
    let Database::Postgres(database) = &*store.database else { return };
    let mut failed = false;
    while shared.strong_count() > 0 {
        let connected = async {
            let mut listener = PgListener::connect_with(database.pool()).await?;
            listener.listen(CHANNEL).await?;
            Ok::<_, sqlx::Error>(listener)
        };
        match connected.await {
            Ok(listener) => {
                // Notices sent meanwhile are lost.
                publish(&shared, Notice::Resync);
                failed = false;
                match listen_until_lost(listener, server, &shared).await {
                    Ok(()) => {}
                    Err(sqlx::Error::PoolClosed) => return,
                    Err(error) => tracing::warn!(%error, "lost the connection for notices"),
                }
            }
            Err(sqlx::Error::PoolClosed) => return,
            Err(error) if !failed => {
                tracing::warn!(%error, "can't listen to notices");
                failed = true;
            }
            Err(_) => {}
        }
        sleep(RETRY_INTERVAL).await;
    }
}

/// Returns without an error once all `Notices` are dropped.
async fn listen_until_lost(
    mut listener: PgListener,
    server: u64,
    shared: &Weak<Shared>,
) -> Result<(), sqlx::Error> {
    let mut next_resync = Instant::now() + RESYNC_INTERVAL;
    while shared.strong_count() > 0 {
        match timeout_at(next_resync, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => {
                let Some((sender, notices)) = payload::decode(notification.payload()) else {
                    continue;
                };
                if sender != server {
                    notices.for_each(|notice| publish(shared, notice));
                }
            }
            // The connection was lost and restored.
            Ok(Ok(None)) => publish(shared, Notice::Resync),
            Err(_) => {
                publish(shared, Notice::Resync);
                next_resync = Instant::now() + RESYNC_INTERVAL;
            }
            Ok(Err(error)) => return Err(error),
        }
    }
    Ok(())
}

fn publish(shared: &Weak<Shared>, notice: Notice) {
    if let Some(shared) = shared.upgrade() {
        shared.publish_local(notice);
    }
}

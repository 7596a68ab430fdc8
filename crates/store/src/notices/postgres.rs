//! Notices between servers with one PostgreSQL.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::{Notice, Shared, payload};
use crate::database::Database;
use crate::{GameId, IdentityId, Store};

const CHANNEL: &str = "noughts";

/// How long notices are collected before they are sent.
const COLLECT: Duration = Duration::from_millis(4);

/// How long to wait after a failure.
const PAUSE: Duration = Duration::from_millis(500);

/// How often a server looks for itself, in case that it missed something.
const SLOW_POLL: Duration = Duration::from_secs(10);

/// What is to be sent: of each game only how far it has got, so that it can't grow without bound.
#[derive(Debug)]
pub(super) struct Outbox {
    /// Tells this program's own notices from those of others.
    server: u64,
    pending: Mutex<Pending>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct Pending {
    games: HashMap<GameId, u64>,
    leagues: HashSet<String>,
    identities: HashSet<IdentityId>,
}

impl Outbox {
    pub(super) fn new() -> Outbox {
        let server = RandomState::new().hash_one(std::process::id());
        Outbox { server, pending: Mutex::default(), filled: Notify::new() }
    }

    pub(super) fn server(&self) -> u64 {
        self.server
    }

    pub(super) fn put(&self, notice: &Notice) {
        self.pending().put(notice.clone());
        self.filled.notify_one();
    }

    fn put_back(&self, notices: Vec<Notice>) {
        let mut pending = self.pending();
        notices.into_iter().for_each(|notice| pending.put(notice));
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pending {
    fn put(&mut self, notice: Notice) {
        match notice {
            Notice::Game { game, sequence } => {
                let furthest = self.games.entry(game).or_default();
                *furthest = sequence.max(*furthest);
            }
            Notice::League { name } => drop(self.leagues.insert(name)),
            Notice::Identity { identity } => drop(self.identities.insert(identity)),
            Notice::Resync => {}
        }
    }

    fn take(&mut self) -> Vec<Notice> {
        let Pending { games, leagues, identities } = std::mem::take(self);
        let games = games.into_iter().map(|(game, sequence)| Notice::Game { game, sequence });
        let leagues = leagues.into_iter().map(|name| Notice::League { name });
        let identities = identities.into_iter().map(|identity| Notice::Identity { identity });
        games.chain(leagues).chain(identities).collect()
    }
}

/// Sends what is put into the outbox, until nobody can put anything there.
pub(super) async fn send(store: Store, outbox: Weak<Outbox>) {
    let Database::Postgres(database) = &*store.database else { return };
    loop {
        // Waiting for some time only, because the outbox may have gone.
        match outbox.upgrade() {
            Some(outbox) => drop(timeout(PAUSE, outbox.filled.notified()).await),
            None => return,
        }
        sleep(COLLECT).await;
        let Some(outbox) = outbox.upgrade() else { return };
        let notices = outbox.pending().take();
        if notices.is_empty() {
            continue;
        }
        let payloads = payload::write(outbox.server, notices.iter().cloned());
        let sent = sqlx::query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload")
            .bind(CHANNEL)
            .bind(payloads)
            .execute(database.pool())
            .await;
        if let Err(error) = sent {
            tracing::warn!(%error, "could not send notices");
            outbox.put_back(notices);
            sleep(PAUSE).await;
        }
    }
}

/// Hears what other servers send, until nobody listens here.
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
                // What was sent in the meantime is lost.
                hear(&shared, Notice::Resync);
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
        sleep(PAUSE).await;
    }
}

/// Answers without an error when nobody listens any more.
async fn listen_until_lost(
    mut listener: PgListener,
    server: u64,
    shared: &Weak<Shared>,
) -> Result<(), sqlx::Error> {
    let mut poll = Instant::now() + SLOW_POLL;
    while shared.strong_count() > 0 {
        match timeout_at(poll, listener.try_recv()).await {
            Ok(Ok(Some(notification))) => {
                let Some((sender, notices)) = payload::read(notification.payload()) else {
                    continue;
                };
                if sender != server {
                    notices.for_each(|notice| hear(shared, notice));
                }
            }
            // The connection was lost and is back.
            Ok(Ok(None)) => hear(shared, Notice::Resync),
            Err(_) => {
                hear(shared, Notice::Resync);
                poll = Instant::now() + SLOW_POLL;
            }
            Ok(Err(error)) => return Err(error),
        }
    }
    Ok(())
}

fn hear(shared: &Weak<Shared>, notice: Notice) {
    if let Some(shared) = shared.upgrade() {
        shared.hear(notice);
    }
}

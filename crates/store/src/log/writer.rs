//! Group commit: appends of many games share a transaction.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noughts_api::IdempotencyKey;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::{Append, AppendError, Appended, Batch, CommandKey, Log};
use crate::{IdentityId, LogThrottle, Notice, Notices, StoreError};

/// How many appends can be queued. Further senders wait for room.
const QUEUE_CAPACITY: usize = 4096;

/// A batch takes no further append once it has this many events.
const MAX_BATCH_EVENTS: usize = 512;

/// The pauses between attempts while the database is away, in milliseconds: five seconds in all.
const RETRY_BACKOFF: [u64; 7] = [50, 100, 200, 400, 800, 1600, 1850];

/// How long a commit may take before the database counts as gone.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Appends to a log. Clones share one queue.
///
/// A task commits the queue in batches: appends that arrive during a commit go into the next one,
/// so one flush of the disk serves many games. A failed batch fails its own appends only.
#[derive(Debug, Clone)]
pub struct Writer {
    queue: mpsc::Sender<Request>,
    health: Arc<Health>,
}

/// Whether batches are being stored.
#[derive(Debug, Default)]
struct Health {
    state: Mutex<HealthState>,
    throttle: LogThrottle,
}

#[derive(Debug, Default)]
struct HealthState {
    /// When the last batch failed, unless one was stored since.
    failed_at: Option<Instant>,
    /// When the batch that is being committed was begun.
    committing_since: Option<Instant>,
}

#[derive(Debug)]
struct Request {
    append: Append,
    reply: Reply,
}

type Reply = oneshot::Sender<Result<Appended, AppendError>>;

impl Writer {
    /// Starts a writer. Its task ends when all clones are dropped and the queue is empty.
    #[must_use]
    pub fn start(log: Arc<dyn Log>) -> Writer {
        Writer::start_with_notices(log, Notices::local())
    }

    /// Starts a writer that publishes what it stored: games to other servers, whose own senders get
    /// replies, and leagues to all subscribers.
    #[must_use]
    pub fn start_with_notices(log: Arc<dyn Log>, notices: Notices) -> Writer {
        let (queue, requests) = mpsc::channel(QUEUE_CAPACITY);
        let health = Arc::<Health>::default();
        tokio::spawn(run(log, notices, requests, health.clone()));
        Writer { queue, health }
    }

    /// Whether events can't be stored at the moment: a batch failed within this time, and none was
    /// stored since, or a commit has taken as long.
    #[must_use]
    pub fn is_failing(&self, within: Duration) -> bool {
        let state = self.health.lock();
        state.failed_at.is_some_and(|at| at.elapsed() < within)
            || state.committing_since.is_some_and(|since| since.elapsed() >= within)
    }

    /// Appends to a game. The events are on the disk when this returns.
    ///
    /// # Errors
    ///
    /// Nothing of the append was stored, except perhaps after [`AppendError::Failed`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let (reply, outcome) = oneshot::channel();
        match self.queue.try_send(Request { append, reply }) {
            Ok(()) => {}
            Err(TrySendError::Full(request)) => {
                // Boxed to keep the future small: a full queue is rare.
                let sent = Box::pin(self.queue.send(request)).await;
                sent.map_err(|_| AppendError::Closed)?;
            }
            Err(TrySendError::Closed(_)) => return Err(AppendError::Closed),
        }
        outcome.await.map_err(|_| AppendError::Closed)?
    }
}

impl Health {
    fn lock(&self) -> MutexGuard<'_, HealthState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn committing(&self) {
        self.lock().committing_since = Some(Instant::now());
    }

    fn stored(&self) {
        *self.lock() = HealthState::default();
    }

    fn failed(&self, error: &StoreError) {
        let failed_at = Some(Instant::now());
        *self.lock() = HealthState { failed_at, committing_since: None };
        if let Some(batches) = self.throttle.count() {
            tracing::error!(%error, batches, "could not append to the log");
        }
    }
}

async fn run(
    log: Arc<dyn Log>,
    notices: Notices,
    mut queue: mpsc::Receiver<Request>,
    health: Arc<Health>,
) {
    let mut keys = ServerKeys::new();
    // Reused, so that they keep their capacity.
    let (mut requests, mut batch, mut replies) = (Vec::new(), Batch::default(), Vec::new());
    loop {
        if requests.is_empty() && queue.recv_many(&mut requests, QUEUE_CAPACITY).await == 0 {
            return;
        }
        while requests.len() < QUEUE_CAPACITY
            && let Ok(request) = queue.try_recv()
        {
            requests.push(request);
        }
        fill_batch(&mut requests, &mut keys, &mut batch, &mut replies);
        if !replies.is_empty() {
            health.committing();
            match commit(&*log, &batch).await {
                Ok(outcomes) => {
                    health.stored();
                    publish(&notices, &batch, &outcomes);
                    for (reply, outcome) in replies.drain(..).zip(outcomes) {
                        // The sender may have been cancelled.
                        let _ = reply.send(outcome);
                    }
                }
                Err(error) => {
                    health.failed(&error);
                    fail(&mut replies, error);
                }
            }
        }
        batch.clear();
    }
}

/// Moves requests into a batch. A second append to a game stays for the next batch.
fn fill_batch(
    requests: &mut Vec<Request>,
    keys: &mut ServerKeys,
    batch: &mut Batch,
    replies: &mut Vec<Reply>,
) {
    let mut deferred = Vec::new();
    for Request { mut append, reply } in requests.drain(..) {
        if batch.events() >= MAX_BATCH_EVENTS || batch.has(append.game) {
            deferred.push(Request { append, reply });
            continue;
        }
        if append.key.is_none() {
            append.key = keys.next();
        }
        match batch.push(append) {
            Ok(()) => replies.push(reply),
            Err(error) => drop(reply.send(Err(error))),
        }
    }
    requests.append(&mut deferred);
}

/// Commits a batch. A lost connection leaves in doubt whether it was stored; trying again settles
/// that, because every append has a key.
async fn commit(
    log: &dyn Log,
    batch: &Batch,
) -> Result<Vec<Result<Appended, AppendError>>, StoreError> {
    let mut backoff = RETRY_BACKOFF.iter();
    loop {
        let committed = timeout(COMMIT_TIMEOUT, log.append(batch)).await;
        match committed.map_err(|_| StoreError::from(sqlx::Error::PoolTimedOut))? {
            Err(error) if error.is_transient() => match backoff.next() {
                Some(&pause) => tokio::time::sleep(Duration::from_millis(pause)).await,
                None => return Err(error),
            },
            outcome => return outcome,
        }
    }
}

fn publish(notices: &Notices, batch: &Batch, outcomes: &[Result<Appended, AppendError>]) {
    for (append, outcome) in batch.appends().iter().zip(outcomes) {
        let Ok(appended) = outcome else { continue };
        notices.publish_remote(&Notice::Game { game: append.game, sequence: appended.last });
        if let Some(result) = &append.result {
            notices.publish(Notice::League { name: result.league.name.clone() });
        }
    }
}

fn fail(replies: &mut Vec<Reply>, error: StoreError) {
    let error = Arc::new(error);
    for reply in replies.drain(..) {
        let _ = reply.send(Err(AppendError::Failed(error.clone())));
    }
}

/// Keys for appends without one, so that every append can be tried again.
struct ServerKeys {
    prefix: u64,
    count: u64,
}

impl ServerKeys {
    fn new() -> ServerKeys {
        ServerKeys { prefix: RandomState::new().hash_one(std::process::id()), count: 0 }
    }

    fn next(&mut self) -> Option<CommandKey> {
        self.count += 1;
        let key = IdempotencyKey::new(&format!("{:016x}.{}", self.prefix, self.count))?;
        Some(CommandKey { sender: IdentityId(0), key })
    }
}

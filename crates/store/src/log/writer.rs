//! Committing together what happens in many games.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Append, AppendError, Appended, Batch, CommandKey, Log};
use crate::{IdentityId, Notice, Notices, StoreError};

/// How many appends wait at most. Whoever comes after them waits for a place.
const QUEUE: usize = 4096;

/// A batch takes no further append once it has so many events.
const BATCH_EVENTS: usize = 512;

/// How long a batch waits between attempts while the database is away, in milliseconds: five
/// seconds in all.
const PATIENCE: [u64; 7] = [50, 100, 200, 400, 800, 1600, 1850];

/// For how long a database may say nothing.
const SILENCE: Duration = Duration::from_secs(20);

/// Appends to a log for everybody in this program. Clones use the same queue.
///
/// One task commits; what waits while a commit is under way goes into the next one. When a batch
/// fails, its appends fail, and the next batch is tried as if nothing had been.
#[derive(Debug, Clone)]
pub struct Writer {
    queue: mpsc::Sender<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    append: Append,
    answer: oneshot::Sender<Result<Appended, AppendError>>,
}

impl Writer {
    /// Starts the task. It ends when the last clone of the writer is dropped and everything that
    /// was asked for is stored.
    #[must_use]
    pub fn start(log: Arc<dyn Log>) -> Writer {
        Writer::start_telling(log, Notices::local())
    }

    /// Starts the task, and has it tell others what was stored: other programs of games, where
    /// here whoever appended has the answer, and everybody of leagues.
    #[must_use]
    pub fn start_telling(log: Arc<dyn Log>, notices: Notices) -> Writer {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(run(log, notices, waiting));
        Writer { queue }
    }

    /// Appends to a game. When this answers, the events are on the disk.
    ///
    /// # Errors
    ///
    /// Nothing of the append was stored, except perhaps after [`AppendError::Failed`].
    pub async fn append(&self, append: Append) -> Result<Appended, AppendError> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { append, answer };
        match self.queue.try_send(waiting) {
            Ok(()) => {}
            Err(TrySendError::Full(waiting)) => {
                // A place of its own, because it is seldom needed.
                let sent = Box::pin(self.queue.send(waiting)).await;
                sent.map_err(|_| AppendError::Closed)?;
            }
            Err(TrySendError::Closed(_)) => return Err(AppendError::Closed),
        }
        answered.await.map_err(|_| AppendError::Closed)?
    }
}

async fn run(log: Arc<dyn Log>, notices: Notices, mut queue: mpsc::Receiver<Waiting>) {
    let mut keys = OwnKeys::new();
    // They keep their memory from one commit to the next.
    let (mut waiting, mut batch, mut answers) = (Vec::new(), Batch::default(), Answers::new());
    loop {
        if waiting.is_empty() && queue.recv_many(&mut waiting, QUEUE).await == 0 {
            return;
        }
        while waiting.len() < QUEUE
            && let Ok(next) = queue.try_recv()
        {
            waiting.push(next);
        }
        take(&mut waiting, &mut keys, &mut batch, &mut answers);
        if !answers.is_empty() {
            match commit(&*log, &batch).await {
                Ok(appended) => {
                    tell(&notices, &batch, &appended);
                    for (answer, appended) in answers.drain(..).zip(appended) {
                        // Whoever asked may have stopped waiting.
                        let _ = answer.send(appended);
                    }
                }
                Err(error) => fail(&mut answers, error),
            }
        }
        batch.clear();
    }
}

type Answers = Vec<oneshot::Sender<Result<Appended, AppendError>>>;

/// Fills a batch from those who wait. A second append of a game waits for the next one.
fn take(waiting: &mut Vec<Waiting>, keys: &mut OwnKeys, batch: &mut Batch, answers: &mut Answers) {
    let mut later = Vec::new();
    for Waiting { mut append, answer } in waiting.drain(..) {
        if batch.events() >= BATCH_EVENTS || batch.has(append.game) {
            later.push(Waiting { append, answer });
            continue;
        }
        append.key.get_or_insert_with(|| keys.next());
        match batch.push(append) {
            Ok(()) => answers.push(answer),
            Err(error) => drop(answer.send(Err(error))),
        }
    }
    waiting.append(&mut later);
}

/// Stores a batch. When the connection is lost it is in doubt whether the batch was stored: the same
/// again answers that, because every append has a key.
async fn commit(
    log: &dyn Log,
    batch: &Batch,
) -> Result<Vec<Result<Appended, AppendError>>, StoreError> {
    let mut patience = PATIENCE.iter();
    loop {
        // A database may be silent as well as gone. Whoever sends the same again finds out.
        let appended = timeout(SILENCE, log.append(batch)).await;
        match appended.map_err(|_| StoreError::from(sqlx::Error::PoolTimedOut))? {
            Err(error) if error.may_pass() => match patience.next() {
                Some(&pause) => tokio::time::sleep(Duration::from_millis(pause)).await,
                None => return Err(error),
            },
            answered => return answered,
        }
    }
}

fn tell(notices: &Notices, batch: &Batch, appended: &[Result<Appended, AppendError>]) {
    for (append, appended) in batch.appends().iter().zip(appended) {
        let Ok(appended) = appended else { continue };
        notices.tell_elsewhere(&Notice::Game { game: append.game, sequence: appended.last });
        if let Some(result) = &append.result {
            notices.tell(Notice::League { name: result.league.name.clone() });
        }
    }
}

fn fail(answers: &mut Answers, error: StoreError) {
    tracing::error!(%error, appends = answers.len(), "could not append to the log");
    let error = Arc::new(error);
    for answer in answers.drain(..) {
        let _ = answer.send(Err(AppendError::Failed(error.clone())));
    }
}

/// Keys for appends that come without one, so that every append can be tried again when it is in
/// doubt whether it was stored.
struct OwnKeys {
    prefix: u64,
    count: u64,
}

impl OwnKeys {
    fn new() -> OwnKeys {
        OwnKeys { prefix: RandomState::new().hash_one(std::process::id()), count: 0 }
    }

    fn next(&mut self) -> CommandKey {
        self.count += 1;
        let key = format!("{:016x}.{}", self.prefix, self.count);
        CommandKey { sender: IdentityId(0), key: key.into() }
    }
}

//! An event log that fails on demand.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use noughts_store::{
    AppendError, Appended, Batch, DueGame, GameId, GameQuery, ListedGame, Log, LogFuture,
    LoggedEvent, StoreError,
};

/// A failure of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing is stored: the disk is full.
    Full,
    /// Nothing is stored: the connection is lost before.
    LostBefore,
    /// Everything is stored, but the connection is lost before the reply.
    LostAfter,
    /// Nothing is stored, but success is reported. A correct log never does this; checkers of logs
    /// must detect it.
    FalseSuccess,
}

/// Wraps a log and fails on demand.
#[derive(Debug)]
pub struct FaultyLog {
    inner: Arc<dyn Log>,
    faults: Mutex<VecDeque<Option<Fault>>>,
    is_unreadable: AtomicBool,
}

impl FaultyLog {
    /// A log that works like `inner` until a fault is planned.
    #[must_use]
    pub fn new(inner: Arc<dyn Log>) -> Arc<FaultyLog> {
        Arc::new(FaultyLog {
            inner,
            faults: Mutex::default(),
            is_unreadable: AtomicBool::new(false),
        })
    }

    /// Plans faults for the next appends, in order; `None` lets one succeed. Later ones succeed.
    pub fn plan(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).extend(faults);
    }

    /// Makes reads of games and their events fail from now on, or succeed again.
    pub fn make_unreadable(&self, is_unreadable: bool) {
        self.is_unreadable.store(is_unreadable, Ordering::Release);
    }

    fn check_readable(&self) -> Result<(), StoreError> {
        if self.is_unreadable.load(Ordering::Acquire) { Err(connection_lost()) } else { Ok(()) }
    }

    fn next_fault(&self) -> Option<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).pop_front().flatten()
    }
}

fn full() -> StoreError {
    StoreError::Database(sqlx::Error::Protocol("a planned fault: no room".into()))
}

/// A connection that is lost before or after a request took effect.
#[must_use]
pub fn connection_lost() -> StoreError {
    let error = std::io::Error::new(std::io::ErrorKind::ConnectionReset, "a planned fault");
    StoreError::Database(sqlx::Error::Io(error))
}

impl Log for FaultyLog {
    fn append<'a>(&'a self, batch: &'a Batch) -> LogFuture<'a, Vec<Result<Appended, AppendError>>> {
        Box::pin(async move {
            match self.next_fault() {
                None => self.inner.append(batch).await,
                Some(Fault::Full) => Err(full()),
                Some(Fault::LostBefore) => Err(connection_lost()),
                Some(Fault::LostAfter) => {
                    self.inner.append(batch).await?;
                    Err(connection_lost())
                }
                Some(Fault::FalseSuccess) => {
                    let appended = |expected: u64, events: u64| Appended {
                        first: expected + 1,
                        last: expected + events,
                        repeated: false,
                    };
                    let appends = batch.appends().iter();
                    Ok(appends.map(|a| Ok(appended(a.expected, a.events.len() as u64))).collect())
                }
            }
        })
    }

    fn events(&self, game: GameId, since: u64, limit: u32) -> LogFuture<'_, Vec<LoggedEvent>> {
        Box::pin(async move {
            self.check_readable()?;
            self.inner.events(game, since, limit).await
        })
    }

    fn sequences<'a>(&'a self, games: &'a [GameId]) -> LogFuture<'a, HashMap<GameId, u64>> {
        self.inner.sequences(games)
    }

    fn game(&self, game: GameId) -> LogFuture<'_, Option<ListedGame>> {
        Box::pin(async move {
            self.check_readable()?;
            self.inner.game(game).await
        })
    }

    fn games<'a>(&'a self, query: &'a GameQuery) -> LogFuture<'a, Vec<ListedGame>> {
        self.inner.games(query)
    }

    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> LogFuture<'_, Vec<DueGame>> {
        self.inner.due(until, after, limit)
    }
}

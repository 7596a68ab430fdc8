//! One connection that writes, and others that read beside it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, MutexGuard};

/// The games that are played at a time touch a page each, which should stay at hand (16 MiB).
const WRITER_CACHE: &str = "-16384";

/// A page that changes often goes into the write-ahead log each time, but from there into the file
/// once, so it pays to wait a little (32 MiB).
const CHECKPOINT_PAGES: &str = "8192";

/// An open file.
///
/// SQLite lets one connection write at a time and makes others sleep and try again. Within this
/// program they queue for the one connection instead, first come, first served.
#[derive(Debug)]
pub(crate) struct SqliteFile {
    path: PathBuf,
    options: Box<SqliteConnectOptions>,
    readers: SqlitePool,
    /// Empty before the first use, and after a failure.
    writer: Mutex<Option<SqliteConnection>>,
    /// The version of the file as the writer last saw it, for [`SqliteFile::changed_by_others`].
    seen: AtomicI64,
}

impl SqliteFile {
    pub(super) fn new(path: PathBuf, options: SqliteConnectOptions, readers: SqlitePool) -> Self {
        let options = options
            .pragma("cache_size", WRITER_CACHE)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES);
        SqliteFile {
            path,
            options: Box::new(options),
            readers,
            writer: Mutex::default(),
            seen: AtomicI64::new(0),
        }
    }

    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Waits for the writing connection, for statements that begin a transaction themselves.
    pub(crate) async fn writer(&self) -> Result<Writing<'_>, sqlx::Error> {
        let mut slot = self.writer.lock().await;
        let connection = match slot.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        Ok(Writing { slot, connection })
    }

    /// Waits for the writing connection and begins a transaction. It is immediate, because one that
    /// begins with reading can't become a writing one while somebody else writes.
    pub(crate) async fn write(&self) -> Result<Writing<'_>, sqlx::Error> {
        let mut writing = self.writer().await?;
        sqlx::query("BEGIN IMMEDIATE").execute(writing.connection()).await?;
        Ok(writing)
    }

    /// Whether another program has written since this was last asked, or might have. SQLite's data
    /// version changes for a connection when any other one commits, and everything that this
    /// program writes goes through one connection.
    pub(crate) async fn changed_by_others(&self) -> Result<bool, sqlx::Error> {
        let mut writing = self.writer().await?;
        let version: i64 =
            sqlx::query_scalar("PRAGMA data_version").fetch_one(writing.connection()).await?;
        writing.put_back();
        Ok(self.seen.swap(version, Ordering::Relaxed) != version)
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.readers.is_closed()
    }

    pub(super) async fn close(&self) {
        // Dropped, it would go on closing by itself, and the last to close puts the write-ahead log
        // into the file.
        if let Some(writer) = self.writer.lock().await.take()
            && let Err(error) = writer.close().await
        {
            tracing::warn!(%error, "could not close the file in order");
        }
        self.readers.close().await;
    }
}

/// A transaction of the writing connection.
///
/// Whoever drops it halfway, after an error or because nobody waits any more, drops the connection
/// with it: whatever state that was in, nothing of it is stored, and the next one is fresh.
pub(crate) struct Writing<'a> {
    slot: MutexGuard<'a, Option<SqliteConnection>>,
    connection: SqliteConnection,
}

impl Writing<'_> {
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        self.put_back();
        Ok(())
    }

    /// Leaves the connection, with nothing under way, to the next one.
    pub(crate) fn put_back(mut self) {
        *self.slot = Some(self.connection);
    }

    /// Takes everything back. Where that fails, dropping the connection does it.
    pub(crate) async fn roll_back(mut self) {
        if sqlx::query("ROLLBACK").execute(&mut self.connection).await.is_ok() {
            self.put_back();
        }
    }
}

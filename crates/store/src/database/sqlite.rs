//! An SQLite file: one connection that writes, and a pool of readers beside it.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, MutexGuard};

use crate::StoreError;

/// How long one program waits for another one's write lock.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// The page cache of the writer, in KiB where negative. Every game in play dirties a page.
const WRITER_CACHE_SIZE: &str = "-16384";

/// Pages in the write-ahead log before a checkpoint (32 MiB). Pages that change often are copied to
/// the file once per checkpoint, so fewer checkpoints mean less writing.
const CHECKPOINT_PAGES: &str = "8192";

/// An open file.
///
/// SQLite lets one connection write at a time; others sleep and retry. Within this program writers
/// queue for a single connection instead, first come, first served.
#[derive(Debug)]
pub(crate) struct SqliteFile {
    path: PathBuf,
    options: Box<SqliteConnectOptions>,
    readers: SqlitePool,
    /// `None` before the first use, and after a failure.
    writer: Mutex<Option<Writer>>,
    /// Locked by the server that uses the file.
    server_lock: OnceLock<File>,
}

#[derive(Debug)]
struct Writer {
    connection: SqliteConnection,
    /// SQLite's data version when it was last compared. It changes when another connection commits,
    /// and only other programs have one that does.
    data_version: Option<i64>,
}

impl SqliteFile {
    pub(super) fn new(path: PathBuf, options: SqliteConnectOptions, readers: SqlitePool) -> Self {
        let options = options
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            .pragma("cache_size", WRITER_CACHE_SIZE)
            .pragma("temp_store", "MEMORY");
        SqliteFile {
            path,
            options: Box::new(options),
            readers,
            writer: Mutex::default(),
            server_lock: OnceLock::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Locks the file against other servers until this process ends or the file is closed. The lock
    /// is on a file beside it, so that other programs can still read and write the database.
    pub(crate) fn lock_for_server(&self) -> Result<(), StoreError> {
        if self.server_lock.get().is_some() {
            return Ok(());
        }
        let path = self.path.with_added_extension("server-lock");
        let failed = |error| StoreError::File { path: path.clone(), error };
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {
                let _ = self.server_lock.set(file);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: self.path.clone() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Begins a transaction on the writing connection. It is immediate: one that begins by reading
    /// can't become a writer while another program writes.
    pub(crate) async fn begin(&self) -> Result<SqliteTransaction<'_>, sqlx::Error> {
        let mut transaction = self.lock_writer().await?;
        sqlx::query("BEGIN IMMEDIATE").execute(transaction.connection()).await?;
        Ok(transaction)
    }

    /// Whether another program may have written since the last call.
    pub(crate) async fn changed_by_others(&self) -> Result<bool, sqlx::Error> {
        let mut idle = self.lock_writer().await?;
        let version: i64 =
            sqlx::query_scalar("PRAGMA data_version").fetch_one(idle.connection()).await?;
        let last = idle.writer.data_version.replace(version);
        idle.release();
        Ok(last != Some(version))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.readers.is_closed()
    }

    pub(super) async fn close(&self) {
        // Waits for each connection: the last one to close empties the write-ahead log.
        if let Some(writer) = self.writer.lock().await.take()
            && let Err(error) = writer.connection.close().await
        {
            tracing::warn!(%error, "could not close the database file cleanly");
        }
        self.readers.close().await;
        if let Some(Err(error)) = self.server_lock.get().map(File::unlock) {
            tracing::warn!(%error, "could not unlock the database file");
        }
    }

    async fn lock_writer(&self) -> Result<SqliteTransaction<'_>, sqlx::Error> {
        let mut slot = self.writer.lock().await;
        let writer = match slot.take() {
            Some(writer) => writer,
            None => Writer { connection: self.options.connect().await?, data_version: None },
        };
        Ok(SqliteTransaction { slot, writer })
    }
}

/// A transaction of the writing connection.
///
/// Dropping it halfway, after an error or a cancellation, closes the connection: whatever its state
/// was, SQLite rolls back and the next transaction gets a fresh one. If it is dropped during the
/// commit, all of it is stored or nothing.
pub(crate) struct SqliteTransaction<'a> {
    slot: MutexGuard<'a, Option<Writer>>,
    writer: Writer,
}

impl SqliteTransaction<'_> {
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.writer.connection
    }

    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::query("COMMIT").execute(self.connection()).await?;
        self.release();
        Ok(())
    }

    pub(crate) async fn roll_back(mut self) {
        // Where this fails, dropping the connection rolls back.
        if sqlx::query("ROLLBACK").execute(self.connection()).await.is_ok() {
            self.release();
        }
    }

    /// Keeps the connection for the next transaction.
    fn release(mut self) {
        *self.slot = Some(self.writer);
    }
}

//! Two connections that write in turn, and others that read beside them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::OpenFlags;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::joined;
use crate::StoreError;

/// How long one program waits for another that writes.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The games that are played at a time touch a page each, which should stay at hand (16 MiB).
const CACHE: &str = "-16384";

/// A page that changes often goes into the write-ahead log each time, but from there into the file
/// once, so it pays to wait a little (32 MiB).
const CHECKPOINT_PAGES: &str = "8192";

/// An open file.
///
/// SQLite lets one connection write at a time and makes others sleep and try again. Within this
/// program they queue instead, first come, first served: for the connection that appends to the log,
/// which is used without detours because so much is appended, and for one that writes all the rest.
#[derive(Debug)]
pub(crate) struct SqliteFile {
    path: PathBuf,
    options: Box<SqliteConnectOptions>,
    readers: SqlitePool,
    connections: Arc<Mutex<Connections>>,
}

/// Both are empty before the first use, and after a failure.
#[derive(Debug, Default)]
struct Connections {
    writer: Option<SqliteConnection>,
    appender: Option<rusqlite::Connection>,
    watch: Watch,
}

/// What tells whether other programs write. SQLite's data version changes for a connection when any
/// other one commits, so the one of this program that has written last watches.
#[derive(Debug, Default)]
struct Watch {
    /// Who watches, and the version when it began to. Nobody does at first, nor when the connection
    /// that did is lost.
    since: Option<(Watcher, i64)>,
    /// Whether others have written, or might have, before that.
    changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watcher {
    Writer,
    Appender,
}

impl Watch {
    /// Lets another connection watch, or the same one from this version on. It has to be asked for
    /// its version before the one that watched so far is asked for `last`, so that nothing is missed
    /// in between.
    fn pass_on(&mut self, to: Watcher, version: i64, last: Option<i64>) {
        self.changed |= self.since.is_none() || self.since.map(|(_, version)| version) != last;
        self.since = Some((to, version));
    }
}

impl SqliteFile {
    pub(super) fn new(path: PathBuf, options: SqliteConnectOptions, readers: SqlitePool) -> Self {
        let options = options.pragma("wal_autocheckpoint", CHECKPOINT_PAGES);
        let connections = Arc::default();
        SqliteFile { path, options: Box::new(options), readers, connections }
    }

    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Waits for the appending connection and does something with it that may take its time. When it
    /// fails, or leaves a transaction open, the connection is dropped.
    ///
    /// Whoever stops waiting stops nothing: it is done, and others wait until it is.
    pub(crate) async fn append<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut rusqlite::Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let mut connections = self.connections.clone().lock_owned().await;
        if !matches!(connections.watch.since, Some((Watcher::Appender, _))) {
            connections = self.watch_by_appender(connections).await?;
        }
        let path = self.path.clone();
        let (_, done) = blocking(connections, move |connections| {
            let mut connection = connections.take_appender(path)?;
            let watch = connections.watch.since.take();
            let done = work(&mut connection)?;
            if connection.is_autocommit() {
                connections.appender = Some(connection);
                connections.watch.since = watch;
            }
            Ok(done)
        })
        .await?;
        Ok(done)
    }

    async fn watch_by_appender(&self, connections: Guard) -> Result<Guard, StoreError> {
        let path = self.path.clone();
        let (mut connections, version) = blocking(connections, |connections| {
            let connection = connections.take_appender(path)?;
            let version = data_version(&connection);
            connections.appender = Some(connection);
            version
        })
        .await?;
        let last = match &mut connections.writer {
            Some(writer) => Some(version_of(writer).await?),
            None => None,
        };
        connections.watch.pass_on(Watcher::Appender, version, last);
        Ok(connections)
    }

    /// Waits for the writing connection.
    async fn writer(&self) -> Result<Writing, StoreError> {
        let mut connections = self.connections.clone().lock_owned().await;
        let mut connection = match connections.writer.take() {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        if !matches!(connections.watch.since, Some((Watcher::Writer, _))) {
            let version = version_of(&mut connection).await?;
            let (guard, last) = blocking(connections, |connections| {
                connections.appender.as_ref().map(data_version).transpose()
            })
            .await?;
            connections = guard;
            connections.watch.pass_on(Watcher::Writer, version, last);
        }
        let watch = connections.watch.since.take();
        Ok(Writing { connections, connection, watch })
    }

    /// Waits for the writing connection and begins a transaction. It is immediate, because one that
    /// begins with reading can't become a writing one while somebody else writes.
    pub(crate) async fn write(&self) -> Result<Writing, StoreError> {
        let mut writing = self.writer().await?;
        sqlx::query("BEGIN IMMEDIATE").execute(writing.connection()).await?;
        Ok(writing)
    }

    /// Whether another program has written since this was last asked, or might have.
    pub(crate) async fn changed_by_others(&self) -> Result<bool, StoreError> {
        let mut writing = self.writer().await?;
        let version = version_of(writing.connection()).await?;
        let mut connections = writing.put_back();
        connections.watch.pass_on(Watcher::Writer, version, Some(version));
        Ok(std::mem::take(&mut connections.watch.changed))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.readers.is_closed()
    }

    pub(super) async fn close(&self) {
        // Dropped, they would go on closing by themselves, and the last to close puts the write-ahead
        // log into the file.
        let connections = self.connections.clone().lock_owned().await;
        let closed = blocking(connections, |connections| {
            let appender = connections.appender.take();
            appender.map_or(Ok(()), |appender| appender.close().map_err(|(_, error)| error))
        });
        warn(closed.await.map(drop));
        if let Some(writer) = self.connections.lock().await.writer.take() {
            warn(writer.close().await);
        }
        self.readers.close().await;
    }
}

fn warn<E: std::fmt::Display>(closed: Result<(), E>) {
    if let Err(error) = closed {
        tracing::warn!(%error, "could not close the file in order");
    }
}

impl Connections {
    fn take_appender(&mut self, path: PathBuf) -> rusqlite::Result<rusqlite::Connection> {
        if let Some(connection) = self.appender.take() {
            return Ok(connection);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match joined::vfs() {
            Some(vfs) => rusqlite::Connection::open_with_flags_and_vfs(path, flags, vfs)?,
            None => rusqlite::Connection::open_with_flags(path, flags)?,
        };
        connection.busy_timeout(PATIENCE)?;
        let pragmas = [
            ("foreign_keys", "ON"),
            ("synchronous", "FULL"),
            ("cache_size", CACHE),
            // What a transaction changes is written when it is committed, see `joined`.
            ("cache_spill", "OFF"),
            ("wal_autocheckpoint", CHECKPOINT_PAGES),
            // What it takes to undo a statement, which is most often a few pages.
            ("temp_store", "MEMORY"),
        ];
        for (name, value) in pragmas {
            // Some of them answer with the value.
            connection.execute_batch(&format!("PRAGMA {name} = {value}"))?;
        }
        Ok(connection)
    }
}

type Guard = OwnedMutexGuard<Connections>;

/// Does what may take its time where nothing else has to wait for it.
async fn blocking<T: Send + 'static>(
    mut connections: Guard,
    work: impl FnOnce(&mut Connections) -> rusqlite::Result<T> + Send + 'static,
) -> Result<(Guard, T), StoreError> {
    let done = tokio::task::spawn_blocking(move || {
        let done = work(&mut connections)?;
        Ok::<_, rusqlite::Error>((connections, done))
    });
    Ok(done.await.map_err(|_| sqlx::Error::WorkerCrashed)??)
}

const DATA_VERSION: &str = "PRAGMA data_version";

fn data_version(connection: &rusqlite::Connection) -> rusqlite::Result<i64> {
    connection.query_row(DATA_VERSION, [], |row| row.get(0))
}

async fn version_of(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(DATA_VERSION).fetch_one(connection).await
}

/// A transaction of the writing connection.
///
/// Whoever drops it halfway, after an error or because nobody waits any more, drops the connection
/// with it: whatever state that was in, the next one is fresh. Nothing of it is stored, unless it was
/// dropped during the commit: then all of it is, or nothing.
pub(crate) struct Writing {
    connections: Guard,
    connection: SqliteConnection,
    watch: Option<(Watcher, i64)>,
}

impl Writing {
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }

    pub(crate) async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::query("COMMIT").execute(&mut self.connection).await?;
        self.put_back();
        Ok(())
    }

    /// Leaves the connection, with nothing under way, to the next one.
    fn put_back(mut self) -> Guard {
        self.connections.writer = Some(self.connection);
        self.connections.watch.since = self.watch;
        self.connections
    }

    /// Takes everything back. Where that fails, dropping the connection does it.
    pub(crate) async fn roll_back(mut self) {
        if sqlx::query("ROLLBACK").execute(&mut self.connection).await.is_ok() {
            self.put_back();
        }
    }
}

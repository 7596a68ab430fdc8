//! The database of games and results, for callers that block.

use std::fs::OpenOptions;
use std::future::Future;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use noughts_store::{Store, StoreError};
use tokio::runtime::{Builder, Runtime};

/// An open [`Store`] with the runtime that drives it.
pub struct Database {
    runtime: Runtime,
    /// Its futures are driven by [`Database::block_on`].
    pub store: Store,
}

impl Database {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<Database> {
        Database::new(Store::open(path))
    }

    /// Opens the PostgreSQL database of a server, instead of a file.
    #[cfg(feature = "postgres")]
    pub fn connect(url: &str) -> Result<Database> {
        Database::new(Store::connect(url))
    }

    fn new(opening: impl Future<Output = Result<Store, StoreError>>) -> Result<Database> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let store = runtime.block_on(opening)?;
        Ok(Database { runtime, store })
    }

    /// Opens the file only if it exists.
    pub fn open_existing(path: &Path) -> Result<Database> {
        anyhow::ensure!(path.exists(), "there is no file {}", path.display());
        Database::open(path)
    }

    /// Opens the file, or creates it, and fails now rather than at the first write if it is
    /// read-only.
    pub fn open_writable(path: &Path) -> Result<Database> {
        let database = Database::open(path)?;
        let opened = OpenOptions::new().append(true).open(path);
        opened.with_context(|| format!("can't write to {}", path.display()))?;
        Ok(database)
    }

    /// Waits for a future of the store.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// Closing merges the write-ahead log into the one file.
impl Drop for Database {
    fn drop(&mut self) {
        self.runtime.block_on(self.store.clone().close());
    }
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Formats milliseconds since 1970 as date and time in the user's time zone.
pub fn date(at: i64) -> String {
    match jiff::Timestamp::from_millisecond(at) {
        Ok(at) => at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => at.to_string(),
    }
}

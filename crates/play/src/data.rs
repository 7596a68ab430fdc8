//! The file in which games and results are kept, as the commands use it.

use std::fs::OpenOptions;
use std::future::Future;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use noughts_store::{LeagueChoice, Store, StoreError};
use tokio::runtime::{Builder, Runtime};

/// Where the data is.
#[derive(Clone, clap::Args)]
pub(crate) struct DataArguments {
    /// The file with games and scores; by default one in the user's data folder
    #[arg(long, value_name = "FILE", env = "NOUGHTS_DATA")]
    pub(crate) data: Option<PathBuf>,
}

impl DataArguments {
    pub(crate) fn path(&self) -> Result<PathBuf> {
        if let Some(file) = &self.data {
            return Ok(file.clone());
        }
        let folders = etcetera::choose_base_strategy().context("can't find your data folder")?;
        Ok(folders.data_dir().join("noughts").join("noughts.db"))
    }
}

/// The open store, for commands that wait for it.
pub(crate) struct Data {
    runtime: Runtime,
    pub(crate) store: Store,
}

impl Data {
    pub(crate) fn open(arguments: &DataArguments) -> Result<Data> {
        let path = arguments.path()?;
        Data::new(Store::open(&path))
    }

    /// Opens the database of a server, instead of a file.
    pub(crate) fn connect(url: &str) -> Result<Data> {
        Data::new(Store::connect(url))
    }

    fn new(opening: impl Future<Output = Result<Store, StoreError>>) -> Result<Data> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let store = runtime.block_on(opening)?;
        Ok(Data { runtime, store })
    }

    /// Opens the file only if there is one.
    pub(crate) fn open_existing(arguments: &DataArguments) -> Result<Data> {
        let path = arguments.path()?;
        anyhow::ensure!(path.exists(), "there is no file {}", path.display());
        Data::open(arguments)
    }

    /// Opens the usual file, which is empty at first, or one that was named: then there has to be one.
    pub(crate) fn open_to_read(arguments: &DataArguments) -> Result<Data> {
        match arguments.data {
            Some(_) => Data::open_existing(arguments),
            None => Data::open(arguments),
        }
    }

    /// Opens a file that can be written to, which is better known before there is something to write.
    pub(crate) fn open_to_write(arguments: &DataArguments) -> Result<Data> {
        let data = Data::open(arguments)?;
        let path = arguments.path()?;
        let opened = OpenOptions::new().append(true).open(&path);
        opened.with_context(|| format!("can't write to {}", path.display()))?;
        Ok(data)
    }

    pub(crate) fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// Everything is in the one file then, and not in another beside it.
impl Drop for Data {
    fn drop(&mut self) {
        self.runtime.block_on(self.store.clone().close());
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A time for people, in their time zone.
pub(crate) fn date(at: i64) -> String {
    match jiff::Timestamp::from_millisecond(at) {
        Ok(at) => at.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => at.to_string(),
    }
}

/// The league that is used where none is named.
pub(crate) fn default_league() -> String {
    LeagueChoice::default().name
}

//! Where the log is kept.

use std::path::Path;
use std::sync::Arc;

use noughts_store::{Log, Store};
use noughts_testing::{FaultyLog, Postgres};
use tempfile::TempDir;

/// A database of the test's own.
pub(crate) struct Place {
    pub(crate) store: Store,
    pub(crate) log: Arc<dyn Log>,
    address: Address,
}

enum Address {
    File(TempDir),
    Url(String),
}

impl Place {
    /// A second server with the same database.
    pub(crate) async fn second(&self) -> Store {
        match &self.address {
            Address::File(folder) => Store::open(&file(folder.path())).await.unwrap(),
            Address::Url(url) => Store::connect(url).await.unwrap(),
        }
    }
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("noughts.db")
}

pub(crate) async fn sqlite() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&file(folder.path())).await.unwrap();
    Place { log: store.log(), store, address: Address::File(folder) }
}

pub(crate) async fn postgres() -> Option<Place> {
    let url = Postgres::shared()?.database().await;
    let store = Store::connect(&url).await.unwrap();
    Some(Place { log: store.log(), store, address: Address::Url(url) })
}

/// A log that could fail, but is not told to.
pub(crate) async fn faulty() -> Place {
    let place = sqlite().await;
    Place { log: FaultyLog::new(place.log.clone()), ..place }
}

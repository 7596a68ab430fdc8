//! The databases of the suite.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use noughts_store::{Log, Store};
use noughts_testing::{FaultyLog, MemoryLog, Postgres};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;

/// A database of one test.
pub(crate) struct TestDatabase {
    pub(crate) store: Store,
    pub(crate) log: Arc<dyn Log>,
    address: Address,
}

enum Address {
    File(TempDir),
    Url(String),
    /// The log is in memory; the store is another one.
    Memory(TempDir),
}

impl TestDatabase {
    /// A second connection to the same database, as of another server.
    pub(crate) async fn connect_again(&self) -> Store {
        match &self.address {
            Address::File(folder) | Address::Memory(folder) => {
                Store::open(&file(folder.path())).await.unwrap()
            }
            Address::Url(url) => Store::connect(url).await.unwrap(),
        }
    }

    /// Runs a statement on a connection of its own.
    pub(crate) async fn execute(&self, statement: &str) {
        let statement = sqlx::raw_sql(AssertSqlSafe(statement.to_string()));
        match &self.address {
            Address::File(folder) | Address::Memory(folder) => {
                let mut connection = connect_to_file(folder.path()).await;
                statement.execute(&mut connection).await.unwrap();
            }
            Address::Url(url) => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                statement.execute(&mut connection).await.unwrap();
            }
        }
    }

    /// The number that a query returns.
    pub(crate) async fn number(&self, query: &str) -> i64 {
        let query = AssertSqlSafe(query.to_string());
        match &self.address {
            Address::File(folder) | Address::Memory(folder) => {
                let mut connection = connect_to_file(folder.path()).await;
                sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
            }
            Address::Url(url) => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap()
            }
        }
    }

    /// The same log, as of another server.
    pub(crate) async fn second_log(&self) -> Arc<dyn Log> {
        match &self.address {
            Address::Memory(_) => self.log.clone(),
            Address::File(_) | Address::Url(_) => self.connect_again().await.log(),
        }
    }
}

async fn connect_to_file(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file(folder));
    options.busy_timeout(Duration::from_secs(10)).connect().await.unwrap()
}

fn file(folder: &Path) -> std::path::PathBuf {
    folder.join("noughts.db")
}

pub(crate) async fn sqlite() -> TestDatabase {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&file(folder.path())).await.unwrap();
    TestDatabase { log: store.log(), store, address: Address::File(folder) }
}

pub(crate) async fn postgres() -> Option<TestDatabase> {
    let url = Postgres::shared()?.database().await;
    let store = Store::connect(&url).await.unwrap();
    Some(TestDatabase { log: store.log(), store, address: Address::Url(url) })
}

/// A log in memory, which has no store.
pub(crate) async fn memory() -> TestDatabase {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&file(folder.path())).await.unwrap();
    TestDatabase { log: Arc::<MemoryLog>::default(), store, address: Address::Memory(folder) }
}

/// A faulty log without planned faults.
pub(crate) async fn faulty() -> TestDatabase {
    let database = sqlite().await;
    TestDatabase { log: FaultyLog::new(database.log.clone()), ..database }
}

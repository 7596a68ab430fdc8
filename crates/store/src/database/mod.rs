//! SQLite and PostgreSQL behind one interface.
//!
//! Statements are written once for both: parameters as `$1`, numbers as 64 bits, yes and no as 1
//! and 0. [`read!`] and [`write!`] run the same code on either database.

mod append;
mod open_file;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

use std::path::Path;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use crate::StoreError;
pub(crate) use append::{AppendTransaction, BulkInsert, ColumnType};
pub(crate) use open_file::create_private;
#[cfg(feature = "postgres")]
pub(crate) use postgres::{APPLICATION_NAME_PREFIX, PostgresDatabase};
pub(crate) use sqlite::SqliteFile;

/// The number of migrations, the same on both databases.
pub(crate) const MIGRATIONS: usize = 10;

/// An open database.
#[derive(Debug)]
pub(crate) enum Database {
    Sqlite(SqliteFile),
    #[cfg(feature = "postgres")]
    Postgres(PostgresDatabase),
}

impl Database {
    pub(crate) async fn open(path: &Path) -> Result<Database, StoreError> {
        open_file::open(path).await.map(Database::Sqlite)
    }

    pub(crate) async fn open_read_only(path: &Path) -> Result<Database, StoreError> {
        open_file::open_read_only(path).await.map(Database::Sqlite)
    }

    #[cfg(feature = "postgres")]
    pub(crate) async fn connect(url: &str, instance: i64) -> Result<Database, StoreError> {
        PostgresDatabase::connect(url, instance).await.map(Database::Postgres)
    }

    /// The SQLite file, unless the database is PostgreSQL.
    pub(crate) fn sqlite(&self) -> Option<&SqliteFile> {
        match self {
            Database::Sqlite(file) => Some(file),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => None,
        }
    }

    pub(crate) async fn close(&self) {
        match self {
            Database::Sqlite(file) => file.close().await,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.close().await,
        }
    }
}

/// Runs a query on a pooled connection: `read!(database, executor => query.fetch_all(executor).await)`.
macro_rules! read {
    ($database:expr, $executor:ident => $query:expr) => {
        match $database {
            $crate::database::Database::Sqlite(file) => {
                let $executor = file.readers();
                $query
            }
            #[cfg(feature = "postgres")]
            $crate::database::Database::Postgres(database) => {
                let $executor = database.pool();
                $query
            }
        }
    };
}

/// Runs statements in a transaction, which is rolled back on failure. The block returns a
/// `Result<_, StoreError>` and reborrows the connection with `&mut *connection`.
macro_rules! write {
    ($database:expr, $connection:ident => $block:block) => {
        match $database {
            $crate::database::Database::Sqlite(file) => {
                let mut transaction = file.begin().await?;
                let written: Result<_, $crate::StoreError> = async {
                    let $connection = transaction.connection();
                    $block
                }
                .await;
                match written {
                    Ok(value) => transaction.commit().await.map(|()| value).map_err(Into::into),
                    Err(error) => {
                        transaction.roll_back().await;
                        Err(error)
                    }
                }
            }
            #[cfg(feature = "postgres")]
            $crate::database::Database::Postgres(database) => {
                let mut transaction = database.pool().begin().await?;
                let written: Result<_, $crate::StoreError> = async {
                    let $connection = &mut *transaction;
                    $block
                }
                .await;
                match written {
                    Ok(value) => transaction.commit().await.map(|()| value).map_err(Into::into),
                    Err(error) => Err(error),
                }
            }
        }
    };
}

pub(crate) use {read, write};

/// The migrations of a database, from the names and statements of its steps. A step that exists
/// somewhere never changes, and new steps only add: older servers may run beside the new one.
fn migrator(steps: [(&'static str, &'static str); MIGRATIONS]) -> Migrator {
    let migration = |(version, (name, sql)): (i64, (&'static str, &'static str))| {
        let kind = MigrationType::Simple;
        Migration::new(version, name.into(), kind, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(steps).map(migration).collect())
}

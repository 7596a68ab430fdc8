//! The two databases, and the little that is different about using them.
//!
//! Statements are written once for both: parameters as `$1`, numbers as 64 bits, yes and no as 1
//! and 0. [`read!`] and [`write!`] run the same code with either of them.

mod file;
mod joined;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

use std::path::Path;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType};

use crate::StoreError;
pub(crate) use file::create_private;
#[cfg(feature = "postgres")]
pub(crate) use postgres::{NAME, PostgresDatabase};
pub(crate) use sqlite::SqliteFile;

/// An open database.
#[derive(Debug)]
pub(crate) enum Database {
    Sqlite(SqliteFile),
    #[cfg(feature = "postgres")]
    Postgres(PostgresDatabase),
}

impl Database {
    pub(crate) async fn open(path: &Path) -> Result<Database, StoreError> {
        file::open(path).await.map(Database::Sqlite)
    }

    #[cfg(feature = "postgres")]
    pub(crate) async fn connect(url: &str, instance: i64) -> Result<Database, StoreError> {
        PostgresDatabase::connect(url, instance).await.map(Database::Postgres)
    }

    pub(crate) async fn close(&self) {
        match self {
            Database::Sqlite(file) => file.close().await,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => database.close().await,
        }
    }
}

/// Runs a query beside all others: `read!(database, executor => query.fetch_all(executor).await)`.
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

/// Runs statements in a transaction of their own, which is taken back if they fail. In the block,
/// which answers a `Result<_, StoreError>`, the connection is reborrowed with `&mut *connection`.
macro_rules! write {
    ($database:expr, $connection:ident => $block:block) => {
        match $database {
            $crate::database::Database::Sqlite(file) => {
                let mut writing = file.write().await?;
                let written: Result<_, $crate::StoreError> = async {
                    let $connection = writing.connection();
                    $block
                }
                .await;
                match written {
                    Ok(value) => writing.commit().await.map(|()| value).map_err(Into::into),
                    Err(error) => {
                        writing.roll_back().await;
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

fn migrations(scripts: &[(&'static str, &'static str)]) -> Vec<Migration> {
    let migration = |(number, &(name, script)): (i64, &(&'static str, &'static str))| {
        Migration::new(number, name.into(), MigrationType::Simple, script.into_sql_str(), false)
    };
    (1..).zip(scripts).map(migration).collect()
}

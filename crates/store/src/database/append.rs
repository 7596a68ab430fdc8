//! Bulk inserts, and the transactions of the log that run them.

use serde::Serialize;
use sqlx::AssertSqlSafe;

use super::Database;
#[cfg(feature = "postgres")]
use super::postgres::PostgresAppend;
use super::sqlite::SqliteTransaction;
use crate::StoreError;

/// An INSERT for any number of rows, or another statement with rows as its input.
///
/// The rows travel as one JSON parameter. So a statement is prepared once, and a batch of the log
/// takes a few trips to the database, however many rows it has.
#[derive(Debug)]
pub(crate) struct BulkInsert {
    sqlite: String,
    #[cfg(feature = "postgres")]
    postgres: String,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum ColumnType {
    /// Hexadecimal digits in JSON, bytes in SQL.
    Bytes,
    Integer,
    Text,
}

impl BulkInsert {
    /// `insert` reads the rows from a table named `input`, whose columns are the fields of the JSON
    /// objects.
    pub(crate) fn new(columns: &[(&str, ColumnType)], insert: &str) -> BulkInsert {
        let list = |column: fn(&str, ColumnType) -> String| -> String {
            let columns = columns.iter().map(|&(name, kind)| column(name, kind));
            columns.collect::<Vec<_>>().join(", ")
        };
        let sqlite = list(|name, kind| match kind {
            ColumnType::Bytes => format!("unhex(value ->> '{name}') AS {name}"),
            ColumnType::Integer | ColumnType::Text => format!("value ->> '{name}' AS {name}"),
        });
        #[cfg(feature = "postgres")]
        let postgres = list(|name, kind| match kind {
            ColumnType::Bytes => format!("decode({name}, 'hex') AS {name}"),
            ColumnType::Integer | ColumnType::Text => name.to_string(),
        });
        #[cfg(feature = "postgres")]
        let types = list(|name, kind| match kind {
            ColumnType::Integer => format!("{name} BIGINT"),
            ColumnType::Bytes | ColumnType::Text => format!("{name} TEXT"),
        });
        BulkInsert {
            // Unlike `json_each`, `jsonb_each` does not parse every row again for every column.
            sqlite: format!(
                "WITH input AS MATERIALIZED (SELECT {sqlite} FROM jsonb_each($1)) {insert}"
            ),
            #[cfg(feature = "postgres")]
            postgres: format!(
                "WITH input AS (
                     SELECT {postgres} FROM json_to_recordset($1::json) AS record ({types}))
                 {insert}"
            ),
        }
    }
}

/// A transaction on the connection that appends to the log.
pub(crate) enum AppendTransaction<'a> {
    Sqlite(SqliteTransaction<'a>),
    #[cfg(feature = "postgres")]
    Postgres(PostgresAppend<'a>),
}

/// Fetches the rows that a statement returns. A macro, because rows of the two databases have no trait
/// in common.
macro_rules! fetch {
    ($transaction:expr, $statement:expr, $rows:expr) => {{
        let rows = json($rows)?;
        Ok(match $transaction {
            AppendTransaction::Sqlite(transaction) => {
                sqlx::query_as(AssertSqlSafe($statement.sqlite.as_str()))
                    .bind(rows)
                    .fetch_all(transaction.connection())
                    .await?
            }
            #[cfg(feature = "postgres")]
            AppendTransaction::Postgres(transaction) => {
                sqlx::query_as(AssertSqlSafe($statement.postgres.as_str()))
                    .bind(rows)
                    .fetch_all(transaction.connection())
                    .await?
            }
        })
    }};
}

fn json(rows: &[impl Serialize]) -> Result<String, StoreError> {
    Ok(serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(error.into()))?)
}

impl Database {
    pub(crate) async fn begin_append(&self) -> Result<AppendTransaction<'_>, StoreError> {
        Ok(match self {
            Database::Sqlite(file) => AppendTransaction::Sqlite(file.begin().await?),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                AppendTransaction::Postgres(database.begin_append().await?)
            }
        })
    }
}

impl AppendTransaction<'_> {
    /// Inserts rows, and returns how many went in.
    pub(crate) async fn insert(
        &mut self,
        statement: &BulkInsert,
        rows: &[impl Serialize],
    ) -> Result<u64, StoreError> {
        if rows.is_empty() {
            return Ok(0);
        }
        let rows = json(rows)?;
        Ok(match self {
            AppendTransaction::Sqlite(transaction) => {
                let query = sqlx::query(AssertSqlSafe(statement.sqlite.as_str())).bind(rows);
                query.execute(transaction.connection()).await?.rows_affected()
            }
            #[cfg(feature = "postgres")]
            AppendTransaction::Postgres(transaction) => {
                let query = sqlx::query(AssertSqlSafe(statement.postgres.as_str())).bind(rows);
                query.execute(transaction.connection()).await?.rows_affected()
            }
        })
    }

    /// Runs a statement that returns identities and texts.
    pub(crate) async fn fetch_addresses(
        &mut self,
        statement: &BulkInsert,
        rows: &[impl Serialize],
    ) -> Result<Vec<(i64, Option<String>)>, StoreError> {
        fetch!(self, statement, rows)
    }

    /// Runs a statement that returns rows of `daily_games`.
    pub(crate) async fn fetch_daily_games(
        &mut self,
        statement: &BulkInsert,
        rows: &[impl Serialize],
    ) -> Result<Vec<(i64, i64, String, i64)>, StoreError> {
        fetch!(self, statement, rows)
    }

    /// Locks leagues against results of other servers until the end of the transaction. On SQLite
    /// the transaction itself is such a lock.
    pub(crate) async fn lock_leagues(&mut self, leagues: &[i64]) -> Result<(), StoreError> {
        #[cfg(feature = "postgres")]
        if let AppendTransaction::Postgres(transaction) = self {
            sqlx::query("SELECT id FROM leagues WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE")
                .bind(leagues)
                .execute(transaction.connection())
                .await?;
        }
        #[cfg(not(feature = "postgres"))]
        let _ = leagues;
        Ok(())
    }

    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            AppendTransaction::Sqlite(transaction) => transaction.commit().await?,
            #[cfg(feature = "postgres")]
            AppendTransaction::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }

    pub(crate) async fn roll_back(self) {
        match self {
            AppendTransaction::Sqlite(transaction) => transaction.roll_back().await,
            #[cfg(feature = "postgres")]
            AppendTransaction::Postgres(transaction) => transaction.roll_back().await,
        }
    }
}

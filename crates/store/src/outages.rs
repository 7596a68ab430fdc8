//! When servers were there, and when none was.

#[cfg(feature = "postgres")]
use crate::database::NAME;
use crate::database::{Database, read, write};
use crate::{Store, StoreError};

/// A time in which no server was there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// When a server was last there, in milliseconds since 1970.
    pub began: i64,
    /// When one was there again.
    pub ended: i64,
}

/// Servers that have not been there for so long are forgotten.
const FORGOTTEN: i64 = 24 * 3600 * 1000;

/// Outages of games that may still be played are remembered for so long.
const REMEMBERED: i64 = 30 * 24 * 3600 * 1000;

impl Store {
    /// Notes that a server begins, which uses this store, and answers whether another one seems to be
    /// there. If none was, the time since the last one was is an outage.
    ///
    /// Another one seems to be there if it was within the last `tolerance` milliseconds and has not
    /// said goodbye. With PostgreSQL it must also be connected to the database, and then it is there;
    /// a file is one server's alone, so there the other one may just as well have been killed.
    pub async fn begin_serving(&self, at: i64, tolerance: i64) -> Result<bool, StoreError> {
        let recent = at - tolerance;
        let others: i64 = match &*self.database {
            Database::Sqlite(file) => {
                sqlx::query_scalar(
                    "SELECT count(*) FROM servers WHERE stopped = 0 AND at >= $1 AND id <> $2",
                )
                .bind(recent)
                .bind(self.instance)
                .fetch_one(file.readers())
                .await?
            }
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                sqlx::query_scalar(
                    "SELECT count(*) FROM servers
                     WHERE stopped = 0 AND at >= $1 AND id <> $2 AND EXISTS (
                         SELECT 1 FROM pg_stat_activity
                         WHERE datname = current_database() AND application_name = $3 || to_hex(id))",
                )
                .bind(recent)
                .bind(self.instance)
                .bind(NAME)
                .fetch_one(database.pool())
                .await?
            }
        };
        let is_shared = others > 0 && self.path().is_none();
        self.beat(at, if is_shared { tolerance } else { 0 }, false).await?;
        Ok(others > 0)
    }

    /// Notes that the server is there. If for longer than `tolerance` milliseconds none was, that
    /// was an outage.
    pub async fn keep_serving(&self, at: i64, tolerance: i64) -> Result<(), StoreError> {
        self.beat(at, tolerance, false).await
    }

    /// Notes that the server ends.
    pub async fn end_serving(&self, at: i64) -> Result<(), StoreError> {
        self.beat(at, i64::MAX, true).await
    }

    /// The outages that ended after a time.
    pub async fn outages(&self, since: i64) -> Result<Vec<Outage>, StoreError> {
        let rows: Vec<(i64, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT began, ended FROM outages WHERE ended > $1 ORDER BY began",
        )
        .bind(since)
        .fetch_all(executor)
        .await)?;
        Ok(rows.into_iter().map(|(began, ended)| Outage { began, ended }).collect())
    }

    async fn beat(&self, at: i64, tolerance: i64, stopped: bool) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let last: (Option<i64>,) = sqlx::query_as("SELECT max(at) FROM servers")
                .fetch_one(&mut *connection)
                .await?;
            if let Some(last) = last.0.filter(|last| at.saturating_sub(*last) > tolerance) {
                sqlx::query(
                    "INSERT INTO outages (began, ended) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                )
                .bind(last)
                .bind(at)
                .execute(&mut *connection)
                .await?;
                sqlx::query("DELETE FROM outages WHERE ended < $1")
                    .bind(at - REMEMBERED)
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("DELETE FROM servers WHERE at < $1")
                    .bind(last.min(at - FORGOTTEN))
                    .execute(&mut *connection)
                    .await?;
            }
            sqlx::query(
                "INSERT INTO servers (id, at, stopped) VALUES ($1, $2, $3)
                 ON CONFLICT (id) DO UPDATE SET at = $2, stopped = $3",
            )
            .bind(self.instance)
            .bind(at)
            .bind(i64::from(stopped))
            .execute(&mut *connection)
            .await?;
            Ok(())
        })
    }
}

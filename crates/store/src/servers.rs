//! Heartbeats of servers, and outages: times in which no server was running.

#[cfg(feature = "postgres")]
use crate::database::APPLICATION_NAME_PREFIX;
use crate::database::{Database, MIGRATIONS, SqliteFile, read, write};
use crate::{Store, StoreError};

/// A time in which no server was running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    /// The last heartbeat before it, in milliseconds since 1970.
    pub began: i64,
    /// The first heartbeat after it.
    pub ended: i64,
}

/// How long servers without a heartbeat stay in the table, in milliseconds.
const SERVER_RETENTION: i64 = 24 * 3600 * 1000;

/// The migration that introduced folded games.
const FOLDING_MIGRATION: i64 = 4;

/// How long outages are kept for games that are still being played, in milliseconds.
const OUTAGE_RETENTION: i64 = 30 * 24 * 3600 * 1000;

impl Store {
    /// The database's clock, in milliseconds since 1970; `None` for a file, which has none.
    pub async fn clock(&self) -> Result<Option<i64>, StoreError> {
        match &*self.database {
            Database::Sqlite(_) => Ok(None),
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                let now = sqlx::query_scalar(
                    "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
                );
                Ok(Some(now.fetch_one(database.pool()).await?))
            }
        }
    }

    /// Claims a file for a server, until this process ends or the store is closed. A PostgreSQL
    /// database is for any number of servers.
    ///
    /// # Errors
    ///
    /// Refuses a file that another server uses.
    pub fn lock_for_server(&self) -> Result<(), StoreError> {
        self.database.sqlite().map_or(Ok(()), SqliteFile::lock_for_server)
    }

    /// Registers a server that starts. If no other was running, the time since the last heartbeat is
    /// an outage. On PostgreSQL another server is running if it had a heartbeat within the last
    /// `tolerance` milliseconds, was not stopped and is connected.
    ///
    /// Heartbeats and outages after `at` come from a clock that was wrong, and are cut off.
    ///
    /// # Errors
    ///
    /// Refuses a file that another server uses.
    pub async fn register_server(&self, at: i64, tolerance: i64) -> Result<(), StoreError> {
        self.lock_for_server()?;
        let others: i64 = match &*self.database {
            Database::Sqlite(_) => 0,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => {
                sqlx::query_scalar(
                    "SELECT count(*) FROM servers
                     WHERE stopped = 0 AND seen_at >= $1 AND id <> $2 AND EXISTS (
                         SELECT 1 FROM pg_stat_activity
                         WHERE datname = current_database() AND application_name = $3 || to_hex(id))",
                )
                .bind(at - tolerance)
                .bind(self.instance)
                .bind(APPLICATION_NAME_PREFIX)
                .fetch_one(database.pool())
                .await?
            }
        };
        self.cut_off_future(at).await?;
        self.write_heartbeat(at, if others > 0 { tolerance } else { 0 }, false).await
    }

    /// Whether every server that had a heartbeat after a time, and was not stopped, knows the folding of
    /// games. Servers of earlier versions can't read folded games.
    pub async fn all_servers_unfold(&self, since: i64) -> Result<bool, StoreError> {
        let others: i64 = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT count(*) FROM servers
             WHERE stopped = 0 AND seen_at >= $1 AND coalesce(schema, 0) < $2",
        )
        .bind(since)
        .bind(FOLDING_MIGRATION)
        .fetch_one(executor)
        .await)?;
        Ok(others == 0)
    }

    async fn cut_off_future(&self, at: i64) -> Result<(), StoreError> {
        const STATEMENTS: [&str; 3] = [
            "UPDATE servers SET seen_at = $1 WHERE seen_at > $1",
            "DELETE FROM outages WHERE began_at >= $1",
            "UPDATE outages SET ended_at = $1 WHERE ended_at > $1",
        ];
        write!(&*self.database, connection => {
            for statement in STATEMENTS {
                sqlx::query(statement).bind(at).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }

    /// Stores a heartbeat. If no server had one for more than `tolerance` milliseconds, that was an
    /// outage.
    pub async fn heartbeat(&self, at: i64, tolerance: i64) -> Result<(), StoreError> {
        self.write_heartbeat(at, tolerance, false).await
    }

    /// Marks the server as stopped.
    pub async fn stop_server(&self, at: i64) -> Result<(), StoreError> {
        self.write_heartbeat(at, i64::MAX, true).await
    }

    /// The outages that ended after a time.
    pub async fn outages(&self, since: i64) -> Result<Vec<Outage>, StoreError> {
        let rows: Vec<(i64, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT began_at, ended_at FROM outages WHERE ended_at > $1 ORDER BY began_at",
        )
        .bind(since)
        .fetch_all(executor)
        .await)?;
        Ok(rows.into_iter().map(|(began, ended)| Outage { began, ended }).collect())
    }

    async fn write_heartbeat(
        &self,
        at: i64,
        tolerance: i64,
        stopped: bool,
    ) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            let (last,): (Option<i64>,) = sqlx::query_as("SELECT max(seen_at) FROM servers")
                .fetch_one(&mut *connection)
                .await?;
            if let Some(last) = last.filter(|last| at.saturating_sub(*last) > tolerance) {
                sqlx::query(
                    "INSERT INTO outages (began_at, ended_at) VALUES ($1, $2)
                     ON CONFLICT DO NOTHING",
                )
                .bind(last)
                .bind(at)
                .execute(&mut *connection)
                .await?;
                sqlx::query("DELETE FROM outages WHERE ended_at < $1")
                    .bind(at - OUTAGE_RETENTION)
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("DELETE FROM servers WHERE seen_at < $1")
                    .bind(last.min(at - SERVER_RETENTION))
                    .execute(&mut *connection)
                    .await?;
            }
            sqlx::query(
                "INSERT INTO servers (id, seen_at, stopped, schema) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (id) DO UPDATE SET seen_at = $2, stopped = $3, schema = $4",
            )
            .bind(self.instance)
            .bind(at)
            .bind(i64::from(stopped))
            .bind(MIGRATIONS as i64)
            .execute(&mut *connection)
            .await?;
            Ok(())
        })
    }
}

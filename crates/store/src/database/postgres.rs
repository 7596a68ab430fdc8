//! Connecting to PostgreSQL.

use std::time::{Duration, Instant};

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};
use tokio::sync::{Mutex, MutexGuard};

use crate::StoreError;

/// The prefix of a connection's application name, before the number of the instance. Servers see by
/// it which others are connected.
pub(crate) const APPLICATION_NAME_PREFIX: &str = "noughts-";

const MAX_CONNECTIONS: u32 = 8;

/// How long to wait for a connection while the database is down or busy.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

const CONNECT_RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The appending connection plans each statement once, perhaps while the tables are empty. These
/// settings keep it from choosing full scans of tables that will grow.
const PLANNER_SETTINGS: [(&str, &str); 5] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
];

/// A connected database.
#[derive(Debug)]
pub(crate) struct PostgresDatabase {
    pool: PgPool,
    options: Box<PgConnectOptions>,
    /// The connection that appends to the log. Unlike the pool's, it is not tested before use, which
    /// would cost every commit a round trip. `None` before the first use, and after a failure.
    appender: Mutex<Option<PgConnection>>,
}

impl PostgresDatabase {
    /// Connects as an instance of the program.
    pub(super) async fn connect(url: &str, instance: i64) -> Result<PostgresDatabase, StoreError> {
        let options: PgConnectOptions = url.parse().map_err(StoreError::Url)?;
        let options = options
            .application_name(&format!("{APPLICATION_NAME_PREFIX}{instance:x}"))
            // Acknowledged commits are on the disk, whatever the database's default.
            .options([("synchronous_commit", "on")])
            .disable_statement_logging();
        // A single connection first: its errors are more specific than the pool's.
        let mut connection = connect_with_retries(&options).await?;
        migrate(&mut connection).await?;
        connection.close().await?;
        let pool = PgPoolOptions::new()
            .max_connections(MAX_CONNECTIONS)
            .acquire_timeout(CONNECT_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        Ok(PostgresDatabase { pool, options: Box::new(options), appender: Mutex::default() })
    }

    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Begins a transaction on the appending connection.
    pub(super) async fn begin_append(&self) -> Result<PostgresAppend<'_>, sqlx::Error> {
        let mut slot = self.appender.lock().await;
        let connection = match slot.take() {
            Some(connection) => connection,
            None => self.options.clone().options(PLANNER_SETTINGS).connect().await?,
        };
        let mut transaction = PostgresAppend { slot, connection };
        sqlx::query("BEGIN").execute(transaction.connection()).await?;
        Ok(transaction)
    }

    pub(super) async fn close(&self) {
        *self.appender.lock().await = None;
        self.pool.close().await;
    }
}

/// A transaction of the appending connection. Dropping it halfway closes the connection, which rolls
/// back.
pub(crate) struct PostgresAppend<'a> {
    slot: MutexGuard<'a, Option<PgConnection>>,
    connection: PgConnection,
}

impl PostgresAppend<'_> {
    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    pub(super) async fn commit(mut self) -> Result<(), sqlx::Error> {
        sqlx::query("COMMIT").execute(self.connection()).await?;
        self.release();
        Ok(())
    }

    pub(super) async fn roll_back(mut self) {
        // Where this fails, dropping the connection rolls back.
        if sqlx::query("ROLLBACK").execute(self.connection()).await.is_ok() {
            self.release();
        }
    }

    /// Keeps the connection for the next transaction.
    fn release(mut self) {
        *self.slot = Some(self.connection);
    }
}

/// Opens the first connection. The database may still be starting.
async fn connect_with_retries(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let deadline = Instant::now() + CONNECT_TIMEOUT;
    loop {
        match options.connect().await {
            Err(sqlx::Error::Io(error)) if Instant::now() + CONNECT_RETRY_INTERVAL > deadline => {
                let place = format!("{}:{}", options.get_host(), options.get_port());
                return Err(StoreError::Unreachable { place, error });
            }
            Err(sqlx::Error::Io(_)) => tokio::time::sleep(CONNECT_RETRY_INTERVAL).await,
            connected => return Ok(connected?),
        }
    }
}

/// PostgreSQL's code for a missing right.
const INSUFFICIENT_PRIVILEGE: &str = "42501";

/// Whether all steps were applied, and no others. The role of a server may see that, but not create
/// tables, not even those that exist.
async fn is_migrated(migrator: &Migrator, connection: &mut PgConnection) -> bool {
    let steps = "SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version";
    let applied: Vec<(i64, Vec<u8>)> =
        sqlx::query_as(steps).fetch_all(connection).await.unwrap_or_default();
    let known = migrator.iter().map(|step| (step.version, step.checksum.to_vec()));
    known.eq(applied)
}

/// Creates or upgrades the tables, under a lock against other servers that start at the same time.
async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let migrator = super::migrator([
        ("schema", include_str!("../../migrations/postgres.sql")),
        ("accounts", include_str!("../../migrations/0002_accounts.postgres.sql")),
        ("ratings", include_str!("../../migrations/0003_ratings.postgres.sql")),
        ("retention", include_str!("../../migrations/0004_retention.postgres.sql")),
        ("partitions", include_str!("../../migrations/0005_partitions.postgres.sql")),
        ("unfinished games", include_str!("../../migrations/0006_unfinished_games.postgres.sql")),
        ("puzzles", include_str!("../../migrations/0007_puzzles.postgres.sql")),
        ("rating snapshots", include_str!("../../migrations/0008_rating_snapshots.postgres.sql")),
        ("tournaments", include_str!("../../migrations/0009_tournaments.postgres.sql")),
        ("people", include_str!("../../migrations/0010_people.postgres.sql")),
    ]);
    if is_migrated(&migrator, connection).await {
        return Ok(());
    }
    let migrated = migrator.run_direct(None, connection, false).await;
    if migrated.is_err() {
        // The caller may keep the connection, which must not keep the lock.
        let _ = connection.unlock().await;
    }
    migrated.map_err(|error| match error {
        MigrateError::VersionMissing(_) => StoreError::Newer { place: "the database".into() },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
            match error.as_database_error().and_then(|error| error.code()).as_deref() {
                Some(INSUFFICIENT_PRIVILEGE) => StoreError::NotOwner,
                _ => error.into(),
            }
        }
        _ => StoreError::Damaged { place: "the database".into() },
    })
}

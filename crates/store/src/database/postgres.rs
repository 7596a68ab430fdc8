//! Connecting to PostgreSQL.

use std::time::{Duration, Instant};

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool};
use tokio::sync::{Mutex, MutexGuard};

use crate::StoreError;

/// What connections are called, before the number of the instance: others see by it who is there.
pub(crate) const NAME: &str = "noughts-";

const CONNECTIONS: u32 = 8;

/// How long somebody waits for a connection while the database is away or busy.
const PATIENCE: Duration = Duration::from_secs(5);

/// The appending connection plans each statement once, perhaps when the tables are empty. It must
/// not conclude that they are best read from end to end, because they grow.
const PLANNING: [(&str, &str); 5] = [
    ("plan_cache_mode", "force_generic_plan"),
    ("enable_seqscan", "off"),
    ("enable_bitmapscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
];

const SCRIPTS: &[(&str, &str)] = &[
    ("games and results", include_str!("../../migrations/postgres/0001_games_and_results.sql")),
    ("serving", include_str!("../../migrations/postgres/0002_serving.sql")),
    ("numbers", include_str!("../../migrations/postgres/0003_numbers.sql")),
    ("names", include_str!("../../migrations/postgres/0004_names.sql")),
];

/// A database that answers.
#[derive(Debug)]
pub(crate) struct PostgresDatabase {
    pool: PgPool,
    options: Box<PgConnectOptions>,
    /// The connection that appends to the log. Unlike those of the pool it is not tried before it
    /// is used, which would cost every commit a trip. Empty before the first use, and after a
    /// failure.
    appender: Mutex<Option<PgConnection>>,
}

impl PostgresDatabase {
    /// Connects as this instance of the program.
    pub(super) async fn connect(url: &str, instance: i64) -> Result<PostgresDatabase, StoreError> {
        let options: PgConnectOptions = url.parse().map_err(StoreError::Url)?;
        let options = options
            .application_name(&format!("{NAME}{instance:x}"))
            // What is acknowledged is on the disk, whatever the database's default is.
            .options([("synchronous_commit", "on")])
            .disable_statement_logging();
        // One by itself first, because a pool says in the end only that it waited in vain.
        let mut connection = reach(&options).await?;
        migrate(&mut connection).await?;
        connection.close().await?;
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(PATIENCE)
            .connect_with(options.clone())
            .await?;
        Ok(PostgresDatabase { pool, options: Box::new(options), appender: Mutex::default() })
    }

    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Waits for the appending connection.
    pub(crate) async fn appender(&self) -> Result<Appender<'_>, sqlx::Error> {
        let mut slot = self.appender.lock().await;
        let connection = match slot.take() {
            Some(connection) => connection,
            None => self.options.clone().options(PLANNING).connect().await?,
        };
        Ok(Appender { slot, connection })
    }

    pub(super) async fn close(&self) {
        *self.appender.lock().await = None;
        self.pool.close().await;
    }
}

/// The appending connection. It is dropped, with whatever it was doing, unless it is put back.
pub(crate) struct Appender<'a> {
    slot: MutexGuard<'a, Option<PgConnection>>,
    connection: PgConnection,
}

impl Appender<'_> {
    pub(crate) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// Leaves the connection, with nothing under way, to the next one.
    pub(crate) fn put_back(mut self) {
        *self.slot = Some(self.connection);
    }
}

/// Brings the tables up to date, under a lock, so that of several servers that start at once one
/// does the work.
/// The first connection. The database may be starting as well.
async fn reach(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    const PAUSE: Duration = Duration::from_millis(250);
    let end = Instant::now() + PATIENCE;
    loop {
        match options.connect().await {
            Err(sqlx::Error::Io(error)) if Instant::now() + PAUSE > end => {
                let place = format!("{}:{}", options.get_host(), options.get_port());
                return Err(StoreError::Unreachable { place, error });
            }
            Err(sqlx::Error::Io(_)) => tokio::time::sleep(PAUSE).await,
            connected => return Ok(connected?),
        }
    }
}

async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let migrator = Migrator::with_migrations(super::migrations(SCRIPTS));
    let migrated = migrator.run_direct(None, connection, false).await;
    if migrated.is_err() {
        // The connection goes back to the pool, and must not keep the lock.
        let _ = connection.unlock().await;
    }
    migrated.map_err(|error| match error {
        MigrateError::VersionMissing(_) => StoreError::Newer { place: "the database".into() },
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        _ => StoreError::Damaged { place: "the database".into() },
    })
}

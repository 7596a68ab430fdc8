//! Connecting to PostgreSQL.

use std::time::Duration;

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, PgConnection, PgPool};

use crate::StoreError;

const CONNECTIONS: u32 = 8;

/// How long somebody waits for a connection while the database is away or busy.
const PATIENCE: Duration = Duration::from_secs(5);

const SCRIPTS: &[(&str, &str)] =
    &[("games and results", include_str!("../../migrations/postgres/0001_games_and_results.sql"))];

pub(super) async fn connect(url: &str) -> Result<PgPool, StoreError> {
    let options: PgConnectOptions = url.parse().map_err(StoreError::Url)?;
    let options = options
        .application_name("noughts")
        // What is acknowledged is on the disk, whatever the database's default is.
        .options([("synchronous_commit", "on")])
        .disable_statement_logging();
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(PATIENCE)
        .connect_with(options)
        .await?;
    let mut connection = pool.acquire().await?;
    migrate(&mut connection).await?;
    drop(connection);
    Ok(pool)
}

/// Brings the tables up to date, under a lock, so that of several servers that start at once one
/// does the work.
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

//! Opening the file, whatever is found in its place.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::SqliteFile;
use super::sqlite::PATIENCE;
use crate::StoreError;

/// Tells our files from those of other programs; see "application_id" in SQLite's file format.
const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Nght");

/// How long one that must not wait for the other lets pass before it tries again.
const PAUSE: Duration = Duration::from_millis(20);

/// Whole files are checked up to this size when they are opened; larger ones as they are read.
const CHECKED_BYTES: u64 = 64 << 20;

const READERS: u32 = 4;

/// What each of them keeps of the file, in KiB where it is negative: the system keeps it for all.
const CACHE: &str = "-512";

const SCRIPTS: &[(&str, &str)] = &[
    ("games and results", include_str!("../../migrations/sqlite/0001_games_and_results.sql")),
    ("online", include_str!("../../migrations/sqlite/0002_online.sql")),
    ("serving", include_str!("../../migrations/sqlite/0003_serving.sql")),
    ("numbers", include_str!("../../migrations/sqlite/0004_numbers.sql")),
    ("names", include_str!("../../migrations/sqlite/0005_names.sql")),
];

pub(super) async fn open(path: &Path) -> Result<SqliteFile, StoreError> {
    let start = Instant::now();
    loop {
        // SQLite does not wait where two who wait could block each other, as when several programs
        // make one file at once: then it is theirs to try again.
        match open_once(path).await {
            Err(error) if error.is_busy() && start.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            opened => return opened,
        }
    }
}

async fn open_once(path: &Path) -> Result<SqliteFile, StoreError> {
    let size = check_header(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .disable_statement_logging();
    let failed = |error| StoreError::from_database(path, error);
    if size == 0 {
        mark_as_ours(&options).await.map_err(failed)?;
    }
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        // A connection to a file is not lost while nobody looks.
        .test_before_acquire(false)
        // Whoever waits in vain says so; a crowd that comes all at once need not fill the log.
        .acquire_slow_threshold(PATIENCE)
        .connect_with(options.clone().pragma("cache_size", CACHE))
        .await;
    let pool = pool.map_err(failed)?;
    if size <= CHECKED_BYTES {
        let verdict: String =
            sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&pool).await.map_err(failed)?;
        if verdict != "ok" {
            return Err(StoreError::damaged(path));
        }
    }
    let file = SqliteFile::new(path.to_path_buf(), options, pool);
    migrate(&file).await?;
    Ok(file)
}

/// Makes an empty file that only its owner can read: hashes of passwords come to stand in it.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Looks at the file without the database's help, which might change it. Answers its size.
fn check_header(path: &Path) -> Result<u64, StoreError> {
    let file_error = |error| StoreError::File { path: path.to_path_buf(), error };
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(file_error)?;
            }
            return match create_private(path) {
                // Somebody else was quicker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(0),
                made => made.map(|()| 0).map_err(file_error),
            };
        }
        Err(error) => return Err(file_error(error)),
    };
    let size = file.metadata().map_err(file_error)?.len();
    if size == 0 {
        return Ok(0);
    }
    let mut header = [0; 72];
    let is_ours = match file.read_exact(&mut header) {
        Ok(()) => {
            header.starts_with(b"SQLite format 3\0") && header[68..] == APPLICATION_ID.to_be_bytes()
        }
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
        Err(error) => return Err(file_error(error)),
    };
    if is_ours { Ok(size) } else { Err(StoreError::NotAStore { path: path.to_path_buf() }) }
}

/// Writes our mark into a new file before anything else, and before the write-ahead log is turned
/// on, so that it is in the file itself whatever happens afterwards.
async fn mark_as_ours(options: &SqliteConnectOptions) -> Result<(), sqlx::Error> {
    let mut connection = options.connect().await?;
    let mark = sqlx::AssertSqlSafe(format!("PRAGMA application_id = {APPLICATION_ID}"));
    sqlx::query(mark).execute(&mut connection).await?;
    connection.close().await
}

/// Brings the tables up to date, under a lock, so that of two programs that start at once the
/// second finds the work done.
async fn migrate(file: &SqliteFile) -> Result<(), StoreError> {
    let failed = |error| StoreError::from_database(file.path(), error);
    let mut transaction = file.readers().begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    // `run` does the same, but what it returns can not be sent to another thread.
    let migrator = Migrator::with_migrations(super::migrations(SCRIPTS));
    let migrated = migrator.run_direct(None, &mut *transaction, false).await;
    match migrated {
        Ok(()) => transaction.commit().await.map_err(failed),
        Err(MigrateError::VersionMissing(_)) => {
            Err(StoreError::Newer { place: file.path().display().to_string() })
        }
        Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => {
            Err(failed(error))
        }
        Err(_) => Err(StoreError::damaged(file.path())),
    }
}

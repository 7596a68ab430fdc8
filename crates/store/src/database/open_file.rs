//! Opening a file safely: foreign, damaged and newer files are left untouched.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::migrate::MigrateError;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::SqliteFile;
use super::sqlite::BUSY_TIMEOUT;
use crate::StoreError;

/// Marks our files; see "application ID" in SQLite's file format.
const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Nght");

const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// Files up to this size are checked as a whole when they are opened, larger ones as they are read.
const MAX_CHECKED_BYTES: u64 = 64 << 20;

const READERS: u32 = 4;

/// The page cache of a reader, in KiB where negative. The system caches the file for all of them.
const READER_CACHE_SIZE: &str = "-512";

pub(super) async fn open(path: &Path) -> Result<SqliteFile, StoreError> {
    let start = Instant::now();
    loop {
        // SQLite reports "busy" at once where waiting could deadlock, as when several programs create
        // the same file.
        match open_once(path).await {
            Err(error) if error.is_busy() && start.elapsed() < BUSY_TIMEOUT => {
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            opened => return opened,
        }
    }
}

/// Opens a file that can't be written, or whose folder can't. It must have been closed in order: what
/// is in a write-ahead log beside it can't be read without writing.
pub(super) async fn open_read_only(path: &Path) -> Result<SqliteFile, StoreError> {
    let read_only = || StoreError::ReadOnly { path: path.into() };
    if !path.exists() || check_header(path)? == 0 {
        return Err(read_only());
    }
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if fs::metadata(log).is_ok_and(|log| log.len() > 0) {
        return Err(read_only());
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .immutable(true)
        .disable_statement_logging();
    let failed = |error| StoreError::from_database(path, error);
    let readers = SqlitePoolOptions::new().max_connections(READERS);
    let pool = readers.connect_with(options.clone()).await.map_err(failed)?;
    let version: i64 = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&pool)
        .await
        .map_err(failed)?;
    match usize::try_from(version).is_ok_and(|version| version <= super::MIGRATIONS) {
        true => Ok(SqliteFile::new(path.to_path_buf(), options, pool)),
        false => Err(StoreError::Newer { place: path.display().to_string() }),
    }
}

async fn open_once(path: &Path) -> Result<SqliteFile, StoreError> {
    let size = check_header(path)?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging();
    let failed = |error| StoreError::from_database(path, error);
    if size == 0 {
        write_application_id(&options).await.map_err(failed)?;
    }
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(synchronous());
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        // A connection to a file does not get lost while idle.
        .test_before_acquire(false)
        // A burst of readers need not fill the log: a timeout is an error anyway.
        .acquire_slow_threshold(BUSY_TIMEOUT)
        .connect_with(options.clone().pragma("cache_size", READER_CACHE_SIZE))
        .await;
    let pool = pool.map_err(failed)?;
    if size <= MAX_CHECKED_BYTES {
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

/// Every commit is on the disk when it returns. The tests of power cuts set less in debug builds, to find out
/// whether they would notice.
fn synchronous() -> SqliteSynchronous {
    let setting = std::env::var_os("NOUGHTS_TEST_SYNCHRONOUS");
    match setting.filter(|_| cfg!(debug_assertions)) {
        Some(setting) if setting == "normal" => SqliteSynchronous::Normal,
        _ => SqliteSynchronous::Full,
    }
}

/// Creates an empty file that only its owner can read: it will hold password hashes.
pub(crate) fn create_private(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

/// Checks the header without SQLite, which might change the file. Returns the file's size.
fn check_header(path: &Path) -> Result<u64, StoreError> {
    let file_error = |error| StoreError::File { path: path.to_path_buf(), error };
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(file_error)?;
            }
            return match create_private(path) {
                // Another program was faster.
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

/// Writes the application ID into a new file before the write-ahead log is turned on, so that it is
/// in the file itself whatever happens afterwards.
async fn write_application_id(options: &SqliteConnectOptions) -> Result<(), sqlx::Error> {
    let mut connection = options.connect().await?;
    let mark = sqlx::AssertSqlSafe(format!("PRAGMA application_id = {APPLICATION_ID}"));
    sqlx::query(mark).execute(&mut connection).await?;
    connection.close().await
}

/// Creates or upgrades the tables, under a lock against other programs that start at the same time.
async fn migrate(file: &SqliteFile) -> Result<(), StoreError> {
    let failed = |error| StoreError::from_database(file.path(), error);
    let mut transaction = file.readers().begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    // Not `run`: its future is not `Send`.
    let migrator = super::migrator([
        ("schema", include_str!("../../migrations/sqlite.sql")),
        ("accounts", include_str!("../../migrations/0002_accounts.sqlite.sql")),
        ("ratings", include_str!("../../migrations/0003_ratings.sqlite.sql")),
        ("retention", include_str!("../../migrations/0004_retention.sqlite.sql")),
        ("partitions", include_str!("../../migrations/0005_partitions.sqlite.sql")),
        ("unfinished games", include_str!("../../migrations/0006_unfinished_games.sqlite.sql")),
        ("puzzles", include_str!("../../migrations/0007_puzzles.sqlite.sql")),
        ("rating snapshots", include_str!("../../migrations/0008_rating_snapshots.sqlite.sql")),
        ("tournaments", include_str!("../../migrations/0009_tournaments.sqlite.sql")),
        ("people", include_str!("../../migrations/0010_people.sqlite.sql")),
    ]);
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

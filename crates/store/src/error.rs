//! Why something could not be stored or found.

use std::path::{Path, PathBuf};

use noughts_scores::{ReportError, ResultError, ResultId, RetractError, System};

/// Why something could not be stored or found. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is something else.
    #[error("{} is not a file of Noughts: choose another with --data", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file is from a later version of the program.
    #[error("{place} was written by a newer version of Noughts: update this one to use it")]
    Newer {
        /// The file or the database.
        place: String,
    },
    /// The file can't be read any more.
    #[error("{place} is damaged: restore it from a backup, or choose another with --data")]
    Damaged {
        /// The file or the database.
        place: String,
    },
    /// The file or its folder can't be read or written.
    #[error("can't use {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file or its folder can't be written to, which even reading needs.
    #[error("can't use {}: the file or its folder is read-only; a copy of it can be used", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The address of the database makes no sense.
    #[error("expected the database's address as postgres://USER:PASSWORD@HOST/DATABASE: {0}")]
    Url(sqlx::Error),
    /// Nobody answers where the database should be.
    #[error("can't reach the database at {place}: {error}")]
    Unreachable {
        /// Its host and port.
        place: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// There is a league of that name already.
    #[error("there is a league {name} already, with the rating system {system}")]
    LeagueExists {
        /// The name.
        name: String,
        /// Its rating system.
        system: System,
    },
    /// A league has no name, or one that is too long.
    #[error("expected a league's name of 1 to 64 characters without control characters")]
    LeagueName,
    /// Games of the terminal don't count in leagues of the server, nor the other way round.
    #[error("the league {name} is {}", if *online { "the server's: only online games count in it" } else { "for games at the terminal: online games don't count in it" })]
    OtherLeague {
        /// The league.
        name: String,
        /// Whether it is one of the server.
        online: bool,
    },
    /// The game is not over, so it has no result.
    #[error("the game is not over, so it does not count yet")]
    NotOver,
    /// The players of the game can't have a result together.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The league can't rate the result.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// There is no such result, or it was retracted before.
    #[error(transparent)]
    Retract(#[from] RetractError),
    /// The name could be taken for that of somebody else.
    #[error("the name {name} is taken, or looks like one that is")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Only guests can become accounts.
    #[error("this is not a guest")]
    NotAGuest,
    /// Only accounts have passwords.
    #[error("this is not an account")]
    NotAnAccount,
    /// The store is not a file.
    #[error("PostgreSQL has tools of its own for backups, such as pg_dump and pg_basebackup")]
    NoFile,
    /// Others were faster again and again.
    #[error("too many servers write to the same games")]
    Contended,
    /// The database failed in another way.
    #[error("the database failed: {0}")]
    Database(sqlx::Error),
    /// The file failed in another way while something was appended to the log.
    #[error("the database failed: {0}")]
    Appending(rusqlite::Error),
}

impl StoreError {
    /// Whether the database went away or was in a tangle, so that the same may work in a moment.
    pub(crate) fn may_pass(&self) -> bool {
        let StoreError::Database(error) = self else { return false };
        match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => true,
            // PostgreSQL: connection exceptions, shutting down or starting up, serialisation
            // failures and deadlocks.
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                code.len() == 5 && ["08", "57P", "40"].iter().any(|prefix| code.starts_with(prefix))
            }),
            _ => false,
        }
    }

    /// Whether SQLite gave up because another program, or another connection, has the file.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let code = match self {
            StoreError::Database(error) => {
                let code = error.as_database_error().and_then(|error| error.code());
                code.and_then(|code| code.parse::<i32>().ok())
            }
            StoreError::Appending(error) => error.sqlite_error().map(|error| error.extended_code),
            _ => None,
        };
        // SQLITE_BUSY and SQLITE_LOCKED, with what extends them in the higher bits.
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    }

    pub(crate) fn damaged(path: &Path) -> StoreError {
        StoreError::Damaged { place: path.display().to_string() }
    }

    pub(crate) fn unknown_result(id: ResultId) -> StoreError {
        StoreError::Retract(RetractError::Unknown(id))
    }

    /// What the database's own error means for a file.
    pub(crate) fn from_database(path: &Path, error: sqlx::Error) -> StoreError {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            // SQLITE_CORRUPT and SQLITE_NOTADB.
            Some("11" | "26") => StoreError::damaged(path),
            // SQLITE_READONLY with what extends it, and SQLITE_CANTOPEN.
            Some("8" | "14" | "264" | "520" | "776" | "1032" | "1288" | "1544") => {
                StoreError::ReadOnly { path: path.into() }
            }
            _ => StoreError::Database(error),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Appending(error)
    }
}

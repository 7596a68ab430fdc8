//! Errors of the store.

use std::path::{Path, PathBuf};

use crate::RecordId;
use noughts_scores::{ReportError, ResultError, ResultId, RetractError, System};

/// Why an operation of the store failed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was not written by this program.
    #[error("{} is not a file of Noughts: choose another with --data", path.display())]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of the program wrote the file or database.
    #[error("{place} was written by a newer version of Noughts: update this one to use it")]
    Newer {
        /// The file or the database.
        place: String,
    },
    /// The file or database has invalid content.
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
        /// The system's error.
        error: std::io::Error,
    },
    /// The file or its folder is read-only; SQLite's write-ahead log needs both writable.
    #[error("can't use {}: the file or its folder is read-only; a copy of it can be used", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another server uses the file.
    #[error("another server is using {}: several servers need PostgreSQL", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The database's address is invalid.
    #[error("expected the database's address as postgres://USER:PASSWORD@HOST/DATABASE: {0}")]
    Url(sqlx::Error),
    /// No database answers at the address.
    #[error("can't reach the database at {place}: {error}")]
    Unreachable {
        /// Its host and port.
        place: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The tables need a migration, which only their owner can make.
    #[error(
        "this role can't create or change tables: run `noughts migrate --database URL` as their owner"
    )]
    NotOwner,
    /// The league already exists.
    #[error("the league {name} already exists, with the rating system {system}")]
    LeagueExists {
        /// The name.
        name: String,
        /// Its rating system.
        system: System,
    },
    /// The name of a league is invalid.
    #[error("expected a league's name of 1 to 64 characters without control characters")]
    LeagueName,
    /// Terminal games don't count in online leagues, nor the other way round.
    #[error("the league {name} is for {}", if *online { "online games: terminal games don't count in it" } else { "terminal games: online games don't count in it" })]
    OtherLeague {
        /// The league.
        name: String,
        /// Whether it is for online games.
        online: bool,
    },
    /// The game is not over.
    #[error("the game is not over")]
    NotOver,
    /// No stored game has this id.
    #[error("there is no game {0}")]
    UnknownGame(RecordId),
    /// Only games at the terminal can be deleted.
    #[error("game {0} was played online: only games at the terminal can be deleted")]
    OnlineGame(RecordId),
    /// The players and the outcome make no result.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The league can't rate the result.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The result is unknown, or already retracted.
    #[error(transparent)]
    Retract(#[from] RetractError),
    /// The name is taken, or looks like one that is.
    #[error("the name {name} is taken, or looks like one that is")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The identity has given up too many names lately.
    #[error("too many changes of the name in a short time")]
    RenamedTooOften,
    /// The identity follows or blocks too many others.
    #[error("an identity can follow and block {} others", crate::MAX_RELATIONS)]
    TooManyRelations,
    /// The recovery code is wrong.
    #[error("the recovery code is wrong")]
    WrongCode,
    /// Only guests can be upgraded.
    #[error("only a guest can be upgraded")]
    NotAGuest,
    /// Only accounts have passwords.
    #[error("only an account has a password")]
    NotAnAccount,
    /// Only SQLite files can be backed up.
    #[error("PostgreSQL is backed up with its own tools, such as pg_dump and pg_basebackup")]
    NoFile,
    /// Other servers kept appending to the same games.
    #[error("other servers keep writing to the same games")]
    Contended,
    /// The database failed.
    #[error("{}", database_failure(.0))]
    Database(sqlx::Error),
}

impl StoreError {
    /// Whether a retry may succeed: the connection was lost, or transactions collided.
    pub(crate) fn is_transient(&self) -> bool {
        let StoreError::Database(error) = self else { return false };
        match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => true,
            // PostgreSQL's classes 08 (connection exception), 57P (shutdown and startup) and 40
            // (serialisation failure and deadlock).
            sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                code.len() == 5 && ["08", "57P", "40"].iter().any(|prefix| code.starts_with(prefix))
            }),
            _ => false,
        }
    }

    /// Whether another program held SQLite's lock for too long.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        let StoreError::Database(error) = self else { return false };
        let code = error.as_database_error().and_then(|error| error.code());
        let code = code.and_then(|code| code.parse::<i32>().ok());
        // SQLITE_BUSY and SQLITE_LOCKED; extended codes have more in the higher bits.
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    }

    pub(crate) fn damaged(path: &Path) -> StoreError {
        StoreError::Damaged { place: path.display().to_string() }
    }

    pub(crate) fn unknown_result(id: ResultId) -> StoreError {
        StoreError::Retract(RetractError::Unknown(id))
    }

    /// The meaning of an SQLite error.
    pub(crate) fn from_database(path: &Path, error: sqlx::Error) -> StoreError {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            // SQLITE_CORRUPT and SQLITE_NOTADB.
            Some("11" | "26") => StoreError::damaged(path),
            // SQLITE_READONLY with its extended codes, and SQLITE_CANTOPEN.
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

/// What a failure of the database means, where people can do something about it.
fn database_failure(error: &sqlx::Error) -> String {
    let code = error.as_database_error().and_then(|error| error.code());
    match code.as_deref() {
        // SQLITE_FULL, and PostgreSQL's disk_full.
        Some("13" | "53100") => "the disk is full".into(),
        // SQLITE_READONLY with its extended codes.
        Some(code) if code.parse::<i32>().is_ok_and(|code| code & 0xff == 8) => {
            "the file is read-only".into()
        }
        // SQLITE_IOERR with its extended codes.
        Some(code) if code.parse::<i32>().is_ok_and(|code| code & 0xff == 10) => {
            "the file can't be read or written: the disk may be full or damaged".into()
        }
        _ => format!("the database failed: {error}"),
    }
}

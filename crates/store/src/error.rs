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
    #[error("{} was written by a newer version of Noughts: update this one to use it", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// The file can't be read any more.
    #[error("{} is damaged: restore it from a backup, or choose another with --data", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The file or its folder can't be read or written.
    #[error("can't use {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
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
    /// The database failed in another way.
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    pub(crate) fn unknown_result(id: ResultId) -> StoreError {
        StoreError::Retract(RetractError::Unknown(id))
    }

    /// What the database's own error means for a file.
    pub(crate) fn from_database(path: &Path, error: sqlx::Error) -> StoreError {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            // SQLITE_CORRUPT and SQLITE_NOTADB.
            Some("11" | "26") => StoreError::Damaged { path: path.to_path_buf() },
            _ => StoreError::Database(error),
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error)
    }
}

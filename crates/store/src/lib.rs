#![doc = include_str!("../README.md")]

mod audit;
mod backup;
mod daily_games;
mod database;
mod deletion;
mod error;
mod identities;
mod leagues;
mod log;
mod log_throttle;
mod moving;
mod notices;
mod own_results;
mod presence;
mod puzzles;
mod records;
mod relations;
mod renaming;
mod results;
mod retention;
#[cfg(feature = "postgres")]
mod rights;
mod servers;
mod snapshots;
mod standings;
mod tokens;
mod tournaments;
mod unfinished;

pub use audit::{AuditedPlayer, AuditedResult};
pub use deletion::StoredText;
pub use error::StoreError;
pub use identities::{Identity, IdentityKind, UniqueName};
pub use leagues::{LEGACY_LEAGUES, LeagueChoice, LeagueSummary};
pub use log::{
    Append, AppendError, Appended, Batch, CommandKey, DueGame, GameQuery, LeagueResult, ListedGame,
    Listing, Log, LogFuture, LoggedEvent, ResultPlayer, Writer,
};
pub use log_throttle::LogThrottle;
pub use moving::MovedResult;
pub use notices::{Notice, Notices, Subscription};
pub use noughts_api::{Emote, GameId, GamePhase, IdempotencyKey, IdentityId, TokenKind};
pub use own_results::OwnResult;
pub use presence::ServerPresence;
pub use puzzles::{PuzzleEvent, PuzzleProgress, PuzzleResult, PuzzleSolver};
pub use records::{RecordId, StoredGame, StoredResult};
pub use relations::{MAX_RELATIONS, Relation};
pub use results::Recorded;
pub use retention::TokenCutoffs;
pub use servers::Outage;
pub use standings::Standings;
pub use tokens::{Origin, Token, TokenHash};
pub use tournaments::{
    ListedTournament, LoggedTournamentEvent, TournamentAppend, TournamentCreation,
    TournamentFilter, TournamentListing,
};
pub use unfinished::UnfinishedGame;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

use database::Database;

/// An open store. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    database: Arc<Database>,
    /// Identifies this instance among all that use the database.
    instance: i64,
}

impl Store {
    /// Opens a file. Creates it, and the folders above it, if it does not exist.
    ///
    /// # Errors
    ///
    /// Refuses a file that is not a store, is damaged, or was written by a newer version, and leaves
    /// it untouched.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { database: Arc::new(Database::open(path).await?), instance: random_instance() })
    }

    /// Opens a file that is read-only, or lies in a read-only folder, to read it.
    ///
    /// # Errors
    ///
    /// Like [`open`](Store::open); also refuses a file that a program has open or left behind in a
    /// crash.
    pub async fn open_read_only(path: &Path) -> Result<Store, StoreError> {
        let database = Database::open_read_only(path).await?;
        Ok(Store { database: Arc::new(database), instance: random_instance() })
    }

    /// Connects to a PostgreSQL database, `postgres://USER:PASSWORD@HOST/DATABASE`, and creates its
    /// tables if they do not exist.
    ///
    /// # Errors
    ///
    /// Refuses an invalid address, and a database that was written by a newer version.
    #[cfg(feature = "postgres")]
    pub async fn connect(url: &str) -> Result<Store, StoreError> {
        let instance = random_instance();
        Ok(Store { database: Arc::new(Database::connect(url, instance).await?), instance })
    }

    /// The path of the file; `None` on PostgreSQL.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &*self.database {
            Database::Sqlite(file) => Some(file.path()),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => None,
        }
    }

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let _: i64 = database::read!(&*self.database, executor => {
            sqlx::query_scalar("SELECT CAST(1 AS BIGINT)").fetch_one(executor).await
        })?;
        Ok(())
    }

    /// Waits for pending writes and closes the database.
    pub async fn close(self) {
        self.database.close().await;
    }

    fn damaged(&self) -> StoreError {
        match self.path() {
            Some(path) => StoreError::damaged(path),
            None => StoreError::Damaged { place: "the database".into() },
        }
    }
}

/// A random number of 63 bits.
fn random_instance() -> i64 {
    (RandomState::new().hash_one(std::process::id()) >> 1) as i64
}

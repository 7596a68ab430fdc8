//! What lasts: games with their moves, and the results that count in leagues, in one SQLite file.
//!
//! The file holds what happened; ratings and ranks are worked out from it. Everything that is
//! stored is on the disk before the call returns, and a call stores all of it or nothing. Several
//! programs can use one file at the same time.
//!
//! ```
//! use noughts_rules::{Game, Rules, Seat};
//! use noughts_store::{LeagueChoice, Store};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("scores.db");
//! let store = Store::open(&path).await?;
//! let mut game = Game::with_default_players(&Rules::classic());
//! game.resign(Seat::FIRST)?;
//! store.record(&game, 0, Some(&LeagueChoice::default())).await?;
//!
//! let league = store.league("local").await?.expect("it has a result");
//! assert_eq!(league.top(1).next().unwrap().name, "Player 2");
//! # Ok(()) }) }
//! ```

mod error;
mod file;
mod games;
mod leagues;
mod results;

pub use error::StoreError;
pub use games::{GameId, StoredGame, StoredResult};
pub use leagues::{LeagueChoice, LeagueSummary};
pub use results::Recorded;

use std::path::{Path, PathBuf};

use sqlx::SqlitePool;

/// An open store.
#[derive(Debug, Clone)]
pub struct Store {
    pool: SqlitePool,
    path: PathBuf,
}

impl Store {
    /// Opens the file, or makes it where there is none, with the folders above it.
    ///
    /// # Errors
    ///
    /// Refuses, and leaves untouched, a file that is not a store, that is damaged, or that a newer
    /// version of the program has written.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        let pool = file::open(path).await?;
        Ok(Store { pool, path: path.to_path_buf() })
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until everything is written and closes the file.
    pub async fn close(self) {
        self.pool.close().await;
    }

    fn damaged(&self) -> StoreError {
        StoreError::Damaged { path: self.path.clone() }
    }
}

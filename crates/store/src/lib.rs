//! What lasts: games, results and accounts, in one SQLite file or in PostgreSQL.
//!
//! The database holds what happened; ratings and ranks are worked out from it. Everything that is
//! stored is on the disk before the call returns, and a call stores all of it or nothing. Several
//! programs can use one file or one database at the same time.
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
//!
//! # Online games
//!
//! An online game is its events, in order. [`Store::log`] answers the [`Log`] of all games, and a
//! [`Writer`] appends to it for all of them: what waits while one commit is under way goes into the
//! next, so that one flush of the disk serves many moves.
//!
//! ```
//! use noughts_store::{Append, AppendError, GameId, Listing, State, Store, Writer};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.db");
//! let store = Store::open(&path).await?;
//! let log = store.log();
//! let writer = Writer::start(log.clone());
//! let game = GameId::new(1_700_000_000_000, [7; 10]);
//!
//! let created = Append {
//!     game,
//!     expected: 0,
//!     events: vec![r#"{"created":"3x3"}"#.into()].into(),
//!     at: 1_700_000_000_000,
//!     due: None,
//!     key: None,
//!     key_is_fresh: false,
//!     listing: Some(Box::new(Listing {
//!         state: State::Open,
//!         public: true,
//!         rules: "3x3".into(),
//!         league: None,
//!         rated: false,
//!         seats: vec![None, None],
//!         detail: String::new(),
//!     })),
//!     result: None,
//! };
//! assert_eq!(writer.append(created.clone()).await?.last, 1);
//! // Whoever saw an earlier sequence than the game has reached is told so.
//! assert!(matches!(writer.append(created).await, Err(AppendError::Conflict { sequence: 1 })));
//! assert_eq!(log.events(game, 0, 100).await?[0].body, r#"{"created":"3x3"}"#);
//! # Ok(()) }) }
//! ```

mod backup;
mod counted;
mod database;
mod error;
mod games;
mod identities;
mod leagues;
mod log;
mod notices;
mod outages;
mod results;
mod standings;
mod tokens;

pub use counted::{CountedGame, CountedPlayer};
pub use error::StoreError;
pub use games::{RecordId, StoredGame, StoredResult};
pub use identities::{Identity, IdentityKind, UniqueName};
pub use leagues::{LeagueChoice, LeagueSummary};
pub use log::{
    Answer, Append, AppendError, Appended, Batch, CommandKey, DueGame, GameQuery, LeagueResult,
    ListedGame, Listing, Log, LoggedEvent, ResultPlayer, State, UnknownState, Writer,
};
pub use notices::{Notice, Notices, Subscription};
pub use noughts_api::{GameId, IdentityId};
pub use outages::Outage;
pub use results::Recorded;
pub use standings::Standings;
pub use tokens::{Token, TokenHash, TokenKind};

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

use database::Database;

/// An open store. Clones share it.
#[derive(Debug, Clone)]
pub struct Store {
    database: Arc<Database>,
    /// Tells those apart who use the same database.
    instance: i64,
}

impl Store {
    /// Opens the file, or makes it where there is none, with the folders above it.
    ///
    /// # Errors
    ///
    /// Refuses, and leaves untouched, a file that is not a store, that is damaged, or that a newer
    /// version of the program has written.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store { database: Arc::new(Database::open(path).await?), instance: instance() })
    }

    /// Connects to a PostgreSQL database, `postgres://USER:PASSWORD@HOST/DATABASE`, and makes the
    /// tables where there are none.
    ///
    /// # Errors
    ///
    /// Refuses an address that is none, and a database that a newer version of the program has
    /// written.
    #[cfg(feature = "postgres")]
    pub async fn connect(url: &str) -> Result<Store, StoreError> {
        let instance = instance();
        Ok(Store { database: Arc::new(Database::connect(url, instance).await?), instance })
    }

    /// Where the file is; none with PostgreSQL.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &*self.database {
            Database::Sqlite(file) => Some(file.path()),
            #[cfg(feature = "postgres")]
            Database::Postgres(_) => None,
        }
    }

    /// The log of online games.
    #[must_use]
    pub fn log(&self) -> Arc<dyn Log> {
        log::of(self)
    }

    /// Asks the database for an answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        let _: i64 = database::read!(&*self.database, executor => {
            sqlx::query_scalar("SELECT CAST(1 AS BIGINT)").fetch_one(executor).await
        })?;
        Ok(())
    }

    /// Waits until everything is written and closes the database.
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

/// A number that nobody else has. It is not negative.
fn instance() -> i64 {
    (RandomState::new().hash_one(std::process::id()) >> 1) as i64
}

//! The log of online games: the events of each game, in order.
//!
//! Its key is (game, sequence). An append names the sequence that its sender saw; of two that saw
//! the same, the second gets a conflict. This optimistic concurrency, not a lock, lets several
//! servers share one database.

mod append;
mod database_log;
mod folding;
mod insert;
mod listing;
mod queries;
mod writer;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use noughts_api::GameId;

pub use append::{Append, AppendError, Appended, Batch, CommandKey, LeagueResult, ResultPlayer};
pub use listing::{DueGame, GameQuery, ListedGame, Listing};
pub use writer::Writer;

use crate::{Store, StoreError};

/// The future of a [`Log`]'s method.
pub type LogFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its sequence number in the game, from 1.
    pub sequence: u64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The command that caused it, if that had a key.
    pub key: Option<CommandKey>,
    /// The event as text.
    pub body: String,
}

/// A log of online games.
///
/// [`Store::log`] is the one in the database; tests wrap it in one that fails on demand.
pub trait Log: fmt::Debug + Send + Sync {
    /// Stores the appends of a batch in one transaction. Returns an outcome for each of them, in
    /// order; a refused append does not affect the others.
    ///
    /// If the call itself fails, the appends may have been stored or not.
    fn append<'a>(&'a self, batch: &'a Batch) -> LogFuture<'a, Vec<Result<Appended, AppendError>>>;

    /// Up to `limit` events of a game after the first `since`, in order. A game that does not exist
    /// has none.
    fn events(&self, game: GameId, since: u64, limit: u32) -> LogFuture<'_, Vec<LoggedEvent>>;

    /// The number of events of each game, without games that do not exist.
    fn sequences<'a>(&'a self, games: &'a [GameId]) -> LogFuture<'a, HashMap<GameId, u64>>;

    /// What lists show of a game.
    fn game(&self, game: GameId) -> LogFuture<'_, Option<ListedGame>>;

    /// A page of a list of games, youngest first.
    fn games<'a>(&'a self, query: &'a GameQuery) -> LogFuture<'a, Vec<ListedGame>>;

    /// A page of the unfinished games that are due until a time, most urgent first. `after` is the
    /// last one of the page before.
    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> LogFuture<'_, Vec<DueGame>>;
}

impl Store {
    /// The log of online games.
    #[must_use]
    pub fn log(&self) -> Arc<dyn Log> {
        Arc::new(database_log::DatabaseLog::new(self.clone()))
    }
}

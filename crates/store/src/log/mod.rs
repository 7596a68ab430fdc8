//! The log of online games: what happened in each of them, in order.
//!
//! The key is (game, sequence). An append names the sequence that its sender saw, and of two that
//! saw the same one the second gets a conflict: this, not a lock, is what makes it safe for several
//! servers to use one database.

mod append;
mod database;
mod listing;
#[cfg(feature = "postgres")]
mod postgres;
mod reading;
mod sqlite;
mod writer;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

pub use append::{Append, AppendError, Appended, Batch, CommandKey, LeagueResult, ResultPlayer};

pub use listing::{DueGame, GameQuery, ListedGame, Listing, State, UnknownState};
pub use writer::Writer;

use crate::{Store, StoreError};
use noughts_api::GameId;

/// What a log answers in time.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An event of a game as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEvent {
    /// Its number in the game, from 1.
    pub sequence: u64,
    /// When it happened, in milliseconds since 1970.
    pub at: i64,
    /// The command that it is due to, where that had a key.
    pub key: Option<CommandKey>,
    /// The event as text.
    pub body: String,
}

/// A log of online games.
///
/// The databases are behind [`Store::log`]; tests put a log that fails on demand before them.
pub trait Log: fmt::Debug + Send + Sync {
    /// Stores the appends of a batch in one transaction and answers for each of them, in their
    /// order. One that is refused takes nothing from the others.
    ///
    /// When the whole call fails, the appends may have been stored or not.
    fn append<'a>(&'a self, batch: &'a Batch) -> Answer<'a, Vec<Result<Appended, AppendError>>>;

    /// The events of a game after the first `since`, at most `most` of them, in order. There are
    /// none of a game that does not exist.
    fn events(&self, game: GameId, since: u64, most: u32) -> Answer<'_, Vec<LoggedEvent>>;

    /// How many events each of the games has. Games that do not exist are left out.
    fn sequences<'a>(&'a self, games: &'a [GameId]) -> Answer<'a, HashMap<GameId, u64>>;

    /// What lists show of a game.
    fn game(&self, game: GameId) -> Answer<'_, Option<ListedGame>>;

    /// Games, those with the highest keys (the youngest) first.
    fn games<'a>(&'a self, query: &'a GameQuery) -> Answer<'a, Vec<ListedGame>>;

    /// Unfinished games in which something happens by itself until a time, the most urgent first, from
    /// the one after the last of the page before.
    fn due(&self, until: i64, after: Option<DueGame>, most: u32) -> Answer<'_, Vec<DueGame>>;
}

pub(crate) fn of(store: &Store) -> Arc<dyn Log> {
    Arc::new(database::DatabaseLog::new(store.clone()))
}

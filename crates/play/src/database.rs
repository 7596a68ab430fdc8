//! The store of games and results, for callers that block.
//!
//! An `async fn` is compiled in every crate that polls it, so the methods here, which are not
//! generic, keep the store's queries out of the crates above.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::future::Future;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use chrono::{Local, TimeZone};
use noughts_rules::Game;
use noughts_scores::{League, Name, ResultId};
use noughts_store::{
    LeagueChoice, LeagueSummary, PuzzleEvent, PuzzleProgress, PuzzleSolver, RecordId, Recorded,
    Store, StoreError, StoredGame,
};

use crate::game_filter::GameFilter;
use crate::match_detail::Continuation;
use tokio::runtime::{Builder, Runtime};

/// An open [`Store`] with the runtime that drives it.
pub struct Database {
    runtime: Runtime,
    store: Store,
}

impl Database {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<Database> {
        Database::new(Store::open(path))
    }

    /// Opens the PostgreSQL database of a server, instead of a file.
    #[cfg(feature = "postgres")]
    pub fn connect(url: &str) -> Result<Database> {
        Database::new(Store::connect(url))
    }

    fn new(opening: impl Future<Output = Result<Store, StoreError>>) -> Result<Database> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let store = runtime.block_on(opening)?;
        Ok(Database { runtime, store })
    }

    /// Opens the file only if it exists.
    pub fn open_existing(path: &Path) -> Result<Database> {
        anyhow::ensure!(path.exists(), "there is no file {}", path.display());
        Database::open(path)
    }

    /// Opens the file, or creates it, and fails now rather than at the first write if it is
    /// read-only.
    pub fn open_writable(path: &Path) -> Result<Database> {
        let database = Database::open(path)?;
        let opened = OpenOptions::new().append(true).open(path);
        opened.with_context(|| format!("can't write to {}", path.display()))?;
        Ok(database)
    }

    /// Opens the file to read it, even if it or its folder is read-only.
    pub fn open_to_read(path: &Path) -> Result<Database> {
        match Database::open(path) {
            Err(error) if matches!(error.downcast_ref(), Some(StoreError::ReadOnly { .. })) => {
                Database::new(Store::open_read_only(path))
            }
            opened => opened,
        }
    }

    /// Stores a game, in its record if it was stored before it was over, and its result if it counts
    /// in a league.
    pub fn record_end(
        &self,
        unfinished: Option<RecordId>,
        game: &Game,
        at: i64,
        league: Option<&LeagueChoice>,
    ) -> Result<Recorded, StoreError> {
        self.block_on(self.store.record_end(unfinished, game, at, league))
    }

    /// Stores the present state of a game that is not over.
    pub fn save_unfinished(
        &self,
        id: Option<RecordId>,
        game: &Game,
        at: i64,
        detail: &str,
    ) -> Result<RecordId, StoreError> {
        self.block_on(self.store.save_unfinished(id, game, at, detail))
    }

    /// The unfinished game with this id, or the one that was played last.
    pub fn continuation(&self, id: Option<RecordId>) -> Result<Option<Continuation>, StoreError> {
        let unfinished = match id {
            Some(id) => self.block_on(self.store.unfinished_game(id)),
            None => self.block_on(self.store.latest_unfinished()),
        };
        Ok(unfinished?.map(Continuation::from))
    }

    /// Deletes a stored game with its result.
    pub fn delete_game(&self, id: RecordId) -> Result<(), StoreError> {
        self.block_on(self.store.delete_game(id))
    }

    /// Retracts a result, as if the game had not counted.
    pub fn retract(&self, result: ResultId, at: i64) -> Result<(), StoreError> {
        self.block_on(self.store.retract(result, at))
    }

    /// A league with its standings.
    pub fn league(&self, name: &str) -> Result<Option<League<Name>>, StoreError> {
        self.block_on(self.store.league(name))
    }

    /// All leagues.
    pub fn leagues(&self) -> Result<Vec<LeagueSummary>, StoreError> {
        self.block_on(self.store.leagues())
    }

    /// Creates a league.
    pub fn create_league(&self, choice: &LeagueChoice) -> Result<(), StoreError> {
        self.block_on(self.store.create_league(choice))
    }

    /// A stored game.
    pub fn game(&self, id: RecordId) -> Result<Option<StoredGame>, StoreError> {
        self.block_on(self.store.game(id))
    }

    /// The newest stored games, of all leagues or of one.
    pub fn games(&self, league: Option<&str>, limit: usize) -> Result<Vec<StoredGame>, StoreError> {
        self.block_on(self.store.games(league, limit))
    }

    /// The newest stored games that pass a filter.
    pub fn games_where(
        &self,
        filter: &GameFilter,
        limit: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        /// The games that are read at once.
        const PAGE: usize = 500;
        let (mut found, mut before) = (Vec::new(), RecordId(u64::MAX));
        loop {
            let page = self.block_on(self.store.games_before(before, PAGE))?;
            let Some(last) = page.last() else { return Ok(found) };
            before = last.id;
            found.extend(page.into_iter().filter(|stored| filter.matches(stored)));
            if found.len() >= limit {
                found.truncate(limit);
                return Ok(found);
            }
        }
    }

    /// Stores what the person at the terminal did in a puzzle.
    pub fn record_puzzle(&self, event: PuzzleEvent<'_>) -> Result<(), StoreError> {
        self.block_on(self.store.record_puzzle(PuzzleSolver::Local, event)).map(|_| ())
    }

    /// How far the person at the terminal has come with puzzles.
    pub fn puzzle_progress(&self) -> Result<PuzzleProgress, StoreError> {
        self.block_on(self.store.puzzle_progress(PuzzleSolver::Local))
    }

    /// The ids of the puzzles that the person at the terminal has tried.
    pub fn tried_puzzles(&self) -> Result<HashSet<String>, StoreError> {
        Ok(self.block_on(self.store.tried_puzzles(PuzzleSolver::Local))?.0)
    }

    /// Copies the file while it may be in use.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        self.block_on(self.store.back_up(to))
    }

    /// The store, for what has no method here; see [`Database::block_on`].
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Waits for a future of the store.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// Closing merges the write-ahead log into the one file.
impl Drop for Database {
    fn drop(&mut self) {
        self.runtime.block_on(self.store.clone().close());
    }
}

/// Milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Formats milliseconds since 1970 as date and time in the user's time zone.
pub fn date(at: i64) -> String {
    match Local.timestamp_millis_opt(at).single() {
        Some(at) => at.format("%Y-%m-%d %H:%M").to_string(),
        None => at.to_string(),
    }
}

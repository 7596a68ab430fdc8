//! An event log in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use noughts_store::{
    Append, AppendError, Appended, Batch, CommandKey, DueGame, GameId, GamePhase, GameQuery,
    LeagueResult, ListedGame, Listing, Log, LogFuture, LoggedEvent,
};

/// A log in memory that behaves like the one in the database, without its delays and failures.
///
/// The tests of the log hold it to the databases. Simulations run on it.
#[derive(Debug, Default)]
pub struct MemoryLog {
    contents: Mutex<LogContents>,
}

/// Everything a [`MemoryLog`] has stored.
#[derive(Debug, Clone, Default)]
pub struct LogContents {
    games: BTreeMap<GameId, StoredGame>,
    results: Vec<StoredResult>,
    /// The games that commands created.
    created: HashMap<CommandKey, GameId>,
}

#[derive(Debug, Clone)]
struct StoredGame {
    events: Vec<LoggedEvent>,
    listing: Listing,
    due: Option<i64>,
}

/// A result, and the game that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The game.
    pub game: GameId,
    /// When it ended, in milliseconds since 1970.
    pub at: i64,
    /// The result.
    pub result: LeagueResult,
}

impl MemoryLog {
    /// A copy of everything that is stored.
    #[must_use]
    pub fn contents(&self) -> LogContents {
        self.lock().clone()
    }

    /// Goes back to earlier contents, as after a crash that loses data.
    pub fn restore(&self, contents: LogContents) {
        *self.lock() = contents;
    }

    /// The stored results, in the order in which they count.
    #[must_use]
    pub fn results(&self) -> Vec<StoredResult> {
        self.lock().results.clone()
    }

    fn lock(&self) -> MutexGuard<'_, LogContents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogContents {
    fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        let stored = self.games.get(&append.game);
        let events = stored.map_or(&[][..], |game| &game.events);
        let has_key = |event: &&LoggedEvent| append.key.is_some() && event.key == append.key;
        let mut repeated = events.iter().filter(has_key).map(|event| event.sequence);
        if let Some(first) = repeated.next() {
            let last = repeated.next_back().unwrap_or(first);
            return Ok(Appended { first, last, repeated: true });
        }
        let sequence = events.len() as u64;
        if sequence != append.expected {
            return Err(AppendError::Conflict { sequence });
        }
        if append.expected == 0 {
            self.create(append)?;
        }
        let Some(game) = self.games.get_mut(&append.game) else {
            return Err(AppendError::Conflict { sequence });
        };
        for (sequence, body) in (sequence + 1..).zip(&append.events) {
            let (at, key, body) = (append.at, append.key.clone(), body.clone());
            game.events.push(LoggedEvent { sequence, at, key, body });
        }
        game.due = append.due;
        if let Some(listing) = &append.listing {
            game.listing = (**listing).clone();
        }
        if let Some(result) = &append.result {
            let (game, at, result) = (append.game, append.at, (**result).clone());
            self.results.push(StoredResult { game, at, result });
        }
        let last = sequence + append.events.len() as u64;
        Ok(Appended { first: sequence + 1, last, repeated: false })
    }

    /// Adds a game without events.
    fn create(&mut self, append: &Append) -> Result<(), AppendError> {
        // Keys of the server itself create any number of games.
        let key = append.key.clone().filter(|key| key.sender.0 != 0);
        if let Some(game) = key.as_ref().and_then(|key| self.created.get(key)) {
            return Err(AppendError::AlreadyCreated { game: *game });
        }
        let Some(listing) = append.listing.as_deref().cloned() else {
            return Err(AppendError::Invalid("a listing to create a game"));
        };
        self.created.extend(key.map(|key| (key, append.game)));
        self.games.insert(append.game, StoredGame { events: Vec::new(), listing, due: None });
        Ok(())
    }

    fn listed(&self, id: GameId) -> Option<ListedGame> {
        let game = self.games.get(&id)?;
        Some(ListedGame {
            game: id,
            listing: game.listing.clone(),
            sequence: game.events.len() as u64,
            at: game.events.last()?.at,
            due: game.due,
        })
    }

    fn page(&self, query: &GameQuery) -> Vec<ListedGame> {
        let youngest_first = self.games.keys().rev().filter_map(|id| self.listed(*id));
        let is_wanted = |game: &ListedGame| {
            let listing = &game.listing;
            query.before.is_none_or(|before| game.game < before)
                && query.phase.is_none_or(|phase| listing.phase == phase)
                && query.player.is_none_or(|player| listing.seats.contains(&Some(player)))
                && (listing.public || !query.public_only)
                && query.rules.as_ref().is_none_or(|rules| listing.rules == *rules)
        };
        youngest_first.filter(is_wanted).take(query.limit as usize).collect()
    }

    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> Vec<DueGame> {
        let after = after.map(|after| (after.due, after.game));
        let is_unfinished = |game: &StoredGame| game.listing.phase != GamePhase::Finished;
        let games = self.games.iter().filter(|(_, game)| is_unfinished(game));
        let mut due: Vec<(i64, GameId)> =
            games.filter_map(|(id, game)| Some((game.due?, *id))).collect();
        due.retain(|entry| entry.0 <= until && after.is_none_or(|after| *entry > after));
        due.sort_unstable();
        due.truncate(limit as usize);
        due.into_iter().map(|(due, game)| DueGame { game, due }).collect()
    }
}

impl Log for MemoryLog {
    fn append<'a>(&'a self, batch: &'a Batch) -> LogFuture<'a, Vec<Result<Appended, AppendError>>> {
        let mut contents = self.lock();
        let outcomes = batch.appends().iter().map(|append| contents.append(append)).collect();
        Box::pin(std::future::ready(Ok(outcomes)))
    }

    fn events(&self, game: GameId, since: u64, limit: u32) -> LogFuture<'_, Vec<LoggedEvent>> {
        let contents = self.lock();
        let events = contents.games.get(&game).map_or(&[][..], |game| &game.events);
        let after = events.iter().filter(|event| event.sequence > since);
        Box::pin(std::future::ready(Ok(after.take(limit as usize).cloned().collect())))
    }

    fn sequences<'a>(&'a self, games: &'a [GameId]) -> LogFuture<'a, HashMap<GameId, u64>> {
        let contents = self.lock();
        let sequence = |id: &GameId| Some((*id, contents.games.get(id)?.events.len() as u64));
        Box::pin(std::future::ready(Ok(games.iter().filter_map(sequence).collect())))
    }

    fn game(&self, game: GameId) -> LogFuture<'_, Option<ListedGame>> {
        Box::pin(std::future::ready(Ok(self.lock().listed(game))))
    }

    fn games<'a>(&'a self, query: &'a GameQuery) -> LogFuture<'a, Vec<ListedGame>> {
        Box::pin(std::future::ready(Ok(self.lock().page(query))))
    }

    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> LogFuture<'_, Vec<DueGame>> {
        Box::pin(std::future::ready(Ok(self.lock().due(until, after, limit))))
    }
}

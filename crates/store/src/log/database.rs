//! The log in a database.
//!
//! Appending is optimistic: the events of a batch go in at once, those only whose game stands where
//! its sender saw it. As a rule that is all of them. Otherwise the transaction is taken back, those
//! that can't go in are found and answered, and the rest is tried again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use noughts_scores::{League, Report, ResultId};

#[cfg(feature = "postgres")]
use super::postgres;
use super::{
    Answer, Append, AppendError, Appended, Batch, DueGame, GameId, GameQuery, ListedGame, Log,
    LoggedEvent, reading, sqlite,
};
use crate::database::{Database, read};
use crate::leagues::LeagueRow;
use crate::{LeagueChoice, Store, StoreError};

/// How often a batch is tried while other servers keep taking its places.
const ATTEMPTS: usize = 100;

#[derive(Debug)]
pub(super) struct DatabaseLog {
    store: Store,
    /// Leagues never change once they are there.
    leagues: Mutex<HashMap<String, LeagueRow>>,
    numbers: sqlite::Numbers,
}

/// An append that can go in, as far as is known.
pub(super) struct Candidate<'a> {
    pub(super) place: usize,
    pub(super) append: &'a Append,
    /// The league of its result.
    pub(super) league: Option<i64>,
}

type Answers = Vec<Option<Result<Appended, AppendError>>>;

impl DatabaseLog {
    pub(super) fn new(store: Store) -> DatabaseLog {
        DatabaseLog { store, leagues: Mutex::default(), numbers: sqlite::Numbers::default() }
    }

    fn database(&self) -> &Database {
        &self.store.database
    }

    async fn append_batch(
        &self,
        batch: &Batch,
    ) -> Result<Vec<Result<Appended, AppendError>>, StoreError> {
        let mut answers: Answers = vec![None; batch.appends().len()];
        let mut candidates = Vec::with_capacity(answers.len());
        for (place, append) in batch.appends().iter().enumerate() {
            match self.admit(append).await? {
                Ok(league) => candidates.push(Candidate { place, append, league }),
                Err(error) => answers[place] = Some(Err(error)),
            }
        }
        for _ in 0..ATTEMPTS {
            if candidates.is_empty() || self.try_append(batch, &candidates).await? {
                for Candidate { place, append, .. } in candidates {
                    let first = append.expected + 1;
                    let last = append.expected + append.events.len() as u64;
                    answers[place] = Some(Ok(Appended { first, last, repeated: false }));
                }
                return Ok(answers.into_iter().flatten().collect());
            }
            let mut remaining = Vec::with_capacity(candidates.len());
            for candidate in candidates {
                match self.obstacle(candidate.append).await? {
                    None => remaining.push(candidate),
                    obstacle => answers[candidate.place] = obstacle,
                }
            }
            candidates = remaining;
        }
        Err(StoreError::Contended)
    }

    /// Stores all of them and answers yes, or stores nothing and answers no because something was
    /// in the way.
    async fn try_append(
        &self,
        batch: &Batch,
        candidates: &[Candidate<'_>],
    ) -> Result<bool, StoreError> {
        match self.database() {
            Database::Sqlite(file) => sqlite::append(file, &self.numbers, batch, candidates).await,
            #[cfg(feature = "postgres")]
            Database::Postgres(database) => Ok(postgres::append(database, candidates).await?),
        }
    }

    /// What stands in the way of an append: the same command was stored before, or the game is not
    /// where the sender saw it.
    async fn obstacle(
        &self,
        append: &Append,
    ) -> Result<Option<Result<Appended, AppendError>>, StoreError> {
        let (sender, key) = command(append);
        let (sequence, first, last): (i64, Option<i64>, Option<i64>) = read!(self.database(), executor => sqlx::query_as(
                "SELECT coalesce(max(sequence), 0),
                     min(CASE WHEN sender = $2 AND key = $3 AND key <> '' THEN sequence END),
                     max(CASE WHEN sender = $2 AND key = $3 AND key <> '' THEN sequence END)
                 FROM events WHERE game = (SELECT number FROM online_games WHERE id = $1)",
            )
            .bind(&append.game.as_bytes()[..])
            .bind(sender)
            .bind(key)
            .fetch_one(executor)
            .await)?;
        Ok(match (first, last) {
            (Some(first), Some(last)) => {
                Some(Ok(Appended { first: first as u64, last: last as u64, repeated: true }))
            }
            _ if sequence as u64 != append.expected => {
                Some(Err(AppendError::Conflict { sequence: sequence as u64 }))
            }
            _ if append.expected == 0 => self.made_elsewhere(append).await?.map(Err),
            _ => None,
        })
    }

    /// Whether a command that makes a game has made another one before.
    async fn made_elsewhere(&self, append: &Append) -> Result<Option<AppendError>, StoreError> {
        let Some(command) = &append.key else { return Ok(None) };
        let made = self.store.game_made_by(command).await?;
        Ok(made.map(|game| AppendError::Made { game }))
    }

    /// The league of an append's result, or why it does not take it.
    async fn admit(&self, append: &Append) -> Result<Result<Option<i64>, AppendError>, StoreError> {
        let Some(result) = &append.result else { return Ok(Ok(None)) };
        let rated = match result.rated() {
            Ok(rated) => rated,
            Err(error) => return Ok(Err(AppendError::Uncounted(Arc::new(error)))),
        };
        let found = self.league(&result.league).await;
        let admitted = found.and_then(|league| {
            if !league.online {
                return Err(StoreError::OtherLeague {
                    name: result.league.name.clone(),
                    online: false,
                });
            }
            // A league of this system without results refuses exactly what one with results does.
            let trial = Report { id: ResultId(0), at: append.at, result: rated };
            League::new(league.system).report(&trial)?;
            Ok(league.id)
        });
        match admitted {
            Ok(id) => Ok(Ok(Some(id))),
            Err(error @ StoreError::Database(_)) => Err(error),
            Err(error) => Ok(Err(AppendError::Uncounted(Arc::new(error)))),
        }
    }

    async fn league(&self, choice: &LeagueChoice) -> Result<LeagueRow, StoreError> {
        let known =
            self.leagues.lock().unwrap_or_else(PoisonError::into_inner).get(&choice.name).copied();
        if let Some(known) = known {
            return Ok(known);
        }
        let row = self.store.find_or_create_league(choice, true).await?;
        let mut leagues = self.leagues.lock().unwrap_or_else(PoisonError::into_inner);
        leagues.insert(choice.name.clone(), row);
        Ok(row)
    }
}

/// Whose command an append is, and its key.
pub(super) fn command(append: &Append) -> (i64, &str) {
    append.key.as_ref().map_or((0, ""), |key| (key.sender.0, &key.key))
}

impl Log for DatabaseLog {
    fn append<'a>(&'a self, batch: &'a Batch) -> Answer<'a, Vec<Result<Appended, AppendError>>> {
        Box::pin(self.append_batch(batch))
    }

    fn events(&self, game: GameId, since: u64, most: u32) -> Answer<'_, Vec<LoggedEvent>> {
        Box::pin(reading::events(self.database(), game, since, most))
    }

    fn sequences<'a>(&'a self, games: &'a [GameId]) -> Answer<'a, HashMap<GameId, u64>> {
        Box::pin(reading::sequences(self.database(), games))
    }

    fn game(&self, game: GameId) -> Answer<'_, Option<ListedGame>> {
        Box::pin(reading::game(&self.store, game))
    }

    fn games<'a>(&'a self, query: &'a GameQuery) -> Answer<'a, Vec<ListedGame>> {
        Box::pin(reading::games(&self.store, query))
    }

    fn due(&self, until: i64, after: Option<DueGame>, most: u32) -> Answer<'_, Vec<DueGame>> {
        Box::pin(reading::due(&self.store, until, after, most))
    }
}

//! The log in a database.
//!
//! Appends use optimistic concurrency: all events of a batch are inserted at once, each on the
//! condition that its game is where the sender saw it. As a rule all conditions hold. Otherwise the
//! transaction is rolled back, the refused appends are found, and the rest is tried again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{
    Append, AppendError, Appended, Batch, DueGame, GameId, GameQuery, ListedGame, Log, LogFuture,
    LoggedEvent, insert, queries,
};
use crate::database::read;
use crate::leagues::LeagueRow;
use crate::{LeagueChoice, Store, StoreError};

/// How often a batch is tried while other servers append to the same games.
const MAX_ATTEMPTS: usize = 100;

#[derive(Debug)]
pub(super) struct DatabaseLog {
    store: Store,
    /// Never outdated: a league that takes online results never changes.
    leagues: Mutex<HashMap<String, LeagueRow>>,
}

/// An append of a batch that may go in.
pub(super) struct Candidate<'a> {
    index: usize,
    pub(super) append: &'a Append,
    /// The league of its result.
    pub(super) league_id: Option<i64>,
}

type Outcome = Result<Appended, AppendError>;

impl DatabaseLog {
    pub(super) fn new(store: Store) -> DatabaseLog {
        DatabaseLog { store, leagues: Mutex::default() }
    }

    async fn append_batch(&self, batch: &Batch) -> Result<Vec<Outcome>, StoreError> {
        let mut outcomes: Vec<Option<Outcome>> = vec![None; batch.appends().len()];
        let mut candidates = Vec::with_capacity(outcomes.len());
        for (index, append) in batch.appends().iter().enumerate() {
            match self.check_result(append).await? {
                Ok(league_id) => candidates.push(Candidate { index, append, league_id }),
                Err(error) => outcomes[index] = Some(Err(error)),
            }
        }
        for _ in 0..MAX_ATTEMPTS {
            if candidates.is_empty() || self.try_append(&candidates).await? {
                for Candidate { index, append, .. } in candidates {
                    let last = append.expected + append.events.len() as u64;
                    let first = append.expected + 1;
                    outcomes[index] = Some(Ok(Appended { first, last, repeated: false }));
                }
                return Ok(outcomes.into_iter().flatten().collect());
            }
            let mut remaining = Vec::with_capacity(candidates.len());
            for candidate in candidates {
                match self.find_obstacle(candidate.append).await? {
                    None => remaining.push(candidate),
                    obstacle => outcomes[candidate.index] = obstacle,
                }
            }
            candidates = remaining;
        }
        Err(StoreError::Contended)
    }

    /// Stores all candidates and returns true, or stores nothing because one was refused.
    async fn try_append(&self, candidates: &[Candidate<'_>]) -> Result<bool, StoreError> {
        let mut transaction = self.store.database.begin_append().await?;
        match insert::insert_all(&mut transaction, candidates).await {
            Ok(true) => transaction.commit().await.map(|()| true),
            Ok(false) => {
                transaction.roll_back().await;
                Ok(false)
            }
            Err(error) => {
                transaction.roll_back().await;
                Err(error)
            }
        }
    }

    /// Why an append can't go in: the same command was stored before, or the game is not where the
    /// sender saw it.
    async fn find_obstacle(&self, append: &Append) -> Result<Option<Outcome>, StoreError> {
        let (sender, key) = append.sender_and_key();
        let (sequence, first, last): (i64, Option<i64>, Option<i64>) = read!(&*self.store.database, executor => sqlx::query_as(
                "SELECT coalesce(max(sequence), 0),
                     min(CASE WHEN sender_id = $2 AND idempotency_key = $3
                         AND idempotency_key <> '' THEN sequence END),
                     max(CASE WHEN sender_id = $2 AND idempotency_key = $3
                         AND idempotency_key <> '' THEN sequence END)
                 FROM events WHERE game_number = (SELECT number FROM games WHERE id = $1)",
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
            _ if append.expected == 0 => self.find_created_game(append).await?.map(Err),
            _ => None,
        })
    }

    /// Whether the command has created another game.
    async fn find_created_game(&self, append: &Append) -> Result<Option<AppendError>, StoreError> {
        let Some(command) = &append.key else { return Ok(None) };
        let created = self.store.game_created_by(command).await?;
        Ok(created.map(|game| AppendError::AlreadyCreated { game }))
    }

    /// The league of an append's result, or why the league can't take it.
    async fn check_result(
        &self,
        append: &Append,
    ) -> Result<Result<Option<i64>, AppendError>, StoreError> {
        let Some(result) = &append.result else { return Ok(Ok(None)) };
        let checked = self.league(&result.league).await.and_then(|league| {
            if !league.online {
                let name = result.league.name.clone();
                return Err(StoreError::OtherLeague { name, online: false });
            }
            result.check(league.system)?;
            Ok(league.id)
        });
        match checked {
            Ok(id) => Ok(Ok(Some(id))),
            Err(error @ StoreError::Database(_)) => Err(error),
            Err(error) => Ok(Err(AppendError::Unrated(Arc::new(error)))),
        }
    }

    async fn league(&self, choice: &LeagueChoice) -> Result<LeagueRow, StoreError> {
        let cached =
            self.leagues.lock().unwrap_or_else(PoisonError::into_inner).get(&choice.name).copied();
        if let Some(league) = cached {
            return Ok(league);
        }
        let row = self.store.find_or_create_league(choice, true).await?;
        let mut leagues = self.leagues.lock().unwrap_or_else(PoisonError::into_inner);
        leagues.insert(choice.name.clone(), row);
        Ok(row)
    }
}

impl Log for DatabaseLog {
    fn append<'a>(&'a self, batch: &'a Batch) -> LogFuture<'a, Vec<Outcome>> {
        Box::pin(self.append_batch(batch))
    }

    fn events(&self, game: GameId, since: u64, limit: u32) -> LogFuture<'_, Vec<LoggedEvent>> {
        Box::pin(queries::events(&self.store, game, since, limit))
    }

    fn sequences<'a>(&'a self, games: &'a [GameId]) -> LogFuture<'a, HashMap<GameId, u64>> {
        Box::pin(queries::sequences(&self.store.database, games))
    }

    fn game(&self, game: GameId) -> LogFuture<'_, Option<ListedGame>> {
        Box::pin(queries::game(&self.store, game))
    }

    fn games<'a>(&'a self, query: &'a GameQuery) -> LogFuture<'a, Vec<ListedGame>> {
        Box::pin(queries::games(&self.store, query))
    }

    fn due(&self, until: i64, after: Option<DueGame>, limit: u32) -> LogFuture<'_, Vec<DueGame>> {
        Box::pin(queries::due(&self.store, until, after, limit))
    }
}

//! The server's leagues in memory, for ranks.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use noughts_scores::{League, Report, ResultId, System};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::database::read;
use crate::leagues::{LeagueRow, report};
use crate::{IdentityId, Notice, Store, StoreError, Subscription};

/// How many results are read at once.
const PAGE: i64 = 10_000;

/// How long notices are collected before the database is asked what is behind them.
const COLLECT: Duration = Duration::from_millis(20);

/// The leagues of the server, as far as their results have been read.
#[derive(Debug)]
pub struct Standings {
    store: Store,
    leagues: RwLock<BTreeMap<String, Arc<Indexed>>>,
}

#[derive(Debug)]
struct Indexed {
    row: LeagueRow,
    league: RwLock<League<IdentityId>>,
    /// Held while results are read, so that each is taken once.
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    /// The newest result that was read.
    newest: i64,
    /// Results up to there that do not count.
    retracted: HashSet<i64>,
}

impl Standings {
    /// Reads all results of all leagues of the server.
    pub async fn load(store: &Store) -> Result<Standings, StoreError> {
        let standings = Standings { store: store.clone(), leagues: RwLock::default() };
        standings.refresh_all().await?;
        Ok(standings)
    }

    /// The leagues by name, with their rating systems.
    #[must_use]
    pub fn leagues(&self) -> Vec<(String, System)> {
        let leagues = self.leagues.read().unwrap_or_else(PoisonError::into_inner);
        leagues.iter().map(|(name, indexed)| (name.clone(), indexed.row.system)).collect()
    }

    /// Asks something of a league, or answers none where there is no such league. Results wait
    /// meanwhile, so the question should not take long.
    pub fn read<T>(
        &self,
        league: &str,
        question: impl FnOnce(&League<IdentityId>) -> T,
    ) -> Option<T> {
        let indexed = self.indexed(league)?;
        let league = indexed.league.read().unwrap_or_else(PoisonError::into_inner);
        Some(question(&league))
    }

    /// Takes into account what has happened in a league since it was last read.
    pub async fn refresh(&self, league: &str) -> Result<(), StoreError> {
        let indexed = match self.indexed(league) {
            Some(indexed) => indexed,
            None => match self.store.find_league(league).await? {
                Some(row) if row.online => self.add(league, row),
                _ => return Ok(()),
            },
        };
        let mut progress = indexed.progress.lock().await;
        self.retract(&indexed, &mut progress).await?;
        while self.take_page(&indexed, &mut progress).await? {}
        Ok(())
    }

    /// Takes into account what has happened in all leagues.
    pub async fn refresh_all(&self) -> Result<(), StoreError> {
        let names: Vec<(String,)> = read!(&*self.store.database, executor => sqlx::query_as(
            "SELECT name FROM leagues WHERE online = 1 ORDER BY name",
        )
        .fetch_all(executor)
        .await)?;
        for (name,) in names {
            self.refresh(&name).await?;
        }
        Ok(())
    }

    /// Keeps up with what notices say, until there are none any more.
    pub async fn follow(&self, mut notices: Subscription) {
        while let Some(notice) = notices.next().await {
            let mut changed = Changed::default();
            changed.note(notice);
            if changed.is_nothing() {
                continue;
            }
            let until = Instant::now() + COLLECT;
            while let Ok(Some(notice)) = timeout_at(until, notices.next()).await {
                changed.note(notice);
            }
            if let Err(error) = self.catch_up(changed).await {
                tracing::warn!(%error, "could not read results");
            }
        }
    }

    async fn catch_up(&self, changed: Changed) -> Result<(), StoreError> {
        if changed.all {
            return self.refresh_all().await;
        }
        for league in &changed.leagues {
            self.refresh(league).await?;
        }
        Ok(())
    }

    fn indexed(&self, league: &str) -> Option<Arc<Indexed>> {
        let leagues = self.leagues.read().unwrap_or_else(PoisonError::into_inner);
        leagues.get(league).cloned()
    }

    fn add(&self, name: &str, row: LeagueRow) -> Arc<Indexed> {
        let mut leagues = self.leagues.write().unwrap_or_else(PoisonError::into_inner);
        let indexed = leagues.entry(name.to_string()).or_insert_with(|| {
            Arc::new(Indexed {
                row,
                league: RwLock::new(League::new(row.system)),
                progress: Mutex::default(),
            })
        });
        Arc::clone(indexed)
    }

    /// Takes back what was retracted after it had been read.
    async fn retract(&self, indexed: &Indexed, progress: &mut Progress) -> Result<(), StoreError> {
        let retracted: Vec<(i64,)> = read!(&*self.store.database, executor => sqlx::query_as(
            "SELECT id FROM results
             WHERE league = $1 AND id <= $2 AND retracted_at IS NOT NULL ORDER BY id",
        )
        .bind(indexed.row.id)
        .bind(progress.newest)
        .fetch_all(executor)
        .await)?;
        for (id,) in retracted {
            if progress.retracted.insert(id) {
                let mut league = indexed.league.write().unwrap_or_else(PoisonError::into_inner);
                league.retract(ResultId(id as u64)).map_err(|_| self.store.damaged())?;
            }
        }
        Ok(())
    }

    /// Takes the next results, if there are any. Within a league ids become visible in order, so
    /// none is passed over.
    async fn take_page(
        &self,
        indexed: &Indexed,
        progress: &mut Progress,
    ) -> Result<bool, StoreError> {
        type Row = (i64, i64, Option<i64>, Option<i64>, i64);
        let rows: Vec<Row> = read!(&*self.store.database, executor => sqlx::query_as(
            "SELECT results.id, at, winner, retracted_at, coalesce(identity, 0)
             FROM results JOIN result_players ON result = results.id
             WHERE results.id IN (SELECT id FROM results
                 WHERE league = $1 AND id > $2 ORDER BY id LIMIT $3)
             ORDER BY results.id, seat",
        )
        .bind(indexed.row.id)
        .bind(progress.newest)
        .bind(PAGE)
        .fetch_all(executor)
        .await)?;
        let Some(&(newest, ..)) = rows.last() else { return Ok(false) };
        let mut reports: Vec<Report<IdentityId>> = Vec::new();
        let mut retracted: Vec<i64> = Vec::new();
        for seats in rows.chunk_by(|left, right| left.0 == right.0) {
            let (id, at, winner, retracted_at, _) = seats[0];
            if retracted_at.is_some() {
                retracted.push(id);
                continue;
            }
            let players = seats.iter().map(|seat| IdentityId(seat.4)).collect();
            let report = report(id, at, winner, players);
            reports.push(report.ok_or_else(|| self.store.damaged())?);
        }
        let mut league = indexed.league.write().unwrap_or_else(PoisonError::into_inner);
        league.report_all(&reports).map_err(|_| self.store.damaged())?;
        progress.retracted.extend(retracted);
        progress.newest = newest;
        Ok(true)
    }
}

/// Leagues of which something was heard.
#[derive(Default)]
struct Changed {
    all: bool,
    leagues: BTreeSet<String>,
}

impl Changed {
    fn note(&mut self, notice: Notice) {
        match notice {
            Notice::League { name } => drop(self.leagues.insert(name)),
            Notice::Resync => self.all = true,
            Notice::Game { .. } | Notice::Identity { .. } => {}
        }
    }

    fn is_nothing(&self) -> bool {
        !self.all && self.leagues.is_empty()
    }
}

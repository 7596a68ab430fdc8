//! The server's leagues in memory, for ranks.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use noughts_scores::{League, ResultId, System};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use crate::database::read;
use crate::leagues::{LeagueRow, ResultPage};
use crate::snapshots::{LoadedLeague, RESULTS_PER_PAGE};
use crate::{IdentityId, IdentityKind, LEGACY_LEAGUES, Notice, Store, StoreError, Subscription};

/// How long notices are collected before results are read.
const COALESCE_INTERVAL: Duration = Duration::from_millis(20);

/// The server's leagues in memory, up to the results that were read.
#[derive(Debug)]
pub struct Standings {
    store: Store,
    leagues: RwLock<BTreeMap<String, Arc<CachedLeague>>>,
}

#[derive(Debug)]
struct CachedLeague {
    row: LeagueRow,
    league: RwLock<League<IdentityId>>,
    /// How often a refresh was asked for.
    requested: AtomicU64,
    /// Locked while results are read, so that each is reported once.
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    is_loaded: bool,
    /// The id of the newest result that was read.
    newest: i64,
    /// How many changes of stored results the league has in it.
    changes: i64,
    /// How many requests for a refresh were answered.
    answered: u64,
}

impl Standings {
    /// Reads the results of all online leagues.
    pub async fn load(store: &Store) -> Result<Standings, StoreError> {
        let standings = Standings { store: store.clone(), leagues: RwLock::default() };
        standings.refresh_all().await?;
        Ok(standings)
    }

    /// The names of the leagues, with their rating systems.
    #[must_use]
    pub fn leagues(&self) -> Vec<(String, System)> {
        let leagues = self.leagues.read().unwrap_or_else(PoisonError::into_inner);
        leagues.iter().map(|(name, cached)| (name.clone(), cached.row.system)).collect()
    }

    /// Runs a query on a league, if it exists. New results wait for it, so it should be fast.
    pub fn read<T>(&self, league: &str, query: impl FnOnce(&League<IdentityId>) -> T) -> Option<T> {
        let cached = self.cached(league)?;
        let league = cached.league.read().unwrap_or_else(PoisonError::into_inner);
        Some(query(&league))
    }

    /// Reads new results and retractions of a league: all that were stored before the call. Calls that
    /// wait for each other share the work.
    pub async fn refresh(&self, league: &str) -> Result<(), StoreError> {
        if LEGACY_LEAGUES.contains(&league) {
            return Ok(());
        }
        let cached = match self.cached(league) {
            Some(cached) => cached,
            None => match self.store.find_league(league).await? {
                Some(row) if row.online => self.add(league, row),
                _ => return Ok(()),
            },
        };
        let request = cached.requested.fetch_add(1, Ordering::SeqCst) + 1;
        let mut progress = cached.progress.lock().await;
        if progress.answered >= request {
            return Ok(());
        }
        let answered = cached.requested.load(Ordering::SeqCst);
        progress.is_loaded = progress.is_loaded && self.retract(&cached, &mut progress).await?;
        if !progress.is_loaded {
            self.reload(&cached, &mut progress).await?;
        }
        while self.read_page(&cached, &mut progress).await? {}
        progress.answered = answered;
        Ok(())
    }

    /// Lists accounts and computers, but not guests, in all leagues: some or all players.
    async fn relist(&self, players: Option<&BTreeSet<IdentityId>>) -> Result<(), StoreError> {
        for (name, _) in self.leagues() {
            let Some(cached) = self.cached(&name) else { continue };
            // Not while results are read: those of new players come with what is known of them.
            let _progress = cached.progress.lock().await;
            let known: Vec<IdentityId> = {
                let league = cached.league.read().unwrap_or_else(PoisonError::into_inner);
                match players {
                    Some(players) => {
                        players.iter().filter(|id| league.rating(id).is_some()).copied().collect()
                    }
                    None => league.players().copied().collect(),
                }
            };
            let guests = self.guests_among(&known).await?;
            let mut league = cached.league.write().unwrap_or_else(PoisonError::into_inner);
            for player in &known {
                league.set_listed(player, !guests.contains(player));
            }
        }
        Ok(())
    }

    /// Reads new results and retractions of all leagues.
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

    /// Refreshes leagues on notices, until the subscription ends.
    pub async fn follow(&self, mut notices: Subscription) {
        while let Some(notice) = notices.next().await {
            let mut changed = Changed::default();
            changed.add(notice);
            if changed.is_empty() {
                continue;
            }
            let until = Instant::now() + COALESCE_INTERVAL;
            while let Ok(Some(notice)) = timeout_at(until, notices.next()).await {
                changed.add(notice);
            }
            if let Err(error) = self.refresh_changed(changed).await {
                tracing::warn!(%error, "could not read results");
            }
        }
    }

    async fn refresh_changed(&self, changed: Changed) -> Result<(), StoreError> {
        if changed.all {
            self.relist(None).await?;
            return self.refresh_all().await;
        }
        if !changed.identities.is_empty() {
            self.relist(Some(&changed.identities)).await?;
        }
        for league in &changed.leagues {
            self.refresh(league).await?;
        }
        Ok(())
    }

    async fn guests_among(
        &self,
        players: &[IdentityId],
    ) -> Result<HashSet<IdentityId>, StoreError> {
        let kinds = self.store.kinds_of(players).await?.into_iter();
        Ok(kinds.filter(|(_, kind)| *kind == IdentityKind::Guest).map(|(id, _)| id).collect())
    }

    fn cached(&self, league: &str) -> Option<Arc<CachedLeague>> {
        let leagues = self.leagues.read().unwrap_or_else(PoisonError::into_inner);
        leagues.get(league).cloned()
    }

    fn add(&self, name: &str, row: LeagueRow) -> Arc<CachedLeague> {
        let mut leagues = self.leagues.write().unwrap_or_else(PoisonError::into_inner);
        let cached = leagues.entry(name.to_string()).or_insert_with(|| {
            Arc::new(CachedLeague {
                row,
                league: RwLock::new(League::new(row.system)),
                requested: AtomicU64::default(),
                progress: Mutex::default(),
            })
        });
        Arc::clone(cached)
    }

    /// Loads the league as it is in the database.
    async fn reload(
        &self,
        cached: &CachedLeague,
        progress: &mut Progress,
    ) -> Result<(), StoreError> {
        let loaded = self.store.load_league(cached.row).await?;
        let LoadedLeague { mut league, newest, changes } = loaded;
        let players: Vec<IdentityId> = league.players().copied().collect();
        for guest in self.guests_among(&players).await? {
            league.set_listed(&guest, false);
        }
        *cached.league.write().unwrap_or_else(PoisonError::into_inner) = league;
        (progress.is_loaded, progress.newest, progress.changes) = (true, newest, changes);
        Ok(())
    }

    /// Retracts results that were retracted after they had been read. Returns false if stored results
    /// were changed in any other way.
    async fn retract(
        &self,
        cached: &CachedLeague,
        progress: &mut Progress,
    ) -> Result<bool, StoreError> {
        let (newest, known) = (progress.newest, progress.changes);
        let (changes, retracted) = self.store.changed_results(cached.row.id, newest, known).await?;
        let mut explained = 0;
        for id in retracted {
            let mut league = cached.league.write().unwrap_or_else(PoisonError::into_inner);
            // Others were retracted before they were read, or are already.
            explained += i64::from(league.retract(id).is_ok());
        }
        progress.changes = changes;
        Ok(changes == known + explained)
    }

    /// Reports the next page of results, and returns whether there was one. Within a league ids become
    /// visible in order, so none is skipped.
    async fn read_page(
        &self,
        cached: &CachedLeague,
        progress: &mut Progress,
    ) -> Result<bool, StoreError> {
        let row = cached.row;
        let page = self.store.results_after(row.id, progress.newest, RESULTS_PER_PAGE).await?;
        let Some(ResultPage { reports, newest }) = page else { return Ok(false) };
        let new: BTreeSet<IdentityId> = {
            let league = cached.league.read().unwrap_or_else(PoisonError::into_inner);
            let players = reports.iter().flat_map(|report| report.result.players());
            players.filter(|player| league.rating(player).is_none()).copied().collect()
        };
        let guests = self.guests_among(&Vec::from_iter(new)).await?;
        let mut league = cached.league.write().unwrap_or_else(PoisonError::into_inner);
        guests.iter().for_each(|guest| league.set_listed(guest, false));
        league.report_all(&reports).map_err(|_| self.store.damaged())?;
        progress.newest = newest;
        Ok(true)
    }

    /// Stores snapshots of all leagues, each of as many results, except of the newest results.
    pub async fn store_snapshots(&self, results: usize) -> Result<(), StoreError> {
        for (name, _) in self.leagues() {
            let Some(cached) = self.cached(&name) else { continue };
            while self.store_snapshot(&cached, results).await? {}
        }
        Ok(())
    }

    async fn store_snapshot(
        &self,
        cached: &CachedLeague,
        results: usize,
    ) -> Result<bool, StoreError> {
        let after = self.store.newest_snapshot(cached.row.id).await?;
        let (segment, changes) = {
            let progress = cached.progress.lock().await;
            let league = cached.league.read().unwrap_or_else(PoisonError::into_inner);
            (league.segment(u64::try_from(after).ok().map(ResultId), results), progress.changes)
        };
        let Some(segment) = segment else { return Ok(false) };
        self.store.store_snapshot(cached.row.id, after, &segment, changes).await
    }
}

/// The leagues and players that notices mentioned.
#[derive(Default)]
struct Changed {
    all: bool,
    leagues: BTreeSet<String>,
    identities: BTreeSet<IdentityId>,
}

impl Changed {
    fn add(&mut self, notice: Notice) {
        match notice {
            Notice::League { name } => drop(self.leagues.insert(name)),
            Notice::Resync => self.all = true,
            Notice::Identity { identity } => drop(self.identities.insert(identity)),
            Notice::Game { .. } | Notice::Tournament { .. } | Notice::Emote { .. } => {}
        }
    }

    fn is_empty(&self) -> bool {
        !self.all && self.leagues.is_empty() && self.identities.is_empty()
    }
}

//! Snapshots of ratings: stored segments of leagues, so that loading one does not rate all its results.
//!
//! A snapshot follows from the results up to its last one. Triggers remove it when one of these changes, in
//! the same transaction, whichever program changes it; so what is there is right. Two things are checked
//! nevertheless: the checksum of each, and the newest by rating its results again.

use flate2::Crc;
use noughts_scores::{League, LeagueLoader, ResultId, Segment, SegmentError};

use crate::database::{read, write};
use crate::leagues::LeagueRow;
use crate::{IdentityId, Store, StoreError};

/// The version of the contents. To be raised when segments or any rating formula change.
const VERSION: i64 = 1;

/// How many results are read at once.
pub(crate) const RESULTS_PER_PAGE: i64 = 10_000;

/// How many snapshots are read at once.
const SNAPSHOTS_PER_PAGE: i64 = 8;

/// A league as loaded from the database.
#[derive(Debug)]
pub(crate) struct LoadedLeague {
    pub(crate) league: League<IdentityId>,
    /// The id of the newest result, retracted or not.
    pub(crate) newest: i64,
    /// How many results had been changed, see [`Store::changed_results`].
    pub(crate) changes: i64,
}

/// What a league is made of when it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// Snapshots, and the results after them.
    Snapshots,
    /// Results alone.
    Results,
}

/// A stored snapshot.
struct Snapshot {
    after: i64,
    segment: Segment<IdentityId>,
}

impl Snapshot {
    /// Whether the league has the same results with the same ratings, to the last bit.
    fn is_of(&self, league: &League<IdentityId>) -> bool {
        let Snapshot { after, segment } = self;
        league.segment(as_result_id(*after), segment.results).as_ref() == Some(segment)
    }
}

impl Store {
    /// Loads an online league.
    pub(crate) async fn load_league(&self, row: LeagueRow) -> Result<LoadedLeague, StoreError> {
        let mut source = Source::Snapshots;
        loop {
            let (changes, _) = self.changed_results(row.id, 0, i64::MAX).await?;
            let loaded = self.load_from(row, source).await?;
            // Results that change meanwhile take snapshots with them.
            if self.changed_results(row.id, 0, i64::MAX).await?.0 != changes {
                continue;
            }
            if let Some((league, newest)) = loaded {
                return Ok(LoadedLeague { league, newest, changes });
            }
            tracing::warn!(league = row.id, "the snapshots of ratings differ from the results");
            if let Err(error) = self.remove_snapshots_of(row.id).await {
                tracing::warn!(%error, "could not remove snapshots of ratings");
            }
            source = Source::Results;
        }
    }

    /// How many stored results of a league were changed or removed so far; and if that is not `known`,
    /// which ones up to `newest` are retracted.
    pub(crate) async fn changed_results(
        &self,
        league_id: i64,
        newest: i64,
        known: i64,
    ) -> Result<(i64, Vec<ResultId>), StoreError> {
        // One statement, so that both are of the same moment.
        let rows: Vec<(i64, Option<i64>)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT changes, results.id FROM leagues
             LEFT JOIN results ON league_id = leagues.id AND results.id <= $2
                 AND retracted_at IS NOT NULL AND changes <> $3
             WHERE leagues.id = $1 ORDER BY results.id",
        )
        .bind(league_id)
        .bind(newest)
        .bind(known)
        .fetch_all(executor)
        .await)?;
        let changes = rows.first().ok_or_else(|| self.damaged())?.0;
        let retracted = rows.into_iter().filter_map(|(_, id)| u64::try_from(id?).ok());
        Ok((changes, retracted.map(ResultId).collect()))
    }

    /// Stores the next snapshot of a league, unless its results were changed since they were read.
    /// Returns whether it was stored.
    pub(crate) async fn store_snapshot(
        &self,
        league_id: i64,
        after: i64,
        segment: &Segment<IdentityId>,
        changes: i64,
    ) -> Result<bool, StoreError> {
        let last = result_id(segment.last);
        let contents = encode(segment);
        let checksum = checksum(after, last, &contents);
        write!(&*self.database, connection => {
            // Locks the league on PostgreSQL, so that its results do not change until the commit.
            let unchanged = sqlx::query(
                "UPDATE leagues SET changes = changes WHERE id = $1 AND changes = $2",
            )
            .bind(league_id)
            .bind(changes)
            .execute(&mut *connection)
            .await?;
            if unchanged.rows_affected() == 0 {
                return Ok(false);
            }
            let inserted = sqlx::query(
                "INSERT INTO rating_snapshots
                     (league_id, last_result_id, after_result_id, version, checksum, contents)
                 SELECT $1, $2, $3, $4, $5, $6 WHERE $3 = coalesce((
                     SELECT max(last_result_id) FROM rating_snapshots WHERE league_id = $1), 0)
                 ON CONFLICT DO NOTHING",
            )
            .bind(league_id)
            .bind(last)
            .bind(after)
            .bind(VERSION)
            .bind(checksum)
            .bind(contents)
            .execute(connection)
            .await?;
            Ok(inserted.rows_affected() == 1)
        })
    }

    /// The last result of the newest snapshot of a league; 0 without one.
    pub(crate) async fn newest_snapshot(&self, league_id: i64) -> Result<i64, StoreError> {
        Ok(read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT coalesce(max(last_result_id), 0) FROM rating_snapshots WHERE league_id = $1",
        )
        .bind(league_id)
        .fetch_one(executor)
        .await)?)
    }

    /// Compares the snapshots of a league with its results, all rated again. True without any.
    pub async fn check_snapshots(&self, name: &str) -> Result<bool, StoreError> {
        let Some(row) = self.find_league(name).await?.filter(|row| row.online) else {
            return Ok(true);
        };
        loop {
            let (changes, _) = self.changed_results(row.id, 0, i64::MAX).await?;
            let are_right = self.compare_snapshots(row).await?;
            if self.changed_results(row.id, 0, i64::MAX).await?.0 == changes {
                return Ok(are_right);
            }
        }
    }

    async fn compare_snapshots(&self, row: LeagueRow) -> Result<bool, StoreError> {
        let Some((league, _)) = self.load_from(row, Source::Results).await? else {
            return Ok(false);
        };
        let mut last = 0;
        loop {
            let Some(page) = self.snapshots_after(row.id, last).await? else { return Ok(false) };
            let Some(newest) = page.last() else { return Ok(true) };
            last = result_id(newest.segment.last);
            if !page.into_iter().all(|snapshot| snapshot.is_of(&league)) {
                return Ok(false);
            }
        }
    }

    /// Removes the snapshots of a league. A server stores them again.
    pub async fn remove_snapshots(&self, name: &str) -> Result<(), StoreError> {
        match self.find_league(name).await? {
            Some(row) => self.remove_snapshots_of(row.id).await,
            None => Ok(()),
        }
    }

    async fn remove_snapshots_of(&self, league_id: i64) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("DELETE FROM rating_snapshots WHERE league_id = $1")
                .bind(league_id)
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// Loads a league with the id of its newest result; `None` if a snapshot is wrong.
    async fn load_from(
        &self,
        row: LeagueRow,
        source: Source,
    ) -> Result<Option<(League<IdentityId>, i64)>, StoreError> {
        let mut loader = LeagueLoader::new(row.system);
        let last = match source {
            Source::Snapshots => match self.append_snapshots(row, &mut loader).await? {
                Ok(last) => last,
                Err(SegmentError) => return Ok(None),
            },
            Source::Results => None,
        };
        let mut league = loader.finish();
        let mut newest = last.as_ref().map_or(0, |snapshot| snapshot.after);
        while let Some(page) = self.results_after(row.id, newest, RESULTS_PER_PAGE).await? {
            league.report_all(&page.reports).map_err(|_| self.damaged())?;
            newest = page.newest;
        }
        let is_right = last.is_none_or(|snapshot| snapshot.is_of(&league));
        Ok(is_right.then_some((league, newest)))
    }

    /// Appends all snapshots of a league but the last, and returns that.
    async fn append_snapshots(
        &self,
        row: LeagueRow,
        loader: &mut LeagueLoader<IdentityId>,
    ) -> Result<Result<Option<Snapshot>, SegmentError>, StoreError> {
        let mut last: Option<Snapshot> = None;
        loop {
            let after = last.as_ref().map_or(0, |snapshot| result_id(snapshot.segment.last));
            let page = match self.snapshots_after(row.id, after).await? {
                Some(page) if page.is_empty() => return Ok(Ok(last)),
                Some(page) => page,
                None => return Ok(Err(SegmentError)),
            };
            for snapshot in page {
                if let Some(before) = last.replace(snapshot)
                    && let Err(error) = loader.append(&before.segment)
                {
                    return Ok(Err(error));
                }
            }
        }
    }

    /// The next snapshots of a league after one of them, in order; `None` if one is damaged.
    async fn snapshots_after(
        &self,
        league_id: i64,
        mut last: i64,
    ) -> Result<Option<Vec<Snapshot>>, StoreError> {
        type Row = (i64, i64, i64, i64, Vec<u8>);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT last_result_id, after_result_id, version, checksum, contents
             FROM rating_snapshots WHERE league_id = $1 AND last_result_id > $2
             ORDER BY last_result_id LIMIT $3",
        )
        .bind(league_id)
        .bind(last)
        .bind(SNAPSHOTS_PER_PAGE)
        .fetch_all(executor)
        .await)?;
        let mut snapshots = Vec::with_capacity(rows.len());
        for (id, after, version, stored_checksum, contents) in rows {
            let is_sound = version == VERSION
                && after == last
                && checksum(after, id, &contents) == stored_checksum;
            let segment = is_sound.then(|| decode(id, &contents)).flatten();
            let Some(segment) = segment else { return Ok(None) };
            snapshots.push(Snapshot { after, segment });
            last = id;
        }
        Ok(Some(snapshots))
    }
}

fn result_id(id: ResultId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}

fn as_result_id(id: i64) -> Option<ResultId> {
    u64::try_from(id).ok().map(ResultId)
}

fn checksum(after: i64, last: i64, contents: &[u8]) -> i64 {
    let mut crc = Crc::new();
    crc.update(&after.to_le_bytes());
    crc.update(&last.to_le_bytes());
    crc.update(contents);
    crc.sum().into()
}

/// A segment as stored: the number of results, the number of players, the players, the results.
fn encode(segment: &Segment<IdentityId>) -> Vec<u8> {
    let counts = [segment.results as u64, segment.players.len() as u64];
    let mut contents: Vec<u8> = counts.into_iter().flat_map(u64::to_le_bytes).collect();
    contents.extend(segment.players.iter().flat_map(|player| player.0.to_le_bytes()));
    contents.extend(&segment.body);
    contents
}

fn decode(last: i64, contents: &[u8]) -> Option<Segment<IdentityId>> {
    let (results, rest) = contents.split_first_chunk()?;
    let (players, rest) = rest.split_first_chunk()?;
    let players = usize::try_from(u64::from_le_bytes(*players)).ok()?.checked_mul(8)?;
    let (players, body) = rest.split_at_checked(players)?;
    let (players, _) = players.as_chunks();
    Some(Segment {
        players: players.iter().map(|&id| IdentityId(i64::from_le_bytes(id))).collect(),
        results: usize::try_from(u64::from_le_bytes(*results)).ok()?,
        last: as_result_id(last)?,
        body: body.to_vec(),
    })
}

//! Records: finished games in text form.

use std::fmt;

use noughts_rules::Game;
use noughts_scores::ResultId;

use crate::database::read;
use crate::{Store, StoreError};

/// The id of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u64);

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// The record's id.
    pub id: RecordId,
    /// When it was stored, in milliseconds since 1970.
    pub at: i64,
    /// The game with its players and moves.
    pub game: Game,
    /// The result, if the game counts in a league.
    pub result: Option<StoredResult>,
}

/// The result of a stored game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The result's id.
    pub id: ResultId,
    /// The league's name.
    pub league: String,
    /// Whether the result was retracted.
    pub retracted: bool,
}

impl Store {
    /// The newest games, newest first: all, or those with a result in a league.
    pub async fn games(
        &self,
        league: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        self.select_games(None, None, league, limit).await
    }

    /// The newest games that were stored before the one with this id: the next page of
    /// [`games`](Store::games).
    pub async fn games_before(
        &self,
        before: RecordId,
        limit: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let before = i64::try_from(before.0).unwrap_or(i64::MAX);
        self.select_games(None, Some(before), None, limit).await
    }

    /// The game with this id.
    pub async fn game(&self, id: RecordId) -> Result<Option<StoredGame>, StoreError> {
        let Ok(id) = i64::try_from(id.0) else { return Ok(None) };
        Ok(self.select_games(Some(id), None, None, 1).await?.pop())
    }

    async fn select_games(
        &self,
        id: Option<i64>,
        before: Option<i64>,
        league: Option<&str>,
        limit: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT records.id, stored_at, notation, results.id, leagues.name, retracted_at
             FROM records
             LEFT JOIN results ON results.record_id = records.id
             LEFT JOIN leagues ON leagues.id = results.league_id
             WHERE (CAST($1 AS BIGINT) IS NULL OR records.id = $1)
                 AND (CAST($2 AS TEXT) IS NULL OR leagues.name = $2)
                 AND (CAST($4 AS BIGINT) IS NULL OR records.id < $4)
             ORDER BY records.id DESC LIMIT $3",
        )
        .bind(id)
        .bind(league)
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .bind(before)
        .fetch_all(executor)
        .await)?;
        rows.into_iter().map(|row| self.stored_game(row)).collect()
    }

    fn stored_game(&self, row: Row) -> Result<StoredGame, StoreError> {
        let (id, at, notation, result, league, retracted_at) = row;
        Ok(StoredGame {
            id: RecordId(id as u64),
            at,
            game: notation.parse().map_err(|_| self.damaged())?,
            result: result.zip(league).map(|(id, league)| StoredResult {
                id: ResultId(id as u64),
                league,
                retracted: retracted_at.is_some(),
            }),
        })
    }
}

/// Record, time, notation, and the result with its league and the time of its retraction.
type Row = (i64, i64, String, Option<i64>, Option<String>, Option<i64>);

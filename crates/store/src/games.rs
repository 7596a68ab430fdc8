//! Games that were played.

use std::fmt;

use noughts_rules::Game;
use noughts_scores::ResultId;

use crate::database::read;
use crate::{Store, StoreError};

/// The number under which a game was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u64);

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A game as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number.
    pub id: RecordId,
    /// When it was stored, in milliseconds since 1970.
    pub at: i64,
    /// The game with its players and moves.
    pub game: Game,
    /// What it counts as, where it was counted.
    pub result: Option<StoredResult>,
}

/// What a stored game counts as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// Its number.
    pub id: ResultId,
    /// The league's name.
    pub league: String,
    /// Whether it was taken back.
    pub retracted: bool,
}

impl Store {
    /// The newest games, the newest first; only those that were counted in a league, where one is
    /// named.
    pub async fn games(
        &self,
        league: Option<&str>,
        most: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        self.select_games(None, league, most).await
    }

    /// One game, if there is one with this number.
    pub async fn game(&self, id: RecordId) -> Result<Option<StoredGame>, StoreError> {
        let Ok(id) = i64::try_from(id.0) else { return Ok(None) };
        Ok(self.select_games(Some(id), None, 1).await?.pop())
    }

    async fn select_games(
        &self,
        id: Option<i64>,
        league: Option<&str>,
        most: usize,
    ) -> Result<Vec<StoredGame>, StoreError> {
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT games.id, games.at, record, results.id, leagues.name, retracted_at
             FROM games
             LEFT JOIN results ON results.game = games.id
             LEFT JOIN leagues ON leagues.id = results.league
             WHERE (CAST($1 AS BIGINT) IS NULL OR games.id = $1)
                 AND (CAST($2 AS TEXT) IS NULL OR leagues.name = $2)
             ORDER BY games.id DESC LIMIT $3",
        )
        .bind(id)
        .bind(league)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .fetch_all(executor)
        .await)?;
        rows.into_iter().map(|row| self.stored_game(row)).collect()
    }

    fn stored_game(&self, row: Row) -> Result<StoredGame, StoreError> {
        let (id, at, record, result, league, retracted_at) = row;
        Ok(StoredGame {
            id: RecordId(id as u64),
            at,
            game: record.parse().map_err(|_| self.damaged())?,
            result: result.zip(league).map(|(id, league)| StoredResult {
                id: ResultId(id as u64),
                league,
                retracted: retracted_at.is_some(),
            }),
        })
    }
}

/// Game, time, record, and the result with its league and when it was retracted.
type Row = (i64, i64, String, Option<i64>, Option<String>, Option<i64>);

//! Moving results from the leagues of earlier versions to those of their kinds of games.

use std::sync::LazyLock;

use noughts_scores::ResultId;
use serde::Serialize;

use crate::daily_games::{Unweighed, weigh};
use crate::database::{AppendTransaction, BulkInsert, ColumnType, read};
use crate::log::ResultPlayer;
use crate::{LEGACY_LEAGUES, LeagueChoice, Store, StoreError};

use ColumnType::{Integer, Text};

/// Where a result belongs.
#[derive(Debug, Clone)]
pub struct MovedResult {
    /// The result.
    pub id: ResultId,
    /// When the game ended, in milliseconds since 1970.
    pub at: i64,
    /// The league of the game, created if it does not exist.
    pub league: LeagueChoice,
    /// The players in seat order.
    pub players: Vec<ResultPlayer>,
    /// Whether the game counts. Otherwise the result is retracted.
    pub counts: bool,
}

static RESULTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("id", Integer), ("league_id", Integer), ("retracted_at", Integer)],
        "UPDATE results SET league_id = input.league_id,
             retracted_at = coalesce(results.retracted_at, input.retracted_at)
         FROM input WHERE results.id = input.id
             AND results.league_id IN (SELECT id FROM leagues WHERE name IN ('online', 'online-many'))",
    )
});

#[derive(Serialize)]
struct ResultRow {
    id: u64,
    league_id: i64,
    retracted_at: Option<i64>,
}

static WEIGHTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("id", Integer), ("seat", Integer), ("weight", Integer)],
        "UPDATE result_players SET weight = input.weight
         FROM input WHERE result_id = input.id AND result_players.seat = input.seat",
    )
});

#[derive(Serialize)]
struct WeightRow {
    id: u64,
    seat: usize,
    weight: u8,
}

static FINISHED_GAMES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("id", Integer), ("league", Text)],
        "UPDATE games SET league = input.league
         FROM input JOIN results ON results.id = input.id
         JOIN records ON records.id = results.record_id
         WHERE games.id = records.online_game_id",
    )
});

#[derive(Serialize)]
struct FinishedGameRow<'a> {
    id: u64,
    league: &'a str,
}

static UNFINISHED_GAMES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("legacy", Text), ("league", Text), ("rules", Text)],
        "UPDATE games SET league = input.league FROM input
         WHERE phase IN ('open', 'live') AND games.league = input.legacy
             AND games.rules = input.rules",
    )
});

#[derive(Serialize)]
struct UnfinishedGamesRow {
    legacy: String,
    league: String,
    rules: String,
}

impl Store {
    /// Moves results from the leagues of earlier versions to others, and weighs them anew, in the order
    /// given. Does nothing if another server has moved one of them meanwhile.
    pub async fn move_results(&self, results: &[MovedResult], now: i64) -> Result<(), StoreError> {
        let mut league_ids = Vec::with_capacity(results.len());
        for result in results {
            let league = self.find_or_create_league(&result.league, true).await?;
            if !league.online {
                let name = result.league.name.clone();
                return Err(StoreError::OtherLeague { name, online: false });
            }
            league_ids.push(league.id);
        }
        // Moving results also changes the leagues they come from.
        let mut changed = league_ids.clone();
        for legacy in LEGACY_LEAGUES {
            changed.extend(self.find_league(legacy).await?.map(|row| row.id));
        }
        let mut transaction = self.database.begin_append().await?;
        transaction.lock_leagues(&changed).await?;
        match store_moved(&mut transaction, results, &league_ids, now).await {
            Ok(true) => transaction.commit().await,
            Ok(false) => {
                transaction.roll_back().await;
                Ok(())
            }
            Err(error) => {
                transaction.roll_back().await;
                Err(error)
            }
        }
    }

    /// Names the leagues of unfinished games that have one of an earlier version. `league` finds the
    /// league for rules as text.
    pub async fn rename_legacy_leagues(
        &self,
        league: impl Fn(&str) -> Option<String>,
    ) -> Result<(), StoreError> {
        let [two, many] = LEGACY_LEAGUES;
        let found: Vec<(String, String)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT DISTINCT league, rules FROM games
             WHERE phase IN ('open', 'live') AND league IN ($1, $2)",
        )
        .bind(two)
        .bind(many)
        .fetch_all(executor)
        .await)?;
        let row = |(legacy, rules): (String, String)| {
            Some(UnfinishedGamesRow { legacy, league: league(&rules)?, rules })
        };
        let rows: Vec<UnfinishedGamesRow> = found.into_iter().filter_map(row).collect();
        let mut transaction = self.database.begin_append().await?;
        match transaction.insert(&UNFINISHED_GAMES, &rows).await {
            Ok(_) => transaction.commit().await,
            Err(error) => {
                transaction.roll_back().await;
                Err(error)
            }
        }
    }
}

/// Stores everything, or returns false because a result is in another league already.
async fn store_moved(
    transaction: &mut AppendTransaction<'_>,
    results: &[MovedResult],
    league_ids: &[i64],
    now: i64,
) -> Result<bool, StoreError> {
    let moved = || results.iter().zip(league_ids);
    let rows: Vec<ResultRow> = moved()
        .map(|(result, &league_id)| ResultRow {
            id: result.id.0,
            league_id,
            retracted_at: (!result.counts).then_some(now),
        })
        .collect();
    if transaction.insert(&RESULTS, &rows).await? != rows.len() as u64 {
        return Ok(false);
    }
    // Games that don't count are not among those of their day.
    let counted = || moved().filter(|(result, _)| result.counts);
    let games: Vec<Unweighed<'_>> = counted()
        .map(|(result, &league_id)| Unweighed {
            league_id,
            at: result.at,
            players: &result.players,
        })
        .collect();
    let weights = weigh(transaction, &games).await?;
    let weights: Vec<WeightRow> = counted()
        .zip(&weights)
        .flat_map(|((result, _), weights)| {
            let id = result.id.0;
            let seats = weights.iter().enumerate();
            seats.map(move |(seat, weight)| WeightRow { id, seat, weight: weight.percent() })
        })
        .collect();
    let games: Vec<FinishedGameRow<'_>> = results
        .iter()
        .map(|result| FinishedGameRow { id: result.id.0, league: &result.league.name })
        .collect();
    transaction.insert(&WEIGHTS, &weights).await?;
    transaction.insert(&FINISHED_GAMES, &games).await?;
    Ok(true)
}

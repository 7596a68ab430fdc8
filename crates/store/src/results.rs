//! Recording games with their results, and retracting results.

use noughts_rules::{Game, Outcome};
use noughts_scores::{GameResult, Name, ResultId, RetractError};

use crate::database::write;
use crate::leagues::LeagueRow;
use crate::{LeagueChoice, RecordId, Store, StoreError};

/// The ids of a recorded game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The record.
    pub game: RecordId,
    /// The result, if the game counts.
    pub result: Option<ResultId>,
}

impl Store {
    /// Stores a game with its moves, and its result if a league is given. `at` is the time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// With a league: refuses a game that is not over, or that the league can't rate.
    pub async fn record(
        &self,
        game: &Game,
        at: i64,
        league: Option<&LeagueChoice>,
    ) -> Result<Recorded, StoreError> {
        self.record_end(None, game, at, league).await
    }

    /// Like [`record`](Store::record), for a game that was stored before it was over: its record is
    /// completed. If that is gone or counts already, the game gets another one.
    pub async fn record_end(
        &self,
        unfinished: Option<RecordId>,
        game: &Game,
        at: i64,
        league: Option<&LeagueChoice>,
    ) -> Result<Recorded, StoreError> {
        let unfinished = unfinished.and_then(|id| i64::try_from(id.0).ok());
        let rated = match league {
            Some(choice) => {
                let result = result_of(game)?;
                Some((choice, self.league_for(choice, &result).await?, result))
            }
            None => None,
        };
        write!(&*self.database, connection => {
            let completed: Option<i64> = sqlx::query_scalar(
                "UPDATE records SET stored_at = $1, notation = $2
                 WHERE id = $3 AND online_game_id IS NULL
                     AND NOT EXISTS (SELECT 1 FROM results WHERE record_id = records.id)
                 RETURNING id",
            )
            .bind(at)
            .bind(game.to_string())
            .bind(unfinished)
            .fetch_optional(&mut *connection)
            .await?;
            let row: i64 = match completed {
                Some(row) => row,
                None => {
                    sqlx::query_scalar(
                        "INSERT INTO records (stored_at, notation) VALUES ($1, $2) RETURNING id",
                    )
                    .bind(at)
                    .bind(game.to_string())
                    .fetch_one(&mut *connection)
                    .await?
                }
            };
            if game.turn().is_none() {
                sqlx::query("DELETE FROM unfinished_games WHERE record_id = $1")
                    .bind(row)
                    .execute(&mut *connection)
                    .await?;
            }
            let mut recorded = Recorded { game: RecordId(row as u64), result: None };
            if let Some((choice, league, result)) = &rated {
                // Locks the league on PostgreSQL, so that its results become visible in order.
                let locked =
                    sqlx::query("UPDATE leagues SET online = online WHERE id = $1 AND online = 0")
                        .bind(league.id)
                        .execute(&mut *connection)
                        .await?;
                if locked.rows_affected() == 0 {
                    return Err(StoreError::OtherLeague { name: choice.name.clone(), online: true });
                }
                let id: i64 = sqlx::query_scalar(
                    "INSERT INTO results (league_id, record_id, ended_at, winner_seat) VALUES ($1, $2, $3, $4)
                     RETURNING id",
                )
                .bind(league.id)
                .bind(row)
                .bind(at)
                .bind(result.outcome().winner().map(|seat| seat as i64))
                .fetch_one(&mut *connection)
                .await?;
                for (seat, name) in (0i64..).zip(result.players()) {
                    sqlx::query(
                        "INSERT INTO result_players (result_id, seat, name) VALUES ($1, $2, $3)",
                    )
                    .bind(id)
                    .bind(seat)
                    .bind(name.as_str())
                    .execute(&mut *connection)
                    .await?;
                }
                recorded.result = Some(ResultId(id as u64));
            }
            Ok(recorded)
        })
    }

    /// The league for the result, created if it does not exist.
    async fn league_for(
        &self,
        choice: &LeagueChoice,
        result: &GameResult<Name>,
    ) -> Result<LeagueRow, StoreError> {
        let found = self.find_league(&choice.name).await?;
        if found.is_some_and(|league| league.online) {
            return Err(StoreError::OtherLeague { name: choice.name.clone(), online: true });
        }
        let system = found.map_or(choice.system, |league| league.system);
        system.check_player_count(result.players().len())?;
        match found {
            Some(league) => Ok(league),
            None => self.find_or_create_league(choice, false).await,
        }
    }

    /// Retracts a result: it no longer counts. The record stays.
    ///
    /// # Errors
    ///
    /// Refuses an unknown id, and a result that is already retracted.
    pub async fn retract(&self, id: ResultId, at: i64) -> Result<(), StoreError> {
        let row = i64::try_from(id.0).map_err(|_| StoreError::unknown_result(id))?;
        write!(&*self.database, connection => {
            let retracted = sqlx::query(
                "UPDATE results SET retracted_at = $1 WHERE id = $2 AND retracted_at IS NULL",
            )
            .bind(at)
            .bind(row)
            .execute(&mut *connection)
            .await?;
            if retracted.rows_affected() == 1 {
                return Ok(());
            }
            let known: Option<i64> = sqlx::query_scalar("SELECT id FROM results WHERE id = $1")
                .bind(row)
                .fetch_optional(connection)
                .await?;
            Err(match known {
                Some(_) => RetractError::AlreadyRetracted(id).into(),
                None => StoreError::unknown_result(id),
            })
        })
    }
}

/// The result of a finished game.
fn result_of(game: &Game) -> Result<GameResult<Name>, StoreError> {
    let outcome = match game.position().outcome().ok_or(StoreError::NotOver)? {
        Outcome::Win(seat) => noughts_scores::Outcome::Won { seat: seat.index() as u8 },
        Outcome::Draw => noughts_scores::Outcome::Draw,
    };
    let names = game.players().iter().map(|player| player.name());
    Ok(GameResult::from_names(names, outcome)?)
}

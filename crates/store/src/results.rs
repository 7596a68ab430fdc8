//! Storing what happened.

use noughts_rules::{Game, Outcome};
use noughts_scores::{GameResult, League, Report, ResultId, RetractError};

use crate::{GameId, LeagueChoice, Store, StoreError};

/// Under which ids something was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// The game.
    pub game: GameId,
    /// What it counts as, where it counts.
    pub result: Option<ResultId>,
}

impl Store {
    /// Stores a game with its moves, and its result where a league is named. `at` is the time in
    /// milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// Refuses a game that is not over, or that the league can't rate, where a league is named.
    pub async fn record(
        &self,
        game: &Game,
        at: i64,
        league: Option<&LeagueChoice>,
    ) -> Result<Recorded, StoreError> {
        let counted =
            league.map(|league| Ok::<_, StoreError>((league, result(game)?))).transpose()?;
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let inserted = sqlx::query("INSERT INTO games (at, record) VALUES (?, ?)")
            .bind(at)
            .bind(game.to_string())
            .execute(&mut *transaction)
            .await?;
        let game_row = inserted.last_insert_rowid();
        let mut recorded = Recorded { game: GameId(game_row as u64), result: None };
        if let Some((choice, result)) = counted {
            let (league, system) = self.find_or_create_league(&mut transaction, choice).await?;
            // A league of this system without results refuses exactly what one with results does.
            let trial = Report { id: ResultId(0), at, result: result.clone() };
            League::new(system).report(&trial)?;
            let inserted =
                sqlx::query("INSERT INTO results (league, game, at, winner) VALUES (?, ?, ?, ?)")
                    .bind(league)
                    .bind(game_row)
                    .bind(at)
                    .bind(result.outcome().winner().map(|seat| seat as i64))
                    .execute(&mut *transaction)
                    .await?;
            let id = inserted.last_insert_rowid();
            for (seat, name) in (0i64..).zip(result.players()) {
                sqlx::query("INSERT INTO result_players (result, seat, name) VALUES (?, ?, ?)")
                    .bind(id)
                    .bind(seat)
                    .bind(name.as_str())
                    .execute(&mut *transaction)
                    .await?;
            }
            recorded.result = Some(ResultId(id as u64));
        }
        transaction.commit().await?;
        Ok(recorded)
    }

    /// Takes a result back: it does not count any more. The game stays.
    ///
    /// # Errors
    ///
    /// Refuses an id that no result has, and one that was retracted before.
    pub async fn retract(&self, id: ResultId, at: i64) -> Result<(), StoreError> {
        let row = i64::try_from(id.0).map_err(|_| StoreError::unknown_result(id))?;
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let retracted: Option<Option<i64>> =
            sqlx::query_scalar("SELECT retracted_at FROM results WHERE id = ?")
                .bind(row)
                .fetch_optional(&mut *transaction)
                .await?;
        match retracted {
            None => return Err(StoreError::unknown_result(id)),
            Some(Some(_)) => return Err(RetractError::AlreadyRetracted(id).into()),
            Some(None) => {}
        }
        sqlx::query("UPDATE results SET retracted_at = ? WHERE id = ?")
            .bind(at)
            .bind(row)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// What a finished game counts as.
fn result(game: &Game) -> Result<GameResult, StoreError> {
    let outcome = match game.position().outcome().ok_or(StoreError::NotOver)? {
        Outcome::Win(seat) => noughts_scores::Outcome::Won { seat: seat.index() as u8 },
        Outcome::Draw => noughts_scores::Outcome::Draw,
    };
    let names = game.players().iter().map(|player| player.name());
    Ok(GameResult::new(names, outcome)?)
}

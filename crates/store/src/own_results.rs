//! The results of one identity.

use noughts_scores::{ResultId, Weight};

use crate::database::read;
use crate::leagues::weight;
use crate::{GameId, IdentityId, Store, StoreError};

/// A result of a game in which an identity had a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnResult {
    /// The result.
    pub id: ResultId,
    /// The league.
    pub league: String,
    /// The game.
    pub game: GameId,
    /// When the game ended, in milliseconds since 1970.
    pub at: i64,
    /// The identity's seat, from 0.
    pub seat: u8,
    /// The winner's seat; none for a draw.
    pub winner: Option<u8>,
    /// How much the result counts for the identity.
    pub weight: Weight,
    /// Whether the result was retracted.
    pub retracted: bool,
}

impl Store {
    /// The league and the result of a game, if it has one that was not retracted.
    pub async fn result_of(&self, game: GameId) -> Result<Option<(String, ResultId)>, StoreError> {
        let row: Option<(String, i64)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT leagues.name, results.id FROM records
             JOIN results ON record_id = records.id
             JOIN leagues ON leagues.id = league_id
             WHERE online_game_id = $1 AND retracted_at IS NULL",
        )
        .bind(&game.as_bytes()[..])
        .fetch_optional(executor)
        .await)?;
        Ok(row.map(|(league, id)| (league, ResultId(id as u64))))
    }

    /// The results of an identity's online games, oldest first.
    pub async fn results_of(&self, identity: IdentityId) -> Result<Vec<OwnResult>, StoreError> {
        type Row = (i64, String, Vec<u8>, i64, i64, Option<i64>, i64, Option<i64>);
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT results.id, leagues.name, game_id, ended_at, seat, winner_seat, weight,
                 retracted_at
             FROM game_players
             JOIN records ON online_game_id = game_id
             JOIN results ON record_id = records.id
             JOIN leagues ON leagues.id = league_id
             JOIN result_players ON result_id = results.id
                 AND result_players.identity_id = game_players.identity_id
             WHERE game_players.identity_id = $1 ORDER BY results.id, seat",
        )
        .bind(identity.0)
        .fetch_all(executor)
        .await)?;
        let result = |(id, league, game, at, seat, winner, percent, retracted): Row| {
            Some(OwnResult {
                id: ResultId(u64::try_from(id).ok()?),
                league,
                game: GameId::from_bytes(game.try_into().ok()?),
                at,
                seat: u8::try_from(seat).ok()?,
                winner: winner.map(u8::try_from).transpose().ok()?,
                weight: weight(percent)?,
                retracted: retracted.is_some(),
            })
        };
        rows.into_iter().map(|row| result(row).ok_or_else(|| self.damaged())).collect()
    }
}

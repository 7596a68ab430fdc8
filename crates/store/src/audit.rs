//! Results beside the records they came from, to recount leagues and correct mistakes.

use noughts_scores::{GameResult, Name, Outcome, ResultId, Weight};

use crate::database::{read, write};
use crate::leagues::weight;
use crate::{GameId, IdentityId, Store, StoreError};

/// A stored result with the record of its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedResult {
    /// The result's id.
    pub id: ResultId,
    /// The league's name.
    pub league: String,
    /// When the game ended, in milliseconds since 1970.
    pub at: i64,
    /// Whether the result was retracted.
    pub retracted: bool,
    /// The online game, if it was one.
    pub online: Option<GameId>,
    /// The game in text form.
    pub record: String,
    /// The players in seat order.
    pub players: Vec<AuditedPlayer>,
    /// The winner's seat; none for a draw.
    pub winner: Option<i64>,
}

/// A player of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedPlayer {
    /// The name at the time of the game.
    pub name: String,
    /// The identity, if the game was online.
    pub identity: Option<IdentityId>,
    /// How much the result counts for the player.
    pub weight: Weight,
}

impl Store {
    /// A page of the results of a league, or of all, after one of them, in the order of their ids.
    pub async fn results_for_audit(
        &self,
        league: Option<&str>,
        after: Option<ResultId>,
        limit: u32,
    ) -> Result<Vec<AuditedResult>, StoreError> {
        let after = after.map_or(Ok(0), |id| i64::try_from(id.0)).unwrap_or(i64::MAX);
        type Row = (
            i64,
            String,
            i64,
            Option<i64>,
            Option<i64>,
            String,
            Option<Vec<u8>>,
            Option<String>,
            Option<i64>,
            Option<i64>,
        );
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT results.id, leagues.name, ended_at, retracted_at, winner_seat,
                 notation, online_game_id, result_players.name, identity_id, weight
             FROM results
             JOIN leagues ON leagues.id = league_id
             JOIN records ON records.id = record_id
             LEFT JOIN result_players ON result_id = results.id
             WHERE results.id IN (SELECT id FROM results WHERE id > $1 AND (CAST($3 AS TEXT) IS NULL
                 OR league_id = (SELECT id FROM leagues WHERE name = $3)) ORDER BY id LIMIT $2)
             ORDER BY results.id, seat",
        )
        .bind(after)
        .bind(i64::from(limit))
        .bind(league)
        .fetch_all(executor)
        .await)?;
        let mut results: Vec<AuditedResult> = Vec::new();
        for (id, league, at, retracted_at, winner, record, online, name, identity, percent) in rows
        {
            let id = ResultId(id as u64);
            if results.last().is_none_or(|result| result.id != id) {
                let online = online.map(<[u8; 16]>::try_from).transpose();
                results.push(AuditedResult {
                    id,
                    league,
                    at,
                    retracted: retracted_at.is_some(),
                    online: online.map_err(|_| self.damaged())?.map(GameId::from_bytes),
                    record,
                    players: Vec::new(),
                    winner,
                });
            }
            if let (Some(result), Some(name)) = (results.last_mut(), name) {
                let identity = identity.map(IdentityId);
                let weight = percent.and_then(weight).ok_or_else(|| self.damaged())?;
                result.players.push(AuditedPlayer { name, identity, weight });
            }
        }
        Ok(results)
    }

    /// Corrects the outcome of a result, and the names of players without an identity.
    pub async fn correct_result(
        &self,
        id: ResultId,
        result: &GameResult<Name>,
    ) -> Result<(), StoreError> {
        let row = i64::try_from(id.0).map_err(|_| StoreError::unknown_result(id))?;
        let winner = match result.outcome() {
            Outcome::Won { seat } => Some(i64::from(seat)),
            Outcome::Draw => None,
        };
        write!(&*self.database, connection => {
            let corrected = sqlx::query("UPDATE results SET winner_seat = $1 WHERE id = $2")
                .bind(winner)
                .bind(row)
                .execute(&mut *connection)
                .await?;
            if corrected.rows_affected() == 0 {
                return Err(StoreError::unknown_result(id));
            }
            for (seat, name) in (0i64..).zip(result.players()) {
                sqlx::query(
                    "UPDATE result_players SET name = $1
                     WHERE result_id = $2 AND seat = $3 AND identity_id IS NULL",
                )
                .bind(name.as_str())
                .bind(row)
                .bind(seat)
                .execute(&mut *connection)
                .await?;
            }
            Ok(())
        })
    }
}

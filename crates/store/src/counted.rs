//! Games that count, beside what they were counted as: for whoever counts again.

use noughts_scores::{GameResult, Name, Outcome, ResultId};

use crate::database::{read, write};
use crate::{GameId, IdentityId, Store, StoreError};

/// A game that was counted, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedGame {
    /// The result's number.
    pub id: ResultId,
    /// The league's name.
    pub league: String,
    /// When it was counted, in milliseconds since 1970.
    pub at: i64,
    /// Whether it was taken back.
    pub retracted: bool,
    /// The online game that it was, if it was one.
    pub online: Option<GameId>,
    /// The game as text.
    pub record: String,
    /// Who it counts for, in seat order.
    pub players: Vec<CountedPlayer>,
    /// The winner's seat; none for a draw.
    pub winner: Option<i64>,
}

/// Somebody for whom a game counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedPlayer {
    /// What they were called.
    pub name: String,
    /// Who they are, if they played online.
    pub identity: Option<IdentityId>,
}

impl Store {
    /// Counted games after one, in the order of their results; all of them come page by page.
    pub async fn counted_games(
        &self,
        after: Option<ResultId>,
        most: u32,
    ) -> Result<Vec<CountedGame>, StoreError> {
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
        );
        let rows: Vec<Row> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT results.id, leagues.name, results.at, retracted_at, winner,
                 record, games.online, result_players.name, identity
             FROM results JOIN leagues ON leagues.id = league JOIN games ON games.id = game
             LEFT JOIN result_players ON result = results.id
             WHERE results.id IN (SELECT id FROM results WHERE id > $1 ORDER BY id LIMIT $2)
             ORDER BY results.id, seat",
        )
        .bind(after)
        .bind(i64::from(most))
        .fetch_all(executor)
        .await)?;
        let mut games: Vec<CountedGame> = Vec::new();
        for row in rows {
            let (id, league, at, retracted_at, winner, record, online, name, identity) = row;
            let id = ResultId(id as u64);
            if games.last().is_none_or(|game| game.id != id) {
                let key = |id: Vec<u8>| {
                    let key = id.try_into().map(GameId::from_bytes);
                    key.map_err(|_| self.damaged())
                };
                let online = online.map(key).transpose()?;
                let retracted = retracted_at.is_some();
                let players = Vec::new();
                games.push(CountedGame {
                    id,
                    league,
                    at,
                    retracted,
                    online,
                    record,
                    players,
                    winner,
                });
            }
            let player =
                name.map(|name| CountedPlayer { name, identity: identity.map(IdentityId) });
            games.last_mut().into_iter().for_each(|game| game.players.extend(player.clone()));
        }
        Ok(games)
    }

    /// Puts right what a game was counted as. Who played stays as it is, except for names that no
    /// identity stands behind.
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
            let corrected = sqlx::query("UPDATE results SET winner = $1 WHERE id = $2")
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
                     WHERE result = $2 AND seat = $3 AND identity IS NULL",
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

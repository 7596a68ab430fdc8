//! Games at the terminal that are not over, and the deletion of stored games.

use noughts_rules::Game;

use crate::database::{read, write};
use crate::{RecordId, Store, StoreError, StoredGame};

/// A stored game that can be continued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedGame {
    /// The game.
    pub stored: StoredGame,
    /// When it last changed, in milliseconds since 1970.
    pub changed_at: i64,
    /// The caller's text from [`Store::save_unfinished`]; empty for a game that was not played here.
    pub detail: String,
}

impl Store {
    /// Stores the present state of a game that is not over: the record with this id, or a new one if
    /// there is none or if it counts in a league. `detail` is the caller's own text.
    pub async fn save_unfinished(
        &self,
        id: Option<RecordId>,
        game: &Game,
        at: i64,
        detail: &str,
    ) -> Result<RecordId, StoreError> {
        let id = id.and_then(|id| i64::try_from(id.0).ok());
        write!(&*self.database, connection => {
            let notation = game.to_string();
            let updated: Option<i64> = sqlx::query_scalar(
                "UPDATE records SET notation = $1, stored_at = $2
                 WHERE id = $3 AND online_game_id IS NULL
                     AND NOT EXISTS (SELECT 1 FROM results WHERE record_id = records.id)
                 RETURNING id",
            )
            .bind(&notation)
            .bind(at)
            .bind(id)
            .fetch_optional(&mut *connection)
            .await?;
            let row: i64 = match updated {
                Some(row) => row,
                None => {
                    sqlx::query_scalar(
                        "INSERT INTO records (stored_at, notation) VALUES ($1, $2) RETURNING id",
                    )
                    .bind(at)
                    .bind(&notation)
                    .fetch_one(&mut *connection)
                    .await?
                }
            };
            sqlx::query(
                "INSERT INTO unfinished_games (record_id, changed_at, detail) VALUES ($1, $2, $3)
                 ON CONFLICT (record_id)
                 DO UPDATE SET changed_at = excluded.changed_at, detail = excluded.detail",
            )
            .bind(row)
            .bind(at)
            .bind(detail)
            .execute(&mut *connection)
            .await?;
            Ok(RecordId(row as u64))
        })
    }

    /// The unfinished game that changed last.
    pub async fn latest_unfinished(&self) -> Result<Option<UnfinishedGame>, StoreError> {
        let latest: Option<i64> = read!(&*self.database, executor => sqlx::query_scalar(
            "SELECT record_id FROM unfinished_games ORDER BY changed_at DESC, record_id DESC LIMIT 1",
        )
        .fetch_optional(executor)
        .await)?;
        match latest {
            Some(id) => self.unfinished_game(RecordId(id as u64)).await,
            None => Ok(None),
        }
    }

    /// A stored game that is not over, with what its continuation needs.
    pub async fn unfinished_game(
        &self,
        id: RecordId,
    ) -> Result<Option<UnfinishedGame>, StoreError> {
        let Some(stored) = self.game(id).await?.filter(|stored| stored.game.turn().is_some())
        else {
            return Ok(None);
        };
        let row: Option<(i64, String)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT changed_at, detail FROM unfinished_games WHERE record_id = $1",
        )
        .bind(id.0 as i64)
        .fetch_optional(executor)
        .await)?;
        let (changed_at, detail) = row.unwrap_or((stored.at, String::new()));
        Ok(Some(UnfinishedGame { stored, changed_at, detail }))
    }

    /// Deletes a game at the terminal, with its result if it counts: the league forgets it.
    ///
    /// # Errors
    ///
    /// Refuses a game that is not stored, and one that was played online.
    pub async fn delete_game(&self, id: RecordId) -> Result<(), StoreError> {
        let unknown = || StoreError::UnknownGame(id);
        let row = i64::try_from(id.0).map_err(|_| unknown())?;
        write!(&*self.database, connection => {
            let online: Option<bool> = sqlx::query_scalar(
                "SELECT online_game_id IS NOT NULL FROM records WHERE id = $1",
            )
            .bind(row)
            .fetch_optional(&mut *connection)
            .await?;
            match online {
                None => return Err(unknown()),
                Some(true) => return Err(StoreError::OnlineGame(id)),
                Some(false) => {}
            }
            for statement in [
                "DELETE FROM result_players
                 WHERE result_id IN (SELECT id FROM results WHERE record_id = $1)",
                "DELETE FROM results WHERE record_id = $1",
                "DELETE FROM unfinished_games WHERE record_id = $1",
                "DELETE FROM records WHERE id = $1",
            ] {
                sqlx::query(statement).bind(row).execute(&mut *connection).await?;
            }
            Ok(())
        })
    }
}

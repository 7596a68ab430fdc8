//! Deleting identities: the name goes, the games stay.

use crate::database::{read, write};
use crate::identities::{REVOKE_ALL, identity};
use crate::puzzles::FORGET_PUZZLES;
use crate::relations::REMOVE_RELATIONS;
use crate::renaming::RESERVE;
use crate::{GameId, Identity, IdentityId, Store, StoreError, UniqueName};

/// A stored text that contains a player's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredText {
    /// The body of an event with this sequence number.
    Event(u64),
    /// What lists show of the game.
    ListingDetail,
    /// The finished game in text form.
    Record,
}

impl Store {
    /// Deletes an identity: gives it a name that says so, removes its password and recovery code, and
    /// revokes its tokens. Its id stays, with games and results; puzzles are forgotten. Until `reserved_until`, nobody gets
    /// the name of an account.
    ///
    /// Returns whether it existed. Its name is still in games; see [`Store::identities_to_erase`].
    pub async fn delete_identity(
        &self,
        id: IdentityId,
        name: &UniqueName,
        at: i64,
        reserved_until: i64,
    ) -> Result<bool, StoreError> {
        write!(&*self.database, connection => {
            let old: Option<(String, String, String)> = sqlx::query_as(
                "SELECT kind, case_skeleton, written_skeleton FROM identities
                 WHERE id = $1 AND kind <> 'computer' AND deleted_at IS NULL",
            )
            .bind(id.0)
            .fetch_optional(&mut *connection)
            .await?;
            let Some((kind, case_skeleton, written_skeleton)) = old else { return Ok(false) };
            if kind == "account" {
                sqlx::query(RESERVE)
                    .bind(&case_skeleton)
                    .bind(&written_skeleton)
                    .bind(id.0)
                    .bind(reserved_until)
                    .execute(&mut *connection)
                    .await?;
            }
            sqlx::query(
                "UPDATE identities
                 SET kind = 'guest', name = $1, case_skeleton = $2, written_skeleton = $3,
                     password_hash = NULL, recovery_hash = NULL, deleted_at = $4
                 WHERE id = $5",
            )
            .bind(&name.name)
            .bind(&name.case_skeleton)
            .bind(&name.written_skeleton)
            .bind(at)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            sqlx::query(
                "UPDATE result_players SET name = $1 WHERE identity_id = $2 AND result_id IN (
                     SELECT results.id FROM game_players
                     JOIN records ON online_game_id = game_id
                     JOIN results ON record_id = records.id
                     WHERE game_players.identity_id = $2)",
            )
            .bind(&name.name)
            .bind(id.0)
            .execute(&mut *connection)
            .await?;
            for statement in FORGET_PUZZLES {
                sqlx::query(statement).bind(id.0).execute(&mut *connection).await?;
            }
            sqlx::query("UPDATE tokens SET device = NULL, address = NULL WHERE identity_id = $1")
                .bind(id.0)
                .execute(&mut *connection)
                .await?;
            sqlx::query(REMOVE_RELATIONS).bind(id.0).execute(&mut *connection).await?;
            sqlx::query(REVOKE_ALL).bind(at).bind(id.0).execute(connection).await?;
            Ok(true)
        })
    }

    /// Deleted identities whose former name may still be in games.
    pub async fn identities_to_erase(&self) -> Result<Vec<Identity>, StoreError> {
        let rows: Vec<(i64, String, String, i64)> = read!(&*self.database, executor =>
            sqlx::query_as(
                "SELECT id, kind, name, created_at FROM identities
                 WHERE deleted_at IS NOT NULL AND erased_at IS NULL ORDER BY id",
            )
            .fetch_all(executor)
            .await)?;
        rows.into_iter().map(|row| identity(row).ok_or_else(|| self.damaged())).collect()
    }

    /// Records that an identity's former name is out of all games.
    pub async fn mark_erased(&self, id: IdentityId, at: i64) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("UPDATE identities SET erased_at = $1 WHERE id = $2")
                .bind(at)
                .bind(id.0)
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// The record of a finished game in text form, if it has one.
    pub async fn online_record(&self, game: GameId) -> Result<Option<String>, StoreError> {
        Ok(read!(&*self.database, executor => {
            sqlx::query_scalar("SELECT notation FROM records WHERE online_game_id = $1")
                .bind(&game.as_bytes()[..])
                .fetch_optional(executor)
                .await
        })?)
    }

    /// Replaces stored texts of a game, each given as it is and as it should be. One that has changed
    /// meanwhile is left alone. Returns how many were replaced.
    pub async fn replace_texts(
        &self,
        game: GameId,
        texts: &[(StoredText, String, String)],
    ) -> Result<u64, StoreError> {
        let (mut replaced, missing): (u64, Vec<_>) = write!(&*self.database, connection => {
            let (mut replaced, mut missing) = (0, Vec::new());
            for (text, old, new) in texts {
                let (statement, sequence) = match text {
                    StoredText::Event(sequence) => (
                        "UPDATE events SET body = $1 WHERE body = $2 AND sequence = $4
                             AND game_number = (SELECT number FROM games WHERE id = $3)",
                        Some(*sequence as i64),
                    ),
                    StoredText::ListingDetail => {
                        ("UPDATE games SET detail = $1 WHERE detail = $2 AND id = $3", None)
                    }
                    StoredText::Record => (
                        "UPDATE records SET notation = $1
                         WHERE notation = $2 AND online_game_id = $3",
                        None,
                    ),
                };
                let game = game.as_bytes();
                let query = sqlx::query(statement).bind(new).bind(old).bind(&game[..]);
                let query = match sequence {
                    Some(sequence) => query.bind(sequence),
                    None => query,
                };
                let rows = query.execute(&mut *connection).await?.rows_affected();
                replaced += rows;
                if let (0, StoredText::Event(sequence)) = (rows, text) {
                    missing.push((*sequence, old, new));
                }
            }
            Ok((replaced, missing))
        })?;
        for (sequence, old, new) in missing {
            replaced += u64::from(self.replace_in_fold(game, sequence, old, new).await?);
        }
        Ok(replaced)
    }
}

//! Removing what is no longer needed: aborted games, unused guests, revoked tokens and expired sessions.

use crate::database::write;
use crate::puzzles::FORGET_PUZZLES;
use crate::relations::REMOVE_RELATIONS;
use crate::{GameId, Store, StoreError};

/// Before which times tokens are removed, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenCutoffs {
    /// Tokens that were revoked.
    pub revoked: i64,
    /// Sessions of accounts that were last used.
    pub accounts: i64,
    /// Sessions of guests that were last used.
    pub guests: i64,
}

impl Store {
    /// Removes games that ended without a result before a time, oldest first. Returns how many were removed:
    /// fewer than `limit` when none are left.
    pub async fn remove_aborted_games(&self, before: i64, limit: u32) -> Result<u32, StoreError> {
        write!(&*self.database, connection => {
            let games: Vec<(i64, Vec<u8>)> = sqlx::query_as(
                "SELECT number, id FROM games
                 WHERE aborted = 1 AND phase = 'finished' AND id < $1
                     AND (SELECT at FROM events WHERE game_number = number
                         ORDER BY sequence DESC LIMIT 1) < $2
                 ORDER BY id LIMIT $3",
            )
            // Created earlier, too.
            .bind(&GameId::new(before, [0; 10]).as_bytes()[..])
            .bind(before)
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
            for (number, id) in &games {
                for statement in REMOVE_GAME {
                    sqlx::query(statement).bind(number).execute(&mut *connection).await?;
                }
                sqlx::query("DELETE FROM game_players WHERE game_id = $1")
                    .bind(id)
                    .execute(&mut *connection)
                    .await?;
            }
            Ok(games.len() as u32)
        })
    }

    /// Removes guests that were not used since a time and are in no game. Returns how many were removed:
    /// fewer than `limit` when none are left.
    pub async fn remove_unused_guests(&self, since: i64, limit: u32) -> Result<u32, StoreError> {
        write!(&*self.database, connection => {
            let guests: Vec<i64> = sqlx::query_scalar(
                "SELECT DISTINCT identities.id FROM tokens
                 JOIN identities ON identities.id = identity_id
                 WHERE coalesce(last_used_at, tokens.created_at) < $1 AND identities.kind = 'guest'
                     AND NOT EXISTS (
                         SELECT 1 FROM game_players WHERE identity_id = identities.id)
                     AND NOT EXISTS (
                         SELECT 1 FROM result_players WHERE identity_id = identities.id)
                     AND NOT EXISTS (
                         SELECT 1 FROM tournament_players WHERE identity_id = identities.id)
                     AND NOT EXISTS (SELECT 1 FROM tournaments WHERE creator_id = identities.id)
                     AND NOT EXISTS (
                         SELECT 1 FROM tokens AS newer WHERE newer.identity_id = identities.id
                             AND coalesce(newer.last_used_at, newer.created_at) >= $1)
                 LIMIT $2",
            )
            .bind(since)
            .bind(i64::from(limit))
            .fetch_all(&mut *connection)
            .await?;
            for guest in &guests {
                for statement in FORGET_PUZZLES.into_iter().chain(REMOVE_GUEST) {
                    sqlx::query(statement).bind(guest).execute(&mut *connection).await?;
                }
            }
            Ok(guests.len() as u32)
        })
    }

    /// Removes revoked tokens and expired sessions. Returns how many were removed: fewer than `limit` when
    /// none are left.
    pub async fn remove_tokens(
        &self,
        cutoffs: TokenCutoffs,
        limit: u32,
    ) -> Result<u32, StoreError> {
        write!(&*self.database, connection => {
            let revoked = sqlx::query(
                "DELETE FROM tokens WHERE hash IN (
                     SELECT hash FROM tokens WHERE revoked_at < $1 LIMIT $2)",
            )
            .bind(cutoffs.revoked)
            .bind(i64::from(limit))
            .execute(&mut *connection)
            .await?
            .rows_affected() as u32;
            let expired = sqlx::query(
                "DELETE FROM tokens WHERE hash IN (
                     SELECT hash FROM tokens JOIN identities ON identities.id = identity_id
                     WHERE coalesce(last_used_at, tokens.created_at) < $1 AND tokens.kind = 'session'
                         AND coalesce(last_used_at, tokens.created_at)
                             < CASE identities.kind WHEN 'guest' THEN $2 ELSE $3 END
                     LIMIT $4)",
            )
            .bind(cutoffs.accounts.max(cutoffs.guests))
            .bind(cutoffs.guests)
            .bind(cutoffs.accounts)
            .bind(i64::from(limit - revoked))
            .execute(&mut *connection)
            .await?
            .rows_affected() as u32;
            Ok(revoked + expired)
        })
    }

    /// Removes reservations of former names that are over.
    pub async fn remove_former_names(&self, now: i64) -> Result<(), StoreError> {
        write!(&*self.database, connection => {
            sqlx::query("DELETE FROM former_names WHERE reserved_until <= $1")
                .bind(now)
                .execute(connection)
                .await?;
            Ok(())
        })
    }
}

/// The rows of a game, by its number, besides its players.
const REMOVE_GAME: [&str; 3] = [
    "DELETE FROM creation_keys WHERE game_number = $1 AND (sender_id, idempotency_key) IN (
         SELECT sender_id, idempotency_key FROM events WHERE game_number = $1 AND sequence = 1)",
    "DELETE FROM events WHERE game_number = $1",
    "DELETE FROM games WHERE number = $1",
];

/// The rows of a guest.
const REMOVE_GUEST: [&str; 4] = [
    "DELETE FROM tokens WHERE identity_id = $1",
    "DELETE FROM former_names WHERE identity_id = $1",
    REMOVE_RELATIONS,
    "DELETE FROM identities WHERE id = $1 AND kind = 'guest'",
];

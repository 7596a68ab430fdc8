//! Folding a finished game: its last event takes the earlier ones with it, compressed, so that the game
//! has one row in the table of events. Queries for the last event of a game find it as before.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};

use super::{GameId, LoggedEvent, queries};
use crate::database::write;
use crate::{Store, StoreError};

/// The first byte of folded events, for later versions that fold in another way.
const FORMAT: u8 = 1;

/// Events of a game that are read at once.
const PAGE_SIZE: u32 = 1024;

/// Games that are folded in one transaction.
const GAMES_PER_TRANSACTION: u32 = 50;

/// An event without its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoldedEvent {
    #[serde(rename = "t")]
    pub(super) at: i64,
    #[serde(rename = "e")]
    pub(super) body: String,
}

/// Compresses the first events of a game.
fn fold(events: &[FoldedEvent]) -> Option<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(vec![FORMAT], Compression::best());
    encoder.write_all(&serde_json::to_vec(events).ok()?).ok()?;
    encoder.finish().ok()
}

/// The first events of a game, in order. None if the bytes are not folded events.
pub(super) fn unfold(folded: &[u8]) -> Option<Vec<FoldedEvent>> {
    let (format, compressed) = folded.split_first()?;
    let mut json = Vec::new();
    DeflateDecoder::new(compressed).read_to_end(&mut json).ok()?;
    (*format == FORMAT).then(|| serde_json::from_slice(&json).ok())?
}

impl Store {
    /// Folds finished games whose last event is older than `before`, oldest first, and forgets the
    /// idempotency keys of their commands. Returns how many were folded: fewer than `limit` when none are
    /// left. Everything reads as before.
    pub async fn fold_games(&self, before: i64, limit: u32) -> Result<u32, StoreError> {
        let (mut folded, mut after) = (0, GameId::from_bytes([0; 16]));
        while folded < limit {
            let page = (limit - folded).min(GAMES_PER_TRANSACTION);
            let games = queries::games_to_fold(self, before, after, page).await?;
            let Some(&last) = games.last() else { break };
            after = last;
            let mut events = Vec::with_capacity(games.len());
            for game in &games {
                events.push((*game, self.all_events(*game).await?));
            }
            folded += self.store_folded(&events).await?;
        }
        Ok(folded)
    }

    async fn all_events(&self, game: GameId) -> Result<Vec<LoggedEvent>, StoreError> {
        let mut events: Vec<LoggedEvent> = Vec::new();
        loop {
            let since = events.len() as u64;
            let page = queries::events(self, game, since, PAGE_SIZE).await?;
            let is_last = page.len() < PAGE_SIZE as usize;
            events.extend(page);
            if is_last {
                return Ok(events);
            }
        }
    }

    /// Stores games folded, unless their events have changed since they were read.
    async fn store_folded(&self, games: &[(GameId, Vec<LoggedEvent>)]) -> Result<u32, StoreError> {
        // SQLite has one writer at a time.
        let lock = match self.database.sqlite() {
            Some(_) => {
                "SELECT sequence, body, sender_id, idempotency_key FROM events
                 WHERE game_number = $1 ORDER BY sequence"
            }
            None => {
                "SELECT sequence, body, sender_id, idempotency_key FROM events
                 WHERE game_number = $1 ORDER BY sequence FOR UPDATE"
            }
        };
        write!(&*self.database, connection => {
            let mut folded = 0;
            for (game, events) in games {
                let Some((last, earlier)) = events.split_last() else { continue };
                let number: Option<i64> =
                    sqlx::query_scalar("SELECT number FROM games WHERE id = $1 AND folded = 0")
                        .bind(&game.as_bytes()[..])
                        .fetch_optional(&mut *connection)
                        .await?;
                let Some(number) = number else { continue };
                let stored: Vec<(i64, String, i64, String)> =
                    sqlx::query_as(lock).bind(number).fetch_all(&mut *connection).await?;
                let read = events.iter().map(|event| (event.sequence as i64, &event.body));
                if !stored.iter().map(|(sequence, body, ..)| (*sequence, body)).eq(read) {
                    continue;
                }
                let earlier: Vec<FoldedEvent> = earlier
                    .iter()
                    .map(|event| FoldedEvent { at: event.at, body: event.body.clone() })
                    .collect();
                let earlier = fold(&earlier).ok_or_else(|| self.damaged())?;
                let (.., sender, key) = &stored[0];
                sqlx::query(
                    "DELETE FROM creation_keys WHERE sender_id = $1 AND idempotency_key = $2
                         AND game_number = $3",
                )
                .bind(sender)
                .bind(key)
                .bind(number)
                .execute(&mut *connection)
                .await?;
                sqlx::query(
                    "UPDATE events SET earlier = $1, sender_id = 0, idempotency_key = ''
                     WHERE game_number = $2 AND sequence = $3",
                )
                .bind(earlier)
                .bind(number)
                .bind(last.sequence as i64)
                .execute(&mut *connection)
                .await?;
                sqlx::query("DELETE FROM events WHERE game_number = $1 AND sequence < $2")
                    .bind(number)
                    .bind(last.sequence as i64)
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("UPDATE games SET folded = 1 WHERE number = $1")
                    .bind(number)
                    .execute(&mut *connection)
                    .await?;
                folded += 1;
            }
            Ok(folded)
        })
    }
}

impl Store {
    /// Replaces the body of a folded event, if it has the old one. Returns whether it had.
    pub(crate) async fn replace_in_fold(
        &self,
        game: GameId,
        sequence: u64,
        old: &str,
        new: &str,
    ) -> Result<bool, StoreError> {
        let read = match self.database.sqlite() {
            Some(_) => {
                "SELECT game_number, sequence, earlier FROM events WHERE earlier IS NOT NULL
                     AND game_number = (SELECT number FROM games WHERE id = $1)"
            }
            None => {
                "SELECT game_number, sequence, earlier FROM events WHERE earlier IS NOT NULL
                     AND game_number = (SELECT number FROM games WHERE id = $1) FOR UPDATE"
            }
        };
        write!(&*self.database, connection => {
            let row: Option<(i64, i64, Vec<u8>)> = sqlx::query_as(read)
                .bind(&game.as_bytes()[..])
                .fetch_optional(&mut *connection)
                .await?;
            let Some((number, last, folded)) = row else { return Ok(false) };
            let Some(folded) = replaced(&folded, sequence, old, new) else { return Ok(false) };
            sqlx::query("UPDATE events SET earlier = $1 WHERE game_number = $2 AND sequence = $3")
                .bind(folded)
                .bind(number)
                .bind(last)
                .execute(&mut *connection)
                .await?;
            Ok(true)
        })
    }
}

/// Folded events with another text in one of them, if that has the old one.
fn replaced(folded: &[u8], sequence: u64, old: &str, new: &str) -> Option<Vec<u8>> {
    let mut events = unfold(folded)?;
    let event = events.get_mut(usize::try_from(sequence).ok()?.checked_sub(1)?)?;
    if event.body != old {
        return None;
    }
    event.body = new.into();
    fold(&events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_unfold_as_they_were() {
        let event = |at, body: &str| FoldedEvent { at, body: body.into() };
        let events = [event(5, r#"{"type":"created"}"#), event(-7, "ä\u{202e}"), event(9, "")];
        let folded = fold(&events).unwrap();
        assert_eq!(unfold(&folded).unwrap(), events);
        let renamed = replaced(&folded, 2, "ä\u{202e}", "b").unwrap();
        assert_eq!(
            unfold(&renamed).unwrap(),
            [event(5, &events[0].body), event(-7, "b"), event(9, "")]
        );
        for (sequence, old) in [(0, ""), (1, "ä"), (4, ""), (u64::MAX, "")] {
            assert_eq!(replaced(&folded, sequence, old, "b"), None);
        }
        for damaged in [&[][..], &[2], &folded[..folded.len() / 2], &[1, 2, 3]] {
            assert_eq!(unfold(damaged), None);
        }
    }
}

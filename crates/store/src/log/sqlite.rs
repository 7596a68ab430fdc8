//! Appending with SQLite, row by row with prepared statements.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params,
};

use super::database::{Candidate, command};
use super::{Append, Batch, GameKey, LeagueResult, Listing};
use crate::StoreError;
use crate::database::SqliteFile;

/// An event whose place is known to be the next one, unless somebody else has taken it: then the key
/// of the table is in the way. One row needs no preparations for being taken back halfway, as many
/// from a SELECT would.
const EVENT: &str = "INSERT INTO events (game, sequence, at, due, sender, key, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";

/// An event that goes in if the game stands right before it and the command was not stored before.
const CHECKED_EVENT: &str = "INSERT INTO events (game, sequence, at, due, sender, key, body)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
    WHERE coalesce((SELECT max(sequence) FROM events WHERE game = ?1), 0) = ?2 - 1
        AND (?6 = '' OR NOT EXISTS (
            SELECT 1 FROM events WHERE game = ?1 AND sender = ?5 AND key = ?6))";

const NUMBER: &str = "SELECT number FROM online_games WHERE id = ?1";

const LISTING: &str =
    "INSERT INTO online_games (id, state, public, rules, league, rated, seats, detail)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, public = excluded.public,
        rules = excluded.rules, league = excluded.league, rated = excluded.rated,
        seats = excluded.seats, detail = excluded.detail";

const SEATED: &str =
    "INSERT INTO online_players (identity, game) VALUES (?1, ?2) ON CONFLICT DO NOTHING";

const RECORD: &str = "INSERT INTO games (online, at, record) VALUES (?1, ?2, ?3)";

const RESULT: &str = "INSERT INTO results (league, game, at, winner) VALUES (?1, ?2, ?3, ?4)";

const RESULT_PLAYER: &str =
    "INSERT INTO result_players (result, seat, name, identity) VALUES (?1, ?2, ?3, ?4)";

/// How many numbers are remembered.
const MOST_NUMBERS: usize = 1 << 14;

/// The numbers of games that were appended to lately. A game keeps its number for ever.
#[derive(Debug, Clone, Default)]
pub(super) struct Numbers {
    known: Arc<Mutex<HashMap<GameKey, i64>>>,
}

/// Stores all of them and answers yes, or stores nothing and answers no because something was in the
/// way.
pub(super) async fn append(
    file: &SqliteFile,
    numbers: &Numbers,
    batch: &Batch,
    candidates: &[Candidate<'_>],
) -> Result<bool, StoreError> {
    let appends = batch.shared();
    let numbers = numbers.clone();
    let places: Vec<_> = candidates.iter().map(|c| (c.place, c.league)).collect();
    let work = move |connection: &mut Connection| {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let candidates = places.iter().map(|&(place, league)| (&appends[place], league));
        // A listing gives a game its number.
        for append in candidates.clone().map(|(append, _)| append) {
            if let Some(listing) = &append.listing {
                insert_listing(&transaction, append, listing)?;
            }
        }
        let mut known = numbers.known.lock().unwrap_or_else(PoisonError::into_inner);
        let events = candidates.clone().map(|(append, _)| append);
        let Some(learned) = insert_events(&transaction, &known, events)? else {
            transaction.rollback()?;
            return Ok(false);
        };
        for (append, league) in candidates {
            if let Some((result, league)) = append.result.as_ref().zip(league) {
                insert_result(&transaction, append, result, league)?;
            }
        }
        transaction.commit()?;
        // Not before: a game that was made here would have had no number.
        if known.len() + learned.len() > MOST_NUMBERS {
            known.clear();
        }
        known.extend(learned);
        Ok(true)
    };
    file.append(work).await
}

/// Inserts the events of all appends, and answers the numbers of games that were not known; or stops
/// at one that has something in its way.
fn insert_events<'a>(
    transaction: &Transaction<'_>,
    known: &HashMap<GameKey, i64>,
    appends: impl Iterator<Item = &'a Append>,
) -> rusqlite::Result<Option<Vec<(GameKey, i64)>>> {
    let mut number = transaction.prepare_cached(NUMBER)?;
    let mut plain = transaction.prepare_cached(EVENT)?;
    let mut checked = transaction.prepare_cached(CHECKED_EVENT)?;
    let mut learned = Vec::new();
    for append in appends {
        let game = match known.get(&append.game) {
            Some(known) => *known,
            None => {
                let id = [append.game.as_bytes()];
                let found = number.query_row(id, |row| row.get(0)).optional()?;
                let Some(found) = found else { return Ok(None) };
                learned.push((append.game, found));
                found
            }
        };
        let (sender, key) = command(append);
        let (first, last) = (append.expected as i64 + 1, append.events.len());
        for (place, body) in (1..).zip(&append.events) {
            // Whoever has read all events before it knows that they are there, and the first of
            // several events makes a place for the others.
            let is_free = append.key_is_fresh || place > 1;
            let statement = if is_free { &mut plain } else { &mut checked };
            let sequence = first + place as i64 - 1;
            let due = append.due.filter(|_| place == last);
            let inserted =
                statement.execute(params![game, sequence, append.at, due, sender, key, body]);
            match inserted {
                Ok(0) => return Ok(None),
                Ok(_) => {}
                Err(error) if is_taken(&error) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(Some(learned))
}

/// Whether there is an event in that place.
fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

fn insert_listing(
    transaction: &Transaction<'_>,
    append: &Append,
    listing: &Listing,
) -> rusqlite::Result<()> {
    let game = append.game.as_bytes();
    transaction.prepare_cached(LISTING)?.execute(params![
        game,
        listing.state.as_str(),
        listing.public,
        listing.rules,
        listing.league,
        listing.rated,
        listing.seats_text(),
        listing.detail,
    ])?;
    let mut seated = transaction.prepare_cached(SEATED)?;
    for identity in listing.seats.iter().flatten() {
        seated.execute(params![identity.0, game])?;
    }
    Ok(())
}

/// Inserts a game that counts, its result, and to whom it counts.
fn insert_result(
    transaction: &Transaction<'_>,
    append: &Append,
    result: &LeagueResult,
    league: i64,
) -> rusqlite::Result<()> {
    let record = params![append.game.as_bytes(), append.at, result.record];
    let game = transaction.prepare_cached(RECORD)?.insert(record)?;
    let winner = result.outcome.winner().map(|seat| seat as i64);
    let id =
        transaction.prepare_cached(RESULT)?.insert(params![league, game, append.at, winner])?;
    let mut players = transaction.prepare_cached(RESULT_PLAYER)?;
    for (seat, player) in (0i64..).zip(&result.players) {
        players.execute(params![id, seat, player.name, player.identity.0])?;
    }
    Ok(())
}

//! Appending with SQLite, row by row with prepared statements.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use rusqlite::{
    Connection, ErrorCode, OptionalExtension, Statement, ToSql, Transaction, TransactionBehavior,
    params,
};

use super::database::{Candidate, command};
use super::{Append, Batch, GameId, LeagueResult, Listing};
use crate::StoreError;
use crate::database::SqliteFile;

/// Events whose places are known to be the next ones, unless somebody else has taken one: then the key
/// of the table is in the way, and the whole transaction is taken back. Otherwise SQLite would keep
/// a copy of every page for taking back the statement alone.
const EVENTS: &str = "INSERT OR ROLLBACK INTO events (game, sequence, at, due, sender, key, body)";

/// How many of them go in together where there are enough: a statement costs about as much as a row.
const TOGETHER: usize = 8;

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
    known: Arc<Mutex<HashMap<GameId, i64, RandomState>>>,
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
            transaction.finish()?;
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

/// A row of the table of events.
struct Row<'a> {
    game: i64,
    sequence: i64,
    at: i64,
    due: Option<i64>,
    sender: i64,
    key: &'a str,
    body: &'a str,
}

/// Inserts the events of all appends, and answers the numbers of games that were not known; or stops
/// at one that has something in its way.
fn insert_events<'a>(
    transaction: &Transaction<'_>,
    known: &HashMap<GameId, i64, RandomState>,
    appends: impl Iterator<Item = &'a Append>,
) -> rusqlite::Result<Option<Vec<(GameId, i64)>>> {
    let mut number = transaction.prepare_cached(NUMBER)?;
    let mut checked = transaction.prepare_cached(CHECKED_EVENT)?;
    let mut learned = Vec::new();
    let mut free = Vec::with_capacity(appends.size_hint().0);
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
        let last = append.events.len();
        for (place, body) in (1..).zip(&append.events) {
            let sequence = append.expected as i64 + place as i64;
            let due = append.due.filter(|_| place == last);
            let row = Row { game, sequence, at: append.at, due, sender, key, body };
            // Whoever has read all events before it knows that they are there, and the first of
            // several events makes a place for the others.
            if append.key_is_fresh || place > 1 {
                free.push(row);
            } else if !insert(&mut checked, &[row])? {
                return Ok(None);
            }
        }
    }
    let (many, few) = free.as_chunks::<TOGETHER>();
    let is_in = insert_all(transaction, many)? && insert_all(transaction, few.as_chunks::<1>().0)?;
    Ok(is_in.then_some(learned))
}

/// Inserts rows, so many with each statement. Answers whether they are in.
fn insert_all<const ROWS: usize>(
    transaction: &Transaction<'_>,
    all: &[[Row<'_>; ROWS]],
) -> rusqlite::Result<bool> {
    let values = ["(?, ?, ?, ?, ?, ?, ?)"; ROWS].join(", ");
    let mut statement = transaction.prepare_cached(&format!("{EVENTS} VALUES {values}"))?;
    for rows in all {
        if !insert(&mut statement, rows)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Inserts the rows of one statement. Answers whether they are in.
fn insert(statement: &mut Statement<'_>, rows: &[Row<'_>]) -> rusqlite::Result<bool> {
    let mut place = 0;
    for row in rows {
        let Row { game, sequence, at, due, sender, key, body } = row;
        let values: [&dyn ToSql; 7] = [game, sequence, at, due, sender, key, body];
        for value in values {
            place += 1;
            statement.raw_bind_parameter(place, value)?;
        }
    }
    match statement.raw_execute() {
        Ok(inserted) => Ok(inserted == rows.len()),
        Err(error) if is_taken(&error) => Ok(false),
        Err(error) => Err(error),
    }
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

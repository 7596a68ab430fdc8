//! Appending with SQLite, row by row with prepared statements.

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};

use super::database::{Candidate, command};
use super::{Append, Batch, LeagueResult, Listing};
use crate::StoreError;
use crate::database::SqliteFile;

/// An event whose place is known to be the next one, unless somebody else has taken it: then the key
/// of the table is in the way. One row needs no preparations for being taken back halfway, as many
/// from a SELECT would.
const EVENT: &str = "INSERT INTO events (game, sequence, at, due, sender, key, body)
    VALUES ((SELECT number FROM online_games WHERE id = ?1), ?2, ?3, ?4, ?5, ?6, ?7)";

/// An event that goes in if the game stands right before it and the command was not stored before.
const CHECKED_EVENT: &str = "INSERT INTO events (game, sequence, at, due, sender, key, body)
    SELECT number, ?2, ?3, ?4, ?5, ?6, ?7 FROM online_games
    WHERE id = ?1 AND coalesce((SELECT max(sequence) FROM events WHERE game = number), 0) = ?2 - 1
        AND (?6 = '' OR NOT EXISTS (
            SELECT 1 FROM events WHERE game = number AND sender = ?5 AND key = ?6))";

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

/// Stores all of them and answers yes, or stores nothing and answers no because something was in the
/// way.
pub(super) async fn append(
    file: &SqliteFile,
    batch: &Batch,
    candidates: &[Candidate<'_>],
) -> Result<bool, StoreError> {
    let appends = batch.shared();
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
        if !insert_events(&transaction, candidates.clone().map(|(append, _)| append))? {
            transaction.rollback()?;
            return Ok(false);
        }
        for (append, league) in candidates {
            if let Some((result, league)) = append.result.as_ref().zip(league) {
                insert_result(&transaction, append, result, league)?;
            }
        }
        transaction.commit()?;
        Ok(true)
    };
    file.append(work).await
}

/// Inserts the events of all appends, or stops at one that has something in its way and answers no.
fn insert_events<'a>(
    transaction: &Transaction<'_>,
    appends: impl Iterator<Item = &'a Append>,
) -> rusqlite::Result<bool> {
    let mut plain = transaction.prepare_cached(EVENT)?;
    let mut checked = transaction.prepare_cached(CHECKED_EVENT)?;
    for append in appends {
        let (sender, key) = command(append);
        let (first, last) = (append.expected as i64 + 1, append.events.len());
        for (place, body) in (1..).zip(&append.events) {
            // Whoever has read all events before it knows that they are there, and the first of
            // several events makes a place for the others.
            let known = append.key_is_fresh || place > 1;
            let statement = if known { &mut plain } else { &mut checked };
            let sequence = first + place as i64 - 1;
            let due = append.due.filter(|_| place == last);
            let game = append.game.as_bytes();
            let inserted =
                statement.execute(params![game, sequence, append.at, due, sender, key, body]);
            match inserted {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(error) if is_taken(&error) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(true)
}

/// Whether there is an event in that place, or no such game.
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

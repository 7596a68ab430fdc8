//! The rows of a batch, and the statements that insert them.

use std::sync::LazyLock;

use serde::Serialize;

use super::database_log::Candidate;
use super::{Append, GameId, Listing};
use crate::StoreError;
use crate::daily_games::{Unweighed, weigh};
use crate::database::{AppendTransaction, BulkInsert, ColumnType};

use ColumnType::{Bytes, Integer, Text};

/// Creates games and updates their listings.
static GAMES: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[
            ("game_id", Bytes),
            ("phase", Text),
            ("public", Integer),
            ("rules", Text),
            ("league", Text),
            ("rated", Integer),
            ("seats", Text),
            ("detail", Text),
            ("aborted", Integer),
        ],
        // SQLite needs the WHERE to tell ON CONFLICT from a join.
        "INSERT INTO games (id, phase, public, rules, league, rated, seats, detail, aborted)
         SELECT game_id, phase, public, rules, league, rated, seats, detail, aborted FROM input
         WHERE true ORDER BY game_id
         ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, public = excluded.public,
             rules = excluded.rules, league = excluded.league, rated = excluded.rated,
             seats = excluded.seats, detail = excluded.detail, aborted = excluded.aborted",
    )
});

#[derive(Serialize)]
struct GameRow<'a> {
    game_id: String,
    phase: &'a str,
    public: u8,
    rules: &'a str,
    league: Option<&'a str>,
    rated: u8,
    seats: String,
    detail: &'a str,
    aborted: u8,
}

static GAME_PLAYERS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("identity_id", Integer), ("game_id", Bytes)],
        "INSERT INTO game_players (identity_id, game_id)
         SELECT identity_id, game_id FROM input WHERE true ON CONFLICT DO NOTHING",
    )
});

#[derive(Serialize)]
struct GamePlayerRow {
    identity_id: i64,
    game_id: String,
}

/// Inserts the events of games that are where their senders saw them.
///
/// The condition on the key is a count, because PostgreSQL would consider reading the whole table
/// for a NOT EXISTS. Inserting in the order of the keys keeps servers from deadlocks.
static EVENTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[
            ("game_id", Bytes),
            ("expected", Integer),
            ("position", Integer),
            ("at", Integer),
            ("due_at", Integer),
            ("sender_id", Integer),
            ("idempotency_key", Text),
            ("body", Text),
            ("key_is_fresh", Integer),
        ],
        "INSERT INTO events
             (game_number, sequence, at, due_at, sender_id, idempotency_key, body)
         SELECT games.number, input.expected + input.position, input.at, input.due_at,
             input.sender_id, input.idempotency_key, input.body
         FROM input JOIN games ON games.id = input.game_id
         WHERE input.expected = coalesce((
                 SELECT max(sequence) FROM events WHERE game_number = games.number), 0)
             AND (input.key_is_fresh = 1 OR input.idempotency_key = '' OR 0 = (
                 SELECT count(*) FROM events
                 WHERE game_number = games.number AND sender_id = input.sender_id
                     AND idempotency_key = input.idempotency_key))
         ORDER BY input.game_id, input.position
         ON CONFLICT DO NOTHING",
    )
});

#[derive(Serialize)]
struct EventRow<'a> {
    game_id: String,
    expected: u64,
    position: usize,
    at: i64,
    due_at: Option<i64>,
    sender_id: i64,
    idempotency_key: &'a str,
    body: &'a str,
    key_is_fresh: u8,
}

static RECORDS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[("game_id", Bytes), ("stored_at", Integer), ("notation", Text)],
        "INSERT INTO records (online_game_id, stored_at, notation)
         SELECT game_id, stored_at, notation FROM input",
    )
});

#[derive(Serialize)]
struct RecordRow<'a> {
    game_id: String,
    stored_at: i64,
    notation: &'a str,
}

static RESULTS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[
            ("position", Integer),
            ("league_id", Integer),
            ("game_id", Bytes),
            ("ended_at", Integer),
            ("winner_seat", Integer),
        ],
        "INSERT INTO results (league_id, record_id, ended_at, winner_seat)
         SELECT input.league_id, records.id, input.ended_at, input.winner_seat
         FROM input JOIN records ON records.online_game_id = input.game_id
         ORDER BY input.position",
    )
});

#[derive(Serialize)]
struct ResultRow {
    position: usize,
    league_id: i64,
    game_id: String,
    ended_at: i64,
    winner_seat: Option<usize>,
}

static RESULT_PLAYERS: LazyLock<BulkInsert> = LazyLock::new(|| {
    BulkInsert::new(
        &[
            ("game_id", Bytes),
            ("seat", Integer),
            ("name", Text),
            ("identity_id", Integer),
            ("weight", Integer),
        ],
        "INSERT INTO result_players (result_id, seat, name, identity_id, weight)
         SELECT results.id, input.seat, input.name, input.identity_id, input.weight
         FROM input JOIN records ON records.online_game_id = input.game_id
         JOIN results ON results.record_id = records.id",
    )
});

#[derive(Serialize)]
struct ResultPlayerRow<'a> {
    game_id: String,
    seat: usize,
    name: &'a str,
    identity_id: i64,
    weight: u8,
}

/// Inserts all rows of the candidates. Returns whether the events of all of them went in; if not,
/// the transaction has to be rolled back.
pub(super) async fn insert_all(
    transaction: &mut AppendTransaction<'_>,
    candidates: &[Candidate<'_>],
) -> Result<bool, StoreError> {
    // The listing comes first: it creates the game.
    insert_listings(transaction, candidates).await?;
    let rows: Vec<EventRow<'_>> =
        candidates.iter().flat_map(|candidate| event_rows(candidate.append)).collect();
    if transaction.insert(&EVENTS, &rows).await? != rows.len() as u64 {
        return Ok(false);
    }
    insert_results(transaction, candidates).await?;
    Ok(true)
}

fn event_rows(append: &Append) -> impl Iterator<Item = EventRow<'_>> {
    let (sender_id, idempotency_key) = append.sender_and_key();
    let last = append.events.len();
    (1..).zip(&append.events).map(move |(position, body)| EventRow {
        game_id: hex(append.game),
        expected: append.expected,
        position,
        at: append.at,
        due_at: append.due.filter(|_| position == last),
        sender_id,
        idempotency_key,
        body,
        key_is_fresh: append.key_is_fresh.into(),
    })
}

async fn insert_listings(
    transaction: &mut AppendTransaction<'_>,
    candidates: &[Candidate<'_>],
) -> Result<(), StoreError> {
    let appends = candidates.iter().map(|candidate| candidate.append);
    let listings = appends.filter_map(|append| Some((append.game, append.listing.as_deref()?)));
    let games: Vec<GameRow<'_>> =
        listings.clone().map(|(game, listing)| game_row(game, listing)).collect();
    transaction.insert(&GAMES, &games).await?;
    let players: Vec<GamePlayerRow> = listings
        .flat_map(|(game, listing)| {
            let identities = listing.seats.iter().flatten();
            identities.map(move |id| GamePlayerRow { identity_id: id.0, game_id: hex(game) })
        })
        .collect();
    transaction.insert(&GAME_PLAYERS, &players).await?;
    Ok(())
}

fn game_row(game: GameId, listing: &Listing) -> GameRow<'_> {
    GameRow {
        game_id: hex(game),
        phase: listing.phase.as_str(),
        public: listing.public.into(),
        rules: &listing.rules,
        league: listing.league.as_deref(),
        rated: listing.rated.into(),
        seats: listing.seats_json(),
        detail: &listing.detail,
        aborted: listing.aborted.into(),
    }
}

async fn insert_results(
    transaction: &mut AppendTransaction<'_>,
    candidates: &[Candidate<'_>],
) -> Result<(), StoreError> {
    let rated: Vec<_> = candidates
        .iter()
        .filter_map(|c| Some((c.append, c.append.result.as_deref()?, c.league_id?)))
        .collect();
    if rated.is_empty() {
        return Ok(());
    }
    // A result gets its id only after all lower ids of its league are visible, so all servers
    // agree on the order of results at all times.
    let league_ids: Vec<i64> = rated.iter().map(|&(_, _, league_id)| league_id).collect();
    transaction.lock_leagues(&league_ids).await?;

    let games: Vec<Unweighed<'_>> = rated
        .iter()
        .map(|&(append, result, league_id)| Unweighed {
            league_id,
            at: append.at,
            players: &result.players,
        })
        .collect();
    let weights = weigh(transaction, &games).await?;

    let records: Vec<RecordRow<'_>> = rated
        .iter()
        .map(|(append, result, _)| RecordRow {
            game_id: hex(append.game),
            stored_at: append.at,
            notation: &result.record,
        })
        .collect();
    transaction.insert(&RECORDS, &records).await?;

    let results: Vec<ResultRow> = (0..)
        .zip(&rated)
        .map(|(position, &(append, result, league_id))| ResultRow {
            position,
            league_id,
            game_id: hex(append.game),
            ended_at: append.at,
            winner_seat: result.outcome.winner(),
        })
        .collect();
    transaction.insert(&RESULTS, &results).await?;

    let players: Vec<ResultPlayerRow<'_>> = rated
        .iter()
        .zip(&weights)
        .flat_map(|((append, result, _), weights)| {
            result.players.iter().zip(weights).enumerate().map(|(seat, (player, weight))| {
                ResultPlayerRow {
                    game_id: hex(append.game),
                    seat,
                    name: &player.name,
                    identity_id: player.identity.0,
                    weight: weight.percent(),
                }
            })
        })
        .collect();
    transaction.insert(&RESULT_PLAYERS, &players).await?;
    Ok(())
}

fn hex(game: GameId) -> String {
    hex::encode(game.as_bytes())
}

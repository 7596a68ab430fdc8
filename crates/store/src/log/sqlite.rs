//! Appending with SQLite.
//!
//! Every statement costs a trip to the thread of its connection, so a batch takes a few statements
//! with many rows each. Statements are made for 1, 2, 4, 8… rows and prepared once; the rows that
//! are not used are filled with nulls and left out.

use std::sync::{Arc, OnceLock};

use sqlx::AssertSqlSafe;
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments};

use super::Append;
use super::database::{Candidate, command};
use crate::database::SqliteFile;

/// The events, of those games that stand where the sender saw them. Columns: game, expected, place
/// in the append from 1, time, due, sender, key, body, whether the key is fresh.
static EVENTS: Rows = Rows::new(
    "INSERT INTO events (game, sequence, at, due, sender, key, body)
     SELECT column1, column2 + column3, column4, column5, column6, column7, column8 FROM (VALUES ",
    9,
    ") WHERE column1 IS NOT NULL
         AND coalesce((SELECT max(sequence) FROM events WHERE game = column1), 0) = column2
         AND (column9 OR column7 = '' OR NOT EXISTS (SELECT 1 FROM events
             WHERE game = column1 AND sender = column6 AND key = column7))",
);

static LISTINGS: Rows = Rows::new(
    "INSERT INTO online_games (id, state, public, rules, league, rated, seats, detail)
     SELECT * FROM (VALUES ",
    8,
    ") WHERE column1 IS NOT NULL
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, public = excluded.public,
         rules = excluded.rules, league = excluded.league, rated = excluded.rated,
         seats = excluded.seats, detail = excluded.detail",
);

static PLAYERS: Rows = Rows::new(
    "INSERT INTO online_players (identity, game) SELECT * FROM (VALUES ",
    2,
    ") WHERE column1 IS NOT NULL ON CONFLICT DO NOTHING",
);

static RECORDS: Rows = Rows::new(
    "INSERT INTO games (online, at, record) SELECT * FROM (VALUES ",
    3,
    ") WHERE column1 IS NOT NULL",
);

/// Columns: game, league, time, winner.
static RESULTS: Rows = Rows::new(
    "INSERT INTO results (league, game, at, winner)
     SELECT column2, (SELECT id FROM games WHERE online = column1), column3, column4 FROM (VALUES ",
    4,
    ") WHERE column1 IS NOT NULL",
);

/// Columns: game, seat, name, identity.
static RESULT_PLAYERS: Rows = Rows::new(
    "INSERT INTO result_players (result, seat, name, identity)
     SELECT (SELECT results.id FROM results JOIN games ON games.id = results.game
         WHERE games.online = column1), column2, column3, column4 FROM (VALUES ",
    4,
    ") WHERE column1 IS NOT NULL",
);

pub(super) async fn append(
    file: &SqliteFile,
    candidates: &[Candidate<'_>],
) -> Result<bool, sqlx::Error> {
    let count = candidates.iter().map(|candidate| candidate.append.events.len()).sum();
    let mut events = EVENTS.query(count);
    for append in candidates.iter().map(|candidate| candidate.append) {
        let (sender, key) = command(append);
        let last = append.events.len() as i64;
        for (place, body) in (1i64..).zip(&append.events) {
            events = events
                .bind(append.game.as_bytes().to_vec())
                .bind(append.expected as i64)
                .bind(place)
                .bind(append.at)
                .bind(append.due.filter(|_| place == last))
                .bind(sender)
                .bind(key.to_owned())
                .bind(body.clone())
                .bind(append.key_is_fresh);
        }
    }
    let mut writing = file.write().await?;
    let inserted = events.execute(writing.connection()).await?.rows_affected();
    if inserted < count as u64 {
        writing.roll_back().await;
        return Ok(false);
    }
    for query in [listings(candidates), players(candidates)].into_iter().flatten() {
        query.execute(writing.connection()).await?;
    }
    for query in results(candidates).into_iter().flatten() {
        query.execute(writing.connection()).await?;
    }
    writing.commit().await?;
    Ok(true)
}

type Statement = Query<'static, Sqlite, SqliteArguments>;

fn listings(candidates: &[Candidate<'_>]) -> Option<Statement> {
    let listed = || {
        let appends = candidates.iter().map(|candidate| candidate.append);
        appends.filter_map(|append| append.listing.as_ref().map(|listing| (append.game, listing)))
    };
    let mut query = LISTINGS.query_if_any(listed().count())?;
    for (game, listing) in listed() {
        query = query
            .bind(game.as_bytes().to_vec())
            .bind(listing.state.as_str())
            .bind(i64::from(listing.public))
            .bind(listing.rules.clone())
            .bind(listing.league.clone())
            .bind(i64::from(listing.rated))
            .bind(listing.seats_text())
            .bind(listing.detail.clone());
    }
    Some(query)
}

fn players(candidates: &[Candidate<'_>]) -> Option<Statement> {
    let seated = || {
        candidates.iter().flat_map(|candidate| {
            let seats = candidate.append.listing.iter().flat_map(|listing| &listing.seats);
            seats.flatten().map(|identity| (identity.0, candidate.append.game))
        })
    };
    let mut query = PLAYERS.query_if_any(seated().count())?;
    for (identity, game) in seated() {
        query = query.bind(identity).bind(game.as_bytes().to_vec());
    }
    Some(query)
}

/// The games that count, their results, and to whom they count.
fn results(candidates: &[Candidate<'_>]) -> [Option<Statement>; 3] {
    let counted = || {
        candidates.iter().filter_map(|candidate| {
            let result = candidate.append.result.as_ref()?;
            Some((candidate.append, result, candidate.league?))
        })
    };
    let count = counted().count();
    if count == 0 {
        return [None, None, None];
    }
    let mut records = RECORDS.query(count);
    let mut results = RESULTS.query(count);
    let seats = counted().map(|(_, result, _)| result.players.len()).sum();
    let mut players = RESULT_PLAYERS.query(seats);
    for (&Append { game, at, .. }, result, league) in counted() {
        let game = game.as_bytes().to_vec();
        records = records.bind(game.clone()).bind(at).bind(result.record.clone());
        let winner = result.outcome.winner().map(|seat| seat as i64);
        results = results.bind(game.clone()).bind(league).bind(at).bind(winner);
        for (seat, player) in (0i64..).zip(&result.players) {
            players = players
                .bind(game.clone())
                .bind(seat)
                .bind(player.name.clone())
                .bind(player.identity.0);
        }
    }
    [Some(records), Some(results), Some(players)]
}

/// A statement with a list of rows in the middle.
struct Rows {
    head: &'static str,
    columns: usize,
    tail: &'static str,
    /// For 1, 2, 4… rows.
    statements: [OnceLock<Arc<str>>; SIZES],
}

const SIZES: usize = 12;

impl Rows {
    const fn new(head: &'static str, columns: usize, tail: &'static str) -> Rows {
        Rows { head, columns, tail, statements: [const { OnceLock::new() }; SIZES] }
    }

    fn query_if_any(&self, rows: usize) -> Option<Statement> {
        (rows > 0).then(|| self.query(rows))
    }

    /// A query with room for at least so many rows. What is not bound is null.
    fn query(&self, rows: usize) -> Statement {
        let size = rows.next_power_of_two().trailing_zeros() as usize;
        let text = match self.statements.get(size) {
            Some(statement) => statement.get_or_init(|| self.text(1 << size)).clone(),
            None => self.text(rows),
        };
        sqlx::query(AssertSqlSafe(text))
    }

    fn text(&self, rows: usize) -> Arc<str> {
        let row = format!("({})", vec!["?"; self.columns].join(","));
        format!("{}{}{}", self.head, vec![row; rows].join(","), self.tail).into()
    }
}

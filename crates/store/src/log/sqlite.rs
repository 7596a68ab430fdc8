//! Appending with SQLite.
//!
//! Every query costs a trip to the thread of its connection, so a batch takes one or two, of several
//! statements with many rows each. They are made for 1, 2, 4, 8… rows and prepared once; rows that
//! are not used are nulls and left out.

use sqlx::error::ErrorKind;

use super::database::{Candidate, command};
use super::script::{Part, Query, Script};
use crate::database::SqliteFile;

const BEGIN: Part = Part::fixed("BEGIN IMMEDIATE;");

/// Events. One of a game that does not stand where the sender saw it, or whose command was stored
/// before, gets no sequence, which is an error: everything is rolled back. Knowing that, SQLite need
/// not keep what it takes to undo the one statement. Columns: game, expected, place in the append
/// from 1, time, due, sender, key, body, whether the key is fresh.
const EVENTS: Part = Part::rows(
    "INSERT OR ROLLBACK INTO events (game, sequence, at, due, sender, key, body)
     SELECT column1,
         CASE WHEN coalesce((SELECT max(sequence) FROM events WHERE game = column1), 0) = column2
             AND (column9 OR column7 = '' OR NOT EXISTS (SELECT 1 FROM events
                 WHERE game = column1 AND sender = column6 AND key = column7))
         THEN column2 + column3 END,
         column4, column5, column6, column7, column8
     FROM (VALUES ",
    9,
    ") WHERE column1 IS NOT NULL;",
);

const LISTINGS: Part = Part::rows(
    "INSERT OR ROLLBACK INTO online_games (id, state, public, rules, league, rated, seats, detail)
     SELECT * FROM (VALUES ",
    8,
    ") WHERE column1 IS NOT NULL
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, public = excluded.public,
         rules = excluded.rules, league = excluded.league, rated = excluded.rated,
         seats = excluded.seats, detail = excluded.detail;",
);

/// Columns: game, seats.
const SEATED: Part = Part::rows(
    "INSERT INTO online_players (identity, game)
     SELECT seat.value, column1 FROM (VALUES ",
    2,
    ") JOIN json_each(column2) AS seat
     WHERE column1 IS NOT NULL AND seat.value IS NOT NULL ON CONFLICT DO NOTHING;",
);

const RECORDS: Part = Part::rows(
    "INSERT INTO games (online, at, record) SELECT * FROM (VALUES ",
    3,
    ") WHERE column1 IS NOT NULL;",
);

/// Columns: game, league, time, winner.
const RESULTS: Part = Part::rows(
    "INSERT INTO results (league, game, at, winner)
     SELECT column2, (SELECT id FROM games WHERE online = column1), column3, column4 FROM (VALUES ",
    4,
    ") WHERE column1 IS NOT NULL;",
);

/// Columns: game, seat, name, identity.
const RESULT_PLAYERS: Part = Part::rows(
    "INSERT INTO result_players (result, seat, name, identity)
     SELECT (SELECT results.id FROM results JOIN games ON games.id = results.game
         WHERE games.online = column1), column2, column3, column4 FROM (VALUES ",
    4,
    ") WHERE column1 IS NOT NULL;",
);

const COMMIT: Part = Part::fixed("COMMIT;");

static ALL_OF_IT: Script = Script::new(&[BEGIN, EVENTS, COMMIT]);
static BEGINNING: Script = Script::new(&[BEGIN, EVENTS]);
static LISTED: Script = Script::new(&[LISTINGS, SEATED]);
static LISTED_AT_LAST: Script = Script::new(&[LISTINGS, SEATED, COMMIT]);
static COUNTED: Script = Script::new(&[RECORDS, RESULTS]);
static COUNTED_AT_LAST: Script = Script::new(&[RESULT_PLAYERS, COMMIT]);

pub(super) async fn append(
    file: &SqliteFile,
    candidates: &[Candidate<'_>],
) -> Result<bool, sqlx::Error> {
    let listed = candidates.iter().any(|candidate| candidate.append.listing.is_some());
    let counted = candidates.iter().any(|candidate| candidate.league.is_some());
    let beginning = if listed || counted { &BEGINNING } else { &ALL_OF_IT };
    let mut writing = file.writer().await?;
    if let Err(error) = events(beginning, candidates).execute(writing.connection()).await {
        if !is_obstacle(&error) {
            return Err(error);
        }
        writing.put_back();
        return Ok(false);
    }
    if listed {
        let script = if counted { &LISTED } else { &LISTED_AT_LAST };
        listings(script, candidates).execute(writing.connection()).await?;
    }
    if counted {
        for query in results(candidates) {
            query.execute(writing.connection()).await?;
        }
    }
    writing.put_back();
    Ok(true)
}

/// Whether it is the missing sequence of an event.
fn is_obstacle(error: &sqlx::Error) -> bool {
    let kind = error.as_database_error().map(|error| error.kind());
    matches!(kind, Some(ErrorKind::NotNullViolation))
}

fn events(script: &'static Script, candidates: &[Candidate<'_>]) -> Query {
    let count = candidates.iter().map(|candidate| candidate.append.events.len()).sum();
    let mut query = script.query(count);
    for append in candidates.iter().map(|candidate| candidate.append) {
        let (sender, key) = command(append);
        let last = append.events.len() as i64;
        for (place, body) in (1i64..).zip(&append.events) {
            query.bind(append.game.as_bytes().to_vec());
            query.bind(append.expected as i64);
            query.bind(place);
            query.bind(append.at);
            query.bind(append.due.filter(|_| place == last));
            query.bind(sender);
            query.bind(key.to_owned());
            query.bind(body.clone());
            query.bind(i64::from(append.key_is_fresh));
        }
    }
    query
}

fn listings(script: &'static Script, candidates: &[Candidate<'_>]) -> Query {
    let appends = candidates.iter().map(|candidate| candidate.append);
    let listed: Vec<_> = appends
        .filter_map(|append| Some((append.game.as_bytes().to_vec(), append.listing.as_ref()?)))
        .collect();
    let mut query = script.query(listed.len());
    for (game, listing) in &listed {
        query.bind(game.clone());
        query.bind(listing.state.as_str());
        query.bind(i64::from(listing.public));
        query.bind(listing.rules.clone());
        query.bind(listing.league.clone());
        query.bind(i64::from(listing.rated));
        query.bind(listing.seats_text());
        query.bind(listing.detail.clone());
    }
    query.next_part();
    for (game, listing) in listed {
        query.bind(game);
        query.bind(listing.seats_text());
    }
    query
}

/// The games that count and their results, and to whom they count.
fn results(candidates: &[Candidate<'_>]) -> [Query; 2] {
    let counted: Vec<_> = candidates
        .iter()
        .filter_map(|candidate| {
            let result = candidate.append.result.as_ref()?;
            Some((candidate.append, result, candidate.league?))
        })
        .collect();
    let mut results = COUNTED.query(counted.len());
    for (append, result, _) in &counted {
        results.bind(append.game.as_bytes().to_vec());
        results.bind(append.at);
        results.bind(result.record.clone());
    }
    results.next_part();
    for (append, result, league) in &counted {
        results.bind(append.game.as_bytes().to_vec());
        results.bind(*league);
        results.bind(append.at);
        results.bind(result.outcome.winner().map(|seat| seat as i64));
    }
    let seats = counted.iter().map(|(_, result, _)| result.players.len()).sum();
    let mut players = COUNTED_AT_LAST.query(seats);
    for (append, result, _) in counted {
        for (seat, player) in (0i64..).zip(&result.players) {
            players.bind(append.game.as_bytes().to_vec());
            players.bind(seat);
            players.bind(player.name.clone());
            players.bind(player.identity.0);
        }
    }
    [results, players]
}

//! Appending with PostgreSQL.
//!
//! Rows travel as arrays, one for each column, so that a statement is prepared once for any number
//! of them. Rows are inserted in the order of their keys, so that two servers never wait for each
//! other in a circle.

use sqlx::{Connection, PgConnection};

use super::database::{Candidate, command};
use crate::database::PostgresDatabase;

pub(super) async fn append(
    database: &PostgresDatabase,
    candidates: &[Candidate<'_>],
) -> Result<bool, sqlx::Error> {
    let mut appender = database.appender().await?;
    let mut transaction = appender.connection().begin().await?;
    // A listing gives a game its number.
    insert_listings(&mut transaction, candidates).await?;
    let complete = insert_events(&mut transaction, candidates).await?;
    if complete {
        insert_results(&mut transaction, candidates).await?;
        transaction.commit().await?;
    } else {
        transaction.rollback().await?;
    }
    appender.put_back();
    Ok(complete)
}

/// Inserts the events of those games that stand where the sender saw them, and answers whether that
/// was all of them.
async fn insert_events(
    connection: &mut PgConnection,
    candidates: &[Candidate<'_>],
) -> Result<bool, sqlx::Error> {
    let count = candidates.iter().map(|candidate| candidate.append.events.len()).sum();
    let mut games: Vec<&[u8]> = Vec::with_capacity(count);
    let mut expected: Vec<i64> = Vec::with_capacity(count);
    let mut places: Vec<i64> = Vec::with_capacity(count);
    let mut times: Vec<i64> = Vec::with_capacity(count);
    let mut dues: Vec<Option<i64>> = Vec::with_capacity(count);
    let mut senders: Vec<i64> = Vec::with_capacity(count);
    let mut keys: Vec<&str> = Vec::with_capacity(count);
    let mut bodies: Vec<&str> = Vec::with_capacity(count);
    let mut fresh: Vec<bool> = Vec::with_capacity(count);
    for append in candidates.iter().map(|candidate| candidate.append) {
        let (sender, key) = command(append);
        let last = append.events.len() as i64;
        for (place, body) in (1i64..).zip(&append.events) {
            games.push(append.game.as_bytes());
            expected.push(append.expected as i64);
            places.push(place);
            times.push(append.at);
            dues.push(append.due.filter(|_| place == last));
            senders.push(sender);
            keys.push(key);
            bodies.push(body);
            fresh.push(append.key_is_fresh);
        }
    }
    let inserted = sqlx::query(
        "INSERT INTO events (game, sequence, at, due, sender, key, body)
         SELECT number, row.expected + row.place, row.at, row.due, row.sender, row.key, row.body
         FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
             $6::bigint[], $7::text[], $8::text[], $9::boolean[])
             AS row (game, expected, place, at, due, sender, key, body, fresh)
         JOIN online_games ON online_games.id = row.game
         CROSS JOIN LATERAL (
             SELECT coalesce(max(sequence), 0) AS sequence FROM events WHERE game = number) AS seen
         CROSS JOIN LATERAL (
             SELECT count(*) AS times FROM events
             WHERE NOT row.fresh AND game = number
                 AND sender = row.sender AND key = row.key AND key <> '') AS repeated
         WHERE seen.sequence = row.expected AND repeated.times = 0
         ORDER BY row.game, row.place
         ON CONFLICT DO NOTHING",
    )
    .bind(games)
    .bind(expected)
    .bind(places)
    .bind(times)
    .bind(dues)
    .bind(senders)
    .bind(keys)
    .bind(bodies)
    .bind(fresh)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == count as u64)
}

async fn insert_listings(
    connection: &mut PgConnection,
    candidates: &[Candidate<'_>],
) -> Result<(), sqlx::Error> {
    let listed: Vec<_> = candidates
        .iter()
        .filter_map(|c| c.append.listing.as_ref().map(|listing| (c.append.game, listing)))
        .collect();
    if listed.is_empty() {
        return Ok(());
    }
    let listings = listed.iter().map(|(_, listing)| listing);
    sqlx::query(
        "INSERT INTO online_games (id, state, public, rules, league, rated, seats, detail)
         SELECT * FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::text[], $5::text[],
             $6::bigint[], $7::text[], $8::text[]) AS row (id) ORDER BY row.id
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, public = excluded.public,
             rules = excluded.rules, league = excluded.league, rated = excluded.rated,
             seats = excluded.seats, detail = excluded.detail",
    )
    .bind(listed.iter().map(|(game, _)| &game.as_bytes()[..]).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| listing.state.as_str()).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| i64::from(listing.public)).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| listing.rules.as_str()).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| listing.league.as_deref()).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| i64::from(listing.rated)).collect::<Vec<_>>())
    .bind(listings.clone().map(|listing| listing.seats_text()).collect::<Vec<_>>())
    .bind(listings.map(|listing| listing.detail.as_str()).collect::<Vec<_>>())
    .execute(&mut *connection)
    .await?;

    let seated: Vec<(i64, &[u8])> = listed
        .iter()
        .flat_map(|(game, listing)| {
            listing.seats.iter().flatten().map(|identity| (identity.0, &game.as_bytes()[..]))
        })
        .collect();
    if seated.is_empty() {
        return Ok(());
    }
    let (identities, games): (Vec<i64>, Vec<&[u8]>) = seated.into_iter().unzip();
    sqlx::query(
        "INSERT INTO online_players (identity, game)
         SELECT * FROM unnest($1::bigint[], $2::bytea[]) ON CONFLICT DO NOTHING",
    )
    .bind(identities)
    .bind(games)
    .execute(connection)
    .await?;
    Ok(())
}

/// Inserts the games that count, their results, and to whom they count.
async fn insert_results(
    connection: &mut PgConnection,
    candidates: &[Candidate<'_>],
) -> Result<(), sqlx::Error> {
    let counted: Vec<_> = candidates
        .iter()
        .filter_map(|c| c.append.result.as_ref().zip(c.league).map(|(r, l)| (c.append, r, l)))
        .collect();
    if counted.is_empty() {
        return Ok(());
    }
    let leagues: Vec<i64> = counted.iter().map(|&(_, _, league)| league).collect();
    // Held until the commit: a result gets its id only after every lower id of its league can be
    // seen, so that the order of ids is an order that everybody agrees on at all times.
    sqlx::query("SELECT id FROM leagues WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE")
        .bind(&leagues)
        .execute(&mut *connection)
        .await?;

    let games: Vec<&[u8]> = counted.iter().map(|(a, _, _)| &a.game.as_bytes()[..]).collect();
    let times: Vec<i64> = counted.iter().map(|(append, _, _)| append.at).collect();
    sqlx::query(
        "INSERT INTO games (online, at, record)
         SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::text[])",
    )
    .bind(&games)
    .bind(&times)
    .bind(counted.iter().map(|(_, result, _)| result.record.as_str()).collect::<Vec<_>>())
    .execute(&mut *connection)
    .await?;

    let winner = |seat: usize| seat as i64;
    sqlx::query(
        "INSERT INTO results (league, game, at, winner)
         SELECT row.league, games.id, row.at, row.winner
         FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bigint[])
             WITH ORDINALITY AS row (game, league, at, winner, place)
         JOIN games ON games.online = row.game ORDER BY row.place",
    )
    .bind(&games)
    .bind(&leagues)
    .bind(&times)
    .bind(counted.iter().map(|(_, r, _)| r.outcome.winner().map(winner)).collect::<Vec<_>>())
    .execute(&mut *connection)
    .await?;

    let players = counted.iter().flat_map(|(append, result, _)| {
        (0i64..).zip(&result.players).map(|(seat, player)| (append.game, seat, player))
    });
    let players: Vec<_> = players.collect();
    sqlx::query(
        "INSERT INTO result_players (result, seat, name, identity)
         SELECT results.id, row.seat, row.name, row.identity
         FROM unnest($1::bytea[], $2::bigint[], $3::text[], $4::bigint[])
             AS row (game, seat, name, identity)
         JOIN games ON games.online = row.game JOIN results ON results.game = games.id",
    )
    .bind(players.iter().map(|(game, _, _)| &game.as_bytes()[..]).collect::<Vec<_>>())
    .bind(players.iter().map(|&(_, seat, _)| seat).collect::<Vec<_>>())
    .bind(players.iter().map(|(_, _, player)| player.name.as_str()).collect::<Vec<_>>())
    .bind(players.iter().map(|(_, _, player)| player.identity.0).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

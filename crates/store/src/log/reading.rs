//! Reading the log.

use std::collections::HashMap;

use super::listing::parse_seats;
use super::{CommandKey, DueGame, GameId, GameQuery, ListedGame, Listing, LoggedEvent, State};
use crate::database::{Database, read};
use crate::{IdentityId, Store, StoreError};

pub(super) async fn events(
    database: &Database,
    game: GameId,
    since: u64,
    most: u32,
) -> Result<Vec<LoggedEvent>, StoreError> {
    let Ok(since) = i64::try_from(since) else { return Ok(Vec::new()) };
    let rows: Vec<(i64, i64, i64, String, String)> = read!(database, executor => sqlx::query_as(
        "SELECT sequence, at, sender, key, body FROM events
         WHERE game = (SELECT number FROM online_games WHERE id = $1) AND sequence > $2
         ORDER BY sequence LIMIT $3",
    )
    .bind(&game.as_bytes()[..])
    .bind(since)
    .bind(i64::from(most))
    .fetch_all(executor)
    .await)?;
    let event = |(sequence, at, sender, key, body): (i64, i64, i64, String, String)| LoggedEvent {
        sequence: sequence as u64,
        at,
        key: (!key.is_empty())
            .then_some(CommandKey { sender: IdentityId(sender), key: key.into() }),
        body,
    };
    Ok(rows.into_iter().map(event).collect())
}

pub(super) async fn sequences(
    database: &Database,
    games: &[GameId],
) -> Result<HashMap<GameId, u64>, StoreError> {
    let rows: Vec<(Vec<u8>, Option<i64>)> = match database {
        Database::Sqlite(file) => {
            let hex = |game: &GameId| format!("\"{:032x}\"", u128::from_be_bytes(*game.as_bytes()));
            let keys: Vec<String> = games.iter().map(hex).collect();
            sqlx::query_as(
                "SELECT g.id, (SELECT max(sequence) FROM events WHERE game = g.number)
                 FROM json_each(?) JOIN online_games g ON g.id = unhex(value)",
            )
            .bind(format!("[{}]", keys.join(",")))
            .fetch_all(file.readers())
            .await?
        }
        #[cfg(feature = "postgres")]
        Database::Postgres(database) => {
            sqlx::query_as(
                "SELECT id, (SELECT max(sequence) FROM events WHERE game = number)
                 FROM online_games WHERE id = ANY ($1)",
            )
            .bind(games.iter().map(|game| &game.as_bytes()[..]).collect::<Vec<_>>())
            .fetch_all(database.pool())
            .await?
        }
    };
    let known = |(id, sequence): (Vec<u8>, Option<i64>)| Some((key(id)?, sequence? as u64));
    Ok(rows.into_iter().filter_map(known).collect())
}

/// A game and its last event. `row` turns what it answers into a [`ListedGame`].
macro_rules! select_games {
    ($from:literal) => {
        concat!(
            "SELECT g.id, g.state, g.public, g.rules, g.league, g.rated, g.seats, g.detail,
                 e.sequence, e.at, e.due
             FROM ",
            $from,
            " JOIN events e ON e.game = g.number
                 AND e.sequence = (SELECT max(sequence) FROM events WHERE game = g.number) "
        )
    };
}

type Row =
    (Vec<u8>, String, i64, String, Option<String>, i64, String, String, i64, i64, Option<i64>);

pub(super) async fn game(store: &Store, game: GameId) -> Result<Option<ListedGame>, StoreError> {
    let row: Option<Row> = read!(&*store.database, executor => sqlx::query_as(
        concat!(select_games!("online_games g"), "WHERE g.id = $1"),
    )
    .bind(&game.as_bytes()[..])
    .fetch_optional(executor)
    .await)?;
    row.map(|row| listed(row).ok_or_else(|| store.damaged())).transpose()
}

pub(super) async fn games(store: &Store, query: &GameQuery) -> Result<Vec<ListedGame>, StoreError> {
    let text = match (query.player, query.state) {
        (Some(_), _) => concat!(
            select_games!("online_players p JOIN online_games g ON g.id = p.game"),
            "WHERE p.game < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3) AND p.identity = $6
                 AND (CAST($5 AS TEXT) IS NULL OR g.state = $5)
                 AND replace(replace(g.seats, '[', ','), ']', ',')
                     LIKE '%,' || CAST($6 AS TEXT) || ',%'
             ORDER BY p.game DESC LIMIT $4"
        ),
        // The same parameters, so that they can be bound alike.
        (None, Some(_)) => concat!(
            select_games!("online_games g"),
            "WHERE g.id < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3) AND g.state = $5
                 AND CAST($6 AS BIGINT) IS NULL
             ORDER BY g.id DESC LIMIT $4"
        ),
        (None, None) => concat!(
            select_games!("online_games g"),
            "WHERE g.id < $1 AND ($2 = 0 OR g.public = 1)
                 AND (CAST($3 AS TEXT) IS NULL OR g.rules = $3)
                 AND CAST($5 AS TEXT) IS NULL AND CAST($6 AS BIGINT) IS NULL
             ORDER BY g.id DESC LIMIT $4"
        ),
    };
    let before = query.before.unwrap_or(GameId::from_bytes([u8::MAX; 16]));
    let rows: Vec<Row> = read!(&*store.database, executor => sqlx::query_as(text)
        .bind(&before.as_bytes()[..])
        .bind(i64::from(query.public_only))
        .bind(&query.rules)
        .bind(i64::from(query.most))
        .bind(query.state.map(State::as_str))
        .bind(query.player.map(|player| player.0))
        .fetch_all(executor)
        .await)?;
    rows.into_iter().map(|row| listed(row).ok_or_else(|| store.damaged())).collect()
}

pub(super) async fn due(
    store: &Store,
    until: i64,
    after: Option<DueGame>,
    most: u32,
) -> Result<Vec<DueGame>, StoreError> {
    let first = DueGame { game: GameId::from_bytes([0; 16]), due: i64::MIN };
    let after = after.unwrap_or(first);
    let rows: Vec<(Vec<u8>, i64)> = read!(&*store.database, executor => sqlx::query_as(
        "SELECT g.id, e.due FROM online_games g JOIN events e ON e.game = g.number
             AND e.sequence = (SELECT max(sequence) FROM events WHERE game = g.number)
         WHERE g.state IN ('open', 'live') AND e.due <= $1 AND (e.due, g.id) > ($2, $3)
         ORDER BY e.due, g.id LIMIT $4",
    )
    .bind(until)
    .bind(after.due)
    .bind(&after.game.as_bytes()[..])
    .bind(i64::from(most))
    .fetch_all(executor)
    .await)?;
    let game = |(id, due): (Vec<u8>, i64)| Some(DueGame { game: key(id)?, due });
    rows.into_iter().map(|row| game(row).ok_or_else(|| store.damaged())).collect()
}

fn listed(row: Row) -> Option<ListedGame> {
    let (id, state, public, rules, league, rated, seats, detail, sequence, at, due) = row;
    let listing = Listing {
        state: state.parse().ok()?,
        public: public != 0,
        rules,
        league,
        rated: rated != 0,
        seats: parse_seats(&seats)?,
        detail,
    };
    Some(ListedGame { game: key(id)?, listing, sequence: sequence as u64, at, due })
}

fn key(id: Vec<u8>) -> Option<GameId> {
    Some(GameId::from_bytes(id.try_into().ok()?))
}

impl Store {
    /// The game that was made by a command of somebody's.
    pub async fn game_made_by(&self, command: &CommandKey) -> Result<Option<GameId>, StoreError> {
        let row: Option<(Vec<u8>,)> = read!(&*self.database, executor => sqlx::query_as(
            "SELECT id FROM events JOIN online_games ON number = game
             WHERE sequence = 1 AND sender <> 0 AND sender = $1 AND key = $2",
        )
        .bind(command.sender.0)
        .bind(&*command.key)
        .fetch_optional(executor)
        .await)?;
        row.map(|(id,)| key(id).ok_or_else(|| self.damaged())).transpose()
    }
}

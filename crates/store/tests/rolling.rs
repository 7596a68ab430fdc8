//! Servers of the first version beside those of this one, on PostgreSQL.

use noughts_store::{Append, GameId, Store, TokenHash, Writer};
use noughts_testing::Postgres;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqlSafeStr};

/// What a server of the first version reads: a token, the events of a game, and a list of games.
const READS: [&str; 3] = [
    "SELECT count(*) FROM tokens JOIN identities ON identities.id = identity_id
     WHERE hash = $1 || $1 AND revoked_at IS NULL AND identities.kind = 'account' AND name <> ''
         AND tokens.kind = 'session' AND label <> '' AND tokens.created_at > 0",
    "SELECT count(*) FROM events WHERE sequence > 0 AND at > 0 AND sender_id = 0
         AND idempotency_key >= '' AND body <> ''
         AND game_number = (SELECT number FROM games WHERE id = $1)",
    "SELECT count(*) FROM games g JOIN events e ON e.game_number = g.number
         AND e.sequence = (SELECT max(sequence) FROM events WHERE game_number = g.number)
     WHERE g.id = $1 AND g.phase <> '' AND g.public = 1 AND g.rules = '3x3' AND g.seats <> ''",
];

fn game(number: u8) -> GameId {
    GameId::from_bytes([number; 16])
}

/// Writes as a server of the first version does.
async fn write_as_first_version(connection: &mut PgConnection, number: u8) {
    let statements = include_str!("data/first_version.sql").replace("%N", &number.to_string());
    connection.execute(AssertSqlSafe(statements)).await.unwrap();
}

/// Reads as a server of the first version does. Returns the number of events.
async fn read_as_first_version(connection: &mut PgConnection, number: u8) -> i64 {
    let mut counts = Vec::new();
    for query in READS {
        let count = sqlx::query_scalar(query).bind(vec![number; 16]);
        counts.push(count.fetch_one(&mut *connection).await.unwrap());
    }
    assert_eq!((counts[0], counts[2]), (1, 1), "the token and the game with number {number}");
    counts[1]
}

/// What a server of this version finds of it.
async fn check(store: &Store, number: u8, events: usize) {
    let (player, _) = store.authenticate(TokenHash([number; 32])).await.unwrap().unwrap();
    assert_eq!(player.name, format!("Old {number}"));
    assert_eq!(store.log().events(game(number), 0, 10).await.unwrap().len(), events);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn first_version_goes_on_beside_this_one() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let mut old = PgConnection::connect(&url).await.unwrap();
    let schema = include_str!("../migrations/postgres.sql").into_sql_str();
    let first = Migration::new(1, "schema".into(), MigrationType::Simple, schema, false);
    let first = Migrator::with_migrations(vec![first]);
    first.run_direct(None, &mut old, false).await.unwrap();
    write_as_first_version(&mut old, 1).await;
    assert_eq!(read_as_first_version(&mut old, 1).await, 1);

    // A server of this version migrates the tables. The old one keeps its connection.
    let new = Store::connect(&url).await.unwrap();
    check(&new, 1, 1).await;
    assert_eq!(read_as_first_version(&mut old, 1).await, 1);
    write_as_first_version(&mut old, 2).await;
    check(&new, 2, 1).await;
    let writer = Writer::start(new.log());
    let append = Append {
        game: game(2),
        expected: 1,
        events: vec!["new event".into()].into(),
        at: 60,
        due: None,
        key: None,
        key_is_fresh: false,
        listing: None,
        result: None,
    };
    writer.append(append).await.unwrap();
    assert_eq!(read_as_first_version(&mut old, 2).await, 2);
    check(&new, 2, 2).await;
}

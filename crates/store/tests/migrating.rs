//! What was stored by older versions is there in newer ones.

use noughts_store::{CommandKey, GameId, GameQuery, IdentityId, State, Store, UniqueName};
use noughts_testing::Postgres;
use sqlx::{Connection, Executor, PgConnection, SqliteConnection};

/// Events by the key of their game, as they were stored before games had numbers.
fn games_by_key(bytes: &str, number: &str) -> String {
    let game = |key: &str| match bytes {
        "BLOB" => format!("x'{}'", key.repeat(16)),
        _ => format!("'\\x{}'", key.repeat(16)),
    };
    let (old, young) = (game("01"), game("02"));
    format!(
        "DROP TABLE events; DROP TABLE online_games;
         CREATE TABLE events (game {bytes} NOT NULL, sequence {number} NOT NULL,
             at {number} NOT NULL, due {number}, sender {number} NOT NULL, key TEXT NOT NULL,
             body TEXT NOT NULL, PRIMARY KEY (game, sequence));
         CREATE TABLE online_games (id {bytes} PRIMARY KEY, state TEXT NOT NULL,
             public {number} NOT NULL, rules TEXT NOT NULL, league TEXT, rated {number} NOT NULL,
             seats TEXT NOT NULL, detail TEXT NOT NULL);
         CREATE INDEX online_games_by_state ON online_games (state, id);
         CREATE INDEX events_creating ON events (sender, key) WHERE sequence = 1;
         INSERT INTO online_games VALUES
             ({young}, 'open', 1, '3x3', NULL, 0, '[7,null]', 'young'),
             ({old}, 'live', 1, '3x3', NULL, 0, '[7,8]', 'old');
         INSERT INTO events VALUES ({old}, 1, 1000, NULL, 7, 'make', 'created'),
             ({young}, 1, 1001, 5000, 7, 'make', 'created too'),
             ({old}, 2, 1002, 6000, 8, 'move', 'moved');
         ALTER TABLE tokens ADD COLUMN used_at {number};
         DROP INDEX identities_as_written;
         ALTER TABLE identities DROP COLUMN as_written;
         INSERT INTO identities (id, kind, name, skeleton, created_at) VALUES
             (100, 'account', 'Bob', 'bob', 1), (101, 'account', 'Боб', 'боб', 1);
         DELETE FROM _sqlx_migrations WHERE description IN ('numbers', 'names');"
    )
}

async fn check(store: Store) {
    let (old, young) = (GameId::from_bytes([1; 16]), GameId::from_bytes([2; 16]));
    let log = store.log();
    let events = log.events(old, 0, 10).await.unwrap();
    let told: Vec<_> = events.iter().map(|e| (e.sequence, e.at, e.body.as_str())).collect();
    assert_eq!(told, [(1, 1000, "created"), (2, 1002, "moved")]);
    assert_eq!(events[1].key, Some(CommandKey { sender: IdentityId(8), key: "move".into() }));
    let sequences = log.sequences(&[old, young]).await.unwrap();
    assert_eq!((sequences[&old], sequences[&young]), (2, 1));
    let query = GameQuery {
        state: None,
        player: None,
        public_only: true,
        rules: None,
        before: None,
        most: 10,
    };
    let games = log.games(&query).await.unwrap();
    let listed: Vec<_> =
        games.iter().map(|g| (g.game, g.listing.state, g.sequence, g.due)).collect();
    assert_eq!(listed, [(young, State::Open, 1, Some(5000)), (old, State::Live, 2, Some(6000))]);
    let make = CommandKey { sender: IdentityId(7), key: "make".into() };
    assert_eq!(store.game_made_by(&make).await.unwrap(), Some(old));
    let look = UniqueName { name: "".into(), skeleton: "".into(), as_written: "bob".into() };
    assert_eq!(store.takers(&look).await.unwrap(), [IdentityId(100)]);
    let look = UniqueName { as_written: "боб".into(), ..look };
    assert_eq!(store.takers(&look).await.unwrap(), []);
    store.close().await;
}

#[tokio::test]
async fn games_without_numbers_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noughts.db");
    Store::open(&path).await.unwrap().close().await;
    let url = format!("sqlite:{}", path.display());
    let mut database = SqliteConnection::connect(&url).await.unwrap();
    let before = sqlx::AssertSqlSafe(games_by_key("BLOB", "INTEGER"));
    database.execute(sqlx::raw_sql(before)).await.unwrap();
    database.close().await.unwrap();
    check(Store::open(&path).await.unwrap()).await;
}

#[tokio::test]
async fn games_without_numbers_on_postgres() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    Store::connect(&url).await.unwrap().close().await;
    let mut database = PgConnection::connect(&url).await.unwrap();
    let before = sqlx::AssertSqlSafe(games_by_key("BYTEA", "BIGINT"));
    database.execute(sqlx::raw_sql(before)).await.unwrap();
    database.close().await.unwrap();
    check(Store::connect(&url).await.unwrap()).await;
}

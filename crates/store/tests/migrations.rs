//! Databases of earlier versions.

use noughts_store::{CommandKey, GameId, IdempotencyKey, IdentityId, Store, TokenHash};
use noughts_testing::Postgres;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, SqlSafeStr};

/// The schema of the first version.
fn first(schema: &'static str) -> Migrator {
    let kind = MigrationType::Simple;
    let migration = Migration::new(1, "schema".into(), kind, schema.into_sql_str(), false);
    Migrator::with_migrations(vec![migration])
}

/// Ann was the guest with the token 01…, signed up with the token 02…, and signed in with 03….
fn sessions(hash: impl Fn(u8) -> String) -> String {
    let guest = "01".repeat(32);
    format!(
        "INSERT INTO identities (id, kind, name, case_skeleton, written_skeleton, created_at)
             VALUES (1, 'account', 'Ann', 'ann', 'ann', 5);
         INSERT INTO tokens (hash, identity_id, kind, label, created_at) VALUES
             ({}, 1, 'session', 'session', 5), ({}, 1, 'session', '{guest}', 6),
             ({}, 1, 'session', 'session', 7), ({}, 1, 'bot', 'my bot', 8);",
        hash(1),
        hash(2),
        hash(3),
        hash(4)
    )
}

/// Two games of identity 1: one that is played, and one that was aborted.
fn games(id: impl Fn(u8) -> String) -> String {
    let game = |byte, phase, detail| {
        format!(
            "INSERT INTO games (id, phase, public, rules, rated, seats, detail)
             VALUES ({}, '{phase}', 1, '3x3', 0, '[1,null]', '{detail}');",
            id(byte)
        )
    };
    let event = |byte, sequence, key, body| {
        format!("INSERT INTO events (game_number, sequence, at, sender_id, idempotency_key, body)
             VALUES ((SELECT number FROM games WHERE id = {}), {sequence}, 10, 1, '{key}', '{body}');", id(byte))
    };
    [
        game(1, "live", "{}"),
        game(2, "finished", r#"{"players":[],"reason":"aborted"}"#),
        event(1, 1, "create", "created"),
        event(1, 2, "k1", "moved"),
        event(2, 1, "create 2", "created"),
    ]
    .concat()
}

fn game_id(byte: u8) -> GameId {
    GameId::from_bytes([byte; 16])
}

fn created_by(key: &str) -> CommandKey {
    CommandKey { sender: IdentityId(1), key: IdempotencyKey::new(key).unwrap() }
}

async fn check_games(store: &Store) {
    let log = store.log();
    let events = log.events(game_id(1), 0, 10).await.unwrap();
    let events: Vec<_> = events.iter().map(|event| (event.sequence, &*event.body)).collect();
    assert_eq!(events, [(1, "created"), (2, "moved")]);
    assert_eq!(store.game_created_by(&created_by("create")).await.unwrap(), Some(game_id(1)));
    assert_eq!(log.game(game_id(2)).await.unwrap().unwrap().sequence, 1);
    assert_eq!(store.remove_aborted_games(i64::MAX >> 16, 10).await.unwrap(), 1);
    assert_eq!(log.game(game_id(2)).await.unwrap(), None);
}

async fn check(store: Store) {
    check_games(&store).await;
    let [guest, account, other, bot] = [1, 2, 3, 4].map(|byte| TokenHash([byte; 32]));
    assert_eq!(store.authenticate(guest).await.unwrap(), None, "the guest's token ends");
    for token in [account, other, bot] {
        let (ann, token) = store.authenticate(token).await.unwrap().unwrap();
        assert_eq!((ann.name.as_str(), token.last_used_at), ("Ann", token.created_at));
    }
    let labels: Vec<_> = store.tokens(noughts_store::IdentityId(1)).await.unwrap();
    let labels: Vec<_> = labels.iter().map(|token| token.label.as_str()).collect();
    assert_eq!(labels, ["session", "session", "my bot"]);
    store.set_recovery_code(noughts_store::IdentityId(1), guest).await.unwrap();
}

#[tokio::test]
async fn file_of_first_version_is_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noughts.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new();
    let mut connection = options.filename(&path).create_if_missing(true).connect().await.unwrap();
    let mark = u32::from_be_bytes(*b"Nght");
    connection.execute(AssertSqlSafe(format!("PRAGMA application_id = {mark}"))).await.unwrap();
    let schema = first(include_str!("../migrations/sqlite.sql"));
    schema.run_direct(None, &mut connection, false).await.unwrap();
    let rows = sessions(|byte| format!("x'{}'", format!("{byte:02x}").repeat(32)));
    connection.execute(AssertSqlSafe(rows)).await.unwrap();
    let rows = games(|byte| format!("x'{}'", format!("{byte:02x}").repeat(16)));
    connection.execute(AssertSqlSafe(rows)).await.unwrap();
    connection.close().await.unwrap();
    check(Store::open(&path).await.unwrap()).await;
}

#[tokio::test]
async fn postgresql_of_first_version_is_upgraded() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    let schema = first(include_str!("../migrations/postgres.sql"));
    schema.run_direct(None, &mut connection, false).await.unwrap();
    let rows = sessions(|byte| format!("'\\x{}'", format!("{byte:02x}").repeat(32)));
    connection.execute(AssertSqlSafe(rows)).await.unwrap();
    let rows = games(|byte| format!("'\\x{}'", format!("{byte:02x}").repeat(16)));
    connection.execute(AssertSqlSafe(rows)).await.unwrap();
    // A server of the first version goes on with the statements that it has prepared.
    old_append(&mut connection, 1, 3, "k2").await.unwrap();
    let store = Store::connect(&url).await.unwrap();
    assert_eq!(old_append(&mut connection, 1, 4, "k3").await.unwrap(), 1);
    assert_eq!(old_append(&mut connection, 1, 4, "k4").await.unwrap(), 0, "a conflict");
    sqlx::query(OLD_NEW_GAME).bind(&[3_u8; 16][..]).execute(&mut connection).await.unwrap();
    assert_eq!(old_append(&mut connection, 3, 1, "create").await.unwrap(), 0, "a used key");
    assert_eq!(old_append(&mut connection, 3, 1, "create 3").await.unwrap(), 1);
    let log = store.log();
    assert_eq!(log.events(game_id(3), 0, 10).await.unwrap()[0].body, "by an old server");
    assert_eq!(log.sequences(&[game_id(1)]).await.unwrap()[&game_id(1)], 4);
    assert_eq!(store.game_created_by(&created_by("create 3")).await.unwrap(), Some(game_id(3)));
    for sequence in [3, 4] {
        let delete = format!("DELETE FROM events WHERE game_number = 1 AND sequence = {sequence}");
        connection.execute(AssertSqlSafe(delete)).await.unwrap();
    }
    connection.close().await.unwrap();
    check(store).await;
}

/// As the first version creates a game.
const OLD_NEW_GAME: &str = "INSERT INTO games (id, phase, public, rules, rated, seats, detail)
    VALUES ($1, 'live', 1, '3x3', 0, '[1,null]', '{}')";

/// Appends as the first version does.
async fn old_append(
    connection: &mut sqlx::PgConnection,
    game: u8,
    sequence: i64,
    key: &str,
) -> Result<u64, sqlx::Error> {
    let appended = sqlx::query(
        "INSERT INTO events (game_number, sequence, at, sender_id, idempotency_key, body)
         SELECT games.number, $2, 11, 1, $3, 'by an old server' FROM games WHERE id = $1
         ON CONFLICT DO NOTHING",
    )
    .bind(&[game; 16][..])
    .bind(sequence)
    .bind(key)
    .execute(connection)
    .await?;
    Ok(appended.rows_affected())
}

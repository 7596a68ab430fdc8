//! Databases of earlier versions.

use noughts_store::{Store, TokenHash};
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

async fn check(store: Store) {
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
    connection.close().await.unwrap();
    check(Store::connect(&url).await.unwrap()).await;
}

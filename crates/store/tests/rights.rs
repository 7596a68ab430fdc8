//! Roles and encrypted connections on PostgreSQL.

use noughts_store::{LeagueChoice, Store};
use noughts_testing::{Postgres, TlsPostgres};
use sqlx::{AssertSqlSafe, Connection, Executor};

/// A new role that can't create tables, and the URL of the database as this role.
async fn role(url: &str, suffix: &str) -> (String, String) {
    let name = format!("Server {}{suffix}", std::process::id());
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    // Earlier versions of PostgreSQL let everybody create tables.
    let revoke = "REVOKE CREATE ON SCHEMA public FROM public";
    connection.execute(revoke).await.unwrap();
    let create = format!("CREATE ROLE \"{name}\" LOGIN");
    connection.execute(AssertSqlSafe(create)).await.unwrap();
    connection.close().await.unwrap();
    let (_, rest) = url.split_once('@').unwrap();
    let url = format!("postgres://{}@{rest}", name.replace(' ', "%20"));
    (name, url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_needs_no_right_to_change_tables() {
    let Some(postgres) = Postgres::shared() else { return };
    let owner = postgres.database().await;
    let (role, server) = role(&owner, "a").await;
    let refused = Store::connect(&server).await.unwrap_err().to_string();
    assert!(refused.contains("run `noughts migrate --database URL` as their owner"), "{refused}");

    let store = Store::connect(&owner).await.unwrap();
    store.grant_to_server(&role).await.unwrap();
    store.close().await;
    let store = Store::connect(&server).await.unwrap();
    store.register_server(1_000, 6_000).await.unwrap();
    store.create_league(&LeagueChoice::default()).await.unwrap();
    assert_eq!(store.leagues().await.unwrap().len(), 1);
    store.close().await;

    let mut connection = sqlx::PgConnection::connect(&server).await.unwrap();
    for forbidden in [
        "CREATE TABLE own (id BIGINT)",
        "DROP TABLE events",
        "ALTER TABLE events ADD COLUMN own BIGINT",
        "TRUNCATE events",
        "DELETE FROM _sqlx_migrations",
    ] {
        let error = connection.execute(forbidden).await.unwrap_err();
        let code = error.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("42501"), "{forbidden}: {error}");
    }
}

/// The owner's next migration finds the role in place.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_can_use_tables_of_later_migrations() {
    let Some(postgres) = Postgres::shared() else { return };
    let owner = postgres.database().await;
    let (role, server) = role(&owner, "b").await;
    let store = Store::connect(&owner).await.unwrap();
    store.grant_to_server(&role).await.unwrap();
    store.close().await;
    let mut connection = sqlx::PgConnection::connect(&owner).await.unwrap();
    let later = "CREATE TABLE later (id BIGINT GENERATED ALWAYS AS IDENTITY, value TEXT)";
    connection.execute(later).await.unwrap();
    let mut connection = sqlx::PgConnection::connect(&server).await.unwrap();
    connection.execute("INSERT INTO later (value) VALUES ('x')").await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn encrypted_connections_are_verified() {
    let Some(postgres) = TlsPostgres::start() else { return };
    let (authority, other) = (postgres.authority(), postgres.other_authority());
    let verified = |mode: &str, authority: &str| format!("sslmode={mode}&sslrootcert={authority}");
    for (host, parameters) in [
        ("localhost", "sslmode=require".into()),
        ("localhost", verified("verify-ca", &authority)),
        ("localhost", verified("verify-full", &authority)),
        // Whoever has a certificate of the authority is trusted, under any name.
        ("127.0.0.1", verified("verify-ca", &authority)),
    ] {
        let store = Store::connect(&postgres.url(host, &parameters)).await;
        store.unwrap_or_else(|error| panic!("{host} {parameters}: {error}")).close().await;
    }
    for (host, parameters) in [
        ("localhost", "sslmode=disable".into()),
        ("localhost", verified("verify-full", &other)),
        ("localhost", verified("verify-ca", &other)),
        ("localhost", "sslmode=verify-full".into()),
        ("127.0.0.1", verified("verify-full", &authority)),
    ] {
        let refused = Store::connect(&postgres.url(host, &parameters)).await;
        assert!(refused.is_err(), "{host} {parameters}");
    }
}

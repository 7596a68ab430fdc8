//! Behaviour specific to PostgreSQL.

use noughts_store::{GameId, IdentityId, Notice, Notices, Store, StoreError, Subscription};
use noughts_testing::Postgres;
use sqlx::{ConnectOptions, Executor};

fn game(number: u8) -> GameId {
    GameId::new(0, [number; 10])
}

/// The next notice that is not a regular resync.
async fn next(subscription: &mut Subscription) -> Notice {
    loop {
        match subscription.next().await.unwrap() {
            Notice::Resync => {}
            notice => return notice,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_can_start_together() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let mut servers = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let url = url.clone();
        servers.spawn(async move { Store::connect(&url).await });
    }
    for server in servers.join_all().await {
        assert_eq!(server.unwrap().leagues().await.unwrap(), []);
    }
}

#[tokio::test]
async fn newer_databases_are_refused() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    Store::connect(&url).await.unwrap().close().await;
    let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
    let newer = "INSERT INTO _sqlx_migrations VALUES (999, 'future', now(), true, '', 0)";
    options.connect().await.unwrap().execute(newer).await.unwrap();
    for _ in 0..2 {
        assert_eq!(
            Store::connect(&url).await.unwrap_err().to_string(),
            "the database was written by a newer version of Noughts: update this one to use it"
        );
    }
}

/// A killed server has no connection, however recent its heartbeat.
#[tokio::test]
async fn outages_need_all_servers_disconnected() {
    const TOLERANCE: i64 = 6_000;
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let outages = async |store: &Store| {
        let outages = store.outages(0).await.unwrap();
        outages.iter().map(|outage| (outage.began, outage.ended)).collect::<Vec<_>>()
    };
    let [first, second] = [&url, &url].map(|url| Store::connect(url));
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    first.register_server(10_000, TOLERANCE).await.unwrap();
    // The first one is connected, if late.
    second.register_server(15_000, TOLERANCE).await.unwrap();
    assert_eq!(outages(&second).await, []);
    first.close().await;
    second.heartbeat(17_000, TOLERANCE).await.unwrap();
    assert_eq!(outages(&second).await, []);
    second.close().await;

    let third = Store::connect(&url).await.unwrap();
    let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    let connected = "SELECT count(DISTINCT application_name) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'noughts-%'";
    while sqlx::query_scalar::<_, i64>(connected).fetch_one(&mut connection).await.unwrap() > 1 {
        tokio::task::yield_now().await;
    }
    third.register_server(19_500, TOLERANCE).await.unwrap();
    assert_eq!(outages(&third).await, [(17_000, 19_500)]);
    // A stopped server does not count either.
    third.stop_server(20_000).await.unwrap();
    let fourth = Store::connect(&url).await.unwrap();
    fourth.register_server(20_300, TOLERANCE).await.unwrap();
    assert_eq!(outages(&fourth).await, [(17_000, 19_500), (20_000, 20_300)]);
}

#[tokio::test]
async fn invalid_addresses_are_refused() {
    for address in ["", "nonsense", "sqlite://x", "postgres://a:b:c/d"] {
        let refused = Store::connect(address).await.unwrap_err();
        assert!(
            matches!(refused, StoreError::Url(_) | StoreError::Unreachable { .. }),
            "{address}: {refused}"
        );
    }
    let refused = Store::connect("postgres://127.0.0.1:1/nowhere").await.unwrap_err().to_string();
    assert!(refused.starts_with("can't reach the database at 127.0.0.1:1: "), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_reach_other_servers() {
    let Some(postgres) = Postgres::shared() else { return };
    let url = postgres.database().await;
    let first = Notices::start(&Store::connect(&url).await.unwrap());
    let second = Notices::start(&Store::connect(&url).await.unwrap());
    let (mut at_first, mut at_second) = (first.subscribe(), second.subscribe());
    // A listener begins with a resync.
    assert_eq!(at_second.next().await, Some(Notice::Resync));
    let published =
        [Notice::League { name: "Straße 7".into() }, Notice::Identity { identity: IdentityId(3) }];
    for notice in &published {
        first.publish(notice.clone());
        assert_eq!(next(&mut at_first).await, *notice);
        assert_eq!(next(&mut at_second).await, *notice);
    }
    // Bursts are coalesced to the latest sequence of each game.
    for sequence in 1..=3 {
        for number in 0..250 {
            first.publish(Notice::Game { game: game(number), sequence });
        }
    }
    let mut missing: Vec<GameId> = (0..250).map(game).collect();
    while !missing.is_empty() {
        let Notice::Game { game, sequence } = next(&mut at_second).await else { panic!() };
        if sequence == 3 {
            missing.retain(|other| *other != game);
        }
    }
}

/// After a crash of the database, servers resynchronise and receive notices again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_resume_after_a_crash() {
    let Some(postgres) = Postgres::start() else { return };
    let url = postgres.database().await;
    let first = Notices::start(&Store::connect(&url).await.unwrap());
    let second = Notices::start(&Store::connect(&url).await.unwrap());
    let mut subscription = second.subscribe();
    assert_eq!(subscription.next().await, Some(Notice::Resync));
    tokio::task::block_in_place(|| {
        postgres.kill();
        postgres.restart();
    });
    assert_eq!(subscription.next().await, Some(Notice::Resync));
    let notice = Notice::Game { game: game(1), sequence: 7 };
    first.publish(notice.clone());
    assert_eq!(next(&mut subscription).await, notice);
}

//! Checks a database and a server after faults.

use noughts_checker::{Check, CountedResult, Record};
use noughts_scores::Weight;
use noughts_server::Config;
use noughts_store::{GameId, Standings};
use sqlx::Connection;

use crate::server::{Agent, Database};

/// All violations found, as sentences.
pub(crate) async fn violations(
    database: &Database,
    record: &Record,
    address: Option<&str>,
) -> Vec<String> {
    let store = database.store().await;
    let mut check = Check::of_log(&*store.log(), record).await;
    if let Some(address) = address {
        let agent = Agent::of(address);
        let games: Vec<GameId> = check.games().map(|game| game.id()).collect();
        games.into_iter().for_each(|id| check.served(&agent.game(id)));
    }
    let results = results(database).await;
    check.results(&results);
    let standings = Standings::load(&store).await.unwrap();
    for league in check.leagues() {
        let system = Config::default().league(&league).expect("the league of a game").system;
        let listed = standings.read(&league, Check::listed).unwrap_or_default();
        check.ratings(&league, system, &results, &listed);
    }
    store.close().await;
    check.violations()
}

/// The stored results.
async fn results(database: &Database) -> Vec<CountedResult> {
    const QUERY: &str = "SELECT results.id, ended_at, online_game_id, weight FROM results
        JOIN records ON records.id = record_id
        JOIN result_players ON result_id = results.id AND seat = 0 ORDER BY results.id";
    let rows: Vec<(i64, i64, Vec<u8>, i64)> = match database {
        Database::Sqlite(folder) => {
            let url = format!("sqlite:{}", folder.path().join("noughts.db").display());
            let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut connection).await.unwrap()
        }
        Database::Postgres(_, url) | Database::Cluster(url) => {
            let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
            sqlx::query_as(QUERY).fetch_all(&mut connection).await.unwrap()
        }
    };
    let result = |(id, at, game, weight): (i64, i64, Vec<u8>, i64)| CountedResult {
        id,
        at,
        game: GameId::from_bytes(game.try_into().unwrap()),
        weight: Weight::from_percent(weight.try_into().unwrap()).unwrap(),
    };
    rows.into_iter().map(result).collect()
}

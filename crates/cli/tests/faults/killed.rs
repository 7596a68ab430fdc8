//! Servers and databases killed during play.

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};
use noughts_checker::Record;

const RULES: &str = "5x5:4";
const GAMES: usize = 12;

/// Plays games and injects the fault once in each round of games but the last.
async fn play_with_faults(database: &Database, times: usize, fault: impl Fn(&Server)) {
    let server = Server::start(database);
    let mut games = Vec::new();
    for round in 0..=times {
        let names = [format!("Ann {round}"), format!("Bob {round}")];
        games.push(server.agent().games([&names[0], &names[1]], RULES, GAMES));
    }
    let (record, behaviour) = (Record::default(), Behaviour::default());
    let addresses = [server.address.clone()];
    for (round, games) in games.iter().enumerate() {
        let playing = play(&addresses, games, &behaviour, &record);
        let enough = record.moves() + GAMES * 3;
        let breaking = async {
            record.until_moves(enough).await;
            if round < times {
                tokio::task::block_in_place(|| fault(&server));
            }
        };
        tokio::join!(playing, breaking);
    }
    let found = violations(database, &record, Some(&server.address)).await;
    assert_eq!(found, [""; 0]);
    assert!(record.moves() > (times + 1) * GAMES * 7, "all games were played");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_on_sqlite() {
    play_with_faults(&Database::sqlite(), fault_count(2), |server| {
        server.kill();
        server.restart();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_server_on_postgresql() {
    let Some(database) = Database::postgres().await else { return };
    play_with_faults(&database, fault_count(2), |server| {
        server.kill();
        server.restart();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_postgresql() {
    let Some(database) = Database::postgres().await else { return };
    let Database::Postgres(postgres, _) = &database else { return };
    play_with_faults(&database, fault_count(2), |_| {
        postgres.kill();
        postgres.restart();
    })
    .await;
}

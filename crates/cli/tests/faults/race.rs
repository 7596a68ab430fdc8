//! Two servers, with the two players of each game on different ones.

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};
use noughts_checker::Record;

pub(crate) async fn race(
    database: &Database,
    games: usize,
    cut_percent: u32,
) -> (Record, [Server; 2]) {
    let servers = [Server::start(database), Server::start(database)];
    let games = servers[0].agent().games(["Ann", "Bob"], "4x4", games);
    let (record, behaviour) =
        (Record::default(), Behaviour { cut_percent, ..Behaviour::default() });
    let addresses = servers.each_ref().map(|server| server.address.clone());
    play(&addresses, &games, &behaviour, &record).await;
    (record, servers)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn racing_servers_on_postgresql() {
    let Some(database) = Database::postgres().await else { return };
    let (record, servers) = race(&database, 10 * fault_count(1), 10).await;
    for server in &servers {
        assert_eq!(violations(&database, &record, Some(&server.address)).await, [""; 0]);
    }
}

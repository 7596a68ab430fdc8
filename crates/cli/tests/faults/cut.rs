//! Connections cut right after a command, which is then resent.

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};
use noughts_checker::Record;

async fn cut(database: Database) {
    let server = Server::start(&database);
    let games = server.agent().games(["Ann", "Bob"], "5x5:4", 10 * fault_count(1));
    let (record, behaviour) =
        (Record::default(), Behaviour { cut_percent: 40, ..Behaviour::default() });
    play(std::slice::from_ref(&server.address), &games, &behaviour, &record).await;
    assert_eq!(violations(&database, &record, Some(&server.address)).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_connections_on_sqlite() {
    cut(Database::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_connections_on_postgresql() {
    if let Some(database) = Database::postgres().await {
        cut(database).await;
    }
}

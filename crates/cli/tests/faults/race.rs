//! Two servers with the same games: the players of each game are on different ones.

use crate::checker::check;
use crate::count;
use crate::player::{Habits, play};
use crate::record::Record;
use crate::server::{Place, Server};

pub(crate) async fn race(place: &Place, games: usize, cuts: u32) -> (Record, [Server; 2]) {
    let servers = [Server::start(place), Server::start(place)];
    let games = servers[0].agent().games(["Ann", "Bob"], "4x4", games);
    let (record, habits) = (Record::default(), Habits { cuts, ..Habits::default() });
    let addresses = servers.each_ref().map(|server| server.address.clone());
    play(&addresses, &games, &habits, &record).await;
    (record, servers)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_on_postgresql() {
    let Some(place) = Place::postgres().await else { return };
    let (record, servers) = race(&place, 10 * count(1), 10).await;
    for server in &servers {
        assert_eq!(check(&place, &record, Some(&server.address)).await, [""; 0]);
    }
}

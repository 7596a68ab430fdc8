//! Connections that are cut right after a command, which is then sent again.

use crate::checker::check;
use crate::count;
use crate::player::{Habits, play};
use crate::record::Record;
use crate::server::{Place, Server};

async fn cut(place: Place) {
    let server = Server::start(&place);
    let games = server.agent().games(["Ann", "Bob"], "5x5:4", 10 * count(1));
    let (record, habits) = (Record::default(), Habits { cuts: 40, ..Habits::default() });
    play(std::slice::from_ref(&server.address), &games, &habits, &record).await;
    assert_eq!(check(&place, &record, Some(&server.address)).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sqlite() {
    cut(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgresql() {
    if let Some(place) = Place::postgres().await {
        cut(place).await;
    }
}

//! Servers and databases that end without a word while games are played.

use crate::checker::check;
use crate::count;
use crate::player::{Habits, play};
use crate::record::Record;
use crate::server::{Place, Server};

const RULES: &str = "5x5:4";
const GAMES: usize = 12;

/// Plays games while something is done every time so many further moves have been acknowledged.
async fn play_while(place: &Place, times: usize, fault: impl Fn(&Server)) {
    let server = Server::start(place);
    let mut games = Vec::new();
    for round in 0..=times {
        let names = [format!("Ann {round}"), format!("Bob {round}")];
        games.push(server.agent().games([&names[0], &names[1]], RULES, GAMES));
    }
    let (record, habits) = (Record::default(), Habits::default());
    let addresses = [server.address.clone()];
    for (round, games) in games.iter().enumerate() {
        let playing = play(&addresses, games, &habits, &record);
        let enough = record.acknowledged() + GAMES * 3;
        let breaking = async {
            record.until_acknowledged(enough).await;
            if round < times {
                tokio::task::block_in_place(|| fault(&server));
            }
        };
        tokio::join!(playing, breaking);
    }
    let wrong = check(place, &record, Some(&server.address)).await;
    assert_eq!(wrong, [""; 0]);
    assert!(record.acknowledged() > (times + 1) * GAMES * 7, "all games were played");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_on_sqlite() {
    play_while(&Place::sqlite(), count(2), |server| {
        server.kill();
        server.restart();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_on_postgresql() {
    let Some(place) = Place::postgres().await else { return };
    play_while(&place, count(2), |server| {
        server.kill();
        server.restart();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_postgresql() {
    let Some(place) = Place::postgres().await else { return };
    let Place::Postgres(postgres, _) = &place else { return };
    play_while(&place, count(2), |_| {
        postgres.kill();
        postgres.restart();
    })
    .await;
}

//! Concurrent games, and servers that race for the same games.

use std::collections::HashMap;
use std::sync::Arc;

use noughts_store::{AppendError, Notice, Notices, Writer};

use crate::test_database::TestDatabase;
use crate::{after, append, at, bodies, game, on_every_log, with_key};

on_every_log!(
    a_writer_serves_many_games,
    appends_to_a_game_keep_their_order,
    racing_servers_share_the_moves,
    a_dropped_writer_drains_its_queue,
);

const GAMES: u8 = 40;
const MOVES: u64 = 20;

async fn a_writer_serves_many_games(database: TestDatabase) {
    let writer = Writer::start(database.log.clone());
    let games: Vec<_> = (0..GAMES)
        .map(|number| {
            let writer = writer.clone();
            tokio::spawn(async move {
                writer.append(after(game(number), 0, &["created"])).await.unwrap();
                for sequence in 1..=MOVES {
                    let moved = after(game(number), sequence, &[&format!("{number}-{sequence}")]);
                    let moved = with_key(moved, 1, &sequence.to_string());
                    assert_eq!(writer.append(moved).await.unwrap(), at(sequence + 1, sequence + 1));
                }
            })
        })
        .collect();
    for played in games {
        played.await.unwrap();
    }
    for number in 0..GAMES {
        let moves = (1..=MOVES).map(|sequence| format!("{number}-{sequence}"));
        let expected: Vec<String> = ["created".to_string()].into_iter().chain(moves).collect();
        assert_eq!(bodies(&database, game(number)).await, expected);
    }
}

/// Even if they are sent without waiting for outcomes.
async fn appends_to_a_game_keep_their_order(database: TestDatabase) {
    let writer = Writer::start(database.log.clone());
    let appends: Vec<_> = (0..30).map(|n| after(game(1), n, &[&n.to_string()])).collect();
    let mut waiting = Vec::new();
    for append in appends {
        // Polled once each, in order, so that they are queued in order.
        let mut answer = Box::pin(writer.append(append));
        let polled = std::future::poll_fn(|context| {
            std::task::Poll::Ready(answer.as_mut().poll(context).is_ready())
        });
        assert!(!polled.await);
        waiting.push(answer);
    }
    for (number, answer) in (1..).zip(waiting) {
        assert_eq!(answer.await.unwrap(), at(number, number));
    }
}

/// Two servers play the same games. Each moves from the state it has seen, and reads the log after a
/// conflict.
async fn racing_servers_share_the_moves(database: TestDatabase) {
    let second = database.second_log().await;
    for number in 0..10 {
        append(&*database.log, after(game(number), 0, &["created"])).await.unwrap();
    }
    let servers = [(database.log.clone(), "first"), (second, "second")];
    let mut players = Vec::new();
    for (log, name) in servers {
        let writer = Writer::start(log.clone());
        for number in 0..10 {
            let (writer, log) = (writer.clone(), Arc::clone(&log));
            players.push(tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                let mut sequence = 1;
                while sequence < MOVES {
                    let body = format!("{name} at {sequence}");
                    match writer.append(after(game(number), sequence, &[&body])).await {
                        Ok(appended) => {
                            assert_eq!(appended, at(sequence + 1, sequence + 1));
                            acknowledged.push((number, sequence + 1, body));
                            sequence += 1;
                        }
                        Err(AppendError::Conflict { sequence: current }) => {
                            assert!(current > sequence);
                            let events = log.events(game(number), sequence, 1000).await.unwrap();
                            assert!(events.len() as u64 >= current - sequence);
                            sequence = current;
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
                acknowledged
            }));
        }
    }
    let mut acknowledged: HashMap<(u8, u64), String> = HashMap::new();
    for player in players {
        for (number, sequence, body) in player.await.unwrap() {
            assert_eq!(acknowledged.insert((number, sequence), body), None, "acknowledged twice");
        }
    }
    assert_eq!(acknowledged.len(), 10 * (MOVES as usize - 1));
    for number in 0..10 {
        for (sequence, body) in (1..).zip(bodies(&database, game(number)).await).skip(1) {
            assert_eq!(acknowledged[&(number, sequence)], body);
        }
    }
}

async fn a_dropped_writer_drains_its_queue(database: TestDatabase) {
    let writer = Writer::start(database.log.clone());
    let mut asked = tokio::task::JoinSet::new();
    for number in 0..GAMES {
        let writer = writer.clone();
        asked.spawn(async move { writer.append(after(game(number), 0, &["created"])).await });
    }
    drop(writer);
    while let Some(answer) = asked.join_next().await {
        answer.unwrap().unwrap();
    }
    for number in 0..GAMES {
        assert_eq!(bodies(&database, game(number)).await, ["created"]);
    }
}

/// Programs that share a file notice each other's writes, and not their own.
#[tokio::test]
async fn writes_of_other_programs_are_noticed() {
    let database = crate::test_database::sqlite().await;
    let notices = Notices::start(&database.store);
    let mut subscription = notices.subscribe();
    let writer = Writer::start_with_notices(database.log.clone(), notices);
    let own = after(game(1), 0, &["created"]);
    writer.append(own).await.unwrap();

    let second = database.connect_again().await;
    append(&*second.log(), after(game(1), 1, &["A1"])).await.unwrap();
    assert_eq!(subscription.next().await, Some(Notice::Resync));
    assert_eq!(database.log.sequences(&[game(1)]).await.unwrap()[&game(1)], 2);
}

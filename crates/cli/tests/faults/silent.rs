//! A client that never reads, and a database that never answers.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};
use noughts_checker::Record;

/// The client requests more replies than all buffers can hold. The server disconnects it, and other
/// games are not affected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_that_never_reads_is_disconnected() {
    let database = Database::sqlite();
    let server = Server::start(&database);
    let games = server.agent().games(["Ann", "Bob"], "5x5:4", 10);
    let silent: Vec<_> = (0..fault_count(3))
        .map(|_| {
            let url = format!("ws://{}/api/v1/games/{}/socket", server.address, games[0].game);
            let address = server.address.clone();
            tokio::task::spawn_blocking(move || {
                let stream = TcpStream::connect(address).unwrap();
                let request = url.into_client_request().unwrap();
                let (mut socket, _) = tungstenite::client(request, stream).unwrap();
                while socket.send(Message::text("{}")).is_ok() {}
                // Writing to a closed connection fails.
                assert!(socket.get_mut().write(b"x").is_err());
            })
        })
        .collect();
    let record = Record::default();
    play(std::slice::from_ref(&server.address), &games, &Behaviour::default(), &record).await;
    for silent in silent {
        silent.await.unwrap();
    }
    assert_eq!(violations(&database, &record, Some(&server.address)).await, [""; 0]);
}

/// The server waits for connections, games and the database, 10 s and 10 s and 2 s at most.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_of_a_silent_database_stops() {
    const LIMIT: Duration = Duration::from_secs(25);
    let Some(database) = Database::postgres().await else { return };
    let server = Server::start(&database);
    server.agent().games(["Ann", "Bob"], "3x3", 1);
    let Database::Postgres(postgres, _) = &database else { return };
    let frozen = postgres.freeze();
    let start = Instant::now();
    let status = tokio::task::block_in_place(|| server.terminate());
    let elapsed = start.elapsed();
    drop(frozen);
    assert!(status.success() && elapsed < LIMIT, "{status} after {elapsed:?}");
}

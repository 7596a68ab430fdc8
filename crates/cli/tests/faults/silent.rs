//! A client that never reads.

use std::io::Write;
use std::net::TcpStream;

use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use crate::checker::check;
use crate::count;
use crate::player::{Habits, play};
use crate::record::Record;
use crate::server::{Place, Server};

/// It asks for answers, many more than anything between it and the server can hold, and reads none
/// of them: the server ends the connection, and others play as if nothing were.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_dropped() {
    let place = Place::sqlite();
    let server = Server::start(&place);
    let games = server.agent().games(["Ann", "Bob"], "5x5:4", 10);
    let silent: Vec<_> = (0..count(3))
        .map(|_| {
            let url = format!("ws://{}/api/v1/games/{}/socket", server.address, games[0].game);
            let address = server.address.clone();
            tokio::task::spawn_blocking(move || {
                let stream = TcpStream::connect(address).unwrap();
                let request = url.into_client_request().unwrap();
                let (mut socket, _) = tungstenite::client(request, stream).unwrap();
                while socket.send(Message::text("{}")).is_ok() {}
                // Nothing can be written to a connection that has ended.
                assert!(socket.get_mut().write(b"x").is_err());
            })
        })
        .collect();
    let record = Record::default();
    play(std::slice::from_ref(&server.address), &games, &Habits::default(), &record).await;
    for silent in silent {
        silent.await.unwrap();
    }
    assert_eq!(check(&place, &record, Some(&server.address)).await, [""; 0]);
}

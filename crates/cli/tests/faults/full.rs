//! A full disk.

use std::sync::atomic::Ordering;

use crate::checker::violations;
use crate::fault_count;
use crate::player::{Behaviour, play};
use crate::server::{Database, Server};
use noughts_checker::Record;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_loses_no_acknowledged_move() {
    for _ in 0..fault_count(1) {
        let database = Database::sqlite();
        let roomy = Server::start(&database);
        let games = roomy.agent().games(["Ann", "Bob"], "8x8:5", 20);
        drop(roomy);

        // After some moves the write-ahead log reaches the limit.
        let small = Server::start_on_small_disk(&database, 200);
        let (record, behaviour) = (Record::default(), Behaviour::default());
        let playing = play(std::slice::from_ref(&small.address), &games, &behaviour, &record);
        let waiting = async {
            record.until_unavailable(100).await;
            behaviour.stop.store(true, Ordering::Relaxed);
        };
        tokio::join!(playing, waiting);
        drop(small);
        let stored = record.moves();
        assert_eq!(violations(&database, &record, None).await, [""; 0]);

        // The games continue once there is space.
        let roomy = Server::start(&database);
        let addresses = [roomy.address.clone()];
        play(&addresses, &games, &Behaviour::default(), &record).await;
        assert_eq!(violations(&database, &record, Some(&roomy.address)).await, [""; 0]);
        assert!(stored > 0 && record.moves() > stored, "the disk was full in between");
    }
}

//! A disk without room.

use std::sync::atomic::Ordering;

use crate::checker::check;
use crate::count;
use crate::player::{Habits, play};
use crate::record::Record;
use crate::server::{Place, Server};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_acknowledged_on_a_full_disk_stays() {
    for _ in 0..count(1) {
        let place = Place::sqlite();
        let roomy = Server::start(&place);
        let games = roomy.agent().games(["Ann", "Bob"], "8x8:5", 20);
        drop(roomy);

        // The write-ahead log is full after some moves, and nothing more can be stored.
        let small = Server::start_on_small_disk(&place, 200);
        let (record, habits) = (Record::default(), Habits::default());
        let playing = play(std::slice::from_ref(&small.address), &games, &habits, &record);
        let waiting = async {
            record.until_unavailable(100).await;
            habits.stop.store(true, Ordering::Relaxed);
        };
        tokio::join!(playing, waiting);
        drop(small);
        let stored = record.acknowledged();
        assert_eq!(check(&place, &record, None).await, [""; 0]);

        // With room again, the games go on.
        let roomy = Server::start(&place);
        let addresses = [roomy.address.clone()];
        play(&addresses, &games, &Habits::default(), &record).await;
        assert_eq!(check(&place, &record, Some(&roomy.address)).await, [""; 0]);
        assert!(stored > 0 && record.acknowledged() > stored, "the disk was full in between");
    }
}

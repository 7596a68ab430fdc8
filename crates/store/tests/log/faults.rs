//! What goes wrong, and what comes of it.

use noughts_store::{AppendError, Appended, Writer};
use noughts_testing::{Fault, FaultyLog};

use crate::{after, at, bodies, game, places, with_key};

/// Nothing is acknowledged, and the writer goes on.
#[tokio::test]
async fn a_failed_batch_fails_its_appends_only() {
    let place = places::sqlite().await;
    let log = FaultyLog::new(place.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::Full)]);
    let failed = writer.append(after(game(1), 1, &["A1"])).await;
    assert!(matches!(failed, Err(AppendError::Failed(_))), "{failed:?}");
    assert_eq!(
        failed.unwrap_err().to_string(),
        "could not store: the database failed: encountered unexpected or invalid data: \
         a planned fault: no room"
    );
    assert_eq!(writer.append(after(game(1), 1, &["B2"])).await.unwrap(), at(2, 2));
    assert_eq!(bodies(&place, game(1)).await, ["created", "B2"]);
}

/// Whether the batch was stored or not, it is stored once in the end.
#[tokio::test]
async fn a_lost_connection_leaves_no_doubt() {
    let place = places::sqlite().await;
    let log = FaultyLog::new(place.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::LostBefore), Some(Fault::LostBefore)]);
    assert_eq!(writer.append(after(game(1), 1, &["A1"])).await.unwrap(), at(2, 2));
    log.plan([Some(Fault::LostAfter), Some(Fault::LostBefore)]);
    let repeated = Appended { first: 3, last: 3, repeated: true };
    // With a key of the sender's, and with none.
    let moved = with_key(after(game(1), 2, &["B1"]), 7, "k");
    assert_eq!(writer.append(moved).await.unwrap(), repeated);
    log.plan([Some(Fault::LostAfter)]);
    let repeated = Appended { first: 4, last: 4, repeated: true };
    assert_eq!(writer.append(after(game(1), 3, &["A2"])).await.unwrap(), repeated);
    assert_eq!(bodies(&place, game(1)).await, ["created", "A1", "B1", "A2"]);
}

/// A log that acknowledges what it does not store is found out by reading.
#[tokio::test]
async fn a_lie_is_found_by_reading() {
    let place = places::sqlite().await;
    let log = FaultyLog::new(place.log.clone());
    let writer = Writer::start(log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    log.plan([Some(Fault::Lie)]);
    assert_eq!(writer.append(after(game(1), 1, &["A1"])).await.unwrap(), at(2, 2));
    assert_eq!(bodies(&place, game(1)).await, ["created"]);
}

//! Events are stored once, in order, or not at all.

use noughts_store::{Append, AppendError, Appended, Batch, CommandKey, IdempotencyKey, IdentityId};

use crate::test_database::TestDatabase;
use crate::{after, append, append_all, at, bodies, game, on_every_log, with_key};

on_every_log!(
    events_read_back_in_order,
    stale_appends_get_the_current_sequence,
    repeated_commands_take_effect_once,
    keys_are_scoped_to_sender_and_game,
    conflicts_spare_the_rest_of_the_batch,
    fresh_appends_still_conflict,
    a_command_creates_one_game,
    any_text_reads_back,
);

async fn events_read_back_in_order(database: TestDatabase) {
    let log = &*database.log;
    assert_eq!(append(log, after(game(1), 0, &["created", "joined"])).await.unwrap(), at(1, 2));
    let moved = with_key(after(game(1), 2, &["A1"]), 7, "first");
    assert_eq!(append(log, moved).await.unwrap(), at(3, 3));
    assert_eq!(append(log, after(game(2), 0, &["created"])).await.unwrap(), at(1, 1));
    assert_eq!(append(log, after(game(1), 3, &["B1", "over"])).await.unwrap(), at(4, 5));

    assert_eq!(bodies(&database, game(1)).await, ["created", "joined", "A1", "B1", "over"]);
    let since = log.events(game(1), 2, 2).await.unwrap();
    let since: Vec<_> = since.iter().map(|event| (event.sequence, &*event.body)).collect();
    assert_eq!(since, [(3, "A1"), (4, "B1")]);
    let event = log.events(game(1), 2, 1).await.unwrap().remove(0);
    assert_eq!(event.at, 1002);
    assert_eq!(
        event.key,
        Some(CommandKey { sender: IdentityId(7), key: IdempotencyKey::new("first").unwrap() })
    );
    assert_eq!(log.events(game(1), 5, 10).await.unwrap(), []);
    assert_eq!(log.events(game(1), u64::MAX, 10).await.unwrap(), []);
    assert_eq!(log.events(game(9), 0, 10).await.unwrap(), []);

    let sequences = log.sequences(&[game(1), game(2), game(9)]).await.unwrap();
    assert_eq!(sequences, [(game(1), 5), (game(2), 1)].into());
    assert_eq!(log.sequences(&[]).await.unwrap(), [].into());
}

async fn stale_appends_get_the_current_sequence(database: TestDatabase) {
    let log = &*database.log;
    append(log, after(game(1), 0, &["created", "joined"])).await.unwrap();
    for expected in [0, 1, 3, 1000] {
        let refused = append(log, after(game(1), expected, &["A1", "B1"])).await;
        assert!(matches!(refused, Err(AppendError::Conflict { sequence: 2 })), "{refused:?}");
    }
    let refused = append(log, after(game(2), 1, &["A1"])).await;
    assert!(matches!(refused, Err(AppendError::Conflict { sequence: 0 })), "{refused:?}");
    assert_eq!(bodies(&database, game(1)).await, ["created", "joined"]);
}

async fn repeated_commands_take_effect_once(database: TestDatabase) {
    let log = &*database.log;
    append(log, after(game(1), 0, &["created"])).await.unwrap();
    let command = with_key(after(game(1), 1, &["A1", "over"]), 7, "k");
    assert_eq!(append(log, command.clone()).await.unwrap(), at(2, 3));
    let again = Appended { first: 2, last: 3, repeated: true };
    assert_eq!(append(log, command.clone()).await.unwrap(), again);
    append(log, after(game(1), 3, &["rematch"])).await.unwrap();
    // Whatever the sender has seen meanwhile.
    for expected in [0, 3, 4, 99] {
        let command = with_key(after(game(1), expected, &["A1"]), 7, "k");
        assert_eq!(append(log, command).await.unwrap(), again);
    }
    assert_eq!(bodies(&database, game(1)).await, ["created", "A1", "over", "rematch"]);
}

async fn keys_are_scoped_to_sender_and_game(database: TestDatabase) {
    let log = &*database.log;
    append(log, with_key(after(game(1), 0, &["created"]), 7, "k")).await.unwrap();
    assert_eq!(append(log, with_key(after(game(1), 1, &["a"]), 8, "k")).await.unwrap(), at(2, 2));
    assert_eq!(append(log, with_key(after(game(1), 2, &["b"]), 7, "K")).await.unwrap(), at(3, 3));
    append(log, with_key(after(game(2), 0, &["created"]), 7, "another")).await.unwrap();
    assert_eq!(append(log, with_key(after(game(2), 1, &["c"]), 7, "k")).await.unwrap(), at(2, 2));
}

async fn conflicts_spare_the_rest_of_the_batch(database: TestDatabase) {
    let log = &*database.log;
    for number in 1..=3 {
        let made = after(game(number), 0, &["created"]);
        append(log, with_key(made, 7, &number.to_string())).await.unwrap();
    }
    let answers = append_all(
        log,
        [
            after(game(1), 1, &["A1"]),
            after(game(2), 0, &["too late"]),
            with_key(after(game(3), 1, &["repeated"]), 7, "3"),
            after(game(4), 0, &["created", "joined"]),
        ],
    )
    .await;
    assert_eq!(*answers[0].as_ref().unwrap(), at(2, 2));
    assert!(matches!(answers[1], Err(AppendError::Conflict { sequence: 1 })), "{answers:?}");
    let repeated = Appended { first: 1, last: 1, repeated: true };
    assert_eq!(*answers[2].as_ref().unwrap(), repeated);
    assert_eq!(*answers[3].as_ref().unwrap(), at(1, 2));
    assert_eq!(bodies(&database, game(1)).await, ["created", "A1"]);
    assert_eq!(bodies(&database, game(2)).await, ["created"]);
    assert_eq!(bodies(&database, game(3)).await, ["created"]);
    assert_eq!(bodies(&database, game(4)).await, ["created", "joined"]);
}

/// Appends with a fresh key skip the search for it, and still find conflicts.
async fn fresh_appends_still_conflict(database: TestDatabase) {
    let fresh = |append: Append| Append { key_is_fresh: true, ..append };
    let log = &*database.log;
    for number in [1, 2] {
        let made = fresh(after(game(number), 0, &["created", "joined"]));
        assert_eq!(append(log, made).await.unwrap(), at(1, 2));
    }
    let command = fresh(with_key(after(game(1), 2, &["A1", "over"]), 7, "k"));
    assert_eq!(append(log, command.clone()).await.unwrap(), at(3, 4));
    let answers = append_all(
        log,
        [
            fresh(with_key(after(game(1), 2, &["B2"]), 8, "k")),
            fresh(after(game(2), 2, &["A1"])),
            fresh(after(game(3), 0, &["created"])),
            fresh(after(game(4), 1, &["of a game that is not there"])),
        ],
    )
    .await;
    assert!(matches!(answers[0], Err(AppendError::Conflict { sequence: 4 })), "{answers:?}");
    assert!(matches!(answers[3], Err(AppendError::Conflict { sequence: 0 })), "{answers:?}");
    assert_eq!(*answers[1].as_ref().unwrap(), at(3, 3));
    assert_eq!(*answers[2].as_ref().unwrap(), at(1, 1));
    let again = Appended { first: 3, last: 4, repeated: true };
    assert_eq!(append(log, command).await.unwrap(), again, "sent again by the writer");
    assert_eq!(bodies(&database, game(1)).await, ["created", "joined", "A1", "over"]);
    assert_eq!(bodies(&database, game(2)).await, ["created", "joined", "A1"]);
}

/// A command creates one game, whichever servers receive it.
async fn a_command_creates_one_game(database: TestDatabase) {
    let log = &*database.log;
    let make = |number| with_key(after(game(number), 0, &["created"]), 7, "make");
    assert_eq!(append(log, make(1)).await.unwrap(), at(1, 1));
    let answers = append_all(log, [make(2), after(game(3), 0, &["created"])]).await;
    let made =
        matches!(answers[0], Err(AppendError::AlreadyCreated { game: first }) if first == game(1));
    assert!(made, "{answers:?}");
    assert_eq!(*answers[1].as_ref().unwrap(), at(1, 1));
    assert_eq!(bodies(&database, game(2)).await, [""; 0]);
    let of_another = with_key(after(game(4), 0, &["created"]), 8, "make");
    assert_eq!(append(log, of_another).await.unwrap(), at(1, 1));
    // Repeated in its own game.
    let again = Appended { first: 1, last: 1, repeated: true };
    assert_eq!(append(log, make(1)).await.unwrap(), again);
    // The number of the refused game belongs to another one now.
    let moved = Append { key_is_fresh: true, ..after(game(2), 1, &["A1"]) };
    let answer = append(log, moved).await;
    assert!(matches!(answer, Err(AppendError::Conflict { sequence: 0 })), "{answer:?}");
    assert_eq!(bodies(&database, game(3)).await, ["created"]);
}

async fn any_text_reads_back(database: TestDatabase) {
    let texts = ["", "\"}]", "'; DROP TABLE events; --", "🛑 \u{202e}x\n\t\\", &"x".repeat(20_000)];
    append(&*database.log, after(game(1), 0, &texts)).await.unwrap();
    assert_eq!(bodies(&database, game(1)).await, texts);
    append(&*database.log, with_key(after(game(1), 5, &["a"]), 1, "'; -- \"}")).await.unwrap();
    let events = database.log.events(game(1), 5, 1).await.unwrap();
    assert_eq!(events[0].key.as_ref().unwrap().key.as_str(), "'; -- \"}");
}

#[test]
fn invalid_appends_are_refused() {
    let mut batch = Batch::default();
    batch.push(after(game(1), 0, &["created"])).unwrap();
    let malformed = [
        (after(game(2), 0, &[]), "an append needs at least one event"),
        (
            Append { listing: None, ..after(game(2), 0, &["x"]) },
            "an append needs a listing to create a game",
        ),
        (after(game(1), 1, &["x"]), "an append needs a batch without another append to its game"),
        (
            after(game(2), 0, &["x\0"]),
            "an append needs texts without NUL characters, which PostgreSQL can't store",
        ),
        (after(game(2), u64::MAX, &["x"]), "an append needs a sequence number below 2^63"),
    ];
    for (append, sentence) in malformed {
        assert_eq!(batch.push(append).unwrap_err().to_string(), sentence);
    }
    assert_eq!((batch.appends().len(), batch.events()), (1, 1));
}

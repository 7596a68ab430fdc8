//! Folding finished games, and removing what is no longer needed.

use noughts_store::{
    Append, AppendError, GameId, GamePhase, GameQuery, IdentityId, IdentityKind, Listing,
    StoredText, TokenCutoffs, TokenHash, TokenKind, UniqueName,
};

use crate::test_database::TestDatabase;
use crate::{after, append, at, bodies, game, listing, on_every_database, with_key};

on_every_database!(
    folded_games_read_as_before,
    folded_games_go_on,
    folding_forgets_idempotency_keys,
    texts_of_folded_events_are_replaced,
    only_old_finished_games_are_folded,
    only_old_games_without_result_are_removed,
    only_unused_guests_without_games_are_removed,
    revoked_and_expired_tokens_are_removed,
);

/// After all events of these tests, and before all of them.
const LATER: i64 = 1_700_000_100_000;
const EARLIER: i64 = 500;

const ALL: GameQuery = GameQuery {
    phase: None,
    player: None,
    public_only: false,
    rules: None,
    before: None,
    limit: 100,
};

/// Appends 40 events to a new game, of which the last ends it.
async fn play(database: &TestDatabase, game: GameId, end: &Listing) {
    append(&*database.log, with_key(after(game, 0, &["created"]), 7, "create")).await.unwrap();
    for sequence in 1..39 {
        let move_made = after(game, sequence, &[&format!("move {sequence}, ä\"")]);
        append(&*database.log, with_key(move_made, 7, &format!("k{sequence}"))).await.unwrap();
    }
    let listing = Some(Box::new(end.clone()));
    append(&*database.log, Append { listing, ..after(game, 39, &["over"]) }).await.unwrap();
}

fn finished() -> Listing {
    listing(GamePhase::Finished, &[Some(1), Some(2)])
}

async fn folded_games_read_as_before(database: TestDatabase) {
    let log = &*database.log;
    play(&database, game(1), &finished()).await;
    append(log, after(game(2), 0, &["created"])).await.unwrap();
    let read = async || {
        let mut pages = Vec::new();
        for (since, limit) in [(0, 100), (0, 7), (3, 10), (35, 10), (39, 1), (40, 1), (50, 1)] {
            let page = log.events(game(1), since, limit).await.unwrap().into_iter();
            pages
                .push(page.map(|event| (event.sequence, event.at, event.body)).collect::<Vec<_>>());
        }
        let listed = (log.game(game(1)).await.unwrap(), log.games(&ALL).await.unwrap());
        let sequences = log.sequences(&[game(1), game(2)]).await.unwrap();
        (pages, listed, sequences, log.due(i64::MAX, None, 10).await.unwrap())
    };
    let before = read().await;
    assert_eq!(before.0.iter().map(Vec::len).collect::<Vec<_>>(), [40, 7, 10, 5, 1, 0, 0]);
    assert_eq!(database.store.fold_games(LATER, 10).await.unwrap(), 1);
    assert_eq!(read().await, before);
    assert_eq!(database.store.fold_games(LATER, 10).await.unwrap(), 0, "it is folded");
}

async fn folded_games_go_on(database: TestDatabase) {
    let log = &*database.log;
    play(&database, game(1), &finished()).await;
    database.store.fold_games(LATER, 10).await.unwrap();
    let stale = append(log, after(game(1), 39, &["too late"])).await;
    assert!(matches!(stale, Err(AppendError::Conflict { sequence: 40 })), "{stale:?}");
    assert_eq!(append(log, after(game(1), 40, &["rematch"])).await.unwrap(), at(41, 41));
    let all = bodies(&database, game(1)).await;
    assert_eq!((all.len(), &*all[39], &*all[40]), (41, "over", "rematch"));
    let page = log.events(game(1), 38, 2).await.unwrap();
    assert_eq!(page.iter().map(|event| event.sequence).collect::<Vec<_>>(), [39, 40]);
    assert_eq!(log.game(game(1)).await.unwrap().unwrap().sequence, 41);
}

async fn folding_forgets_idempotency_keys(database: TestDatabase) {
    let log = &*database.log;
    play(&database, game(1), &finished()).await;
    let again = || with_key(after(game(9), 0, &["created"]), 7, "create");
    let refused = append(log, again()).await;
    assert!(
        matches!(refused, Err(AppendError::AlreadyCreated { game: first }) if first == game(1)),
        "{refused:?}"
    );
    database.store.fold_games(LATER, 10).await.unwrap();
    assert!(log.events(game(1), 0, 100).await.unwrap().iter().all(|event| event.key.is_none()));
    assert_eq!(append(log, again()).await.unwrap(), at(1, 1));
}

async fn texts_of_folded_events_are_replaced(database: TestDatabase) {
    play(&database, game(1), &finished()).await;
    database.store.fold_games(LATER, 10).await.unwrap();
    let texts = [
        (StoredText::Event(1), "created".into(), "renamed".into()),
        (StoredText::Event(2), "another text".into(), "renamed".into()),
        (StoredText::Event(40), "over".into(), "the end".into()),
    ];
    assert_eq!(database.store.replace_texts(game(1), &texts).await.unwrap(), 2);
    let bodies = bodies(&database, game(1)).await;
    assert_eq!((&*bodies[0], &*bodies[1], &*bodies[39]), ("renamed", "move 1, ä\"", "the end"));
}

async fn only_old_finished_games_are_folded(database: TestDatabase) {
    let aborted = Listing { aborted: true, ..finished() };
    play(&database, game(1), &aborted).await;
    append(&*database.log, after(game(2), 0, &["created", "move"])).await.unwrap();
    assert_eq!(database.store.fold_games(LATER, 10).await.unwrap(), 0);
    let end = Some(Box::new(finished()));
    let over = Append { listing: end, at: LATER, ..after(game(2), 2, &["over"]) };
    append(&*database.log, over).await.unwrap();
    assert_eq!(database.store.fold_games(LATER, 10).await.unwrap(), 0, "it ended just now");
    assert_eq!(database.store.fold_games(LATER + 1, 10).await.unwrap(), 1);
    assert_eq!(bodies(&database, game(2)).await, ["created", "move", "over"]);
}

async fn only_old_games_without_result_are_removed(database: TestDatabase) {
    let (log, store) = (&*database.log, &database.store);
    play(&database, game(1), &Listing { aborted: true, ..finished() }).await;
    let other = with_key(after(game(2), 0, &["created"]), 7, "other");
    append(log, Append { listing: Some(Box::new(finished())), ..other }).await.unwrap();
    append(log, after(game(3), 0, &["created"])).await.unwrap();
    assert_eq!(store.remove_aborted_games(EARLIER, 10).await.unwrap(), 0);
    assert_eq!(store.remove_aborted_games(LATER, 10).await.unwrap(), 1);
    assert_eq!(log.game(game(1)).await.unwrap(), None);
    assert_eq!(log.events(game(1), 0, 100).await.unwrap(), []);
    let listed = log.games(&GameQuery { player: Some(IdentityId(1)), ..ALL }).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.game).collect::<Vec<_>>(), [game(3), game(2)]);
    assert_eq!(bodies(&database, game(2)).await, ["created"]);
    // Its key is free again.
    let again = with_key(after(game(4), 0, &["created"]), 7, "create");
    assert_eq!(append(log, again).await.unwrap(), at(1, 1));
}

async fn guest(database: &TestDatabase, number: u8, at: i64) -> IdentityId {
    let name = format!("guest {number}");
    let name = UniqueName { case_skeleton: name.clone(), written_skeleton: name.clone(), name };
    let store = &database.store;
    let guest = store.create_identity(IdentityKind::Guest, &name, None, at).await.unwrap();
    let hash = TokenHash([number; 32]);
    store.create_token(hash, guest.id, TokenKind::Session, "session", at).await.unwrap();
    guest.id
}

async fn only_unused_guests_without_games_are_removed(database: TestDatabase) {
    let store = &database.store;
    let unused = guest(&database, 1, 100).await;
    let recent = guest(&database, 2, 900).await;
    let player = guest(&database, 3, 100).await;
    let returned = guest(&database, 4, 100).await;
    store.record_token_use(&[TokenHash([4; 32])], 900).await.unwrap();
    let seats = Box::new(listing(GamePhase::Finished, &[Some(player.0), None]));
    let played = Append { listing: Some(seats), ..after(game(1), 0, &["created"]) };
    append(&*database.log, played).await.unwrap();
    assert_eq!(store.remove_unused_guests(500, 10).await.unwrap(), 1);
    assert_eq!(store.identity(unused).await.unwrap(), None);
    assert_eq!(store.authenticate(TokenHash([1; 32])).await.unwrap(), None);
    for other in [recent, player, returned] {
        assert!(store.identity(other).await.unwrap().is_some());
    }
    assert_eq!(store.remove_unused_guests(500, 10).await.unwrap(), 0);
}

async fn revoked_and_expired_tokens_are_removed(database: TestDatabase) {
    let store = &database.store;
    let guest = guest(&database, 1, 100).await;
    for (number, kind) in [(2, TokenKind::Bot), (3, TokenKind::Session), (4, TokenKind::Session)] {
        store.create_token(TokenHash([number; 32]), guest, kind, "token", 100).await.unwrap();
    }
    store.record_token_use(&[TokenHash([3; 32])], 900).await.unwrap();
    store.revoke_token(guest, TokenHash([4; 32]), 600).await.unwrap();
    let cutoffs = |revoked, guests| TokenCutoffs { revoked, accounts: 1000, guests };
    assert_eq!(store.remove_tokens(cutoffs(500, 50), 10).await.unwrap(), 0);
    // The revoked token, and the session that nobody uses.
    assert_eq!(store.remove_tokens(cutoffs(700, 500), 10).await.unwrap(), 2);
    let left: Vec<_> = store.tokens(guest).await.unwrap().iter().map(|token| token.hash).collect();
    assert_eq!(left, [2, 3].map(|number| TokenHash([number; 32])), "a bot's, and one in use");
}

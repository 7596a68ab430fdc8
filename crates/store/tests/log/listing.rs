//! Lists of games, and due games.

use noughts_store::{Append, DueGame, GameId, GamePhase, GameQuery, IdentityId, Listing};

use crate::test_database::TestDatabase;
use crate::{after, append, append_all, game, listing, on_every_log};

on_every_log!(
    a_game_is_listed_as_it_last_was,
    lists_filter_and_paginate,
    due_games_come_most_urgent_first
);

const ALL: GameQuery = GameQuery {
    phase: None,
    player: None,
    public_only: false,
    rules: None,
    before: None,
    limit: 100,
};

async fn keys(database: &TestDatabase, query: GameQuery) -> Vec<GameId> {
    let games = database.log.games(&query).await.unwrap();
    games.into_iter().map(|listed| listed.game).collect()
}

async fn a_game_is_listed_as_it_last_was(database: TestDatabase) {
    let log = &*database.log;
    let open = Listing {
        public: false,
        rules: "15x15:5".into(),
        league: Some("gomoku".into()),
        rated: true,
        detail: "{\"clock\":300}".into(),
        ..listing(GamePhase::Open, &[Some(7), None])
    };
    let created =
        Append { listing: Some(Box::new(open.clone())), due: Some(9), ..after(game(1), 0, &["c"]) };
    append(log, created).await.unwrap();
    let listed = log.game(game(1)).await.unwrap().unwrap();
    assert_eq!((listed.game, &listed.listing), (game(1), &open));
    assert_eq!((listed.sequence, listed.at, listed.due), (1, 1000, Some(9)));

    let live = listing(GamePhase::Live, &[Some(7), Some(8)]);
    let joined = Append {
        listing: Some(Box::new(live.clone())),
        ..after(game(1), 1, &["joined", "started"])
    };
    append(log, joined).await.unwrap();
    append(log, Append { due: Some(77), ..after(game(1), 3, &["A1"]) }).await.unwrap();
    let listed = log.game(game(1)).await.unwrap().unwrap();
    assert_eq!((listed.listing, listed.sequence), (live, 4));
    assert_eq!((listed.at, listed.due), (1003, Some(77)));
    assert_eq!(log.game(game(2)).await.unwrap(), None);

    // A refused append does not change the list.
    let over = Append {
        listing: Some(Box::new(listing(GamePhase::Finished, &[Some(7), Some(8)]))),
        ..after(game(1), 3, &["over"])
    };
    append(log, over).await.unwrap_err();
    assert_eq!(log.game(game(1)).await.unwrap().unwrap().listing.phase, GamePhase::Live);
}

async fn lists_filter_and_paginate(database: TestDatabase) {
    let states = [GamePhase::Open, GamePhase::Live, GamePhase::Finished];
    let appends = (0..12).map(|number| {
        let mut listing =
            listing(states[usize::from(number) % 3], &[Some(1), Some(10 + i64::from(number) % 2)]);
        listing.public = number != 3;
        if number >= 6 {
            listing.rules = "6x7:4+gravity".into();
        }
        Append { listing: Some(Box::new(listing)), ..after(game(number), 0, &["created"]) }
    });
    append_all(&*database.log, appends).await;

    let numbers = |games: &[u8]| games.iter().map(|&number| game(number)).collect::<Vec<_>>();
    let youngest_first = numbers(&[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(keys(&database, ALL).await, youngest_first);
    let open = GameQuery { phase: Some(GamePhase::Open), ..ALL };
    assert_eq!(keys(&database, open.clone()).await, numbers(&[9, 6, 3, 0]));
    assert_eq!(
        keys(&database, GameQuery { public_only: true, ..open.clone() }).await,
        numbers(&[9, 6, 0])
    );
    let gravity = Some("6x7:4+gravity".to_string());
    assert_eq!(
        keys(&database, GameQuery { rules: gravity.clone(), ..open }).await,
        numbers(&[9, 6])
    );

    let page = GameQuery { phase: Some(GamePhase::Live), limit: 2, ..ALL };
    assert_eq!(keys(&database, page.clone()).await, numbers(&[10, 7]));
    let next = GameQuery { before: Some(game(7)), ..page };
    assert_eq!(keys(&database, next.clone()).await, numbers(&[4, 1]));
    assert_eq!(keys(&database, GameQuery { before: Some(game(1)), ..next }).await, []);

    let mine = GameQuery { player: Some(IdentityId(11)), ..ALL };
    assert_eq!(keys(&database, mine.clone()).await, numbers(&[11, 9, 7, 5, 3, 1]));
    let both = GameQuery { phase: Some(GamePhase::Finished), rules: gravity, ..mine.clone() };
    assert_eq!(keys(&database, both).await, numbers(&[11]));
    assert_eq!(
        keys(&database, GameQuery { before: Some(game(5)), ..mine.clone() }).await,
        numbers(&[3, 1])
    );
    assert_eq!(keys(&database, GameQuery { player: Some(IdentityId(99)), ..ALL }).await, []);

    // A player who left a seat is not in the game any more.
    let left = Append {
        listing: Some(Box::new(listing(GamePhase::Open, &[Some(1), None]))),
        ..after(game(9), 1, &["left"])
    };
    append(&*database.log, left).await.unwrap();
    assert_eq!(keys(&database, mine).await, numbers(&[11, 7, 5, 3, 1]));
}

async fn due_games_come_most_urgent_first(database: TestDatabase) {
    let due = |number, due, phase| Append {
        due,
        listing: Some(Box::new(listing(phase, &[Some(1)]))),
        ..after(game(number), 0, &["created"])
    };
    let appends = [
        due(1, Some(300), GamePhase::Live),
        due(2, Some(100), GamePhase::Open),
        due(3, None, GamePhase::Live),
        due(4, Some(50), GamePhase::Finished),
        due(5, Some(200), GamePhase::Live),
    ];
    append_all(&*database.log, appends).await;
    // A later event replaces the due time.
    append(&*database.log, Append { due: Some(900), ..after(game(5), 1, &["A1"]) }).await.unwrap();
    let expect = |number, due| DueGame { game: game(number), due };
    assert_eq!(database.log.due(300, None, 10).await.unwrap(), [expect(2, 100), expect(1, 300)]);
    assert_eq!(database.log.due(300, None, 1).await.unwrap(), [expect(2, 100)]);
    let after = Some(expect(2, 100));
    assert_eq!(database.log.due(300, after, 10).await.unwrap(), [expect(1, 300)]);
    assert_eq!(database.log.due(i64::MAX, None, 10).await.unwrap().len(), 3);
    assert_eq!(database.log.due(99, None, 10).await.unwrap(), []);
}

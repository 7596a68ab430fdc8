//! Results of online games, and the leagues they count in.

use noughts_rules::{Game, Rules, Seat};
use noughts_scores::{Outcome, Standing, System};
use noughts_store::{
    Append, AppendError, GamePhase, IdentityId, IdentityKind, LeagueChoice, LeagueResult, Notice,
    Notices, ResultPlayer, Standings, UniqueName, Writer,
};

use crate::test_database::TestDatabase;
use crate::{after, append, bodies, game, listing, on_every_database};

on_every_database!(
    results_are_stored_with_the_final_event,
    invalid_results_refuse_their_events,
    ratings_survive_the_upgrade_to_an_account,
    standings_follow_results_and_retractions,
    servers_agree_on_result_order,
);

const RECORD: &str = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins";

pub(crate) fn online() -> LeagueChoice {
    LeagueChoice { name: "classic".into(), system: System::Elo }
}

pub(crate) fn over(number: u8, expected: u64, players: &[(IdentityId, &str)]) -> Append {
    let player = |&(identity, name): &(IdentityId, &str)| ResultPlayer {
        identity,
        name: name.into(),
        is_provisional: false,
    };
    Append {
        listing: Some(Box::new(listing(GamePhase::Finished, &[Some(1), Some(2)]))),
        result: Some(Box::new(LeagueResult {
            league: online(),
            players: players.iter().map(player).collect(),
            outcome: Outcome::Won { seat: 0 },
            record: RECORD.into(),
        })),
        ..after(game(number), expected, &["A3", "over"])
    }
}

pub(crate) async fn guest(database: &TestDatabase, name: &str) -> IdentityId {
    identity(database, IdentityKind::Guest, name).await
}

pub(crate) async fn account(database: &TestDatabase, name: &str) -> IdentityId {
    identity(database, IdentityKind::Account, name).await
}

async fn identity(database: &TestDatabase, kind: IdentityKind, name: &str) -> IdentityId {
    let name = UniqueName {
        name: name.into(),
        case_skeleton: name.to_lowercase(),
        written_skeleton: name.to_lowercase(),
    };
    database.store.create_identity(kind, &name, None, 0).await.unwrap().id
}

async fn table(database: &TestDatabase) -> Vec<(usize, String, i64)> {
    let league = database.store.league("classic").await.unwrap().unwrap();
    league.top(10).map(|s| (s.rank, s.player.to_string(), s.rating.shown)).collect()
}

fn rows(rows: &[(usize, &str, i64)]) -> Vec<(usize, String, i64)> {
    rows.iter().map(|&(rank, name, rating)| (rank, name.to_string(), rating)).collect()
}

async fn results_are_stored_with_the_final_event(database: TestDatabase) {
    let (ann, bob) = (account(&database, "Ann").await, account(&database, "Bob").await);
    let writer = Writer::start(database.log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    let ended = over(1, 1, &[(ann, "Ann"), (bob, "Bob")]);
    writer.append(ended.clone()).await.unwrap();
    assert_eq!(table(&database).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));
    // A refused append has no result.
    assert!(matches!(writer.append(ended).await, Err(AppendError::Conflict { sequence: 3 })));
    assert_eq!(table(&database).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));

    let stored = database.store.games(Some("classic"), 9).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].game.to_string(), RECORD);
    let result = stored[0].result.clone().unwrap();
    database.store.retract(result.id, 5).await.unwrap();
    assert_eq!(table(&database).await, []);
}

async fn invalid_results_refuse_their_events(database: TestDatabase) {
    let (ann, bob) = (account(&database, "Ann").await, account(&database, "Bob").await);
    let log = &*database.log;
    let mut at_the_terminal = Game::with_default_players(&Rules::classic());
    at_the_terminal.resign(Seat::FIRST).unwrap();
    database.store.record(&at_the_terminal, 0, Some(&LeagueChoice::default())).await.unwrap();
    // A league without results takes either kind of game.
    database.store.create_league(&online()).await.unwrap();
    append(log, after(game(1), 0, &["created"])).await.unwrap();
    let refuse = async |ended: Append, sentence: &str| {
        let refused = append(log, ended).await.unwrap_err();
        assert_eq!(refused.to_string(), format!("the game can't be rated: {sentence}"));
    };
    let local = LeagueResult {
        league: LeagueChoice::default(),
        ..over(1, 1, &[(ann, "Ann"), (bob, "Bob")]).result.as_deref().cloned().unwrap()
    };
    refuse(
        Append { result: Some(Box::new(local)), ..after(game(1), 1, &["over"]) },
        "the league local is for terminal games: online games don't count in it",
    )
    .await;
    refuse(over(1, 1, &[(ann, "Ann"), (ann, "Ann")]), "\"1\" has both seat 0 and seat 1").await;
    refuse(
        over(1, 1, &[(ann, "Ann"), (bob, "Bob"), (IdentityId(3), "Cy")]),
        "elo rates games of 2 players, this one had 3; try weng-lin",
    )
    .await;
    assert_eq!(bodies(&database, game(1)).await, ["created"]);
    assert_eq!(log.game(game(1)).await.unwrap().unwrap().listing.phase, GamePhase::Live);

    append(log, over(1, 1, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    let refused = database.store.record(&at_the_terminal, 0, Some(&online())).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the league classic is for online games: terminal games don't count in it"
    );
}

async fn ratings_survive_the_upgrade_to_an_account(database: TestDatabase) {
    let (guest_id, bob) = (guest(&database, "Guest 7Q2M").await, account(&database, "Bob").await);
    append(&*database.log, over(1, 0, &[(guest_id, "Guest 7Q2M"), (bob, "Bob")])).await.unwrap();
    let name = UniqueName {
        name: "Zoë".into(),
        case_skeleton: "zoe".into(),
        written_skeleton: "zoe".into(),
    };
    database.store.upgrade_guest(guest_id, &name, "hash", 0).await.unwrap();
    append(&*database.log, over(2, 0, &[(guest_id, "Zoë"), (bob, "Bob")])).await.unwrap();
    assert_eq!(table(&database).await, rows(&[(1, "Zoë", 1531), (2, "Bob", 1469)]));
}

/// The league as one server sees it, with exact ratings.
fn seen(standings: &Standings) -> Vec<(usize, IdentityId, String)> {
    let row =
        |s: Standing<'_, IdentityId>| (s.rank, *s.player, format!("{:?} {:?}", s.rating, s.record));
    standings.read("classic", |league| league.top(100).map(row).collect()).unwrap()
}

async fn standings_follow_results_and_retractions(database: TestDatabase) {
    let (ann, bob) = (account(&database, "Ann").await, account(&database, "Bob").await);
    let standings = Standings::load(&database.store).await.unwrap();
    assert_eq!(standings.leagues(), []);
    standings.refresh("classic").await.unwrap();
    assert!(standings.read("classic", |_| ()).is_none());

    let notices = Notices::local();
    let writer = Writer::start_with_notices(database.log.clone(), notices.clone());
    let mut subscription = notices.subscribe();
    writer.append(over(1, 0, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    assert_eq!(subscription.next().await, Some(Notice::League { name: "classic".into() }));
    standings.refresh("classic").await.unwrap();
    assert_eq!(standings.leagues(), [("classic".to_string(), System::Elo)]);
    let rating = |id: IdentityId| {
        standings.read("classic", |league| league.standing(&id).unwrap().rating.shown).unwrap()
    };
    assert_eq!((rating(ann), rating(bob)), (1516, 1484));

    writer.append(over(2, 0, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    standings.refresh_all().await.unwrap();
    assert_eq!((rating(ann), rating(bob)), (1531, 1469));
    let first = database.store.games(Some("classic"), 9).await.unwrap().remove(1);
    database.store.retract(first.result.unwrap().id, 9).await.unwrap();
    standings.refresh("classic").await.unwrap();
    assert_eq!((rating(ann), rating(bob)), (1516, 1484));
    assert_eq!(seen(&standings), seen(&Standings::load(&database.store).await.unwrap()));
}

/// Two servers end games of the same players at the same time, and read results meanwhile. All see the
/// same order, without gaps.
async fn servers_agree_on_result_order(database: TestDatabase) {
    const GAMES: u8 = 40;
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cy", "Dan", "Eve"] {
        players.push((account(&database, name).await, name));
    }
    let stores = [database.store.clone(), database.connect_again().await];
    let mut servers = Vec::new();
    for (number, store) in (0..).zip(stores) {
        let players = players.clone();
        servers.push(tokio::spawn(async move {
            let standings = Standings::load(&store).await.unwrap();
            let writer = Writer::start(store.log());
            let mut ending = tokio::task::JoinSet::new();
            for round in 0..GAMES {
                let winner = players[usize::from(round) % 5];
                let loser = players[(usize::from(round) + 1 + number) % 5];
                let ended = over(round + GAMES * number as u8, 0, &[winner, loser]);
                let writer = writer.clone();
                ending.spawn(async move { writer.append(ended).await.unwrap() });
                if round % 4 == 0 {
                    ending.join_next().await.unwrap().unwrap();
                    standings.refresh("classic").await.unwrap();
                }
            }
            ending.join_all().await;
            standings
        }));
    }
    let mut finished = Vec::new();
    for server in servers {
        finished.push(server.await.unwrap());
    }
    let mut tables = Vec::new();
    for standings in finished {
        standings.refresh("classic").await.unwrap();
        tables.push(seen(&standings));
    }
    let fresh = Standings::load(&database.store).await.unwrap();
    let games = fresh.read("classic", |league| {
        league.top(9).map(|standing| standing.record.games()).sum::<u32>()
    });
    assert_eq!(games, Some(4 * u32::from(GAMES)));
    assert_eq!(tables, [seen(&fresh), seen(&fresh)]);
}

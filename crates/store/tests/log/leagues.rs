//! Results are written with the events that end a game.

use noughts_rules::{Game, Rules, Seat};
use noughts_scores::{Outcome, Standing, System};
use noughts_store::{
    Append, AppendError, GamePhase, IdentityId, IdentityKind, LeagueChoice, LeagueResult, Notice,
    Notices, ResultPlayer, Standings, UniqueName, Writer,
};

use crate::places::Place;
use crate::{after, append, bodies, game, listing, on_every_log};

on_every_log!(
    a_result_counts_with_the_event_that_ends_the_game,
    what_cannot_count_is_refused_with_its_events,
    ratings_follow_an_identity_to_its_account,
    standings_keep_up_with_results_and_retractions,
    servers_agree_on_the_order_of_results,
);

const RECORD: &str = "rules 3x3\nplayer X Ann\nplayer O Bob\nmoves A1 B1 A2 B2 A3\nresult X wins";

pub(crate) fn online() -> LeagueChoice {
    LeagueChoice { name: "online".into(), system: System::Elo }
}

pub(crate) fn over(number: u8, expected: u64, players: &[(IdentityId, &str)]) -> Append {
    let player =
        |&(identity, name): &(IdentityId, &str)| ResultPlayer { identity, name: name.into() };
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

pub(crate) async fn guest(place: &Place, name: &str) -> IdentityId {
    let name = UniqueName {
        name: name.into(),
        case_skeleton: name.to_lowercase(),
        written_skeleton: name.to_lowercase(),
    };
    place.store.create_identity(IdentityKind::Guest, &name, None, 0).await.unwrap().id
}

async fn table(place: &Place) -> Vec<(usize, String, i64)> {
    let league = place.store.league("online").await.unwrap().unwrap();
    league.top(10).map(|s| (s.rank, s.player.to_string(), s.rating.shown)).collect()
}

fn rows(rows: &[(usize, &str, i64)]) -> Vec<(usize, String, i64)> {
    rows.iter().map(|&(rank, name, rating)| (rank, name.to_string(), rating)).collect()
}

async fn a_result_counts_with_the_event_that_ends_the_game(place: Place) {
    let (ann, bob) = (guest(&place, "Ann").await, guest(&place, "Bob").await);
    let writer = Writer::start(place.log.clone());
    writer.append(after(game(1), 0, &["created"])).await.unwrap();
    let ended = over(1, 1, &[(ann, "Ann"), (bob, "Bob")]);
    writer.append(ended.clone()).await.unwrap();
    assert_eq!(table(&place).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));
    // A refused end does not count.
    assert!(matches!(writer.append(ended).await, Err(AppendError::Conflict { sequence: 3 })));
    assert_eq!(table(&place).await, rows(&[(1, "Ann", 1516), (2, "Bob", 1484)]));

    let stored = place.store.games(Some("online"), 9).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].game.to_string(), RECORD);
    let result = stored[0].result.clone().unwrap();
    place.store.retract(result.id, 5).await.unwrap();
    assert_eq!(table(&place).await, []);
}

async fn what_cannot_count_is_refused_with_its_events(place: Place) {
    let (ann, bob) = (guest(&place, "Ann").await, guest(&place, "Bob").await);
    let log = &*place.log;
    let mut at_the_terminal = Game::with_default_players(&Rules::classic());
    at_the_terminal.resign(Seat::FIRST).unwrap();
    place.store.record(&at_the_terminal, 0, Some(&LeagueChoice::default())).await.unwrap();
    // A league that was made and not used is anybody's.
    place.store.create_league(&online()).await.unwrap();
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
    assert_eq!(bodies(&place, game(1)).await, ["created"]);
    assert_eq!(log.game(game(1)).await.unwrap().unwrap().listing.phase, GamePhase::Live);

    append(log, over(1, 1, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    let refused = place.store.record(&at_the_terminal, 0, Some(&online())).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the league online is for online games: terminal games don't count in it"
    );
}

async fn ratings_follow_an_identity_to_its_account(place: Place) {
    let (guest_id, bob) = (guest(&place, "Guest 7Q2M").await, guest(&place, "Bob").await);
    append(&*place.log, over(1, 0, &[(guest_id, "Guest 7Q2M"), (bob, "Bob")])).await.unwrap();
    let name = UniqueName {
        name: "Zoë".into(),
        case_skeleton: "zoe".into(),
        written_skeleton: "zoe".into(),
    };
    place.store.upgrade_guest(guest_id, &name, "hash").await.unwrap();
    append(&*place.log, over(2, 0, &[(guest_id, "Zoë"), (bob, "Bob")])).await.unwrap();
    assert_eq!(table(&place).await, rows(&[(1, "Zoë", 1531), (2, "Bob", 1469)]));
}

/// Everybody in the league as one server sees it, ratings to the last digit.
fn seen(standings: &Standings) -> Vec<(usize, IdentityId, String)> {
    let row =
        |s: Standing<'_, IdentityId>| (s.rank, *s.player, format!("{:?} {:?}", s.rating, s.record));
    standings.read("online", |league| league.top(100).map(row).collect()).unwrap()
}

async fn standings_keep_up_with_results_and_retractions(place: Place) {
    let (ann, bob) = (guest(&place, "Ann").await, guest(&place, "Bob").await);
    let standings = Standings::load(&place.store).await.unwrap();
    assert_eq!(standings.leagues(), []);
    standings.refresh("online").await.unwrap();
    assert!(standings.read("online", |_| ()).is_none());

    let notices = Notices::local();
    let writer = Writer::start_with_notices(place.log.clone(), notices.clone());
    let mut heard = notices.subscribe();
    writer.append(over(1, 0, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    assert_eq!(heard.next().await, Some(Notice::League { name: "online".into() }));
    standings.refresh("online").await.unwrap();
    assert_eq!(standings.leagues(), [("online".to_string(), System::Elo)]);
    let rating = |id: IdentityId| {
        standings.read("online", |league| league.standing(&id).unwrap().rating.shown).unwrap()
    };
    assert_eq!((rating(ann), rating(bob)), (1516, 1484));

    writer.append(over(2, 0, &[(ann, "Ann"), (bob, "Bob")])).await.unwrap();
    standings.refresh_all().await.unwrap();
    assert_eq!((rating(ann), rating(bob)), (1531, 1469));
    let first = place.store.games(Some("online"), 9).await.unwrap().remove(1);
    place.store.retract(first.result.unwrap().id, 9).await.unwrap();
    standings.refresh("online").await.unwrap();
    assert_eq!((rating(ann), rating(bob)), (1516, 1484));
    assert_eq!(seen(&standings), seen(&Standings::load(&place.store).await.unwrap()));
}

/// Two servers end games of the same players at the same time, and read results all the while.
/// Whatever order the results got, all servers have the same, and none is passed over.
async fn servers_agree_on_the_order_of_results(place: Place) {
    const GAMES: u8 = 40;
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cy", "Dan", "Eve"] {
        players.push((guest(&place, name).await, name));
    }
    let stores = [place.store.clone(), place.second().await];
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
                    standings.refresh("online").await.unwrap();
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
        standings.refresh("online").await.unwrap();
        tables.push(seen(&standings));
    }
    let fresh = Standings::load(&place.store).await.unwrap();
    let games = fresh.read("online", |league| {
        league.top(9).map(|standing| standing.record.games()).sum::<u32>()
    });
    assert_eq!(games, Some(4 * u32::from(GAMES)));
    assert_eq!(tables, [seen(&fresh), seen(&fresh)]);
}

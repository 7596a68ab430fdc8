//! Leagues by example.

use noughts_scores::{
    GameResult, League, Name, Outcome, Record, Report, ReportError, ResultId, RetractError,
    Standing, System,
};

const DRAW: Outcome = Outcome::Draw;

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn won(seat: u8) -> Outcome {
    Outcome::Won { seat }
}

fn report(id: u64, players: &[&str], outcome: Outcome) -> Report<Name> {
    Report {
        id: ResultId(id),
        at: 100 * id as i64,
        result: GameResult::from_names(players.iter().copied(), outcome).unwrap(),
    }
}

/// A league with these results, which get the ids 1, 2, 3 and the times 100, 200, 300.
fn league(system: System, results: &[(&[&str], Outcome)]) -> League<Name> {
    let mut league = League::new(system);
    for (id, &(players, outcome)) in (1..).zip(results) {
        league.report(&report(id, players, outcome)).unwrap();
    }
    league
}

fn check_table(league: &League<Name>, expected: &[(usize, &str, i64)]) {
    let rows: Vec<_> =
        league.top(usize::MAX).map(|s| (s.rank, s.player.as_str(), s.rating.shown)).collect();
    assert_eq!(rows, expected);
}

#[test]
fn equal_ratings_share_a_rank() {
    let league = league(
        System::Wins,
        &[
            (&["Dan", "Cid"], won(1)),
            (&["Bob", "Ann"], won(0)),
            (&["Ann", "Dan"], won(0)),
            (&["Ann", "Dan"], won(0)),
        ],
    );
    check_table(&league, &[(1, "Ann", 2), (2, "Cid", 1), (2, "Bob", 1), (4, "Dan", 0)]);
}

#[test]
fn pages_are_counted_in_rows() {
    let league = league(
        System::Wins,
        &[
            (&["Ann", "Bob", "Cid", "Dan"], won(0)),
            (&["Bob", "Ann"], won(0)),
            (&["Cid", "Ann"], won(0)),
            (&["Ann", "Bob"], won(0)),
        ],
    );
    let page =
        |row| -> Vec<_> { league.page(row, 2).map(|s| (s.rank, s.player.as_str())).collect() };
    assert_eq!(page(1), [(1, "Ann"), (2, "Cid")]);
    assert_eq!(page(3), [(2, "Bob"), (4, "Dan")]);
    assert_eq!(page(5), []);
    assert_eq!(page(0), page(1));
}

#[test]
fn neighbours_follow_the_table() {
    let league = league(
        System::PlusMinus,
        &[
            (&["Ann", "Dan"], won(0)),
            (&["Ann", "Eve"], won(0)),
            (&["Bob", "Eve"], won(0)),
            (&["Cid", "Bob"], DRAW),
        ],
    );
    check_table(
        &league,
        &[(1, "Ann", 2), (2, "Bob", 1), (3, "Cid", 0), (4, "Dan", -1), (5, "Eve", -2)],
    );
    let names = |standings: &[Standing<'_, Name>]| -> Vec<String> {
        standings.iter().map(|s| s.player.to_string()).collect()
    };
    let cid = league.neighbours(&name("cid"), 2).unwrap();
    assert_eq!(names(&cid.above), ["Ann", "Bob"]);
    assert_eq!((cid.standing.rank, cid.standing.player.as_str()), (3, "Cid"));
    assert_eq!(names(&cid.below), ["Dan", "Eve"]);
    let ann = league.neighbours(&name("Ann"), 1).unwrap();
    assert_eq!(names(&ann.above), [""; 0]);
    assert_eq!(names(&ann.below), ["Bob"]);
    assert_eq!(league.neighbours(&name("Zoë"), 1), None);
}

#[test]
fn games_of_many_count_once_each() {
    let league = league(
        System::WengLin,
        &[(&["Ann", "Bob", "Cid"], won(1)), (&["Ann", "Bob", "Cid"], DRAW)],
    );
    let record = |player| league.standing(&name(player)).unwrap().record;
    let expected = |wins, losses| Record { wins, losses, draws: 1 };
    assert_eq!(record("Ann"), expected(0, 1));
    assert_eq!(record("Bob"), expected(1, 0));
    assert_eq!(record("Cid"), expected(0, 1));
}

#[test]
fn rating_over_time_is_newest_first() {
    let mut league = league(
        System::Elo,
        &[
            (&["Ann", "Bob"], won(0)),
            (&["Ann", "Bob"], won(0)),
            (&["Bob", "Cid"], won(0)),
            (&["Cid", "Ann"], won(0)),
        ],
    );
    let curve = |league: &League<Name>| -> Vec<_> {
        league
            .rating_over_time(&name("Ann"))
            .map(|point| (point.result.0, point.at, point.rating.shown))
            .collect()
    };
    assert_eq!(curve(&league), [(4, 400, 1512), (2, 200, 1531), (1, 100, 1516)]);
    league.retract(ResultId(2)).unwrap();
    assert_eq!(curve(&league), [(4, 400, 1498), (1, 100, 1516)]);
    assert_eq!(league.rating_over_time(&name("Zoë")).count(), 0);
}

#[test]
fn head_to_head_skips_third_party_wins() {
    let league = league(
        System::Wins,
        &[
            (&["Ann", "Bob"], won(0)),
            (&["Bob", "Ann"], won(0)),
            (&["Cid", "Bob", "Ann"], won(2)),
            (&["Cid", "Bob", "Ann"], won(0)),
            (&["Ann", "Bob"], DRAW),
            (&["Ann", "Cid"], won(0)),
        ],
    );
    let expected = Record { wins: 2, losses: 1, draws: 1 };
    assert_eq!(league.head_to_head(&name("ANN"), &name("bob")), expected);
    let reversed = Record { wins: 1, losses: 2, draws: 1 };
    assert_eq!(league.head_to_head(&name("Bob"), &name("Ann")), reversed);
    assert_eq!(league.head_to_head(&name("Ann"), &name("Zoë")), Record::default());
    assert_eq!(league.head_to_head(&name("Ann"), &name("ann")), Record::default());
    let cid = Record { wins: 2, losses: 1, draws: 0 };
    assert_eq!(league.opponents(&name("ann")), [(&name("Bob"), expected), (&name("Cid"), cid)]);
    assert_eq!(league.opponents(&name("Zoë")), []);
}

#[test]
fn players_keep_their_first_spelling() {
    let mut league = league(
        System::Wins,
        &[
            (&["Straße", "Bob"], won(0)),
            (&["STRASSE", "BOB"], won(0)),
            (&["strasse", "bob"], won(0)),
        ],
    );
    check_table(&league, &[(1, "Straße", 3), (2, "Bob", 0)]);
    league.retract(ResultId(1)).unwrap();
    check_table(&league, &[(1, "Straße", 2), (2, "Bob", 0)]);
    assert_eq!(league.rank(&name("Strasse")), Some(1));
}

#[test]
fn any_key_identifies_players() {
    let mut league = League::new(System::Elo);
    let result = GameResult::new([7_u64, 9], won(1)).unwrap();
    league.report(&Report { id: ResultId(1), at: 0, result }).unwrap();
    assert_eq!(league.rank(&9), Some(1));
    assert_eq!(league.standing(&7).unwrap().rating.shown, 1484);
    assert_eq!(league.rank(&8), None);
}

#[test]
fn players_without_results_leave() {
    let mut league =
        league(System::Glicko2, &[(&["Ann", "Bob"], won(0)), (&["Bob", "Cid"], won(0))]);
    league.retract(ResultId(1)).unwrap();
    assert_eq!(league.len(), 2);
    assert_eq!(league.standing(&name("Ann")), None);
    league.retract(ResultId(2)).unwrap();
    assert!(league.is_empty());
    assert_eq!(league.top(10).count(), 0);
}

#[test]
fn retraction_reaches_indirect_opponents() {
    let games: &[(&[&str], Outcome)] =
        &[(&["Ann", "Bob"], won(0)), (&["Bob", "Cid"], won(0)), (&["Cid", "Dan"], won(0))];
    let mut first_retracted = league(System::Elo, games);
    let before = first_retracted.standing(&name("Dan")).unwrap().rating;
    first_retracted.retract(ResultId(1)).unwrap();
    let without_first = league(System::Elo, &games[1..]);
    let after = first_retracted.standing(&name("Dan")).unwrap().rating;
    assert_ne!(after, before);
    assert_eq!(after, without_first.standing(&name("Dan")).unwrap().rating);
}

#[test]
fn refused_reports_change_nothing() {
    for (system, players, id, expected) in [
        (
            System::Elo,
            vec!["New", "Bob", "Cid"],
            9,
            "elo rates games of 2 players, this one had 3; try weng-lin",
        ),
        (
            System::Glicko2,
            vec!["New", "Bob", "Cid"],
            9,
            "glicko2 rates games of 2 players, this one had 3; try weng-lin",
        ),
        (System::Elo, vec!["New", "Bob"], 2, "result 2 was reported before"),
        (System::Elo, vec!["New", "Bob"], 0, "result 0 comes after result 2; ids must increase"),
    ] {
        let mut league = league(system, &[(&["Ann", "Bob"], won(0)), (&["Ann", "Bob"], DRAW)]);
        let before: Vec<_> = league.clone().top(9).map(|s| s.rating).collect();
        let refused = league.report(&report(id, &players, won(0))).unwrap_err();
        assert_eq!(refused.to_string(), expected);
        assert_eq!(league.rank(&name("New")), None);
        let after: Vec<_> = league.top(9).map(|s| s.rating).collect();
        assert_eq!(after, before);
    }
}

#[test]
fn retracted_ids_stay_taken() {
    let mut league = league(System::Wins, &[(&["Ann", "Bob"], won(0))]);
    league.retract(ResultId(1)).unwrap();
    assert_eq!(
        league.report(&report(1, &["Ann", "Bob"], DRAW)),
        Err(ReportError::DuplicateId(ResultId(1)))
    );
    assert_eq!(league.report(&report(2, &["Ann", "Bob"], DRAW)), Ok(()));
}

#[test]
fn batches_are_all_or_nothing() {
    let mut league = League::new(System::Elo);
    let mut reports = vec![
        report(5, &["Ann", "Bob"], won(0)),
        report(7, &["Bob", "Cid"], won(0)),
        report(7, &["Cid", "Dan"], won(0)),
    ];
    assert_eq!(league.report_all(&reports), Err(ReportError::DuplicateId(ResultId(7))));
    assert!(league.is_empty());
    reports[2].id = ResultId(8);
    assert_eq!(league.report_all(&reports), Ok(()));
    assert_eq!(league.len(), 4);
}

#[test]
fn only_counted_results_can_be_retracted() {
    let mut league = league(System::Wins, &[(&["Ann", "Bob"], won(0))]);
    assert_eq!(league.retract(ResultId(7)), Err(RetractError::Unknown(ResultId(7))));
    league.retract(ResultId(1)).unwrap();
    assert_eq!(league.retract(ResultId(1)), Err(RetractError::AlreadyRetracted(ResultId(1))));
}

#[test]
fn ratings_have_a_floor() {
    let players: &[&str] = &["Ann", "Bob"];
    for system in [System::Elo, System::Glicko2, System::WengLin] {
        let league = league(system, &vec![(players, won(0)); 20_000]);
        let loser = league.standing(&name("Bob")).unwrap().rating;
        assert!(loser.value.is_finite());
        assert!(loser.shown >= -900, "{system}: {loser:?}");
        assert!(loser.shown < league.standing(&name("Ann")).unwrap().rating.shown);
    }
}

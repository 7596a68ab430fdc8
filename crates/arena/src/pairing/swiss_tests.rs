//! Laws of the Swiss system on random tournaments.

use proptest::prelude::*;

use super::*;

/// Plays rounds with these results until a round can't be paired, and checks each.
fn play(players: usize, rounds: usize, results: &[u8]) -> (Swiss, usize) {
    let mut swiss = Swiss::new(players);
    let mut results = results.iter().cycle();
    for number in 0..rounds {
        let Some(round) = swiss.next_round() else { return (swiss, number) };
        check(&swiss, &round);
        for &pair in &round.pairs {
            let won = u32::from(results.next().copied().unwrap_or_default() % 3);
            swiss.report(pair, [won, 2 - won]);
        }
        round.byes.iter().for_each(|&player| swiss.report_bye(player, 2));
    }
    (swiss, rounds)
}

fn check(swiss: &Swiss, round: &Round) {
    let mut seated: Vec<usize> = round.pairs.iter().flatten().chain(&round.byes).copied().collect();
    seated.sort_unstable();
    let all: Vec<usize> = (0..swiss.players.len()).filter(|&p| !swiss.players[p].is_out).collect();
    assert_eq!(seated, all, "everyone plays once");
    for [a, b] in &round.pairs {
        assert!(!swiss.players[*a].opponents.contains(b), "{a} and {b} meet again");
    }
    assert_eq!(round.byes.len(), all.len() % 2);
    assert!(round.byes.iter().all(|&player| !swiss.players[player].had_bye));
}

/// The sum of squared differences in groups of points, in the cheapest round.
fn least_group_cost(swiss: &Swiss, penalties: &Penalties, ranked: &[usize], left: &[usize]) -> i32 {
    let Some((&upper, rest)) = left.split_first() else { return 0 };
    let lowest = rest.iter().filter_map(|&lower| {
        let is_rematch = swiss.players[ranked[upper]].opponents.contains(&ranked[lower]);
        let others: Vec<usize> = rest.iter().copied().filter(|&place| place != lower).collect();
        (!is_rematch).then(|| {
            let rest = least_group_cost(swiss, penalties, ranked, &others);
            rest.saturating_add(penalties.pair(upper, lower))
        })
    });
    lowest.min().unwrap_or(i32::MAX)
}

proptest! {
    #[test]
    fn rounds_follow_the_rules(
        players in 2_usize..40,
        results in prop::collection::vec(any::<u8>(), 1..200),
    ) {
        let rounds = players.next_power_of_two().ilog2() as usize + 1;
        let (swiss, played) = play(players, rounds, &results);
        prop_assert!(played >= rounds.min(players / 2), "{played} of {rounds} rounds");
        for (player, entry) in swiss.players.iter().enumerate() {
            prop_assert!(entry.colours.balance.abs() <= 2, "{player}: {:?}", entry.colours);
        }
    }

    #[test]
    fn matchings_are_the_cheapest(
        players in (1_usize..5).prop_map(|pairs| 2 * pairs),
        rounds in 0_usize..4,
        results in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        let (swiss, _) = play(players, rounds, &results);
        let ranked: Vec<usize> = swiss.standings().iter().map(|s| s.player).collect();
        let penalties = Penalties::new(&swiss, &ranked);
        let places: Vec<usize> = (0..players).collect();
        let least = least_group_cost(&swiss, &penalties, &ranked, &places);
        let found = swiss.matching(&ranked).map_or(i32::MAX, |mates| {
            let pairs = mates.iter().enumerate().filter(|(place, mate)| place < *mate);
            pairs.map(|(place, &mate)| penalties.pair(place, mate)).sum()
        });
        prop_assert_eq!(found, least);
    }
}

#[test]
fn hundreds_are_paired() {
    let (swiss, played) = play(301, 9, &[2, 0, 1, 2, 2, 0, 2, 1, 0, 1, 2]);
    assert_eq!(played, 9);
    let spread = |pair: &[usize; 2]| {
        let [a, b] = pair.map(|player| swiss.players[player].half_points);
        a.abs_diff(b)
    };
    let round = swiss.next_round().unwrap();
    assert!(round.pairs.iter().filter(|pair| spread(pair) > 0).count() < 30);
}

#[test]
fn first_round_pairs_the_halves() {
    let round = Swiss::new(9).next_round().unwrap();
    assert_eq!(round.pairs, [[0, 4], [5, 1], [2, 6], [7, 3]]);
    assert_eq!(round.byes, [8]);
}

#[test]
fn byes_go_round() {
    let mut byes = Vec::new();
    let mut swiss = Swiss::new(5);
    for _ in 0..3 {
        let round = swiss.next_round().unwrap();
        round.pairs.iter().for_each(|&pair| swiss.report(pair, [2, 0]));
        swiss.report_bye(round.byes[0], 2);
        byes.extend(round.byes);
    }
    byes.sort_unstable();
    byes.dedup();
    assert_eq!(byes.len(), 3);
}

#[test]
fn who_withdraws_is_not_paired() {
    let mut swiss = Swiss::new(4);
    swiss.withdraw(0);
    let round = swiss.next_round().unwrap();
    check(&swiss, &round);
    swiss.withdraw(1);
    assert_eq!(swiss.next_round().unwrap().pairs.len(), 1);
    swiss.withdraw(2);
    assert_eq!(swiss.next_round(), None);
}

#[test]
fn nobody_meets_twice() {
    let (swiss, played) = play(4, 9, &[0, 1, 2]);
    assert_eq!(played, 3);
    assert_eq!(swiss.next_round(), None);
}

#[test]
fn ties_are_broken_by_opponents() {
    let mut swiss = Swiss::new(4);
    swiss.report([0, 1], [2, 0]);
    swiss.report([2, 3], [2, 0]);
    swiss.report([0, 3], [0, 2]);
    swiss.report([2, 1], [1, 1]);
    let standings = swiss.standings();
    let places: Vec<(usize, usize)> = standings.iter().map(|s| (s.place, s.player)).collect();
    // 0 and 3 won once; 3 beat 0 and lost to the leader.
    assert_eq!(places, [(1, 2), (2, 3), (3, 0), (4, 1)]);
    assert_eq!(standings[1].buchholz, 3 + 2);
    assert_eq!(standings[1].sonneborn_berger, 2 * 2);
}

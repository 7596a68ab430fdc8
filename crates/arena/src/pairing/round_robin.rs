//! Everyone plays everyone once.

use super::Round;

/// The rounds in which everyone plays everyone once; with an odd number of players, each has one bye.
///
/// The pairs are those of Berger's tables: nobody moves first more than once oftener or less often than
/// second.
///
/// ```
/// use noughts_arena::pairing::round_robin;
///
/// let rounds = round_robin(3);
/// assert_eq!(rounds.len(), 3);
/// assert!(rounds.iter().all(|round| round.pairs.len() == 1 && round.byes.len() == 1));
/// ```
#[must_use]
pub fn round_robin(players: usize) -> Vec<Round> {
    if players < 2 {
        return Vec::new();
    }
    // The last of an even number of places stays; a missing player there is a bye.
    let cycle = players + players % 2 - 1;
    (0..cycle).map(|round| berger_round(players, cycle, round)).collect()
}

/// Pairs the places whose sum is `2 * round` in the cycle, and the one without a partner with the last.
fn berger_round(players: usize, cycle: usize, round: usize) -> Round {
    let mut result = Round::default();
    let last = cycle;
    match last < players {
        // The first half moves first against the last player.
        true if round <= cycle / 2 => result.pairs.push([round, last]),
        true => result.pairs.push([last, round]),
        false => result.byes.push(round),
    }
    for distance in 1..=cycle / 2 {
        let (a, b) = ((round + distance) % cycle, (round + cycle - distance) % cycle);
        let (low, high) = (a.min(b), a.max(b));
        let is_odd = (high - low) % 2 == 1;
        result.pairs.push(if is_odd { [low, high] } else { [high, low] });
    }
    result
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everyone_meets_everyone_once() {
        for players in 0..=33 {
            let rounds = round_robin(players);
            let mut met = BTreeSet::new();
            for round in &rounds {
                let mut seated: Vec<usize> = round.pairs.iter().flatten().copied().collect();
                seated.extend(&round.byes);
                seated.sort_unstable();
                assert_eq!(seated, (0..players).collect::<Vec<_>>());
                for [a, b] in &round.pairs {
                    assert!(met.insert((*a.min(b), *a.max(b))), "{players}: {a} and {b} again");
                }
            }
            assert_eq!(met.len(), players * players.saturating_sub(1) / 2);
        }
    }

    #[test]
    fn first_moves_are_shared_out() {
        for players in 2..=33 {
            let mut balance = vec![0_i32; players];
            for [first, second] in round_robin(players).iter().flat_map(|round| &round.pairs) {
                balance[*first] += 1;
                balance[*second] -= 1;
            }
            assert!(balance.iter().all(|balance| balance.abs() <= 1), "{players}: {balance:?}");
        }
    }
}

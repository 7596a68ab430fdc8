//! Who meets whom, in which order.

/// All games of a tournament, numbered from 0.
///
/// Every round brings each pairing a pair of games: one opening, both ways round. So the pairings
/// advance together, and the number alone says everything about a game.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixture {
    /// Which pairing, in the order of the schedule.
    pub pairing: usize,
    /// Which round, and with it which opening.
    pub round: u64,
    /// Whether the pairing's second player moves first.
    pub swapped: bool,
}

impl Schedule {
    /// Everybody against everybody, with at least so many games in each pairing.
    pub fn round_robin(players: usize, games: u64) -> Schedule {
        let pairings = (0..players).flat_map(|i| (i + 1..players).map(move |j| [i, j])).collect();
        Schedule { pairings, rounds: games.div_ceil(2) }
    }

    /// The first player against everybody else.
    pub fn gauntlet(players: usize, games: u64) -> Schedule {
        let pairings = (1..players).map(|other| [0, other]).collect();
        Schedule { pairings, rounds: games.div_ceil(2) }
    }

    /// The players of each pairing.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.rounds.saturating_mul(2 * self.pairings.len() as u64)
    }

    /// The game with a number.
    pub fn fixture(&self, number: u64) -> Fixture {
        let (pair, pairings) = (number / 2, self.pairings.len() as u64);
        Fixture {
            // Less than the number of pairings.
            pairing: (pair % pairings) as usize,
            round: pair / pairings,
            swapped: number % 2 == 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_both_ways_round() {
        let schedule = Schedule::round_robin(3, 3);
        assert_eq!(schedule.pairings(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(schedule.games(), 12);
        let fixtures: Vec<Fixture> = (0..12).map(|number| schedule.fixture(number)).collect();
        assert_eq!(fixtures[7], Fixture { pairing: 0, round: 1, swapped: true });
        for pairing in 0..3 {
            let swapped = fixtures.iter().filter(|f| f.pairing == pairing).map(|f| f.swapped);
            assert_eq!(swapped.collect::<Vec<_>>(), [false, true, false, true]);
        }
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_everybody() {
        assert_eq!(Schedule::gauntlet(4, 2).pairings(), [[0, 1], [0, 2], [0, 3]]);
    }
}

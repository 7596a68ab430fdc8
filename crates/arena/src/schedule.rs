//! The schedule of a tournament.

/// All games, numbered from 0.
///
/// In each round every pairing plays one opening twice, with sides swapped. The pairings advance
/// together, and the number of a game determines everything about it.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    rounds: u64,
}

/// A game of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fixture {
    /// Index of the pairing.
    pub(crate) pairing: usize,
    /// The round, which decides the opening.
    pub(crate) round: u64,
    /// Whether the pairing's second player moves first.
    pub(crate) swapped: bool,
}

impl Schedule {
    /// Everyone plays everyone, at least this many games each.
    pub fn round_robin(players: usize, games: u64) -> Schedule {
        let pairings = (0..players).flat_map(|i| (i + 1..players).map(move |j| [i, j])).collect();
        Schedule { pairings, rounds: games.div_ceil(2) }
    }

    /// The first player plays everyone else.
    pub fn gauntlet(players: usize, games: u64) -> Schedule {
        let pairings = (1..players).map(|other| [0, other]).collect();
        Schedule { pairings, rounds: games.div_ceil(2) }
    }

    /// The players of each pairing.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.rounds.saturating_mul(2 * self.pairings.len() as u64)
    }

    /// The game with this number.
    pub(crate) fn fixture(&self, number: u64) -> Fixture {
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
    fn round_robin_pairs_everyone_twice() {
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
    fn gauntlet_pairs_the_first_player() {
        assert_eq!(Schedule::gauntlet(4, 2).pairings(), [[0, 1], [0, 2], [0, 3]]);
    }
}

//! Single elimination.

use super::Round;

/// A seeded bracket: the best two can only meet in the final, and the best have the byes.
///
/// ```
/// use noughts_arena::pairing::Knockout;
///
/// let mut knockout = Knockout::new(5);
/// assert_eq!(knockout.round().pairs, [[3, 4]]);
/// assert_eq!(knockout.round().byes, [0, 1, 2]);
/// knockout.win(4);
/// assert_eq!(knockout.round().pairs, [[0, 4], [1, 2]]);
/// ```
#[derive(Debug, Clone)]
pub struct Knockout {
    players: usize,
    /// The places of the round, in the order of the bracket. Neighbours play each other.
    places: Vec<Option<usize>>,
    /// The winner of each pair of places.
    winners: Vec<Option<usize>>,
    /// Who lost, by rounds, first round first.
    losers: Vec<Vec<usize>>,
}

impl Knockout {
    /// A bracket of players in the order of their seeding, best first.
    #[must_use]
    pub fn new(players: usize) -> Knockout {
        let mut order = vec![0];
        while order.len() < players {
            let size = 2 * order.len();
            order = order.iter().flat_map(|&seed| [seed, size - 1 - seed]).collect();
        }
        let places = order.into_iter().map(|seed| (seed < players).then_some(seed)).collect();
        let mut knockout =
            Knockout { players, places, winners: Vec::new(), losers: vec![Vec::new()] };
        knockout.begin_round();
        knockout
    }

    /// The pairs of this round that have no winner yet, and the byes; of two players, the better
    /// seeded one moves first.
    #[must_use]
    pub fn round(&self) -> Round {
        let mut round = Round::default();
        for (pair, winner) in self.places.chunks(2).zip(&self.winners) {
            match (pair, winner) {
                ([Some(a), Some(b)], None) => round.pairs.push([*a.min(b), *a.max(b)]),
                ([Some(player), None] | [None, Some(player)], _) => round.byes.push(*player),
                _ => {}
            }
        }
        round.pairs.sort_unstable();
        round.byes.sort_unstable();
        round
    }

    /// The number of this round, from 1.
    #[must_use]
    pub fn round_number(&self) -> usize {
        self.losers.len()
    }

    /// Lets a player win their pair of this round. Returns false and changes nothing if they have no
    /// opponent or the pair has its winner.
    pub fn win(&mut self, player: usize) -> bool {
        let Some(place) = self.places.iter().position(|&other| other == Some(player)) else {
            return false;
        };
        let (Some(Some(opponent)), Some(winner @ None)) =
            (self.places.get(place ^ 1), self.winners.get_mut(place / 2))
        else {
            return false;
        };
        *winner = Some(player);
        self.losers.last_mut().expect("there is a round").push(*opponent);
        if self.winners.iter().all(Option::is_some) {
            self.places = std::mem::take(&mut self.winners);
            self.losers.push(Vec::new());
            self.begin_round();
        }
        true
    }

    /// The player who won the final.
    #[must_use]
    pub fn champion(&self) -> Option<usize> {
        match self.places[..] {
            [champion] => champion,
            _ => None,
        }
    }

    /// Each player's place from 1. Those who lost in the same round share it, and so do those who
    /// are still in.
    #[must_use]
    pub fn standings(&self) -> Vec<(usize, usize)> {
        let lost: Vec<usize> = self.losers.iter().flatten().copied().collect();
        let is_in = |player: &usize| !lost.contains(player);
        let mut standings: Vec<(usize, usize)> =
            (0..self.players).filter(is_in).map(|player| (player, 1)).collect();
        for losers in self.losers.iter().rev() {
            let place = standings.len() + 1;
            let mut losers = losers.clone();
            losers.sort_unstable();
            standings.extend(losers.into_iter().map(|player| (player, place)));
        }
        standings
    }

    /// Byes win at once.
    fn begin_round(&mut self) {
        self.winners = match self.places.len() {
            0 | 1 => Vec::new(),
            _ => self.places.chunks(2).map(bye).collect(),
        };
    }
}

/// The player of a pair without an opponent.
fn bye(pair: &[Option<usize>]) -> Option<usize> {
    match *pair {
        [Some(player), None] | [None, Some(player)] => Some(player),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn favourites_meet_last() {
        let mut knockout = Knockout::new(8);
        assert_eq!(knockout.round().pairs, [[0, 7], [1, 6], [2, 5], [3, 4]]);
        (0..4).for_each(|player| assert!(knockout.win(player)));
        assert_eq!((knockout.round_number(), knockout.round().pairs), (2, vec![[0, 3], [1, 2]]));
        (0..2).for_each(|player| assert!(knockout.win(player)));
        assert_eq!(knockout.round().pairs, [[0, 1]]);
        assert_eq!(knockout.champion(), None);
        assert!(knockout.win(1));
        assert_eq!(knockout.champion(), Some(1));
        let places: Vec<usize> = knockout.standings().iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [1, 2, 3, 3, 5, 5, 5, 5]);
    }

    #[test]
    fn only_players_of_the_round_win() {
        let mut knockout = Knockout::new(5);
        assert!(!knockout.win(0), "has a bye");
        assert!(!knockout.win(9));
        assert!(knockout.win(3));
        assert!(!knockout.win(4), "is out");
    }

    #[test]
    fn one_player_is_champion() {
        assert_eq!(Knockout::new(1).champion(), Some(0));
        assert_eq!(Knockout::new(0).champion(), None);
        assert_eq!(Knockout::new(0).round(), Round::default());
    }

    proptest! {
        #[test]
        fn every_bracket_ends(players in 2_usize..70, results: [bool; 32]) {
            let mut knockout = Knockout::new(players);
            let mut results = results.into_iter().cycle();
            let mut games = 0;
            while knockout.champion().is_none() {
                let round = knockout.round();
                prop_assert!(!round.pairs.is_empty());
                prop_assert!(round.byes.is_empty() || knockout.round_number() == 1);
                for pair in round.pairs {
                    let winner = pair[usize::from(results.next().unwrap_or_default())];
                    prop_assert!(knockout.win(winner));
                    games += 1;
                }
            }
            // Everyone but the champion loses once.
            prop_assert_eq!(games, players - 1);
            prop_assert_eq!(knockout.round_number() - 1, players.next_power_of_two().ilog2() as usize);
            let mut ranked: Vec<usize> = knockout.standings().iter().map(|(who, _)| *who).collect();
            ranked.sort_unstable();
            prop_assert_eq!(ranked, (0..players).collect::<Vec<_>>());
        }
    }
}

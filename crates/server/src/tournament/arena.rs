//! Pairing in an arena: whoever is free, with somebody of a similar rank.

use std::cmp::Reverse;

use mwmatching::{Matching, SENTINEL};

use super::pairing::Pairing;
use super::state::Tournament;

/// Players are paired with others at most this many places away, so that the matching stays quick.
const MAX_RANK_DISTANCE: usize = 20;

/// More than any pair costs.
const MAX_COST: i32 = 1 << 12;

impl Tournament {
    /// The players without a game, best first.
    fn free_players(&self) -> Vec<usize> {
        let is_free = |number: &usize| {
            let player = self.players[*number];
            player.is_active && player.playing.is_none()
        };
        let mut free: Vec<usize> = (0..self.players.len()).filter(is_free).collect();
        free.sort_by_key(|number| (Reverse(self.players[*number].points), *number));
        free
    }

    /// Whether two players may meet: not twice in a row, unless they are the only ones.
    fn may_meet(&self, a: usize, b: usize) -> bool {
        let is_last = |of: usize, other| self.players[of].last_opponent == Some(other);
        self.active_players() == 2 || !(is_last(a, b) && is_last(b, a))
    }

    /// Whether any two free players may meet.
    pub(super) fn can_pair_free_players(&self) -> bool {
        let free = self.free_players();
        let partners = |place: usize| free.iter().skip(place + 1).take(MAX_RANK_DISTANCE);
        free.iter().enumerate().any(|(place, a)| partners(place).any(|b| self.may_meet(*a, *b)))
    }

    /// As many pairs of free players as possible, and among these pairings the one with the smallest
    /// differences in rank and the best shares of first moves.
    pub(super) fn pair_free_players(&self) -> Pairing {
        let free = self.free_players();
        let mut edges = Vec::new();
        for (place, a) in free.iter().enumerate() {
            for (other, b) in free.iter().enumerate().skip(place + 1).take(MAX_RANK_DISTANCE) {
                if self.may_meet(*a, *b) {
                    edges.push((place, other, MAX_COST - self.cost(other - place, *a, *b)));
                }
            }
        }
        let mates = Matching::new(edges).max_cardinality().solve();
        let pairs =
            mates.iter().enumerate().filter(|(place, mate)| **mate != SENTINEL && place < mate);
        let pairs = pairs.map(|(place, mate)| self.in_turn_order(free[place], free[*mate]));
        Pairing { pairs: pairs.collect(), byes: Vec::new() }
    }

    fn cost(&self, rank_distance: usize, a: usize, b: usize) -> i32 {
        let [a, b] = [a, b].map(|number| self.players[number].balance);
        // Both have moved first more often, or both second.
        let wish = if a.signum() * b.signum() > 0 { a.abs().min(b.abs()).min(4) } else { 0 };
        let distance = i32::try_from(rank_distance).unwrap_or(i32::MAX);
        distance * distance * 4 + wish
    }

    /// Whoever has moved first less often does so now.
    fn in_turn_order(&self, upper: usize, lower: usize) -> [usize; 2] {
        let [a, b] = [upper, lower].map(|number| self.players[number].balance);
        let upper_begins =
            if a == b { (upper + lower + self.games.len()).is_multiple_of(2) } else { a < b };
        if upper_begins { [upper, lower] } else { [lower, upper] }
    }
}

//! The Swiss system: players with equal points meet, and nobody meets twice.

use std::cmp::Reverse;

use mwmatching::{Matching, SENTINEL};

use super::Round;

/// A tournament by the Swiss system.
///
/// Each round is the matching of least penalty among those without a rematch: first it avoids that
/// somebody moves first (or second) far too often, then differences in points, then colours against the
/// players' turn, and last pairs within a group of equal points other than its upper half against its
/// lower half. With an odd number of players, one of the lowest who had no bye yet gets it.
#[derive(Debug, Clone)]
pub struct Swiss {
    players: Vec<Entry>,
}

#[derive(Debug, Clone, Default)]
struct Entry {
    half_points: u32,
    opponents: Vec<usize>,
    /// Half points won against each opponent.
    won: Vec<u32>,
    colours: Colours,
    had_bye: bool,
    is_out: bool,
}

/// A player's rank and tie-breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SwissStanding {
    /// The player.
    pub player: usize,
    /// The place from 1; players equal in all numbers share it.
    pub place: usize,
    /// Twice the points.
    pub half_points: u32,
    /// Buchholz: the sum of the opponents' half points.
    pub buchholz: u32,
    /// Sonneborn-Berger: the half points of each opponent, times those won against them.
    pub sonneborn_berger: u32,
}

impl Swiss {
    /// A tournament of players in the order of their seeding, best first.
    #[must_use]
    pub fn new(players: usize) -> Swiss {
        Swiss { players: vec![Entry::default(); players] }
    }

    /// Counts what two players did against each other: one game, or several with their sum of half
    /// points. The first of the pair moved first.
    pub fn report(&mut self, pair: [usize; 2], half_points: [u32; 2]) {
        for (side, colour) in [Colour::First, Colour::Second].into_iter().enumerate() {
            let entry = &mut self.players[pair[side]];
            entry.half_points += half_points[side];
            entry.opponents.push(pair[1 - side]);
            entry.won.push(half_points[side]);
            entry.colours.add(colour);
        }
    }

    /// Counts a round without an opponent, and what it is worth.
    pub fn report_bye(&mut self, player: usize, half_points: u32) {
        self.players[player].had_bye = true;
        self.players[player].half_points += half_points;
    }

    /// Leaves a player out of all rounds from now on.
    pub fn withdraw(&mut self, player: usize) {
        self.players[player].is_out = true;
    }

    /// The pairs of the next round, the strongest first. `None` if somebody would have to meet an
    /// opponent again or have a second bye, or fewer than two players are left.
    #[must_use]
    pub fn next_round(&self) -> Option<Round> {
        let ranked: Vec<usize> = self
            .standings()
            .iter()
            .map(|standing| standing.player)
            .filter(|&player| !self.players[player].is_out)
            .collect();
        if ranked.len() < 2 {
            return None;
        }
        let mates = self.matching(&ranked)?;
        let mut round = Round::default();
        for (place, &mate) in mates.iter().enumerate().take(ranked.len()) {
            if mate == ranked.len() {
                round.byes.push(ranked[place]);
            } else if place < mate {
                let upper_begins = round.pairs.len() % 2 == 0;
                round.pairs.push(self.with_colours([ranked[place], ranked[mate]], upper_begins));
            }
        }
        Some(round)
    }

    /// Everyone, best first: by points, Buchholz, Sonneborn-Berger and seeding.
    #[must_use]
    pub fn standings(&self) -> Vec<SwissStanding> {
        let points = |player: usize| self.players[player].half_points;
        let mut standings: Vec<SwissStanding> = (0..self.players.len())
            .map(|player| {
                let entry = &self.players[player];
                let beaten = entry.opponents.iter().zip(&entry.won);
                SwissStanding {
                    player,
                    place: 0,
                    half_points: entry.half_points,
                    buchholz: entry.opponents.iter().map(|&other| points(other)).sum(),
                    sonneborn_berger: beaten.map(|(&other, won)| points(other) * won).sum(),
                }
            })
            .collect();
        let numbers = |s: &SwissStanding| (s.half_points, s.buchholz, s.sonneborn_berger);
        standings.sort_by_key(|standing| Reverse(numbers(standing)));
        for i in 0..standings.len() {
            let is_shared = i > 0 && numbers(&standings[i]) == numbers(&standings[i - 1]);
            standings[i].place = if is_shared { standings[i - 1].place } else { i + 1 };
        }
        standings
    }

    /// The mate of each place in the ranking; the place after the last is the bye.
    fn matching(&self, ranked: &[usize]) -> Option<Vec<usize>> {
        let penalties = Penalties::new(self, ranked);
        let (mut edges, bye) = (Vec::new(), ranked.len());
        for (place, &player) in ranked.iter().enumerate() {
            for (other_place, other) in ranked.iter().enumerate().skip(place + 1) {
                if !self.players[player].opponents.contains(other) {
                    let penalty = penalties.pair(place, other_place);
                    edges.push((place, other_place, MAX_PENALTY - penalty));
                }
            }
            if ranked.len() % 2 == 1 && !self.players[player].had_bye {
                edges.push((place, bye, MAX_PENALTY - penalties.bye(place)));
            }
        }
        let mates = Matching::new(edges).max_cardinality().solve();
        let is_complete = mates.len() >= ranked.len() && !mates[..ranked.len()].contains(&SENTINEL);
        is_complete.then_some(mates)
    }

    /// The pair in the order in which it moves. The stronger wish counts, then the upper player's.
    fn with_colours(&self, pair: [usize; 2], upper_begins: bool) -> [usize; 2] {
        let [upper, lower] = pair.map(|player| self.players[player].colours.wish());
        let upper_begins = match (upper, lower) {
            (Some((_, weak)), Some((colour, strong))) if strong > weak => colour == Colour::Second,
            (Some((colour, _)), _) => colour == Colour::First,
            (None, Some((colour, _))) => colour == Colour::Second,
            (None, None) => upper_begins,
        };
        if upper_begins { pair } else { [pair[1], pair[0]] }
    }
}

/// Who moves first in a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colour {
    First,
    Second,
}

/// The colours that a player had.
#[derive(Debug, Clone, Copy, Default)]
struct Colours {
    /// How much oftener they moved first than second.
    balance: i32,
    last: [Option<Colour>; 2],
}

/// How much a player should have a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    /// To alternate.
    Mild = 1,
    /// To have both colours equally often.
    Strong,
    /// So as not to have a colour three times in a row, or three times oftener than the other.
    Absolute,
}

impl Colours {
    fn add(&mut self, colour: Colour) {
        self.balance += if colour == Colour::First { 1 } else { -1 };
        self.last = [self.last[1], Some(colour)];
    }

    /// The colour that is due.
    fn wish(self) -> Option<(Colour, Wish)> {
        let other = |colour| match colour {
            Colour::First => Colour::Second,
            Colour::Second => Colour::First,
        };
        if let [Some(a), Some(b)] = self.last
            && a == b
        {
            return Some((other(a), Wish::Absolute));
        }
        let due = if self.balance > 0 { Colour::Second } else { Colour::First };
        match self.balance.abs() {
            0 => self.last[1].map(|last| (other(last), Wish::Mild)),
            1 => Some((due, Wish::Strong)),
            _ => Some((due, Wish::Absolute)),
        }
    }
}

/// The matching has weights of 32 bits, which it doubles and adds.
const MAX_PENALTY: i32 = 1 << 28;

/// What pairs cost, in a scale on which no sum of smaller faults outweighs a greater one (up to
/// some hundred players).
struct Penalties {
    /// For each place in the ranking: its group of equal points, its place there, and the group's size.
    groups: Vec<(i32, i32, i32)>,
    wishes: Vec<Option<(Colour, Wish)>>,
    /// The cost of one group of points between two players.
    group_unit: i32,
}

const MAX_FOLD_PENALTY: i32 = 31;
const WISH_UNIT: i32 = 32;
/// More than a pair can cost without a difference in points.
const SMALL_FAULTS: i32 = WISH_UNIT * 4;
/// Differences in points are squared up to this: eleven groups.
const MAX_GROUP_COST: i32 = 121;

impl Penalties {
    fn new(swiss: &Swiss, ranked: &[usize]) -> Penalties {
        let points = |place: usize| swiss.players[ranked[place]].half_points;
        let mut groups: Vec<(i32, i32, i32)> = Vec::new();
        let mut begin = 0;
        while begin < ranked.len() {
            let end = (begin..ranked.len())
                .find(|&place| points(place) != points(begin))
                .unwrap_or(ranked.len());
            let group = groups.last().map_or(0, |(group, ..)| group + 1);
            let size = small(end - begin);
            groups.extend((0..size).map(|place| (group, place, size)));
            begin = end;
        }
        let pairs = small(ranked.len() / 2 + 1);
        let largest_unit = MAX_PENALTY / (2 * MAX_GROUP_COST + 1);
        Penalties {
            groups,
            wishes: ranked.iter().map(|&player| swiss.players[player].colours.wish()).collect(),
            group_unit: SMALL_FAULTS.saturating_mul(pairs).min(largest_unit),
        }
    }

    fn pair(&self, upper: usize, lower: usize) -> i32 {
        let wish = match (self.wishes[upper], self.wishes[lower]) {
            (Some((a, upper)), Some((b, lower))) if a == b => Some(upper.min(lower)),
            _ => None,
        };
        let wish = match wish {
            Some(Wish::Absolute) => MAX_GROUP_COST * self.group_unit,
            wish => wish.map_or(0, |wish| wish as i32 * WISH_UNIT),
        };
        let ((group, place, size), (other_group, other_place, _)) =
            (self.groups[upper], self.groups[lower]);
        // Within a group the upper half meets the lower half; between groups, the last meets the first.
        let fold = match other_group - group {
            0 => ((other_place - place) - size / 2).abs(),
            _ => size - 1 - place + other_place,
        };
        self.group_cost(other_group - group) + wish + fold.min(MAX_FOLD_PENALTY)
    }

    /// The bye goes to the end of the ranking.
    fn bye(&self, place: usize) -> i32 {
        let last_group = self.groups.last().map_or(0, |(group, ..)| *group);
        let fold = small(self.groups.len() - 1 - place).min(MAX_FOLD_PENALTY);
        self.group_cost(last_group - self.groups[place].0) + fold
    }

    fn group_cost(&self, groups: i32) -> i32 {
        groups.saturating_mul(groups).min(MAX_GROUP_COST) * self.group_unit
    }
}

fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

#[cfg(test)]
#[path = "swiss_tests.rs"]
mod tests;

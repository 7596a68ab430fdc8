//! The schedule of a tournament.

use crate::pairing::{Knockout, Round, Swiss};

/// Who plays whom, and how many games.
///
/// In each encounter the two players play every opening twice, with sides swapped. Round robin and
/// gauntlet are fixed from the start; a Swiss system and a knockout pair the next round by the results so far.
#[derive(Debug, Clone)]
pub struct Schedule {
    players: usize,
    /// Openings of an encounter.
    openings: u64,
    format: Format,
}

#[derive(Debug, Clone, Copy)]
enum Format {
    RoundRobin,
    Gauntlet,
    Swiss { rounds: usize },
    Knockout,
}

impl Schedule {
    /// Everyone plays everyone, at least this many games each.
    pub fn round_robin(players: usize, games: u64) -> Schedule {
        Schedule::new(players, games, Format::RoundRobin)
    }

    /// The first player plays everyone else.
    pub fn gauntlet(players: usize, games: u64) -> Schedule {
        Schedule::new(players, games, Format::Gauntlet)
    }

    /// The Swiss system with this many rounds of at least this many games, or fewer when nobody can
    /// meet somebody new.
    pub fn swiss(players: usize, games: u64, rounds: usize) -> Schedule {
        Schedule::new(players, games, Format::Swiss { rounds })
    }

    /// The winner of an encounter of at least this many games goes on. A tie is broken by further pairs of
    /// games, and at last by the seeding, which is the order of the players.
    pub fn knockout(players: usize, games: u64) -> Schedule {
        Schedule::new(players, games, Format::Knockout)
    }

    fn new(players: usize, games: u64, format: Format) -> Schedule {
        Schedule { players, openings: games.div_ceil(2), format }
    }

    /// The number of rounds that a Swiss system needs to find the best of this many players.
    pub fn swiss_rounds(players: usize) -> usize {
        players.next_power_of_two().ilog2() as usize
    }

    /// The players of each pairing that is known from the start, the one listed first before the other.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let players = self.players;
        match self.format {
            Format::RoundRobin => {
                (0..players).flat_map(|i| (i + 1..players).map(move |j| [i, j])).collect()
            }
            Format::Gauntlet => (1..players).map(|other| [0, other]).collect(),
            Format::Swiss { .. } | Format::Knockout => Vec::new(),
        }
    }

    /// The number of games; of a Swiss system, the most there can be, and of a knockout those without
    /// ties.
    pub fn games(&self) -> u64 {
        let encounters = match self.format {
            Format::RoundRobin | Format::Gauntlet => self.pairings().len(),
            Format::Swiss { rounds } => rounds * (self.players / 2),
            Format::Knockout => self.players.saturating_sub(1),
        };
        self.games_per_encounter().saturating_mul(encounters as u64)
    }

    pub(crate) fn games_per_encounter(&self) -> u64 {
        self.openings.saturating_mul(2)
    }
}

/// Games that do not depend on each other's results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stage {
    pub(crate) pairs: Vec<[usize; 2]>,
    byes: Vec<usize>,
    /// The number of its first opening.
    first_opening: u64,
    openings: u64,
}

/// A game of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fixture {
    /// By seat.
    pub(crate) entrants: [usize; 2],
    /// The number of the opening.
    pub(crate) opening: u64,
}

impl Stage {
    /// The number of games.
    pub(crate) fn games(&self) -> u64 {
        self.openings.saturating_mul(2 * self.pairs.len() as u64)
    }

    /// The game with this number within the stage. The pairs advance together.
    pub(crate) fn fixture(&self, number: u64) -> Fixture {
        let (game, pairs) = (number / 2, self.pairs.len() as u64);
        // Less than the number of pairs.
        let mut entrants = self.pairs[(game % pairs) as usize];
        if number % 2 == 1 {
            entrants.reverse();
        }
        Fixture { entrants, opening: self.first_opening + game / pairs }
    }
}

/// A player's place, where results other than ratings decide it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placing {
    pub(crate) place: usize,
    /// Half points and their Buchholz tie-break, in a Swiss system.
    pub(crate) swiss: Option<(u32, u32)>,
}

/// Goes through the stages of a schedule.
pub(crate) struct Stages<'a> {
    schedule: &'a Schedule,
    progress: Progress,
    next_opening: u64,
}

enum Progress {
    /// Whether its only stage was begun.
    Fixed {
        has_begun: bool,
    },
    Swiss {
        swiss: Swiss,
        rounds_left: usize,
    },
    Knockout {
        knockout: Knockout,
        tied: Vec<[usize; 2]>,
        tie_breaks: usize,
        by_seeding: Vec<[usize; 2]>,
    },
}

/// After this many drawn pairs of games the seeding decides.
const MAX_TIE_BREAKS: usize = 4;

impl<'a> Stages<'a> {
    pub(crate) fn new(schedule: &'a Schedule) -> Stages<'a> {
        let players = schedule.players;
        let progress = match schedule.format {
            Format::RoundRobin | Format::Gauntlet => Progress::Fixed { has_begun: false },
            Format::Swiss { rounds } => {
                Progress::Swiss { swiss: Swiss::new(players), rounds_left: rounds }
            }
            Format::Knockout => Progress::Knockout {
                knockout: Knockout::new(players),
                tied: Vec::new(),
                tie_breaks: 0,
                by_seeding: Vec::new(),
            },
        };
        Stages { schedule, progress, next_opening: 0 }
    }

    /// The next stage, once the results of the last one are reported.
    pub(crate) fn next(&mut self) -> Option<Stage> {
        let all = self.schedule.openings;
        let (Round { pairs, byes }, openings) = match &mut self.progress {
            Progress::Fixed { has_begun } => {
                let pairs = if *has_begun { Vec::new() } else { self.schedule.pairings() };
                *has_begun = true;
                (Round { pairs, byes: Vec::new() }, all)
            }
            Progress::Swiss { swiss, rounds_left } => {
                *rounds_left = rounds_left.checked_sub(1)?;
                (swiss.next_round()?, all)
            }
            Progress::Knockout { tied, .. } if !tied.is_empty() => {
                (Round { pairs: std::mem::take(tied), byes: Vec::new() }, 1)
            }
            Progress::Knockout { knockout, tie_breaks, .. } => {
                *tie_breaks = 0;
                (knockout.round(), all)
            }
        };
        let first_opening = self.next_opening;
        self.next_opening += openings;
        (!pairs.is_empty()).then_some(Stage { pairs, byes, first_opening, openings })
    }

    /// Takes the half points of each pair of a finished stage.
    pub(crate) fn report(&mut self, stage: &Stage, half_points: &[[u32; 2]]) {
        let results = stage.pairs.iter().zip(half_points);
        match &mut self.progress {
            Progress::Fixed { .. } => {}
            Progress::Swiss { swiss, .. } => {
                results.for_each(|(&pair, &half_points)| swiss.report(pair, half_points));
                // A bye is worth as much as winning all games.
                let bye = u32::try_from(2 * self.schedule.games_per_encounter());
                let bye = bye.unwrap_or(u32::MAX);
                stage.byes.iter().for_each(|&player| swiss.report_bye(player, bye));
            }
            Progress::Knockout { knockout, tied, tie_breaks, by_seeding } => {
                let is_last = *tie_breaks >= MAX_TIE_BREAKS;
                *tie_breaks += 1;
                for (&[a, b], [won_by_a, won_by_b]) in results {
                    match won_by_a.cmp(won_by_b) {
                        std::cmp::Ordering::Greater => _ = knockout.win(a),
                        std::cmp::Ordering::Less => _ = knockout.win(b),
                        std::cmp::Ordering::Equal if is_last => {
                            knockout.win(a.min(b));
                            by_seeding.push([a.min(b), a.max(b)]);
                        }
                        std::cmp::Ordering::Equal => tied.push([a, b]),
                    }
                }
            }
        }
    }

    /// The players' places so far; `None` if their ratings decide.
    pub(crate) fn placings(&self) -> Option<Vec<Placing>> {
        let mut placings = vec![Placing { place: 0, swiss: None }; self.schedule.players];
        match &self.progress {
            Progress::Fixed { .. } => return None,
            Progress::Swiss { swiss, .. } => {
                for standing in swiss.standings() {
                    let swiss = Some((standing.half_points, standing.buchholz));
                    placings[standing.player] = Placing { place: standing.place, swiss };
                }
            }
            Progress::Knockout { knockout, .. } => {
                for (player, place) in knockout.standings() {
                    placings[player].place = place;
                }
            }
        }
        Some(placings)
    }

    /// Pairs of a knockout that were decided by the seeding: the first went on.
    pub(crate) fn by_seeding(&self) -> &[[usize; 2]] {
        match &self.progress {
            Progress::Knockout { by_seeding, .. } => by_seeding,
            _ => &[],
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
        let mut stages = Stages::new(&schedule);
        let stage = stages.next().unwrap();
        assert_eq!(stage.games(), 12);
        let entrants: Vec<[usize; 2]> = (0..12).map(|n| stage.fixture(n).entrants).collect();
        assert_eq!(entrants[..6], [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]);
        assert_eq!(entrants[6..], entrants[..6]);
        assert_eq!(stage.fixture(7), Fixture { entrants: [1, 0], opening: 1 });
        stages.report(&stage, &[[4, 0]; 3]);
        assert_eq!(stages.next(), None);
        assert!(stages.placings().is_none());
    }

    #[test]
    fn gauntlet_pairs_the_first_player() {
        assert_eq!(Schedule::gauntlet(4, 2).pairings(), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn swiss_rounds_follow_results() {
        let schedule = Schedule::swiss(5, 2, Schedule::swiss_rounds(5));
        let mut stages = Stages::new(&schedule);
        let mut games = 0;
        while let Some(stage) = stages.next() {
            assert_eq!(stage.first_opening, games / 4);
            games += stage.games();
            let stronger = |&[a, b]: &[usize; 2]| if a < b { [4, 0] } else { [0, 4] };
            let results: Vec<[u32; 2]> = stage.pairs.iter().map(stronger).collect();
            stages.report(&stage, &results);
        }
        assert_eq!((games, schedule.games()), (12, 12));
        let placings = stages.placings().unwrap();
        assert_eq!(placings[0].place, 1);
        assert_eq!(placings[0].swiss.map(|(half_points, _)| half_points), Some(12));
    }

    #[test]
    fn ties_of_a_knockout_are_broken() {
        let schedule = Schedule::knockout(3, 4);
        let mut stages = Stages::new(&schedule);
        let first = stages.next().unwrap();
        assert_eq!((&first.pairs[..], first.games()), (&[[1, 2]][..], 4));
        stages.report(&first, &[[4, 4]]);
        let tie_break = stages.next().unwrap();
        assert_eq!((&tie_break.pairs[..], tie_break.games()), (&[[1, 2]][..], 2));
        assert_eq!(tie_break.first_opening, 2);
        stages.report(&tie_break, &[[1, 3]]);
        let mut last = stages.next().unwrap();
        assert_eq!(last.pairs, [[0, 2]]);
        // Nothing but draws.
        for _ in 0..=MAX_TIE_BREAKS {
            stages.report(&last, &[[2, 2]]);
            last = stages.next().unwrap_or(last);
        }
        assert_eq!(stages.next(), None);
        assert_eq!(stages.by_seeding(), [[0, 2]]);
        let places: Vec<usize> = stages.placings().unwrap().iter().map(|p| p.place).collect();
        assert_eq!(places, [1, 3, 2]);
    }
}

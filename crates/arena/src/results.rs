//! The results so far.

use std::collections::BTreeMap;

use noughts_scores::Record;

use crate::elo::PairResult;
use crate::played_game::{Ending, MoveStatistics, PlayedGame};
use crate::schedule::Schedule;

/// Results by pairing, forfeits and statistics.
pub(crate) struct Results {
    /// By pairs of entrants, the one listed first before the other.
    pairings: BTreeMap<[usize; 2], Record>,
    /// How often each entrant forfeited for which reason.
    forfeits: BTreeMap<(usize, String), u32>,
    adjudicated: u32,
    statistics: Vec<MoveStatistics>,
}

impl Results {
    pub(crate) fn new(players: usize, schedule: &Schedule) -> Results {
        let pairings = schedule.pairings().into_iter();
        Results {
            pairings: pairings.map(|pair| (pair, Record::default())).collect(),
            forfeits: BTreeMap::new(),
            adjudicated: 0,
            statistics: vec![MoveStatistics::default(); players],
        }
    }

    pub(crate) fn count<M>(&mut self, played: PlayedGame<M>) {
        let [a, b] = played.entrants;
        let record = self.pairings.entry([a.min(b), a.max(b)]).or_default();
        match played.half_points_of_first() {
            2 => record.wins += 1,
            1 => record.draws += 1,
            _ => record.losses += 1,
        }
        for (entrant, statistics) in played.entrants.into_iter().zip(played.statistics) {
            self.statistics[entrant] += statistics;
        }
        match played.ending {
            Ending::Rules => {}
            Ending::Forfeit { entrant, reason } => {
                *self.forfeits.entry((entrant, reason)).or_default() += 1;
            }
            Ending::Adjudicated(_) => self.adjudicated += 1,
        }
    }

    /// Results by pairing.
    pub(crate) fn pairings(&self) -> Vec<PairResult> {
        let result = |(&[first, second], &record): (&[usize; 2], &Record)| PairResult {
            first,
            second,
            record,
        };
        self.pairings.iter().map(result).collect()
    }

    /// The results for ratings: with all other pairings too where those played do not connect everyone.
    pub(crate) fn connected_pairings(&self) -> Vec<PairResult> {
        let players = self.statistics.len();
        let mut reached = vec![0];
        let mut next = 0;
        while let Some(&player) = reached.get(next) {
            for &[a, b] in self.pairings.keys() {
                let other = if a == player { b } else { a };
                if (a == player || b == player) && !reached.contains(&other) {
                    reached.push(other);
                }
            }
            next += 1;
        }
        if reached.len() == players {
            return self.pairings();
        }
        let pairs = (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b]));
        let record = |[first, second]: [usize; 2]| {
            let record = self.pairings.get(&[first, second]).copied().unwrap_or_default();
            PairResult { first, second, record }
        };
        pairs.map(record).collect()
    }

    /// Forfeits: entrant, reason and number of games.
    pub(crate) fn forfeits(&self) -> impl Iterator<Item = (usize, &str, u32)> {
        self.forfeits.iter().map(|((entrant, reason), &games)| (*entrant, reason.as_str(), games))
    }

    /// The number of adjudicated games.
    pub(crate) fn adjudicated(&self) -> u32 {
        self.adjudicated
    }

    /// What an entrant's moves took.
    pub(crate) fn statistics(&self, entrant: usize) -> MoveStatistics {
        self.statistics[entrant]
    }

    /// All results of an entrant.
    pub(crate) fn record(&self, entrant: usize) -> Record {
        let mut total = Record::default();
        for (&[first, second], &record) in &self.pairings {
            let seen = match entrant {
                _ if entrant == first => record,
                _ if entrant == second => reversed(record),
                _ => continue,
            };
            total.wins += seen.wins;
            total.draws += seen.draws;
            total.losses += seen.losses;
        }
        total
    }
}

/// The record from the opponent's side.
fn reversed(record: Record) -> Record {
    Record { wins: record.losses, losses: record.wins, draws: record.draws }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_mirror_between_sides() {
        let record = Record { wins: 3, draws: 2, losses: 1 };
        let mut results = Results::new(3, &Schedule::gauntlet(3, 2));
        results.pairings.insert([0, 1], record);
        results.pairings.insert([0, 2], Record { wins: 1, draws: 0, losses: 0 });
        let seen = Record { wins: 1, draws: 2, losses: 3 };
        assert_eq!(results.record(1), seen);
        assert_eq!(results.record(0), Record { wins: 4, draws: 2, losses: 1 });
    }

    #[test]
    fn ratings_connect_everyone() {
        let mut results = Results::new(4, &Schedule::swiss(4, 2, 2));
        results.pairings.insert([0, 2], Record { wins: 2, draws: 0, losses: 0 });
        results.pairings.insert([1, 3], Record { wins: 2, draws: 0, losses: 0 });
        assert_eq!(results.connected_pairings().len(), 6);
        results.pairings.insert([0, 1], Record { wins: 1, draws: 0, losses: 1 });
        assert_eq!(results.connected_pairings().len(), 3);
    }
}

//! The results so far.

use std::collections::BTreeMap;

use noughts_scores::Record;

use crate::elo::PairResult;
use crate::played_game::{PairingResult, PlayedGame};
use crate::schedule::Schedule;

/// Results by pairing, and forfeits.
pub(crate) struct Results {
    pairings: Vec<PairResult>,
    /// How often each entrant forfeited for which reason.
    forfeits: BTreeMap<(usize, String), u32>,
}

impl Results {
    pub(crate) fn new(schedule: &Schedule) -> Results {
        let empty =
            |&[first, second]: &[usize; 2]| PairResult { first, second, record: Record::default() };
        Results {
            pairings: schedule.pairings().iter().map(empty).collect(),
            forfeits: BTreeMap::new(),
        }
    }

    pub(crate) fn count<M>(&mut self, played: PlayedGame<M>) {
        let record = &mut self.pairings[played.pairing].record;
        match played.result {
            PairingResult::Win => record.wins += 1,
            PairingResult::Draw => record.draws += 1,
            PairingResult::Loss => record.losses += 1,
        }
        if let Some(forfeit) = played.forfeit {
            *self.forfeits.entry(forfeit).or_default() += 1;
        }
    }

    /// Results by pairing, in schedule order.
    pub(crate) fn pairings(&self) -> &[PairResult] {
        &self.pairings
    }

    /// Forfeits: entrant, reason and number of games.
    pub(crate) fn forfeits(&self) -> impl Iterator<Item = (usize, &str, u32)> {
        self.forfeits.iter().map(|((entrant, reason), &games)| (*entrant, reason.as_str(), games))
    }

    /// All results of an entrant.
    pub(crate) fn record(&self, entrant: usize) -> Record {
        let mut total = Record::default();
        for &PairResult { first, second, record } in &self.pairings {
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
        let mut results = Results::new(&Schedule::gauntlet(3, 2));
        results.pairings[0].record = record;
        results.pairings[1].record = Record { wins: 1, draws: 0, losses: 0 };
        let seen = Record { wins: 1, draws: 2, losses: 3 };
        assert_eq!(results.record(1), seen);
        assert_eq!(results.record(0), Record { wins: 4, draws: 2, losses: 1 });
    }
}

//! Counting results.

use std::collections::BTreeMap;

use noughts_scores::Record;

use crate::contest::{PairingResult, Played};
use crate::elo::Pairing;
use crate::schedule::Schedule;

/// The results so far.
pub struct Tally {
    pairings: Vec<Pairing>,
    /// How often each entrant lost a game for each reason.
    forfeits: BTreeMap<(usize, String), u32>,
}

impl Tally {
    pub fn new(schedule: &Schedule) -> Tally {
        let empty =
            |&[first, second]: &[usize; 2]| Pairing { first, second, record: Record::default() };
        Tally {
            pairings: schedule.pairings().iter().map(empty).collect(),
            forfeits: BTreeMap::new(),
        }
    }

    pub fn count(&mut self, played: Played) {
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

    /// The results of each pairing, in the order of the schedule.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Who forfeited games, why, and how many.
    pub fn forfeits(&self) -> impl Iterator<Item = (usize, &str, u32)> {
        self.forfeits.iter().map(|((entrant, reason), &games)| (*entrant, reason.as_str(), games))
    }

    /// All results of an entrant.
    pub fn record(&self, entrant: usize) -> Record {
        let mut total = Record::default();
        for &Pairing { first, second, record } in &self.pairings {
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

/// The same games as the opponent sees them.
fn reversed(record: Record) -> Record {
    Record { wins: record.losses, losses: record.wins, draws: record.draws }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_sees_its_own_results() {
        let record = Record { wins: 3, draws: 2, losses: 1 };
        let mut tally = Tally::new(&Schedule::gauntlet(3, 2));
        tally.pairings[0].record = record;
        tally.pairings[1].record = Record { wins: 1, draws: 0, losses: 0 };
        let seen = Record { wins: 1, draws: 2, losses: 3 };
        assert_eq!(tally.record(1), seen);
        assert_eq!(tally.record(0), Record { wins: 4, draws: 2, losses: 1 });
    }
}

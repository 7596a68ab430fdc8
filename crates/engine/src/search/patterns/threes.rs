//! Wins by continuous threats: each move threatens to complete a line, or to make a four that can be
//! completed in two cells. Every answer that could help is tried, so that what is found is proven.

use std::collections::HashSet;

use super::field::{Field, Spot};
use super::fours::{Failed, Fours, Win};
use super::threat::Threat;
use crate::budget::{Meter, OutOfBudget};

/// The most threats in a row before only fours are left.
const MOST_THREATS: usize = 10;

/// What may be spent in each position on the question whether fours alone win.
const NODES_FOR_FOURS: u32 = 40;

/// A win of the seat to move by continuous threats, as far as the budget goes.
pub(super) fn find(field: &mut Field, failed: &mut Failed, meter: &mut Meter) -> Option<Win> {
    let depth = field.depth();
    let mut threes =
        Threes { field, meter, without_fours: failed, failed: HashSet::new(), cut: false };
    // Short wins first.
    for threats in 1..=MOST_THREATS {
        threes.cut = false;
        let found = threes.attack(threats);
        threes.field.undo_to(depth);
        match found {
            Ok(Some(win)) => return Some(win),
            Ok(None) if threes.cut => {}
            Ok(None) | Err(OutOfBudget) => return None,
        }
    }
    None
}

struct Threes<'a> {
    field: &'a mut Field,
    meter: &'a mut Meter,
    without_fours: &'a mut Failed,
    /// Positions in which no win was found with as many threats as were left.
    failed: HashSet<(u64, usize)>,
    /// Whether some branch was left because it had used up its threats.
    cut: bool,
}

impl Threes<'_> {
    /// A win of the seat to move with at most so many threats before fours alone win.
    fn attack(&mut self, threats: usize) -> Result<Option<Win>, OutOfBudget> {
        self.meter.spend()?;
        let (win, nodes) = Fours::find(self.field, self.without_fours, NODES_FOR_FOURS);
        self.meter.charge(nodes.into());
        if win.is_some() {
            return Ok(win);
        }
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        let must = match self.field.count(other, Threat::Line) {
            0 => None,
            1 => self.field.with_threat(other, Threat::Line).next(),
            _ => return Ok(None),
        };
        if threats == 0 {
            self.cut = true;
            return Ok(None);
        }
        let key = (self.field.key(), threats);
        if self.failed.contains(&key) {
            return Ok(None);
        }
        let mut moves: Vec<Spot> = match must {
            Some(spot) => vec![spot],
            None => self.field.with_threat(me, Threat::Three).collect(),
        };
        moves.retain(|&spot| self.field.threat(me, spot) >= Threat::Three);
        moves.sort_by_key(|&spot| std::cmp::Reverse(self.field.urgency(me, spot)));
        for spot in moves {
            self.field.play(spot);
            let plies = self.plies_to_lose(threats - 1)?;
            self.field.undo();
            if let Some(plies) = plies {
                return Ok(Some(Win { spot, plies: plies + 1 }));
            }
        }
        self.failed.insert(key);
        Ok(None)
    }

    /// After how many plies the seat to move has lost at the latest, whatever it does; `None` if
    /// it may hold.
    fn plies_to_lose(&mut self, threats: usize) -> Result<Option<u32>, OutOfBudget> {
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        if self.field.count(me, Threat::Line) > 0 {
            return Ok(None);
        }
        let lines = self.field.count(other, Threat::Line);
        // What becomes of a threat that is not answered.
        let mut longest = if lines > 0 { 2 } else { 4 };
        let answers: Vec<Spot> = match lines {
            0 if self.field.count(other, Threat::TwoFours) == 0 => return Ok(None),
            // Only what makes a four, or hinders one, answers a threat of two fours.
            0 => {
                let is_answer = |spot: &Spot| {
                    let (mine, theirs) =
                        (self.field.threat(me, *spot), self.field.threat(other, *spot));
                    mine.max(theirs) >= Threat::Four
                };
                self.field.empties().filter(is_answer).collect()
            }
            1 => self.field.with_threat(other, Threat::Line).collect(),
            _ => return Ok(Some(2)),
        };
        for answer in answers {
            self.field.play(answer);
            let win = self.attack(threats)?;
            self.field.undo();
            let Some(win) = win else { return Ok(None) };
            longest = longest.max(win.plies + 1);
        }
        Ok(Some(longest))
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Cell, Position};
    use proptest::prelude::*;

    use super::*;
    use crate::budget::Budget;
    use crate::solve::Prover;
    use crate::verdict::Value;

    fn win(text: &str, nodes: u64) -> Option<Win> {
        let mut field = Field::new(&text.parse().unwrap()).unwrap();
        let mut meter = Meter::new(&Budget::unlimited().with_nodes(nodes));
        find(&mut field, &mut Failed::new(), &mut meter)
    }

    #[test]
    fn finds_known_patterns() {
        // F6 makes two open threes.
        let two_threes = win("11x11:5 o9o/11/11/5x5/5x5/6xx3/11/11/11/11/o9o x", 10_000);
        assert_eq!(two_threes.map(|win| win.plies), Some(5));
        // Three stones with nobody near: several threes in a row.
        let far = win("11x11:5 o9o/11/11/11/11/4xx5/5x5/11/11/11/o10 x", 200_000);
        assert!(far.is_some_and(|win| win.plies >= 7), "{far:?}");
        assert_eq!(win("11x11:5 11/11/11/11/11/5x5/5o5/11/11/11/11 x", 10_000), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Whatever is found is a win that the solver confirms, and not shorter than possible.
        #[test]
        fn wins_by_threats_are_wins(
            exact in any::<bool>(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 2..12),
        ) {
            let rules = if exact { "6x6:4+exact" } else { "6x6:4" };
            let mut position = Position::new(&rules.parse().unwrap());
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            if let Some(win) = win(&position.to_string(), 5_000) {
                let mut prover = Prover::new(&position, &Budget::unlimited()).unwrap();
                let Ok(Value::Win { plies }) = prover.value() else {
                    return Err(TestCaseError::fail(format!("{position}: {win:?}")));
                };
                prop_assert!(u32::from(plies) <= win.plies);
            }
        }
    }
}

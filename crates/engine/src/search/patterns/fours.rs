//! Wins by continuous fours: each move threatens to complete a line, so that each reply is forced.

use super::field::{Field, Spot};
use super::threat::Threat;

/// A win of the seat to move, found by looking at so many positions at most.
#[derive(Debug)]
pub(super) struct Fours<'a> {
    field: &'a mut Field,
    nodes_left: u32,
    /// Positions from which there is no win; a small table in which the newest stays.
    failed: &'a mut Failed,
}

/// A win: its first move, and after how many plies it is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Win {
    pub(super) spot: Spot,
    pub(super) plies: u32,
}

/// Keys of positions that are known not to be won by fours alone.
#[derive(Debug, Clone)]
pub(super) struct Failed {
    keys: Vec<u64>,
}

impl Failed {
    pub(super) fn new() -> Failed {
        Failed { keys: vec![0; 1 << 14] }
    }

    fn contains(&self, key: u64) -> bool {
        self.keys[self.place(key)] == key
    }

    fn insert(&mut self, key: u64) {
        let place = self.place(key);
        self.keys[place] = key;
    }

    fn place(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.keys.len() - 1)
    }
}

impl<'a> Fours<'a> {
    /// A win of the seat to move, and how many positions were looked at.
    pub(super) fn find(
        field: &'a mut Field,
        failed: &'a mut Failed,
        most_nodes: u32,
    ) -> (Option<Win>, u32) {
        let depth = field.depth();
        let mut fours = Fours { field, nodes_left: most_nodes, failed };
        let win = fours.win(None);
        let nodes = most_nodes - fours.nodes_left;
        fours.field.undo_to(depth);
        (win, nodes)
    }

    /// A win in which, if that matters, the last reply is near.
    fn win(&mut self, last_reply: Option<Spot>) -> Option<Win> {
        self.nodes_left = self.nodes_left.checked_sub(1)?;
        let (me, other) = (self.field.turn(), 1 - self.field.turn());
        if self.field.count(me, Threat::Line) > 0 {
            let spot = self.field.with_threat(me, Threat::Line).next()?;
            return Some(Win { spot, plies: 1 });
        }
        let must = match self.field.count(other, Threat::Line) {
            0 => None,
            1 => self.field.with_threat(other, Threat::Line).next(),
            _ => return None,
        };
        if must.is_none() && self.field.count(me, Threat::TwoFours) > 0 {
            let spot = self.field.with_threat(me, Threat::TwoFours).next()?;
            return Some(Win { spot, plies: 3 });
        }
        let key = self.field.key();
        if self.failed.contains(key) {
            return None;
        }
        let mut moves: Vec<Spot> = match must {
            Some(spot) if self.field.threat(me, spot) >= Threat::Four => vec![spot],
            Some(_) => return None,
            None => self.field.with_threat(me, Threat::Four).collect(),
        };
        // Fours that leave a three behind first, then those that go on where the last one was.
        moves.sort_by_key(|&spot| {
            let three = self.field.threat(me, spot) > Threat::Four;
            (!three, last_reply.map_or(0, |last| self.field.distance(last, spot)))
        });
        for spot in moves {
            self.field.play(spot);
            let reply = match self.field.count(me, Threat::Line) {
                // With `exact` a move can spoil the very line that it should have completed.
                0 => None,
                1 => self.field.with_threat(me, Threat::Line).next(),
                _ => {
                    self.field.undo();
                    return Some(Win { spot, plies: 3 });
                }
            };
            let win = reply.and_then(|reply| {
                self.field.play(reply);
                let win = self.win(Some(spot));
                self.field.undo();
                win
            });
            self.field.undo();
            if let Some(win) = win {
                return Some(Win { spot, plies: win.plies + 2 });
            }
            if self.nodes_left == 0 {
                return None;
            }
        }
        self.failed.insert(key);
        None
    }
}

#[cfg(test)]
mod tests {
    use noughts_rules::{Cell, Outcome, Position, Rules};
    use proptest::prelude::*;

    use super::*;
    use crate::budget::Budget;
    use crate::solve::Prover;
    use crate::verdict::Value;

    fn win(position: &Position) -> Option<Win> {
        let mut field = Field::new(position).unwrap();
        let before = field.key();
        let (win, _) = Fours::find(&mut field, &mut Failed::new(), 20_000);
        assert_eq!(field.key(), before);
        win
    }

    /// Every position of the collection, see there. Each reply is the only one, so that playing
    /// on must lead to a line.
    #[test]
    fn finds_wins_from_real_games() {
        let wins = include_str!("../../../tests/data/continuous-fours.txt").lines();
        for text in wins.filter(|line| !line.starts_with('#')) {
            let (_, position) = text.split_once(' ').unwrap();
            let mut position: Position = position.parse().unwrap();
            let winner = position.turn().map(Outcome::Win);
            loop {
                let field = Field::new(&position).unwrap();
                let Win { spot, plies } = win(&position).unwrap_or_else(|| panic!("{text}"));
                let cell = |spot: Spot| position.rules().cells().nth(field.number(spot)).unwrap();
                let own = cell(spot);
                if plies == 1 {
                    assert_eq!(position.play(own), Ok(winner), "{text}");
                    break;
                }
                let mut after = field.clone();
                after.play(spot);
                let reply = after.with_threat(field.turn(), Threat::Line).next().expect("a four");
                let reply = cell(reply);
                assert_eq!(position.play(own), Ok(None), "{text}");
                assert_eq!(position.play(reply), Ok(None), "{text}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Whatever is found is a win that the solver confirms, and not shorter than possible.
        #[test]
        fn wins_by_fours_are_wins(
            exact in any::<bool>(),
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 4..14),
        ) {
            let rules: Rules = if exact { "6x6:4+exact" } else { "6x6:4" }.parse().unwrap();
            let mut position = Position::new(&rules);
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            if let Some(win) = win(&position) {
                let mut prover = Prover::new(&position, &Budget::unlimited()).unwrap();
                let Ok(Value::Win { plies }) = prover.value() else {
                    return Err(TestCaseError::fail(format!("{position}: {win:?}")));
                };
                prop_assert!(u32::from(plies) <= win.plies);
            }
        }
    }
}

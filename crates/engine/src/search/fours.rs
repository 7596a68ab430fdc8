//! Wins by continuous fours: each move threatens to complete a line, so that each reply is forced.

use std::collections::HashSet;

use crate::board::Board;
use crate::budget::{Meter, OutOfBudget};
use crate::threats::nearly_full;

/// The most threats in a row, and positions enough to find the wins of real games.
const MOST_THREATS: usize = 30;
pub(crate) const MOST_NODES: u64 = 20_000;

/// The seat to move's own moves of a win in which every reply is forced, the last of them
/// completing a line. Looks at so many positions at most for each of some growing lengths. Meant
/// for two seats and boards on which every empty cell can be played.
pub(crate) fn find_win(
    board: &mut Board,
    meter: &mut Meter,
    most_nodes: u64,
) -> Option<Vec<usize>> {
    let depth = board.depth();
    // Short wins first.
    for threats in (1..=MOST_THREATS).step_by(3) {
        let mut line = Vec::new();
        let mut fours =
            Fours { board, meter, failed: HashSet::new(), nodes_left: most_nodes, cut: false };
        let found = fours.wins(threats, &mut line);
        let cut = fours.cut;
        board.undo_to(depth);
        match found {
            Ok(true) => return Some(line),
            Ok(false) if cut => {}
            Ok(false) | Err(OutOfBudget) => return None,
        }
    }
    None
}

struct Fours<'a> {
    board: &'a mut Board,
    meter: &'a mut Meter,
    /// Positions from which there is no win with as many threats as were left.
    failed: HashSet<(u64, usize)>,
    nodes_left: u64,
    /// Whether some branch was left because it had used up its threats.
    cut: bool,
}

impl Fours<'_> {
    fn wins(&mut self, threats: usize, line: &mut Vec<usize>) -> Result<bool, OutOfBudget> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(OutOfBudget)?;
        self.meter.spend()?;
        let (seat, other) = (self.board.turn(), self.board.opponent());
        if let Some(&cell) = self.board.winning(seat).iter().min() {
            line.push(cell.into());
            return Ok(true);
        }
        if threats == 0 {
            self.cut = true;
            return Ok(false);
        }
        let must = match *self.board.winning(other) {
            [] => None,
            [cell] => Some(usize::from(cell)),
            _ => return Ok(false),
        };
        let key = (self.board.key(), threats);
        if self.failed.contains(&key) {
            return Ok(false);
        }
        for cell in self.threatening_moves(seat, must) {
            line.push(cell);
            self.board.play(cell);
            let won = match *self.board.winning(seat) {
                // With `exact` a move can spoil the very line that it should have completed.
                [] => false,
                [reply] => {
                    self.board.play(reply.into());
                    let won = self.wins(threats - 1, line)?;
                    self.board.undo();
                    won
                }
                [first, second, ..] => {
                    line.push(first.min(second).into());
                    true
                }
            };
            self.board.undo();
            if won {
                return Ok(true);
            }
            line.truncate(line.len() - 1);
        }
        self.failed.insert(key);
        Ok(false)
    }

    /// Moves after which the seat could complete a line; only the one that must be played, if so.
    fn threatening_moves(&self, seat: usize, must: Option<usize>) -> Vec<usize> {
        let threatens = |&cell: &usize| nearly_full(self.board, seat, cell).next().is_some();
        match must {
            Some(cell) => Some(cell).filter(threatens).into_iter().collect(),
            None => self.board.legal_moves().filter(threatens).collect(),
        }
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

    fn line(position: &Position) -> Option<Vec<usize>> {
        find_win(&mut Board::new(position), &mut Meter::new(&Budget::unlimited()), MOST_NODES)
    }

    #[test]
    fn finds_a_win_of_several_threats() {
        // B5 threatens B6. After that answer E5 threatens both A5 and F5.
        let position: Position =
            "10x10:5 10/oxxx6/4x5/4x5/10/10/o7o1/10/2o7/7o2 x".parse().unwrap();
        let line = line(&position).expect("a win");
        let board = Board::new(&position);
        let cells: Vec<String> = line.iter().map(|&cell| board.cell(cell).to_string()).collect();
        assert_eq!(cells, ["B5", "E5", "A5"]);
    }

    /// Every position of the collection, see there. Each reply in them is the only one.
    #[test]
    fn finds_wins_from_real_games() {
        let wins = include_str!("../../tests/data/continuous-fours.txt").lines();
        for win in wins.filter(|line| !line.starts_with('#')) {
            let (plies, position) = win.split_once(' ').unwrap();
            let mut position: Position = position.parse().unwrap();
            let winner = position.turn().map(Outcome::Win);
            let line = line(&position).unwrap_or_else(|| panic!("no win found: {win}"));
            assert!(2 * line.len() > plies.parse().unwrap(), "too short: {win}");
            let (last, fours) = line.split_last().unwrap();
            for &cell in fours {
                let mut board = Board::new(&position);
                assert!(board.winning(board.opponent()).iter().all(|&must| cell == must.into()));
                position.play(board.cell(cell)).unwrap();
                board.play(cell);
                let replies = board.winning(board.opponent());
                let reply = replies.iter().copied().find(|&reply| usize::from(reply) != *last);
                let reply = reply.or(replies.first().copied()).expect("a four");
                position.play(board.cell(reply.into())).unwrap();
            }
            assert_eq!(position.play(Board::new(&position).cell(*last)), Ok(winner), "{win}");
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
            if let Some(line) = line(&position) {
                let mut prover = Prover::new(&position, &Budget::unlimited()).unwrap();
                let Ok(Value::Win { plies }) = prover.value() else {
                    return Err(TestCaseError::fail(format!("{position}: {line:?}")));
                };
                prop_assert!(usize::from(plies) < 2 * line.len());
            }
        }
    }
}

//! Wins by continuous threats: each move threatens to complete a line, or to make two such threats
//! at once. Every answer that could help is tried, so that what is found is proven.

use std::collections::HashSet;

use super::fours;
use crate::board::Board;
use crate::budget::{Meter, OutOfBudget};
use crate::threats::{Fork, forks, makes_threat};

/// The most threats in a row before only fours are left, and the most positions that may be
/// looked at.
const MOST_THREATS: usize = 10;
const MOST_NODES: u64 = 100_000;

/// What may be spent in each position on the question whether fours alone win.
const NODES_FOR_FOURS: u64 = 60;

/// A move that wins, and after how many plies at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Win {
    pub(crate) cell: usize,
    pub(crate) plies: u16,
}

/// A win of the seat to move by continuous threats. Meant for two seats, boards on which every
/// empty cell can be played, and rules by which a fork wins.
pub(crate) fn find_win(board: &mut Board, meter: &mut Meter) -> Option<Win> {
    let depth = board.depth();
    let last_node = meter.nodes() + MOST_NODES;
    let (failed, without_fours) = (HashSet::new(), HashSet::new());
    let mut threes = Threes { board, meter, failed, without_fours, last_node, cut: false };
    // Short wins first.
    for threats in 1..=MOST_THREATS {
        threes.cut = false;
        let found = threes.attack(threats);
        threes.board.undo_to(depth);
        match found {
            Ok(Some(win)) => return Some(win),
            Ok(None) if threes.cut => {}
            Ok(None) | Err(OutOfBudget) => return None,
        }
    }
    None
}

/// The answers to the threats of the seat that is not to move: after any other move, it wins by
/// one of them. `None` if there is no threat to answer.
fn answers(board: &Board) -> Option<Vec<usize>> {
    let (defender, attacker) = (board.turn(), board.opponent());
    if let [first, rest @ ..] = board.winning(attacker) {
        return Some(if rest.is_empty() { vec![usize::from(*first)] } else { Vec::new() });
    }
    let threats: Vec<Fork> = forks(board, attacker).collect();
    let answers = |&cell: &usize| {
        threats.iter().all(|fork| fork.is_met_by(cell)) || makes_threat(board, defender, cell)
    };
    (!threats.is_empty()).then(|| board.legal_moves().filter(answers).collect())
}

struct Threes<'a> {
    board: &'a mut Board,
    meter: &'a mut Meter,
    /// Positions in which no win was found with as many threats as were left.
    failed: HashSet<(u64, usize)>,
    /// Positions in which fours alone do not win, as far as was looked.
    without_fours: HashSet<u64>,
    last_node: u64,
    /// Whether some branch was left because it had used up its threats.
    cut: bool,
}

impl Threes<'_> {
    /// A win of the seat to move with at most so many threats before fours alone win.
    fn attack(&mut self, threats: usize) -> Result<Option<Win>, OutOfBudget> {
        self.spend()?;
        let must = match *self.board.winning(self.board.opponent()) {
            [] => None,
            [cell] => Some(usize::from(cell)),
            _ if self.board.winning(self.board.turn()).is_empty() => return Ok(None),
            _ => None,
        };
        let key = self.board.key();
        if self.failed.contains(&(key, threats)) {
            return Ok(None);
        }
        if self.without_fours.insert(key)
            && let Some(line) = fours::find_win(self.board, self.meter, NODES_FOR_FOURS)
        {
            self.without_fours.remove(&key);
            let win = |&cell| Win { cell, plies: 2 * line.len() as u16 - 1 };
            return Ok(line.first().map(win));
        }
        if threats == 0 {
            self.cut = true;
            return Ok(None);
        }
        let moves = must.map_or_else(|| self.promising_moves(), |cell| vec![cell]);
        for cell in moves {
            self.board.play(cell);
            let plies = self.plies_to_lose(threats - 1)?;
            self.board.undo();
            if let Some(plies) = plies {
                return Ok(Some(Win { cell, plies: plies + 1 }));
            }
        }
        self.failed.insert((key, threats));
        Ok(None)
    }

    /// After how many plies the seat to move has lost at the latest, whatever it does; `None` if
    /// it may hold.
    fn plies_to_lose(&mut self, threats: usize) -> Result<Option<u16>, OutOfBudget> {
        self.spend()?;
        if !self.board.winning(self.board.turn()).is_empty() {
            return Ok(None);
        }
        let Some(answers) = answers(self.board) else { return Ok(None) };
        let is_four = !self.board.winning(self.board.opponent()).is_empty();
        // What becomes of a threat that is not answered.
        let mut longest = if is_four { 2 } else { 4 };
        for answer in answers {
            self.board.play(answer);
            let win = self.attack(threats)?;
            self.board.undo();
            let Some(win) = win else { return Ok(None) };
            longest = longest.max(win.plies + 1);
        }
        Ok(Some(longest))
    }

    /// The moves that may threaten something, those where most is at stake first.
    fn promising_moves(&self) -> Vec<usize> {
        let (board, seat) = (&*self.board, self.board.turn());
        let least = board.geometry().k.saturating_sub(3);
        let promises = |&cell: &usize| {
            let mut lines = board.geometry().lines_through(cell).iter();
            lines.any(|&line| board.stones_if_open(seat, line.into()).is_some_and(|n| n >= least))
        };
        let mut moves: Vec<usize> = board.legal_moves().filter(promises).collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(board.stakes(seat, cell)));
        moves
    }

    fn spend(&mut self) -> Result<(), OutOfBudget> {
        if self.meter.nodes() >= self.last_node {
            return Err(OutOfBudget);
        }
        self.meter.spend()
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

    fn win(board: &mut Board) -> Option<Win> {
        find_win(board, &mut Meter::new(&Budget::unlimited()))
    }

    /// Plays the win against every answer to each threat, and at first against every legal move.
    fn play_out(board: &mut Board, plies: u16, at_first: bool) {
        let win = win(board).expect("still a win");
        assert!(win.plies <= plies, "{} instead of {plies}", win.plies);
        if !board.play(win.cell) {
            let listed = answers(board).filter(|answers| !at_first && !answers.is_empty());
            for reply in listed.unwrap_or_else(|| board.legal_moves().collect()) {
                assert!(!board.play(reply), "the defender wins");
                play_out(board, win.plies - 2, false);
                board.undo();
            }
        }
        board.undo();
    }

    fn check(text: &str, plies: u16) {
        let mut board = Board::new(&text.parse().unwrap());
        let win = win(&mut board).expect("a win");
        assert_eq!(win.plies, plies, "{text}");
        play_out(&mut board, plies, true);
    }

    #[test]
    fn finds_known_patterns() {
        // F6 makes two open threes.
        check("11x11:5 o9o/11/11/5x5/5x5/6xx3/11/11/11/11/o9o x", 5);
        // E6 makes a four, and a three that is open when the four is answered.
        check("11x11:5 o9o/11/11/11/1oxxx6/5x5/5x5/11/11/11/o9o x", 5);
        // Three stones with nobody near: several threes in a row.
        check("11x11:5 o9o/11/11/11/11/4xx5/5x5/11/11/11/o10 x", 15);
    }

    #[test]
    fn finds_nothing_where_there_is_nothing() {
        let texts = [
            "11x11:5 11/11/11/11/11/5x5/5o5/11/11/11/11 x",
            "11x11:5 11/11/11/11/11/4xx5/11/11/11/11/o10 o",
        ];
        for text in texts {
            assert_eq!(win(&mut Board::new(&text.parse().unwrap())), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Whatever is found is a win that the solver confirms, and not shorter than possible.
        #[test]
        fn wins_by_threats_are_wins(
            moves in proptest::collection::vec(any::<prop::sample::Index>(), 2..12),
        ) {
            let mut position = Position::new(&"6x6:4".parse().unwrap());
            for choice in moves {
                let legal: Vec<Cell> = position.legal_moves().collect();
                if position.play(*choice.get(&legal)).unwrap().is_some() {
                    position.undo().unwrap();
                    break;
                }
            }
            if let Some(win) = win(&mut Board::new(&position)) {
                let mut prover = Prover::new(&position, &Budget::unlimited()).unwrap();
                let Ok(Value::Win { plies }) = prover.value() else {
                    return Err(TestCaseError::fail(format!("{position}: {win:?}")));
                };
                prop_assert!(plies <= win.plies);
            }
        }
    }
}

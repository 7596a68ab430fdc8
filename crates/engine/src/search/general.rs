//! Search for any rules: iterative deepening with an evaluation of the open lines.
//!
//! The searching seat takes the best for itself and expects all others to choose what is worst
//! for it (with two seats, that is what they do). What comes out is an estimate: moves that look
//! bad are not looked at. Only a win by continuous threats is a proof.

use std::sync::Arc;

use noughts_rules::Position;

use super::evaluation::Weights;
use super::memory::{Bound, Memory, Remembered};
use super::{Effort, Found, MATE, Outlook, Way};
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::threats::{Fork, forks, makes_threat, urgency};
use crate::verdict::Verdict;

/// The most plies of forced replies that are followed without counting as depth.
const MOST_FORCED: u32 = 40;

#[derive(Clone)]
pub(super) struct GeneralSearch {
    pub(super) board: Board,
    pub(super) meter: Meter,
    /// For whom the search is made.
    me: usize,
    weights: Arc<Weights>,
    memory: Arc<Memory>,
    effort: Effort,
    /// For each ply from the root, the moves that are expected from there on.
    lines: Vec<Vec<usize>>,
    /// The best line of the last depth that was searched to its end.
    best_line: Vec<usize>,
}

impl GeneralSearch {
    pub(super) fn new(position: &Position, budget: &Budget, effort: Effort) -> GeneralSearch {
        let board = Board::new(position);
        let weights = Arc::new(Weights::new(&board));
        let me = board.turn();
        let places = 1 << board.geometry().cells.clamp(8, 17);
        let places = budget.places(places, Memory::BYTES_OF_A_PLACE);
        let memory = Arc::new(Memory::new(places as usize));
        let meter = Meter::new(budget);
        let (lines, best_line) = (Vec::new(), Vec::new());
        GeneralSearch { board, meter, me, weights, memory, effort, lines, best_line }
    }

    /// Searches all moves and brings the best to the front. Where the budget runs out on the way,
    /// the best so far is at the front.
    fn search_root(&mut self, moves: &mut [usize], depth: u32) -> Result<i32, OutOfBudget> {
        let mut alpha = -MATE;
        for i in 0..moves.len() {
            let start = self.board.depth();
            let score = self.score_after(moves[i], depth, alpha, MATE, 0);
            self.board.undo_to(start);
            let score = score?;
            if score > alpha || i == 0 {
                alpha = score;
                self.expect(moves[i], 0);
                moves[..=i].rotate_right(1);
            }
        }
        Ok(alpha)
    }

    /// What the position after a move is worth for the searching seat.
    fn score_after(
        &mut self,
        cell: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.meter.spend()?;
        self.expect_nothing(ply + 1);
        let mover = self.board.turn();
        let completed = self.board.play(cell);
        let score = if completed {
            let won = (mover == self.me) != self.board.geometry().misere;
            let mate = MATE - ply as i32 - 1;
            if won { mate } else { -mate }
        } else if self.board.empty() == 0 {
            0
        } else {
            self.score(depth - 1, alpha, beta, ply + 1)?
        };
        self.board.undo();
        Ok(score)
    }

    fn score(
        &mut self,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        let mine = self.board.turn() == self.me;
        match self.glance(ply) {
            Glance::Settled(score) => return Ok(score),
            Glance::Forced(cell) if ply < MOST_FORCED => {
                let score = self.score_after(cell, depth + 1, alpha, beta, ply)?;
                self.expect(cell, ply);
                return Ok(score);
            }
            _ => {}
        }
        if depth == 0 {
            return Ok(self.weights.estimate(&self.board, self.me));
        }
        let key = self.board.key();
        let known = self.memory.get(key);
        if let Some(score) = known.and_then(|known| known.cuts(depth, alpha, beta)) {
            return Ok(score);
        }
        let mut moves = self.candidates(self.effort.width);
        if let Some(place) =
            known.and_then(|k| moves.iter().position(|&cell| cell == usize::from(k.best)))
        {
            moves[..=place].rotate_right(1);
        }
        let (low, high) = (alpha, beta);
        let mut best = if mine { -MATE } else { MATE };
        let mut best_cell = moves.first().copied().unwrap_or_default();
        for cell in moves {
            let score = self.score_after(cell, depth, alpha, beta, ply)?;
            if alpha < score && score < beta {
                self.expect(cell, ply);
            }
            if (mine && score > best) || (!mine && score < best) {
                (best, best_cell) = (score, cell);
            }
            if mine {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            _ if best <= low => Bound::AtMost,
            _ if best >= high => Bound::AtLeast,
            _ => Bound::Exact,
        };
        // How far a mate is depends on the way here, which the key does not tell.
        if best.abs() < MATE / 2 {
            let depth = depth.min(255) as u8;
            let best_cell = best_cell as u16;
            self.memory.put(key, Remembered { score: best, best: best_cell, depth, bound });
        }
        Ok(best)
    }

    /// Remembers that so many plies from the root nothing is expected any more.
    fn expect_nothing(&mut self, ply: u32) {
        let ply = ply as usize;
        self.lines.resize_with(self.lines.len().max(ply + 1), Vec::new);
        self.lines[ply].clear();
    }

    /// Remembers that so many plies from the root a move is expected, and what follows on it.
    fn expect(&mut self, cell: usize, ply: u32) {
        let (until, after) = self.lines.split_at_mut(ply as usize + 1);
        if let (Some(line), Some(rest)) = (until.last_mut(), after.first()) {
            line.clear();
            line.push(cell);
            line.extend(rest);
        }
    }

    /// What is clear without search: wins at once, and threats that must be answered.
    fn glance(&self, ply: u32) -> Glance {
        let board = &self.board;
        let mover = board.turn();
        if board.geometry().misere {
            return Glance::Open;
        }
        let mate = |won: bool, plies: u32| {
            let mate = MATE - (ply + plies) as i32;
            Glance::Settled(if won { mate } else { -mate })
        };
        if self.playable(mover).next().is_some() {
            return mate(mover == self.me, 1);
        }
        // Who can win before the mover is on turn again, unless the mover prevents it now. The
        // others are taken to be of one mind, so they leave it to the last of them to block.
        let mut threats: Vec<usize> = Vec::new();
        if mover == self.me {
            let others = board.order().iter().map(|&seat| usize::from(seat));
            threats.extend(others.filter(|&seat| seat != mover).flat_map(|s| self.playable(s)));
            threats.sort_unstable();
            threats.dedup();
        } else if board.next_turn() == self.me {
            threats.extend(self.playable(self.me));
        }
        match threats[..] {
            [] => {}
            [cell] => return Glance::Forced(cell),
            _ => return mate(mover != self.me, 2),
        }
        if self.forks_count() && forks(board, mover).next().is_some() {
            return mate(mover == self.me, 3);
        }
        Glance::Open
    }

    /// The moves to look at, most urgent first.
    fn candidates(&self, width: usize) -> Vec<usize> {
        let board = &self.board;
        if let Glance::Forced(cell) = self.glance(0) {
            return vec![cell];
        }
        let geometry = board.geometry();
        let mover = board.turn();
        let threats: Vec<Fork> =
            if self.forks_count() { forks(board, board.opponent()).collect() } else { Vec::new() };
        let meets = |cell: usize| {
            threats.iter().all(|fork| fork.is_met_by(cell)) || makes_threat(board, mover, cell)
        };
        let mut moves: Vec<(u32, std::cmp::Reverse<usize>, usize)> = board
            .legal_moves()
            .filter(|&cell| meets(cell))
            .map(|cell| {
                let off_centre = std::cmp::Reverse(board.geometry().off_centre(cell));
                (urgency(board, cell), off_centre, cell)
            })
            .collect();
        if moves.is_empty() {
            // Every move lets a fork happen.
            moves.extend(board.legal_moves().map(|c| (urgency(board, c), std::cmp::Reverse(0), c)));
        }
        moves.sort_unstable_by(|a, b| b.cmp(a));
        if geometry.misere {
            moves.reverse();
            moves.sort_by_key(|&(_, _, cell)| board.completes(mover, cell));
        }
        moves.truncate(width);
        moves.into_iter().map(|(_, _, cell)| cell).collect()
    }

    /// What the seat to move will do, as far as that is clear or remembered.
    fn expected_move(&self) -> Option<usize> {
        let clear = match self.glance(0) {
            Glance::Forced(cell) => Some(cell),
            Glance::Settled(_) => self.playable(self.board.turn()).next(),
            Glance::Open => None,
        };
        let known = || self.memory.get(self.board.key()).filter(|k| k.bound == Bound::Exact);
        let remembered = || known().map(|known| usize::from(known.best));
        clear.or_else(remembered).filter(|&cell| self.board.is_legal(cell))
    }

    /// The cells in which the seat completes a line if it is its turn.
    fn playable(&self, seat: usize) -> impl Iterator<Item = usize> + '_ {
        let cells = self.board.winning(seat).iter().map(|&cell| usize::from(cell));
        cells.filter(|&cell| self.board.is_legal(cell))
    }

    /// Whether two winning cells at once win: between two seats, where any empty cell can be
    /// played and stones do not spoil lines of their own.
    pub(super) fn forks_count(&self) -> bool {
        let geometry = self.board.geometry();
        let free = !geometry.misere && !geometry.gravity && !geometry.exact;
        free && self.board.order().len() == 2
    }
}

impl Way for GeneralSearch {
    fn look(&mut self) -> Option<Outlook> {
        let mut moves = self.candidates(self.effort.root_width);
        moves.first()?;
        if let Some(found) = self.forced_win() {
            return Some(Outlook::Won(found));
        }
        self.keep_moves_against_fours(&mut moves);
        Some(Outlook::Open(moves))
    }

    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (Found, u32) {
        let mut moves = moves.to_vec();
        let mut found = Found {
            cell: moves[0],
            verdict: Verdict::Estimate(self.weights.estimate(&self.board, self.me)),
        };
        let plies = self.most_plies();
        let mut reached = 0;
        for depth in first_depth.min(plies)..=plies {
            let Ok(score) = self.search_root(&mut moves, depth) else { break };
            found = Found { cell: moves[0], verdict: Verdict::Estimate(score) };
            self.best_line.clone_from(&self.lines[0]);
            reached = depth;
            if score.abs() > MATE / 2 || moves.len() == 1 {
                break;
            }
        }
        (found, reached)
    }

    fn score_at(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget> {
        let start = self.board.depth();
        let score = self.score_after(cell, depth, -MATE, MATE, 0);
        self.board.undo_to(start);
        score
    }

    fn glimpse(&mut self, cell: usize) -> i32 {
        let completed = self.board.play(cell);
        let score = match completed {
            true if self.board.geometry().misere => 1 - MATE,
            true => MATE - 1,
            false => self.weights.estimate(&self.board, self.me),
        };
        self.board.undo();
        score
    }

    fn most_plies(&self) -> u32 {
        self.effort.most_plies.min(self.board.empty() as u32)
    }

    fn line(&mut self, found: Found) -> Vec<usize> {
        let start = self.board.depth();
        // Another thread may have found another move.
        let known = self.best_line.starts_with(&[found.cell]);
        let mut line = if known { self.best_line.clone() } else { vec![found.cell] };
        let mut next = line.pop();
        line.iter().for_each(|&cell| _ = self.board.play(cell));
        while let Some(cell) = next {
            line.push(cell);
            if self.board.play(cell) || self.board.empty() == 0 {
                break;
            }
            let wins = found.verdict.proven().is_some() && self.board.turn() == self.me;
            let forced = if wins { self.forced_win().map(|found| found.cell) } else { None };
            next = forced.or_else(|| self.expected_move());
        }
        self.board.undo_to(start);
        line
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }
}

enum Glance {
    /// The score is known.
    Settled(i32),
    /// Every other move loses at once.
    Forced(usize),
    Open,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X would win by B5 (threatening B6) and then E5, deeper than the search looks.
    #[test]
    fn a_threat_of_continuous_fours_is_met() {
        let mut position: Position =
            "10x10:5 10/oxxx6/4x5/4x5/10/10/o7o1/10/2o7/10 o".parse().unwrap();
        let budget = Budget::unlimited().with_nodes(2_000);
        let effort = Effort { most_plies: 1, ..Effort::FULL };
        let mut search = GeneralSearch::new(&position, &budget, effort);
        let Some(Outlook::Open(moves)) = search.look() else { panic!("{position}") };
        let (found, _) = search.deepen(&moves, 1);
        position.play(search.board.cell(found.cell)).unwrap();
        let mut meter = Meter::new(&Budget::unlimited());
        assert_eq!(
            super::super::fours::find_win(
                &mut Board::new(&position),
                &mut meter,
                super::super::fours::MOST_NODES
            ),
            None
        );
    }
}

//! Alpha-beta search for all rules, with an evaluation of open lines.
//!
//! With more than two seats it is a max-n search. The width is limited, so scores are estimates. Only
//! a VCF or VCT is a proof.

mod immediate;
mod line_eval;
mod max_n;

use std::cmp::Reverse;
use std::sync::Arc;

use noughts_rules::Position;

use super::threat_search::{NoVcfTable, find_forced_win, vcf};
use super::transposition_table::{Bound, TranspositionTable, TtEntry};
use super::{MATE, RootProbe, ScoredMove, SearchLimits, Searcher};
use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::threats::{Defences, threats_apply, urgency, winning_cells};
use crate::verdict::{Value, Verdict};
use immediate::{Immediate, forks_win, immediate_threats, turn_tactics};
use line_eval::LineEval;
pub(crate) use line_eval::single_stone_value;
use max_n::MAX_DEPTH_OF_MAX_N;

/// Forced replies beyond this ply count as depth.
const MAX_FORCED_PLY: u32 = 40;

/// Node limit of the VCF searches that filter the root moves.
const MAX_VCF_NODES: u32 = 20_000;

#[derive(Clone)]
pub(super) struct GeneralSearch {
    board: Board,
    meter: Meter,
    /// The searching seat.
    me: usize,
    eval: Arc<LineEval>,
    table: Arc<TranspositionTable>,
    no_vcf: NoVcfTable,
    limits: SearchLimits,
    /// The principal variation from each ply on.
    pvs: Vec<Vec<usize>>,
    /// The principal variation of the last completed depth.
    best_pv: Vec<usize>,
}

impl GeneralSearch {
    pub(super) fn new(position: &Position, budget: &Budget, limits: SearchLimits) -> GeneralSearch {
        GeneralSearch::on_board(Board::new(position), budget, limits)
    }

    pub(super) fn on_board(board: Board, budget: &Budget, limits: SearchLimits) -> GeneralSearch {
        let slots = 1 << board.tables().cell_count.clamp(8, 17);
        let slots = budget.table_slots(slots, TranspositionTable::SLOT_BYTES);
        GeneralSearch {
            me: board.turn(),
            eval: Arc::new(LineEval::new(&board)),
            board,
            meter: Meter::new(budget),
            table: Arc::new(TranspositionTable::new(slots as usize)),
            no_vcf: NoVcfTable::new(),
            limits,
            pvs: Vec::new(),
            best_pv: Vec::new(),
        }
    }

    /// Searches all moves. The best comes to the front, even if the budget runs out.
    fn search_root(&mut self, moves: &mut [usize], depth: u32) -> Result<i32, OutOfBudget> {
        let mut alpha = -MATE;
        for i in 0..moves.len() {
            let start = self.board.ply();
            let score = self.search_move(moves[i], depth, alpha, MATE, 0);
            self.board.undo_to(start);
            let score = score?;
            if score > alpha || i == 0 {
                alpha = score;
                self.update_pv(moves[i], 0);
                moves[..=i].rotate_right(1);
            }
        }
        Ok(alpha)
    }

    /// The score of a move for the searching seat.
    fn search_move(
        &mut self,
        cell: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.meter.spend()?;
        self.clear_pv(ply + 1);
        let mover = self.board.turn();
        let completed = self.board.play(cell);
        let score = if completed {
            let won = (mover == self.me) != self.board.tables().misere;
            let mate = MATE - ply as i32 - 1;
            if won { mate } else { -mate }
        } else if self.board.empty_count() == 0 {
            0
        } else {
            self.search(depth - 1, alpha, beta, ply + 1)?
        };
        self.board.undo();
        Ok(score)
    }

    /// Fail-soft: exact inside (alpha, beta), otherwise a bound.
    fn search(
        &mut self,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        if self.board.active_seats().len() > 2 {
            return Ok(self.max_n(depth, ply)?[self.me]);
        }
        let maximizing = self.board.turn() == self.me;
        match immediate_threats(&self.board, self.me, ply) {
            Immediate::Decided(score) => return Ok(score),
            Immediate::Forced(cell) if ply < MAX_FORCED_PLY => {
                let score = self.search_move(cell, depth + 1, alpha, beta, ply)?;
                self.update_pv(cell, ply);
                return Ok(score);
            }
            _ => {}
        }
        if depth == 0 {
            return Ok(self.eval.score(&self.board, self.me));
        }
        let key = self.board.key();
        let entry = self.table.get(key);
        if let Some(score) = entry.and_then(|entry| entry.cutoff(depth, alpha, beta)) {
            return Ok(score);
        }
        let mut moves = self.candidates(self.limits.width);
        let hash_move = entry.map(|entry| usize::from(entry.best));
        if let Some(rank) = moves.iter().position(|&cell| Some(cell) == hash_move) {
            moves[..=rank].rotate_right(1);
        }
        let (low, high) = (alpha, beta);
        let mut best = if maximizing { -MATE } else { MATE };
        let mut best_cell = moves.first().copied().unwrap_or_default();
        for cell in moves {
            let score = self.search_move(cell, depth, alpha, beta, ply)?;
            if alpha < score && score < beta {
                self.update_pv(cell, ply);
            }
            if (maximizing && score > best) || (!maximizing && score < best) {
                (best, best_cell) = (score, cell);
            }
            if maximizing {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = match best {
            _ if best <= low => Bound::Upper,
            _ if best >= high => Bound::Lower,
            _ => Bound::Exact,
        };
        // Mate scores depend on the path to the position, so they are not stored.
        if best.abs() < MATE / 2 {
            let depth = depth.min(255) as u8;
            self.table.insert(key, TtEntry { score: best, best: best_cell as u16, depth, bound });
        }
        Ok(best)
    }

    fn clear_pv(&mut self, ply: u32) {
        let ply = ply as usize;
        self.pvs.resize_with(self.pvs.len().max(ply + 1), Vec::new);
        self.pvs[ply].clear();
    }

    /// Makes a move, followed by the variation of the next ply, the variation of this ply.
    fn update_pv(&mut self, cell: usize, ply: u32) {
        let (until, after) = self.pvs.split_at_mut(ply as usize + 1);
        if let (Some(pv), Some(rest)) = (until.last_mut(), after.first()) {
            pv.clear();
            pv.push(cell);
            pv.extend(rest);
        }
    }

    /// The moves to search, most urgent first.
    fn candidates(&self, width: usize) -> Vec<usize> {
        let board = &self.board;
        if let Immediate::Forced(cell) = immediate_threats(&self.board, self.me, 0) {
            return vec![cell];
        }
        let mover = board.turn();
        let defences = forks_win(board).then(|| Defences::new(board));
        let in_turn = turn_tactics(board);
        let is_defence = |cell| {
            defences.as_ref().is_none_or(|defences| defences.contains(cell))
                && (in_turn.is_empty() || in_turn.binary_search(&cell).is_ok())
        };
        let mut moves: Vec<(u32, Reverse<usize>, usize)> = board
            .legal_moves()
            .filter(|&cell| is_defence(cell))
            .map(|cell| (urgency(board, cell), Reverse(board.tables().off_centre(cell)), cell))
            .collect();
        if moves.is_empty() {
            // No move stops the forks.
            moves.extend(board.legal_moves().map(|c| (urgency(board, c), Reverse(0), c)));
        }
        moves.sort_unstable_by(|a, b| b.cmp(a));
        if board.tables().misere {
            moves.reverse();
            moves.sort_by_key(|&(_, _, cell)| board.completes(mover, cell));
        }
        moves.truncate(width);
        moves.into_iter().map(|(_, _, cell)| cell).collect()
    }

    /// The best move as far as it is obvious or in the transposition table.
    fn expected_move(&self) -> Option<usize> {
        let obvious = match immediate_threats(&self.board, self.me, 0) {
            Immediate::Forced(cell) => Some(cell),
            Immediate::Decided(_) => winning_cells(&self.board).first().copied(),
            Immediate::None => None,
        };
        let entry = || self.table.get(self.board.key()).filter(|e| e.bound == Bound::Exact);
        let from_table = || entry().map(|entry| usize::from(entry.best));
        obvious.or_else(from_table).filter(|&cell| self.board.is_legal(cell))
    }

    /// A proven win by VCF or VCT.
    fn forced_win(&mut self) -> Option<ScoredMove> {
        if !threats_apply(&self.board) {
            return None;
        }
        let win = find_forced_win(&mut self.board, &mut self.no_vcf, &mut self.meter)?;
        let verdict = Verdict::Proven(Value::Win { plies: win.plies as u16 });
        Some(ScoredMove { cell: win.cell.into(), verdict })
    }

    fn has_vcf(&mut self) -> bool {
        vcf::find(&mut self.board, &mut self.no_vcf, &mut self.meter, MAX_VCF_NODES).is_some()
    }

    /// Drops the moves that allow the opponent a VCF, unless all do.
    fn drop_moves_losing_to_vcf(&mut self, moves: &mut Vec<usize>) {
        if !threats_apply(&self.board) || moves.len() < 2 {
            return;
        }
        self.board.pass();
        let threatened = self.has_vcf();
        self.board.pass();
        if !threatened {
            return;
        }
        let mut holds = |&cell: &usize| {
            let completed = self.board.play(cell);
            let holds = completed || !self.has_vcf();
            self.board.undo();
            holds
        };
        let kept: Vec<usize> = moves.iter().copied().filter(|cell| holds(cell)).collect();
        if !kept.is_empty() {
            *moves = kept;
        }
    }
}

impl Searcher for GeneralSearch {
    fn probe_root(&mut self) -> Option<RootProbe> {
        let mut moves = self.candidates(self.limits.root_width);
        moves.first()?;
        if let Some(win) = self.forced_win() {
            return Some(RootProbe::Win(win));
        }
        self.drop_moves_losing_to_vcf(&mut moves);
        Some(RootProbe::Open(moves))
    }

    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (ScoredMove, u32) {
        let mut moves = moves.to_vec();
        let verdict = Verdict::Estimate(self.eval.score(&self.board, self.me));
        let mut best = ScoredMove { cell: moves[0], verdict };
        let max_depth = self.max_depth();
        let mut reached = 0;
        for depth in first_depth.min(max_depth)..=max_depth {
            let Ok(score) = self.search_root(&mut moves, depth) else { break };
            best = ScoredMove { cell: moves[0], verdict: Verdict::Estimate(score) };
            self.best_pv.clone_from(&self.pvs[0]);
            reached = depth;
            if score.abs() > MATE / 2 || moves.len() == 1 {
                break;
            }
        }
        (best, reached)
    }

    fn score_move(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget> {
        let start = self.board.ply();
        let score = self.search_move(cell, depth, -MATE, MATE, 0);
        self.board.undo_to(start);
        score
    }

    fn static_eval(&mut self, cell: usize) -> i32 {
        let completed = self.board.play(cell);
        let score = match completed {
            true if self.board.tables().misere => 1 - MATE,
            true => MATE - 1,
            false => self.eval.score(&self.board, self.me),
        };
        self.board.undo();
        score
    }

    fn max_depth(&self) -> u32 {
        let many_seats = self.board.active_seats().len() > 2;
        let limit = if many_seats { MAX_DEPTH_OF_MAX_N } else { u32::MAX };
        self.limits.max_depth.min(limit).min(self.board.empty_count() as u32)
    }

    fn principal_variation(&mut self, best: ScoredMove) -> Vec<usize> {
        let start = self.board.ply();
        // The best move may come from another thread.
        let known = self.best_pv.starts_with(&[best.cell]);
        let mut pv = if known { self.best_pv.clone() } else { vec![best.cell] };
        let mut next = pv.pop();
        pv.iter().for_each(|&cell| _ = self.board.play(cell));
        while let Some(cell) = next {
            pv.push(cell);
            if self.board.play(cell) || self.board.empty_count() == 0 {
                break;
            }
            let wins = best.verdict.proven().is_some() && self.board.turn() == self.me;
            let forced = if wins { self.forced_win().map(|win| win.cell) } else { None };
            next = forced.or_else(|| self.expected_move());
        }
        self.board.undo_to(start);
        pv
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn clone_for_thread(&self) -> Box<dyn Searcher> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X would win by B5 (threatening B6) and then E5, deeper than the search looks.
    #[test]
    fn search_parries_a_threatened_vcf() {
        let mut position: Position =
            "10x10:5 10/oxxx6/4x5/4x5/10/10/o7o1/10/2o7/10 o".parse().unwrap();
        let budget = Budget::unlimited().with_nodes(2_000);
        let limits = SearchLimits { max_depth: 1, ..SearchLimits::FULL };
        let mut search = GeneralSearch::new(&position, &budget, limits);
        let Some(RootProbe::Open(moves)) = search.probe_root() else { panic!("{position}") };
        let (best, _) = search.deepen(&moves, 1);
        position.play(search.board.cell(best.cell)).unwrap();
        let mut after = GeneralSearch::new(&position, &Budget::unlimited(), limits);
        assert!(!after.has_vcf());
    }
}

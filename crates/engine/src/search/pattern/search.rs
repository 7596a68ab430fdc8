//! Alpha-beta search on a pattern board.

use std::sync::Arc;

use noughts_rules::Position;

use super::board::PatternBoard;
use super::ordering::MoveOrdering;
use super::threat::Threat;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::search::threat_search::{
    CellIndex, ForcedWin, NoVcfTable, ThreatBoard, find_forced_win, vcf,
};
use crate::search::transposition_table::{Bound, TranspositionTable, TtEntry};
use crate::search::{MATE, RootProbe, ScoredMove, SearchLimits, Searcher};
use crate::verdict::{Value, Verdict};

/// Node limit of the VCF search at the leaves.
const MAX_LEAF_VCF_NODES: u32 = 48;

/// Plies by which replies to threats extend the search beyond its depth.
const MAX_EXTENSION: i32 = 4;

/// Futility pruning: the greatest remaining depth, and the margins for each ply of it above beta
/// (reverse futility pruning, of the position) and below alpha (of its quiet moves).
const MAX_FUTILITY_DEPTH: i32 = 4;
const MARGIN_ABOVE_BETA: i32 = 60;
const MARGIN_BELOW_ALPHA: i32 = 100;

/// The most plies from the root.
const MAX_PLY: u32 = 120;

/// Half the width of the first aspiration window, and the width beyond which it is opened fully.
const ASPIRATION_MARGIN: i32 = 60;
const MAX_ASPIRATION_MARGIN: i32 = 4000;

#[derive(Clone)]
pub(in crate::search) struct PatternSearch {
    board: PatternBoard,
    meter: Meter,
    limits: SearchLimits,
    table: Arc<TranspositionTable>,
    no_vcf: NoVcfTable,
    ordering: MoveOrdering,
    /// A stack of the move lists on the current path, with their ordering scores.
    moves: Vec<(i32, CellIndex)>,
    /// The static evaluations on the current path, by ply; `None` where a reply was forced.
    static_evals: Vec<Option<i32>>,
}

impl PatternSearch {
    /// `None` for unsupported rules.
    pub(in crate::search) fn new(
        position: &Position,
        budget: &Budget,
        limits: SearchLimits,
    ) -> Option<PatternSearch> {
        let board = PatternBoard::new(position)?;
        // One slot for each node of the budget, within reason.
        let nodes = budget.nodes().unwrap_or(u64::MAX).clamp(1 << 10, 1 << 20);
        let slots = budget.table_slots(nodes, TranspositionTable::SLOT_BYTES);
        let cells = board.padded(position.rules().cell_count() - 1) as usize + 1;
        Some(PatternSearch {
            board,
            meter: Meter::new(budget),
            limits,
            table: Arc::new(TranspositionTable::new(slots as usize)),
            no_vcf: NoVcfTable::new(),
            ordering: MoveOrdering::new(MAX_PLY, cells),
            moves: Vec::new(),
            static_evals: vec![None; MAX_PLY as usize + 1],
        })
    }

    fn forced_win(&mut self) -> Option<ForcedWin> {
        find_forced_win(&mut self.board, &mut self.no_vcf, &mut self.meter)
    }

    /// Aspiration window around the last score, widened on failure. The best move comes to the
    /// front, even if the budget runs out.
    fn search_root(
        &mut self,
        moves: &mut [CellIndex],
        depth: i32,
        last_score: i32,
    ) -> Result<i32, OutOfBudget> {
        let mut margin = ASPIRATION_MARGIN;
        let (mut alpha, mut beta) = (last_score - margin, last_score + margin);
        if depth < 4 || last_score.abs() > MATE / 2 {
            (alpha, beta) = (-MATE, MATE);
        }
        loop {
            let score = self.search_moves(moves, depth, alpha, beta)?;
            margin *= 4;
            if score <= alpha && alpha > -MATE {
                alpha = if margin > MAX_ASPIRATION_MARGIN { -MATE } else { score - margin };
            } else if score >= beta && beta < MATE {
                beta = if margin > MAX_ASPIRATION_MARGIN { MATE } else { score + margin };
            } else {
                return Ok(score);
            }
        }
    }

    fn search_moves(
        &mut self,
        moves: &mut [CellIndex],
        depth: i32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, OutOfBudget> {
        let start = self.board.ply();
        let mut best = -MATE;
        for i in 0..moves.len() {
            self.moves.clear();
            let reduction = (i > 0).then_some(0);
            let score = self.search_move(moves[i], reduction, depth, (alpha.max(best), beta), 0);
            self.board.undo_to(start);
            let score = score?;
            if score > best {
                best = score;
                if i == 0 || score > alpha {
                    moves[..=i].rotate_right(1);
                }
            }
            if best >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The score of a move for the seat that makes it. With a reduction (late-move reductions), a
    /// null-window search that many plies shallower comes first.
    fn search_move(
        &mut self,
        cell: CellIndex,
        reduction: Option<i32>,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.board.play(cell);
        let mut score = MATE;
        if let Some(reduction) = reduction {
            score = -self.search(depth - 1 - reduction, -alpha - 1, -alpha, ply + 1)?;
            if score > alpha && reduction > 0 {
                score = -self.search(depth - 1, -alpha - 1, -alpha, ply + 1)?;
            }
        }
        if reduction.is_none() || (score > alpha && score < beta) {
            score = -self.search(depth - 1, -beta, -alpha, ply + 1)?;
        }
        self.board.undo();
        Ok(score)
    }

    /// Principal variation search for the seat to move. Fail-soft: exact inside (alpha, beta),
    /// otherwise a bound.
    fn search(
        &mut self,
        depth: i32,
        mut alpha: i32,
        mut beta: i32,
        ply: u32,
    ) -> Result<i32, OutOfBudget> {
        self.meter.spend()?;
        self.static_evals[ply as usize] = None;
        let (me, other) = (self.board.turn(), self.board.opponent());
        let mate_in = |plies: u32| MATE - (ply + plies) as i32;
        if self.board.empty_count() == 0 || !self.board.has_moves() {
            return Ok(0);
        }
        if self.board.count(me, Threat::Line) > 0 {
            return Ok(mate_in(1));
        }
        match self.board.count(other, Threat::Line) {
            0 => {}
            1 if ply < MAX_PLY => {
                let block = self.board.completion(other).unwrap_or_default();
                if !self.board.may_play(block) {
                    return Ok(-mate_in(2));
                }
                // A forced reply does not cost depth.
                return self.search_move(block, None, depth + 1, (alpha, beta), ply);
            }
            1 => return Ok(self.board.static_eval()),
            _ => return Ok(-mate_in(2)),
        }
        if self.board.has_double_four(me) {
            return Ok(mate_in(3));
        }
        if ply >= MAX_PLY {
            return Ok(self.board.static_eval());
        }
        // Mate-distance pruning.
        alpha = alpha.max(-mate_in(4));
        beta = beta.min(mate_in(5));
        if alpha >= beta {
            return Ok(alpha);
        }

        let key = self.board.key();
        let entry = self.table.get(key);
        let entry_depth = depth.max(0) as u32;
        if let Some(score) =
            entry.and_then(|entry| from_table(entry, ply).cutoff(entry_depth, alpha, beta))
        {
            return Ok(score);
        }
        let threatened = self.board.has_double_four(other);
        if depth <= 0 {
            if self.board.count(me, Threat::Four) + self.board.count(me, Threat::FourAndThree) > 0 {
                let (board, no_vcf) = (&mut self.board, &mut self.no_vcf);
                let win = vcf::find(board, no_vcf, &mut self.meter, MAX_LEAF_VCF_NODES);
                if let Some(win) = win {
                    let score = mate_in(win.plies);
                    self.store(key, 0, score, Bound::Lower, win.cell, ply);
                    return Ok(score);
                }
            }
            if !threatened || depth <= -MAX_EXTENSION {
                return Ok(self.board.static_eval());
            }
        }

        let prunes = beta - alpha == 1
            && !threatened
            && (1..=MAX_FUTILITY_DEPTH).contains(&depth)
            && beta.abs() < MATE / 2;
        let eval = self.board.static_eval();
        if prunes && eval - MARGIN_ABOVE_BETA * depth >= beta {
            return Ok(eval);
        }
        let is_futile = prunes && eval + MARGIN_BELOW_ALPHA * depth <= alpha;
        self.static_evals[ply as usize] = Some(eval).filter(|_| !threatened);
        let improving = self.is_improving(ply);

        let first = self.moves.len();
        let hash_move = entry.map(|entry| entry.best);
        self.push_moves(hash_move, ply, self.limits.width);
        let (low, mut best) = (alpha, -MATE);
        let mut best_cell = 0;
        for i in first..self.moves.len() {
            let cell = self.moves[i].1;
            let rank = i - first;
            let quiet = !threatened && self.board.threat(me, cell) < Threat::Four;
            let prunable = quiet && rank > 0 && best > -MATE / 2;
            if prunable && (is_futile || rank >= max_quiet_moves(depth, improving)) {
                continue;
            }
            let reducible = quiet && depth >= 2 && rank >= 2;
            let reduction = if reducible { late_move_reduction(depth, rank) } else { 0 };
            let reduction = (rank > 0).then_some(reduction);
            let score = self.search_move(cell, reduction, depth, (alpha, beta), ply)?;
            if score > best {
                (best, best_cell) = (score, cell);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                self.ordering.record_cutoff(me, cell, depth, ply);
                break;
            }
        }
        self.moves.truncate(first);
        let bound = match best {
            _ if best <= low => Bound::Upper,
            _ if best >= beta => Bound::Lower,
            _ => Bound::Exact,
        };
        self.store(key, entry_depth, best, bound, best_cell, ply);
        Ok(best)
    }

    /// Whether the static evaluation is better than before the last two moves.
    fn is_improving(&self, ply: u32) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.static_evals[ply as usize]);
        let now = self.static_evals[ply as usize];
        before.zip(now).is_some_and(|(before, now)| now > before)
    }

    /// Pushes the moves to search, the most promising first.
    fn push_moves(&mut self, hash_move: Option<CellIndex>, ply: u32, width: usize) {
        self.ordering.push_moves(&self.board, &mut self.moves, hash_move, ply, width);
    }

    fn root_moves(&mut self) -> Vec<usize> {
        let other = self.board.opponent();
        if let Some(block) = self.board.completion(other).filter(|&cell| self.board.may_play(cell))
        {
            return vec![self.board.unpadded(block)];
        }
        self.moves.clear();
        self.push_moves(None, 0, self.limits.root_width);
        self.moves.drain(..).map(|(_, cell)| self.board.unpadded(cell)).collect()
    }

    /// The best move as far as it is obvious or in the transposition table.
    fn expected_move(&self) -> Option<CellIndex> {
        let (board, me) = (&self.board, self.board.turn());
        let is_best = |entry: &TtEntry| match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.score > MATE / 2,
            Bound::Upper => false,
        };
        let from_table = || self.table.get(board.key()).filter(is_best).map(|entry| entry.best);
        let best = board
            .completion(me)
            .or_else(|| board.completion(board.opponent()))
            .or_else(|| board.double_four(me))
            .or_else(from_table)?;
        board.empty_cells().find(|&cell| cell == best && board.may_play(cell))
    }

    fn store(&self, key: u64, depth: u32, score: i32, bound: Bound, best: CellIndex, ply: u32) {
        // Mate scores count from the stored position, not from the root.
        let score = match score {
            score if score > MATE / 2 => score + ply as i32,
            score if score < -MATE / 2 => score - ply as i32,
            score => score,
        };
        self.table.insert(key, TtEntry { score, best, depth: depth.min(255) as u8, bound });
    }
}

impl Searcher for PatternSearch {
    fn probe_root(&mut self) -> Option<RootProbe> {
        if let Some(win) = self.forced_win() {
            let verdict = Verdict::Proven(Value::Win { plies: win.plies as u16 });
            return Some(RootProbe::Win(ScoredMove {
                cell: self.board.unpadded(win.cell),
                verdict,
            }));
        }
        let moves = self.root_moves();
        (!moves.is_empty()).then_some(RootProbe::Open(moves))
    }

    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (ScoredMove, u32) {
        let mut moves: Vec<CellIndex> = moves.iter().map(|&cell| self.board.padded(cell)).collect();
        let (mut score, mut reached) = (self.board.static_eval(), 0);
        let max_depth = self.max_depth();
        for depth in first_depth.min(max_depth)..=max_depth {
            let Ok(searched) = self.search_root(&mut moves, depth as i32, score) else { break };
            (score, reached) = (searched, depth);
            if score.abs() > MATE / 2 || moves.len() == 1 {
                break;
            }
            self.ordering.age_history();
        }
        let cell = self.board.unpadded(moves[0]);
        (ScoredMove { cell, verdict: Verdict::Estimate(score) }, reached)
    }

    fn score_move(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget> {
        let cell = self.board.padded(cell);
        if self.board.threat(self.board.turn(), cell) == Threat::Line {
            return Ok(MATE - 1);
        }
        self.search_moves(&mut [cell], depth as i32, -MATE, MATE)
    }

    fn static_eval(&mut self, cell: usize) -> i32 {
        let cell = self.board.padded(cell);
        if self.board.threat(self.board.turn(), cell) == Threat::Line {
            return MATE - 1;
        }
        self.board.play(cell);
        let score = -self.board.static_eval();
        self.board.undo();
        score
    }

    fn max_depth(&self) -> u32 {
        self.limits.max_depth.min(self.board.empty_count() as u32)
    }

    fn principal_variation(&mut self, best: ScoredMove) -> Vec<usize> {
        let (start, me) = (self.board.ply(), self.board.turn());
        let mut pv = Vec::new();
        let mut next = Some(self.board.padded(best.cell));
        while let Some(cell) = next {
            pv.push(self.board.unpadded(cell));
            let completes = self.board.threat(self.board.turn(), cell) == Threat::Line;
            self.board.play(cell);
            if completes || self.board.empty_count() == 0 {
                break;
            }
            let wins = best.verdict.proven().is_some() && self.board.turn() == me;
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

/// Converts a mate score of the table to count from the root.
fn from_table(entry: TtEntry, ply: u32) -> TtEntry {
    let score = match entry.score {
        score if score > MATE / 2 => score - ply as i32,
        score if score < -MATE / 2 => score + ply as i32,
        score => score,
    };
    TtEntry { score, ..entry }
}

/// The plies by which late moves are searched shallower at first.
fn late_move_reduction(depth: i32, rank: usize) -> i32 {
    let reduction = f64::from(depth).ln() * (rank as f64).ln() * 0.9 + 0.5;
    (reduction as i32).clamp(0, depth - 1)
}

/// Move-count pruning: quiet moves after this many are skipped.
fn max_quiet_moves(depth: i32, improving: bool) -> usize {
    let count = 2 + 2 * depth.max(0) as usize;
    if improving { 2 * count } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Null-window searches of a quiet position, below and above its static evaluation.
    #[test]
    fn futile_positions_and_moves_are_not_searched() {
        let text = "15x15:5 15/15/15/15/15/15/6xo7/7x7/8o6/15/15/15/15/15/15 x";
        let position: Position = text.parse().unwrap();
        let nodes_at = |depth: i32, margin: i32| {
            let budget = Budget::unlimited();
            let mut search = PatternSearch::new(&position, &budget, SearchLimits::FULL).unwrap();
            let beta = search.board.static_eval() - margin;
            search.search(depth, beta - 1, beta, 1).unwrap();
            search.meter.nodes()
        };
        assert_eq!(nodes_at(3, 3 * MARGIN_ABOVE_BETA), 1);
        assert!(nodes_at(3, 3 * MARGIN_ABOVE_BETA - 1) > 1);
        assert!(nodes_at(MAX_FUTILITY_DEPTH + 1, 1000) > 1);
        // Far below alpha, only the first move.
        assert_eq!(nodes_at(1, -1000), 2);
    }

    #[test]
    fn late_quiet_moves_are_pruned() {
        assert_eq!([1, 2, 8].map(|depth| max_quiet_moves(depth, false)), [4, 6, 18]);
        assert_eq!(max_quiet_moves(2, true), 12);
        // A quiet position, searched to depth 1 far above its evaluation but not far enough for
        // futility pruning: four of its replies and the position itself.
        let text = "15x15:5 15/15/15/15/15/15/6xo7/7x7/8o6/15/15/15/15/15/15 x";
        let position: Position = text.parse().unwrap();
        let budget = Budget::unlimited();
        let mut search = PatternSearch::new(&position, &budget, SearchLimits::FULL).unwrap();
        let alpha = search.board.static_eval() + MARGIN_BELOW_ALPHA - 1;
        search.search(1, alpha, alpha + 1, 1).unwrap();
        assert!((3..=6).contains(&search.meter.nodes()), "{}", search.meter.nodes());
    }
}

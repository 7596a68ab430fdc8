//! Search for boards too large to solve: iterative deepening on one thread or several.
//!
//! [`PatternSearch`] is the stronger one but supports only plain boards; [`GeneralSearch`] supports
//! all rules. Threads search independently and share a transposition table (lazy SMP).

mod general;
mod pattern;
mod threat_search;
pub(crate) mod transposition_table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use noughts_rules::{Position, Rules};

use crate::board::Board;
use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Verdict;
use general::GeneralSearch;
pub(crate) use general::single_stone_value;
#[cfg(feature = "training")]
pub use pattern::EvalInputs;
use pattern::PatternSearch;

/// The score of an immediate win; each ply of distance costs one point.
pub(crate) const MATE: i32 = 1_000_000;

/// The depth of a search and the number of moves it considers in each position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchLimits {
    pub(crate) max_depth: u32,
    pub(crate) root_width: usize,
    pub(crate) width: usize,
}

impl SearchLimits {
    pub(crate) const FULL: SearchLimits = SearchLimits { max_depth: 64, root_width: 40, width: 20 };
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoredMove {
    pub(crate) cell: usize,
    pub(crate) verdict: Verdict,
}

/// The result of the threat search at the root.
enum RootProbe {
    /// A proven win.
    Win(ScoredMove),
    /// The moves to search, at least one.
    Open(Vec<usize>),
}

/// A single-threaded search. Cells are indices on the board, row by row.
trait Searcher: Send {
    /// Searches for forced wins and lists the moves; `None` only without legal moves.
    fn probe_root(&mut self) -> Option<RootProbe>;

    /// Iterative deepening over these moves: the best one and the depth reached.
    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (ScoredMove, u32);

    /// The score of a legal move, searched to this depth including the move.
    fn score_move(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget>;

    /// The static evaluation after a legal move, for the seat that makes it.
    fn static_eval(&mut self, cell: usize) -> i32;

    fn max_depth(&self) -> u32;

    /// The principal variation from the best move on, as far as it is known.
    fn principal_variation(&mut self, best: ScoredMove) -> Vec<usize>;

    fn meter(&mut self) -> &mut Meter;

    /// A copy that shares the transposition table.
    fn clone_for_thread(&self) -> Box<dyn Searcher>;
}

/// A search with its budget, on as many threads as the budget allows.
pub(crate) struct Search {
    searcher: Box<dyn Searcher>,
    /// The budget of one thread.
    budget: Budget,
    nodes: u64,
    /// The depth that the last search reached.
    depth: u32,
}

impl Search {
    pub(crate) fn new(position: &Position, budget: &Budget, limits: SearchLimits) -> Search {
        let budget = for_each_thread(budget);
        let searcher: Box<dyn Searcher> = match PatternSearch::new(position, &budget, limits) {
            Some(search) => Box::new(search),
            None => Box::new(GeneralSearch::new(position, &budget, limits)),
        };
        Search { searcher, budget, nodes: 0, depth: 0 }
    }

    /// A search of a board that may lack some lines of the game.
    pub(crate) fn on_board(board: Board, budget: &Budget, limits: SearchLimits) -> Search {
        let budget = for_each_thread(budget);
        let searcher = Box::new(GeneralSearch::on_board(board, &budget, limits));
        Search { searcher, budget, nodes: 0, depth: 0 }
    }

    /// Whether [`PatternSearch`] supports the rules, which finds short wins without the solver.
    pub(crate) fn supports_patterns(rules: &Rules) -> bool {
        pattern::supports(rules)
    }

    /// A proven win by threats.
    pub(crate) fn forced_win(&mut self) -> Option<ScoredMove> {
        let probe = self.searcher.probe_root();
        self.nodes += self.searcher.meter().nodes();
        match probe {
            Some(RootProbe::Win(win)) => Some(win),
            _ => None,
        }
    }

    /// The best move found within the budget; `None` only without legal moves.
    pub(crate) fn best_move(&mut self) -> Option<ScoredMove> {
        Some(match self.searcher.probe_root()? {
            RootProbe::Win(best) => {
                self.nodes += self.searcher.meter().nodes();
                best
            }
            RootProbe::Open(moves) => self.deepen(&moves),
        })
    }

    /// The principal variation from a move of [`best_move`](Search::best_move) on.
    pub(crate) fn principal_variation(&mut self, best: ScoredMove) -> Vec<usize> {
        self.searcher.principal_variation(best)
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The depth that [`best_move`](Search::best_move) reached; 0 if threats were enough.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Deepens on all threads. The thread that reached the greatest depth decides.
    fn deepen(&mut self, moves: &[usize]) -> ScoredMove {
        let done = Arc::new(AtomicBool::new(false));
        // Only the first thread watches the caller's stop flag; the others stop with it.
        let helpers = self.helpers(&self.budget.clone().with_stop(Arc::clone(&done)));
        let searcher = &mut *self.searcher;
        let (best, nodes, depth) = thread::scope(|scope| {
            let start = |(i, mut helper): (usize, Box<dyn Searcher>)| {
                scope.spawn(move || {
                    // Every other thread starts one ply deeper, so that they diverge.
                    let (best, reached) = helper.deepen(moves, 1 + (i as u32 + 1) % 2);
                    (best, reached, helper.meter().nodes())
                })
            };
            let handles: Vec<_> = helpers.into_iter().enumerate().map(start).collect();
            let (mut best, mut deepest) = searcher.deepen(moves, 1);
            done.store(true, Ordering::Relaxed);
            let mut total_nodes = searcher.meter().nodes();
            for (other, reached, nodes) in handles.into_iter().filter_map(|h| h.join().ok()) {
                total_nodes += nodes;
                if reached > deepest {
                    (best, deepest) = (other, reached);
                }
            }
            (best, total_nodes, deepest)
        });
        self.nodes += nodes;
        self.depth = depth;
        best
    }

    /// The scores of these legal moves, all searched to the same depth, as deep as the budget
    /// allows. The threads share out the moves.
    pub(crate) fn scores(&mut self, cells: &[usize]) -> Vec<i32> {
        let mut helpers = self.helpers(&self.budget);
        let mut scores: Vec<i32> =
            cells.iter().map(|&cell| self.searcher.static_eval(cell)).collect();
        for depth in 1..=self.searcher.max_depth() {
            let workers = std::iter::once(&mut self.searcher).chain(&mut helpers);
            match scores_at(workers.collect(), cells, depth) {
                Ok(searched) => scores = searched,
                Err(OutOfBudget) => break,
            }
        }
        let workers = std::iter::once(&mut self.searcher).chain(&mut helpers);
        self.nodes += workers.map(|worker| worker.meter().nodes()).sum::<u64>();
        scores
    }

    /// Searchers for all threads but the first, each with this budget.
    fn helpers(&self, budget: &Budget) -> Vec<Box<dyn Searcher>> {
        let helper = |_| {
            let mut helper = self.searcher.clone_for_thread();
            *helper.meter() = Meter::new(budget);
            helper
        };
        (1..budget.threads()).map(helper).collect()
    }
}

/// The threads share out the nodes.
fn for_each_thread(budget: &Budget) -> Budget {
    match budget.nodes() {
        Some(nodes) => budget.clone().with_nodes(nodes.div_ceil(budget.threads() as u64)),
        None => budget.clone(),
    }
}

fn scores_at(
    mut workers: Vec<&mut Box<dyn Searcher>>,
    cells: &[usize],
    depth: u32,
) -> Result<Vec<i32>, OutOfBudget> {
    let score = |worker: &mut Box<dyn Searcher>, cells: &[usize]| {
        let scores = cells.iter().map(|&cell| worker.score_move(cell, depth));
        scores.collect::<Result<Vec<i32>, OutOfBudget>>()
    };
    if let [only] = &mut workers[..] {
        return score(only, cells);
    }
    let parts = cells.chunks(cells.len().div_ceil(workers.len()).max(1));
    thread::scope(|scope| {
        let start = |(worker, part)| scope.spawn(move || score(worker, part));
        let handles: Vec<_> = workers.into_iter().zip(parts).map(start).collect();
        let parts = handles.into_iter().map(|handle| handle.join().unwrap_or(Err(OutOfBudget)));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both searchers find the open three that wins, with one thread and with several.
    #[test]
    fn any_thread_count_finds_win() {
        for (text, expected) in [
            ("15x15:5 15/15/15/15/15/15/6ooo6/6xxx6/15/15/15/15/15/15/15 x", ["H6", "H10"]),
            ("9x9:4+wrap 9/9/9/3xx4/9/9/2o3o2/9/9 x", ["D3", "D6"]),
        ] {
            let position: Position = text.parse().unwrap();
            for threads in 1..=4 {
                let budget = Budget::unlimited().with_nodes(2_000).with_threads(threads);
                let mut search = Search::new(&position, &budget, SearchLimits::FULL);
                let best = search.best_move().unwrap();
                let cell = position.rules().cell_at(best.cell).unwrap().to_string();
                assert!(expected.contains(&&*cell), "{text}: {cell} by {threads} threads");
                assert!(search.nodes() > 0);
            }
        }
    }

    #[test]
    fn threads_share_the_node_budget() {
        let position: Position =
            "15x15:5 15/15/15/15/15/15/15/7x7/8o6/15/15/15/15/15/15 x".parse().unwrap();
        for threads in [1, 3] {
            let budget = Budget::unlimited().with_nodes(30_000).with_threads(threads);
            let mut search = Search::new(&position, &budget, SearchLimits::FULL);
            assert!(search.best_move().is_some());
            // The nodes of a VCF search are charged when it ends.
            assert!((10_000..31_000).contains(&search.nodes()), "{}", search.nodes());
        }
    }

    /// Scores of different depths are not comparable.
    #[test]
    fn all_scores_have_one_depth() {
        for text in [
            "7x7:4+3p x6/1o5/2a4/7/7/7/7 x",
            "9x9:4+wrap 9/9/9/3xx4/9/9/2o3o2/9/9 x",
            "10x10:5 10/10/10/3xo5/4xo4/10/10/10/10/10 x",
        ] {
            let position: Position = text.parse().unwrap();
            let index = |mv| position.rules().move_index(mv).unwrap();
            let cells: Vec<usize> = position.legal_moves().map(index).collect();
            for nodes in [0, 30, 100, 300, 1_000, 3_000] {
                let search = |budget: &Budget| Search::new(&position, budget, SearchLimits::FULL);
                let scores = search(&Budget::unlimited().with_nodes(nodes)).scores(&cells);
                let mut searcher = search(&Budget::unlimited()).searcher;
                let evals: Vec<i32> =
                    cells.iter().map(|&cell| searcher.static_eval(cell)).collect();
                let searched = (1..=4).map(|depth| {
                    let score = |&cell| searcher.score_move(cell, depth).unwrap();
                    cells.iter().map(score).collect::<Vec<i32>>()
                });
                let mut depths = std::iter::once(evals).chain(searched);
                assert!(depths.any(|all| all == scores), "{text}, {nodes}: {scores:?}");
            }
        }
    }

    #[test]
    fn scores_do_not_depend_on_threads() {
        let position: Position = "3x5:4 xxx2/ooo2/5 x".parse().unwrap();
        for threads in 1..=20 {
            let budget = Budget::unlimited().with_threads(threads);
            let mut search = Search::new(&position, &budget, SearchLimits::FULL);
            let scores = search.scores(&[3, 4, 8, 9, 14]);
            let signs: Vec<i32> = scores.iter().map(|score| score.signum()).collect();
            assert_eq!(signs, [1, -1, 0, -1, -1], "{scores:?} by {threads} threads");
        }
    }

    #[test]
    fn first_reply_touches_first_stone() {
        let position: Position =
            "15x15:5 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o".parse().unwrap();
        for nodes in [500, 5_000, 20_000] {
            let budget = Budget::unlimited().with_nodes(nodes);
            let best = Search::new(&position, &budget, SearchLimits::FULL).best_move().unwrap();
            let cell = position.rules().cell_at(best.cell).unwrap();
            assert_eq!(cell.row().abs_diff(7).max(cell.col().abs_diff(7)), 1, "{cell}");
        }
    }
}

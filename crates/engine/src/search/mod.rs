//! Search for boards that are too large to solve, by iterative deepening.
//!
//! Where the rules allow it, patterns of stones are kept for each cell and direction; for all other
//! rules there is a search that knows only lines. Both can share their work among threads: each
//! searches on its own, and they find in a common memory what the others have found out.

mod evaluation;
mod forced;
mod fours;
mod general;
mod memory;
mod patterns;
mod threes;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use noughts_rules::{Position, Rules};

use crate::budget::{Budget, Meter, OutOfBudget};
use crate::verdict::Verdict;
use general::GeneralSearch;
use patterns::PatternSearch;

/// The score of a game that is won at once; later wins are worth a little less.
pub(crate) const MATE: i32 = 1_000_000;

/// How deep and how wide to look.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) most_plies: u32,
    pub(crate) root_width: usize,
    pub(crate) width: usize,
}

impl Effort {
    pub(crate) const FULL: Effort = Effort { most_plies: 64, root_width: 40, width: 20 };
}

/// A move, and what the search thinks of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub(crate) cell: usize,
    pub(crate) verdict: Verdict,
}

/// What there is to search at the root.
enum Outlook {
    /// Nothing: this wins.
    Won(Found),
    /// The best of these moves, of which there is at least one.
    Open(Vec<usize>),
}

/// A way to search. Clones share what they remember.
trait Way: Clone + Send {
    /// What threats alone say, or else the moves to search; `None` only if there is no legal move.
    fn look(&mut self) -> Option<Outlook>;

    /// The best of these moves found within the budget, and how deep the search got.
    fn deepen(&mut self, moves: &[usize], first_depth: u32) -> (Found, u32);

    /// What a legal move is worth if so many plies are searched, itself among them.
    fn score_at(&mut self, cell: usize, depth: u32) -> Result<i32, OutOfBudget>;

    /// What a legal move looks worth without search.
    fn glimpse(&mut self, cell: usize) -> i32;

    /// How deep a search can go.
    fn most_plies(&self) -> u32;

    /// The moves that the search expects, as far as it remembers them, from a move on that it found
    /// best.
    fn line(&mut self, found: Found) -> Vec<usize>;

    fn meter(&mut self) -> &mut Meter;
}

pub(crate) struct Search {
    kind: Kind,
    budget: Budget,
    nodes: u64,
}

enum Kind {
    Patterns(Box<PatternSearch>),
    General(Box<GeneralSearch>),
}

impl Search {
    pub(crate) fn new(position: &Position, budget: &Budget, effort: Effort) -> Search {
        // Threads share the nodes.
        let share = match budget.nodes() {
            Some(nodes) => budget.clone().with_nodes(nodes.div_ceil(budget.threads() as u64)),
            None => budget.clone(),
        };
        let kind = match PatternSearch::new(position, &share, effort) {
            Some(search) => Kind::Patterns(Box::new(search)),
            None => Kind::General(Box::new(GeneralSearch::new(position, &share, effort))),
        };
        Search { kind, budget: share, nodes: 0 }
    }

    /// Whether wins by continuous fours are found without being asked for.
    pub(crate) fn knows_patterns(rules: &Rules) -> bool {
        patterns::are_for(rules)
    }

    /// The best move found within the budget; `None` only if there is no legal move.
    pub(crate) fn best_move(&mut self) -> Option<Found> {
        let (found, nodes) = match &mut self.kind {
            Kind::Patterns(search) => best_move(&mut **search, &self.budget)?,
            Kind::General(search) => best_move(&mut **search, &self.budget)?,
        };
        self.nodes += nodes;
        Some(found)
    }

    /// What each of these legal moves is worth, all searched equally deep, as deep as the budget
    /// allows.
    pub(crate) fn scores(&mut self, cells: &[usize]) -> Vec<i32> {
        let (scores, nodes) = match &mut self.kind {
            Kind::Patterns(search) => scores(&mut **search, cells, &self.budget),
            Kind::General(search) => scores(&mut **search, cells, &self.budget),
        };
        self.nodes += nodes;
        scores
    }

    /// The moves that the search expects, from the move on that it has found best.
    pub(crate) fn line(&mut self, found: Found) -> Vec<usize> {
        match &mut self.kind {
            Kind::Patterns(search) => search.line(found),
            Kind::General(search) => search.line(found),
        }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// The best move, and how many nodes all threads visited to find it.
fn best_move<W: Way>(search: &mut W, budget: &Budget) -> Option<(Found, u64)> {
    Some(match search.look()? {
        Outlook::Won(found) => (found, search.meter().nodes()),
        Outlook::Open(moves) => deepen_together(search, &moves, budget),
    })
}

/// Searches on as many threads as the budget allows, and answers with what the one found that got
/// deepest.
fn deepen_together<W: Way>(search: &mut W, moves: &[usize], budget: &Budget) -> (Found, u64) {
    let done = Arc::new(AtomicBool::new(false));
    let helper = |_| {
        let mut helper = search.clone();
        // The others end with the first one, who hears the budget's flag.
        *helper.meter() = Meter::new(&budget.clone().with_stop(Arc::clone(&done)));
        helper
    };
    let helpers: Vec<W> = (1..budget.threads()).map(helper).collect();
    thread::scope(|scope| {
        let start = |(i, mut helper): (usize, W)| {
            scope.spawn(move || {
                // Every other one is a ply ahead, so that not all do the same.
                let (found, reached) = helper.deepen(moves, 1 + (i as u32 + 1) % 2);
                (found, reached, helper.meter().nodes())
            })
        };
        let handles: Vec<_> = helpers.into_iter().enumerate().map(start).collect();
        let (mut best, mut deepest) = search.deepen(moves, 1);
        done.store(true, Ordering::Relaxed);
        let mut all_nodes = search.meter().nodes();
        for (found, reached, nodes) in handles.into_iter().filter_map(|handle| handle.join().ok()) {
            all_nodes += nodes;
            if reached > deepest {
                (best, deepest) = (found, reached);
            }
        }
        (best, all_nodes)
    })
}

/// What the moves are worth, and how many nodes that took. The moves are shared out among as many
/// threads as the budget allows. Scores of different depths say nothing about which move is better,
/// so what comes out is from the last depth that all moves were searched to.
fn scores<W: Way>(search: &mut W, cells: &[usize], budget: &Budget) -> (Vec<i32>, u64) {
    let helper = |_| {
        let mut helper = search.clone();
        *helper.meter() = Meter::new(budget);
        helper
    };
    let mut helpers: Vec<W> = (1..budget.threads()).map(helper).collect();
    let mut scores: Vec<i32> = cells.iter().map(|&cell| search.glimpse(cell)).collect();
    for depth in 1..=search.most_plies() {
        let workers: Vec<&mut W> = std::iter::once(&mut *search).chain(&mut helpers).collect();
        match scores_at(workers, cells, depth) {
            Ok(searched) => scores = searched,
            Err(OutOfBudget) => break,
        }
    }
    let workers = std::iter::once(search).chain(&mut helpers);
    (scores, workers.map(|worker| worker.meter().nodes()).sum())
}

fn scores_at<W: Way>(
    mut workers: Vec<&mut W>,
    cells: &[usize],
    depth: u32,
) -> Result<Vec<i32>, OutOfBudget> {
    let score = |search: &mut W, cells: &[usize]| -> Result<Vec<i32>, OutOfBudget> {
        cells.iter().map(|&cell| search.score_at(cell, depth)).collect()
    };
    if let [alone] = &mut workers[..] {
        return score(alone, cells);
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
    use noughts_rules::Cell;

    /// Patterns and lines, one thread and several: all see the move that wins by an open three.
    #[test]
    fn threads_share_the_work() {
        for (text, expected) in [
            ("15x15:5 15/15/15/15/15/15/6ooo6/6xxx6/15/15/15/15/15/15/15 x", [110, 114]),
            ("9x9:4+wrap 9/9/9/3xx4/9/9/2o3o2/9/9 x", [29, 32]),
        ] {
            let position: Position = text.parse().unwrap();
            for threads in 1..=4 {
                let budget = Budget::unlimited().with_nodes(2_000).with_threads(threads);
                let mut search = Search::new(&position, &budget, Effort::FULL);
                let found = search.best_move().unwrap();
                assert!(expected.contains(&found.cell), "{text}: {found:?} by {threads} threads");
                assert!(search.nodes() > 0);
            }
        }
    }

    /// Where nothing is decided, all threads together keep to the budget.
    #[test]
    fn threads_share_the_nodes() {
        let position: Position =
            "15x15:5 15/15/15/15/15/15/15/7x7/8o6/15/15/15/15/15/15 x".parse().unwrap();
        for threads in [1, 3] {
            let budget = Budget::unlimited().with_nodes(30_000).with_threads(threads);
            let mut search = Search::new(&position, &budget, Effort::FULL);
            assert!(search.best_move().is_some());
            // What continuous fours take is counted when they have ended.
            assert!((10_000..31_000).contains(&search.nodes()), "{}", search.nodes());
        }
    }

    /// Estimates of different depths can't be compared, so wherever the budget ends, all moves have
    /// been searched to the same depth.
    #[test]
    fn scores_are_of_one_depth() {
        fn check<W: Way>(mut search: W, position: &str, nodes: u64, scores: &[i32]) {
            *search.meter() = Meter::new(&Budget::unlimited());
            let cells: Vec<usize> = moves(position);
            let glimpses: Vec<i32> = cells.iter().map(|&cell| search.glimpse(cell)).collect();
            let searched = (1..=4).map(|depth| {
                let score = |&cell| search.score_at(cell, depth).unwrap();
                cells.iter().map(score).collect::<Vec<i32>>()
            });
            let depths: Vec<Vec<i32>> = std::iter::once(glimpses).chain(searched).collect();
            assert!(depths.iter().any(|all| all == scores), "{position}, {nodes}: {scores:?}");
        }
        fn moves(position: &str) -> Vec<usize> {
            let position: Position = position.parse().unwrap();
            let cols = usize::from(position.rules().cols());
            let number = |cell: Cell| usize::from(cell.row()) * cols + usize::from(cell.col());
            position.legal_moves().map(number).collect()
        }
        for text in [
            "7x7:4+3p x6/1o5/2a4/7/7/7/7 x",
            "9x9:4+wrap 9/9/9/3xx4/9/9/2o3o2/9/9 x",
            "10x10:5 10/10/10/3xo5/4xo4/10/10/10/10/10 x",
        ] {
            for nodes in [0, 30, 100, 300, 1_000, 3_000] {
                let budget = Budget::unlimited().with_nodes(nodes);
                let search = || Search::new(&text.parse().unwrap(), &budget, Effort::FULL);
                let scores = search().scores(&moves(text));
                match search().kind {
                    Kind::Patterns(search) => check(*search, text, nodes, &scores),
                    Kind::General(search) => check(*search, text, nodes, &scores),
                }
            }
        }
    }

    /// Threads share out the moves, and each move gets its own score.
    #[test]
    fn threads_share_the_scores() {
        let position: Position = "3x5:4 xxx2/ooo2/5 x".parse().unwrap();
        for threads in 1..=20 {
            let budget = Budget::unlimited().with_threads(threads);
            let mut search = Search::new(&position, &budget, Effort::FULL);
            let scores = search.scores(&[3, 4, 8, 9, 14]);
            let signs: Vec<i32> = scores.iter().map(|score| score.signum()).collect();
            assert_eq!(signs, [1, -1, 0, -1, -1], "{scores:?} by {threads} threads");
        }
    }

    /// A strong player keeps close to a stone in the middle.
    #[test]
    fn the_first_reply_touches_the_first_stone() {
        let position: Position =
            "15x15:5 15/15/15/15/15/15/15/7x7/15/15/15/15/15/15/15 o".parse().unwrap();
        for nodes in [500, 5_000, 20_000] {
            let budget = Budget::unlimited().with_nodes(nodes);
            let found = Search::new(&position, &budget, Effort::FULL).best_move().unwrap();
            let (row, col) = (found.cell / 15, found.cell % 15);
            assert!(row.abs_diff(7).max(col.abs_diff(7)) == 1, "{row} {col}");
        }
    }
}

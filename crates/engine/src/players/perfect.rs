//! Solves the position if it can, and searches otherwise.

use noughts_rules::{Move, Position};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::best_line::search_best_line;
use crate::board::Board;
use crate::method::Method;
use crate::search::{Search, SearchLimits};
use crate::solve::{MAX_SOLVABLE_CELLS, Prover};
use crate::tactics::opening_move;
use crate::{Budget, Choice, SearchLine, Strategy, StrategyError, Value, Verdict, solve};

/// Plays perfectly where it can prove the value within its budget: it wins as fast and loses as late
/// as possible. Elsewhere it plays the strongest move it finds, with an estimate as its verdict.
///
/// An unlimited budget really is unlimited on boards of up to 64 cells. Larger boards are rarely
/// solved, so there it stops after two million nodes.
#[derive(Debug)]
pub struct Perfect {
    rng: SmallRng,
    last_search: Option<SearchLine>,
}

const MAX_LARGE_BOARD_NODES: u64 = 2_000_000;

/// The share of the budget for a proof; the search takes the rest.
const SOLVABLE_PROOF_SHARE: f64 = 0.6;
const LARGE_BOARD_PROOF_SHARE: f64 = 0.1;

/// Games with several stones a turn are rarely solved with more empty cells.
const MAX_TRIED_CELLS: usize = 16;

impl Perfect {
    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Perfect {
        Perfect { rng: SmallRng::seed_from_u64(seed), last_search: None }
    }

    fn proven_choice(&mut self, position: &Position, budget: &Budget) -> Option<Choice> {
        if !Prover::supports(position) {
            let solution = solve(position, budget).ok()?;
            return self.proven(solution.value?, solution.pv);
        }
        let mut prover = Prover::new(position, budget).ok()?;
        let value = prover.value().ok()?;
        let moves = prover.most_testing_moves(value);
        let cell = *moves.choose(&mut self.rng)?;
        self.proven(value, vec![cell.into()])
    }

    fn proven(&mut self, value: Value, pv: Vec<Move>) -> Option<Choice> {
        let choice = Choice { mv: *pv.first()?, verdict: Some(Verdict::Proven(value)) };
        let depth = value.plies().map_or(pv.len() as u32, u32::from);
        self.last_search = Some(SearchLine { depth, pv });
        Some(choice)
    }
}

/// The share of the budget for a proof before the search.
fn proof_share(position: &Position) -> f64 {
    let rules = position.rules();
    let empty = rules.cell_count() - position.stone_count();
    match Method::of(position) {
        // On a larger board the solver only finds short wins, as the pattern search does by itself.
        Method::Lines if Prover::supports(position) => {
            if rules.cell_count() <= MAX_SOLVABLE_CELLS {
                SOLVABLE_PROOF_SHARE
            } else if Search::supports_patterns(rules) {
                0.0
            } else {
                LARGE_BOARD_PROOF_SHARE
            }
        }
        Method::Lines if empty <= MAX_TRIED_CELLS => SOLVABLE_PROOF_SHARE,
        // The searches of other games prove what they can.
        _ => 0.0,
    }
}

impl Strategy for Perfect {
    fn choose(&mut self, position: &Position, budget: &Budget) -> Result<Choice, StrategyError> {
        self.last_search = None;
        if position.outcome().is_some() {
            return Err(StrategyError::GameOver);
        }
        let solvable =
            Prover::supports(position) && position.rules().cell_count() <= MAX_SOLVABLE_CELLS;
        let budget = budget.clone();
        let budget = if solvable { budget } else { budget.or_nodes(MAX_LARGE_BOARD_NODES) };
        let share = proof_share(position);
        let has_opening_move =
            Method::of(position) == Method::Lines && opening_move(&Board::new(position)).is_some();
        if share > 0.0
            && !has_opening_move
            && let Some(choice) = self.proven_choice(position, &budget.share(share))
        {
            return Ok(choice);
        }
        let seed = self.rng.random();
        let rest = budget.share(1.0 - share);
        let best = search_best_line(position, &rest, SearchLimits::FULL, seed)?;
        self.last_search = Some(SearchLine { depth: best.depth, pv: best.pv });
        Ok(Choice { mv: best.mv, verdict: Some(best.verdict) })
    }

    fn last_search(&self) -> Option<&SearchLine> {
        self.last_search.as_ref()
    }
}

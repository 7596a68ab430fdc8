//! Monte Carlo tree search.

mod tree;

use noughts_rules::{Seat, State};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use crate::budget::Meter;
use crate::generic::value_of_outcome;
use crate::{Budget, Choice, Strategy, StrategyError, Verdict};
use tree::{Node, Proof, Tree};

/// Plays any game by Monte Carlo tree search: UCT, with random games from the leaves and backup of
/// proven wins and losses (MCTS-Solver). Any number of seats may play, and seats may move several
/// times in a row.
///
/// Each random game counts as one node of the budget. The same seed and node budget give the same
/// moves. Without a time or node limit it plays [`DEFAULT_PLAYOUTS`](Mcts::DEFAULT_PLAYOUTS) games.
///
/// ```
/// use noughts_engine::{Budget, Mcts, Strategy};
/// use noughts_rules::{Position, Rules};
///
/// let ultimate = Position::new(&"ultimate".parse::<Rules>()?);
/// let choice = Mcts::new(7).choose(&ultimate, &Budget::unlimited().with_nodes(100))?;
/// assert!(ultimate.is_legal(choice.mv));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Mcts {
    rng: SmallRng,
    exploration: f32,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MctsResult<M> {
    /// The best move: a proven win, else the most visited one that is not lost.
    pub mv: M,
    /// Its value for the seat to move.
    pub verdict: Verdict,
    /// The principal variation, starting with the best move.
    pub pv: Vec<M>,
    /// Every legal move, in their order.
    pub moves: Vec<MctsMove<M>>,
    /// Random games.
    pub playouts: u64,
}

/// What the search found about a move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MctsMove<M> {
    /// The move.
    pub mv: M,
    /// How many of the random games began with it.
    pub visits: u32,
    /// Its share of the rewards of those games for the seat to move, from 0 to 1: a win counts 1, a
    /// draw 1 divided by the number of seats that play. 0 without visits.
    pub mean_reward: f32,
    /// The proven value, or an estimate from the mean reward.
    pub verdict: Verdict,
}

impl Mcts {
    /// The number of random games for a move if the budget is unlimited.
    pub const DEFAULT_PLAYOUTS: u64 = 20_000;

    const DEFAULT_EXPLORATION: f32 = 0.7;

    /// The clock is checked after this many random games.
    const CHECK_INTERVAL_PLAYOUTS: u64 = 32;

    const MAX_TREE_NODES: u64 = 1 << 22;

    /// The same seed gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Mcts {
        Mcts { rng: SmallRng::seed_from_u64(seed), exploration: Mcts::DEFAULT_EXPLORATION }
    }

    /// Changes the weight of exploration in the upper confidence bound (default: 0.7).
    #[must_use]
    pub fn with_exploration(self, exploration: f32) -> Mcts {
        Mcts { exploration, ..self }
    }

    /// Searches for the best move.
    ///
    /// # Errors
    ///
    /// If the game is over.
    pub fn search<S: State>(
        &mut self,
        state: &S,
        budget: &Budget,
    ) -> Result<MctsResult<S::Move>, StrategyError> {
        let budget = budget.clone().or_nodes(Mcts::DEFAULT_PLAYOUTS);
        let node_bytes = size_of::<Node<S::Move>>() as u64;
        let max_nodes = budget.table_slots(Mcts::MAX_TREE_NODES, node_bytes) as usize;
        let tree = Tree::new(state, max_nodes, self.exploration, &mut self.rng);
        let mut tree = tree.ok_or(StrategyError::GameOver)?;
        let mut meter = Meter::new(&budget).checking_every(Mcts::CHECK_INTERVAL_PLAYOUTS);
        while tree.root().proof.is_none() && meter.spend().is_ok() {
            tree.visit(&mut self.rng);
        }
        result(state, &tree, meter.nodes())
    }
}

impl<S: State> Strategy<S> for Mcts {
    fn choose(&mut self, state: &S, budget: &Budget) -> Result<Choice<S::Move>, StrategyError> {
        let MctsResult { mv, verdict, .. } = self.search(state, budget)?;
        Ok(Choice { mv, verdict: Some(verdict) })
    }
}

fn result<S: State>(
    state: &S,
    tree: &Tree<S>,
    playouts: u64,
) -> Result<MctsResult<S::Move>, StrategyError> {
    let mut order = Vec::new();
    state.moves(&mut order);
    let place = |mv| order.iter().position(|&other| Some(other) == mv);
    let mut children: Vec<&Node<S::Move>> = tree.root_children().iter().collect();
    children.sort_by_key(|child| place(child.mv));
    let moves = order.iter().zip(children).map(|(&mv, child)| MctsMove {
        mv,
        visits: child.visits,
        mean_reward: mean_reward(child),
        verdict: verdict(child, tree.mover(), state.playing()),
    });
    let moves: Vec<MctsMove<S::Move>> = moves.collect();
    let pv = tree.pv();
    let best = pv.first().and_then(|best| moves.iter().find(|found| found.mv == *best));
    let best = best.ok_or(StrategyError::GameOver)?;
    Ok(MctsResult { mv: best.mv, verdict: best.verdict, pv, moves, playouts })
}

fn mean_reward<M>(child: &Node<M>) -> f32 {
    child.reward / child.visits.max(1) as f32
}

/// The verdict on a move of the root, for the seat that makes it.
fn verdict<M>(child: &Node<M>, mover: Seat, seats: usize) -> Verdict {
    let Some(Proof { outcome, plies }) = child.proof else {
        return Verdict::Estimate(score(child.reward, child.visits, seats));
    };
    Verdict::Proven(value_of_outcome(outcome, mover, plies.saturating_add(1)))
}

/// A mean reward on the scale of [`Verdict::Estimate`]: the logarithm of the odds, as Elo differences
/// are, against those of equal players.
fn score(reward: f32, visits: u32, seats: usize) -> i32 {
    const SCALE: f32 = 400.0;
    let fair = 1.0 / seats as f32;
    // As if one more game had had the average result, so that the odds are finite.
    let mean = (reward + fair) / (visits as f32 + 1.0);
    let log_odds = |share: f32| (share / (1.0 - share)).log10();
    (SCALE * (log_odds(mean) - log_odds(fair))) as i32
}

//! A player that searches with alpha-beta.

use noughts_rules::State;

use super::evaluate::Evaluate;
use super::search::AlphaBetaSearch;
use crate::budget::Budget;
use crate::{Choice, MoveVerdict, NoKnowledge, Strategy, StrategyError, Verdict};

/// Plays any game of two seats by iterative deepening with alpha-beta and a transposition table.
///
/// Seats may move several times in a row. A win or loss that it reports is proven, and so is a draw
/// where the search reached all ends of the game. In games that [repeat](State::repeats), a position
/// that occurs on the searched line counts as a draw there, and draws are never reported as proven.
///
/// Without a time or node limit it stops after [`DEFAULT_NODES`](AlphaBeta::DEFAULT_NODES).
#[derive(Debug, Clone, Copy)]
pub struct AlphaBeta<E = NoKnowledge> {
    evaluation: E,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResult<M> {
    /// The best move.
    pub mv: M,
    /// Its value for the seat to move.
    pub verdict: Verdict,
    /// The principal variation as far as it is known, starting with the best move.
    pub pv: Vec<M>,
    /// The depth that was searched completely.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// The verdict on every legal move, and the nodes searched.
pub(crate) type JudgedMoves<M> = (Vec<MoveVerdict<M>>, u64);

impl<E> AlphaBeta<E> {
    /// The node limit of an unlimited budget.
    pub const DEFAULT_NODES: u64 = 500_000;

    /// A player with this evaluation.
    #[must_use]
    pub fn new(evaluation: E) -> AlphaBeta<E> {
        AlphaBeta { evaluation }
    }

    /// Searches for the best move.
    ///
    /// # Errors
    ///
    /// If the game is over or not for two seats.
    pub fn search<S: State>(
        &self,
        state: &S,
        budget: &Budget,
    ) -> Result<SearchResult<S::Move>, StrategyError>
    where
        E: Evaluate<S>,
    {
        let moves = legal_moves(state)?;
        let mut search = self.start(state, budget);
        let found = search.deepen(state);
        let nodes = search.meter.nodes();
        Ok(match found {
            Some(found) => SearchResult {
                mv: moves[found.best],
                verdict: found.verdict(),
                pv: principal_variation(&search, state, found.best, found.depth),
                depth: found.depth,
                nodes,
            },
            None => SearchResult {
                mv: moves[0],
                verdict: Verdict::Estimate(0),
                pv: vec![moves[0]],
                depth: 0,
                nodes,
            },
        })
    }

    /// The verdict on every legal move, in their order. Those that are not proven are searched to the
    /// same depth.
    ///
    /// # Errors
    ///
    /// If the game is over or not for two seats.
    pub fn score_moves<S: State>(
        &self,
        state: &S,
        budget: &Budget,
    ) -> Result<Vec<MoveVerdict<S::Move>>, StrategyError>
    where
        E: Evaluate<S>,
    {
        Ok(self.judge_moves(state, budget)?.0)
    }

    /// [`score_moves`](AlphaBeta::score_moves) with the nodes searched.
    pub(crate) fn judge_moves<S: State>(
        &self,
        state: &S,
        budget: &Budget,
    ) -> Result<JudgedMoves<S::Move>, StrategyError>
    where
        E: Evaluate<S>,
    {
        let moves = legal_moves(state)?;
        let mut search = self.start(state, budget);
        let mut verdicts = vec![Verdict::Estimate(0); moves.len()];
        search.deepen_each(state, &moves, &mut verdicts);
        let scored = moves.into_iter().zip(verdicts);
        let scored = scored.map(|(mv, verdict)| MoveVerdict { mv, verdict }).collect();
        Ok((scored, search.meter.nodes()))
    }

    fn start<S: State>(&self, state: &S, budget: &Budget) -> AlphaBetaSearch<'_, S, E>
    where
        E: Evaluate<S>,
    {
        let budget = budget.clone().or_nodes(AlphaBeta::<E>::DEFAULT_NODES);
        AlphaBetaSearch::new(state, &self.evaluation, &budget)
    }
}

impl Default for AlphaBeta {
    /// A player that only sees the ends of games.
    fn default() -> AlphaBeta {
        AlphaBeta::new(NoKnowledge)
    }
}

impl<S: State, E: Evaluate<S> + Send> Strategy<S> for AlphaBeta<E> {
    fn choose(&mut self, state: &S, budget: &Budget) -> Result<Choice<S::Move>, StrategyError> {
        let SearchResult { mv, verdict, .. } = self.search(state, budget)?;
        Ok(Choice { mv, verdict: Some(verdict) })
    }
}

/// The legal moves, or an error if the game is over or not for two seats.
fn legal_moves<S: State>(state: &S) -> Result<Vec<S::Move>, StrategyError> {
    let seats = state.playing();
    if seats != 2 {
        return Err(StrategyError::Other(format!(
            "alpha-beta needs two seats, and {seats} are playing"
        )));
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    if moves.is_empty() { Err(StrategyError::GameOver) } else { Ok(moves) }
}

/// Follows the table from the best move on.
fn principal_variation<S: State, E: Evaluate<S>>(
    search: &AlphaBetaSearch<'_, S, E>,
    root: &S,
    best: usize,
    depth: u32,
) -> Vec<S::Move> {
    let mut pv = Vec::new();
    let mut state = root.clone();
    let mut next = Some(best);
    while let Some(index) = next.filter(|_| pv.len() < depth as usize) {
        let Some(mv) = state.nth_move(index) else { break };
        pv.push(mv);
        match state.play(mv) {
            Ok(None) => next = search.table_move(&state),
            Ok(Some(_)) | Err(_) => break,
        }
    }
    pv
}

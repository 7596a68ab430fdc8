//! Exact values of small games.

use noughts_rules::{Seat, State};

use super::graph::Graph;
use super::search::{AlphaBetaSearch, value};
use super::{NoKnowledge, value_of_outcome};
use crate::budget::{Meter, OutOfBudget};
use crate::{Budget, Solution, SolveError, Value};

/// Solves a state of any game of two seats.
///
/// In games that [repeat](State::repeats), play that never ends is a draw; their solution is all or
/// nothing, because it needs every position that can be reached.
///
/// ```
/// use noughts_engine::{Budget, Value, solve_game};
/// use noughts_rules::{Position, Rules};
///
/// let wild = Position::new(&"3x3+wild".parse::<Rules>()?);
/// let solution = solve_game(&wild, &Budget::unlimited())?;
/// assert_eq!(solution.value, Some(Value::Win { plies: 7 }));
/// assert_eq!(solution.pv.len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the game is over or not for two seats.
pub fn solve_game<S: State>(state: &S, budget: &Budget) -> Result<Solution<S::Move>, SolveError> {
    let mut solver = GameSolver::new(state, budget)?;
    let value = solver.value().ok();
    let pv = value.map_or_else(Vec::new, |_| solver.pv());
    Ok(Solution { value, pv, nodes: solver.nodes() })
}

/// A solver that answers several questions on one state and keeps what it found.
pub struct GameSolver<S: State> {
    root: S,
    mover: Seat,
    moves: Vec<S::Move>,
    method: Method<S>,
}

enum Method<S: State> {
    /// Iterative deepening.
    Search(Box<AlphaBetaSearch<'static, S, NoKnowledge>>),
    /// Retrograde analysis; the graph is built with the first question.
    Graph { graph: Option<Graph<S::Move>>, budget: Budget, meter: Box<Meter> },
}

impl<S: State> GameSolver<S> {
    /// A solver with a budget for all questions together.
    ///
    /// # Errors
    ///
    /// If the game is over or not for two seats.
    pub fn new(state: &S, budget: &Budget) -> Result<GameSolver<S>, SolveError> {
        let mover = state.turn().ok_or(SolveError::GameOver)?;
        if state.playing() != 2 {
            return Err(SolveError::ManySeats { seats: state.playing() });
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let method = if state.repeats() {
            let meter = Box::new(Meter::new(budget));
            Method::Graph { graph: None, budget: budget.clone(), meter }
        } else {
            Method::Search(Box::new(AlphaBetaSearch::new(state, &NoKnowledge, budget)))
        };
        Ok(GameSolver { root: state.clone(), mover, moves, method })
    }

    /// The value for the seat to move.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    pub fn value(&mut self) -> Result<Value, OutOfBudget> {
        match &mut self.method {
            Method::Search(search) => solve_by_search(search, &self.root),
            Method::Graph { .. } => Ok(self.graph()?.value()),
        }
    }

    /// The value of a legal move, for the seat that makes it.
    ///
    /// # Errors
    ///
    /// If the budget is used up.
    pub fn value_of(&mut self, mv: S::Move) -> Result<Value, OutOfBudget> {
        match &mut self.method {
            Method::Search(search) => value_of_move(search, &self.root, self.mover, mv),
            Method::Graph { .. } => {
                let index = self.moves.iter().position(|&other| other == mv);
                let value =
                    index.and_then(|index| self.graph().map(|g| g.value_of(index)).transpose());
                value.unwrap_or(Err(OutOfBudget))
            }
        }
    }

    /// The principal variation, as far as the budget reaches: the fastest win against the longest
    /// resistance. That of a draw in a game that repeats ends where a position would occur again.
    pub fn pv(&mut self) -> Vec<S::Move> {
        match &mut self.method {
            Method::Search(search) => pv_by_search(search, &self.root),
            Method::Graph { graph, .. } => {
                graph.as_ref().map_or_else(Vec::new, |graph| graph.pv(&self.root))
            }
        }
    }

    /// Positions visited.
    pub fn nodes(&self) -> u64 {
        match &self.method {
            Method::Search(search) => search.meter.nodes(),
            Method::Graph { meter, .. } => meter.nodes(),
        }
    }

    fn graph(&mut self) -> Result<&Graph<S::Move>, OutOfBudget> {
        let Method::Graph { graph, budget, meter } = &mut self.method else {
            return Err(OutOfBudget);
        };
        match graph {
            Some(graph) => Ok(graph),
            None => Ok(graph.insert(Graph::new(&self.root, self.mover, budget, meter)?)),
        }
    }
}

type Search<S> = AlphaBetaSearch<'static, S, NoKnowledge>;

fn solve_by_search<S: State>(search: &mut Search<S>, state: &S) -> Result<Value, OutOfBudget> {
    let found = search.deepen(state).filter(|found| found.settled).ok_or(OutOfBudget)?;
    Ok(value(found.score).unwrap_or(Value::Draw))
}

fn value_of_move<S: State>(
    search: &mut Search<S>,
    state: &S,
    mover: Seat,
    mv: S::Move,
) -> Result<Value, OutOfBudget> {
    let mut child = state.clone();
    // An illegal move has no value.
    match child.play(mv).map_err(|_| OutOfBudget)? {
        Some(outcome) => Ok(value_of_outcome(outcome, mover, 1)),
        None => {
            let value = solve_by_search(search, &child)?;
            Ok(match value {
                _ if child.turn() != Some(mover) => value.before_move(),
                Value::Win { plies } => Value::Win { plies: plies + 1 },
                Value::Draw => Value::Draw,
                Value::Loss { plies } => Value::Loss { plies: plies + 1 },
            })
        }
    }
}

fn pv_by_search<S: State>(search: &mut Search<S>, root: &S) -> Vec<S::Move> {
    let mut pv = Vec::new();
    let mut state = root.clone();
    while let Some(mover) = state.turn() {
        let Ok(value) = solve_by_search(search, &state) else { break };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if let Some(likely) = search.table_move(&state).filter(|&index| index < moves.len()) {
            moves[..=likely].rotate_right(1);
        }
        let keeps_value = |&mv: &S::Move| value_of_move(search, &state, mover, mv) == Ok(value);
        let Some(mv) = moves.into_iter().find(keeps_value) else { break };
        pv.push(mv);
        if !matches!(state.play(mv), Ok(None)) {
            break;
        }
    }
    pv
}

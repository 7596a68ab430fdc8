//! Computer players by name.

use std::sync::{Mutex, PoisonError};

use noughts_engine::{PlayerKind, Players, Strategy};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::analysis::Verdict;
use crate::budget::{budget, run_search};
use crate::errors::{refused, value_error};
use crate::position::position_arg;

/// A computer player by name: a level from `random` to `perfect`, `mcts`, `alpha-beta`, or
/// `engine:PATH` for a program that speaks the Gomocup protocol.
///
/// The same seed and node limit give the same moves.
///
/// >>> perfect = noughts.Computer("perfect", seed=1)
/// >>> perfect.choose(noughts.Position("3x3 xx1/oo1/3 x"))
/// Choice(move='A3', verdict=Verdict('win in 1'))
/// >>> noughts.Computer("grandmaster")
/// Traceback (most recent call last):
///     ...
/// ValueError: `grandmaster` is not a player: expected human, random, easy, medium, hard, perfect, mcts, alpha-beta or engine:PATH
#[pyclass(module = "noughts", frozen)]
pub(crate) struct Computer {
    name: String,
    strategy: Mutex<Box<dyn Strategy>>,
}

#[pymethods]
impl Computer {
    #[new]
    #[pyo3(signature = (name, *, seed=0))]
    fn new(name: &str, seed: u64) -> PyResult<Computer> {
        let kind: PlayerKind = name.parse().map_err(value_error)?;
        let strategy = kind.strategy(seed);
        let strategy = strategy.ok_or_else(|| value_error("a person is not a computer player"))?;
        Ok(Computer { name: kind.to_string(), strategy: Mutex::new(strategy) })
    }

    /// The names of the computer players, the levels from weakest to strongest first.
    #[staticmethod]
    fn names() -> Vec<String> {
        Players::built_in().iter().map(ToString::to_string).collect()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Chooses a move for the seat to move, within limits. Other threads of Python run meanwhile.
    #[pyo3(signature = (position, *, nodes=None, seconds=None, threads=1))]
    fn choose(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        threads: usize,
    ) -> PyResult<Choice> {
        let position = position_arg(position)?;
        let choice = run_search(py, budget(nodes, seconds, threads)?, |budget| {
            let mut strategy = self.strategy.lock().unwrap_or_else(PoisonError::into_inner);
            strategy.prepare(&position, budget)?;
            strategy.choose(&position, budget)
        })?;
        let choice = choice.map_err(refused)?;
        Ok(Choice { r#move: choice.mv.to_string(), verdict: choice.verdict.map(Verdict) })
    }

    fn __repr__(&self) -> String {
        format!("Computer('{}')", self.name)
    }
}

/// A move that a computer player chose.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Choice {
    /// The move.
    r#move: String,
    /// Its value for the player, if it was evaluated.
    verdict: Option<Verdict>,
}

#[pymethods]
impl Choice {
    fn __repr__(&self) -> String {
        let verdict = self.verdict.map_or("None".into(), |verdict| verdict.__repr__());
        format!("Choice(move='{}', verdict={verdict})", self.r#move)
    }
}

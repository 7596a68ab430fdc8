//! Exact solving and analysis.

use std::fmt;

use noughts_engine as engine;
use pyo3::prelude::*;

use crate::budget::{budget, run_search};
use crate::errors::refused;
use crate::moves::move_texts;
use crate::position::position_arg;

/// The value of a position or a move with perfect play, for the seat to move. Values compare: late
/// losses are better than early ones, early wins better than late ones.
///
/// >>> value = noughts.solve("3x3 xx1/oo1/3 x").value
/// >>> value, value.result, value.plies
/// (Value('win in 1'), 'win', 1)
/// >>> value > noughts.solve("3x3").value
/// True
#[pyclass(module = "noughts", frozen, eq, ord, hash, str)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Value(engine::Value);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Value {
    /// `win`, `draw` or `loss`.
    #[getter]
    fn result(&self) -> &'static str {
        match self.0 {
            engine::Value::Win { .. } => "win",
            engine::Value::Draw => "draw",
            engine::Value::Loss { .. } => "loss",
        }
    }

    /// The moves of all seats until the end; `None` for a draw.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.0.plies()
    }

    fn __repr__(&self) -> String {
        format!("Value('{}')", self.0)
    }
}

/// What a search found about a position or a move: a proven value or an estimate.
///
/// >>> verdict = noughts.analyse("3x3 x2/1o1/2x o").moves[0].verdict
/// >>> verdict, verdict.value, verdict.estimate
/// (Verdict('draw'), Value('draw'), None)
#[pyclass(module = "noughts", frozen, eq, hash, str)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Verdict(pub(crate) engine::Verdict);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[pymethods]
impl Verdict {
    /// The proven value; `None` if it is an estimate.
    #[getter]
    fn value(&self) -> Option<Value> {
        self.0.proven().map(Value)
    }

    /// The score for the seat to move: 0 is even, a few hundred a clear advantage. `None` if the
    /// value is proven.
    #[getter]
    fn estimate(&self) -> Option<i32> {
        match self.0 {
            engine::Verdict::Proven(_) => None,
            engine::Verdict::Estimate(score) => Some(score),
        }
    }

    pub(crate) fn __repr__(&self) -> String {
        format!("Verdict('{}')", self.0)
    }
}

/// The result of `solve`.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Solution {
    /// The value for the seat to move; `None` if the limits were reached first.
    value: Option<Value>,
    /// The principal variation: the fastest win against the longest resistance.
    pv: Vec<String>,
    /// The positions visited.
    nodes: u64,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        let value = self.value.map_or("None".into(), |value| value.__repr__());
        format!("Solution(value={value}, pv={:?}, nodes={})", self.pv, self.nodes)
    }
}

/// Solves a position, or the start of rules, with two seats left: what it is worth with perfect play.
///
/// >>> noughts.solve("3x3+misere").value
/// Value('draw')
/// >>> noughts.solve("15x15:5", nodes=1000).value is None
/// True
#[pyfunction]
#[pyo3(signature = (position, *, nodes=None, seconds=None))]
pub(crate) fn solve(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    seconds: Option<f64>,
) -> PyResult<Solution> {
    let position = position_arg(position)?;
    let solution =
        run_search(py, budget(nodes, seconds, 1)?, |budget| engine::solve(&position, budget))?
            .map_err(refused)?;
    Ok(Solution {
        value: solution.value.map(Value),
        pv: move_texts(solution.pv),
        nodes: solution.nodes,
    })
}

/// A legal move and its verdict.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct MoveVerdict {
    /// The move.
    r#move: String,
    /// The value of making it, for the seat to move.
    verdict: Verdict,
}

#[pymethods]
impl MoveVerdict {
    fn __repr__(&self) -> String {
        format!("MoveVerdict(move='{}', verdict={})", self.r#move, self.verdict.__repr__())
    }
}

/// The result of `analyse`.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Analysis {
    /// Every legal move with its verdict, in the order of the board.
    moves: Vec<MoveVerdict>,
    /// The best move.
    best: String,
    /// The principal variation, starting with the best move.
    pv: Vec<String>,
    /// The positions visited.
    nodes: u64,
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        format!("Analysis(best='{}', pv={:?}, nodes={})", self.best, self.pv, self.nodes)
    }
}

/// Analyses every legal move of a position, or of the start of rules.
///
/// >>> analysis = noughts.analyse("3x3 x2/1o1/2x o")
/// >>> {at.move: str(at.verdict) for at in analysis.moves}
/// {'A2': 'draw', 'A3': 'loss in 2', 'B1': 'draw', 'B3': 'draw', 'C1': 'loss in 2', 'C2': 'draw'}
#[pyfunction]
#[pyo3(signature = (position, *, nodes=None, seconds=None, threads=1))]
pub(crate) fn analyse(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    threads: usize,
) -> PyResult<Analysis> {
    let position = position_arg(position)?;
    let analysis = run_search(py, budget(nodes, seconds, threads)?, |budget| {
        engine::analyse(&position, budget)
    })?
    .map_err(refused)?;
    let moves = analysis
        .moves
        .iter()
        .map(|at| MoveVerdict { r#move: at.mv.to_string(), verdict: Verdict(at.verdict) });
    Ok(Analysis {
        moves: moves.collect(),
        best: analysis.best.to_string(),
        pv: move_texts(analysis.pv),
        nodes: analysis.nodes,
    })
}

//! The batched environment.

use noughts_engine::{Budget, Players};
use noughts_rules::Rules as GameRules;
use numpy::ndarray::Dimension;
use numpy::{
    AllowTypeChange, Element, IxDyn, PyArray1, PyArray2, PyArrayDyn, PyArrayLike1, PyArrayMethods,
    PyReadwriteArray,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::batch::{Arrays, Batch, BatchOptions, Opponent, StepError};
use crate::budget::{budget, run_search};
use crate::errors::{refused, value_error};
use crate::moves::parse_seat;
use crate::position::Position;
use crate::rules::{Rules, board_shape, rules_arg};

/// Many games at once, as numpy arrays that every step writes in place.
///
/// Without opponents, each step plays a move for the seat to move of each game. With opponents, who
/// are computer players by name, you play one seat and the step includes their replies; `seat=None`
/// changes the seat from game to game. A finished game starts again within the same step: `dones` and
/// `rewards` tell of the old game, the other arrays show the new one. The interpreter's lock is
/// released during steps, which run on several `threads` if there are enough games. The same seed and
/// moves give the same games, however many threads there are.
///
/// >>> env = noughts.VecEnv("3x3", 2, seed=1)
/// >>> rewards, dones = env.step([4, 0])
/// >>> env.boards[0]
/// array([[0, 0, 0],
///        [0, 1, 0],
///        [0, 0, 0]], dtype=uint8)
/// >>> env.masks[1].nonzero()[0]
/// array([1, 2, 3, 4, 5, 6, 7, 8])
/// >>> env.turns
/// array([1, 1], dtype=uint8)
/// >>> env.step([4, 1])
/// Traceback (most recent call last):
///     ...
/// noughts.RefusedError: game 0: B2 is taken, choose an empty box
#[pyclass(module = "noughts")]
pub(crate) struct VecEnv {
    batch: Batch,
    budget: Budget,
    boards: Output<PyArrayDyn<u8>>,
    masks: Output<PyArray2<bool>>,
    turns: Output<PyArray1<u8>>,
    rewards: Output<PyArray1<f32>>,
    dones: Output<PyArray1<bool>>,
    samples: Py<PyArray1<i64>>,
}

/// An array that the environment writes, and a view of it that Python can only read.
struct Output<A> {
    array: Py<A>,
    view: Py<PyAny>,
}

impl<A> Output<A> {
    fn new(array: Bound<'_, A>) -> PyResult<Output<A>> {
        let view = array.as_any().call_method0("view")?;
        view.call_method1("setflags", (false,))?;
        Ok(Output { array: array.unbind(), view: view.unbind() })
    }

    fn view<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.view.bind(py).clone()
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (rules, count, *, opponents=None, seat=None, nodes=None, threads=None, seed=0))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        rules: &Bound<'_, PyAny>,
        count: usize,
        opponents: Option<&Bound<'_, PyAny>>,
        seat: Option<usize>,
        nodes: Option<u64>,
        threads: Option<usize>,
        seed: u64,
    ) -> PyResult<VecEnv> {
        if count == 0 {
            return Err(PyValueError::new_err("expected at least one game"));
        }
        let rules = rules_arg(rules)?;
        seat.map(|seat| parse_seat(&rules, seat)).transpose()?;
        let opponents = opponents.map_or(Ok(Vec::new()), parse_opponents)?;
        let threads =
            threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        let mut shape = board_shape(&rules);
        shape.insert(0, count);
        let mut env = VecEnv {
            boards: Output::new(PyArrayDyn::zeros(py, IxDyn(&shape), false))?,
            masks: Output::new(PyArray2::zeros(py, [count, rules.move_index_count()], false))?,
            turns: Output::new(PyArray1::zeros(py, count, false))?,
            rewards: Output::new(PyArray1::zeros(py, count, false))?,
            dones: Output::new(PyArray1::zeros(py, count, false))?,
            samples: PyArray1::zeros(py, count, false).unbind(),
            budget: budget(nodes, None, 1)?,
            batch: Batch::new(BatchOptions { rules, count, opponents, seat, threads })
                .map_err(value_error)?,
        };
        env.reset(py, seed)?;
        Ok(env)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.batch.rules().clone())
    }

    /// What stands on each cell of each game: 0 for nothing, 1 for X, 2 for O and so on.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.boards.view(py)
    }

    /// Which moves are legal in each game, by index.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.masks.view(py)
    }

    /// The seat to move in each game; against opponents, your seat.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.turns.view(py)
    }

    /// What the last step was worth for the seat that moved: 1 if it won, -1 if it lost, else 0.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.rewards.view(py)
    }

    /// Which games the last step ended.
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.dones.view(py)
    }

    /// Starts all games again.
    #[pyo3(signature = (seed=0))]
    fn reset(&mut self, py: Python<'_>, seed: u64) -> PyResult<()> {
        self.write_arrays(py, |batch, budget, arrays| batch.reset(seed, budget, arrays))
    }

    /// Plays a move in every game, given by its index. Returns `rewards` and `dones`. Changes nothing
    /// if a move is not legal.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        moves: PyArrayLike1<'py, i64, AllowTypeChange>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let moves = moves.as_slice().map_err(value_error)?;
        let count = self.samples.bind(py).len()?;
        if moves.len() != count {
            let got = moves.len();
            return Err(PyValueError::new_err(format!("expected {count} moves, got {got}")));
        }
        self.write_arrays(py, |batch, budget, arrays| batch.step(moves, budget, arrays))?;
        Ok((self.rewards(py), self.dones(py)))
    }

    /// A random legal move for every game, as an array that the next call writes again.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let samples = self.samples.bind(py);
        {
            let mut array = samples.try_readwrite().map_err(value_error)?;
            let out = array.as_slice_mut().map_err(value_error)?;
            let batch = &mut self.batch;
            py.detach(|| batch.sample(out));
        }
        Ok(samples.clone())
    }

    /// A copy of the position of a game.
    fn position(&self, game: usize) -> PyResult<Position> {
        let position = self.batch.position(game).cloned().map(Position);
        position.ok_or_else(|| PyIndexError::new_err(format!("there is no game {game}")))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.samples.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("VecEnv('{}', {})", self.batch.rules(), self.__len__(py)?))
    }
}

impl VecEnv {
    /// Runs an operation on the batch that writes its arrays, without the interpreter's lock.
    fn write_arrays(
        &mut self,
        py: Python<'_>,
        run: impl FnOnce(&mut Batch, &Budget, Arrays<'_>) -> Result<(), StepError> + Send,
    ) -> PyResult<()> {
        let mut boards = self.boards.array.bind(py).try_readwrite().map_err(value_error)?;
        let mut masks = self.masks.array.bind(py).try_readwrite().map_err(value_error)?;
        let mut turns = self.turns.array.bind(py).try_readwrite().map_err(value_error)?;
        let mut rewards = self.rewards.array.bind(py).try_readwrite().map_err(value_error)?;
        let mut dones = self.dones.array.bind(py).try_readwrite().map_err(value_error)?;
        let arrays = Arrays {
            boards: slice(&mut boards)?,
            masks: slice(&mut masks)?,
            turns: slice(&mut turns)?,
            rewards: slice(&mut rewards)?,
            dones: slice(&mut dones)?,
        };
        let (batch, budget) = (&mut self.batch, &self.budget);
        let result = if batch.has_strategies() {
            run_search(py, budget.clone(), |budget| run(batch, budget, arrays))?
        } else {
            py.detach(|| run(batch, budget, arrays))
        };
        result.map_err(|error| step_error(self.batch.rules(), &error))
    }
}

fn slice<'a, T: Element, D: Dimension>(
    array: &'a mut PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(value_error)
}

fn step_error(rules: &GameRules, error: &StepError) -> PyErr {
    match error {
        StepError::NoMove { game, index } => PyIndexError::new_err(format!(
            "game {game}: move {index} is out of range: expected 0 to {}",
            rules.move_index_count() - 1
        )),
        StepError::Refused { game, refusal } => refused(format!("game {game}: {refusal}")),
        StepError::Opponent { game, error } => {
            refused(format!("game {game}: the opponent failed: {error}"))
        }
    }
}

/// One name, or a list of names.
fn parse_opponents(arg: &Bound<'_, PyAny>) -> PyResult<Vec<Opponent>> {
    let names: Vec<String> = match arg.cast::<PyString>() {
        Ok(name) => vec![name.to_string()],
        Err(_) => arg.extract().map_err(|_| {
            PyTypeError::new_err(format!("expected the name of a player, or names, not {arg}"))
        })?,
    };
    let players = Players::built_in();
    let opponent = |name: &String| match name.as_str() {
        "random" => Ok(Opponent::Random),
        _ => players.get(name).cloned().map(Opponent::Player).ok_or_else(|| {
            let known: Vec<String> = players.iter().map(ToString::to_string).collect();
            value_error(format!("`{name}` is not a player: expected {}", known.join(", ")))
        }),
    };
    names.iter().map(opponent).collect()
}

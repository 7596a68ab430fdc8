//! Positions.

use std::fmt;

use noughts_rules as rules;
use noughts_rules::{Action, MAX_CELLS, Seat};
use numpy::{IxDyn, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyString};

use crate::errors::{refused, value_error};
use crate::event::Status;
use crate::moves::{mark_letter, move_texts, parse_cell, parse_move, parse_seat};
use crate::outcome::Outcome;
use crate::rules::{Rules, board_shape};

/// Two marks on every cell of the largest board, and the opening choices.
const MAX_MOVE_INDICES: usize = 2 * MAX_CELLS + 3;

/// A board, the seat to move and the moves that led there.
///
/// Make one from rules, their text, or the text of a position:
///
/// >>> position = noughts.Position("3x3")
/// >>> position.play("B2")
/// >>> position.play(0)
/// >>> str(position)
/// '3x3 o2/1x1/3 x'
/// >>> position.legal_moves()
/// ['A2', 'A3', 'B1', 'B3', 'C1', 'C2', 'C3']
/// >>> position.undo()
/// (1, 'A1')
/// >>> noughts.Position("3x3 xx1/oo1/3 x").play("A3")
/// Outcome(winner=0)
#[pyclass(module = "noughts", eq, str)]
#[derive(Clone, PartialEq)]
pub(crate) struct Position(pub(crate) rules::Position);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An action as Python gets it: the seat, and the move unless the seat resigned.
pub(crate) type ActionTuple = (usize, Option<String>);

pub(crate) fn action_tuple(action: Action) -> ActionTuple {
    match action {
        Action::Move { seat, mv } => (seat.index(), Some(mv.to_string())),
        Action::Resign { seat } => (seat.index(), None),
    }
}

/// The start of rules, or a position from its text.
pub(crate) fn position_arg(arg: &Bound<'_, PyAny>) -> PyResult<rules::Position> {
    if let Ok(rules) = arg.cast::<Rules>() {
        return Ok(rules::Position::new(&rules.get().0));
    }
    if let Ok(position) = arg.cast::<Position>() {
        return Ok(position.try_borrow()?.0.clone());
    }
    let Ok(text) = arg.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!(
            "expected rules or a position, or the text of one, not {arg}"
        )));
    };
    let text = text.to_cow()?;
    if text.trim().contains(char::is_whitespace) {
        return text.parse().map_err(value_error);
    }
    text.parse().map(|rules| rules::Position::new(&rules)).map_err(value_error)
}

#[pymethods]
impl Position {
    #[new]
    fn new(start: &Bound<'_, PyAny>) -> PyResult<Position> {
        position_arg(start).map(Position)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
    }

    /// The seat to move, from 0; `None` if the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.0.turn().map(Seat::index)
    }

    /// How the game ended; `None` if it is not over.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().map(Outcome::from)
    }

    /// The state of the game, with the winning cells.
    ///
    /// >>> noughts.Position("3x3 xxx/oo1/3 -").status
    /// Status.Won(seat=0, cells=['A1', 'A2', 'A3'])
    #[getter]
    fn status(&self) -> Status {
        self.0.status().into()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.outcome().is_some()
    }

    /// The number of legal moves.
    #[getter]
    fn move_count(&self) -> usize {
        self.0.move_count()
    }

    /// The number of stones on the board.
    #[getter]
    fn stone_count(&self) -> usize {
        self.0.stone_count()
    }

    /// How many stones the seat to move may still place in this turn; 0 if the game is over.
    #[getter]
    fn stones_left(&self) -> u8 {
        self.0.stones_left()
    }

    /// A hash of everything that decides how the game can go on.
    ///
    /// >>> a, b = noughts.Position("3x3"), noughts.Position("3x3")
    /// >>> for move in ["A1", "B2", "C3"]: _ = a.play(move)
    /// >>> for move in ["C3", "B2", "A1"]: _ = b.play(move)
    /// >>> a.key == b.key
    /// True
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// What was done since the position was made: seats and moves, `None` for a resignation.
    #[getter]
    fn history(&self) -> Vec<ActionTuple> {
        self.0.history().map(action_tuple).collect()
    }

    /// The seat to move makes a move, given as text or as an index. Returns the outcome if that ends
    /// the game.
    fn play(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let mv = parse_move(self.0.rules(), r#move)?;
        self.0.play(mv).map(|outcome| outcome.map(Outcome::from)).map_err(refused)
    }

    /// Takes back the last action and returns it.
    fn undo(&mut self) -> PyResult<ActionTuple> {
        self.0.undo().map(action_tuple).map_err(refused)
    }

    /// A seat leaves the game; the last one left wins.
    fn resign(&mut self, seat: usize) -> PyResult<Option<Outcome>> {
        let seat = parse_seat(self.0.rules(), seat)?;
        self.0.resign(seat).map_err(refused)?;
        Ok(self.outcome())
    }

    /// Back to the empty board.
    fn clear(&mut self) {
        self.0.clear();
    }

    /// A copy that is played on by itself.
    fn copy(&self) -> Position {
        self.clone()
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.is_legal(parse_move(self.0.rules(), r#move)?))
    }

    /// The legal moves as texts, in the order of the board; none if the game is over.
    fn legal_moves(&self) -> Vec<String> {
        move_texts(self.0.legal_moves())
    }

    /// The legal moves as indices, in ascending order.
    ///
    /// >>> noughts.Position("3x3 xo1/3/3 x").legal_indices()
    /// [2, 3, 4, 5, 6, 7, 8]
    fn legal_indices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut mask = vec![false; self.0.rules().move_index_count()];
        self.0.fill_legal(&mut mask);
        let numbers = small_numbers(py)?;
        let legal = mask.iter().zip(numbers).filter(|(legal, _)| **legal);
        PyList::new(py, legal.map(|(_, number)| number).collect::<Vec<_>>())
    }

    /// The legal move with a number, from 0 to `move_count - 1`, as an index. With a random number
    /// this is the quickest random move.
    fn nth_index(&self, n: usize) -> PyResult<usize> {
        let index = self.0.nth_move(n).and_then(|mv| self.0.rules().move_index(mv));
        index.ok_or_else(|| {
            let count = self.0.move_count();
            pyo3::exceptions::PyIndexError::new_err(format!(
                "there is no move {n}: the position has {count} legal moves"
            ))
        })
    }

    /// Which moves are legal, by index: a new array, or `out` filled in place.
    #[pyo3(signature = (out=None))]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray1<bool>>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let count = self.0.rules().move_index_count();
        let out = out.unwrap_or_else(|| PyArray1::zeros(py, count, false));
        {
            let mut array = out.try_readwrite().map_err(value_error)?;
            let mask = array.as_slice_mut().map_err(value_error)?;
            check_length(mask.len(), count)?;
            self.0.fill_legal(mask);
        }
        Ok(out)
    }

    /// What stands on each cell: 0 for nothing, 1 for X, 2 for O and so on. A new array of the shape
    /// of the board, or `out` filled in place.
    ///
    /// >>> noughts.Position("3x3 xo1/3/3 x").board()
    /// array([[1, 2, 0],
    ///        [0, 0, 0],
    ///        [0, 0, 0]], dtype=uint8)
    #[pyo3(signature = (out=None))]
    fn board<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArrayDyn<u8>>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let rules = self.0.rules();
        let new = || PyArrayDyn::zeros(py, IxDyn(&board_shape(rules)), false);
        let out = out.unwrap_or_else(new);
        {
            let mut array = out.try_readwrite().map_err(value_error)?;
            let board = array.as_slice_mut().map_err(value_error)?;
            check_length(board.len(), rules.cell_count())?;
            self.0.fill_marks(board);
        }
        Ok(out)
    }

    /// The letter of the mark on a cell; `None` if it is empty.
    fn mark_at(&self, cell: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let cell = parse_cell(self.0.rules(), cell)?;
        Ok(self.0.mark_at(cell).map(mark_letter))
    }

    /// The number of the mark of a seat, as on the board; `None` if seats have no marks of their own.
    fn mark_of(&self, seat: usize) -> PyResult<Option<usize>> {
        let seat = parse_seat(self.0.rules(), seat)?;
        Ok(self.0.mark_of(seat).map(|mark| mark.index() + 1))
    }

    /// The cells of a mark, by its number, in the order in which they fade: the next first. Empty
    /// where marks stay.
    ///
    /// >>> position = noughts.Position("3x3+fade3")
    /// >>> for move in ["B2", "A1", "C3"]: _ = position.play(move)
    /// >>> position.fade_order(1)
    /// [4, 8]
    fn fade_order(&self, mark: usize) -> Vec<usize> {
        let rules = self.0.rules();
        let mark = mark.checked_sub(1).and_then(|index| rules.marks().nth(index));
        let cells = mark.map_or(&[][..], |mark| self.0.fade_order(mark));
        cells.iter().filter_map(|&cell| rules.cell_index(cell)).collect()
    }

    fn __copy__(&self) -> Position {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.clone()
    }

    /// A position is pickled without its history.
    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }
}

fn check_length(got: usize, expected: usize) -> PyResult<()> {
    if got == expected {
        return Ok(());
    }
    Err(value_error(format!("expected an array of {expected} elements, got {got}")))
}

/// The move indices as objects of Python, so that lists of them need no new ones.
fn small_numbers(py: Python<'_>) -> PyResult<&'static [Py<PyInt>]> {
    static NUMBERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
    let numbers = NUMBERS.get_or_try_init(py, || {
        (0..MAX_MOVE_INDICES).map(|n| Ok(n.into_pyobject(py)?.unbind())).collect::<PyResult<_>>()
    });
    numbers.map(Vec::as_slice)
}

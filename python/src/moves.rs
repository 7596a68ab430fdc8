//! Moves and cells as Python writes them.

use noughts_rules::{Cell, Mark, Move, Rules, Seat};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::value_error;

/// A move from its text or its index.
pub(crate) fn parse_move(rules: &Rules, arg: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(text) = arg.cast::<PyString>() {
        return rules.parse_move(&text.to_cow()?).map_err(value_error);
    }
    let index = index(arg, "a move")?;
    rules.move_at(index).ok_or_else(|| {
        let count = rules.move_index_count();
        PyIndexError::new_err(format!("move {index} is out of range: expected 0 to {}", count - 1))
    })
}

/// A cell of the board from its text or its index.
pub(crate) fn parse_cell(rules: &Rules, arg: &Bound<'_, PyAny>) -> PyResult<Cell> {
    let cell = match arg.cast::<PyString>() {
        Ok(text) => Some(text.to_cow()?.parse().map_err(value_error)?),
        Err(_) => rules.cell_at(index(arg, "a cell")?),
    };
    cell.filter(|&cell| rules.contains(cell))
        .ok_or_else(|| PyIndexError::new_err(format!("{arg} is not on the board of {rules}")))
}

fn index(arg: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    arg.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyTypeError>(arg.py()) {
            PyTypeError::new_err(format!("expected {what} as text or as an index, not {arg}"))
        } else {
            error
        }
    })
}

/// A seat of these rules from its index.
pub(crate) fn parse_seat(rules: &Rules, index: usize) -> PyResult<Seat> {
    rules.seats().nth(index).ok_or_else(|| {
        let last = rules.players() - 1;
        PyValueError::new_err(format!("seat {index} is out of range: expected 0 to {last}"))
    })
}

/// A mark as its letter.
pub(crate) fn mark_letter(mark: Mark) -> String {
    mark.to_string()
}

/// Moves as texts.
pub(crate) fn move_texts(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    moves.into_iter().map(|mv| mv.to_string()).collect()
}

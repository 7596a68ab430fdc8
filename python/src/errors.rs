//! Errors of the libraries as Python exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

pyo3::create_exception!(
    noughts,
    RefusedError,
    PyValueError,
    "An action that is not possible now. It changed nothing."
);

/// A value that can't be: a text that does not parse, a name that is too long.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An action that is not possible now.
pub(crate) fn refused(refusal: impl Display) -> PyErr {
    RefusedError::new_err(refusal.to_string())
}

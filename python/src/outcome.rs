//! How games end.

use std::fmt;

use noughts_rules as rules;
use pyo3::prelude::*;

/// How a finished game ended.
///
/// >>> position = noughts.Position("3x3 xx1/oo1/3 x")
/// >>> outcome = position.play("A3")
/// >>> outcome
/// Outcome(winner=0)
/// >>> [outcome.reward(seat) for seat in range(2)]
/// [1.0, -1.0]
#[pyclass(module = "noughts", frozen, eq, hash)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome(rules::Outcome);

impl From<rules::Outcome> for Outcome {
    fn from(outcome: rules::Outcome) -> Outcome {
        Outcome(outcome)
    }
}

#[pymethods]
impl Outcome {
    /// The seat that won; `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<usize> {
        match self.0 {
            rules::Outcome::Win(seat) => Some(seat.index()),
            rules::Outcome::Draw => None,
        }
    }

    /// 1 for the winner, -1 for all others, 0 for everyone in a draw.
    fn reward(&self, seat: usize) -> f32 {
        reward(self.0, seat)
    }

    fn __repr__(&self) -> String {
        let winner = self.winner().map_or("None".into(), |seat| seat.to_string());
        format!("Outcome(winner={winner})")
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.__repr__())
    }
}

/// What a game was worth for a seat.
pub(crate) fn reward(outcome: rules::Outcome, seat: usize) -> f32 {
    match outcome {
        rules::Outcome::Win(winner) if winner.index() == seat => 1.0,
        rules::Outcome::Win(_) => -1.0,
        rules::Outcome::Draw => 0.0,
    }
}

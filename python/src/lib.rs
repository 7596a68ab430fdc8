//! The compiled module of the Python package `noughts`.

mod analysis;
mod batch;
mod budget;
mod computer;
mod errors;
mod event;
mod game;
mod league;
mod moves;
mod outcome;
mod playouts;
mod position;
mod rules;
mod vec_env;

use pyo3::prelude::*;

/// The compiled part of the package; import its names from `noughts`.
#[pymodule]
mod _noughts {
    #[pymodule_export]
    use crate::analysis::{Analysis, MoveVerdict, Solution, Value, Verdict, analyse, solve};
    #[pymodule_export]
    use crate::computer::{Choice, Computer};
    #[pymodule_export]
    use crate::errors::RefusedError;
    #[pymodule_export]
    use crate::event::{Event, Status};
    #[pymodule_export]
    use crate::game::{Game, Player};
    #[pymodule_export]
    use crate::league::{League, Rating, Record, Standing};
    #[pymodule_export]
    use crate::outcome::Outcome;
    #[pymodule_export]
    use crate::playouts::{Playouts, playouts};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::vec_env::VecEnv;
}

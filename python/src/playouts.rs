//! Random games from a position.

use noughts_rules::{Outcome, Position};
use pyo3::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::position::position_arg;

/// The results of random games.
#[pyclass(module = "noughts", frozen, eq, get_all)]
#[derive(Clone, PartialEq)]
pub(crate) struct Playouts {
    /// The games won by each seat.
    wins: Vec<u64>,
    /// The drawn games.
    draws: u64,
    /// The moves of all games.
    moves: u64,
}

#[pymethods]
impl Playouts {
    fn __repr__(&self) -> String {
        let Playouts { wins, draws, moves } = self;
        format!("Playouts(wins={wins:?}, draws={draws}, moves={moves})")
    }
}

/// Plays random games from a position, or from the start of rules, to the end. Other threads of
/// Python run meanwhile.
///
/// >>> result = noughts.playouts("3x3", 10_000, seed=1)
/// >>> 0.57 < result.wins[0] / 10_000 < 0.60
/// True
#[pyfunction]
#[pyo3(signature = (position, count, *, seed=0))]
pub(crate) fn playouts(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    count: u64,
    seed: u64,
) -> PyResult<Playouts> {
    let start = position_arg(position)?;
    Ok(py.detach(|| play_games(start, count, seed)))
}

fn play_games(mut position: Position, count: u64, seed: u64) -> Playouts {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut result = Playouts { wins: vec![0; position.rules().players()], draws: 0, moves: 0 };
    // Clearing the board is quicker than undoing every move.
    let from_start = position == Position::new(position.rules());
    for _ in 0..count {
        let before = result.moves;
        while let Some(mv) = random_move(&position, &mut rng) {
            if position.play(mv).is_err() {
                break;
            }
            result.moves += 1;
        }
        match position.outcome() {
            Some(Outcome::Win(seat)) => result.wins[seat.index()] += 1,
            _ => result.draws += 1,
        }
        if from_start {
            position.clear();
        } else {
            for _ in before..result.moves {
                let _ = position.undo();
            }
        }
    }
    result
}

/// A uniformly random legal move; `None` if the game is over.
#[inline]
pub(crate) fn random_move(position: &Position, rng: &mut SmallRng) -> Option<noughts_rules::Move> {
    match position.move_count() {
        0 => None,
        count => position.nth_move(rng.random_range(0..count)),
    }
}

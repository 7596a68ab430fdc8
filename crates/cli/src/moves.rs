//! Moves given on the command line.

use anyhow::anyhow;
use noughts_rules::{Cell, Position};

use crate::failure::Failure;

/// Plays moves given as cell names separated by spaces.
pub(crate) fn play_moves(position: &mut Position, moves: &str) -> Result<(), Failure> {
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let refused =
            |reason: String| Failure::malformed(anyhow!("move {number}, {text}: {reason}"));
        let cell: Cell = text.parse().map_err(|error| refused(format!("{error}")))?;
        position.play(cell).map_err(|refusal| refused(format!("{refusal}")))?;
    }
    Ok(())
}

/// The names of cells.
pub(crate) fn boxes(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

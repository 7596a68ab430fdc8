//! Moves given on the command line.

use anyhow::anyhow;
use noughts_play::read_move;
use noughts_rules::{Move, Position};

use crate::failure::Failure;

/// Plays moves separated by spaces.
pub(crate) fn play_moves(position: &mut Position, moves: &str) -> Result<(), Failure> {
    for (number, text) in (1..).zip(moves.split_whitespace()) {
        let refused =
            |reason: String| Failure::malformed(anyhow!("move {number}, {text}: {reason}"));
        let mv = read_move(position, text).map_err(|error| refused(format!("{error}")))?;
        position.play(mv).map_err(|refusal| refused(format!("{refusal}")))?;
    }
    Ok(())
}

/// The texts of moves.
pub(crate) fn move_texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

//! Which searches a position gets.

use noughts_rules::{OpeningStage, Position};

use crate::board::Board;

/// How the moves of a position are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    /// By the value of the game beneath: a choice of marks is still to come.
    Opening,
    /// On a [`Board`], or on a pattern board.
    Lines,
    /// On a pattern board, with the legal moves of the position.
    Renju,
    /// By the searches for any game.
    AnyGame,
}

impl Method {
    pub(crate) fn of(position: &Position) -> Method {
        if position.opening_stage() != OpeningStage::Done {
            Method::Opening
        } else if Board::supports(position) {
            Method::Lines
        } else if position.rules().parts().renju {
            Method::Renju
        } else {
            Method::AnyGame
        }
    }
}

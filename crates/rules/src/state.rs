//! The trait behind generic searches: a game in play, of this family or of your own.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Outcome, Seat};

/// A game in play.
///
/// [`Position`](crate::Position) implements it, and so can a game that is not in the family.
/// Generic players and solvers then work for it.
pub trait State: Clone {
    /// A move.
    type Move: Copy + Eq + Hash + Debug;
    /// Why a move is refused.
    type Refusal: Debug;

    /// The number of seats.
    fn seats(&self) -> usize {
        2
    }

    /// The number of seats that have not left the game.
    fn playing(&self) -> usize {
        self.seats()
    }

    /// The seat to move, or `None` if the game is over.
    fn turn(&self) -> Option<Seat>;

    /// The outcome, or `None` if the game is not over.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves, always in the same order; none if the game is over.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Makes a move. Returns the outcome if it ends the game. A refused move changes nothing.
    fn play(&mut self, mv: Self::Move) -> Result<Option<Outcome>, Self::Refusal>;

    /// Takes back the last move. Returns whether there was one.
    fn undo(&mut self) -> bool;

    /// A hash of everything that decides how the game can go on, the turn included.
    fn key(&self) -> u64;

    /// Whether a position can occur twice in a game. Such a game must still end by a rule.
    fn repeats(&self) -> bool {
        false
    }

    /// The number of legal moves.
    fn move_count(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len()
    }

    /// The legal move with this index, in the order of [`moves`](State::moves).
    fn nth_move(&self, n: usize) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.get(n).copied()
    }
}

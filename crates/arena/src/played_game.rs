//! One game of a tournament.

use std::fmt::Display;

use noughts_engine::{Budget, Computer};
use noughts_rules::{Move, Outcome, Seat, State};

/// A finished game.
#[derive(Debug, Clone)]
pub struct PlayedGame<M = Move> {
    /// The moves from the start, with those of the opening.
    pub moves: Vec<M>,
    /// The outcome; a forfeit is a loss.
    pub outcome: Outcome,
    /// The index of its pairing.
    pub pairing: usize,
    /// The entrants by seat.
    pub entrants: [usize; 2],
    /// The result for the pairing's first player.
    pub result: PairingResult,
    /// The entrant who forfeited the game, and why.
    pub forfeit: Option<(usize, String)>,
}

/// The result for the first player of a pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairingResult {
    /// The first player won.
    Win,
    /// A draw.
    Draw,
    /// The first player lost.
    Loss,
}

impl PairingResult {
    pub(crate) fn new(outcome: Outcome, swapped: bool) -> PairingResult {
        match outcome {
            Outcome::Draw => PairingResult::Draw,
            Outcome::Win(seat) if (seat == Seat::FIRST) != swapped => PairingResult::Win,
            Outcome::Win(_) => PairingResult::Loss,
        }
    }

    pub(crate) fn half_points(self) -> usize {
        match self {
            PairingResult::Win => 2,
            PairingResult::Draw => 1,
            PairingResult::Loss => 0,
        }
    }
}

/// The course of a game, before it is known whose it is.
pub(crate) struct Course<M> {
    pub(crate) moves: Vec<M>,
    pub(crate) outcome: Outcome,
    /// The seat that forfeited, and why.
    pub(crate) forfeit: Option<(Seat, String)>,
}

/// Plays a game of two seats to its end, after the opening; `None` if it was stopped.
///
/// An illegal move or a failure forfeits.
pub(crate) fn play<S: State>(
    start: &S,
    opening: Vec<S::Move>,
    computers: &mut [Computer<S>; 2],
    budget: &Budget,
) -> Option<Course<S::Move>>
where
    S::Refusal: Display,
{
    let mut state = start.clone();
    for &mv in &opening {
        state.play(mv).ok()?;
    }
    let mut moves = opening;
    while let Some(seat) = state.turn() {
        let choice = computers[seat.index()].choose(&state);
        // A stopped search returns a move, but not the one that it would have chosen.
        if budget.is_stopped() {
            return None;
        }
        let played = choice.map_err(|reason| reason.to_string()).and_then(|mv| {
            state.play(mv).map_err(|refusal| format!("an illegal move, {refusal}"))?;
            Ok(mv)
        });
        match played {
            Ok(mv) => moves.push(mv),
            Err(reason) => {
                let other = Seat::new(1 - seat.index() as u8)?;
                let outcome = Outcome::Win(other);
                return Some(Course { moves, outcome, forfeit: Some((seat, reason)) });
            }
        }
    }
    Some(Course { moves, outcome: state.outcome()?, forfeit: None })
}

//! One game of a tournament.

use std::fmt::Display;
use std::ops::AddAssign;
use std::time::Duration;

use noughts_engine::Budget;
use noughts_rules::{Move, Outcome, Seat, State};
use serde::{Deserialize, Serialize};

use crate::adjudication::{Adjudicated, Adjudication, Adjudicator};
use crate::seated::SeatedPlayer;

/// A finished game.
#[derive(Debug, Clone)]
pub struct PlayedGame<M = Move> {
    /// The moves from the start, with those of the opening.
    pub moves: Vec<M>,
    /// The outcome; a forfeit is a loss.
    pub outcome: Outcome,
    /// The entrants by seat.
    pub entrants: [usize; 2],
    /// Why the game ended.
    pub ending: Ending,
    /// What the players' moves took, by seat.
    pub statistics: [MoveStatistics; 2],
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules,
    /// An entrant forfeited it.
    Forfeit {
        /// Who.
        entrant: usize,
        /// Why.
        reason: String,
    },
    /// By adjudication.
    Adjudicated(Adjudicated),
}

/// What some moves of a player took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveStatistics {
    /// The moves, without those of openings.
    pub moves: u64,
    /// The time of all of them in milliseconds.
    pub time_ms: u64,
    /// The time of the longest in milliseconds.
    pub longest_ms: u64,
    /// The positions searched for all of them, as far as the player reports them.
    pub nodes: u64,
}

impl MoveStatistics {
    pub(crate) fn count_move(&mut self, taken: Duration) {
        let millis = u64::try_from(taken.as_millis()).unwrap_or(u64::MAX);
        *self += MoveStatistics { moves: 1, time_ms: millis, longest_ms: millis, nodes: 0 };
    }
}

impl AddAssign for MoveStatistics {
    fn add_assign(&mut self, other: MoveStatistics) {
        self.moves += other.moves;
        self.time_ms = self.time_ms.saturating_add(other.time_ms);
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        self.nodes = self.nodes.saturating_add(other.nodes);
    }
}

impl<M> PlayedGame<M> {
    /// Half points of the entrant who is listed before the other.
    pub(crate) fn half_points_of_first(&self) -> usize {
        let [by_seat_0, by_seat_1] = self.half_points();
        let first = if self.entrants[0] < self.entrants[1] { by_seat_0 } else { by_seat_1 };
        first as usize
    }

    /// Half points by seat.
    pub(crate) fn half_points(&self) -> [u32; 2] {
        match self.outcome {
            Outcome::Draw => [1, 1],
            Outcome::Win(Seat::FIRST) => [2, 0],
            Outcome::Win(_) => [0, 2],
        }
    }
}

/// The course of a game, before it is known whose it is.
pub(crate) struct Course<M> {
    pub(crate) moves: Vec<M>,
    pub(crate) outcome: Outcome,
    pub(crate) end: CourseEnd,
}

pub(crate) enum CourseEnd {
    Rules,
    Forfeit(Seat, String),
    Adjudicated(Adjudicated),
}

/// Plays a game of two seats to its end, after the opening; `None` if it was stopped.
///
/// An illegal move or a failure forfeits.
pub(crate) fn play<S: State>(
    start: &S,
    opening: Vec<S::Move>,
    players: &mut [SeatedPlayer<S>; 2],
    adjudication: &Adjudication,
    stop: &Budget,
) -> Option<Course<S::Move>>
where
    S::Refusal: Display,
{
    let mut state = start.clone();
    for &mv in &opening {
        state.play(mv).ok()?;
    }
    let mut adjudicator = Adjudicator::new(adjudication);
    adjudicator.skip(opening.len());
    let mut moves = opening;
    while let Some(seat) = state.turn() {
        let other = Seat::new(1 - seat.index() as u8)?;
        let choice = players[seat.index()].choose(&state);
        // A stopped search returns a move, but not the one that it would have chosen.
        if stop.is_stopped() {
            return None;
        }
        let played = choice.and_then(|(mv, verdict)| {
            state.play(mv).map_err(|refusal| format!("an illegal move, {refusal}"))?;
            Ok((mv, verdict))
        });
        let (mv, verdict) = match played {
            Ok(played) => played,
            Err(reason) => {
                let end = CourseEnd::Forfeit(seat, reason);
                return Some(Course { moves, outcome: Outcome::Win(other), end });
            }
        };
        moves.push(mv);
        if state.outcome().is_some() {
            break;
        }
        if let Some(adjudicated) = adjudicator.after_move(seat, verdict) {
            let outcome = match adjudicated {
                Adjudicated::Resignation => Outcome::Win(other),
                Adjudicated::Draw | Adjudicated::MaxMoves => Outcome::Draw,
            };
            return Some(Course { moves, outcome, end: CourseEnd::Adjudicated(adjudicated) });
        }
    }
    Some(Course { moves, outcome: state.outcome()?, end: CourseEnd::Rules })
}

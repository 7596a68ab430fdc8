//! The results of queries.

use crate::{Record, ResultId, Weight};

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rating {
    /// The whole number that is shown. Ranks go by it: players with equal shown ratings share a
    /// rank.
    pub shown: i64,
    /// The system's estimate, unrounded and on its own scale.
    pub value: f64,
    /// The uncertainty of the value, in systems that have one.
    pub deviation: Option<f64>,
    /// How much the player's results vary, in `glicko2`.
    pub volatility: Option<f64>,
}

/// A row of a league's table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing<'a, K> {
    /// One more than the number of players with a higher rating: 1, 2, 2, 4.
    pub rank: usize,
    /// The player, as in the first of their reports.
    pub player: &'a K,
    /// The rating.
    pub rating: Rating,
    /// Games won, lost and drawn.
    pub record: Record,
}

/// A player's standing and those next to it, in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours<'a, K> {
    /// The players above; the last one is nearest.
    pub above: Vec<Standing<'a, K>>,
    /// The player's own standing.
    pub standing: Standing<'a, K>,
    /// The players below; the first one is nearest.
    pub below: Vec<Standing<'a, K>>,
}

/// A player's rating after one of their results.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RatingPoint {
    /// The result.
    pub result: ResultId,
    /// The report's time.
    pub at: i64,
    /// The rating after the result.
    pub rating: Rating,
}

/// What a result did to a player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RatingChange {
    /// The rating before the result.
    pub before: Rating,
    /// The rating after it.
    pub after: Rating,
    /// How much the result counts for the player.
    pub weight: Weight,
}

/// The memory that a league uses, in bytes.
///
/// Spare capacity counts for hash tables only: the unused end of a vector is never touched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct MemoryUsage {
    /// Keys and records, without what keys own on the heap.
    pub players: usize,
    /// The order of the players.
    pub ranking: usize,
    /// Results, and the ratings after each of them.
    pub history: usize,
}

//! What a league answers.

use crate::{Record, ResultId};

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The whole number that is shown. Ranks go by it, so that two people who are shown
    /// with the same rating share the rank.
    pub shown: i64,
    /// The estimate of the system, unrounded and on its own scale.
    pub value: f64,
    /// How unsure the system is of the value, where it keeps count of that.
    pub deviation: Option<f64>,
    /// How erratic the player's results are, in `glicko2`.
    pub volatility: Option<f64>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<'a> {
    /// One more than the number of players with a higher rating: equal ratings share a
    /// rank, and the next one counts them all (1, 2, 2, 4).
    pub rank: usize,
    /// The name as written in the first of the player's results.
    pub name: &'a str,
    /// The rating.
    pub rating: Rating,
    /// Games won, lost and drawn.
    pub record: Record,
}

/// A player among those who stand next to them, all in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours<'a> {
    /// Those above the player; the last one is the nearest.
    pub above: Vec<Standing<'a>>,
    /// The player.
    pub player: Standing<'a>,
    /// Those below the player; the first one is the nearest.
    pub below: Vec<Standing<'a>>,
}

/// A player's rating after one of their results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingPoint {
    /// The result.
    pub result: ResultId,
    /// The time that the caller gave with the result.
    pub at: i64,
    /// The rating after it.
    pub rating: Rating,
}

/// The memory that a league takes, in bytes.
///
/// Space that was set aside to grow into is counted for hash tables only, because the
/// pages of a list's unused end are never touched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Memory {
    /// Names and records.
    pub players: usize,
    /// The order of the table.
    pub table: usize,
    /// Results and the ratings after each of them, the current ones included.
    pub history: usize,
}
